/**
 * A run with its history, and beside it, when asked for, a rival: the same start and the same locks, held by a mask on
 * the gradient or trained by another optimizer.
 *
 * The history is what was done and at which step. Since every step gives the same bits each time, it is all that a
 * link needs to hold, and going back is replaying it.
 */

import { layoutOf } from '../scenes/layout.js';
import { packMask, unpackMask } from '../state/codec.js';
import { Run } from './run.js';
import { Snapshots } from './snapshots.js';

/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('../state/history.js').Event} Event */
/** @typedef {import('../state/state.js').Beside} Beside */
/** @typedef {{ beside: Beside, rival: OptimizerSettings }} Look */

/** Points of a replayed run that the chart gets. */
const REPLAY_POINTS = 400;

export class Session {
  #g;
  #problem;
  /** @type {Run} */
  main;
  /** @type {Run | null} */
  rival = null;
  #base;
  /** @type {Event[]} */
  events;
  #look;
  snapshots;
  /** Step, loss, the rival's loss, and how far its locked cells have gone, again and again. @type {number[]} */
  #trace = [];
  locksVersion = 0;
  /** Of the last step taken, as it was before it. */
  lastLoss = Number.NaN;
  /** Changes whenever something else than a step has. */
  version = 0;

  /**
   * @param {Gradlock} g
   * @param {import('../scenes/scene.js').Scene} scene
   * @param {import('../scenes/scene.js').Setup} setup
   * @param {{ optimizer: OptimizerSettings, locks: Uint8Array | null, events: Event[], look: Look }} recipe
   */
  constructor(g, scene, setup, { optimizer, locks, events, look }) {
    this.#g = g;
    this.#problem = {
      scene,
      setup,
      layout: layoutOf(scene, setup),
      start: scene.start(setup),
      target: scene.target?.(setup) ?? null,
    };
    this.#base = { optimizer, locks: locks ?? scene.locks(setup) };
    this.events = events;
    this.#look = look;
    this.main = new Run(g, this.#problem, optimizer, false);
    this.snapshots = new Snapshots(this.cells);
    this.#makeRival();
  }

  get problem() {
    return this.#problem;
  }

  get cells() {
    return this.main.cells;
  }

  get step() {
    return this.main.step;
  }

  get warm() {
    return this.#problem.scene.warm ?? 0;
  }

  get beside() {
    return this.#look.beside;
  }

  #makeRival() {
    this.rival?.dispose();
    const { beside, rival } = this.#look;
    const isRival = beside === 'mask' || beside === 'rule';
    const settings = beside === 'rule' ? rival : this.#base.optimizer;
    this.rival = isRival ? new Run(this.#g, this.#problem, settings, beside === 'mask') : null;
  }

