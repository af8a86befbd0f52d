/* gradlock beside Keras 3 and TensorFlow, as recorded in tests/golden by generate.py.
 *
 * Every tolerance here is derived, not fitted; u = 2^-24 is the error of one f32 rounding.
 * - Bias correction: Keras raises the f32 nearest to beta to the t-th power in f32, gradlock uses
 *   f64. That power is off by t |f32(beta) - beta| beta^(t-1) and by its rounding, pow() included
 *   at most 2u, so 1 - beta^t is off relatively by their sum / (1 - beta^t): up to 1.3e-4 for beta2
 *   = 0.999 at t = 1. alpha takes half of it through its root, and all of it for beta1. That is
 *   `biasCorrection`, weighted by how far each step moved the element.
 * - Roundings: a step's own few (8u of its length), and 4u of the weight itself per step, both
 *   sides together.
 * - A clip norm sums n squares in another order and precision: relatively (n/2 + 4)u of every
 *   gradient.
 * - Without a clip norm the slots of every rule, and SGD's weights, come from the same f32
 *   expressions on both sides: their bits are equal. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import {
  Draws,
  floats,
  printTable,
  readGolden,
  relativeError,
  sameBits,
  UNIT,
} from '../golden/golden.js';

const optimizers = readGolden('optimizers.json');
const twoByTwo = readGolden('two-by-two.json');

/** @type {string[][]} */
const report = [];
after(() => {
  const { keras, tensorflow } = optimizers.versions;
  printTable(
    `Largest error beside Keras ${keras} (TensorFlow ${tensorflow}), relative to the largest of its array`,
    ['rule and options', 'weights', 'of tolerance', 'slots'],
    report,
  );
});

/** @param {number} error */
const exact = (error) => (error === 0 ? 'same bits' : error.toExponential(1));
/** @param {number} share */
const percent = (share) => `${(share * 100).toFixed(0)} %`;

/** @param {{ rule: string, options: object }} run */
function title({ rule, options }) {
  const texts = Object.entries(options).map(([name, value]) => `${name} ${value}`);
  return [rule, ...(texts.length ? texts : ['defaults'])].join(', ');
}

/**
 * Relative error of Keras's bias correction at step t.
 * @param {Record<string, number>} options
 * @param {number} t
 */
function biasCorrection({ beta1, beta2 }, t) {
  /** @param {number} beta */
  const off = (beta) => {
    const power = t * Math.abs(Math.fround(beta) - beta) * beta ** (t - 1);
    return (power + 2 * UNIT) / (1 - beta ** t);
  };
  return beta1 === undefined ? 0 : off(beta1) + off(beta2) / 2;
}

/** What a weight has been through, as far as the tolerance depends on it. */
class Path {
  /** @param {Float32Array} start */
  constructor(start) {
    this.last = start;
    this.slack = new Float64Array(start.length);
    this.step = 0;
    this.longestStep = 0;
    this.largest = start.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
  }

  /** @param {Float32Array} weights @param {number} coefficientError of this step, relative */
  add(weights, coefficientError) {
    this.step++;
    for (let i = 0; i < weights.length; i++) {
      const length = Math.abs(weights[i] - this.last[i]);
      this.slack[i] += length * (coefficientError + 8 * UNIT);
      this.longestStep = Math.max(this.longestStep, length);
      this.largest = Math.max(this.largest, Math.abs(weights[i]));
    }
    this.last = weights;
  }

  /** @param {number} i @param {number} gradientError relative, of every gradient */
  tolerance(i, gradientError) {
    const roundings = 4 * UNIT * this.step * this.largest;
    return this.slack[i] + roundings + gradientError * this.step * this.longestStep;
  }
}

/**
 * Assert that weights agree within their tolerance; the share of it that was used.
 * @param {Float32Array} got
 * @param {Float32Array} want
 * @param {(i: number) => number} tolerance
 * @param {string} where
 */
function assertNear(got, want, tolerance, where) {
  let share = 0;
  for (let i = 0; i < want.length; i++) {
    const used = Math.abs(got[i] - want[i]) / tolerance(i);
    assert.ok(used <= 1, `${where}, element ${i}: ${got[i]}, Keras ${want[i]}, ± ${tolerance(i)}`);
    share = Math.max(share, used);
  }
  return share;
}

test('the golden gradients are drawn here as they were in Python', () => {
  const draws = new Draws(optimizers.seed);
  assert.deepEqual(draws.array([4]), floats(optimizers.draws));
});

