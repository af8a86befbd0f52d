/* Parity of what normalizes along axes. */
import { given, operand, ordinary, row, special, text } from './cases.js';

/** @param {string} name */
const softmaxLike = (name) =>
  row(name, {
    tolerance: 'array',
    cases: [
      ...[[5], [2, 3], [2, 1, 3], [2, 0, 3], [1, 2, 1, 2, 2]].map((shape) =>
        ordinary(text(shape), [operand(shape)]),
      ),
      special('large', [given([1000, 1001, -1000, 88, 0, 3e38], [3, 2])]),
      special('special numbers', [
        given([1, Number.NaN, 1, Number.NEGATIVE_INFINITY, 1, Number.POSITIVE_INFINITY], [3, 2]),
      ]),
    ],
  });

/** @type {[string, import('./cases.js').Row][]} */
export const ROWS = [softmaxLike('softmax'), softmaxLike('logSoftmax')];
