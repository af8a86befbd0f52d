/** A person's edits in order, with undo and redo: one at a time, the latest first. */

/**
 * @typedef {object} Edit
 * @property {() => unknown} undo  may take time; false if it failed
 * @property {() => unknown} redo
 * @property {number} [bytes]  its size in memory; default: almost nothing
 * @property {boolean} [isPart]  true if it is undone and redone with the edit before it
 */

/** The limit of the edits' memory, in bytes; the oldest edits are removed first. */
const MOST_BYTES = 64 << 20;

export class Edits {
  #run;
  /** @type {Edit[]} */
  #past = [];
  /** @type {Edit[]} */
  #future = [];
  /** Settles once all requested undos and redos are done, or have failed. @type {Promise<unknown>} */
  settled = Promise.resolve();

  /** @param {() => number} [run] the number of the shown run */
  constructor(run = () => 0) {
    this.#run = run;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Adds an edit of the shown run; it does nothing in another run. @param {Edit} edit */
  push({ undo, redo, ...rest }) {
    const run = this.#run();
    const ofRun = (/** @type {() => unknown} */ act) => () =>
      run === this.#run() ? act() : undefined;
    this.add({ undo: ofRun(undo), redo: ofRun(redo), ...rest });
  }

  /** Adds the edit of leaving a run for another. @param {Edit} edit */
  add(edit) {
    const first = edit.isPart ? this.#past.pop() : undefined;
    const both = first && {
      undo: async () => (await edit.undo()) !== false && first.undo(),
      redo: async () => (await first.redo()) !== false && edit.redo(),
    };
    this.#past.push(both ?? edit);
    this.#future.length = 0;
    let bytes = this.#past.reduce((sum, { bytes: own = 0 }) => sum + own, 0);
    while (bytes > MOST_BYTES && this.#past.length > 1) bytes -= this.#past.shift()?.bytes ?? 0;
  }

  /** An edit whose undo fails stays: those before it, perhaps of another run, wait. @param {'undo' | 'redo'} way */
  move(way) {
    const [from, to] = way === 'undo' ? [this.#past, this.#future] : [this.#future, this.#past];
    const edit = from.pop();
    if (edit) to.push(edit);
    const done = this.settled.then(async () => {
      if (!edit || (await edit[way]()) !== false) return;
      const at = to.lastIndexOf(edit);
      // If another edit came meanwhile, there is nothing to redo.
      if (at >= 0) from.push(...to.splice(at, 1));
    });
    this.settled = done.catch(() => {});
    return done;
  }
}
