/**
 * The question of each scene before its first step, and the moment of its answer. The words are in
 * strings/, under the scene; they get facts, and no verdict.
 */

/**
 * Facts to answer with: the number of held cells, how many have changed bits, the largest distance,
 * the loss at the start and now, and the scene's readings as shares.
 * @typedef {{ held: number, moved: number, farthest: string, first: string, loss: string,
 *   percent: (reading: string) => string }} Facts
 */

/**
 * @typedef {object} Asked
 * @property {number} after  steps until the answer; of a mask, steps under it
 * @property {'run' | 'rival' | 'mask'} of  whose held cells it is about: the run's, those of the run
 *   beside it, or the run's under a mask, which a person has to switch on
 * @property {{ held: number, moved: number, farthest: number }} [opening]  what that many steps of
 *   the run as it opens come to, measured (tests/web/guesses.test.js): the answer if a person
 *   has freed all cells, or left the mask out
 */

/** @type {Record<string, Asked>} */
export const guesses = {
  'two-by-two': { after: 40, of: 'run', opening: { held: 2, moved: 0, farthest: 0 } },
  picture: {
    after: 40,
    of: 'mask',
    opening: { held: 160, moved: 160, farthest: 0.1481296420097351 },
  },
  membrane: { after: 200, of: 'run', opening: { held: 124, moved: 0, farthest: 0 } },
  'leak-lab': {
    ...{ after: 40, of: 'rival' },
    opening: { held: 28, moved: 28, farthest: 0.43856722116470337 },
  },
  words: {
    after: 60,
    of: 'rival',
    opening: { held: 72, moved: 72, farthest: 0.36104699969291687 },
  },
  freeze: { after: 200, of: 'run', opening: { held: 457, moved: 0, farthest: 0 } },
  network: { after: 300, of: 'run' },
  lottery: { after: 0, of: 'run' },
  digits: { after: 50, of: 'run' },
  kernels: { after: 200, of: 'run', opening: { held: 18, moved: 0, farthest: 0 } },
  graph: { after: 100, of: 'run', opening: { held: 8, moved: 0, farthest: 0 } },
  peaks: { after: 120, of: 'run', opening: { held: 4, moved: 0, farthest: 0 } },
  own: { after: 60, of: 'run', opening: { held: 50, moved: 0, farthest: 0 } },
};

/** Steps after which a question about a mask is answered even if nobody switched to it. */
export const PATIENT = 400;
