/* A short run of tests/fuzz/links.js, which `make fuzz` runs for minutes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkFuzzer } from './links.js';

test('1,000 links and saved runs of the demo that were changed lead to sound runs', () => {
  const fuzzer = new LinkFuzzer();
  for (let seed = 1; seed <= 500; seed++) fuzzer.once(seed);
  const { whole } = fuzzer.count;
  assert.ok(whole > 20 && whole < 480, `${whole} links had no problem`);
});
