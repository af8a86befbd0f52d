/** Judges a run by a challenge: its rules, its goals, its score. */

import { findScene } from '../scenes/index.js';
import { isAlike } from './rules.js';
import { isSameSetup, openingState } from './state.js';

/** @typedef {import('../scenes/scene.js').Goal} Goal */
/** @typedef {import('./state.js').State} State */
/** @typedef {import('../engine/protocol.js').Proof} Proof */

/**
 * The score if there is one; else the rule that was broken, with the act, or the goal that is not
 * met, with the number that was found.
 * @typedef {{ score: number }
 *   | { broken: 'scene' | 'setup' | 'steps' | 'zeros' | 'mask' }
 *   | { broken: 'act', act: string }
 *   | { missed: Goal, found: number }} Judgement
 */

/**
 * What was found about a link or a saved run that was handed in.
 * `why` says why it could not be checked, or why its claim is false.
 * @typedef {object} Finding
 * @property {'true' | 'false' | 'none' | 'unreadable' | 'stopped'} verdict
 * @property {{ reason: string, detail: string } | null} why
 * @property {ReturnType<typeof import('./hand-in.js').falseFields>} differences
 * @property {State | null} state
 * @property {Proof | null} proof
 * @property {{ id: string, judgement: Judgement | null } | null} challenge
 *   judgement: null if there is no such challenge
 * @property {number} time  of the check, in ms
 */

/** @param {Proof} proof @returns {Record<string, number>} the numbers of goals and scores, by name */
const numbersOf = ({ step, loss, locked, cells, zeros, readings }) => ({
  ...readings,
  ...{ step, loss, locked },
  unlocked: cells - locked,
  free: cells - zeros,
});

/** @param {Goal} goal @param {number} found */
const isMet = ({ atLeast = -Infinity, atMost = Infinity }, found) =>
  found >= Math.fround(atLeast) && found <= Math.fround(atMost);

/** @param {import('../scenes/index.js').Challenge} challenge @param {State} state a complete run @param {Proof} proof of it @returns {Judgement} */
export function judge(challenge, state, proof) {
  const scene = findScene(challenge.scene);
  if (!scene || state.scene !== challenge.scene) return { broken: 'scene' };
  const opening = openingState(scene);
  const isSame =
    isSameSetup(state, opening) &&
    (challenge.start.includes('optimizer') || isAlike(state.optimizer, opening.optimizer));
  if (!isSame) return { broken: 'setup' };
  // An earlier run may have pruned them.
  if (state.zeros && !challenge.start.includes('prune')) return { broken: 'zeros' };
  if (proof.isMasked) return { broken: 'mask' };
  if (proof.step > challenge.most) return { broken: 'steps' };
  const start = scene.warm ?? 0;
  const wrong = state.events.find(
    (event) => !challenge[event.step > start ? 'later' : 'start'].includes(event.do),
  );
  if (wrong) return { broken: 'act', act: wrong.do };
  const numbers = numbersOf(proof);
  const missed = challenge.goals.find((goal) => !isMet(goal, numbers[goal.of]));
  if (missed) return { missed, found: numbers[missed.of] };
  return { score: numbers[challenge.score] };
}
