/* einsum against the plain loop. Values and gradients of products beside TensorFlow's are in
 * golden-ops.test.js. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { bitsOf, random } from './support.js';

const SEED = 20261121;
const M = [
  [1, 2, 3],
  [4, 5, 6],
];

/** @param {readonly number[]} shape */
const count = (shape) => shape.reduce((a, b) => a * b, 1);

/**
 * Einstein's sum by its definition, in f64, over an index for every label.
 * @param {string[]} terms
 * @param {string} output
 * @param {Map<string, number>} sizes
 * @param {Float32Array[]} values
 */
const plainSum = (terms, output, sizes, values) => {
  const labels = [...sizes.keys()];
  const size = (/** @type {string} */ label) => Number(sizes.get(label));
  const out = new Float64Array(count([...output].map(size)));
  const total = count(labels.map(size));
  for (let at = 0; at < total; at++) {
    /** @type {Map<string, number>} */
    const index = new Map();
    let rest = at;
    for (const label of labels) {
      index.set(label, rest % size(label));
      rest = Math.floor(rest / size(label));
    }
    const flat = (/** @type {string} */ term) =>
      [...term].reduce((sum, label) => sum * size(label) + Number(index.get(label)), 0);
    out[flat(output)] += values.reduce((product, x, i) => product * x[flat(terms[i])], 1);
  }
  return out;
};

test('einsum is the plain sum over all labels, for any equation, at once and in a program', async () => {
  const next = random(SEED);
  const below = (/** @type {number} */ n) => Math.floor(next() * n);
  const g = await init();
  for (let round = 0; round < 400; round++) {
    const sizes = new Map([...'abcdef'].map((label) => [label, next() < 0.04 ? 0 : 1 + below(3)]));
    const draw = (/** @type {string} */ from) =>
      [...from]
        .filter(() => next() < 0.5)
        .sort(() => next() - 0.5)
        .join('');
    const terms = [draw('abcdef'), draw('abcdef')].slice(0, 1 + below(2));
    const used = [...new Set(terms.join(''))];
    for (const label of sizes.keys()) if (!used.includes(label)) sizes.delete(label);
    const output = draw(used.join(''));
    const equation = `${terms.join(',')}->${output}`;
    const shapes = terms.map((term) => [...term].map((label) => Number(sizes.get(label))));
    // Small whole numbers: every sum is exact, in whatever order.
    const values = shapes.map((s) => Float32Array.from({ length: count(s) }, () => below(7) - 3));
    const where = `seed ${SEED}, round ${round}: ${equation} of ${JSON.stringify(shapes)}`;
    const operands = values.map((x, i) => g.tensor(x, shapes[i]));
    const { objects } = g.memory();
    const result = g.einsum(equation, ...operands);
    const expected = plainSum(terms, output, sizes, values);
    assert.deepEqual(
      [...result.shape],
      [...output].map((label) => sizes.get(label)),
      where,
    );
    assert.deepEqual(
      [...result.data()].map((x) => x + 0),
      [...expected],
      where,
    );
    const program = g.compile(() => g.einsum(equation, ...operands));
    assert.deepEqual(bitsOf(program.run().data()), bitsOf(result.data()), where);
    assert.equal(g.memory().objects, objects + 3, `${where}: nothing but the result is left`);
    for (const thing of [result, program, ...operands]) thing.dispose();
  }
});

test('the result of einsum is its own: disposing it leaves the operand as it was', async () => {
  const g = await init();
  const x = g.tensor(M);
  g.einsum('ij->ij', x).dispose();
  assert.deepEqual(x.array(), M);
});
