// Where records are: an IndexedDB database with files for large ones, or a folder. Keys name files.
import { importNode } from '../base/node.js';
import { openDatabase } from './database.js';
import { describe, KeepError } from './error.js';
import { withFiles } from './files.js';
import { openFolder } from './folder.js';

/**
 * @typedef {object} Store
 * @property {(keys: readonly string[]) => Promise<unknown>} open Makes the folder or database if it
 *   is missing, and removes what kills left of writing these keys.
 * @property {() => Promise<string[]>} keys
 * @property {(key: string) => Promise<Uint8Array | undefined>} read
 * @property {(key: string, bytes: Uint8Array<ArrayBuffer>) => Promise<unknown>} write All or
 *   nothing, and it is on the disk when the promise resolves.
 * @property {(keys: readonly string[]) => Promise<unknown>} remove
 */

const LONGEST = 60;
/** Names of files have 255 bytes at most; characters outside of ASCII take 6 to 12. */
const MOST_BYTES = 200;

/** @param {string} folder @returns {Promise<Store>} */
export const chooseStore = async (folder) => {
  const { indexedDB, navigator } = globalThis; // Node.js 20 has no navigator.
  if (indexedDB) return withFiles(openDatabase(indexedDB, folder), navigator?.storage, folder);
  const fs = await importNode('fs');
  if (fs) return openFolder(fs.promises, folder);
  throw new KeepError('there is neither IndexedDB nor a file system here', 'blocked');
};

/** Keys of two records: file names, none of which begins with another's. @param {unknown} name */
export const keysOf = (name) => {
  if (typeof name !== 'string') {
    throw new TypeError(`the name of a run must be a string, got ${describe(name)}`);
  }
  const isText = name !== '' && name.length <= LONGEST && !/\p{Cs}/u.test(name);
  const stem = isText ? encodeURIComponent(name).replace(/[.*]/g, escapeAscii) : '';
  if (!isText || stem.length > MOST_BYTES) {
    throw new KeepError(
      `the name of a run must have 1 to ${LONGEST} characters, fewer if they are not ASCII, ` +
        `got ${describe(name)}`,
      'name',
    );
  }
  return [0, 1].map((slot) => `${stem}.${slot}.gradlock`);
};

/** @param {string} character */
const escapeAscii = (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** The name of the run that a key belongs to; none for other files. @param {string} key */
export const nameOf = (key) => {
  const [, stem] = key.match(/^([^.]+)\.[01]\.gradlock$/) ?? [];
  try {
    return stem ? [decodeURIComponent(stem)] : [];
  } catch {
    return [];
  }
};
