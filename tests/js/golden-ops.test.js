/* Every op, value and gradient, beside TensorFlow as recorded in tests/golden/ops.json by
 * generate.py.
 *
 * The reference is TensorFlow in f64, rounded to f32 once, so what differs is gradlock's own error.
 * By derivation, with u = 2^-24 and n the number of summed terms:
 * - arithmetic, roots, selection, layout: correctly rounded, hence the same bits (an f64 result
 *   rounded to f32 is the f32 result, since 53 >= 2 * 24 + 2);
 * - exp, log, tanh, sigmoid: at most 2 ulp, and half an ulp of the reference: 2.5 * 2u;
 * - sums: n u times the sum of magnitudes;
 * - gradients: a few roundings (8u) of each, n u more where a broadcast sums; those of tanh and
 *   sigmoid subtract from 1, so theirs is 8u of the upstream gradient.
 * Results below the normal numbers carry absolute errors in units of 2^-149 instead. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { floats, printTable, readGolden, relativeError, sameBits, UNIT } from '../golden/golden.js';

/** @typedef {{ op: string, about: string, inputs: [number[], (number | string)[]][], args: any[],
 *   output: [number[], (number | string)[]], upstream?: (number | string)[],
 *   gradients?: ((number | string)[] | null)[] }} Case */

const golden = readGolden('ops.json');

const SUMS = new Set(['sum', 'mean', 'matMul']);
const APPROXIMATED = new Set(['exp', 'log', 'tanh', 'sigmoid']);
const SATURATING = new Set(['tanh', 'sigmoid']);
// IEEE 754 leaves open which zero is the larger; relu is a maximum.
const EITHER_ZERO = new Set(['maximum', 'minimum', 'relu']);
const SUBNORMAL_SLACK = 16 * 2 ** -149;

/** @type {Map<string, { value: number, gradient: number, cases: number }>} */
const worst = new Map();
after(() => {
  const text = (/** @type {number} */ error) => (error === 0 ? 'exact' : error.toExponential(1));
  printTable(
    `Largest relative error of each op, beside TensorFlow ${golden.versions.tensorflow}'s own in f32`,
    ['op', 'cases', 'value', 'TensorFlow', 'gradient', 'TensorFlow'],
    [...worst].map(([op, { value, gradient, cases }]) => {
      const theirs = golden.tensorflowErrors[op];
      const errors = [value, theirs.value, gradient, theirs.gradient].map(text);
      return [op, String(cases), ...errors];
    }),
  );
});

/** @param {Float32Array} values */
const sumOfMagnitudes = (values) => values.reduce((sum, value) => sum + Math.abs(value), 0);
/** @param {Float32Array} values */
const largest = (values) =>
  values.reduce((a, b) => (Number.isFinite(b) ? Math.max(a, Math.abs(b)) : a), 0);

/**
 * Tolerance of the value at each index.
 * @param {Case} row
 * @param {Float32Array[]} inputs
 * @param {Float32Array} want
 */
function valueTolerance(row, inputs, want) {
  if (APPROXIMATED.has(row.op)) {
    return (/** @type {number} */ i) => 5 * UNIT * Math.abs(want[i]) + 2.5 * 2 ** -149;
  }
  if (row.op === 'matMul') {
    const terms = inputs[0].length / row.output[0][0];
    const bound = (terms + 1) * UNIT * terms * largest(inputs[0]) * largest(inputs[1]);
    return () => bound;
  }
  const bound = SUMS.has(row.op) ? (inputs[0].length + 1) * UNIT * sumOfMagnitudes(inputs[0]) : 0;
  return () => bound;
}

/**
 * Tolerance of a gradient at each index.
 * @param {Case} row
 * @param {Float32Array} want
 * @param {Float32Array} upstream
 */
function gradientTolerance(row, want, upstream) {
  const terms = row.op === 'matMul' ? 16 : Math.max(1, upstream.length / want.length);
  const whole = terms > 1 || SUMS.has(row.op) ? largest(want) : 0;
  const saturating = SATURATING.has(row.op) ? 8 * UNIT * largest(upstream) : 0;
  return (/** @type {number} */ i) =>
    (terms + 7) * UNIT * Math.max(Math.abs(want[i]), whole) + saturating + SUBNORMAL_SLACK;
}

