/**
 * A person's edits of cells: locks, drags, values, bounds and pruning. One gesture is one edit,
 * however many cells it changes. Locks are a mask of all cells. Small grids send each change of
 * it; large grids send only the newest locks, whenever the engine is ready.
 */

import { isSameMask, packMask } from '../state/codec.js';
import { dragTo, WRITE } from '../state/history.js';

/** @typedef {import('../state/history.js').Act} Act */

/** Cells above which a grid is large. */
const LARGE = 1 << 16;

export class CellEdits {
  #app;
  /** The locks that a person sees and edits, 1 = locked. @type {Uint8Array} */
  mask = new Uint8Array(0);
  /** True if edits are accepted: not while another run is being opened. */
  isOpen = true;
  /** The locks before and after the last gesture, if it may continue. @type {{ before: Uint8Array, after: Uint8Array } | null} */
  #gesture = null;
  /** The newest locks of the shown run, and the number of sent edits without an answer. */
  #queue = { run: 0, newest: this.mask, pending: 0 };
  /** The locks that the scene opened with; null if a person has chosen others. @type {Uint8Array | null} */
  #sceneLocks = null;
  /** The drag: its cells, their values before, and the last values written. @type {{ cells: readonly number[], before: Promise<number[] | undefined>, now: readonly number[] | null } | null} */
  drag = null;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  /** True if the engine does not have the newest locks yet. */
  get isUnderWay() {
    return this.#queue.pending > 0;
  }

  /** True if the locks are those that the scene opened with. */
  get areFromScene() {
    return this.#sceneLocks !== null && isSameMask(this.mask, this.#sceneLocks);
  }

  /** Takes the locks that a run opens with. @param {Uint8Array} mask @param {boolean} areFromScene */
  openRun(mask, areFromScene) {
    this.#queue = { run: this.#app.commands.run, newest: mask, pending: 0 };
    this.#sceneLocks = areFromScene ? mask : null;
    this.drag = null;
    this.adopt(mask);
  }

  /** Takes locks that no gesture made: the engine's, or those before an edit. @param {Uint8Array} mask */
  adopt(mask) {
    this.#gesture = null;
    this.mask = mask;
  }

  /** @param {readonly number[]} cells @param {boolean} isLocking @param {boolean} [isContinued] true if it belongs to the edit before */
  lock(cells, isLocking, isContinued) {
    const mask = this.mask.slice();
    for (const cell of cells) mask[cell] = isLocking ? 1 : 0;
    this.#edit(mask, isContinued);
  }

  /** Frees cells in a row if all are locked; else locks them. @param {number} first @param {number} [count] */
  toggle(first, count = 1) {
    const cells = Array.from({ length: count }, (_, i) => first + i);
    this.lock(cells, !cells.every((cell) => this.mask[cell]));
  }

  /** @param {boolean} isLocking */
  lockAll(isLocking) {
    this.#edit(new Uint8Array(this.mask.length).fill(isLocking ? 1 : 0));
  }

  invert() {
    this.#edit(this.mask.map((bit) => 1 - bit));
  }

