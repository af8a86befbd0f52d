// Checks of callers' values before anything crosses to C, where NaN would become 0 and 2 ** 32 + 4
// would become 4. Knows JavaScript values and shapes only, no handles and no memory.
import { HandleError, IndexError, OptionError, ShapeError } from './errors.js';
import { suggest } from './suggest.js';

/**
 * @typedef {Float32Array | Float64Array | Int8Array | Uint8Array | Uint8ClampedArray | Int16Array |
 *   Uint16Array | Int32Array | Uint32Array} NumericArray
 */

/** Marks of objects: one for all copies of the library, one for this copy only. */
export const ANY_COPY = Symbol.for('gradlock');
export const THIS_COPY = Symbol('gradlock');

/** Say what a value is, for messages. @param {unknown} value */
export const describe = (value) => {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  }
  if (Object.is(value, -0)) return '-0';
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return 'a symbol';
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  // Not constructor.name, which minifiers change. Tags of tensors continue with their content.
  const [tag = ''] = Object.prototype.toString.call(value).slice(8, -1).split(' ');
  if (isTyped(value)) return `${article(tag)} of length ${value.length}`;
  if (ANY_COPY in value && !(THIS_COPY in value)) {
    return `${article(tag)} of another copy of gradlock`;
  }
  return article(tag === 'Object' ? 'object' : tag);
};

/**
 * Say what a list is, entry by entry where it is short: `[2, null, "x"]`. What is nested in it is
 * named and not entered, since files nest as deep as they like.
 * @param {unknown} value
 */
export const describeList = (value) =>
  Array.isArray(value) && value.length <= 16
    ? `[${Array.from(value, describe).join(', ')}]`
    : describe(value);

/**
 * The error for a value of the wrong type.
 * @param {string} what How messages call the value.
 * @param {string} expected
 * @param {unknown} given
 */
export const typeError = (what, expected, given) => new TypeError(mismatch(what, expected, given));

/** The error for an option. @param {string} what @param {string} expected @param {unknown} given */
export const optionError = (what, expected, given) =>
  new OptionError(mismatch(what, expected, given));

/** @param {string} what @param {string} expected @param {unknown} given */
const mismatch = (what, expected, given) => `${what} must be ${expected}, got ${describe(given)}`;

/** @param {string} noun */
const article = (noun) => `${/^[AEIOUaeiou](?!int|RL)/.test(noun) ? 'an' : 'a'} ${noun}`;

/** True for a typed array of any type. @param {unknown} value @returns {value is NumericArray} */
export const isTyped = (value) => ArrayBuffer.isView(value) && !(value instanceof DataView);

/** True for plain objects, such as options. @param {unknown} value @returns {value is object} */
export const isRecord = (value) =>
  typeof value === 'object' &&
  value !== null &&
  (Object.getPrototypeOf(value) === Object.prototype ||
    (!(ANY_COPY in value) && Object.prototype.toString.call(value) === '[object Object]'));

/** True for (typed) arrays. @param {unknown} value @returns {value is ArrayLike<unknown>} */
export const isList = (value) => Array.isArray(value) || isTyped(value);

/** True if a value is a promise or looks like one. @param {unknown} value */
export const isThenable = (value) =>
  typeof value === 'object' &&
  value !== null &&
  'then' in value &&
  typeof value.then === 'function';

/** Refuse a promise that nothing would await. @param {unknown} answer @param {string} what */
export const refusePromise = (answer, what) => {
  if (isThenable(answer)) throw new TypeError(`${what} must not be async: nothing waits for it`);
};

/** A function that is called without waiting for it. @param {unknown} value @param {string} what */
export const readCallback = (value, what) => {
  if (typeof value !== 'function') throw typeError(what, 'a function', value);
  if (Object.prototype.toString.call(value) === '[object AsyncFunction]') {
    refusePromise(Promise.resolve(), what);
  }
  return value;
};

/** @param {readonly number[]} shape */
export const formatShape = (shape) => `[${shape.join(', ')}]`;

/** The number of elements of a shape; exact up to 2 ** 53. @param {readonly number[]} shape */
export const sizeOf = (shape) => {
  let size = 1;
  for (const dim of shape) size *= dim;
  return size;
};

/** @param {readonly number[]} a @param {readonly number[]} b */
export const sameShape = (a, b) => a.length === b.length && a.every((dim, i) => dim === b[i]);