/**
 * Equal kinds (NaN, infinity, and zero where its sign matters) and values within the tolerance.
 * @param {Float32Array} got
 * @param {Float32Array} want
 * @param {(i: number) => number} tolerance
 * @param {boolean} eitherZero
 * @param {string} where
 */
function assertNear(got, want, tolerance, eitherZero, where) {
  assert.equal(got.length, want.length, `${where}: number of elements`);
  for (let i = 0; i < want.length; i++) {
    const same = Object.is(got[i], want[i]) || (eitherZero && got[i] === want[i]);
    if (same) continue;
    const zeros = got[i] === 0 && want[i] === 0;
    const text = `${where}, element ${i}: ${got[i]}, TensorFlow ${want[i]}, ± ${tolerance(i)}`;
    assert.ok(!zeros && Math.abs(got[i] - want[i]) <= tolerance(i), text);
  }
}

/**
 * The op on gradlock tensors; stopGradient as x * stopGradient(x), whose gradient is the stopped
 * factor.
 * @param {any} g
 * @param {Case} row
 * @param {any[]} inputs
 */
function applyOp(g, row, inputs) {
  if (row.op === 'stopGradient') return g.mul(inputs[0], g.stopGradient(inputs[0]));
  return g[row.op](...inputs, ...row.args);
}

/**
 * Compare value, compiled value and gradients of one case.
 * @param {any} g
 * @param {Case} row
 */
function check(g, row) {
  const inputs = row.inputs.map(([, values]) => floats(values));
  const has = (/** @type {number} */ i) => Array.isArray(row.gradients?.[i]);
  const tensors = inputs.map((values, i) =>
    has(i) ? g.variable(values, { shape: row.inputs[i][0] }) : g.tensor(values, row.inputs[i][0]),
  );
  const entry = worst.get(row.op) ?? { value: 0, gradient: 0, cases: 0 };
  worst.set(row.op, entry);
  entry.cases++;

  const [shape, values] = row.output;
  const want = floats(values);
  const output = applyOp(g, row, tensors);
  const got = output.data();
  assert.deepEqual([...output.shape], shape, 'shape of the value');
  const tolerance = valueTolerance(row, inputs, want);
  assertNear(got, want, tolerance, EITHER_ZERO.has(row.op), 'value');
  // As in Python: special values are right or wrong, subnormal ones have absolute errors.
  const counts = !/special|subnormal/.test(row.about);
  if (counts) entry.value = Math.max(entry.value, relativeError(got, want, SUMS.has(row.op)));

  const program = g.compile(() => applyOp(g, row, tensors));
  assert.ok(sameBits(program.run().data(), got), 'compiled, it computes the same bits');

  if (!row.gradients) return;
  const upstream = row.upstream ? floats(row.upstream) : new Float32Array(want.length).fill(1);
  const back = g.tensor(upstream, shape);
  const variables = tensors.filter((_, i) => has(i));
  const { grads } = g.valueAndGrad(() => g.sum(g.mul(applyOp(g, row, tensors), back)), variables);
  let next = 0;
  row.gradients.forEach((gradient, i) => {
    if (!gradient) return;
    const wantGradient = floats(gradient);
    const gotGradient = grads[next++].data();
    const bound = gradientTolerance(row, wantGradient, upstream);
    // A sum over a broadcast axis starts from +0, so a gradient's zero has no sign of its own.
    assertNear(gotGradient, wantGradient, bound, true, `gradient of input ${i}`);
    const error = relativeError(gotGradient, wantGradient, true);
    if (counts) entry.gradient = Math.max(entry.gradient, error);
  });
}

/** @type {Map<string, Case[]>} */
const byOp = new Map();
for (const row of golden.cases) byOp.set(row.op, [...(byOp.get(row.op) ?? []), row]);

for (const [op, rows] of byOp) {
  test(`${op} and its gradients are TensorFlow's`, async (t) => {
    const g = await init();
    for (const row of rows) await t.test(`${op}: ${row.about}`, () => check(g, row));
    g.dispose();
  });
}
