/* Batched products, einsum, normalization and losses beside TensorFlow and Keras, as recorded in
 * tests/golden/linear.json, and convolutions and pools (image.json).
 *
 * The reference is computed in f64 and rounded to f32 once (where the case says "in f32": in f32),
 * so what differs is gradlock's own error. With u = 2^-24:
 * - products: n u times n times the largest factors, n being the terms of a sum: `work` over the
 *   number of results;
 * - all else is a chain of at most 16 roundings and sums of up to n terms, of values around 1 that
 *   subtract from each other: (n + 16) u times the largest of 1, the result and the upstream
 *   gradient.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { floats, readGolden, sameBits, UNIT } from '../golden/golden.js';

/**
 * @typedef {{ op: string, about: string, inputs: [number[], (number | string)[]][], args: any[],
 *   work?: number, output: [number[], (number | string)[]], upstream: (number | string)[],
 *   gradients: ((number | string)[] | null)[] }} Case
 */

const CASES = ['linear.json', 'image.json'].flatMap((file) => readGolden(file).cases);

/** @param {any} g @param {Case} row @param {any[]} x */
const applyOp = (g, { op, args }, x) => {
  if (op === 'einsum') return g.einsum(args[0], ...x);
  if (op === 'layerNorm') return g.layerNorm(x[0], { gamma: x[1], beta: x[2], ...args[0] });
  if (op.startsWith('losses.')) return g.losses[op.slice(7)](...x, ...args);
  return g[op](...x, ...args);
};

/** @param {Float32Array[]} arrays */
const largest = (...arrays) =>
  Math.max(
    ...arrays.map((x) =>
      x.reduce((a, b) => (Number.isFinite(b) ? Math.max(a, Math.abs(b)) : a), 0),
    ),
  );

/**
 * @param {Float32Array} got @param {Float32Array} want @param {number} tolerance @param {string}
 *   what
 */
const assertNear = (got, want, tolerance, what) => {
  assert.equal(got.length, want.length, `${what}: number of elements`);
  for (let i = 0; i < want.length; i++) {
    if (Object.is(got[i], want[i])) continue;
    const text = `${what}, element ${i}: ${got[i]}, TensorFlow ${want[i]}, ± ${tolerance}`;
    assert.ok(Math.abs(got[i] - want[i]) <= tolerance, text);
  }
};

/** @param {any} g @param {Case} row */
const check = (g, row) => {
  const inputs = row.inputs.map(([, values]) => floats(values));
  const has = (/** @type {number} */ i) => row.gradients[i] !== null;
  const x = inputs.map((values, i) =>
    has(i) ? g.variable(values, { shape: row.inputs[i][0] }) : g.tensor(values, row.inputs[i][0]),
  );
  const [shape, values] = row.output;
  const want = floats(values);
  const upstream = floats(row.upstream);
  const factor = largest(...inputs);
  /** @param {Float32Array} result @param {number} factors */
  const tolerance = (result, factors) => {
    const terms = (row.work ?? inputs[0].length) / Math.max(1, result.length);
    if (row.work) return (terms + 2) * UNIT * terms * factors;
    return (terms + 16) * UNIT * Math.max(1, largest(result), largest(upstream));
  };

  const output = applyOp(g, row, x);
  assert.deepEqual([...output.shape], shape, 'shape');
  const got = output.data();
  assertNear(got, want, tolerance(want, factor * factor), 'value');
  const program = g.compile(() => applyOp(g, row, x));
  assert.ok(sameBits(program.run().data(), got), 'compiled, it computes the same bits');

  const back = g.tensor(upstream, shape);
  const loss = () => g.sum(g.mul(applyOp(g, row, x), back));
  const { grads } = g.valueAndGrad(
    loss,
    x.filter((_, i) => has(i)),
  );
  const replayed = g.valueAndGrad(
    g.compile(loss),
    x.filter((_, i) => has(i)),
  );
  row.gradients.filter(Boolean).forEach((gradient, i) => {
    const wanted = floats(/** @type {(number | string)[]} */ (gradient));
    const found = grads[i].data();
    assertNear(found, wanted, tolerance(wanted, factor * largest(upstream)), `gradient ${i}`);
    assert.ok(
      sameBits(replayed.grads[i].data(), found),
      'compiled, the gradient has the same bits',
    );
  });
};

/** @type {Map<string, Case[]>} */
const byOp = new Map();
for (const row of CASES) byOp.set(row.op, [...(byOp.get(row.op) ?? []), row]);

for (const [op, rows] of byOp) {
  test(`${op} and its gradients are ${op.startsWith('losses.') ? "Keras's" : "TensorFlow's"}`, async (t) => {
    const g = await init();
    for (const row of rows) {
      const reduction = row.args[0]?.reduction;
      await t.test(reduction ? `${row.about}, reduction ${reduction}` : row.about, () =>
        check(g, row),
      );
    }
    g.dispose();
  });
}
