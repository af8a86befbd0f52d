/**
 * The code of a guess: scene, answer, and letters that tell two students with the same guess apart,
 * as in LEAK-LAB-B-7QK3. It has only characters that make a small QR code.
 */

import { findScene } from '../scenes/index.js';

/** @typedef {{ scene: string, answer: number, token: string }} Ballot  answer: from 0 */

const ANSWERS = 'ABCDEF';
/** No 0, 1, I, L and O, which people mix up. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const TOKEN = 4;
const CODE = new RegExp(`\\b([A-Z-]{2,30})-([${ANSWERS}])-([${LETTERS}]{${TOKEN}})\\b`, 'gi');

/** The most codes that are counted. */
export const MOST_BALLOTS = 10_000;

/** @param {string} scene @param {number} answer from 0 @param {Uint32Array} draws random numbers, at least four */
export function ballotOf(scene, answer, draws) {
  const token = Array.from(draws.subarray(0, TOKEN), (draw) => LETTERS[draw % LETTERS.length]);
  return `${scene.toUpperCase()}-${ANSWERS[answer]}-${token.join('')}`;
}

/** Returns all codes of a text, each once. @param {string} text @returns {Ballot[]} */
export function readBallots(text) {
  /** @type {Map<string, Ballot>} */
  const found = new Map();
  for (const [code, name, letter, token] of text.matchAll(CODE)) {
    const scene = name.toLowerCase();
    if (found.size >= MOST_BALLOTS) break;
    if (!findScene(scene)) continue;
    const answer = ANSWERS.indexOf(letter.toUpperCase());
    found.set(code.toUpperCase(), { scene, answer, token: token.toUpperCase() });
  }
  return [...found.values()];
}

/** Counts answers by scene. @param {readonly Ballot[]} ballots @returns {Map<string, number[]>} */
export function tally(ballots) {
  /** @type {Map<string, number[]>} */
  const counts = new Map();
  for (const { scene, answer } of ballots) {
    const of = counts.get(scene) ?? Array.from(ANSWERS, () => 0);
    of[answer]++;
    counts.set(scene, of);
  }
  return counts;
}
