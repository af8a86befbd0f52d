/* Every public row of the op table beside TensorFlow.js on its cpu backend: values and gradients,
 * over shapes of every rank, broadcasting, no elements, and special numbers. What both have must
 * agree, or be listed with a reason in parity/differences.js and docs/differences.md; each listed
 * difference must be one.
 *
 * Tolerances, with u = 2^-24, the relative error of one rounding to f32. TensorFlow.js computes
 * single numbers with Math in f64 and rounds once, but stores every intermediate of a gradient or a
 * composite as f32.
 * - Values with a tolerance of n ulp: gradlock's claim (tests/c/math_claims.h) and half an ulp of
 *   TensorFlow.js: 2 n u of the value, and n units among the subnormal numbers. 0 means the same
 *   bits.
 * - Sums: both add n terms in their own order: 2 (n + 1) u times the sum of magnitudes, which
 *   TensorFlow.js computes of the operands' magnitudes.
 * - Relative to the array: composites of at most 16 roundings and sums: 2 (n + 16) u times the
 *   largest magnitude among results and operands.
 * - Gradients: the same, with the largest magnitude among gradient and dL/dy; of special numbers
 *   each element by itself.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init } from 'gradlock';
import { DIFFERENCES, LACKING } from './parity/differences.js';
import { ROWS } from './parity/rows.js';
import { random } from './support.js';
import { openBridge, readOps } from './tables.js';
import { loadTensorFlow } from './tensorflow.js';

/** @typedef {import('./parity/cases.js').Row} Row */
/** @typedef {import('./parity/cases.js').Case} Case */
/** @typedef {{ shape: number[], values: Float32Array }} Result */

const UNIT = 2 ** -24;
const TINIEST = 2 ** -149;
/** Of one case. */
const MOST_SHOWN = 4;

/** @param {Iterable<number>} values */
const largest = (values) => {
  let most = 0;
  for (const value of values) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  return most;
};

/**
 * dL/dy: ones for special numbers, whose kind then decides; seeded numbers otherwise.
 * @param {Case} sample
 * @param {number[]} shape
 */
const upstreamOf = (sample, shape) => {
  const next = random(7);
  const length = shape.reduce((product, size) => product * size, 1);
  return Float32Array.from({ length }, () => (sample.isSpecial ? 1 : 2 * next() - 1));
};

/**
 * @param {any} tensor Of gradlock or TensorFlow.js.
 * @returns {Result}
 */
const read = (tensor) => ({
  shape: Array.from(tensor.shape),
  values: Float32Array.from('dataSync' in tensor ? tensor.dataSync() : tensor.data()),
});

/**
 * @template T
 * @param {() => T} call
 * @returns {T | Error}
 */
