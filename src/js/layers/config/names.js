// Converts names between TensorFlow.js's camelCase and Keras's snake_case, and names layers.

/** Keras's snake_case: `kernelSize` → `kernel_size`. @param {string} name */
export const toSnake = (name) =>
  name
    .replace(/(.)([A-Z][a-z0-9]+)/g, '$1_$2')
    .replace(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase();

/** `kernel_size` → `kernelSize`. @param {string} name */
export const toCamel = (name) =>
  name.replace(/_+([a-z0-9])/gi, (_, letter) => letter.toUpperCase());

/** Folds spellings: `glorot_uniform`, `GlorotUniform` → `glorotuniform`. @param {string} name */
export const fold = (name) => name.replace(/_/g, '').toLowerCase();

/** A table's own entry, if any. @template T @param {Record<string, T>} table @param {string} key */
export const lookUp = (table, key) => (Object.hasOwn(table, key) ? table[key] : undefined);

/** @param {object} object @param {(key: string) => string} rename @returns {Record<string, any>} */
export const renameKeys = (object, rename) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [rename(key), value]));

/** The names used so far in one `layers(g)`. */
export class Names {
  /** @type {Map<string, number>} */
  #counts = new Map();
  #undo;

  /** @param {(step: () => void) => void} undo Registers a step that releases a name. */
  constructor(undo) {
    this.#undo = undo;
  }

  /** Returns the next free name: `dense`, then `dense_1` and so on. @param {string} className */
  next(className) {
    const name = toSnake(className);
    const count = this.#counts.get(name) ?? 0;
    this.#counts.set(name, count + 1);
    this.#undo(() => void this.#counts.set(name, count));
    return count === 0 ? name : `${name}_${count}`;
  }
}
