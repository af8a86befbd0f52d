// Names: between TensorFlow.js's camelCase and Keras's snake_case, and those that layers get by
// themselves.

/**
 * `kernelSize` → `kernel_size`, `BatchNormalization` → `batch_normalization`, as Keras does it.
 * @param {string} name
 */
export const toSnake = (name) =>
  name
    .replace(/(.)([A-Z][a-z0-9]+)/g, '$1_$2')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();

/**
 * `kernel_size` → `kernelSize`.
 * @param {string} name
 */
export const toCamel = (name) =>
  name.replace(/_+([a-z0-9])/gi, (_, letter) => letter.toUpperCase());

/**
 * What two spellings of one thing have in common: `glorot_uniform`, `glorotUniform` and
 * `GlorotUniform`.
 * @param {string} name
 */
export const fold = (name) => name.replace(/_/g, '').toLowerCase();

/**
 * What a table has under a key, and not what every object has.
 * @template T
 * @param {Record<string, T>} table
 * @param {string} key
 * @returns {T | undefined}
 */
export const lookUp = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);

/**
 * An object with other keys.
 * @param {object} object
 * @param {(key: string) => string} rename
 * @returns {Record<string, any>}
 */
export const renameKeys = (object, rename) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]));

/** Names given out so far, of one `layers(g)`. */
export class Names {
  /** @type {Map<string, number>} */
  #counts = new Map();
  #undo;

  /** @param {(step: () => void) => void} undo Takes what gives a name back. */
  constructor(undo) {
    this.#undo = undo;
  }

  /**
   * `dense`, then `dense_1` and so on.
   * @param {string} className
   */
  next(className) {
    const name = toSnake(className);
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    this.#undo(() => void this.#counts.set(name, count));
    return count === 0 ? name : `${name}_${count}`;
  }
}
