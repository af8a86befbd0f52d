/**
 * A person's lock edits and their way to the engine. Small grids send each change. Large grids send
 * only the newest locks, whenever the engine is ready.
 */

import { packMask } from '../state/codec.js';
import { isSame, LockEditor } from '../state/locks.js';

/** Cells above which a grid is large. */
const LARGE = 1 << 16;

export class Locks extends LockEditor {
  #app;
  /** The newest locks of the shown run, and the number of sent edits without an answer. */
  #queue = { run: 0, newest: this.mask, pending: 0 };
  /** The locks that the scene opened with; null if a person has chosen others. @type {Uint8Array | null} */
  #sceneLocks = null;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    super((mask, edit) => this.#change(mask, edit));
    this.#app = app;
  }

  /** True if the engine does not have the newest locks yet. */
  get isUnderWay() {
    return this.#queue.pending > 0;
  }

  /** True if the locks are those that the scene opened with. */
  get areFromScene() {
    return this.#sceneLocks !== null && isSame(this.mask, this.#sceneLocks);
  }

  /** Takes the locks that a run opens with. @param {Uint8Array} mask @param {boolean} areFromScene by the scene */
  openRun(mask, areFromScene) {
    this.#queue = { run: this.#app.commands.run, newest: mask, pending: 0 };
    this.#sceneLocks = areFromScene ? mask : null;
    this.adopt(mask);
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
}
