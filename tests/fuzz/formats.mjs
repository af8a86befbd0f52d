/* `make fuzz`: tests/fuzz/formats.js for MINUTES, from a seed that it prints; every byte first. A seed
 * that breaks something is run again by SEED=n. HDF5 has tests/fuzz/hdf5.mjs. */
import { openFuzzer } from './formats.js';

const minutes = Number(process.env.MINUTES ?? 1);
const only = process.env.SEED;
const first = only ? Number(only) : Date.now() % 2 ** 31;
const end = Date.now() + 60_000 * minutes;

const fuzzer = await openFuzzer();
await fuzzer.check();
if (!only) await fuzzer.everyByte(1);
console.log(`files from seed ${first}`);
let seed = first;
try {
  do await fuzzer.once(seed);
  while (!only && Date.now() < end && ++seed);
} catch (error) {
  console.error(`SEED=${seed} node tests/fuzz/formats.mjs`);
  throw error;
}
const { files, refused } = fuzzer.accepted;
console.log(`${files} files, ${refused} refused, none broke anything`);
