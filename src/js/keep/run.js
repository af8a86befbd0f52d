// A run that is kept. Its two records are written in turns, one is always good (decision 62).
import { KeepError } from './error.js';
import { decode, encode } from './record.js';
import { chooseStore, keysOf } from './store.js';
import { acquireWriterLock } from './writer-lock.js';

/** @import { Store } from './store.js' */
/**
 * A state that was saved.
 * @typedef {object} KeptState
 * @property {Uint8Array} state The bytes that `save` was given.
 * @property {any} note The note that `save` was given, as JSON has it.
 * @property {number} sequence 1 for the first save of a run, and so on; saves that failed count.
 */

/** Records that are not overwritten: `remove` has to be called first. */
const SPARED = ['newer', 'foreign', 'blocked'];

/** A run that is kept: what `keep` returns. */
export class KeptRun {
  /** @type {Store | undefined} */
  #store;
  #keys;
  #onError;
  /** The record that must not be overwritten: the newest good one. */
  #slot = 1;
  #sequence = 0;
  /** The reason why nothing may be written. @type {KeepError | null} */
  #refusal = null;
  #isClosed = false;
  #release = () => {};
  /** @type {Promise<unknown>} */
  #last = Promise.resolve();

  /**
   * @internal
   * @param {string} name
   * @param {string} folder
   * @param {boolean} wait
   * @param {(error: KeepError) => void} onError
   */
  static async open(name, folder, wait, onError) {
    const run = new KeptRun(name, onError);
    const lost = `another tab writes '${name}' now, since this one did not answer`;
    const onLost = () => run.#refuse(new KeepError(lost, 'busy'));
    const release = await acquireWriterLock(`gradlock-keep ${folder} ${name}`, wait, onLost);
    if (release) run.#release = release;
    else {
      const hint = 'close it, or wait for it: keep(name, { wait: true })';
      run.#refuse(new KeepError(`another tab, worker or run writes '${name}': ${hint}`, 'busy'));
    }
    try {
      run.#store = await chooseStore(folder);
      await run.#store.open(release ? run.#keys : []);
    } catch (cause) {
      run.#refuse(KeepError.from(cause, `'${name}' is not kept`));
      run.#store = undefined;
    }
    try {
      await run.#find();
      for (const problem of run.problems) onError(problem);
      return run;
    } catch (error) {
      run.close();
      throw error;
    }
  }

  /** @internal @param {string} name @param {(error: KeepError) => void} onError */
  constructor(name, onError) {
    this.#keys = keysOf(name);
    /** The name of the run. */
    this.name = name;
    /** The newest good state when the run was opened; null if none. @type {KeptState | null} */
    this.found = null;
    /**
     * All that was wrong when the run was opened, such as a damaged record whose predecessor was
     * found instead.
     * @type {KeepError[]}
     */
    this.problems = [];
    /** The error of the last save; null if it succeeded. @type {KeepError | null} */
    this.error = null;
    this.#onError = onError;
  }

  /**
   * False if no save can succeed: storage is blocked, a record must not be overwritten, another tab
   * or worker writes this name, or the run was closed.
   */
  get isWriter() {
    return this.#refusal === null && !this.#isClosed;
  }

  /**
   * Saves a state over the older record. Saves wait for each other. Returns true when the
   * state is on the disk. Returns false if it could not be saved: both records are as they were,
   * `error` and `onError` say why, and the next save tries again. Rejects with TypeError for a
   * state that is not a Uint8Array or a note that is not JSON, and with KeepError after `close`.
   * @param {Uint8Array} state It is copied at once.
   * @param {any} [note] Anything that JSON can hold, such as `{ epoch: 3 }`. Default: null.
   * @returns {Promise<boolean>}
   * @example
   * const w = g.variable([1, 1], { name: 'w' });
   * const adam = g.optimizers.adam();
   * const run = await keep('digits');
   * adam.minimize(() => g.sum(w), { steps: 3, variables: [w] });
   * await run.save(adam.toBytes(), { epoch: 1 }); // true
   */
  async save(state, note) {
    if (this.#isClosed) throw new KeepError(`the run '${this.name}' was closed`, 'closed');
    const bytes = encode(this.name, this.#sequence + 1, note === undefined ? null : note, state);
    this.#sequence++;
    const saved = this.#last.then(() => this.#write(bytes));
    this.#last = saved.catch(() => {});
    return saved;
  }

  /**
   * Ends the run: other tabs may write it. Saves that have begun are finished first.
   * @returns {Promise<void>}
   * @example
   * const run = await keep('digits');
   * await run.close();
   * run.isWriter; // false
   */
  async close() {
    this.#isClosed = true;
    await this.#last;
    this.#release();
  }

  /** @param {KeepError} problem */
  #refuse(problem) {
    this.#refusal ??= problem;
    this.problems.push(problem);
  }

  /** @param {Uint8Array<ArrayBuffer>} bytes */
  async #write(bytes) {
    try {
      if (this.#refusal) throw this.#refusal;
      const slot = 1 - this.#slot;
      await this.#store?.write(String(this.#keys[slot]), bytes);
      this.#slot = slot;
      this.error = null;
    } catch (cause) {
      this.error = KeepError.from(cause, `'${this.name}' was not saved`);
      this.#onError(this.error);
    }
    return this.error === null;
  }

  /** Read both records. */
  async #find() {
    /** @type {[slot: number, error: KeepError][]} */
    const bad = [];
    for (const [slot, key] of this.#keys.entries()) {
      try {
        const bytes = await this.#store?.read(key);
        const record = bytes === undefined ? null : decode(bytes, this.name);
        if (!record || record.sequence <= (this.found?.sequence ?? 0)) continue;
        this.found = record;
        this.#sequence = record.sequence;
        this.#slot = slot;
      } catch (cause) {
        bad.push([slot, KeepError.from(cause, 'cannot be read')]);
      }
    }
    for (const [slot, { message, reason, cause }] of bad) {
      const instead = this.found
        ? `save ${this.found.sequence} is used instead`
        : `no other can be used; remove('${this.name}') begins anew`;
      const text = `record ${slot} of '${this.name}' ${message}; ${instead}`;
      const error = new KeepError(text, reason, cause);
      if (!this.found) throw error;
      if (SPARED.includes(reason)) this.#refuse(error);
      else this.problems.push(error);
    }
  }
}

/** As `keep`, of checked arguments. */
export const openRun = KeptRun.open;
