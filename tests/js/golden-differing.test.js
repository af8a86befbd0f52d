/* Ops that TensorFlow.js lacks or does differently beside TensorFlow itself, as recorded in
 * tests/golden/differing.json: values and gradients, ties and special numbers. The reference is
 * TensorFlow in f64, rounded once.
 *
 * Tolerances, with u = 2^-24. Exact: arithmetic of one rounding, and what only moves or chooses
 * elements. Otherwise a few roundings, and n more where n elements are summed: values 2 (n + 8) u
 * and gradients 2 (n + 16) u of the largest magnitude among results, operands and dL/dy; n = 0 and
 * each element by itself where nothing is summed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { floats, readGolden, sameBits, UNIT } from '../golden/golden.js';

/** @typedef {{ op: string, about: string, inputs: [number[], (number | string)[]][], args: any[],
 *   output: [number[], (number | string)[]], upstream?: (number | string)[],
 *   gradients: ((number | string)[] | null)[] }} Case */

const SUMS = new Set(
  'sum mean prod logSumExp variance l2Norm softmax logSoftmax cumsum'.split(' '),
);
const EXACT = new Set(
  'relu abs sign floor ceil round clipByValue maximum minimum max min roll mirrorPad stridedSlice'.split(
    ' ',
  ),
);

/** @param {Iterable<number>} values */
const largest = (values) => {
  let most = 0;
  for (const value of values) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  return most;
};

/**
 * @param {Float32Array} got
 * @param {Float32Array} want
 * @param {(i: number) => number} tolerance
 * @param {string} where
 */
const assertNear = (got, want, tolerance, where) => {
  assert.equal(got.length, want.length, `${where}: number of elements`);
  for (const [i, wanted] of want.entries()) {
    const same = Object.is(got[i], wanted) || got[i] === wanted;
    const text = `${where}, element ${i}: ${got[i]}, TensorFlow ${wanted} ± ${tolerance(i)}`;
    assert.ok(same || Math.abs(got[i] - wanted) <= tolerance(i), text);
  }
};

/**
 * @param {any} g
 * @param {Case} row
 */
const check = (g, { op, inputs, args, output, upstream, gradients }) => {
  const values = inputs.map(([, numbers]) => floats(numbers));
  const variables = values.map((numbers, k) => g.variable(numbers, { shape: inputs[k][0] }));
  const [shape, numbers] = output;
  const want = floats(numbers);
  const terms = SUMS.has(op) ? largest(values.map(({ length }) => length)) : 0;
  const apply = () => g[op](...variables, ...args);

  const result = apply();
  assert.deepEqual([...result.shape], shape);
  const most = largest([...want, ...values.flatMap((list) => [...list])]);
  const scale = EXACT.has(op) ? 0 : 2 * (terms + 8) * UNIT;
  assertNear(result.data(), want, (i) => scale * (terms ? most : Math.abs(want[i])), 'value');
  assert.ok(sameBits(g.compile(apply).run().data(), result.data()), 'compiled, the same bits');

  const back = upstream ? floats(upstream) : new Float32Array(want.length).fill(1);
  for (const [k, gradient] of gradients.entries()) {
    if (gradient === null) continue;
    const slope = floats(gradient);
    const loss = () => g.sum(g.mul(apply(), g.tensor(back, shape)));
    const [got] = g.valueAndGrad(loss, [variables[k]]).grads;
    const sums = Math.max(terms, back.length > slope.length ? back.length : 0);
    const size = largest([...slope, ...back]);
    const allowed = (/** @type {number} */ i) =>
      2 * (sums + 16) * UNIT * (sums ? size : Math.abs(slope[i]) + Math.abs(back[i] ?? size));
    assertNear(got.data(), slope, allowed, `gradient by operand ${k}`);
  }
};

const { cases } = /** @type {{ cases: Case[] }} */ (readGolden('differing.json'));

for (const op of new Set(cases.map((row) => row.op))) {
  test(`${op} and its gradients are TensorFlow's`, async (t) => {
    const g = await init();
    for (const row of cases) {
      if (row.op === op) await t.test(`${op}: ${row.about}`, () => check(g, row));
    }
    g.dispose();
  });
}
