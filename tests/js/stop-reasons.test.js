/* Why L-BFGS and Levenberg-Marquardt stop: a problem for each reason. What may be relied on after
 * it, and how it goes on, here and from a state, is tests/c/test_solver_state.c's. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init } from 'gradlock';
import { random, randomValues } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Variable} Variable */

/**
 * @typedef {object} Case
 * @property {'lbfgs' | 'levenbergMarquardt'} method
 * @property {string} reason
 * @property {number[]} start
 * @property {(g: Gradlock, x: Variable) => import('gradlock').Tensor} loss
 * @property {object} [options]
 * @property {number} [steps]
 * @property {boolean} [isLocked]
 */

/** Least at the root of 2, which no f32 is, and without a slope of 0 there. @type {Case['loss']} */
const kink = (g, x) => g.add(1, g.abs(g.sub(g.square(x), 2)));

/** @type {Case['loss']} */
const bend = (g, x) => g.concat([g.add(1, g.square(x)), g.add(1, x)]);

const method = 'levenbergMarquardt';
/** @type {Case[]} */
const CASES = [
  { method, reason: 'steps', start: [3], loss: (g, x) => g.square(x), steps: 2 },
  { method, reason: 'gradient', start: [3], loss: (g, x) => g.sub(x, 1) },
  { method, reason: 'change', start: [3], loss: bend },
  { method, reason: 'noProgress', start: [3], loss: kink, options: { maxEvaluations: 1 } },
  { method, reason: 'resolution', start: [3], loss: kink, options: { maxEvaluations: 99 } },
  { method, reason: 'notFinite', start: [0], loss: (g, x) => g.log(x) },
  { method, reason: 'locked', start: [3], loss: (g, x) => g.square(x), isLocked: true },
  ...[
    { reason: 'steps', start: [3], loss: kink, steps: 1 },
    { reason: 'gradient', start: [3, 1], options: { toleranceChange: 0 } },
    { reason: 'change', start: [3, 1], options: { toleranceChange: 1e-2 } },
    { reason: 'noProgress', start: [3], loss: kink, options: { maxEvaluations: 1 } },
    { reason: 'resolution', start: [1e25], loss: /** @type {Case['loss']} */ ((g, x) => g.abs(x)) },
    { reason: 'unbounded', start: [3, 1], loss: /** @type {Case['loss']} */ ((_, x) => x) },
    { reason: 'notFinite', start: [-1], loss: /** @type {Case['loss']} */ ((g, x) => g.log(x)) },
    { reason: 'locked', start: [3], isLocked: true },
  ].map(({ loss, ...given }) => ({
    ...given,
    method: /** @type {const} */ ('lbfgs'),
    loss: /** @type {Case['loss']} */ (
      (g, x) => g.sum(loss ? loss(g, x) : g.add(g.square(x), g.square(g.square(x))))
    ),
  })),
];

/** @param {Case} given */
const build = async ({ method, start, loss, options, isLocked }) => {
  const g = await init();
  const x = g.variable(start, { name: 'x' });
  if (isLocked) x.lock('all');
  const program = g.compile(() => loss(g, x));
  return { x, program, optimizer: g.optimizers[method](options) };
};

for (const given of CASES) {
  const { method, reason, steps = 90 } = given;
  test(`${method} stops for '${reason}'`, async () => {
    const { x, program, optimizer } = await build(given);
    optimizer.minimize(program, { variables: [x], steps });
    assert.equal(optimizer.stopReason, reason);
  });
}

test('these are all of the reasons that C has', () => {
  const header = readFileSync(new URL('../../src/c/include/gradlock.h', import.meta.url), 'utf8');
  const names = [...header.matchAll(/^ {2}GLK_STOP_([A-Z_]+)\b/gm)].map(([, name]) =>
    name.toLowerCase().replace(/_(.)/g, (_, letter) => letter.toUpperCase()),
  );
  names.splice(names.indexOf('count'), 1);
  assert.deepEqual([...new Set(CASES.map(({ reason }) => reason))].sort(), names.sort());
});

/* sum of w (x - a)^2 + offset: where the offset's ulp hides the rest, no step is lower, and
 * searches shorten them until they change nothing. What is really left tells, to an order of
 * magnitude. */
test("lbfgs: 'change' says that no more than toleranceChange is left, 'resolution' that there is more", async () => {
  const g = await init();
  const weights = [1, 3, 9, 27];
  const w = g.tensor(weights);
  /** @type {Record<string, number>} */
  const counts = {};
  for (let seed = 1; seed <= 100; seed++) {
    for (const offset of [0, 1, 10]) {
      const next = random(seed);
      const values = randomValues(4, next);
      const [a, x] = [g.tensor(values), g.variable(randomValues(4, next))];
      const optimizer = g.optimizers.lbfgs({ toleranceGradient: 0 });
      const loss = () => g.add(g.sum(g.mul(w, g.square(g.sub(x, a)))), offset);
      optimizer.minimize(loss, { variables: [x], steps: 100 });
      const left = x.data().reduce((sum, v, i) => sum + weights[i] * (v - values[i]) ** 2, 0);
      const { stopReason, toleranceChange } = optimizer;
      const message = `seed ${seed}, offset ${offset}: ${stopReason}, ${left} is left`;
      if (stopReason === 'change') assert.ok(left < 10 * toleranceChange, message);
      if (stopReason === 'resolution') assert.ok(left > toleranceChange / 10, message);
      counts[stopReason] = (counts[stopReason] ?? 0) + 1;
      for (const thing of [a, x, optimizer]) thing.dispose();
    }
  }
  assert.ok(counts.change > 50 && counts.resolution > 50, JSON.stringify(counts));
});

test('a step that moves nothing is no step, and no callback hears of it', async () => {
  const g = await init();
  const x = g.variable([1e25]);
  const optimizer = g.optimizers.lbfgs();
  optimizer.minimize(() => g.sum(g.abs(x)), { steps: 9, onStep: () => assert.fail('it moved') });
  assert.equal(optimizer.iterations, 0);
});
