// Reads any source of a grid in one way: it copies values and locks into the grid's own buffers, so
// the picture outlives a source that fails or is disposed. Values that do not fit are refused.

/** @import { AnyVariable } from '../either.js' */
/** @typedef {ArrayLike<number> | (() => ArrayLike<number>)} Numbers */
/** @typedef {Numbers | null | (() => ArrayLike<number> | null)} Optional */
/** @typedef {ArrayLike<number | boolean> | (() => ArrayLike<number | boolean>)} Bits */
/**
 * Rows, columns, values, locks of any origin.
 * @typedef {object} GridSource
 * @property {number} rows
 * @property {number} cols
 * @property {Numbers} values `rows * cols` of them, row by row; a function is asked whenever the
 *   grid is drawn.
 * @property {Bits} [locks] As many; 1 or true for locked. Default: all are free.
 * @property {string} [name] For labels and messages.
 * @property {Optional} [target] What values should become: shown in cells that have room.
 * @property {Optional} [held] What locked cells should hold: half of one that does not is as it
 *   should be, and its padlock is broken.
 * @property {Optional} [unknown] 1 for cells whose values are not known yet: they are grey, without
 *   a number, of the part `unknown`, and read as such.
 * @property {() => unknown} [version] Differs whenever values or locks may have changed. With it
 *   the grid follows by itself; without it, draw by `refresh()` or `show()`.
 * @property {() => unknown} [locksVersion] That of the locks alone, where asking for it costs less
 *   than the locks. Default: none, and they are read with the values.
 * @property {(indices: number[], isLocked: boolean) => unknown} [setLocks] Called when the person
 *   locks or frees. Default: the bytes of `locks` are written, if it is an array.
 * @property {(index: number, value: number) => unknown} [setValue] Called when the person types a
 *   value. Default: `values` is written, if it is an array.
 */
/** @typedef {{ values: Numbers, locks?: Bits }} Shown */

/** Most rows or columns, which canvases of all browsers hold. */
const MOST_SIDE = 16384;

/**
 * A variable as a source. One of rank 0 or 1 is a row; of a higher rank, rows are all axes but the
 * last.
 * @param {AnyVariable} variable
 * @returns {GridSource}
 */
export const sourceOf = (variable) => {
  const { shape, size, locks } = variable;
  const cols = shape.at(-1) ?? 1;
  return {
    rows: cols > 0 ? size / cols : 0,
    cols,
    name: variable.name,
    values: () => variable.view(),
    locks: () => locks.toMask(),
    version: () => variable.version,
    locksVersion: () => locks.version,
    setLocks: (indices, isLocked) =>
      isLocked ? variable.lock({ indices }) : variable.unlock({ indices }),
    setValue: (index, value) => {
      const values = variable.data();
      values[index] = value;
      variable.assign(values);
    },
  };
};

/** @param {ArrayLike<number | boolean> | null} numbers */
const toFloats = (numbers) =>
  numbers && !(numbers instanceof Float32Array) ? Float32Array.from(numbers, Number) : numbers;

/** A reader of a source, with the values to draw. */
export class Reader {
  /** Values and locks of the last reading that fitted. */
  values;
  mask;
  /** @type {Float32Array | null} */
  target = null;
  /** @type {Float32Array | null} */
  held = null;
  /** @type {ArrayLike<number | boolean> | null} */
  unknown = null;
  /** Another one whenever locks are. */
  edition = 0;
  /** The largest magnitude, and the index of the first value that is no number; -1 if none. */
  largest = 0;
  notANumber = -1;
  #source;
  #buffer;
  /** @type {unknown} */
  #version;
  /** @type {unknown} */
  #locksVersion;
  /** Values passed in (copies), until the source has newer. @type {Shown | null | undefined} */
  #shown = null;

  /** Throws TypeError for no source, RangeError for impossible sizes. @param {GridSource} source */
  constructor(source) {
    if (typeof source !== 'object' || source === null) {
      throw new TypeError(`a source must have rows, cols and values, got ${source}`);
    }
    const { rows, cols } = source;
    for (const side of [rows, cols]) {
      if (!(Number.isInteger(side) && side > 0 && side <= MOST_SIDE)) {
        throw new RangeError(
          `rows and cols must be integers from 1 to ${MOST_SIDE}, got ${rows} and ${cols}`,
        );
      }
    }
    this.#source = source;
    this.rows = rows;
    this.cols = cols;
    this.values = new Float32Array(rows * cols);
    this.#buffer = new Float32Array(rows * cols);
    this.mask = new Uint8Array(rows * cols);
  }

