// What convolutions and pools share: steps in time are images of height 1.

/** @typedef {import('../gradlock.js').Gradlock} Gradlock */
/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */

/**
 * For both directions of an image.
 * @param {readonly number[]} sizes
 * @returns {[number, number]}
 */
export const pairOf = (sizes) => /** @type {any} */ (sizes.length < 2 ? [1, ...sizes] : sizes);

/**
 * A function of images, of steps in time too.
 * @param {Gradlock} g
 * @param {Tensor} x
 * @param {(images: Tensor) => Tensor} call
 */
export const onImages = (g, x, call) =>
  x.rank > 3 ? call(x) : g.squeeze(call(g.expandDims(x, 1)), 1);
