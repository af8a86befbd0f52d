/**
 * What a student hands in: the link of a run, with the results that it claims for the run, a
 * name, and perhaps a challenge. These are more fields of the link. To open a run, they are
 * ignored. A check replays the run and compares the results.
 */

import { fieldsOf, numberText, readNumber, toLink } from './link.js';

/** @typedef {import('../engine/protocol.js').Proof} Proof */

/** What a link claims of its run's end. @typedef {Pick<Proof, typeof RESULT_FIELDS[number]>} ClaimedResult */

export const MOST_NAME = 60;

/** The fields of a claimed result, in the order of the link. */
export const RESULT_FIELDS = /** @type {const} */ (['step', 'locked', 'loss', 'digest']);

/** @param {string} text @returns {ClaimedResult | null} null if it is none */
function readClaimedResult(text) {
  const [step, locked, loss, digest, ...more] = text.split(',');
  if (digest === undefined || more.length) return null;
  return { step: readNumber(step), locked: readNumber(locked), loss: readNumber(loss), digest };
}

/**
 * Returns a link's hash to hand in.
 * @param {import('./state.js').State} state
 * @param {ClaimedResult} claim  of this state
 * @param {string} name
 * @param {string | null} challenge  its id
 */
export function toHandIn(state, { step, locked, loss, digest }, name, challenge) {
  const claim = [...[step, locked, loss].map(numberText), digest].join(',');
  const by = name.trim().slice(0, MOST_NAME);
  return [
    toLink(state),
    ...(challenge ? [`challenge=${challenge}`] : []),
    ...(by ? [`by=${encodeURIComponent(by)}`] : []),
    `claim=${claim}`,
  ].join('&');
}

/** Reads the hand-in fields of a link. @param {string} hash */
export function fromHandIn(hash) {
  const { claim, by = '', challenge = null } = fieldsOf(hash);
  return {
    claim: claim === undefined ? null : readClaimedResult(claim),
    isClaimed: claim !== undefined,
    name: by.slice(0, MOST_NAME),
    challenge,
  };
}

/** Returns the fields of a claimed result that are not equal to the bit. @param {ClaimedResult} claim @param {Proof} proof */
export const falseFields = (claim, proof) =>
  RESULT_FIELDS.filter((part) => !Object.is(claim[part], proof[part])).map((part) => ({
    part,
    claimed: claim[part],
    found: proof[part],
  }));
