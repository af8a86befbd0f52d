/**
 * The page's copy of the scene's study: runs with recipes and results. Frames bring the news. Until
 * it starts, a scene may show runs of its opening that were trained beforehand.
 */

import { isSameSetup } from '../engine/problem.js';
import { fromText, unpackMask } from '../state/codec.js';
import { isAlike } from '../state/rules.js';
import { openingState, setupOf } from '../state/state.js';

/** @typedef {import('../engine/protocol.js').StudyNews} StudyNews */
/** @typedef {import('../scenes/shared/figure.js').Study} Study */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('../scenes/scene.js').Scene} Scene */

/** Reads runs that were trained beforehand. @param {string} text a line for each @param {Scene} scene @returns {import('../scenes/shared/figure.js').StudiedRun[]} */
function runsOf(text, scene) {
  const { optimizer } = scene;
  const cells = scene.locks(setupOf(openingState(scene))).length;
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const { key, at, steps, mask, readings, digest } = JSON.parse(line);
      const zeros = unpackMask(fromText(mask) ?? new Uint8Array(0), cells) ?? new Uint8Array(cells);
      return {
        recipe: { key, at, steps, every: 0, rule: 'lock', optimizer, locks: zeros, zeros },
        points: [{ step: steps, readings }],
        digest,
      };
    });
}

export class StudyLog {
  /** @type {Omit<Study, 'isStale' | 'count'> | null} */
  #study = null;
  /** @type {OptimizerSettings | null} */
  #optimizer = null;
  #id = 0;
  #entries = 0;

  /** The runs that the open scene brings along, if it was opened as they were. @type {Study | null} */
  #kept = null;
  /** @type {Scene | null} */
  #scene = null;

  /** Loads the runs that a scene brings along. @param {Scene} scene @param {import('../scenes/scene.js').Setup} setup @param {() => void} redraw */
  async open(scene, setup, redraw) {
    const isOpening = isSameSetup(setup, setupOf(openingState(scene)));
    const isKnown = isOpening && this.#scene === scene;
    this.#scene = isOpening ? scene : null;
    if (isKnown) return;
    this.#kept = null;
    if (!isOpening || !scene.study?.kept) return;
    // Without a network they are missing, and can still be trained.
    const text = await scene.study.kept().catch(() => '');
    if (this.#scene !== scene || !text) return;
    const runs = runsOf(text, scene);
    const rest = { isRunning: false, isKept: true, step: 0, refusal: null };
    this.#kept = { ...rest, runs, count: runs.length, isStale: false, id: 0, version: runs.length };
    redraw();
  }

  /** What the page has, for the engine. @returns {import('../engine/protocol.js').Known | undefined} */
  get known() {
    return this.#study ? { id: this.#id, count: this.#entries } : undefined;
  }

  /** @param {StudyNews | null} news @returns {import('../engine/protocol.js').Refusal | null} why it has just stopped, if it has */
  take(news) {
    if (!news) {
      this.#study = null;
      return null;
    }
    const before = news.id === this.#id ? this.#study : null;
    const runs = before?.runs ?? [];
    for (const entry of news.log) {
      if ('recipe' in entry) runs.push({ recipe: entry.recipe, points: [], digest: null });
      else {
        const run = runs[runs.length - 1];
        run.points.push({ step: entry.step, readings: entry.readings });
        run.digest = entry.digest;
      }
    }
    this.#entries = (before ? this.#entries : 0) + news.log.length;
    this.#id = news.id;
    this.#optimizer = news.optimizer;
    const { isRunning, step, refusal } = news;
    this.#study = { runs, isRunning, step, version: this.#entries, id: news.id, refusal };
    return before?.refusal ? null : refusal;
  }

  /** Returns the study for figures. @param {OptimizerSettings} optimizer the current settings @param {number} count of its runs @returns {Study | null} */
  model(optimizer, count) {
    const [study, then] = [this.#study, this.#optimizer];
    if (!study || !then) {
      const isStale = !isAlike(this.#scene?.optimizer ?? optimizer, optimizer);
      return this.#kept && { ...this.#kept, isStale };
    }
    return { ...study, count, isStale: !isAlike(then, optimizer) };
  }
}
