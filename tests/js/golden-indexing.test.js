/* Indexing ops compared with TensorFlow, as recorded in tests/golden/indexing.json by indexing.py:
 * values, gradients, and calls that are an error in TensorFlow, which must be one here, too.
 *
 * The inputs are multiples of 1/64, so sums are exact and quotients are rounded once on both sides:
 * all bits must be equal. Only the sign of a zero in a gradient is ignored, since sums start from
 * +0. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, init } from 'gradlock';
import { floats, readGolden, sameBits } from '../golden/golden.js';

/** @typedef {[number[], (number | string)[]]} Array A shape and values. */
/**
 * @typedef {{ op: string, about: string, args: any[], inputs: Array[], outputs?: Array[],
 *   upstream?: (number | string)[], gradients?: ((number | string)[] | null)[], refused?: string }}
 *   Case
 */

/** @type {{ cases: Case[], versions: Record<string, string> }} */
const golden = readGolden('indexing.json');

/**
 * Calls the op with gradlock tensors and returns its outputs.
 * @param {any} g
 * @param {Case} row
 * @param {any[]} inputs
 * @returns {any[]}
 */
const applyOp = (g, row, inputs) => {
  const [namespace, method] = row.op.split('.');
  if (method) return [g.variable(inputs[0])[method](inputs[1], inputs[2], ...row.args)];
  const result = g[namespace](...inputs, ...row.args);
  return row.op === 'topK' ? [result.values, result.indices] : [result];
};

/**
 * @param {any} got
 * @param {Array} want
 * @param {string} what
 */
const assertSame = (got, [shape, values], what) => {
  assert.deepEqual([...got.shape], shape, `shape of ${what}`);
  assert.ok(
    sameBits(got.data(), floats(values)),
    `${what} is ${got.data()}, TensorFlow has ${values}`,
  );
};

/** The op's name in error messages. @param {string} op */
const nameOf = (op) => op.replace('variable.', '');

/** @param {Float32Array} values */
const withoutZeroSign = (values) => values.map((value) => value + 0);

/**
 * @param {any} g
 * @param {Case} row
 */
const check = (g, row) => {
  const hasGradient = (/** @type {number} */ i) => Array.isArray(row.gradients?.[i]);
  const tensors = row.inputs.map(([shape, values], i) =>
    hasGradient(i) ? g.variable(floats(values), { shape }) : g.tensor(floats(values), shape),
  );
  if (row.refused) {
    assert.throws(
      () => applyOp(g, row, tensors),
      (error) => error instanceof GradlockError && error.message.includes(nameOf(row.op)),
    );
    return;
  }
  const outputs = row.outputs ?? [];
  const got = applyOp(g, row, tensors);
  outputs.forEach((want, i) => {
    assertSame(got[i], want, `output ${i}`);
  });
  if (row.op.startsWith('variable.')) return;
  const compiled = g.compile(() => applyOp(g, row, tensors)).run();
  outputs.forEach((want, i) => {
    assertSame(compiled[i], want, `compiled output ${i}`);
  });
  if (!row.gradients) return;
  const upstream = g.tensor(floats(row.upstream ?? []), outputs[0][0]);
  const variables = tensors.filter((_, i) => hasGradient(i));
  const loss = () => g.sum(g.mul(applyOp(g, row, tensors)[0], upstream));
  for (const fn of [loss, g.compile(loss)]) {
    const { grads } = g.valueAndGrad(fn, variables);
    row.gradients
      .filter((gradient) => gradient !== null)
      .forEach((gradient, i) => {
        const same = sameBits(withoutZeroSign(grads[i].data()), withoutZeroSign(floats(gradient)));
        assert.ok(same, `gradient ${i} is ${grads[i].data()}, TensorFlow has ${gradient}`);
      });
  }
};

for (const op of new Set(golden.cases.map((row) => row.op))) {
  test(`${op} gives the values and errors of TensorFlow ${golden.versions.tensorflow}`, async (t) => {
    const g = await init();
    for (const row of golden.cases.filter((row) => row.op === op)) {
      await t.test(`${op}: ${row.about}`, () => check(g, row));
    }
    g.dispose();
  });
}
