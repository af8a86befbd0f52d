/** Drags of cells. A drag has its own holder and is one edit: undo restores the exact bits. */

export class Drag {
  #app;
  /** The dragged cells, their values before, and the last values written. @type {{ cells: readonly number[], before: Promise<number[] | undefined>, now: readonly number[] | null } | null} */
  #held = null;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  get isOn() {
    return this.#held !== null;
  }

  /** Starts a drag: only the drag moves these cells now, whatever their locks. @param {readonly number[]} cells */
  hold(cells) {
    const { commands, player } = this.#app;
    player.goOn();
    this.#held = { cells, before: commands.do({ do: 'hold', cells }), now: null };
    player.wake();
  }

  /** Writes the dragged cells. @param {readonly number[]} values one per cell */
  place(values) {
    if (!this.#held) return;
    this.#held.now = values;
    this.#app.commands.do({ do: 'place', values });
  }

  async release() {
    const { commands, views } = this.#app;
    const held = this.#held;
    this.#held = null;
    if (held) {
      const { cells, before, now } = held;
      const released = commands.do({ do: 'release' });
      if (now) {
        this.#app.edits.push({
          undo: async () => this.#put(cells, await before),
          redo: () => this.#put(cells, now),
        });
      }
      await released;
    }
    views.draw();
    views.changed();
  }

  /** Writes cells at once, as one edit, and wakes no run. @param {readonly number[]} cells @param {readonly number[]} values one per cell */
  async put(cells, values) {
    const { commands, edits, player, views } = this.#app;
    await player.goOn();
    const before = commands.do({ do: 'hold', cells });
    commands.do({ do: 'place', values });
    const released = commands.do({ do: 'release' });
    edits.push({
      undo: async () => this.#put(cells, await before),
      redo: () => this.#put(cells, values),
    });
    await released;
    views.draw();
    views.changed();
  }

  /** Drops the drag: the engine has ended it, as another run is open. */
  forget() {
    this.#held = null;
  }

  /** Does a whole drag at once. @param {readonly number[]} cells @param {readonly number[]} [values] the values before; undefined if the drag was refused */
  async #put(cells, values) {
    if (!values) return;
    const { commands } = this.#app;
    const hold = commands.do({ do: 'hold', cells });
    const place = commands.do({ do: 'place', values });
    await Promise.all([hold, place, commands.do({ do: 'release' })]);
  }
}
