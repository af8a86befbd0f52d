/** Drags of cells. A drag has its own holder and is one edit: undo restores the exact bits. */

import { WRITE } from '../state/history.js';

/** Returns a whole drag. @param {readonly number[]} cells @param {readonly number[]} values @returns {import('../state/history.js').Act[]} */
const dragTo = (cells, values) => [{ do: 'hold', cells }, { do: WRITE, values }, { do: 'release' }];

export class Drag {
  #app;
  /** The dragged cells, their values before, and the last values written. @type {{ cells: readonly number[], before: Promise<number[] | undefined>, now: readonly number[] | null } | null} */
  #dragged = null;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  get isOn() {
    return this.#dragged !== null;
  }

  /** Starts a drag: only the drag moves these cells now, whatever their locks. @param {readonly number[]} cells */
  hold(cells) {
    this.#app.player.continueFromPeek();
    this.#hold(cells);
    this.#app.player.resumeIfIdle();
  }

  /** @param {readonly number[]} cells */
  #hold(cells) {
    this.#dragged = { cells, before: this.#app.commands.do({ do: 'hold', cells }), now: null };
  }

  /** Writes the dragged cells. @param {readonly number[]} values one per cell */
  writeDragged(values) {
    if (!this.#dragged) return;
    this.#dragged.now = values;
    this.#app.commands.do({ do: WRITE, values });
  }

  async release() {
    const app = this.#app;
    const dragged = this.#dragged;
    this.#dragged = null;
    if (dragged) {
      const { cells, before, now } = dragged;
      const released = app.commands.do({ do: 'release' });
      if (now) {
        app.edits.push({
          // It has no values before if it was refused.
          undo: () => before.then((values) => !values || app.do(dragTo(cells, values))),
          redo: () => app.do(dragTo(cells, now)),
        });
      }
      await released;
    }
    app.views.draw();
    app.views.changed();
  }

  /** Writes cells at once, as one edit. It resumes no run that has paused itself. @param {readonly number[]} cells @param {readonly number[]} values one per cell */
  async write(cells, values) {
    await this.#app.player.continueFromPeek();
    this.#hold(cells);
    this.writeDragged(values);
    await this.release();
  }

  /** Drops the drag: the engine has ended it, as another run is open. */
  forget() {
    this.#dragged = null;
  }
}
