/**
 * The tab's storage, which may be forbidden, or too small. It keeps a run until its page is loaded
 * again: by a reload, or in another language. Each run has a name, since the frames of one page
 * share the storage.
 */

import { fromFile } from '../state/file.js';
import { recall, remember } from '../view/remembered.js';

const PREFIX = 'gradlock-run ';

const tab = () => sessionStorage;
/** @param {string} key @param {string} text */
export const store = (key, text) => remember(key, text, tab);
/** @param {string} key */
export const stored = (key) => recall(key, tab);

/** Stores a run, if need be in place of all others. @param {string} name @param {string} file @returns {boolean} true if it was stored */
export function keep(name, file) {
  if (store(PREFIX + name, file)) return true;
  try {
    for (const key of Object.keys(sessionStorage)) {
      if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
    }
  } catch {}
  return store(PREFIX + name, file);
}

/** Returns a stored run's file and removes it. @param {string | undefined} name */
export function kept(name) {
  const file = stored(PREFIX + name);
  const run = file === null ? null : fromFile(file);
  if (file !== null) sessionStorage.removeItem(PREFIX + name);
  return run && { ...run, file: String(file) };
}
