/**
 * A run with its history: each event and its step. Every step gives the same bits each time, so a
 * link needs nothing else. Snapshots of some steps allow a quick rewind. On request it has a rival:
 * a second run with the same start, locks and events, which holds its cells by a mask on the
 * gradient, or trains by another optimizer.
 */

import { unpackMask } from '../state/codec.js';
import { isAct, MAX_EVENTS, WRITE } from '../state/history.js';
import { hasRival, setupOf } from '../state/state.js';
import { makeProblem } from './problem.js';
import { Run } from './run.js';
import { Snapshots } from './snapshots.js';

/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('../state/history.js').Event} Event */
/** @typedef {{ beside: import('../state/state.js').Beside, rival: OptimizerSettings }} View */

/** The exact state of a run and its rival. @typedef {ReturnType<Session['checkpoint']>} Checkpoint */
/** A pruning: its cells, and their values before. @typedef {{ cells: Uint8Array, main: Float32Array, rival: Float32Array | null }} Pruned */

/** The time of a replay's slice, in ms: between two slices the worker may handle messages. */
const SLICE = 12;

/** The most cells for passes over all that are no part of training. */
export const CHEAP_CELLS = 4096;

/** Values that a person set and that made the loss infinite or NaN. @type {WeakSet<Event>} */
const tooLarge = new WeakSet();

export class Session {
  #g;
  problem;
  /** @type {Run} */
  main;
  /** @type {Run | null} */
  rival = null;
  /** The start. */
  #base;
  /** The prunings that were not undone. @type {readonly Pruned[]} */
  #pruned = [];
  /** @type {Event[]} */
  events;
  /** The number of events done. */
  #done = 0;
  view;
  snapshots = new Snapshots();
  /** A small run with the switch, but with a mask in place of locks, since it had some or was restored. @type {Run | null} */
  shadow = null;
  /** Repeated: step, loss, the rival's loss, and its locked cells' drift. @type {number[]} */
  #trace = [];
  /** The loss before the last step. */
  lastLoss = Number.NaN;
  /** Changes with everything but steps. */
  version = 0;

  /** @param {import('../scenes/scene.js').Gradlock} g @param {import('../scenes/scene.js').Scene} scene that is ready @param {import('../state/state.js').State} state */
  constructor(g, scene, state) {
    const { optimizer, locks, zeros, events, beside, rival } = state;
    const setup = setupOf(state);
    this.#g = g;
    this.problem = makeProblem(g, scene, setup);
    this.#base = { optimizer, locks: locks ?? scene.locks(setup), zeros };
    this.events = events;
    this.view = /** @type {View} */ ({ beside, rival });
    this.main = new Run(g, this.problem, optimizer, false);
    this.#makeRival();
  }

  /** Makes another rival, or none. It starts at the run's start. */
  #makeRival() {
    this.rival?.dispose();
    const { beside, rival } = this.view;
    const isMasked = beside === 'mask';
    this.rival = hasRival(this.view)
      ? new Run(this.#g, this.problem, isMasked ? this.#base.optimizer : rival, isMasked)
      : null;
  }

  /** Makes the shadow what the run is now, but for its mask. */
  #cast() {
    const { main, problem, cells } = this;
    const isSmall = problem.scene.hasSwitch && cells <= CHEAP_CELLS;
    if (!isSmall || main.isMasked || !main.mask.includes(1)) {
      this.shadow?.dispose();
      this.shadow = null;
      return;
    }
    this.shadow ??= new Run(this.#g, problem, main.settings, false);
    this.shadow.restore(main.save(), []);
    this.shadow.switchTo('mask');
  }

  /** The runs, and the shadow. */
  get #all() {
    return this.shadow ? [...this.#runs, this.shadow] : this.#runs;
  }