  /** No field of its own: who copies those keeps no source alive. */
  get source() {
    return this.#source;
  }

  get isLive() {
    return typeof this.#source.version === 'function';
  }

  /** True if there is something new. */
  get hasChanged() {
    const { version, locksVersion } = this.#source;
    return version?.() !== this.#version || locksVersion?.() !== this.#locksVersion;
  }

  /**
   * Read everything, or throw and keep what was read before.
   * @param {boolean} [isAll] Also locks whose version is the same.
   * @param {Shown} [fresh] Values, and locks, instead of the source's.
   */
  read(isAll = false, fresh) {
    const source = this.#source;
    const version = source.version?.();
    const locksVersion = source.locksVersion?.();
    const kept = version === this.#version ? this.#shown : null;
    // Without locks, those of before stay.
    const shown = fresh?.locks ? fresh : (kept ?? fresh);
    const values = fresh || !shown ? this.#take('values', fresh) : this.values;
    const isSame = !isAll && source.locksVersion && locksVersion === this.#locksVersion;
    const from = shown?.locks ? shown : source;
    const isKept = shown?.locks && shown !== fresh;
    const locks = !isSame && !isKept && from.locks && this.#take('locks', from);
    const target = toFloats(this.#take('target', source, true));
    const held = toFloats(this.#take('held', source, true));
    const unknown = this.#take('unknown', source, true);
    // Values that cannot be numbers, such as BigInts, throw before anything is replaced.
    const buffer = this.#buffer;
    buffer.set(/** @type {ArrayLike<number>} */ (values));
    this.#buffer = this.values;
    this.values = buffer;
    this.target = target;
    this.held = held;
    this.unknown = unknown;
    this.#shown = shown;
    if (locks) this.#takeLocks(locks);
    this.#version = version;
    this.#locksVersion = locksVersion;
    this.#measure();
  }

  /**
   * @param {'values' | 'locks' | 'target' | 'held' | 'unknown'} what
   * @param {Partial<GridSource>} [from]
   * @param {boolean} [isOptional]
   */
  #take(what, from = this.#source, isOptional = false) {
    const given = from[what];
    const list = typeof given === 'function' ? given.call(from) : given;
    const { rows, cols } = this;
    if (!list && isOptional) return null;
    if (!ArrayBuffer.isView(list) && !Array.isArray(list))
      throw new TypeError(`${what} must be an array, got ${list}`);
    if (list.length !== rows * cols) {
      throw new RangeError(
        `${what} has length ${list.length}, but ${rows} rows of ${cols} need ${rows * cols}`,
      );
    }
    return list;
  }

  /** @param {ArrayLike<number | boolean>} locks */
  #takeLocks(locks) {
    const { mask } = this;
    let differs = false;
    for (let i = 0; i < mask.length; i++) {
      const bit = locks[i] ? 1 : 0;
      if (mask[i] === bit) continue;
      mask[i] = bit;
      differs = true;
    }
    if (differs) this.edition++;
  }

  #measure() {
    const { values } = this;
    let largest = 0;
    let notANumber = -1;
    for (let i = 0; i < values.length; i++) {
      const size = Math.abs(values[i]);
      if (size > largest) {
        if (size < Infinity) largest = size;
      } else if (notANumber < 0 && Number.isNaN(size)) notANumber = i;
    }
    this.largest = largest;
    this.notANumber = notANumber;
  }

  /** Values and locks sent, as by a worker. @param {Numbers} values @param {Bits} [locks] */
  show(values, locks) {
    this.read(true, { values, locks });
  }

  /** @param {number[]} indices @param {boolean} isLocked */
  setLocks(indices, isLocked) {
    const source = this.#source;
    if (source.setLocks) source.setLocks(indices, isLocked);
    else if (this.#shown?.locks) {
      this.edition++;
      for (const index of indices) this.mask[index] = Number(isLocked);
    } else if (typeof source.locks !== 'function') {
      source.locks ??= new Uint8Array(this.rows * this.cols);
      const locks = /** @type {(number | boolean)[]} */ (source.locks);
      for (const index of indices)
        locks[index] = typeof locks[index] === 'boolean' ? isLocked : Number(isLocked);
    }
  }

  /** @param {number} index @param {number} value */
  setValue(index, value) {
    const { setValue, values } = this.#source;
    if (setValue) setValue.call(this.#source, index, value);
    else if (this.#shown) this.values[index] = value;
    else if (typeof values !== 'function') /** @type {number[]} */ (values)[index] = value;
  }
}
