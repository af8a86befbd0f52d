/* Ops beside TensorFlow, values and gradients: ops.json (arithmetic and special numbers),
 * differing.json (what TensorFlow.js lacks or does differently), written by tests/golden.
 * Derivatives are checked numerically in C; here are TensorFlow's conventions for them.
 * Convolutions, pools and normalization are beside Keras in golden-layers.test.js, and beside plain
 * loops in C.
 *
 * The reference is TensorFlow in f64, rounded to f32 once, so what differs is gradlock's own error.
 * With u = 2^-24 and n the number of summed terms:
 * - EXACT: arithmetic, roots, selection, layout are correctly rounded, hence have the same bits (an
 *   f64 result rounded to f32 is the f32 result, since 53 >= 2 * 24 + 2);
 * - CHAINS are at most 16 roundings and sums of n terms, of values around 1 that subtract from each
 *   other: (n + 16) u times the largest of 1, the result and the upstream gradient;
 * - all else, values 2 (n + 8) u and gradients 2 (n + 16) u of the largest magnitude among results,
 *   operands and dL/dy; n = 0 and each element by itself where nothing is summed. Below the normal
 *   numbers errors are absolute, in units of 2^-149. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { floats, readGolden, sameBits, UNIT } from '../golden/golden.js';

/** @typedef {{ op: string, about: string, inputs: [number[], (number | string)[]][], args: any[],
 *   output: [number[], (number | string)[]], upstream?: (number | string)[],
 *   gradients?: ((number | string)[] | null)[] }} Case */

const set = (/** @type {string} */ names) => new Set(names.split(' '));
const SUMS = set('sum mean prod logSumExp variance l2Norm softmax logSoftmax cumsum matMul');
/** Of which a zero has the sign that IEEE 754 says. */
const SIGNED = set('add sub mul div neg square sqrt where reshape transpose slice stopGradient');
const EXACT = set(
  'relu abs sign floor ceil round clipByValue maximum minimum max min roll mirrorPad stridedSlice',
);
const COMPARED = set('equal greater greaterEqual less lessEqual');
const CHAINS = set('softmax logSoftmax');
const TINY = 16 * 2 ** -149;

/** @type {Case[]} */
const CASES = ['ops', 'differing'].flatMap((name) => readGolden(`${name}.json`).cases);

/** @param {Iterable<number>} values */
const largest = (values) => {
  let most = 0;
  for (const value of values) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  return most;
};

/** @param {any} g @param {Case} row @param {any[]} x */
const applyOp = (g, { op, args }, x) => {
  // Its gradient is the stopped factor.
  if (op === 'stopGradient') return g.mul(x[0], g.stopGradient(x[0]));
  return g[op](...x, ...args);
};

/**
 * @param {Float32Array} got
 * @param {Float32Array} want
 * @param {(i: number) => number} tolerance
 * @param {boolean} isSigned
 * @param {string} where
 */
const assertNear = (got, want, tolerance, isSigned, where) => {
  assert.equal(got.length, want.length, `${where}: number of elements`);
  for (const [i, wanted] of want.entries()) {
    if (Object.is(got[i], wanted) || (!isSigned && got[i] === wanted)) continue;
    const isZero = got[i] === 0 && wanted === 0;
    const text = `${where}, element ${i}: ${got[i]}, TensorFlow ${wanted} ± ${tolerance(i)}`;
    assert.ok(!isZero && Math.abs(got[i] - wanted) <= tolerance(i), text);
  }
};

/**
 * How far values and gradients may be off.
 * @param {Case} row
 * @param {Float32Array[]} inputs
 * @param {Float32Array} want
 * @param {Float32Array} back
 */
const tolerancesOf = ({ op }, inputs, want, back) => {
  const isExact = SIGNED.has(op) || EXACT.has(op) || COMPARED.has(op);
  const factor = largest(inputs.flatMap((list) => [...list]));
  /** @param {Float32Array} result */
  const ofChain = (result) => {
    const terms = inputs[0].length / Math.max(1, result.length);
    const size = Math.max(1, largest(result), largest(back));
    return () => UNIT * (terms + 16) * size;
  };
  const isChain = CHAINS.has(op);
  const terms = SUMS.has(op) ? largest(inputs.map(({ length }) => length)) : 0;
  const most = op === 'matMul' ? terms * factor * factor : Math.max(largest(want), factor);
  const scale = isExact ? 0 : 2 * (terms + 8) * UNIT;
  return {
    value: isChain
      ? ofChain(want)
      : (/** @type {number} */ i) => scale * (terms ? most : Math.abs(want[i])) + (scale && TINY),
    gradient: (/** @type {Float32Array} */ slope) => {
      if (isChain) return ofChain(slope);
      const sums = Math.max(terms, back.length > slope.length ? back.length : 0);
      const size = largest([...slope, ...back]) * (op === 'matMul' ? Math.max(1, factor) : 1);
      return (/** @type {number} */ i) =>
        2 * (sums + 16) * UNIT * (sums ? size : Math.abs(slope[i]) + Math.abs(back[i] ?? size)) +
        TINY;
    },
  };
};

/** @param {any} g @param {Case} row */
const check = (g, row) => {
  const inputs = row.inputs.map(([, values]) => floats(values));
  const slopes = row.gradients ?? [];
  const x = inputs.map((values, i) =>
    slopes[i]
      ? g.variable(values, { shape: row.inputs[i][0] })
      : g.tensor(values, row.inputs[i][0]),
  );
  const [shape, values] = row.output;
  const want = floats(values);
  const back = row.upstream ? floats(row.upstream) : new Float32Array(want.length).fill(1);
  const tolerances = tolerancesOf(row, inputs, want, back);
  const output = applyOp(g, row, x);
  assert.deepEqual([...output.shape], shape);
  assertNear(output.data(), want, tolerances.value, SIGNED.has(row.op), 'value');
  const compiled = g.compile(() => applyOp(g, row, x)).run();
  assert.ok(sameBits(compiled.data(), output.data()), 'compiled, it computes the same bits');
  const variables = x.filter((_, i) => slopes[i]);
  if (variables.length === 0) return;
  const loss = () => g.sum(g.mul(applyOp(g, row, x), g.tensor(back, shape)));
  const { grads } = g.valueAndGrad(loss, variables);
  for (const [i, gradient] of slopes.filter((one) => one !== null).entries()) {
    const slope = floats(gradient);
    // A sum over a broadcast axis starts from +0, so a gradient's zero has no sign of its own.
    assertNear(grads[i].data(), slope, tolerances.gradient(slope), false, `gradient ${i}`);
  }
};

for (const op of new Set(CASES.map((row) => row.op))) {
  test(`${op} and its gradients are TensorFlow's`, async (t) => {
    const g = await init();
    for (const row of CASES) {
      if (row.op === op) await t.test(`${op}: ${row.about}`, () => check(g, row));
    }
    g.dispose();
  });
}
