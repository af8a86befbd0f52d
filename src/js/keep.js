// Entry point gradlock/keep: trainings that outlive the tab or the process. It imports nothing of
// the library but errors and checks: a state is bytes, such as adam.toBytes() or saveModel(net).
import { describe, readFlag, readOptions } from './base/check.js';
import { KeepError } from './keep/error.js';
import { openRun } from './keep/run.js';
import { chooseStore, keysOf, nameOf } from './keep/store.js';

export { KeepError };

/** @typedef {import('./keep/run.js').KeptRun} KeptRun */
/** @typedef {import('./keep/run.js').KeptState} KeptState */

/**
 * @typedef {object} PlaceOptions
 * @property {string} [folder] The name of the IndexedDB database; in Node.js, Bun and Deno the path
 *   of a folder, which is made if it is missing. Default: `'gradlock-keep'`.
 */
/**
 * @typedef {object} OwnKeepOptions
 * @property {boolean} [wait] True to wait until no other tab or worker writes this name. Default:
 *   false.
 * @property {(error: KeepError) => void} [onError] Called with everything that could not be read or
 *   saved. Default: a warning on the console.
 */
/** @typedef {PlaceOptions & OwnKeepOptions} KeepOptions */

/** @param {unknown} folder */
const readFolder = (folder) => {
  if (typeof folder === 'string' && folder !== '') return folder;
  throw new TypeError(`folder must be a name or a path, got ${describe(folder)}`);
};

/** @param {unknown} options */
const readPlace = (options) => {
  const { folder = 'gradlock-keep' } = readOptions(options, ['folder'], 'options');
  return readFolder(folder);
};

/**
 * Opens a run by its name, and finds its newest good state. Where storage is blocked or another tab
 * writes the name, the result says so in `problems`, and training can go on without being kept.
 * Rejects with KeepError if there are records and none can be used; with TypeError for options that
 * do not exist.
 * @param {string} name 1 to 60 characters, fewer if they are not ASCII.
 * @param {KeepOptions} [options]
 * @returns {Promise<KeptRun>}
 * @example
 * const run = await keep('digits');
 * run.found; // null
 */
export const keep = async (name, options = {}) => {
  const known = ['folder', 'wait', 'onError'];
  const {
    folder = 'gradlock-keep',
    wait = false,
    onError = (/** @type {KeepError} */ error) => globalThis.console?.warn(String(error)),
  } = readOptions(options, known, 'keep options');
  if (typeof onError !== 'function') {
    throw new TypeError(`onError must be a function, got ${describe(onError)}`);
  }
  const listener = /** @type {(error: KeepError) => void} */ (onError);
  return openRun(name, readFolder(folder), readFlag(wait, 'wait'), listener);
};

/**
 * Returns the names of all kept runs, sorted. Rejects with KeepError if storage is blocked.
 * @param {PlaceOptions} [options]
 * @returns {Promise<string[]>}
 * @example
 * await (await keep('digits')).save(new Uint8Array(4));
 * await list(); // ['digits']
 */
export const list = async (options = {}) => {
  const place = readPlace(options);
  try {
    const keys = await (await chooseStore(place)).keys();
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
 * @returns {Promise<void>}
 * @example
 * await (await keep('digits')).save(new Uint8Array(4));
 * await remove('digits');
 * await list(); // []
 */
export const remove = async (name, options = {}) => {
  const [place, keys] = [readPlace(options), keysOf(name)];
  try {
    await (await chooseStore(place)).remove(keys);
  } catch (cause) {
    throw KeepError.from(cause, `'${name}' cannot be removed`);
  }
};

/**
 * Asks the browser not to delete what this site stores when the disk gets full. Some browsers ask
 * the user. Returns true if it agreed; always true in Node.js, Bun and Deno.
 * @returns {Promise<boolean>}
 * @example
 * await persist(); // true
 */
export const persist = async () => {
  const { navigator, process } = /** @type {any} */ (globalThis);
  return (await navigator?.storage?.persist?.()) ?? Boolean(process?.versions?.node);
};
