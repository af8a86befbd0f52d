/**
 * The code of a guess: scene, answer, four letters that tell two students with the same guess
 * apart, and a check letter, as in LEAK-LAB-B-7QK34. It has only characters that make a small QR
 * code. Codes from before the check letter end after the four letters, and are still read.
 */

import { findScene } from '../scenes/index.js';

/** @typedef {{ scene: string, answer: number }} CodedGuess  answer: from 0 */

const ANSWERS = 'ABCDEF';
/** No 0, 1, I, L and O, which people mix up. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';
const TOKEN = 4;
const CODE = new RegExp(`^(([A-Z-]{2,30})-([${ANSWERS}])-[${LETTERS}]{${TOKEN}})([${LETTERS}]?)$`);
/** A word that may be a code, perhaps mistyped: the shortest is OWN-A-7QK3. */
const WORD = /[\p{L}\p{N}-]{10,}/gu;

export const MOST_CODES = 10_000;

/**
 * Returns the check letter of a code. The number of letters is prime and neighbours have different
 * weights, so any wrong letter and any swap of neighbours changes the sum. In the scene's name,
 * such an error makes a name that no scene has.
 * @param {string} code  without its check letter
 */
function checkOf(code) {
  const { length } = LETTERS;
  let sum = 0;
  for (const letter of code) sum = (3 * sum + LETTERS.indexOf(letter) + length) % length;
  return LETTERS[sum];
}

/** @param {string} scene @param {number} answer from 0 @param {Uint32Array} draws random numbers, at least four */
export function guessCodeOf(scene, answer, draws) {
  const token = Array.from(draws.subarray(0, TOKEN), (draw) => LETTERS[draw % LETTERS.length]);
  const code = `${scene.toUpperCase()}-${ANSWERS[answer]}-${token.join('')}`;
  return code + checkOf(code);
}

/** Returns the codes of a text, each once, and the words that look like a code but are none. @param {string} text */
export function readGuessCodes(text) {
  /** @type {Map<string, CodedGuess>} */
  const found = new Map();
  /** @type {Set<string>} */
  const mistyped = new Set();
  for (const [word] of text.matchAll(WORD)) {
    if (found.size + mistyped.size >= MOST_CODES) break;
    if (!word.includes('-')) continue;
    const [, code = '', name = '', letter = '', check = ''] = CODE.exec(word.toUpperCase()) ?? [];
    const scene = name.toLowerCase();
    const isRight = findScene(scene) && (check === '' || check === checkOf(code));
    if (isRight) found.set(code, { scene, answer: ANSWERS.indexOf(letter) });
    else mistyped.add(word);
  }
  return { guesses: [...found.values()], mistyped: [...mistyped] };
}

/** Counts answers by scene. @param {readonly CodedGuess[]} guesses @returns {Map<string, number[]>} */
export function tally(guesses) {
  /** @type {Map<string, number[]>} */
  const counts = new Map();
  for (const { scene, answer } of guesses) {
    const of = counts.get(scene) ?? Array.from(ANSWERS, () => 0);
    of[answer]++;
    counts.set(scene, of);
  }
  return counts;
}
