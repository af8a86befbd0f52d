/**
 * The pace of a run: how many steps are due when a frame is asked for, and what the frame says.
 * Time decides only how many steps are taken by now, never what a step does, so any pace walks the same path.
 */

/** @typedef {import('./protocol.js').Frame} Frame */
/** @typedef {import('./run.js').Run} Run */

/** Training may take this long per frame, in ms; the rest is for drawing. */
const BUDGET = 11;
/** Time for which steps are owed at most, in ms: after a pause of the screen there is no rush to catch up. */
const LONGEST = 300;
/** Looking a cell up reads all of the optimizer's memory: above this many cells it is done less often. */
const CHEAP_CELLS = 4096;
const LOOK_UP_EVERY = 120;
/** A grid is settled when no cell moves by this much per step. */
const STILL = 1e-7;

export class Loop {
  #run;
  #speed = 0;
  #owed = 0;
  #last = 0;
  #lookedUp = 0;
  #sentVersion = -1;
  /** @type {number[]} */
  #trace = [];
  /** @type {Float32Array} */
  #before;
  #stepBefore = 0;
  #isSettled = false;
  #selected = 0;
  isPlaying = false;

  /** @param {Run} run */
  constructor(run) {
    this.#run = run;
    this.#before = new Float32Array(run.cells);
    run.read(this.#before);
  }

  /** @param {number} speed steps per second; 0 is as fast as it goes */
  play(speed) {
    this.#speed = speed;
    this.isPlaying = true;
    this.#last = performance.now();
  }

  pause() {
    this.isPlaying = false;
    this.#owed = 0;
  }

  /** @param {number} steps */
  step(steps) {
    for (let i = 0; i < steps; i++) this.#advance(1);
  }

  reset() {
    this.pause();
    this.#run.reset();
    this.#trace = [];
    this.touch();
  }

  /** @param {number} index of the cell to report */
  select(index) {
    this.#selected = index;
    this.#lookedUp = 0;
  }

  /** Something other than a step has changed what is trained, or how. */
  touch() {
    this.#isSettled = false;
    this.#lookedUp = 0;
  }

  /** Take the steps that are due by now. */
  #keepPace() {
    const now = performance.now();
    const elapsed = Math.min(LONGEST, now - this.#last);
    this.#last = now;
    this.#owed = this.#speed ? this.#owed + (elapsed / 1000) * this.#speed : Infinity;
    for (let size = 1; this.#owed >= 1; ) {
      const began = performance.now();
      const steps = Math.min(size, Math.floor(this.#owed));
      this.#advance(steps);
      this.#owed -= steps;
      const ended = performance.now();
      if (ended - now + (ended - began) > BUDGET) break;
      if (ended - began < 0.5) size *= 2;
    }
    // What could not be done in time is not owed for ever.
    this.#owed = Math.min(this.#owed, 1);
  }

  /** @param {number} steps */
  #advance(steps) {
    const loss = this.#run.advance(steps);
    this.#trace.push(this.#run.step - 1, loss);
  }

  /**
   * @param {Float32Array | undefined} reuse values of a frame before
   * @returns {Frame}
   */
  frame(reuse) {
    const run = this.#run;
    if (this.isPlaying) this.#keepPace();
    const values = reuse?.length === run.cells ? reuse : new Float32Array(run.cells);
    run.read(values);
    const loss = run.loss();
    const hasOnlyNumbers = this.#compare(values) && Number.isFinite(loss);
    const version = run.locksVersion;
    const locks = version === this.#sentVersion ? null : run.locks();
    this.#sentVersion = version;
    const trace = Float64Array.from([...this.#trace, run.step, loss]);
    this.#trace = [];
    return {
      step: run.step,
      loss,
      values,
      trace,
      locks,
      cell: this.#lookUp(),
      lockedMoved: run.lockedMoved(),
      isSettled: this.#isSettled,
      isFinite: hasOnlyNumbers,
    };
  }

  #lookUp() {
    const now = performance.now();
    const isCheap = this.#run.cells <= CHEAP_CELLS || !this.isPlaying;
    if (!isCheap && now - this.#lookedUp < LOOK_UP_EVERY) return null;
    this.#lookedUp = now;
    return this.#run.report(this.#selected);
  }

  /** See how far cells went since the frame before. @param {Float32Array} values @returns {boolean} whether all are finite */
  #compare(values) {
    const steps = this.#run.step - this.#stepBefore;
    let farthest = 0;
    let sum = 0;
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      sum += value - value;
      farthest = Math.max(farthest, Math.abs(value - this.#before[i]));
    }
    if (steps > 0) this.#isSettled = farthest / steps < STILL;
    this.#before.set(values);
    this.#stepBefore = this.#run.step;
    return sum === 0;
  }
}
