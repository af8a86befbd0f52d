/** The recorded runs of a scene (tests/web/recorded-runs.js): its figure draws and opens them. */

import { fromText, unpackMask } from '../state/codec.js';
import { isSameSetup, openingState, setupOf } from '../state/state.js';

/** @typedef {import('../scenes/scene.js').Scene} Scene */
/** @typedef {import('../scenes/shared/figure.js').RecordedRun} RecordedRun */

/** @param {Scene} scene @param {string} text a line for each run @returns {(RecordedRun & { choices: Record<string, string> })[]} */
function readRuns(scene, text) {
  const { optimizer } = scene;
  const usual = scene.locks(setupOf(openingState(scene)));
  /** @param {string | undefined} mask */
  const read = (mask) => (mask ? unpackMask(fromText(mask), usual.length) : null);
  const lines = text.trim().split('\n');
  return lines.map((line) => {
    const { key, at = 0, rule = 'lock', choices = {}, ...run } = JSON.parse(line);
    const { steps, locks, pruned, points, digest } = run;
    const zeros = read(pruned);
    return {
      ...{ key, at, rule, choices, optimizer, steps, digest },
      ...{ locks: zeros ?? read(locks) ?? usual, zeros },
      points: points.map((/** @type {any[]} */ [step, readings]) => ({ step, readings })),
    };
  });
}

/** Loads the recorded runs of a scene; without a network there are none. @param {Scene} scene */
export async function recordedOf(scene) {
  const text = await scene.recorded?.().catch(() => '');
  return text ? readRuns(scene, text) : [];
}

/** Returns the recorded runs that began as this run does. @template {ReturnType<typeof readRuns>} T @param {T} runs of its scene @param {import('../state/state.js').State} state @param {Scene} scene @returns {readonly RecordedRun[]} */
export function withSameStart(runs, state, scene) {
  const opening = openingState(scene);
  return runs.filter(({ choices }) =>
    isSameSetup({ ...opening, choices: { ...opening.choices, ...choices } }, state),
  );
}
