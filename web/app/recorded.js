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
  return text
    .trim()
    .split('\n')
    .map((line) => {
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

export class Recorded {
  /** @type {Scene | null} */
  #scene = null;
  /** @type {ReturnType<typeof readRuns>} */
  #runs = [];

  /** Loads the runs of a scene. @param {Scene} scene @param {() => void} redraw */
  async open(scene, redraw) {
    if (this.#scene === scene) return;
    this.#scene = scene;
    this.#runs = [];
    // Without a network, the figure has no recorded runs.
    const text = (await scene.recorded?.().catch(() => '')) ?? '';
    if (this.#scene !== scene || !text) return;
    this.#runs = readRuns(scene, text);
    redraw();
  }

  /** Returns the runs that began as this run does; [] if there are none. @param {import('../state/state.js').State} state @returns {readonly RecordedRun[]} */
  of(state) {
    if (this.#scene?.id !== state.scene || this.#runs.length === 0) return [];
    const opening = openingState(this.#scene);
    return this.#runs.filter(({ choices }) =>
      isSameSetup({ ...opening, choices: { ...opening.choices, ...choices } }, state),
    );
  }
}
