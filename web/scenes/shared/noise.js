/**
 * Seeded noise for the starts of scenes, the same on every machine. Source: mulberry32, T. Ettinger
 * 2017 (public domain).
 */

/** @param {number} count @param {number} seed 0 ≤ seed < 2³² @param {number} reach values are uniform in [−reach, reach) */
export function noise(count, seed, reach) {
  let state = seed | 0;
  return Float32Array.from({ length: count }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return (((bits ^ (bits >>> 14)) >>> 0) / 2 ** 31 - 1) * reach;
  });
}