  /** @param {Uint8Array} mask @param {boolean} [isContinued] */
  #edit(mask, isContinued = false) {
    if (!isContinued) this.#gesture = null;
    if (!this.isOpen || isSameMask(mask, this.mask)) return;
    this.#app.runs.continueFromPeek();
    if (this.#gesture) {
      this.#gesture.after = mask;
    } else {
      const gesture = { before: this.mask, after: mask };
      this.#gesture = gesture;
      const take = (/** @type {Uint8Array} */ locks) => {
        this.#gesture = null;
        return this.#send(locks);
      };
      const { edits, frame, views } = this.#app;
      const [undo, redo] = [() => take(gesture.before), () => take(gesture.after)];
      edits.push({ undo, redo, bytes: 2 * mask.length });
      if (frame) views.mark(frame.step);
    }
    this.#send(mask);
  }

  /** @param {Uint8Array} mask */
  async #send(mask) {
    const app = this.#app;
    app.runs.still = 0;
    this.mask = mask;
    app.update({ type: 'locks', locks: mask });
    if (app.runs.isIdle || app.playsByItself) app.runs.play();
    const queue = this.#queue;
    queue.newest = mask;
    const isLarge = mask.length > LARGE;
    // The pending edit will send it too.
    if (isLarge && queue.pending) return;
    app.views.draw();
    for (let sent = null; sent !== queue.newest; ) {
      sent = queue.newest;
      queue.pending++;
      await app.commands.do({ do: 'locks', mask: packMask(sent) }, queue.run);
      queue.pending--;
      if (!isLarge) break;
    }
    app.views.changed();
  }

  /** Starts a drag, which has its own holder: only it moves these cells now, whatever their locks. @param {readonly number[]} cells */
  hold(cells) {
    const { runs } = this.#app;
    runs.continueFromPeek();
    this.#hold(cells);
    if (runs.isIdle) runs.play();
  }

  /** @param {readonly number[]} cells */
  #hold(cells) {
    this.drag = { cells, before: this.#app.commands.do({ do: 'hold', cells }), now: null };
  }

  /** Writes the dragged cells. @param {readonly number[]} values one per cell */
  writeDragged(values) {
    if (!this.drag) return;
    this.drag.now = values;
    this.#app.commands.do({ do: WRITE, values });
  }

  /** Sets cells as one edit. @param {readonly number[]} cells @param {(cell: number) => number} aim @param {boolean} [isPart] of the edit before */
  #set(cells, aim, isPart) {
    this.#hold(cells);
    this.writeDragged(cells.map(aim));
    return this.release(isPart);
  }

  /** @param {boolean} [isPart] true if it belongs to the edit before */
  async release(isPart) {
    const { commands, edits, views } = this.#app;
    const drag = this.drag;
    this.drag = null;
    if (drag) {
      const { cells, before, now } = drag;
      const released = commands.do({ do: 'release' });
      if (now) {
        edits.push({
          isPart,
          // It has no values before if it was refused.
          undo: () => before.then((values) => !values || this.do(dragTo(cells, values))),
          redo: () => this.do(dragTo(cells, now)),
        });
      }
      await released;
    }
    views.draw();
    views.changed();
  }

  /** Does acts at once. @param {Act[]} acts @returns {Promise<boolean>} false if the library refuses one */
  async do(acts) {
    const { commands, step, views } = this.#app;
    const done = await Promise.all(acts.map((act) => commands.do(act)));
    if (done.includes(undefined)) return false;
    if (acts[0].do === 'prune' || acts[0].do === 'unprune') views.mark(step);
    views.changed();
    return true;
  }

  /** Does acts as one edit, also of an earlier step that is shown. @param {Act[]} acts @param {Act[]} back */
  async #doAndUndo(acts, back) {
    const { commands, edits, runs, views } = this.#app;
    runs.continueFromPeek();
    const { run } = commands;
    if ((await this.do(acts)) && run === commands.run) {
      edits.push({ undo: () => this.do(back), redo: () => this.do(acts) });
    }
    views.draw();
  }

  /** @param {number} fraction of each variable's cells: the smallest are pruned */
  async prune(fraction) {
    if (this.isOpen) await this.#doAndUndo([{ do: 'prune', fraction }], [{ do: 'unprune' }]);
  }

  /** @param {number} index @param {number} value */
  assign(index, value) {
    const before = this.#app.shown?.values[index] ?? 0;
    const back = /** @type {const} */ ({ do: 'assign', index, value: before });
    return this.#doAndUndo([{ ...back, value }], [back]);
  }

  /** Keeps a cell within a range; null: no end there. @param {number} index @param {number | null} min @param {number | null} max */
  bound(index, min, max) {
    const { frame } = this.#app;
    const value = frame?.values[index] ?? 0;
    const isIn =
      (min === null || value >= Math.fround(min)) && (max === null || value <= Math.fround(max));
    const [, low, high] = frame?.ranges?.find(([cell]) => cell === index) ?? [0, null, null];
    const act = /** @type {const} */ ({ do: 'bound', index, min, max });
    const back = { ...act, min: low, max: high };
    return this.#doAndUndo([act], isIn ? [back] : [back, { do: 'assign', index, value }]);
  }

  /** Sets the 4 × 4 cells in the middle, and locks them there. @param {number} value */
  async raise(value) {
    const { rows, cols } = this.#app.state;
    const first = (rows / 2 - 2) * cols + cols / 2 - 2;
    const cells = Array.from({ length: 16 }, (_, i) => first + (i >> 2) * cols + (i % 4));
    await this.#app.runs.continueFromPeek();
    const isPart = cells.some((cell) => !this.mask[cell]);
    this.lock(cells, true);
    await this.#set(cells, () => value, isPart);
  }

  /** Moves the free cells to where the fit ended, as one edit. It resumes no run that has paused itself. */
  async takeFit() {
    const { fit, runs } = this.#app;
    if (!fit || fit.refusal) return;
    const cells = fit.cells.flatMap((_, i) => (this.mask[i] ? [] : [i]));
    if (cells.length === 0) return;
    await runs.continueFromPeek();
    await this.#set(cells, (cell) => fit.cells[cell]);
  }
}
