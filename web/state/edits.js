/** In which order a person edited locks and values, so that undo takes back the latest of either. */

/**
 * An edit of locks, which lock-editor.js knows how to undo, or of a cell's value.
 * @typedef {'locks' | { index: number, before: number, after: number }} Edit
 */

export class Edits {
  /** @type {Edit[]} */
  #past = [];
  /** @type {Edit[]} */
  #future = [];
  #locks;
  #write;
  #isUndoing = false;

  /** @param {{ undo: () => void, redo: () => void }} locks @param {(index: number, value: number) => void} write */
  constructor(locks, write) {
    this.#locks = locks;
    this.#write = write;
  }

  get canUndo() {
    return this.#past.length > 0;
  }

  get canRedo() {
    return this.#future.length > 0;
  }

  /** Something was edited; what undoing does itself is no edit. @param {Edit} edit */
  push(edit) {
    if (this.#isUndoing) return;
    this.#past.push(edit);
    this.#future = [];
  }

  undo() {
    const edit = this.#past.pop();
    if (!edit) return;
    this.#future.push(edit);
    if (edit === 'locks') this.#quietly(() => this.#locks.undo());
    else this.#write(edit.index, edit.before);
  }

  redo() {
    const edit = this.#future.pop();
    if (!edit) return;
    this.#past.push(edit);
    if (edit === 'locks') this.#quietly(() => this.#locks.redo());
    else this.#write(edit.index, edit.after);
  }

  /** @param {() => void} action */
  #quietly(action) {
    this.#isUndoing = true;
    action();
    this.#isUndoing = false;
  }

  /** The run starts again: values are what they were, locks stay. */
  forgetValues() {
    const isOfLocks = (/** @type {Edit} */ edit) => edit === 'locks';
    this.#past = this.#past.filter(isOfLocks);
    this.#future = this.#future.filter(isOfLocks);
  }

  clear() {
    this.#past = [];
    this.#future = [];
  }
}
