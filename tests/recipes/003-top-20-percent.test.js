/* A mask of the largest 20 %, made anew at every step.
 *
 * Article 003_09fec3fe32c26bef, "Masking with Dynamically Generated Masks", ported line by line
 * below; its loop is "similar to Example 1", with half the sum of squares for the loss that it
 * leaves out. It runs. But a mask that changes is where zeroed gradients leak first: under momentum
 * an element that has left the top 20 % goes on moving for many steps. Of equal values top_k takes
 * the earlier one. gradlock's locks may change before every step, and what leaves stays. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { Draws } from '../golden/golden.js';
import { assertTensorFlow, golden, moved, NOTHING, RULES, taken } from './recipe.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */

const tensorflow = golden('003-top-20-percent');

/**
 * The article's listing: 1 for the elements to update.
 * @param {Gradlock} g
 * @param {Tensor} variable
 */
const topMask = (g, variable) => {
  const topPercent = 0.2;
  const numToUpdate = Math.floor(variable.shape[0] * variable.shape[1] * topPercent);
  const flattened = g.reshape(variable, [-1]);
  const topIndices = g.topK(g.abs(flattened), numToUpdate).indices;
  const ones = new Float32Array(numToUpdate).fill(1);
  const mask = g.scatterNd(g.expandDims(topIndices, 1), ones, flattened.shape);
  return g.reshape(mask, variable.shape);
};

/**
 * Four steps, each with a mask of its own.
 * @param {'sgd' | 'momentum'} rule
 * @param {'where' | 'lock'} how
 */
async function run(rule, how) {
  const g = await init();
  const variable = g.variable(new Draws(3).array([100]), { shape: [10, 10] });
  const optimizer = RULES[rule](g);
  /** @type {number[][]} */
  const masks = [];
  let leaked = NOTHING;
  for (let step = 0; step < 4; step++) {
    const mask = topMask(g, variable);
    const chosen = mask.data();
    masks.push([...chosen.keys()].filter((i) => chosen[i]));
    const before = variable.data();
    const tape = g.tape(() => g.div(g.sum(g.square(variable)), 2));
    const gradients = taken(tape.gradient(tape.value, variable));
    if (how === 'lock') variable.trainOnly(chosen);
    const gradient = how === 'where' ? g.where(mask, gradients, 0) : gradients;
    optimizer.applyGradients([[gradient, variable]]);
    const others = [...chosen.keys()].filter((i) => !chosen[i]);
    const now = moved(before, variable.data(), others);
    leaked = { elements: leaked.elements + now.elements, bits: leaked.bits + now.bits };
  }
  return { masks, end: variable.data(), leaked };
}

for (const expected of tensorflow.runs) {
  test(`${expected.rule}: masks and values are TensorFlow's, step by step`, async () => {
    const got = await run(expected.rule, 'where');
    assert.deepEqual(got.masks, expected.masks);
    assertTensorFlow(got.end, expected.end);
    // With momentum what has left the mask goes on moving.
    if (expected.rule === 'sgd') assert.deepEqual(got.leaked, NOTHING);
    else assert.ok(got.leaked.elements > 0);
  });

  test(`${expected.rule}: x.trainOnly(mask) before each step moves nothing else`, async () => {
    const got = await run(expected.rule, 'lock');
    assert.deepEqual(got.leaked, NOTHING);
    if (expected.rule === 'sgd') assertTensorFlow(got.end, expected.end);
  });
}

test('of equal values the earlier ones are taken, as in TensorFlow', async () => {
  const g = await init();
  assert.deepEqual(g.topK([2, 3, 3, 1, 3], 2).indices.array(), tensorflow.tiesTaken);
});