  /** Start again and do all that was done, up to a step. @param {number} step */
  replay(step) {
    this.main.settings = this.#base.optimizer;
    this.main.begin(this.#base.locks);
    if (this.rival) {
      this.rival.settings = this.#look.beside === 'rule' ? this.#look.rival : this.#base.optimizer;
      this.rival.begin(this.#base.locks);
    }
    this.#trace = [];
    this.snapshots.clear();
    this.note();
    const stride = Math.max(1, Math.ceil(step / REPLAY_POINTS));
    const to = (/** @type {number} */ end) => {
      while (this.step < end) this.advance(Math.min(stride, end - this.step));
    };
    for (const event of this.events) {
      if (event.step > step) break;
      to(event.step);
      this.#apply(event);
    }
    to(step);
    this.locksVersion++;
    this.version++;
  }

  /** @param {number} steps */
  advance(steps) {
    const before = this.step;
    const loss = this.main.advance(steps);
    this.lastLoss = loss;
    const rivalLoss = this.rival?.advance(steps) ?? Number.NaN;
    this.#trace.push(before + steps - 1, loss, rivalLoss, Number.NaN);
    this.note();
  }

  /** Take down where the run is, for looking back and for the chart. */
  note() {
    const { step } = this;
    if (!this.snapshots.wants(step)) return;
    const loss = this.main.loss();
    this.#trace.push(step, loss, this.rival?.loss() ?? Number.NaN, this.#rivalDrift());
    this.snapshots.keep({ step, loss, values: this.main.values(), mask: this.main.mask });
  }

  #rivalDrift() {
    return this.rival ? this.rival.drift(this.rival.values()).farthest : Number.NaN;
  }

  /** @returns {number[]} what is new since the last time */
  takeTrace() {
    const trace = this.#trace;
    this.#trace = [];
    return trace;
  }

  /** @param {Event} event */
  #apply(event) {
    const { main, rival } = this;
    switch (event.do) {
      case 'locks': {
        const mask = /** @type {Uint8Array} */ (unpackMask(event.mask, this.cells));
        main.setLocks(mask);
        rival?.setLocks(mask);
        break;
      }
      case 'optimizer':
        main.setOptimizer(event.settings);
        if (this.#look.beside === 'mask') rival?.setOptimizer(event.settings);
        break;
      case 'assign':
        main.assign(event.index, event.value);
        rival?.assign(event.index, event.value);
        break;
      case 'prune': {
        const mask = main.prune(event.fraction);
        rival?.holdAtZero(mask);
      }
    }
    this.locksVersion++;
    this.version++;
  }

  /** Do something now, and remember it. What the library refuses is not remembered. @param {Event} event */
  do(event) {
    this.#apply(event);
    const last = this.events.at(-1);
    const isAtStart = this.step === this.warm && this.events.length === 0;
    if (isAtStart && event.do === 'locks') this.#base.locks = this.main.mask;
    else if (isAtStart && !this.warm && event.do === 'optimizer')
      this.#base.optimizer = event.settings;
    else if (last && replaces(event, last)) this.events[this.events.length - 1] = event;
    else this.events.push(event);
    this.snapshots.cut(this.step - 1);
    this.note();
  }

  /** Back to the start; the locks and the settings stay. @param {OptimizerSettings} [optimizer] */
  reset(optimizer = this.main.settings) {
    this.#base = { optimizer, locks: this.main.mask };
    this.events = [];
    this.replay(this.warm);
  }

  /** Back to an earlier step, as it was then. @param {number} step */
  rewind(step) {
    this.events = this.events.filter((event) => event.step <= step);
    this.replay(Math.max(this.warm, step));
  }

  /** What is shown beside the cells. @param {Look} look @returns {boolean} whether the run was replayed for it */
  look(look) {
    const had = this.rival !== null;
    this.#look = look;
    this.#makeRival();
    this.version++;
    if (!this.rival && !had) return false;
    this.replay(this.step);
    return true;
  }

  /** What it takes to get here again. @returns {import('./protocol.js').Recipe} */
  recipe() {
    const { optimizer, locks } = this.#base;
    const { scene, setup } = this.#problem;
    const usual = scene.locks(setup);
    const isUsual = locks.every((bit, i) => bit === usual[i]);
    return { optimizer, locks: isUsual ? null : locks, events: this.events, step: this.step };
  }

  dispose() {
    this.main.dispose();
    this.rival?.dispose();
  }
}

/** Whether an event undoes all that the one before it did. @param {Event} event @param {Event} last */
function replaces(event, last) {
  if (event.step !== last.step || event.do !== last.do) return false;
  if (event.do === 'assign') return last.do === 'assign' && event.index === last.index;
  if (event.do === 'optimizer') {
    return last.do === 'optimizer' && event.settings.rule === last.settings.rule;
  }
  return event.do === 'locks';
}

/** The steps at which locks changed. @param {Event[]} events */
export const marksOf = (events) =>
  events.filter((event) => event.do === 'locks' || event.do === 'prune').map(({ step }) => step);

/** @param {Uint8Array} mask @param {number} step @returns {Event} */
export const locksEvent = (mask, step) => ({ do: 'locks', step, mask: packMask(mask) });
