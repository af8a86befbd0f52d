/* Tier: test. */
/* 1,000 steps of every rule where Keras does not go, beside the reference in double
 * (reference.js): locks that change, clocks and norms of free elements, rates by element,
 * averages that overwrite, accumulation, clipping and decay together. Tolerances:
 * trajectories.js; an average over averages (overwriting) and the sums of accumulation round a
 * few times more. Slots are averages and sums: they are right to the same few roundings / (1 -
 * decay) of the largest. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { printTable, UNIT } from '../golden/golden.js';
import { RULES } from './rules.js';
import { play, toleranceOf } from './trajectories.js';

const SEED = 20261124;
const HEAD = { seed: SEED, shapes: [[], [5], [2, 3, 2], [33]], steps: [1000] };

/**
 * Two sets of options a rule, those of its own, beside its defaults.
 * @type {Record<string, [object, object]>}
 */
const SETS = {
  sgd: [{ momentum: 0.9, nesterov: true }, {}],
  adagrad: [
    { learningRate: 0.01 },
    { learningRate: 0.1, initialAccumulatorValue: 0, epsilon: 1e-3 },
  ],
  adadelta: [{ learningRate: 1 }, { learningRate: 0.3, rho: 0.8, epsilon: 1e-3 }],
  rmsprop: [
    { centered: true, momentum: 0.8, rho: 0.95 },
    { learningRate: 0.01, epsilon: 0.01 },
  ],
  adam: [{ amsgrad: true }, { learningRate: 0.01, beta1: 0.5, beta2: 0.9, epsilon: 1e-3 }],
  adamW: [{ weightDecay: 0.05 }, { amsgrad: true, beta1: 0 }],
  adamax: [{}, { learningRate: 0.01, beta1: 0.7, beta2: 0.9, epsilon: 0.1 }],
  nadam: [{}, { learningRate: 0.01, beta1: 0.7, beta2: 0.9, epsilon: 1e-3 }],
  lion: [{ learningRate: 0.0003, beta1: 0.95, beta2: 0.98 }, { beta1: 0 }],
  ftrl: [
    { learningRate: 0.1, l1RegularizationStrength: 0.5, beta: 1, learningRatePower: -0.75 },
    {
      learningRate: 0.5,
      l2RegularizationStrength: 0.1,
      l2ShrinkageRegularizationStrength: 0.01,
      initialAccumulatorValue: 1,
    },
  ],
};

/** What happens beside the rule. @type {[string, object, import('./trajectories.js').How][]} */
const WAYS = [
  ['locks change, norms are clipped', { clipNorm: 0.5 }, { toggles: 25 }],
  ['the unlocked start anew, all decays', { onUnlock: 'reset', weightDecay: 0.1 }, { toggles: 40 }],
  [
    'rates by element, values are clipped',
    { weightDecay: 0.02, clipValue: 0.5 },
    { factors: true },
  ],
  [
    'averages overwrite, locks change',
    { useEma: true, emaMomentum: 0.9, emaOverwriteFrequency: 7 },
    { toggles: 30 },
  ],
  [
    'three gradients a step, locks change between them, norms are clipped',
    { globalClipNorm: 1, gradientAccumulationSteps: 3 },
    { toggles: 10 },
  ],
  [
    'a schedule, a group each, one without decay, one held',
    { weightDecay: 0.1 },
    {
      schedule: [
        'cosineDecayRestarts',
        { initialLearningRate: 0.01, firstDecaySteps: 100, alpha: 0.1 },
      ],
      scales: [1, 0.3, 0, 2.5],
      exclude: [1],
    },
  ],
];

/**
 * What the reference calls a slot, if not as gradlock.
 * @type {Record<string, Record<string, string>>}
 */
const SLOTS = {
  sgd: { momentum: 'velocity' },
  adagrad: { accumulator: 'sum' },
  adadelta: { accumulatedGrad: 'gradients', accumulatedDeltaVar: 'updates' },
  rmsprop: { velocity: 'n', averageGradient: 'mean', momentum: 'delta' },
  adam: { vHat: 'largest' },
  adamW: { vHat: 'largest' },
  nadam: { v: 'n' },
  ftrl: { accumulator: 'n', linear: 'z' },
};

/** @param {string} rule @param {import('./trajectories.js').Seen} seen */
const assertSlots = (rule, { variables, optimizer, states, slowest }) => {
  for (const name of optimizer.slots) {
    const own = SLOTS[rule]?.[name] ?? name;
    const wanted = states.map((list) => list.map((state) => state[own]));
    const kept = wanted.flat().filter((value) => value !== undefined);
    const limit = ((8 * UNIT) / (1 - slowest)) * Math.max(...kept.map(Math.abs));
    for (const [v, list] of wanted.entries()) {
      const got = optimizer.slot(variables[v], name);
      for (const [k, want] of list.entries()) {
        const where = `slot ${name}, variable ${v}, element ${k}`;
        if (want === undefined) continue;
        assert.ok(Math.abs(got[k] - want) <= limit, `${where}: ${got[k]}, expected ${want}`);
      }
    }
  }
};

/** @type {Map<string, { runs: number, error: number, share: number }>} */
const table = new Map();

for (const rule of RULES) {
  const sets = SETS[rule] ?? [{}, { learningRate: 0.01 }];
  for (const [i, [what, shared, how]] of WAYS.entries()) {
    const options = { ...shared, ...sets[i % 2] };
    test(`${rule}: ${what}: 1,000 steps from seed ${SEED} follow the reference`, async () => {
      const row = table.get(rule) ?? { runs: 0, error: 0, share: 0 };
      table.set(rule, row);
      row.runs++;
      await play(HEAD, { rule, options, how }, (seen) => {
        if (seen.step === HEAD.steps[0]) assertSlots(rule, seen);
        const allowed = toleranceOf(seen, 1);
        for (const [v, values] of seen.values.entries()) {
          for (const [k, value] of values.entries()) {
            const truth = seen.truth[v][k];
            const error = Math.abs(value - truth);
            const limit = allowed(v, k);
            if (!(error <= limit)) {
              const where = `step ${seen.step}, variable ${v}, element ${k}`;
              assert.fail(`${where}: ${value}, expected ${truth} ± ${limit}`);
            }
            row.error = Math.max(row.error, error / seen.largest[v][k]);
            row.share = Math.max(row.share, error / limit);
          }
        }
      });
    });
  }
}

after(() => {
  printTable(
    'Largest error over 1,000 steps beside the reference in double, relative to the largest |x|, and its share of the tolerance:',
    ['rule', 'runs', 'error', 'share'],
    [...table].map(([rule, { runs, error, share }]) => [
      rule,
      String(runs),
      error.toExponential(1),
      `${(100 * share).toFixed(1)} %`,
    ]),
  );
});
