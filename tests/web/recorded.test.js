/* Tier: all. */
/** Recorded runs: what scenes ship for their figures is what the engine trains. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordedOf, withSameStart } from '../../web/app/recorded.js';
import { recorded } from './recorded-runs.js';
import { openSession, sceneOf, stateOf } from './runs.js';

for (const [id, runs] of Object.entries(recorded)) {
  test(`${id}: the runs of its file are those that the engine trains (node tests/web/recorded-runs.js)`, async () => {
    const file = new URL(`../../web/scenes/${id}/runs.txt`, import.meta.url);
    const kept = readFileSync(file, 'utf8').trim().split('\n');
    let at = 0;
    for await (const run of runs()) assert.equal(kept[at++], JSON.stringify(run));
    assert.equal(at, kept.length);
  });

  test(`${id}: a recorded run, opened, ends on its digest`, async () => {
    const [scene, state] = [sceneOf(id), await stateOf(id)];
    const kept = await recordedOf(scene);
    const found = withSameStart(kept, state, scene);
    const last = found.filter(({ key }, i) => found.findLastIndex((run) => run.key === key) === i);
    assert.ok(last.length > 1);
    for (const { optimizer, locks, zeros, rule, steps, digest, key } of last) {
      const beside = rule === 'mask' ? 'mask' : 'none';
      const session = openSession({ ...state, optimizer, locks, zeros, beside, step: steps });
      const { main, rival } = session;
      assert.equal((rule === 'mask' ? rival : main)?.digest(), digest, key);
      session.dispose();
    }
    assert.deepEqual(withSameStart(kept, { ...state, seed: 7 }, scene), [], 'another start');
  });
}
