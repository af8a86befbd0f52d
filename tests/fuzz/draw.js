/* Random draws from a seed, the same on every machine. */

/**
 * Draws in [0, n): mulberry32.
 * @param {number} seed
 */
export const drawer = (seed) => {
  let state = seed >>> 0;
  return (/** @type {number} */ n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * n);
  };
};
