/* silero-vad beside the f64 of what its own tinygrad computes: fixtures/silero.json, written by
 * golden/silero.py. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { assertNear } from '../claims.js';
import { CHUNK, CONTEXT, golden, openSilero, sound, UNITS } from '../silero.js';

/** @param {string} what */
const reference = (what) => golden.rows.find((/** @type {any} */ row) => row.what === what);

test('silero-vad hears the same in every chunk, its state carried from one to the next', async () => {
  const g = await init();
  const { net, report } = await openSilero(g);
  assert.deepEqual([report.missing, report.unexpected, report.misshapen], [[], [], []]);
  const samples = Float32Array.of(...new Float32Array(CONTEXT), ...sound());
  const chances = [];
  let state = [0, 1].map(() => g.broadcastTo(0, [1, UNITS]));
  for (let at = CONTEXT; at < samples.length; at += CHUNK) {
    const chunk = g.tensor(samples.slice(at - CONTEXT, at + CHUNK), [1, CONTEXT + CHUNK]);
    const [chance, ...next] = net.predict([chunk, ...state]);
    state = next;
    chances.push(chance.item());
  }
  assert.equal(chances.length, golden.chunks);
  assertNear(chances, reference('chances'), 'chance');
  assertNear(g.concat(state).data(), reference('states'), 'state');
  g.dispose();
});
