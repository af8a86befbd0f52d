/* Data that every contestant gets, and waiting for the one that computes late. */

/** Uniform in [-1, 1); the generator is Numerical Recipes', the seed any. @param {number} count */
export function randomValues(count) {
  let state = 1;
  return Float32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

/**
 * Wait for an array of jax-js, which computes when somebody reads: one element is read, the array is
 * used up.
 * @param {import('@jax-js/jax').Array} array
 */
export function settle(array) {
  return (array.ndim ? array.slice(...array.shape.map(() => 0)) : array).dataSync();
}
