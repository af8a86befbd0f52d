/* Data that every contestant gets. */

/** Uniform in [-1, 1); the generator is Numerical Recipes', the seed any. @param {number} count */
export function randomValues(count) {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}
