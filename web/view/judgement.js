/** Says what a judgement of a challenge is. */

import { strings } from '../strings/index.js';
import { formatCount, formatNumber } from './format.js';

/** Readings that are shares. */
const SHARES = ['score', 'old', 'fresh'];

/** @param {string} of @param {number} value */
const numberOf = (of, value) =>
  SHARES.includes(of) ? `${Math.round(1000 * value) / 10} %` : formatNumber(value);

/** @param {string} of @param {number} value */
const limitOf = (of, value) => (SHARES.includes(of) ? numberOf(of, value) : String(value));

/** @param {string} id of a challenge @param {number} score */
export const scoreText = (id, score) => strings.challenges.of[id].score(formatCount(score));

/**
 * @param {string} id of the challenge
 * @param {import('../state/judge.js').Judgement} judgement
 * @returns {string}
 */
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
      ? words.atMost(limitOf(of, atMost ?? 0))
      : words.atLeast(limitOf(of, atLeast));
  return words.missed(`${words.goals[of]} ${limit}`, numberOf(of, judgement.found));
}
