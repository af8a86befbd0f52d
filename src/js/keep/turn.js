// Who writes a name, agreed on by Web Locks. A lock ends with its tab or worker, however that ends.

/**
 * @param {string} key
 * @param {boolean} wait
 * @returns {Promise<(() => void) | null>} The function that gives the turn back; null if another
 *   has it. Where there are no Web Locks, everyone has it.
 */
export const takeTurn = async (key, wait) => {
  const { locks } = /** @type {any} */ (globalThis).navigator ?? {};
  if (!locks) return () => {};
  return new Promise((resolve) => {
    const hold = (/** @type {unknown} */ lock) =>
      lock ? new Promise((release) => resolve(() => release(null))) : resolve(null);
    // A page whose storage is blocked may use no locks either: writing will say so.
    locks.request(key, { ifAvailable: !wait }, hold).catch(() => resolve(() => {}));
  });
};
