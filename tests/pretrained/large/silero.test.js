/* silero-vad beside the f64 of what its own tinygrad computes: fixtures/silero.json, written by
 * golden/silero.py. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { assertNear } from '../claims.js';
import { golden, hear, openSilero, reference } from '../silero.js';

test('silero-vad hears the same in every chunk, its state carried from one to the next', async () => {
  const g = await init();
  const { net, report } = await openSilero(g);
  assert.deepEqual([report.missing, report.unexpected, report.misshapen], [[], [], []]);
  const { chances, state } = hear(g, net);
  assert.equal(chances.length, golden.chunks);
  assertNear(chances, reference('chances'), 'chance');
  assertNear(state, reference('states'), 'state');
  g.dispose();
});
