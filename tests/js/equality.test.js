/* Precisions: f32, f64. */
// What test frameworks call equal: tensors, variables and lock sets of the same shape and content.
import looseAssert from 'node:assert';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import * as jest from '@jest/expect-utils';
import * as vitest from '@vitest/expect';
import { init } from 'gradlock';

const g = await init();

/** Pairs that are equal and pairs that are not. */
const KINDS = {
  tensors: {
    make: () =>
      g.tensor([
        [1, 2],
        [3, Number.NaN],
      ]),
    others: {
      'another value': () =>
        g.tensor([
          [1, 2],
          [4, Number.NaN],
        ]),
      'another shape': () => g.tensor([1, 2, 3, Number.NaN]),
      'a variable': () =>
        g.variable([
          [1, 2],
          [3, Number.NaN],
        ]),
      'a disposed one': () => {
        const gone = g.tensor([
          [1, 2],
          [3, Number.NaN],
        ]);
        gone.dispose();
        return gone;
      },
    },
  },
  variables: {
    make: () => g.variable([1, 2]),
    others: {
      'another value': () => g.variable([1, 3]),
      'another shape': () => g.variable([[1, 2]]),
    },
  },
  'lock sets': {
    make: () => g.locks([2, 2], { rows: [1] }),
    others: {
      'other locks': () => g.locks([2, 2], { rows: [0] }),
      'another shape': () => g.locks([4], { slice: [[2, 4]] }),
    },
  },
};

/** @param {() => void} check */
const holds = (check) => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

/**
 * What toEqual and toStrictEqual hand to the comparison of their framework.
 * @param {any} framework
 * @param {string} name
 * @returns {Record<string, Equal>}
 */
const waysOf = (framework, name) => ({
  [`toEqual of ${name}`]: (a, b) => framework.equals(a, b, [framework.iterableEquality]),
  [`toStrictEqual of ${name}`]: (a, b) => {
    const { iterableEquality, typeEquality, sparseArrayEquality, arrayBufferEquality } = framework;
    const testers = [iterableEquality, typeEquality, sparseArrayEquality, arrayBufferEquality];
    return framework.equals(a, b, testers, true);
  },
});

/** @typedef {(a: unknown, b: unknown) => boolean} Equal */
/** @type {Record<string, Equal>} */
const WAYS = {
  'node:assert deepStrictEqual': (a, b) => holds(() => assert.deepStrictEqual(a, b)),
  'node:assert deepEqual': (a, b) => holds(() => looseAssert.deepEqual(a, b)),
  'node:util isDeepStrictEqual': isDeepStrictEqual,
  ...waysOf(jest, 'Jest'),
  ...waysOf(vitest, 'Vitest'),
};

for (const [way, equal] of Object.entries(WAYS)) {
  for (const [kind, { make, others }] of Object.entries(KINDS)) {
    test(`${way} sees shape and content of ${kind}`, () => {
      assert.equal(equal(make(), make()), true);
      assert.equal(equal({ deep: [make()] }, { deep: [make()] }), true);
      for (const [what, other] of Object.entries(others)) {
        assert.equal(equal(make(), other()), false, what);
        assert.equal(equal(other(), make()), false, what);
        assert.equal(equal({ deep: [make()] }, { deep: [other()] }), false, what);
      }
    });
  }
}

test('comparing is seen by no loop, no JSON and no message', () => {
  const x = g.tensor([1, 2]);
  assert.deepEqual(Object.keys(x), Object.keys(g.tensor(3)));
  assert.deepEqual(JSON.parse(JSON.stringify(x)), { shape: [2], values: [1, 2] });
  assert.throws(() => g.variable([1], /** @type {any} */ (x)), /got a Tensor$/);
});
