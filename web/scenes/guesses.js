/**
 * The question of a scene before its first step, and the step of its answer. The words are in
 * strings/, under the scene; they get facts, and no verdict.
 */

/**
 * The state of the held cells: their number, how many have changed bits, and the largest distance.
 * @typedef {{ held: number, moved: number, farthest: string }} Facts
 */

/** The steps until the answer, and whose held cells it is about. @type {Record<string, { after: number, of: 'run' | 'rival' }>} */
export const guesses = {
  'two-by-two': { after: 40, of: 'run' },
  picture: { after: 40, of: 'run' },
  'leak-lab': { after: 40, of: 'rival' },
  graph: { after: 40, of: 'run' },
  words: { after: 60, of: 'rival' },
  freeze: { after: 60, of: 'run' },
};
