/* Precisions: f32, f64. */
/* Learning-rate schedules beside Keras's, in compiled loops, and as functions of one's own.
 *
 * Keras computes in f32, u = 2^-24: its cosine is off by u and by u pi of its argument, a power t
 * of an f32 base by t u, 1 - p by u, whose root no step of the file takes near 0. With t up to 50
 * that is below 64 u of the highest rate. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, OptionError } from 'gradlock';
import { readGolden, UNIT } from '../golden/golden.js';

const golden = readGolden('schedules.json');
const g = await init();

for (const { kind, options, rates } of golden.runs) {
  test(`${kind} ${JSON.stringify(options)} gives Keras's rates`, () => {
    const schedule = /** @type {any} */ (g.schedules)[kind](options);
    const most = Math.max(...rates);
    golden.steps.forEach((/** @type {number} */ step, /** @type {number} */ i) => {
      const off = Math.abs(schedule.at(step) - rates[i]);
      assert.ok(off <= 64 * UNIT * most, `step ${step}: ${schedule.at(step)}, Keras ${rates[i]}`);
    });
  });
}

const problem = () => {
  const x = g.variable([1, -2, 3]);
  return { x, loss: g.compile(() => g.sum(g.square(x))) };
};

test("a function of one's own gives the bits of the schedule that it is", () => {
  const schedule = g.schedules.cosineDecay({
    initialLearningRate: 0.5,
    decaySteps: 20,
    alpha: 0.1,
  });
  const [a, b] = [problem(), problem()];
  const scheduled = g.optimizers.adam({ learningRate: schedule });
  const own = g.optimizers.adam({ learningRate: (iteration) => schedule.at(iteration) });
  scheduled.minimize(a.loss, { steps: 30 });
  own.minimize(b.loss, { steps: 30 });
  assert.deepEqual(a.x.data(), b.x.data());
  assert.equal(scheduled.learningRate, schedule.at(30));
  assert.equal(own.learningRate, schedule.at(30));
  assert.deepEqual(/** @type {any} */ (scheduled.schedule).numbers, schedule.numbers);
  assert.equal(typeof own.schedule, 'function');
});

test('a learningRate function is called once for each step, with the number of steps before', () => {
  const { x, loss } = problem();
  /** @type {number[]} */
  const calls = [];
  const sgd = g.optimizers.sgd({ learningRate: (step) => 0.1 / calls.push(step) });
  sgd.minimize(loss, { steps: 3 });
  sgd.minimize(loss, { steps: 0 });
  sgd.minimize(loss, { steps: 2, onStep: () => {} });
  sgd.minimize(() => g.sum(g.square(x)), { steps: 2 });
  sgd.applyGradients([[[1, 1, 1], x]]);
  assert.deepEqual(calls, [0, 1, 2, 3, 4, 5, 6, 7]);
});

test('a number ends a schedule and a function', () => {
  const optimizer = g.optimizers.sgd({ learningRate: () => 0.25 });
  assert.equal(optimizer.learningRate, 0.25);
  optimizer.learningRate = 0.5;
  assert.equal(optimizer.schedule, null);
  optimizer.learningRate = g.schedules.linearWarmup({
    initialLearningRate: 0,
    warmupTarget: 1,
    warmupSteps: 4,
  });
  assert.equal(optimizer.learningRate, 0);
  optimizer.setOptions({ learningRate: 2, momentum: 0.5 });
  assert.equal(optimizer.schedule, null);
  assert.equal(optimizer.learningRate, 2);
});

test('values that a schedule function gives are checked before the step', () => {
  const { x, loss } = problem();
  const optimizer = g.optimizers.sgd({ learningRate: (i) => (i < 2 ? 0.1 : -1) });
  assert.throws(() => optimizer.minimize(loss, { steps: 5 }), OptionError);
  assert.equal(optimizer.iterations, 2);
  optimizer.learningRate = /** @type {any} */ (() => 'fast');
  const before = x.data();
  assert.throws(() => optimizer.minimize(loss), TypeError);
  assert.throws(() => optimizer.applyGradients([[[1, 1, 1], x]]), TypeError);
  assert.deepEqual(x.data(), before);
});
