/** What a person did, in its order, and the way back and forth: one thing at a time, the latest first. */

/**
 * @typedef {object} Edit
 * @property {() => unknown} undo  may take its time; false if it could not be done
 * @property {() => unknown} redo
 * @property {number} [bytes]  what it takes to remember it; default: next to nothing
 */

/** What is remembered, in bytes; the oldest edits are forgotten first. */
const MOST_BYTES = 64 << 20;

export class Edits {
  #run;
  /** @type {Edit[]} */
  #past = [];
  /** @type {Edit[]} */
  #future = [];
  /** Settles when the last that was asked for is done, or has failed. @type {Promise<unknown>} */
  #last = Promise.resolve();

  /** @param {() => number} [run] the number of the run that is shown */
  constructor(run = () => 0) {
    this.#run = run;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Settles once all is undone and done again that was asked for. */
  get settled() {
    return this.#last;
  }

  /** Something was done to the run that is shown, which undoes nothing of another. @param {Edit} edit */
  push({ undo, redo, bytes }) {
    const run = this.#run();
    const ofRun = (/** @type {() => unknown} */ act) => () =>
      run === this.#run() ? act() : undefined;
    this.leave({ undo: ofRun(undo), redo: ofRun(redo), bytes });
  }

  /** A run was left for another. @param {Edit} edit */
  leave(edit) {
    this.#past.push(edit);
    this.#future = [];
    let bytes = this.#past.reduce((sum, { bytes: own = 0 }) => sum + own, 0);
    while (bytes > MOST_BYTES && this.#past.length > 1) bytes -= this.#past.shift()?.bytes ?? 0;
  }

  /** @returns {Promise<unknown>} once it is undone */
  undo() {
    return this.#move('undo');
  }

  /** @returns {Promise<unknown>} once it is done again */
  redo() {
    return this.#move('redo');
  }

  /**
   * What cannot be undone stays where it is, so that what was done before it, perhaps to another run, waits for it.
   * @param {'undo' | 'redo'} way
   */
  #move(way) {
    const edit = (way === 'undo' ? this.#past : this.#future).pop();
    if (edit) (way === 'undo' ? this.#future : this.#past).push(edit);
    const done = this.#last.then(async () => {
      if (!edit || (await edit[way]()) !== false) return;
      const [from, to] = way === 'undo' ? [this.#past, this.#future] : [this.#future, this.#past];
      const at = to.lastIndexOf(edit);
      // Whoever made another edit meanwhile has begun another future.
      if (at >= 0) from.push(...to.splice(at, 1));
    });
    this.#last = done.catch(() => {});
    return done;
  }
}
