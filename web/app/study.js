/** The page's copy of the scene's study: runs with recipes and results. Frames bring the news. */

import { isAlike } from '../state/rules.js';

/** @typedef {import('../engine/protocol.js').StudyNews} StudyNews */
/** @typedef {import('../figures/figure.js').Study} Study */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */

export class StudyLog {
  /** @type {Omit<Study, 'isStale' | 'count'> | null} */
  #study = null;
  /** @type {OptimizerSettings | null} */
  #optimizer = null;
  #id = 0;
  #entries = 0;

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
    if (!study || !then) return null;
    return { ...study, count, isStale: !isAlike(then, optimizer) };
  }
}
