/** What the browser remembers of a person's choices. Sandboxed frames and some settings refuse. */

/** @param {string} key @returns {string | null} */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string} value */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch {}
}
