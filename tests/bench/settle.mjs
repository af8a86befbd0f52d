/* Waiting for the peer that computes late. */

/**
 * Wait for an array of jax-js, which computes when somebody reads: one element is read, the array is used up.
 * @param {import('@jax-js/jax').Array} array
 */
export function settle(array) {
  return (array.ndim ? array.slice(...array.shape.map(() => 0)) : array).dataSync();
}