/** An object's own properties, each read once; none of a prototype. @param {object} object */
export const ownProperties = (object) =>
  /** @type {Record<string, unknown>} */ ({ __proto__: null, ...object });

/**
 * The options of a call: an object without misspelt keys, each read once.
 * @param {unknown} options
 * @param {readonly string[]} known
 * @param {string} what How messages call the options.
 */
export const readOptions = (options = {}, known, what) => {
  if (!isRecord(options)) throw typeError(what, `an object with ${known.join(', ')}`, options);
  // V8 is slow with objects without a prototype, so what a polluted one has is hidden, if any.
  /** @type {Record<string, unknown>} */
  const read = { ...options };
  for (const key in read) {
    if (!known.includes(key) && Object.hasOwn(read, key)) {
      throw new TypeError(`${what} have no '${key}': ${suggest(key, known)}`);
    }
  }
  for (const key of known) {
    if (key in Object.prototype && !Object.hasOwn(read, key)) read[key] = undefined;
  }
  return read;
};

/**
 * A boolean, and nothing that merely behaves like one.
 * @param {unknown} value
 * @param {string} what
 * @param {boolean} [initial] Its value where none is given.
 */
export const readFlag = (value, what, initial) => {
  if (value === undefined && initial !== undefined) return initial;
  if (typeof value !== 'boolean') throw typeError(what, 'true or false', value);
  return value;
};

/**
 * Any number, also NaN and the infinities: whether they make sense is C's business.
 * @param {unknown} value
 * @param {string} what
 * @param {number} [initial] Its value where none is given.
 */
export const readNumber = (value, what, initial) => {
  if (value === undefined && initial !== undefined) return initial;
  if (typeof value !== 'number') throw typeError(what, 'a number', value);
  return value;
};

/**
 * @param {unknown} value
 * @param {string} what
 * @param {readonly string[]} words
 * @returns {number} Which one.
 */
export const readChoice = (value, what, words) => {
  const list = words.map((word) => `'${word}'`).join(' or ');
  if (typeof value !== 'string') throw typeError(what, list, value);
  const choice = words.indexOf(value);
  if (choice < 0) throw optionError(what, list, value);
  return choice;
};

/** Duplicates: 0 refused, 1 the last, 2 the sum. @param {unknown} duplicates @param {string} op */
export const readDuplicates = (duplicates, op) =>
  duplicates === undefined ? 0 : 1 + readChoice(duplicates, `${op}: duplicates`, ['last', 'sum']);

/** A whole number of steps and the like. @param {unknown} value @param {string} what */
export const readCount = (value, what) => {
  const number = readNumber(value, what);
  if (!Number.isSafeInteger(number) || number < 0)
    throw optionError(what, 'an integer from 0 up', value);
  return number;
};

/**
 * A whole number: an index or an axis. Its range is the caller's business.
 * @param {unknown} value
 * @param {string} what
 * @param {number} [initial] Its value where none is given.
 */
export const readInteger = (value, what, initial) => {
  const number = readNumber(value, what, initial);
  if (!Number.isSafeInteger(number))
    throw new IndexError(`${what} must be an integer, got ${describe(value)}`);
  return number;
};

/** True if memory was detached. (Node.js 20 has no `detached`.) @param {ArrayBufferLike} buffer */
export const isDetached = (buffer) => {
  try {
    buffer.slice(0, 0);
    return false;
  } catch {
    return true;
  }
};

/** @param {string} what */
export const memoryGone = (what) =>
  new HandleError(
    `${what} is an array whose memory is gone: a view() is valid only until the next call; use data(), which copies`,
  );

/** Refuse a list whose memory is gone. @param {ArrayLike<unknown>} list @param {string} what */
export const expectMemory = (list, what) => {
  if (list.length === 0 && isTyped(list) && isDetached(list.buffer)) throw memoryGone(what);
};

/**
 * Read each entry of a list, holes, too, in one pass that ends at the first refused entry.
 * @template T
 * @param {ArrayLike<unknown>} list
 * @param {string} what
 * @param {(entry: unknown, i: number) => T} read
 */
export const readEach = (list, what, read) => {
  expectMemory(list, what);
  const { length } = list;
  /** @type {T[]} */
  const found = [];
  for (let i = 0; i < length; i++) found.push(read(list[i], i));
  return found;
};

