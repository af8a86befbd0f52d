/* What the tests of pre-trained networks share.
 *
 * References are of f64, and with them comes how far the network's own framework is off in f32.
 * gradlock does the same roundings in other orders, so it is off by as much, by a small factor: 4. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { floats, UNIT } from '../golden/golden.js';

const FACTOR = 4;

/**
 * @typedef {object} Reference
 * @property {number[]} values Of f64, rounded.
 * @property {number} off How far the framework's f32 is from them, at most.
 */

/** @param {string} name @returns {any} */
export const readFixture = (name) => JSON.parse(String(readBytes(fixture(name))));

/** @param {string} name */
export const fixture = (name) => new URL(`fixtures/${name}`, import.meta.url);

/** @param {URL} url */
export const readBytes = (url) => readFileSync(url);

/**
 * The largest difference to a reference, which is not larger than allowed.
 * @param {ArrayLike<number>} got
 * @param {Reference} reference
 * @param {string} what
 */
export const assertNear = (got, { values, off }, what) => {
  const want = floats(values);
  assert.equal(got.length, want.length, `${what}: how many`);
  let worst = 0;
  for (const [i, value] of want.entries()) {
    const difference = Math.abs(Number(got[i]) - value);
    const most = FACTOR * off + UNIT * Math.abs(value);
    assert.ok(difference <= most, `${what}[${i}]: ${got[i]}, reference ${value}, ± ${most}`);
    worst = Math.max(worst, difference);
  }
  return worst;
};
