/** Drags of cells. A drag has its own holder and is one edit: undo restores the exact bits. */

import { WRITE } from '../state/history.js';

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
    const { commands, player } = this.#app;
    player.continueFromPeek();
    this.#dragged = { cells, before: commands.do({ do: 'hold', cells }), now: null };
    player.resumeIfIdle();
  }

  /** Writes the dragged cells. @param {readonly number[]} values one per cell */
  writeDragged(values) {
    if (!this.#dragged) return;
    this.#dragged.now = values;
    this.#app.commands.do({ do: WRITE, values });
  }

  async release() {
    const { commands, views } = this.#app;
    const dragged = this.#dragged;
    this.#dragged = null;
    if (dragged) {
      const { cells, before, now } = dragged;
      const released = commands.do({ do: 'release' });
      if (now) {
        this.#app.edits.push({
          undo: async () => this.#write(cells, await before),
          redo: () => this.#write(cells, now),
        });
      }
      await released;
    }
    views.draw();
    views.changed();
  }

  /** Writes cells at once, as one edit. It resumes no run that has paused itself. @param {readonly number[]} cells @param {readonly number[]} values one per cell */
  async write(cells, values) {
    const { commands, edits, player, views } = this.#app;
    await player.continueFromPeek();
    const before = commands.do({ do: 'hold', cells });
    commands.do({ do: WRITE, values });
    const released = commands.do({ do: 'release' });
    edits.push({
      undo: async () => this.#write(cells, await before),
      redo: () => this.#write(cells, values),
    });
    await released;
    views.draw();
    views.changed();
  }

  /** Drops the drag: the engine has ended it, as another run is open. */
  forget() {
    this.#dragged = null;
  }

  /** Does a whole drag at once. @param {readonly number[]} cells @param {readonly number[]} [values] the values before; undefined if the drag was refused */
  async #write(cells, values) {
    if (!values) return;
    const { commands } = this.#app;
    const held = commands.do({ do: 'hold', cells });
    const written = commands.do({ do: WRITE, values });
    await Promise.all([held, written, commands.do({ do: 'release' })]);
  }
}
