/**
 * What a scene asks before its first step, and from which step on it tells what happened. The words are in strings/,
 * under the scene; they get facts, never a verdict.
 */

/**
 * What has become of the cells that are held: how many there are, how many of them have other bits than they were
 * held with, how far the farthest went.
 * @typedef {{ held: number, moved: number, farthest: string }} Facts
 */

/** Steps after the start, and whose held cells are asked about. @type {Record<string, { after: number, of: 'run' | 'rival' }>} */
export const guesses = {
  'two-by-two': { after: 40, of: 'run' },
  picture: { after: 40, of: 'run' },
  'leak-lab': { after: 40, of: 'rival' },
  graph: { after: 40, of: 'run' },
  words: { after: 60, of: 'rival' },
  freeze: { after: 60, of: 'run' },
};
