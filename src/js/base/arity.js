// Makes functions throw if they get more arguments than they take; JavaScript ignores these. Every
// entry of the package has a copy of this file, since it needs no instance.

/**
 * Throws if a function was given more arguments than it takes, unless those after its own are the
 * index and the array, as from `map` and `reduce`.
 * @param {string} name
 * @param {number} most
 * @param {ArrayLike<unknown>} more The arguments after its own.
 * @param {unknown} last The last of its own.
 */
const refuseMore = (name, most, more, last) => {
  const [index, list] = Array.from(more);
  const isCallback = more.length === 2 && Array.isArray(list) && list[Number(index)] === last;
  if (isCallback) return;
  const takes = most === 0 ? 'no arguments' : `at most ${most} argument${most === 1 ? '' : 's'}`;
  throw new TypeError(`${name} takes ${takes}, got ${most + more.length}`);
};

/**
 * Throws if an exported function was given arguments beyond its own.
 * @param {string} name
 * @param {number} most The number of its own.
 * @param {readonly unknown[]} more
 * @param {unknown} [last] The last of its own, for functions that are handed to `map`.
 */
export const refuseRest = (name, most, more, last = more) => {
  if (more.length > 0) refuseMore(name, most, more, last);
};

/** @param {string} name @param {number} most @param {ArrayLike<unknown>} given */
const refuseBeyond = (name, most, given) => {
  const all = Array.from(given);
  refuseMore(name, most, all.slice(most), all[most - 1]);
};

/**
 * Returns a method that takes no more arguments than its `length`. Methods of strict classes have
 * no defaults in their lists of parameters, since `length` counts only those before the first one.
 * @template {Function} T
 * @param {string} name
 * @param {T} method
 * @param {object} [object] What it is bound to.
 * @param {number} [most] Default: its length.
 * @returns {T}
 */
export const strictMethod = (name, method, object, most = method.length) => {
  // Six parameters, since no method has more. A rest parameter would slow small ops down.
  const { [name]: strict } = {
    /**
     * @this {object}
     * @param {unknown} [a] @param {unknown} [b] @param {unknown} [c]
     * @param {unknown} [d] @param {unknown} [e] @param {unknown} [f]
     */
    [name](a, b, c, d, e, f) {
      // biome-ignore lint/complexity/noArguments: a rest parameter would be such a list
      if (arguments.length > most) refuseBeyond(name, most, arguments);
      return method.call(object ?? this, a, b, c, d, e, f);
    },
  };
  return /** @type {any} */ (Object.defineProperty(strict ?? {}, 'length', { value: most }));
};

/** The key of the lengths of a strict prototype's methods: one for all copies of the library. */
const LENGTHS = Symbol.for('gradlock.lengths');

/**
 * Makes the methods of a prototype strict, and those that it inherits.
 * @param {any} prototype
 * @param {readonly string[]} [anyNumber] Methods that take any number of arguments.
 * @param {(prototype: any, key: string, own: PropertyDescriptor) => void} [define]
 * @returns {Record<string, number>}
 */
export const limitArguments = (prototype, anyNumber = [], define = Object.defineProperty) => {
  if (prototype === Object.prototype) return Object.create(null);
  if (Object.hasOwn(prototype, LENGTHS)) return prototype[LENGTHS];
  const base = Object.getPrototypeOf(prototype);
  const own = Object.assign(Object.create(null), limitArguments(base, anyNumber, define));
  Object.defineProperty(prototype, LENGTHS, { value: own });
  for (const [key, found] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (key === 'constructor') continue;
    const { value } = found;
    // JSON.stringify gives toJSON a key.
    if (typeof value === 'function' && key !== 'toJSON' && !anyNumber.includes(key)) {
      own[key] = Math.max(value.length, own[key] ?? 0); // An override may leave parameters out.
      found.value = strictMethod(key, value, undefined, own[key]);
    }
    define(prototype, key, found);
  }
  return own;
};
