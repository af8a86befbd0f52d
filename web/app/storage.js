/**
 * The tab's storage, which may be forbidden, or too small. It keeps a run until its page is loaded
 * again: by a reload, or in another language. Each run has a name, since the frames of one page
 * share the storage.
 */

import { fromFile } from '../state/file.js';

const PREFIX = 'gradlock-run ';

/** @param {string} key @param {string} text @returns {boolean} true if it was stored */
export function store(key, text) {
  for (const makeRoom of [() => {}, forgetRuns]) {
    try {
      makeRoom();
      sessionStorage.setItem(key, text);
      return true;
    } catch {}
  }
  return false;
}

/** @param {string} key */
export function stored(key) {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function forgetRuns() {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
  }
}

/** @param {string} name @param {string} file @returns {boolean} true if it was stored */
export const keep = (name, file) => store(PREFIX + name, file);

/** Returns a stored run's file and removes it. @param {string | undefined} name */
export function kept(name) {
  const file = stored(PREFIX + name);
  const run = file === null ? null : fromFile(file);
  if (file !== null) sessionStorage.removeItem(PREFIX + name);
  return run && { ...run, file: String(file) };
}
