/* Every public method × hostile values, as `make hostile` does it: each call ends, well or in a typed error, and changes nothing
 * else. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { STEADY } from '../js/steady.js';

test('no public method answers a hostile value by an untyped error, a trap, a leak, or another training than before', () => {
  const run = fileURLToPath(new URL('./run.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [...STEADY, '--expose-gc', run], {
    encoding: 'utf8',
  });
  console.log(stdout.trim());
  assert.equal(status, 0, `${stdout}${stderr}`);
});
