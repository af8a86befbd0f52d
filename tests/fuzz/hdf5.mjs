/* `make fuzz`: tests/fuzz/hdf5.js for MINUTES, from a seed that it prints; every 13th byte first. A seed
 * that breaks something is run again by SEED=n. */
import { Hdf5Fuzzer } from './hdf5.js';

const minutes = Number(process.env.MINUTES ?? 1);
const only = process.env.SEED;
const first = only ? Number(only) : Date.now() % 2 ** 31;
const end = Date.now() + 60_000 * minutes;

const fuzzer = new Hdf5Fuzzer();
await fuzzer.check();
if (!only) await fuzzer.everyByte(13);
console.log(`files of HDF5 from seed ${first}`);
let seed = first;
try {
  do await fuzzer.once(seed);
  while (!only && Date.now() < end && ++seed);
} catch (error) {
  console.error(`SEED=${seed} node tests/fuzz/hdf5.mjs`);
  throw error;
} finally {
  await fuzzer.close();
}
const { sound, refused, trapped, endless } = fuzzer.count;
console.log(
  `${sound + refused + endless} files of HDF5: ${sound} read, ${refused} refused (h5wasm broke on ` +
    `${trapped}), ${endless} on which it does not end`,
);
