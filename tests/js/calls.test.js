/* Precisions: f32, f64. */
/* What a call finds out once for many steps, or keeps for the next call, is never stale: however
 * steps are cut into calls, and whatever changes between them, every bit is the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { bitsOf, random, randomValues } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Variable} Variable */
/** @typedef {ReturnType<typeof build>} Run */

/** @type {[what: string, options: object, prepare: (run: Run) => unknown][]} */
const SETTINGS = [
  ['nothing special', {}, () => {}],
  [
    'a policy by values on the last variable',
    {},
    ({ c }) => c.lockPolicy({ lock: { topK: { k: 2, largest: false } } }),
  ],
  [
    'a policy by gradients on the last variable, every second step',
    {},
    ({ c }) => c.lockPolicy({ lock: { topK: { k: 2, by: 'gradient' } }, every: 2 }),
  ],
  ['a holder without a policy', {}, ({ b }) => b.locks.holder('mine').lock([1])],
  ['clipping by norm', { clipNorm: 0.5 }, ({ b }) => b.lock([0])],
  ['averages that overwrite', { useEma: true, emaOverwriteFrequency: 2 }, () => {}],
  ['accumulation', { gradientAccumulationSteps: 3 }, ({ a }) => a.lock([1])],
  [
    'rates of their own, one of them 0',
    {},
    ({ optimizer, a, b }) => {
      optimizer.scaleLearningRate(a, 0.5);
      optimizer.scaleLearningRate(b, 0, { elements: [2] });
    },
  ],
  ['a box', {}, ({ optimizer, c }) => optimizer.constrain(c, { min: -0.1, max: 0.1 })],
];

/** @type {[what: string, change: (run: Run) => unknown][]} */
const CHANGES = [
  ['nothing', () => {}],
  ['locks', ({ a, b }) => [a.lock([0, 3]), b.lock('all')]],
  ['locks taken back', ({ b }) => b.unlock([1, 2])],
  ['an option', ({ optimizer }) => optimizer.setOptions({ learningRate: 0.05 })],
  ['an option that asks for norms', ({ optimizer }) => optimizer.setOptions({ clipNorm: 0.3 })],
  ['onUnlock', ({ optimizer }) => optimizer.setOptions({ onUnlock: 'reset' })],
  ['locks again', ({ a }) => a.toggle('all')],
  ['values', ({ c }) => c.assign(randomValues(4, random(7)), { force: true })],
  ['a rate', ({ optimizer, c }) => optimizer.scaleLearningRate(c, 0)],
  ['the rate back', ({ optimizer, c }) => optimizer.scaleLearningRate(c, 1)],
  ['a policy', ({ a }) => a.lockPolicy({ lock: { topK: { fraction: 0.5 } } })],
  ['its end', ({ a }) => a.lockPolicy(null)],
  ['who is trained', ({ trained, b, c }) => trained.splice(0, 3, b, c)],
  ['who is trained, again', ({ trained, a, c }) => trained.splice(0, 3, c, a)],
];

/** @param {Gradlock} g @param {object} options */
const build = (g, options) => {
  const next = random(3);
  const [a, b, c] = ['a', 'b', 'c'].map((name) => g.variable(randomValues(4, next), { name }));
  const target = g.tensor(randomValues(4, next));
  const loss = () => g.mean(g.square(g.sub(g.add(g.mul(a, b), g.tanh(c)), target)));
  const optimizer = g.optimizers.adam({ learningRate: 0.1, ...options });
  return { g, a, b, c, optimizer, loss, program: g.compile(loss), trained: [a, b, c] };
};

const STEPS = 5;

/** @type {[what: string, take: (run: Run) => unknown][]} */
const WAYS = [
  [
    'one call for all steps',
    ({ optimizer, program, trained }) =>
      void optimizer.minimize(program, { variables: trained, steps: STEPS }),
  ],
  [
    'a call a step',
    ({ optimizer, program, trained }) => {
      for (let i = 0; i < STEPS; i++) optimizer.minimize(program, { variables: trained });
    },
  ],
  [
    'calls of the same list and options',
    (() => {
      /** @type {Variable[]} */
      const variables = [];
      const options = { variables, steps: 1 };
      return ({ optimizer, program, trained }) => {
        variables.splice(0, 3, ...trained); // one list, with others in it
        for (let i = 0; i < STEPS; i++) optimizer.minimize(program, options);
      };
    })(),
  ],
  [
    'a callback',
    ({ optimizer, program, trained }) =>
      void optimizer.minimize(program, { variables: trained, steps: STEPS, onStep: () => {} }),
  ],
  [
    'a plain function',
    ({ optimizer, loss, trained }) =>
      void optimizer.minimize(loss, { variables: trained, steps: STEPS }),
  ],
];

/** @param {Run} run */
const observe = ({ a, b, c, optimizer }) =>
  [a, b, c].map((x) => [
    bitsOf(x.data()),
    x.locks.toMask(),
    bitsOf(optimizer.slot(x, 'm')),
    bitsOf(optimizer.slot(x, 'v')),
    optimizer.clock(x),
  ]);

for (const [setting, options, prepare] of SETTINGS) {
  test(`steps with ${setting} give the same bits in one call or in several, whatever changes between them`, async () => {
    const g = await init();
    const runs = WAYS.map(() => build(g, options));
    runs.forEach(prepare);
    for (const [change, make] of CHANGES) {
      const [first, ...others] = runs.map((run, i) => {
        make(run);
        WAYS[i]?.[1](run);
        return observe(run);
      });
      others.forEach((other, i) => {
        assert.deepEqual(other, first, `${WAYS[i + 1]?.[0]}, after a change of ${change}`);
      });
    }
    g.dispose();
  });
}
