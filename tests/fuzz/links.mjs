/* `make fuzz`: tests/fuzz/links.js for MINUTES, from a seed that it prints. A seed that breaks
 * something is run again by SEED=n. */
import { LinkFuzzer } from './links.js';

const only = process.env.SEED;
const first = only ? Number(only) : Date.now() % 2 ** 31;
const end = Date.now() + 60_000 * Number(process.env.MINUTES ?? 1);

const fuzzer = new LinkFuzzer();
console.log(`links from seed ${first}`);
let seed = first;
try {
  do fuzzer.once(seed);
  while (!only && Date.now() < end && ++seed);
} catch (error) {
  console.error(`SEED=${seed} node tests/fuzz/links.mjs`);
  throw error;
}
console.log(`${fuzzer.count.texts} links and files, none broke anything`);
