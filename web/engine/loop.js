/**
 * The pace of a run: how many steps are due when a frame is asked for, and the frame's content.
 * Time decides only the number of steps, never what a step does: every pace takes the same path.
 */

import { roundUp } from '../state/own.js';
import { CHEAP_CELLS } from './session.js';

/** @typedef {import('./protocol.js').Drift} Drift */

/** The time for training in a frame, in ms; the rest is for drawing. */
const BUDGET = 11;
/** The longest time to catch up on, in ms, after a pause of the screen. */
const LONGEST = 300;
/** While a grid with more cells than are cheap plays, extra passes over all wait for this, in ms. */
const INTERVAL = 250;
/** A grid is settled when no cell moves by this much per step. */
const STILL = 1e-7;

export class Loop {
  session;
  #speed = 0;
  #dueSteps = 0;
  #last = 0;
  /** The time of the last extra passes. */
  #passedAt = 0;
  #seenVersion = -1;
  /** @type {Float32Array} */
  #before;
  #stepBefore = 0;
  #isSettled = false;
  #isFinite = true;
  #selected = 0;
  /** @type {{ drift: Drift, drifted: Omit<Drift, 'audited'>, rival: (Drift & { loss: number }) | null }} */
  #drifts = {
    drift: { moved: 0, farthest: 0, audited: 0 },
    drifted: { moved: 0, farthest: 0 },
    rival: null,
  };
  /** @type {Float32Array | null} */
  #gradientOfFrame = null;
  isPlaying = false;
  /** The current replay. @type {import('./protocol.js').Replay | null} */
  replay = null;

  /** @param {import('./session.js').Session} session */
  constructor(session) {
    this.session = session;
    this.#before = session.main.values();
  }

  /** @param {number} speed steps per second; 0 is as fast as possible */
  play(speed) {
    this.#speed = speed;
    this.isPlaying = true;
    this.#last = performance.now();
  }

  pause() {
    this.isPlaying = false;
    this.#dueSteps = 0;
  }

  /** @param {number} steps */
  step(steps) {
    for (let i = 0; i < steps; i++) this.session.advance(1);
  }

  /** @param {number} index of the cell to report */
  select(index) {
    this.#selected = index;
    this.#passedAt = 0;
  }

  /** The gradient at the values of this frame, one for all who show it. */
  get #gradient() {
    this.#gradientOfFrame ??= this.session.main.gradient();
    return this.#gradientOfFrame;
  }

  /** @param {Float32Array} [old] filled again if its size is right */
  #arrayFor(old) {
    const { cells } = this.session;
    return old?.length === cells ? old : new Float32Array(cells);
  }

  #keepPace() {
    const now = performance.now();
    const elapsed = Math.min(LONGEST, now - this.#last);
    this.#last = now;
    this.#dueSteps = this.#speed ? this.#dueSteps + (elapsed / 1000) * this.#speed : Infinity;
    for (let size = 1; this.#dueSteps >= 1; ) {
      const began = performance.now();
      const steps = Math.min(size, Math.floor(this.#dueSteps));
      this.session.advance(steps);
      this.#dueSteps -= steps;
      const ended = performance.now();
      if (ended - now + (ended - began) > BUDGET) break;
      if (ended - began < 0.5) size *= 2;
    }
    // Steps that did not fit into the time are dropped.
    this.#dueSteps = Math.min(this.#dueSteps, 1);
  }

  /** @param {Float32Array} [reuse] values of an earlier frame @param {Float32Array} [reuseBeside] */
  frame(reuse, reuseBeside) {
    const session = this.session;
    const { main, rival, shadow, cells, version } = session;
    const began = performance.now();
    const before = session.step;
    if (this.isPlaying) this.#keepPace();
    // While a large grid plays, a frame shows the loss before its last step, which is known.
    const isHurried = cells > CHEAP_CELLS && session.step > before;
    const isNew = version !== this.#seenVersion;
    this.#seenVersion = version;
    const values = this.#arrayFor(reuse);
    main.elements.read(values);
    const loss = isHurried ? session.lastLoss : main.loss();
    const rivalLoss = rival?.loss() ?? Number.NaN;
    const isCheap = cells <= CHEAP_CELLS || !this.isPlaying;
    const isDue = isCheap || isNew || began - this.#passedAt > INTERVAL;
    this.#gradientOfFrame = null;
    const beside = this.#beside(reuseBeside);
    if (isDue) {
      this.#passedAt = began;
      this.#compare(values, loss, isNew);
      this.#drifts = {
        drift: main.drift(values),
        drifted: main.drifted(values),
        rival: rival && beside ? { ...rival.drift(beside.values), loss: rivalLoss } : null,
      };
    }
    const drift = this.#drifts.rival?.farthest ?? Number.NaN;
    const at = this.#selected;
    const { masked } = session;
    const hasLeak = main.isMasked || this.#drifts.drifted.moved > 0;
    const next = masked?.mask[at] && isDue ? masked.nextStep(at) : null;
    const trace = session.takeTrace();
    if (!isHurried) trace.push(session.step, loss, rivalLoss, drift);
    return {
      step: session.step,
      /** At the current values. */
      loss,
      values,
      beside,
      /** Repeated: step, loss, the rival's loss, its drift; NaN if there is none. */
      trace: Float64Array.from(trace),
      /** Null if they are the last frame's. */
      locks: isNew ? main.locks() : null,
      /** Null if not looked up for this frame. */
      cell: isDue ? { ...main.report(at, this.#gradient), next } : null,
      /** Under locks a proof: always 0. `drifted`: since cells were first held, by locks or a mask. */
      ...this.#drifts,
      isMasked: main.isMasked,
      sides: main.bounds.hasAny ? main.sides(this.#gradient) : main.sides(),
      ranges: main.bounds.list(),
      /** Of each cell that the run's or the rival's mask holds, else 0; null without a mask, and on large grids. */
      next: cells > CHEAP_CELLS ? null : (masked?.nextSteps() ?? null),
      /** What held cells were when they were held; null without a mask or its shadow, and on large grids. */
      held: (hasLeak || shadow) && cells <= CHEAP_CELLS ? main.heldValues() : null,
      /** The cells if a mask held them; null but in small scenes with the switch. */
      shadow: shadow && { values: shadow.values(), ...shadow.drift(shadow.values()) },
      readings: main.readings(),
      rivalReadings: rival?.readings() ?? null,
      isSettled: this.#isSettled,
      isFinite: this.#isFinite,
      /** True if a value that a person set made the loss infinite or NaN. */
      isTooLarge: !this.#isFinite && session.isTooLarge,
      isPlaying: this.isPlaying,
      replay: this.replay,
      engineTime: performance.now() - began,
    };
  }

  /** Returns a map and the range of its colours, or the rival's values and 0. @param {Float32Array} [reuse] */
  #beside(reuse) {
    const { main, rival } = this.session;
    const { beside } = this.session.view;
    if (beside === 'none') return null;
    const values = this.#arrayFor(reuse);
    if (rival) rival.elements.read(values);
    else if (beside === 'gradient') values.set(this.#gradient);
    else main.map(beside, values);
    return { values, reach: rival ? 0 : reachOfMap(values) };
  }

  /** Measures how far cells moved since the last frame. @param {Float32Array} values @param {number} loss @param {boolean} isNew */
  #compare(values, loss, isNew) {
    const steps = this.session.step - this.#stepBefore;
    let farthest = 0;
    let sum = 0;
    const before = this.#before;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      const moved = value - before[i];
      sum += value - value;
      if (moved > farthest) farthest = moved;
      else if (-moved > farthest) farthest = -moved;
    }
    if (isNew) this.#isSettled = false;
    else if (steps > 0) this.#isSettled = farthest / steps < STILL;
    this.#isFinite = sum === 0 && Number.isFinite(loss);
    before.set(values);
    this.#stepBefore = this.session.step;
  }
}

/** Returns the range of a map's colours: its largest number, rounded up. @param {Float32Array} values */
export function reachOfMap(values) {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const size = Math.abs(values[i]);
    if (size > most && size < Infinity) most = size;
  }
  return most < 1e-30 ? 1 : roundUp(most);
}
