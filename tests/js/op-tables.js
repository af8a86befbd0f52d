/* A table of ops: a call and what it gives, at once and in a program. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */
/** @typedef {[call: (g: Gradlock) => Tensor | Tensor[], expected: any]} Result */

/** @param {any} nested @returns {string} */
const write = (nested) => {
  if (Array.isArray(nested)) return `[${nested.map(write).join(',')}]`;
  return Object.is(nested, -0) ? '-0' : String(nested);
};

/** @param {Function} call */
const nameOf = (call) => String(call).replace(/^\(g.*?\) => /, '');

/**
 * Each call gives nested arrays, or what is written as text where that is shorter:
 * '[[1,NaN],[-0,2]]'. A list of tensors gives a list of their arrays.
 * @param {readonly Result[]} rows
 */
export const testResults = (rows) => {
  for (const [call, expected] of rows) {
    const text = typeof expected === 'string' ? expected : JSON.stringify(expected);
    test(`${nameOf(call)} is ${text}, at once and in a program`, async () => {
      const g = await init();
      const check = (/** @type {Tensor | Tensor[]} */ result) => {
        const found = Array.isArray(result) ? result.map((t) => t.array()) : result.array();
        if (typeof expected === 'string') assert.equal(write(found), expected);
        else assert.deepEqual(found, expected);
        return Array.isArray(result) ? result.length : 1;
      };
      check(call(g));
      const { objects } = g.memory();
      const count = check(g.compile(() => call(g)).run());
      // The program and its results: no constant is left behind.
      assert.equal(g.memory().objects, objects + 1 + count);
    });
  }
};
