/**
 * Keeps a run in the tab's storage until its page is loaded again: by a reload, or in another
 * language. Each run has a name, since the frames of one page share the storage. The tab also keeps
 * the name that a person last wrote into the picture.
 */

import { fromFile } from '../state/file.js';

const PREFIX = 'gradlock-run ';
const WRITTEN = 'gradlock-name';

/** @param {string} text */
export function keepName(text) {
  try {
    sessionStorage.setItem(WRITTEN, text);
  } catch {}
}

export function keptName() {
  try {
    return sessionStorage.getItem(WRITTEN) ?? '';
  } catch {
    return '';
  }
}

/** @param {string} name @param {string} file @returns {boolean} true if it was stored: storage may be forbidden, or too small */
export function keep(name, file) {
  for (const makeRoom of [() => {}, forgetAll]) {
    try {
      makeRoom();
      sessionStorage.setItem(PREFIX + name, file);
      return true;
    } catch {}
  }
  return false;
}

function forgetAll() {
  for (const name of Object.keys(sessionStorage)) {
    if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  }
}

/** Returns a stored run's file and removes it. @param {string | undefined} name */
export function kept(name) {
  try {
    const file = sessionStorage.getItem(PREFIX + name);
    sessionStorage.removeItem(PREFIX + name);
    const run = file === null ? null : fromFile(file);
    return run && { ...run, file };
  } catch {
    return null;
  }
}
