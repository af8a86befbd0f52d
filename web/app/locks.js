/**
 * A person's lock edits and their way to the engine. Small grids send each change. Large grids send
 * only the newest locks, whenever the engine is ready.
 */

import { MAX_DOM_SIDE } from 'gradlock/grid';
import { packMask } from '../state/codec.js';
import { isSame, LockEditor } from '../state/locks.js';

/** Cells above which a grid is large. */
const LARGE = 1 << 16;

export class Locks extends LockEditor {
  #app;
  /** The newest locks of the shown run, and the number of sent edits without an answer. */
  #sent = { run: 0, newest: this.mask, underWay: 0 };
  /** The locks that the scene opened with; null if a person has chosen others. @type {Uint8Array | null} */
  #sceneLocks = null;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    super(
      (mask, edit) => this.#change(mask, edit),
      () => {
        const { rows, cols, brush } = app.state;
        // Small grids have large cells: a brush is one cell.
        return Math.max(rows, cols) > MAX_DOM_SIDE ? brush : 1;
      },
    );
    this.#app = app;
  }

  /** True if the engine does not have the newest locks yet. */
  get isUnderWay() {
    return this.#sent.underWay > 0;
  }

  /** True if the locks are those that the scene opened with. */
  get areFromScene() {
    return this.#sceneLocks !== null && isSame(this.mask, this.#sceneLocks);
  }

  /** Takes the locks that a run opens with. @param {Uint8Array} mask @param {boolean} areFromScene by the scene */
  openRun(mask, areFromScene) {
    this.#sent = { run: this.#app.commands.run, newest: mask, underWay: 0 };
    this.#sceneLocks = areFromScene ? mask : null;
    this.open(this.#app.layout, mask);
  }

  /** @param {Uint8Array} mask @param {import('../state/locks.js').LockEdit | null} edit */
  async #change(mask, edit) {
    const app = this.#app;
    app.player.continueFromPeek();
    app.player.restartIdleTimer();
    app.state = { ...app.state, locks: mask };
    if (edit) {
      const set = (/** @type {Uint8Array} */ locks) => {
        this.adopt(locks);
        return this.#change(locks, null);
      };
      const bytes = 2 * mask.length;
      app.edits.push({ undo: () => set(edit.before), redo: () => set(edit.after), bytes });
      if (app.frame) app.views.mark(app.frame.step);
    }
    const way = this.#sent;
    way.newest = mask;
    const isLarge = mask.length > LARGE;
    // The edit that is under way will send it too.
    if (isLarge && way.underWay) return;
    app.views.draw();
    for (let sent = null; sent !== way.newest; ) {
      sent = way.newest;
      way.underWay++;
      await app.commands.do({ do: 'locks', mask: packMask(sent) }, undefined, way.run);
      way.underWay--;
      if (!isLarge) break;
    }
    app.views.changed();
  }
}
