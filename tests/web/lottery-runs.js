/**
 * The runs of Lottery ticket's curve, as the scene opens: `node tests/web/lottery-runs.js` trains
 * all 41 by the demo's engine and writes web/scenes/lottery/runs.txt, a run in each line.
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Study } from '../../web/engine/study.js';
import { scene as lottery } from '../../web/scenes/lottery/scene.js';
import { packMask, toText } from '../../web/state/codec.js';
import { openingState, setupOf } from '../../web/state/state.js';
import { g } from './runs.js';

/** Trains runs of the study, one after the other; the first is whole. @returns {AsyncGenerator<string>} each as a line of the file */
export async function* trainRuns() {
  const state = openingState(lottery);
  const study = new Study(g, lottery, setupOf(state), state.optimizer);
  for (let at = 0; study.isRunning || at < study.log.length; ) {
    // A run has two entries: how it begins, and its end.
    if (at + 2 > study.log.length) {
      study.advance(50);
      if (study.isRunning || study.refusal) continue;
    }
    const [begun, ended] = /** @type {any[]} */ (study.log.slice(at, at + 2));
    const { key, at: kept, steps, zeros } = begun.recipe;
    const readings = Object.fromEntries(
      Object.entries(ended.readings).map(([name, value]) => [
        name,
        [.../** @type {any} */ (value)],
      ]),
    );
    const mask = toText(packMask(zeros));
    yield JSON.stringify({ key, at: kept, steps, mask, readings, digest: ended.digest });
    at += 2;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const lines = [];
  for await (const line of trainRuns()) lines.push(line);
  const file = new URL('../../web/scenes/lottery/runs.txt', import.meta.url);
  writeFileSync(file, `${lines.join('\n')}\n`);
}
