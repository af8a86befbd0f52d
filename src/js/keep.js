// Entry point gradlock/keep: trainings that outlive the tab or the process. It needs no instance of
// the library: a state is bytes, such as adam.toBytes() or saveModel(net).
import { limitArguments, refuseRest } from './base/arity.js';
import { suggest } from './base/suggest.js';
import { describe, KeepError } from './keep/error.js';
import { KeptRun as Run, openRun } from './keep/run.js';
import { chooseStore, keysOf, nameOf } from './keep/store.js';

export { KeepError };

/** @typedef {import('./keep/run.js').KeptRun} KeptRun */
/** @typedef {import('./keep/run.js').KeptState} KeptState */

/**
 * @typedef {object} PlaceOptions
 * @property {string} [folder] The name of the IndexedDB database, and of the folder of large states
 *   in the site's private file system; in Node.js, Bun and Deno the path of a folder, which is made
 *   if it is missing. Default: `'gradlock-keep'`.
 */
/**
 * @typedef {object} OwnKeepOptions
 * @property {boolean} [wait] True to wait while others write this name. Default: false.
 * @property {(error: KeepError) => void} [onError] Called with everything that could not be read or
 *   saved. Default: a warning on the console.
 */
/** @typedef {PlaceOptions & OwnKeepOptions} KeepOptions */

/**
 * Known options, with their defaults. TypeError for others, and for values of another type.
 * @template {Record<string, unknown>} T
 * @param {unknown} options
 * @param {T} defaults
 */
const readOptions = (options, defaults) => {
  const known = Object.keys(defaults);
  const isObject = typeof options === 'object' && options !== null;
  if (!isObject) throw new TypeError(`options must be an object with ${known.join(', ')}`);
  /** @type {Record<string, unknown>} */
  const read = { ...defaults };
  for (const [key, value] of Object.entries(options)) {
    if (!known.includes(key)) {
      throw new TypeError(`options have no '${key}': ${suggest(key, known)}`);
    }
    if (value === undefined) continue;
    if (typeof value !== typeof defaults[key] || value === '') {
      throw new TypeError(`${key} must be a ${typeof defaults[key]}, got ${describe(value)}`);
    }
    read[key] = value;
  }
  return /** @type {T} */ (read);
};

const DEFAULTS = { folder: 'gradlock-keep' };

/**
 * Opens a run by its name, and finds its newest good state. Where storage is blocked or another tab
 * writes the name, the result says so in `problems`, and training can go on without being kept.
 * Rejects with KeepError if there are records and none can be used.
 * @param {string} name 1 to 60 characters, fewer if they are not ASCII.
 * @param {KeepOptions} [options]
 * @param {[]} more
 * @returns {Promise<KeptRun>}
 * @example
 * const run = await keep('digits');
 * run.found; // null
 */
export const keep = async (name, options = {}, ...more) => {
  refuseRest('keep', 2, more);
  const onError = (/** @type {KeepError} */ error) => globalThis.console?.warn(String(error));
  const read = readOptions(options, { ...DEFAULTS, wait: false, onError });
  limitArguments(Run.prototype);
  return openRun(name, read.folder, read.wait, read.onError);
};

/**
 * Returns the names of all kept runs, sorted. Rejects with KeepError if storage is blocked.
 * @param {PlaceOptions} [options]
 * @param {[]} more
 * @returns {Promise<string[]>}
 * @example
 * await (await keep('digits')).save(new Uint8Array(4));
 * await list(); // ['digits']
 */
export const list = async (options = {}, ...more) => {
  refuseRest('list', 1, more);
  const { folder } = readOptions(options, DEFAULTS);
  try {
    const keys = await (await chooseStore(folder)).keys();
    return [...new Set(keys.flatMap(nameOf))].sort();
  } catch (cause) {
    throw KeepError.from(cause, 'kept runs cannot be listed');
  }
};

/**
 * Removes both records of a run, if there are any. A run that is open elsewhere is kept anew by its
 * next `save`. Rejects with KeepError if storage is blocked.
 * @param {string} name
 * @param {PlaceOptions} [options]
 * @param {[]} more
 * @returns {Promise<void>}
 * @example
 * await (await keep('digits')).save(new Uint8Array(4));
 * await remove('digits');
 * await list(); // []
 */
export const remove = async (name, options = {}, ...more) => {
  refuseRest('remove', 2, more);
  const { folder } = readOptions(options, DEFAULTS);
  const keys = keysOf(name);
  try {
    await (await chooseStore(folder)).remove(keys);
  } catch (cause) {
    throw KeepError.from(cause, `'${name}' cannot be removed`);
  }
};

/**
 * Asks the browser not to delete what this site stores when the disk gets full. Some browsers ask
 * the user. Returns true if it agreed; always true in Node.js, Bun and Deno.
 * @param {[]} more
 * @returns {Promise<boolean>}
 * @example
 * await persist(); // true
 */
export const persist = async (...more) => {
  refuseRest('persist', 0, more);
  const { navigator, process } = /** @type {any} */ (globalThis);
  return (await navigator?.storage?.persist?.()) ?? Boolean(process?.versions?.node);
};
