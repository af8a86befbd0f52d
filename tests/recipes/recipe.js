/* What the recipes share: the small problem that most of them train, TensorFlow's numbers for it,
 * and counting the bits that moved. The numbers come from tests/golden/recipes.py, which ran each
 * snippet in TensorFlow.
 *
 * Refuses to guess a tolerance. SGD, with momentum or without, has the same f32 expressions on both
 * sides: its bits are equal. Adam's bias correction is a power, in f32 there and in f64 here, so
 * that a step of Keras's is off by up to 1.3e-4 of its length through beta2
 * (tests/js/golden-driver.test.js derives it); the weights' own roundings are added. */
import assert from 'node:assert/strict';
import { layers } from 'gradlock/layers';
import { Draws, readGolden, UNIT } from '../golden/golden.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Optimizer} Optimizer */
/** @typedef {import('gradlock').Tensor} Tensor */
/** @typedef {import('gradlock').Variable} Variable */
/**
 * @typedef {{ raises?: string, message?: string, returns?: any }} Outcome Of a line that may not
 *   run.
 */
/** @typedef {'sgd' | 'momentum' | 'adam' | 'adamW'} Rule */

/**
 * What TensorFlow did with a recipe's snippets.
 * @param {string} name
 * @returns {any}
 */
export const golden = (name) =>
  readGolden('recipes.json').recipes.find((/** @type {any} */ row) => row.recipe === name);

export const START = [
  [1, 2, 3],
  [4, 5, 6],
];
export const TARGET = [
  [0, 4, -1],
  [2, 5.5, 8],
];
/** 1 = trains, 0 = locked. */
export const FREE = [
  [1, 0, 1],
  [0, 1, 0],
];
/** The same, as selections. */
export const FREE_INDICES = [
  [0, 0],
  [0, 2],
  [1, 1],
];
export const LOCKED_INDICES = [
  [0, 1],
  [1, 0],
  [1, 2],
];

/** What the articles' layers are fitted to: four samples of two numbers, and their classes. */
export const X_TRAIN = [
  [1, 0.5],
  [-0.5, 1],
  [0.25, -1],
  [-1, -0.75],
];
export const Y_TRAIN = [
  [1, 0],
  [0, 1],
  [1, 0],
  [0, 1],
];

/**
 * The articles' model, tiny_model of tests/golden/recipes.py: dense layers of two, tanh, the last
 * one softmax.
 * @param {Gradlock} g
 * @param {number} count
 * @param {string[]} [names]
 */
export const articleModel = (g, count, names = []) => {
  const nn = layers(g);
  const draws = new Draws(2);
  const model = nn.sequential();
  for (let i = 0; i < count; i++) {
    const activation = i + 1 < count ? 'tanh' : 'softmax';
    const name = names[i] ?? `dense_layer_${i}`;
    model.add(nn.dense({ units: 2, activation, name, inputShape: [2] }));
  }
  model.setWeights(model.weights.map(({ shape, size }) => g.tensor(draws.array([size]), shape)));
  return model;
};

/**
 * Names of the weights that are not what they were.
 * @param {{ weights: Variable[] }} model
 * @param {Float32Array[]} before
 */
export const movedWeights = ({ weights }, before) =>
  weights
    .filter((w, i) => !Buffer.from(w.data().buffer).equals(Buffer.from(before[i].buffer)))
    .map(({ name }) => name);

/**
 * Half the squared distance to TARGET; its gradient is x − TARGET, in one rounding.
 * @param {Gradlock} g
 * @param {Tensor} x
 */
export const halfSquare = (g, x) => g.div(g.sum(g.square(g.sub(x, TARGET))), 2);

/**
 * A gradient that is there: a tape answers null where TensorFlow's answers None.
 * @param {Tensor | null} gradient
 */
export const taken = (gradient) => {
  assert.ok(gradient, 'the target depends on it');
  return gradient;
};

/**
 * Python's zip, of gradients and their variables.
 * @param {readonly (Tensor | null)[]} gradients
 * @param {readonly Variable[]} variables
 * @returns {[Tensor, Variable][]}
 */
export const zip = (gradients, variables) =>
  gradients.map((gradient, i) => [taken(gradient), variables[i]]);