const attempt = (call) => {
  try {
    return call();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
};

/** @typedef {{ value: () => Result, gradient: (k: number, upstream: Result) => Result }} Side */

/**
 * @param {any} g
 * @param {Row} row
 * @param {Case} sample
 * @returns {Side}
 */
const ourSide = (g, row, { inputs, args }) => ({
  value: () =>
    g.tidy(() => {
      const operands = inputs.map(({ shape, values }) => g.tensor(values, shape));
      return read(row.ours(g, operands, args));
    }),
  gradient: (k, upstream) =>
    g.tidy(() => {
      const operands = inputs.map(({ shape, values }) => g.tensor(values, shape));
      const x = g.variable(inputs[k].values, { shape: inputs[k].shape });
      const weights = g.tensor(upstream.values, upstream.shape);
      const loss = () => g.sum(g.mul(row.ours(g, operands.with(k, x), args), weights));
      try {
        return read(g.valueAndGrad(loss, [x]).grads[0]);
      } finally {
        x.dispose();
      }
    }),
});

/**
 * @param {Row} row
 * @param {Case} sample
 * @returns {Side}
 */
const theirSide = (row, { inputs, args }) => {
  const operands = () =>
    inputs.map(({ shape, values }) => tf.tensor(values.slice(), shape, 'float32'));
  return {
    value: () => tf.tidy(() => read(row.theirs(tf, operands(), args))),
    gradient: (k, upstream) =>
      tf.tidy(() => {
        const given = operands();
        const dy = tf.tensor(upstream.values, upstream.shape, 'float32');
        const gradient = tf.grad((/** @type {any} */ x) => row.theirs(tf, given.with(k, x), args));
        return read(gradient(given[k], dy));
      }),
  };
};

/**
 * What sums of the operands' magnitudes come to.
 * @param {Row} row
 * @param {Case} sample
 */
const sumsOf = (row, { inputs, args }) =>
  tf.tidy(() => {
    const magnitudes = inputs.map(({ shape, values }) => tf.tensor(values.map(Math.abs), shape));
    return read(row.theirs(tf, magnitudes, args)).values;
  });

/**
 * @param {Row} row
 * @param {Case} sample
 * @param {Result} want
 * @returns {(i: number) => number}
 */
const valueTolerance = (row, sample, { values }) => {
  const { tolerance } = row;
  const terms = Math.max(...sample.inputs.map((input) => input.values.length));
  if (tolerance === 'sum') {
    const sums = sumsOf(row, sample);
    return (i) => 2 * (terms + 1) * UNIT * sums[i];
  }
  if (tolerance === 'array') {
    const most = largest([...values, ...sample.inputs.flatMap((input) => [...input.values])]);
    return () => 2 * (terms + 16) * UNIT * most;
  }
  return (i) => tolerance * (2 * UNIT * Math.abs(values[i]) + TINIEST);
};

/**
 * @param {Case} sample
 * @param {Result} gradient
 * @param {Float32Array} upstream
 * @returns {(i: number) => number}
 */
const gradientTolerance = (sample, { values }, upstream) => {
  const most = largest([...values, ...upstream]);
  const scale = 2 * (upstream.length + 16) * UNIT;
  return (i) => scale * (sample.isSpecial ? Math.abs(values[i]) + 1 : most);
};

/** @typedef {{ at: number, text: string }} Wrong An element, or -1 for all of them. */

/**
 * @param {Result | Error} got
 * @param {Result | Error} want
 * @param {() => (i: number) => number} makeTolerance
 * @param {boolean} eitherZero
 * @returns {Wrong[]}
 */
const compare = (got, want, makeTolerance, eitherZero) => {
  if (got instanceof Error || want instanceof Error) {
    const say = (/** @type {Result | Error} */ side) =>
      side instanceof Error ? `"${side.message}"` : 'a result';
    return [{ at: -1, text: `${say(got)}, TensorFlow.js ${say(want)}` }];
  }
  if (String(got.shape) !== String(want.shape)) {
    return [{ at: -1, text: `shape [${got.shape}], TensorFlow.js [${want.shape}]` }];
  }
  const tolerance = makeTolerance();
  const wrong = [];
  for (const [i, wanted] of want.values.entries()) {
    const value = got.values[i];
    if (Object.is(value, wanted) || (eitherZero && value === wanted)) continue;
    const isZero = value === 0 && wanted === 0;
    if (!isZero && Math.abs(value - wanted) <= tolerance(i)) continue;
    wrong.push({ at: i, text: `${value}, TensorFlow.js ${wanted} ± ${tolerance(i)}, at ${i}` });
  }
  return wrong;
};

/** Entries of DIFFERENCES that stood for one. */
const used = new Set();

/**
 * What differs in a case and is not known to.
 * @param {any} g
 * @param {string} op
 * @param {Row} row
 * @param {Case} sample
 */
const check = (g, op, row, sample) => {
  /** @type {string[]} */
  const unknown = [];
  /**
   * @param {'value' | 'gradient'} part
   * @param {string} where
   * @param {Wrong[]} wrong
   */
  const judge = (part, where, wrong) => {
    let more = 0;
    for (const { at, text } of wrong) {
      const operands = sample.inputs.map(({ values }) => values[at]);
      const known = DIFFERENCES.find(
        (entry) =>
          entry.op === op &&
          entry.part === part &&
          entry.about.test(sample.about) &&
          (entry.where ? at >= 0 && entry.where(...operands) : at < 0),
      );
      if (known) used.add(known);
      else if (more++ < MOST_SHOWN) {
        unknown.push(`${op} of ${sample.about}, ${where}: ${text}, operands ${operands}`);
      }
    }
    if (more > MOST_SHOWN) unknown.push(`${op} of ${sample.about}, ${where}: ${more} in all`);
  };
  const ours = ourSide(g, row, sample);
  const theirs = theirSide(row, sample);
  const got = attempt(ours.value);
  const want = attempt(theirs.value);
  const tolerance = () => valueTolerance(row, sample, /** @type {Result} */ (want));
  judge('value', 'value', compare(got, want, tolerance, row.eitherZero === true));
  if (got instanceof Error) return unknown;
  const upstream = { shape: got.shape, values: upstreamOf(sample, got.shape) };
  for (const k of sample.inputs.keys()) {
    if (!row.gradients[k]) continue;
    const slope = attempt(() => theirs.gradient(k, upstream));
    const slopes = attempt(() => ours.gradient(k, upstream));
    const allowed = () => gradientTolerance(sample, /** @type {Result} */ (slope), upstream.values);
    judge('gradient', `gradient by operand ${k}`, compare(slopes, slope, allowed, true));
  }
  return unknown;
};

const tf = await loadTensorFlow();
const bridge = await openBridge();
const rows = readOps(bridge).filter(({ isPublic }) => isPublic);
bridge.close();

/** Methods that are made of rows. */
const COMPOSED = [
  'stack',
  'unstack',
  'split',
  'topK',
  'einsum',
  'zeros',
  'ones',
  'zerosLike',
  'onesLike',
  'eye',
  'linspace',
];

test('every public row is compared, or listed as one that TensorFlow.js lacks', () => {
  const names = rows.map(({ name }) => name);
  const listed = new Set([...ROWS.keys(), ...Object.keys(LACKING)]);
  assert.deepEqual(
    names.filter((name) => !listed.has(name)),
    [],
    'rows without a word on TensorFlow.js',
  );
  assert.deepEqual(
    [...listed].filter((name) => !names.includes(name) && !COMPOSED.includes(name)),
    [],
    'names that are no rows',
  );
});

for (const [name, row] of ROWS) {
  test(`${name} and its gradients are TensorFlow.js's`, async () => {
    const g = /** @type {any} */ (await init());
    assert.ok(name in g || name in g.losses, `there is no method ${name}`);
    const wrong = row.cases.flatMap((sample) => check(g, name, row, sample));
    g.dispose();
    assert.deepEqual(wrong, []);
  });
}

test('every listed difference is one', () => {
  const idle = DIFFERENCES.filter((entry) => !used.has(entry));
  assert.deepEqual(
    idle.map(({ op, part, about }) => `${op}, ${part}, ${about}`),
    [],
  );
});

test('docs/differences.md lists what differs and what is lacking, and nothing else', () => {
  const lines = readFileSync(new URL('../../docs/differences.md', import.meta.url), 'utf8').split(
    '\n',
  );
  const rows = lines.filter((line) => line.startsWith('| `')).map((line) => line.split('|'));
  /** @param {string} cell */
  const opsIn = (cell) => Array.from(cell.matchAll(/`(\w+)`/g), ([, op]) => op);
  const differing = rows.filter((row) => row.length === 6);
  const listed = differing.flatMap(([, ops, part]) =>
    opsIn(ops).map((op) => `${op} ${part.trim()}`),
  );
  const known = DIFFERENCES.map(({ op, part }) => `${op} ${part}`);
  assert.deepEqual([...new Set(listed)].sort(), [...new Set(known)].sort());
  const lacking = rows.filter((row) => row.length === 4).flatMap(([, ops]) => opsIn(ops));
  assert.deepEqual(lacking.sort(), Object.keys(LACKING).sort());
});
