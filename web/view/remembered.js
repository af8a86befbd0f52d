/** Texts in the browser's storage, which sandboxed frames and some settings forbid. */

/** @param {string} key @param {() => Storage} [from] @returns {string | null} */
export function recall(key, from = () => localStorage) {
  try {
    return from().getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} text @param {() => Storage} [to] @returns {boolean} true if it was stored */
export function remember(key, text, to = () => localStorage) {
  try {
    to().setItem(key, text);
    return true;
  } catch {
    return false;
  }
}
