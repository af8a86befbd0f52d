/**
 * Challenges: a goal in a scene as it opens, and a score. A link proves the score: whoever replays
 * it finds the same. The words are in strings/, under `challenges`.
 */

/**
 * @typedef {object} Challenge
 * @property {string} id
 * @property {string} scene      in its first size, choices and seed
 * @property {number} most       steps
 * @property {readonly string[]} start  the acts that are allowed before the first step
 * @property {readonly string[]} later  and after it (state/history.js)
 * @property {readonly Goal[]} goals    all must be met
 * @property {'locked' | 'free' | 'step'} score  what is counted; fewer are better. `free` counts the
 *   cells that are not locked at 0
 */

/** A number of the end, and its limit: `free`, `loss` or the name of a reading. @typedef {{ of: string, atLeast?: number, atMost?: number }} Goal */

/** @type {readonly Challenge[]} */
export const challenges = [
  {
    id: 'three-cells',
    scene: 'two-by-two',
    most: 2000,
    start: ['locks', 'optimizer'],
    later: ['optimizer'],
    goals: [
      { of: 'unlocked', atMost: 3 },
      { of: 'loss', atMost: 0.3 },
    ],
    score: 'step',
  },
  {
    id: 'few-weights',
    scene: 'network',
    most: 20_000,
    start: ['locks', 'optimizer', 'prune', 'unprune'],
    later: ['locks', 'optimizer', 'prune', 'unprune'],
    goals: [{ of: 'score', atLeast: 0.95 }],
    score: 'free',
  },
  {
    id: 'old-digits',
    scene: 'freeze',
    most: 400,
    start: ['locks'],
    later: [],
    goals: [
      { of: 'step', atLeast: 400 },
      { of: 'old', atLeast: 0.9 },
      { of: 'fresh', atLeast: 0.4 },
    ],
    score: 'locked',
  },
];

/** @param {string | null} id */
export const findChallenge = (id) => challenges.find((one) => one.id === id);

/** @param {string} scene */
export const challengeOf = (scene) => challenges.find((one) => one.scene === scene);