  get #runs() {
    return this.rival ? [this.main, this.rival] : [this.main];
  }

  /** The run that holds its cells by a mask; null if there is none. */
  get masked() {
    return this.#runs.find((run) => run.isMasked) ?? null;
  }

  get cells() {
    return this.main.cells;
  }

  get step() {
    return this.main.step;
  }

  get warm() {
    return this.problem.scene.warm ?? 0;
  }

  /** Does at once what `replayInSlices` does in slices. @param {number} step */
  replay(step) {
    for (const _ of this.replayInSlices(step));
  }

  /** Restarts and replays all events up to a step, in slices. @param {number} step */
  *replayInSlices(step) {
    const { optimizer, locks, zeros } = this.#base;
    this.#pruned = [];
    this.#hold([]);
    for (const run of this.#runs) {
      const isOther = run === this.rival && this.view.beside === 'rule';
      run.settings = isOther ? this.view.rival : optimizer;
      run.begin(locks, zeros);
    }
    this.#cast();
    this.snapshots = new Snapshots();
    this.#trace = [];
    this.#done = 0;
    this.record();
    yield* this.replayRemaining(step);
  }

  /** Replays the remaining events up to a step. @param {number} step */
  *replayRemaining(step) {
    this.version++;
    for (; this.#done < this.events.length; ) {
      const event = this.events[this.#done];
      if (event.step > step) break;
      yield* this.#advanceTo(event.step);
      this.#apply(event);
      this.#done++;
      this.record();
    }
    yield* this.#advanceTo(step);
    this.version++;
  }

  /** Takes few steps at first, then as many as fit into a slice. @param {number} end */
  *#advanceTo(end) {
    for (let size = 1; this.step < end; ) {
      const began = performance.now();
      this.#advance(Math.min(size, end - this.step));
      this.record();
      const took = performance.now() - began;
      if (took < SLICE / 3) size *= 2;
      else if (took > SLICE) size = Math.max(1, size >> 1);
      yield;
    }
  }

  /** Opens the run of a link or a file, or this one again with another rival. @param {number} step @param {Checkpoint | null} [checkpoint] to continue from, if it fits */
  *open(step, checkpoint) {
    const end = Math.max(step, this.warm);
    if (!checkpoint || !this.#resume(checkpoint)) yield* this.replayInSlices(end);
    else yield* this.replayRemaining(end);
    this.stop();
  }

  /** Ends a replay, complete or not: the events after it are removed, and a drag ends, as in all runs that were left. */
  stop() {
    this.events = this.events.slice(0, this.#done);
    this.do({ do: 'release' });
  }

  /** @param {number} steps */
  #advance(steps) {
    this.lastLoss = this.main.advance(steps);
    this.shadow?.advance(steps);
    return this.rival?.advance(steps) ?? Number.NaN;
  }

  /** @param {number} steps */
  advance(steps) {
    const before = this.step;
    const rivalLoss = this.#advance(steps);
    this.#trace.push(before + steps - 1, this.lastLoss, rivalLoss, Number.NaN);
    this.record();
  }

  /** Records a snapshot of this step, and a point of the chart. */
  record() {
    if (!this.snapshots.wants(this.step)) return;
    const kept = this.#now();
    this.#trace.push(kept.step, kept.loss, kept.rivalLoss, kept.drift);
    this.snapshots.keep(kept);
  }

  /** @returns {import('./snapshots.js').Kept} */
  #now() {
    const { main, rival, step } = this;
    return {
      step,
      loss: main.loss(),
      rivalLoss: rival?.loss() ?? Number.NaN,
      drift: rival ? rival.drift(rival.values()).farthest : Number.NaN,
      values: main.values(),
      ...this.checkpoint(),
    };
  }

  /** @returns {number[]} the new part since the last call */
  takeTrace() {
    const trace = this.#trace;
    this.#trace = [];
    return trace;
  }

  /** Does valid acts (state/history.js). They throw, and change nothing, if the library refuses. @type {{ [What in Event['do']]: (event: Event & { do: What }) => void }} */
  #acts = {
    locks: ({ mask }) => {
      const locks = /** @type {Uint8Array} */ (unpackMask(mask, this.cells));
      for (const run of this.#all) run.setLocks(locks);
    },
    optimizer: ({ settings }) => {
      this.main.setOptimizer(settings);
      this.shadow?.setOptimizer(settings);
      if (this.view.beside === 'mask') this.rival?.setOptimizer(settings);
    },
    assign: (event) => {
      for (const run of this.#all) run.assign(event.index, event.value);
      if (!Number.isFinite(this.main.loss())) tooLarge.add(event);
    },
    prune: ({ fraction }) => {
      const { main, rival } = this;
      const { mask } = main;
      const before = { main: main.values(), rival: rival?.values() ?? null };
      const after = main.prune(fraction);
      rival?.holdAtZero(after);
      const cells = after.map((bit, i) => bit & (1 - mask[i]));
      this.#pruned = [...this.#pruned, { ...before, cells }];
    },
    unprune: () => {
      const pruned = this.#pruned.at(-1);
      if (!pruned) throw new RangeError('There is no pruning to undo.');
      this.#pruned = this.#pruned.slice(0, -1);
      this.main.undoPrune(pruned.cells, pruned.main);
      this.rival?.undoPrune(pruned.cells, pruned.rival ?? pruned.main);
    },
    hold: ({ cells }) => this.#hold(cells),
    release: () => this.#hold([]),
    [WRITE]: ({ values }) => {
      for (const run of this.#all) run.writeDragged(values);
    },
    bound: ({ index, min, max }) => {
      for (const run of this.#all) run.bound(index, min, max);
    },
    switch: ({ to }) => this.main.switchTo(to),
  };

  /** @param {Event} event */
  #apply(event) {
    const act = /** @type {(event: Event) => void} */ (this.#acts[event.do]);
    act(event);
    const isAnother = ['switch', 'prune', 'unprune'].includes(event.do);
    if (!this.shadow || isAnother || !this.main.mask.includes(1)) this.#cast();
    this.version++;
    // A snapshot of this step is out of date.
    this.snapshots.cut(this.step - 1);
  }

  /** @param {readonly number[]} cells */
  #hold(cells) {
    for (const run of this.#all) run.hold(cells);
  }

  /** Returns the pruned cells that are still 0 and locked. @param {Uint8Array | null} before cells that were 0 at the start @returns {Uint8Array | null} null if there are none */
  #zeros(before) {
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

  /** True if the last value that a person set was too large for the loss. */
  get isTooLarge() {
    const last = this.events.slice(0, this.#done).findLast((event) => event.do === 'assign');
    return last !== undefined && tooLarge.has(last);
  }

  /** Does an act now and records it, unless the library refuses it. @param {import('../state/history.js').Act} act */
  do(act) {
    const dragged = this.main.dragged.length;
    if (act.do === 'release' && dragged === 0) return;
    const event = { ...act, step: this.step };
    const last = this.events.at(-1);
    // Links and files have this limit; the last event is for the end of a drag.
    if (this.events.length >= MAX_EVENTS - 1 && event.do !== 'release') {
      // The page, which has sent locks, is told that they did not change.
      this.version++;
      const most = MAX_EVENTS.toLocaleString('en');
      throw new RangeError(`a run keeps ${most} edits at most; reset it, or open it anew`);
    }
    if (!isAct(act, this.cells, dragged)) throw new RangeError('This run has no such edit.');
    this.#apply(event);
    const isAtStart = this.isUntouched;
    const { mask: locks, settings: optimizer } = this.main;
    if (isAtStart && event.do === 'locks') this.#base = { ...this.#base, locks };
    else if (isAtStart && !this.warm && event.do === 'optimizer')
      this.#base = { ...this.#base, optimizer };
    else if (last && replaces(event, last)) this.events = [...this.events.slice(0, -1), event];
    else this.events = [...this.events, event];
    this.#done = this.events.length;
    this.record();
  }

  /** True if leaving this run would lose nothing. */
  get isUntouched() {
    return this.step === this.warm && this.events.length === 0;
  }

  /**
   * Goes back to the start. Locks and settings stay, pruned cells stay 0, and locked cells that were
   * dragged before the first step keep their values.
   * @param {OptimizerSettings} [optimizer]
   */
  reset(optimizer = this.main.settings) {
    const { main, warm } = this;
    this.#base = { optimizer, locks: main.mask, zeros: this.#zeros(this.#base.zeros) };
    const ranges = this.events.filter((event) => event.do === 'bound');
    this.events = draggedAtStart(this.events, main.mask, warm);
    // The last range of each cell stays.
    for (const [i, range] of ranges.entries()) {
      if (ranges.slice(i + 1).some(({ index }) => index === range.index)) continue;
      if (range.min !== null || range.max !== null) this.events.push({ ...range, step: warm });
    }
    if (main.isMasked) this.events.push({ do: 'switch', to: 'mask', step: warm });
    this.replay(warm);
  }

  /** Goes back to an earlier step, as far as it was kept. @param {number} step */
  rewind(step) {
    const kept = this.snapshots.at(step);
    this.snapshots.cut(kept.step);
    this.#restore(kept);
    this.#trace = this.snapshots.trace();
    this.stop();
  }

  /** Throws if it is of another run. @param {Checkpoint} kept */
  #restore(kept) {
    const { main, rival, pruned, dragged, events } = kept;
    if ((this.rival !== null) !== (rival !== null)) throw new RangeError('It has another rival.');
    const ranges = this.events.slice(0, events).filter((event) => event.do === 'bound');
    this.main.restore(main, ranges);
    if (rival) this.rival?.restore(rival, ranges);
    this.#pruned = pruned;
    this.#hold(dragged);
    this.#done = events;
    this.#cast();
    this.version++;
  }

  /** Returns the complete run but its setup and view, for the run cache. */
  toCache() {
    const snapshots = this.snapshots.copy();
    return { base: this.#base, events: this.events, snapshots, now: this.#now() };
  }

  /** Continues a run from the run cache. @param {ReturnType<Session['toCache']>} run of this scene, setup and view */
  fromCache({ base, events, snapshots, now }) {
    this.#base = base;
    this.events = events;
    this.snapshots = snapshots;
    this.#restore(now);
    this.#trace = snapshots.trace();
    this.do({ do: 'release' });
  }

  /** Continues from a file's state of this run. @param {Checkpoint} checkpoint @returns {boolean} true if it fits */
  #resume(checkpoint) {
    if (checkpoint.events > this.events.length) return false;
    this.replay(this.warm);
    try {
      this.#restore(checkpoint);
    } catch {
      return false;
    }
    this.record();
    return true;
  }

  checkpoint() {
    const [main, rival] = [this.main.save(), this.rival?.save() ?? null];
    return { main, rival, pruned: this.#pruned, dragged: this.main.dragged, events: this.#done };
  }

  /** Changes what is shown beside the cells. @param {View} view @returns {boolean} true if the run has to be replayed for it */
  setView(view) {
    this.view = view;
    this.#makeRival();
    this.version++;
    if (!this.rival) this.snapshots.forgetRival();
    return this.rival !== null;
  }

  /** Returns all that is needed to replay this run: `optimizer` and `locks` are those at the start, null the scene's own. */
  recipe() {
    const { optimizer, locks, zeros } = this.#base;
    const { scene, setup } = this.problem;
    const usual = scene.locks(setup);
    const isUsual = locks.every((bit, i) => bit === usual[i]);
    const { events, step } = this;
    return { optimizer, locks: isUsual ? null : locks, zeros, events, step };
  }

  /** Sets a figure's input for the readings; training does not use it. @param {string} name @param {Float32Array} values */
  tell(name, values) {
    this.problem.inputs[name].assign(values);
  }

  dispose() {
    for (const run of this.#all) run.dispose();
    for (const input of Object.values(this.problem.inputs)) input.dispose();
  }
}

/** Returns true if an event makes the last one needless. @param {Event} event @param {Event} last */
function replaces(event, last) {
  if (event.step !== last.step || event.do !== last.do) return false;
  if ('index' in event && 'index' in last) return event.index === last.index;
  if ('settings' in event && 'settings' in last) return event.settings.rule === last.settings.rule;
  return event.do === 'locks' || event.do === WRITE;
}

/** Returns the first drag of a run, if it came before the first step, and all its cells are locked. @param {Event[]} events @param {Uint8Array} mask @param {number} start @returns {Event[]} */
function draggedAtStart(events, mask, start) {
  const [hold, write, release] = events;
  const isDrag = hold?.do === 'hold' && write?.do === WRITE && release?.do === 'release';
  if (!isDrag || release.step > start) return [];
  return hold.cells.every((cell) => mask[cell]) ? [hold, write, release] : [];
}

/** Returns the steps at which locks changed. @param {Event[]} events */
export const marksOf = (events) =>
  events
    .filter(({ do: what }) => ['locks', 'prune', 'unprune', 'switch'].includes(what))
    .map(({ step }) => step);
