/* A short run of tests/fuzz/formats.js, which `make fuzz` runs for minutes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFuzzer } from './formats.js';
import { Hdf5Fuzzer } from './hdf5.js';

test('files cut at every byte, and with a bit turned at each, are refused or sound', async () => {
  const fuzzer = await openFuzzer();
  await fuzzer.check();
  await fuzzer.everyByte(1);
  fuzzer.dispose();
});

test('500 files that were changed by their structure are refused, typed, or sound', async (t) => {
  const fuzzer = await openFuzzer();
  for (let seed = 1; seed <= 500; seed++) await fuzzer.once(seed);
  const { files, refused } = fuzzer.accepted;
  t.diagnostic(`${files} files, ${refused} refused`);
  assert.ok(refused > 100 && refused < files, 'some are refused, and some are not');
  fuzzer.dispose();
});

test('files of HDF5, cut, turned and changed, are refused, typed, or sound', async (t) => {
  const fuzzer = new Hdf5Fuzzer();
  t.after(() => fuzzer.close());
  await fuzzer.check();
  await fuzzer.everyByte(397);
  for (let seed = 1; seed <= 300; seed++) await fuzzer.once(seed);
  const { sound, refused, trapped, endless } = fuzzer.count;
  t.diagnostic(
    `${sound} read, ${refused} refused, ${trapped} broke h5wasm, ${endless} without end`,
  );
  assert.ok(sound > 100 && refused > 100, 'some are refused, and some are not');
});