/** A checked copy of integers. @param {unknown} value @param {string} what @returns {number[]} */
export const readIntegers = (value, what) => {
  if (!isList(value)) throw typeError(what, 'an array of integers', value);
  return readEach(value, what, (entry, i) => readInteger(entry, `${what}[${i}]`));
};

/** Entries that room is made for before any was read. */
const FIRST_ROOM = 1024;

/**
 * Read a list into a typed array, which grows as entries are read: a list may claim a false length.
 * @template {Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Float64Array<ArrayBuffer>} T
 * @param {new (length: number) => T} Type
 * @param {ArrayLike<unknown>} list
 * @param {(entry: unknown, i: number, values: T) => void} read Writes values[i].
 */
export const readTypedList = (Type, list, read) => {
  const { length } = list;
  let values = new Type(Math.min(length, FIRST_ROOM));
  for (let i = 0; i < length; i++) {
    if (i === values.length) {
      const longer = new Type(Math.min(length, 2 * i));
      longer.set(values);
      values = longer;
    }
    read(list[i], i, values);
  }
  return values;
};

/**
 * Words, each read from an entry of a list.
 * @param {ArrayLike<unknown>} list
 * @param {(entry: unknown, i: number) => number} read
 */
export const readWords = (list, read) =>
  readTypedList(Uint32Array, list, (entry, i, words) => {
    words[i] = read(entry, i);
  });

/**
 * A shape, copied and frozen. C checks its size; this checks only what C could not receive.
 * @param {unknown} value
 * @param {number} maxRank
 * @param {string} [what] How messages call it.
 * @param {number} [lowest] -1 where one size may be left open.
 * @returns {readonly number[]}
 */
export const readShape = (value, maxRank, what = 'shape', lowest = 0) => {
  if (!isList(value)) throw typeError(what, 'an array of sizes such as [2, 3]', value);
  if (value.length > maxRank) {
    throw new ShapeError(`${what} has ${value.length} axes, the highest rank is ${maxRank}`);
  }
  const shape = readEach(value, what, (size, axis) => {
    if (typeof size !== 'number') throw typeError(`${what}[${axis}]`, 'a number', size);
    if (!Number.isSafeInteger(size) || size < lowest || size > 0xffffffff) {
      const open = lowest < 0 ? ', or -1 once' : '';
      throw new ShapeError(
        `${what}[${axis}] must be an integer from 0 to 4294967295${open}, got ${describe(size)}`,
      );
    }
    return size;
  });
  return Object.freeze(shape);
};

/** Counts a negative index from the end, unchecked. @param {number} index @param {number} size */
export const fromEnd = (index, size) => (index < 0 ? index + size : index);

/** Row-major position of an element. @param {unknown} index @param {readonly number[]} shape */
export const readElement = (index, shape) => {
  if (!isList(index)) {
    const given = readInteger(index, 'index');
    const size = sizeOf(shape);
    const flat = fromEnd(given, size);
    if (flat < 0 || flat >= size) {
      throw new IndexError(
        `flat index ${given} is out of range for shape ${formatShape(shape)} of ${size} elements`,
      );
    }
    return flat;
  }
  return flatten(readIntegers(index, 'index'), shape);
};

/** @param {readonly number[]} index One integer per axis. @param {readonly number[]} shape */
export const flatten = (index, shape) => {
  if (index.length !== shape.length) {
    throw new ShapeError(
      `index ${formatShape(index)} has ${index.length} entries, ` +
        `shape ${formatShape(shape)} has ${shape.length} axes: give a flat index or one index for each axis`,
    );
  }
  let flat = 0;
  for (let axis = 0; axis < shape.length; axis++) {
    const size = Number(shape[axis]);
    const at = fromEnd(Number(index[axis]), size);
    if (!(at >= 0 && at < size)) {
      throw new IndexError(
        `index ${formatShape(index)} is out of range for shape ${formatShape(shape)}`,
      );
    }
    flat = flat * size + at;
  }
  return flat;
};

/**
 * One index per axis of the element at a row-major position.
 * @param {number} flat
 * @param {readonly number[]} shape
 * @returns {number[]}
 */
export const unflatten = (flat, shape) => {
  const index = new Array(shape.length);
  let rest = flat;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = Number(shape[axis]);
    index[axis] = rest % size;
    rest = Math.floor(rest / size);
  }
  return index;
};
