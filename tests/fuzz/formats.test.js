/* A short run of tests/fuzz/formats.js, which `make fuzz` runs for minutes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openFuzzer } from './formats.js';

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