for (const run of optimizers.runs) {
  test(`${title(run)}: 100 steps follow Keras`, async () => {
    const g = await init();
    const draws = new Draws(optimizers.seed);
    /** @type {number[][]} */
    const shapes = optimizers.shapes;
    const starts = shapes.map((shape) => draws.array(shape));
    const variables = starts.map((values, i) => g.variable(values, { shape: shapes[i] }));
    const paths = starts.map((values) => new Path(values));
    const optimizer = /** @type {any} */ (g.optimizers)[run.rule](run.options);
    for (const [name, value] of Object.entries(run.effective)) {
      assert.equal(Number(optimizer[name]), Number(value), `${run.rule}'s ${name} is Keras's`);
    }
    const clips = 'clipNorm' in run.options || 'globalClipNorm' in run.options;
    const elements = starts.reduce((sum, values) => sum + values.length, 0);
    const gradientError = clips ? (elements / 2 + 4) * UNIT : 0;
    const worst = { weights: 0, share: 0, slots: 0 };

    for (let t = 1; t <= 100; t++) {
      const gradients = shapes.map((shape) => g.tensor(draws.array(shape), shape));
      optimizer.applyGradients(gradients.map((gradient, i) => [gradient, variables[i]]));
      for (const gradient of gradients) gradient.dispose();
      variables.forEach((x, i) => {
        paths[i].add(x.data(), biasCorrection(run.effective, t));
      });
      const snapshot = run.snapshots[optimizers.steps.indexOf(t)];
      if (!snapshot) continue;
      variables.forEach((x, i) => {
        const where = `shape [${shapes[i]}] after step ${t}`;
        const [weights, ...slots] = snapshot[i].map(floats);
        const got = x.data();
        if (run.rule === 'sgd' && !clips) {
          assert.ok(sameBits(got, weights), `${where}: ${got}, Keras ${weights}`);
        }
        const share = assertNear(got, weights, (k) => paths[i].tolerance(k, gradientError), where);
        worst.share = Math.max(worst.share, share);
        worst.weights = Math.max(worst.weights, relativeError(got, weights, true));
        slots.forEach((/** @type {Float32Array} */ slot, /** @type {number} */ s) => {
          const own = optimizer.slot(x, optimizer.slots[s]);
          const slotError = relativeError(own, slot, true);
          worst.slots = Math.max(worst.slots, slotError);
          const name = `slot ${optimizer.slots[s]} of ${where}`;
          if (clips) assert.ok(slotError <= 2 * gradientError + 4 * UNIT, `${name}: ${slotError}`);
          else assert.ok(sameBits(own, slot), `${name} has Keras's bits: ${own}, Keras ${slot}`);
        });
      });
    }
    const slotCount = run.snapshots[0][0].length - 1;
    report.push([
      title(run),
      exact(worst.weights),
      percent(worst.share),
      slotCount === 0 ? 'none' : exact(worst.slots),
    ]);
    g.dispose();
  });
}

for (const run of twoByTwo.runs) {
  test(`2×2 zeros, only the diagonal trained by ${run.rule}: Keras's answer to the reduced problem`, async () => {
    const g = await init();
    const target = g.tensor(twoByTwo.target);
    const x = g.variable(new Float32Array(4), { shape: [2, 2], name: 'x' });
    x.trainOnly({
      indices: [
        [0, 0],
        [1, 1],
      ],
    });
    const loss = g.compile(() => g.mean(g.square(g.sub(x, target))));
    const optimizer = /** @type {any} */ (g.optimizers)[run.rule](run.options);
    const effective = { beta1: optimizer.beta1, beta2: optimizer.beta2 };
    const path = new Path(x.data());
    const worst = { weights: 0, share: 0 };
    for (let t = 1; t <= 200; t++) {
      const value = optimizer.minimize(loss, { variables: [x], steps: 1 });
      const got = x.data();
      path.add(got, biasCorrection(effective, t));
      const at = twoByTwo.steps.indexOf(t);
      if (at < 0) continue;
      // What goes wrong in one step lives on in the momentum for some ten steps before the loss
      // pulls it back.
      const tolerance = (/** @type {number} */ i) => 10 * path.tolerance(i === 0 ? 0 : 3, 0);
      const diagonal = Float32Array.of(got[0], got[3]);
      const want = floats(run.diagonals[at]);
      const share = assertNear(diagonal, want, tolerance, `diagonal after step ${t}`);
      worst.share = Math.max(worst.share, share);
      worst.weights = Math.max(worst.weights, relativeError(diagonal, want, true));
      const allowed = 8 * UNIT * value + 2 * Math.max(tolerance(0), tolerance(1));
      const wanted = Number(run.losses[at]);
      assert.ok(
        Math.abs(value - wanted) <= allowed,
        `loss at step ${t}: ${value}, Keras ${wanted}`,
      );
      assert.ok(Object.is(got[1], 0) && Object.is(got[2], 0), 'what is locked is still +0');
    }
    report.push([
      `2×2 diagonal, 200 steps of ${run.rule}`,
      exact(worst.weights),
      percent(worst.share),
      'not compared',
    ]);
    g.dispose();
  });
}
