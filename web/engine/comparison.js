/**
 * A run and, on request, its rival: a second run with the same start and the same locks. It holds
 * them by a mask on the gradient, or trains by another optimizer. Each edit applies to both.
 */

import { unpackMask } from '../state/codec.js';
import { WRITE } from '../state/history.js';
import { hasRival } from '../state/state.js';
import { Run } from './run.js';

/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('../state/history.js').Event} Event */
/** @typedef {{ beside: import('../state/state.js').Beside, rival: OptimizerSettings }} View */

/**
 * The start of a run.
 * @typedef {{ optimizer: OptimizerSettings, locks: Uint8Array, zeros: Uint8Array | null }} Base
 */

/**
 * A pruning: its cells, and their values before.
 * @typedef {{ cells: Uint8Array, main: Float32Array, rival: Float32Array | null }} Pruned
 */

/**
 * The exact state of both runs.
 * @typedef {object} SavedComparison
 * @property {import('./run.js').Saved} main
 * @property {import('./run.js').Saved | null} rival
 * @property {readonly Pruned[]} pruned  prunings that were not undone
 * @property {readonly number[]} dragged  cells that were being dragged
 */

export class Comparison {
  #g;
  #problem;
  #view;
  /** @type {readonly Pruned[]} */
  #pruned = [];
  /** The dragged cells. @type {readonly number[]} */
  dragged = [];
  /** @type {Run} */
  main;
  /** @type {Run | null} */
  rival = null;

  /** @param {Gradlock} g @param {import('./problem.js').Problem} problem @param {OptimizerSettings} settings @param {View} view */
  constructor(g, problem, settings, view) {
    this.#g = g;
    this.#problem = problem;
    this.#view = view;
    this.main = new Run(g, problem, settings, false);
    this.setView(view, settings);
  }

  /** Makes another rival, or none. It starts at the run's start. @param {View} view @param {OptimizerSettings} settings at the run's start */
  setView(view, settings) {
    this.#view = view;
    this.rival?.dispose();
    const isMasked = view.beside === 'mask';
    this.rival = hasRival(view)
      ? new Run(this.#g, this.#problem, isMasked ? settings : view.rival, isMasked)
      : null;
  }

  get #runs() {
    return this.rival ? [this.main, this.rival] : [this.main];
  }

  /** @param {Base} base */
  begin({ optimizer, locks, zeros }) {
    this.#pruned = [];
    this.#hold([]);
    for (const run of this.#runs) {
      const isOther = run === this.rival && this.#view.beside === 'rule';
      run.settings = isOther ? this.#view.rival : optimizer;
      run.begin(locks, zeros);
    }
  }

  /** @param {number} steps @returns {[loss: number, rivalLoss: number]} before the last step */
  advance(steps) {
    return [this.main.advance(steps), this.rival?.advance(steps) ?? Number.NaN];
  }

  /** Throws, and changes nothing, if the library refuses. @param {Event} event a valid one (state/history.js) */
  apply(event) {
    switch (event.do) {
      case 'locks': {
        const mask = /** @type {Uint8Array} */ (unpackMask(event.mask, this.main.cells));
        for (const run of this.#runs) run.setLocks(mask);
        break;
      }
      case 'optimizer':
        this.main.setOptimizer(event.settings);
        if (this.#view.beside === 'mask') this.rival?.setOptimizer(event.settings);
        break;
      case 'assign':
        for (const run of this.#runs) run.assign(event.index, event.value);
        break;
      case 'prune':
        this.#prune(event.fraction);
        break;
      case 'unprune':
        this.#unprune();
        break;
      case 'hold':
      case 'release':
        this.#hold(event.do === 'hold' ? event.cells : []);
        break;
      case WRITE:
        for (const run of this.#runs) run.writeDragged(event.values);
        break;
      case 'bound':
        for (const run of this.#runs) run.bound(event.index, event.min, event.max);
        break;
      case 'switch':
        this.main.switchTo(event.to);
    }
  }

  /** The run that holds its cells by a mask; null if there is none. */
  get masked() {
    return this.#runs.find((run) => run.isMasked) ?? null;
  }

  /** @param {readonly number[]} cells */
  #hold(cells) {
    this.dragged = cells;
    for (const run of this.#runs) run.hold(cells);
  }

  /** @param {number} fraction */
  #prune(fraction) {
    const { main, rival } = this;
    const { mask } = main;
    const before = { main: main.values(), rival: rival?.values() ?? null };
    const after = main.prune(fraction);
    rival?.holdAtZero(after);
    const cells = after.map((bit, i) => bit & (1 - mask[i]));
    this.#pruned = [...this.#pruned, { ...before, cells }];
  }

  #unprune() {
    const pruned = this.#pruned.at(-1);
    if (!pruned) throw new RangeError('There is no pruning to undo.');
    this.#pruned = this.#pruned.slice(0, -1);
    this.main.undoPrune(pruned.cells, pruned.main);
    this.rival?.undoPrune(pruned.cells, pruned.rival ?? pruned.main);
  }

  /** Returns the pruned cells that are still 0 and locked. @param {Uint8Array | null} before cells that were 0 at the start @returns {Uint8Array | null} null if there are none */
  zeros(before) {
    const { mask, cells: count } = this.main;
    const values = this.main.values();
    const zeros = new Uint8Array(count);
    for (const cells of [before, ...this.#pruned.map((pruned) => pruned.cells)]) {
      cells?.forEach((bit, i) => {
        zeros[i] |= bit & mask[i] & (values[i] === 0 ? 1 : 0);
      });
    }
    return zeros.includes(1) ? zeros : null;
  }

  /** Returns how far the rival's locked cells have drifted; NaN without a rival. */
  drift() {
    return this.rival ? this.rival.drift(this.rival.values()).farthest : Number.NaN;
  }

  /** @returns {SavedComparison} */
  save() {
    const [main, rival] = [this.main.save(), this.rival?.save() ?? null];
    return { main, rival, pruned: this.#pruned, dragged: this.dragged };
  }

  /** Restores a saved pair. Throws if it belongs to another run. @param {SavedComparison} saved @param {readonly Event[]} events done by then: they set the ranges of cells */
  restore({ main, rival, pruned, dragged }, events) {
    if ((this.rival !== null) !== (rival !== null)) throw new RangeError('It has another rival.');
    const ranges = events.filter((event) => event.do === 'bound');
    this.main.restore(main, ranges);
    if (rival) this.rival?.restore(rival, ranges);
    this.#pruned = pruned;
    this.#hold(dragged);
  }

  dispose() {
    for (const run of this.#runs) run.dispose();
  }
}
