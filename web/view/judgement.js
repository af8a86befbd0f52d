/** Writes the judgement of a challenge as text. */

import { findChallenge } from '../scenes/index.js';
import { sceneWords, strings } from '../strings/index.js';
import { formatCount, formatNumber } from './format.js';

/** Readings that are shares, and numbers that are counts. */
const SHARES = ['score', 'old', 'fresh'];
const COUNTS = ['unlocked', 'free', 'locked', 'step'];

/** @param {string} of @param {number} value @param {(value: number) => string} format of other numbers */
function numberOf(of, value, format) {
  if (SHARES.includes(of)) return `${Math.round(1000 * value) / 10}\u00a0%`;
  return COUNTS.includes(of) ? formatCount(value) : format(value);
}

/** @param {string} id of a challenge */
export const challengeWords = (id) =>
  /** @type {NonNullable<import('../scenes/scene.js').SceneWords['challenge']>} */ (
    sceneWords(String(findChallenge(id)?.scene)).challenge
  );

/** @param {string} id of a challenge @param {number} score */
export const scoreText = (id, score) => challengeWords(id).score(formatCount(score));

/** @param {string} id of the challenge @param {import('../state/judge.js').Judgement} judgement @returns {string} */
export function judgementText(id, judgement) {
  const words = strings.challenges;
  if ('score' in judgement) return words.met(scoreText(id, judgement.score));
  if ('broken' in judgement) {
    const { broken } = judgement;
    if (broken !== 'act') return words.broken[broken];
    return words.broken[judgement.act === 'locks' ? 'locks' : 'other'];
  }
  const { of, atLeast, atMost } = judgement.missed;
  const limit =
    atLeast === undefined
      ? words.atMost(numberOf(of, atMost ?? 0, String))
      : words.atLeast(numberOf(of, atLeast, String));
  return words.missed(words.goals[of], numberOf(of, judgement.found, formatNumber), limit);
}