/** @type {Record<Rule, (g: Gradlock) => Optimizer>} */
export const RULES = {
  sgd: (g) => g.optimizers.sgd({ learningRate: 0.1 }),
  momentum: (g) => g.optimizers.sgd({ learningRate: 0.1, momentum: 0.9 }),
  adam: (g) => g.optimizers.adam({ learningRate: 0.01 }),
  adamW: (g) => g.optimizers.adamW({ learningRate: 0.01 }),
};

/**
 * Some steps with everything free and halfSquare for a loss, then some with a recipe in force: x
 * after the first and at the end.
 * @param {Gradlock} g
 * @param {Rule} rule
 * @param {object} recipe
 * @param {(gradient: Tensor) => Tensor} [recipe.change] What becomes of the gradient from then on.
 * @param {(x: Variable) => unknown} [recipe.hold] Called once, when the first steps are done.
 * @param {(x: Variable) => unknown} [recipe.beforeStep] Called before every later step.
 * @param {(x: Variable) => Tensor} [recipe.lossThen] The loss from then on.
 * @param {number} [recipe.warm]
 * @param {number} [recipe.steps]
 */
export const train = (g, rule, { change, hold, beforeStep, lossThen, warm = 4, steps = 4 }) => {
  const x = g.variable(START, { name: 'x' });
  const optimizer = RULES[rule](g);
  let locked = x.data();
  for (let step = 0; step < warm + steps; step++) {
    if (step === warm) {
      locked = x.data();
      hold?.(x);
    }
    const isOn = step >= warm;
    if (isOn) beforeStep?.(x);
    const loss = () => (isOn && lossThen ? lossThen(x) : halfSquare(g, x));
    const { grads } = g.valueAndGrad(loss, [x]);
    const gradient = isOn && change ? change(grads[0]) : grads[0];
    optimizer.applyGradients([[gradient, x]]);
  }
  return { locked, end: x.data() };
};

/** Flat indices of the elements that FREE locks. */
const LOCKED = FREE.flat().flatMap((free, i) => (free ? [] : [i]));

/**
 * How many elements differ in their bits, and in how many bits.
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @param {Iterable<number>} [indices] Of the elements to look at. Default: those that FREE locks.
 */
export const moved = (before, after, indices = LOCKED) => {
  const [a, b] = [before, after].map((v) => new Uint32Array(v.buffer, v.byteOffset, v.length));
  let elements = 0;
  let bits = 0;
  for (const i of indices) {
    let differing = a[i] ^ b[i];
    elements += differing === 0 ? 0 : 1;
    for (; differing !== 0; differing &= differing - 1) bits++;
  }
  return { elements, bits };
};

/** What `moved` gives when nothing did. */
export const NOTHING = { elements: 0, bits: 0 };

/**
 * Assert TensorFlow's numbers: by their bits, unless both sides may round differently.
 * @param {ArrayLike<number>} got
 * @param {(number | string)[]} want
 * @param {object} [slack]
 * @param {number} [slack.path] How far an element went at most under Adam: steps times learning
 *   rate.
 * @param {number} [slack.roundings] How many f32 roundings, of the largest value, may differ.
 *   Default: none, or 32 beside a path, for the steps of both sides and what led to their
 *   gradients.
 */
export const assertTensorFlow = (got, want, { path = 0, roundings = path ? 32 : 0 } = {}) => {
  const values = Float32Array.from(want, Number);
  if (roundings === 0) {
    assert.deepEqual(Float32Array.from(got), values);
    return;
  }
  assert.equal(got.length, values.length);
  const largest = values.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  const allowed = 1.5e-4 * path + roundings * UNIT * largest;
  for (const [i, value] of values.entries()) {
    const far = Math.abs(got[i] - value);
    assert.ok(far <= allowed, `element ${i}: ${got[i]}, TensorFlow ${value}, ± ${allowed}`);
  }
};

/**
 * Assert a whole row of `runs` in the golden file against the same recipe here.
 * @param {{ rule: Rule, locked: number[], end: number[] }} run
 * @param {{ locked: Float32Array, end: Float32Array }} got
 */
export const assertRun = (run, got) => {
  const adam = run.rule.startsWith('adam') ? { path: 8 * 0.01 } : {};
  assertTensorFlow(got.locked, run.locked, adam);
  assertTensorFlow(got.end, run.end, adam);
};
