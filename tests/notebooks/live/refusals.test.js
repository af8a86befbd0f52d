/* gradlock_grid.py without a page: what it refuses. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { root } from './hosts.js';
import { runIn } from './packed.js';

test('what a Grid refuses has the right error with words that help, and changes nothing', async () => {
  const python = `${root}build/notebooks/bin/python`;
  assert.equal(
    await runIn(root, python, ['-W', 'error', 'tests/notebooks/live/refusals.py']),
    'done\n',
  );
});
