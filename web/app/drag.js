/**
 * What is in somebody's hand. A drag has a holder of its own beside the locks, and is one edit: undo puts what was
 * dragged back where it was taken, to the bit.
 */

export class Drag {
  #app;
  /** Where it was taken, and where it was put last. @type {{ cells: readonly number[], before: Promise<number[] | undefined>, now: readonly number[] | null } | null} */
  #held = null;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  get isOn() {
    return this.#held !== null;
  }

  /** Take cells in hand: nothing but the hand moves them now, whatever the locks are. @param {readonly number[]} cells */
  hold(cells) {
    const { commands, player } = this.#app;
    player.goOn();
    this.#held = { cells, before: commands.do({ do: 'hold', cells }), now: null };
    player.wake();
  }

  /** Put what is in hand somewhere. @param {readonly number[]} values a number a cell */
  place(values) {
    if (!this.#held) return;
    this.#held.now = values;
    this.#app.commands.do({ do: 'place', values });
  }

  /** Let go of it, if anything still is. */
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

  /** The engine has let go: another run is there. */
  forget() {
    this.#held = null;
  }

  /** A whole drag at once. @param {readonly number[]} cells @param {readonly number[]} [values] where it was taken; undefined if it was refused */
  async #put(cells, values) {
    if (!values) return;
    const { commands } = this.#app;
    const hold = commands.do({ do: 'hold', cells });
    const place = commands.do({ do: 'place', values });
    await Promise.all([hold, place, commands.do({ do: 'release' })]);
  }
}
