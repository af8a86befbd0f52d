/**
 * A run, and beside it, when asked for, a rival: the same start and the same locks, held by a mask on the gradient or
 * trained by another optimizer. What is done to the one is done to the other.
 */

import { unpackMask } from '../state/codec.js';
import { areHoldable, arePlaces, isCellValue } from '../state/history.js';
import { Run } from './run.js';

/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('../state/history.js').Event} Event */
/** @typedef {{ beside: import('../state/state.js').Beside, rival: OptimizerSettings }} Look */

/**
 * What a run began with.
 * @typedef {{ optimizer: OptimizerSettings, locks: Uint8Array, zeros: Uint8Array | null }} Base
 */

/**
 * What a pruning took: which cells, and the values that they had.
 * @typedef {{ cells: Uint8Array, main: Float32Array, rival: Float32Array | null }} Pruned
 */

/**
 * The exact state of both.
 * @typedef {object} SavedPair
 * @property {import('./run.js').Saved} main
 * @property {import('./run.js').Saved | null} rival
 * @property {readonly Pruned[]} pruned  what was pruned and not given back
 * @property {readonly number[]} dragged  cells that were being dragged
 */

/** Whether another run is shown beside. @param {Look} look */
export const hasRival = ({ beside }) => beside === 'mask' || beside === 'rule';

export class Pair {
  #g;
  #problem;
  #look;
  /** @type {readonly Pruned[]} */
  #pruned = [];
  /** What is in somebody's hand. @type {readonly number[]} */
  #dragged = [];
  /** @type {Run} */
  main;
  /** @type {Run | null} */
  rival = null;

  /** @param {Gradlock} g @param {import('./problem.js').Problem} problem @param {OptimizerSettings} settings @param {Look} look */
  constructor(g, problem, settings, look) {
    this.#g = g;
    this.#problem = problem;
    this.#look = look;
    this.main = new Run(g, problem, settings, false);
    this.look(look, settings);
  }

  /** Another rival, or none. It stands at the start. @param {Look} look @param {OptimizerSettings} settings with which the run began */
  look(look, settings) {
    this.#look = look;
    this.rival?.dispose();
    const isMasked = look.beside === 'mask';
    this.rival = hasRival(look)
      ? new Run(this.#g, this.#problem, isMasked ? settings : look.rival, isMasked)
      : null;
  }

  /** @param {Base} base */
  begin({ optimizer, locks, zeros }) {
    this.#pruned = [];
    this.#hold([]);
    this.main.settings = optimizer;
    this.main.begin(locks, zeros);
    if (!this.rival) return;
    this.rival.settings = this.#look.beside === 'rule' ? this.#look.rival : optimizer;
    this.rival.begin(locks, zeros);
  }

  /** @param {number} steps @returns {[loss: number, rivalLoss: number]} before the last of them */
  advance(steps) {
    return [this.main.advance(steps), this.rival?.advance(steps) ?? Number.NaN];
  }

  /** Throws, and changes nothing, where the library refuses. @param {Event} event */
  apply(event) {
    const { main, rival } = this;
    switch (event.do) {
      case 'locks': {
        const mask = unpackMask(event.mask, main.cells);
        if (!mask) throw new RangeError(`The locks must be of ${main.cells} cells.`);
        main.setLocks(mask);
        rival?.setLocks(mask);
        break;
      }
      case 'optimizer':
        main.setOptimizer(event.settings);
        if (this.#look.beside === 'mask') rival?.setOptimizer(event.settings);
        break;
      case 'assign':
        if (!isCellValue(event.value)) {
          throw new RangeError(`A cell cannot hold ${event.value}; 32-bit floats end at 3.4e38.`);
        }
        main.assign(event.index, event.value);
        rival?.assign(event.index, event.value);
        break;
      case 'prune':
        this.#prune(event.fraction);
        break;
      case 'unprune':
        this.#unprune();
        break;
      case 'hold':
        if (!areHoldable(event.cells, main.cells)) {
          throw new RangeError('What is held must be cells, in their order.');
        }
        this.#hold(event.cells);
        break;
      case 'place':
        if (!arePlaces(event.values) || event.values.length !== this.#dragged.length) {
          throw new RangeError(`There must be ${this.#dragged.length} finite numbers.`);
        }
        main.place(event.values);
        rival?.place(event.values);
        break;
      case 'release':
        this.#hold([]);
    }
  }

  get isDragging() {
    return this.#dragged.length > 0;
  }

  /** @param {readonly number[]} cells */
  #hold(cells) {
    this.#dragged = cells;
    this.main.hold(cells);
    this.rival?.hold(cells);
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
    this.main.giveBack(pruned.cells, pruned.main);
    this.rival?.giveBack(pruned.cells, pruned.rival ?? pruned.main);
  }

  /** Cells that pruning has made 0, and that are 0 and locked. @param {Uint8Array | null} before those that began so @returns {Uint8Array | null} null if there are none */
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

  /** How far the rival's locked cells have gone; NaN without one. */
  drift() {
    return this.rival ? this.rival.drift(this.rival.values()).farthest : Number.NaN;
  }

  /** @returns {SavedPair} */
  save() {
    const [main, rival] = [this.main.save(), this.rival?.save() ?? null];
    return { main, rival, pruned: this.#pruned, dragged: this.#dragged };
  }

  /** Become what was saved of such a pair. Throws where it is of another. @param {SavedPair} saved */
  restore({ main, rival, pruned, dragged }) {
    if ((this.rival !== null) !== (rival !== null)) throw new RangeError('It has another rival.');
    this.main.restore(main);
    if (rival) this.rival?.restore(rival);
    this.#pruned = pruned;
    this.#hold(dragged);
  }

  dispose() {
    this.main.dispose();
    this.rival?.dispose();
  }
}
