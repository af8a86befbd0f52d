/**
 * Handwritten digits of 8×8 pixels, 1,797 of UCI's set (Alpaydin & Kaynak 1998, Optical Recognition
 * of Handwritten Digits, CC BY 4.0), written by tests/golden/digits.py.
 */

import { part } from './part.js';

/**
 * @typedef {object} Digits
 * @property {Float32Array[]} images  64 brightnesses each, row by row, 0 to 1
 * @property {number[][]} rows        the same as lists
 * @property {number[]} labels        the digits
 */

/** @type {string[]} */
let lines = [];

/** Fetches the digits; call it before anything that uses them. */
export async function loadDigits() {
  if (!lines.length) lines = (await part(import('./digits.txt?raw'))).default.trim().split('\n');
}

/** The digits that Digits trains on, and those that it and Kernels are tested on. */
export const train = () => digitsFrom(0, 600);
export const test = () => digitsFrom(600, 900);

/** Returns samples for the pad, four of each digit. @param {number} first the digit to show @param {number} [skip] of each digit */
export function samplesFrom(first, skip = 0) {
  const { images, labels } = digitsFrom(600, 900, (_, nth) => nth >= skip && nth < skip + 4);
  return { images, labels, first };
}

/** @param {number} from the first line @param {number} to the line after the last @param {(label: number, nth: number) => boolean} [isWanted] gets the digit and how many of it came before @returns {Digits} */
export function digitsFrom(from, to, isWanted = () => true) {
  const counts = new Array(10).fill(0);
  const wanted = lines.slice(from, to).filter((line) => {
    const label = Number(line[64]);
    return isWanted(label, counts[label]++);
  });
  // A line has 64 brightnesses of 0-9 and a-g, then the digit.
  const rows = wanted.map((line) =>
    Array.from(line.slice(0, 64), (c) => Number.parseInt(c, 17) / 16),
  );
  return {
    images: rows.map((row) => Float32Array.from(row)),
    rows,
    labels: wanted.map((line) => Number(line[64])),
  };
}
