/* Tier: all. */
/* Every option of every rule, switched on and off and changed in the middle of a run, while
 * locks change at random: beside the reference in double (reference.js), which says what that
 * means. In short: an option counts from the next step on, for all steps alike; what it keeps (a
 * momentum, an average, a largest v) comes into being at its start when it is first on and
 * stands still while it is off. Tolerances: trajectories.js. Beside them, with no tolerance:
 * locked elements and their slots keep their bits. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { printTable } from '../golden/golden.js';
import { INFO, RULES } from './rules.js';
import { bitsOf } from './support.js';
import { play, toleranceOf } from './trajectories.js';

const SEED = 20261125;
const HEAD = { seed: SEED, shapes: [[3], [2, 3, 2], [33]], steps: [180] };

/**
 * Before which steps the values of an option come; the second one while a gradient is pending, if
 * they are.
 */
const WHEN = [46, 92, 136];

/** Values of an option, after the one a run begins with, and what else it begins with.
 * @typedef {[values: unknown[], options?: Record<string, any>]} Change */

const AVERAGING = { useEma: true, emaMomentum: 0.9 };
const STARTING_ANEW = { onUnlock: 'reset' };

/** Of every rule. @type {Record<string, Change>} */
const SHARED = {
  learningRate: [[0.03, 0.01, 0.003]],
  weightDecay: [[0.2, 0, 0.1]],
  clipNorm: [[0.5, 0, 1]],
  globalClipNorm: [[1, 0, 0.5]],
  clipValue: [[0.25, 0, 0.5]],
  onUnlock: [['reset', 'hold', 'reset']],
  useEma: [[true, false, true], { emaMomentum: 0.9 }],
  emaMomentum: [[0.5, 0.9, 0.99], { useEma: true }],
  emaOverwriteFrequency: [[7, 0, 3], AVERAGING],
  gradientAccumulationSteps: [[3, 1, 2]],
};
/** Of some rules. @type {Record<string, Change>} */
const OWN = {
  momentum: [[0.9, 0, 0.5]],
  nesterov: [[true, false, true], { momentum: 0.9 }],
  initialAccumulatorValue: [[1, 0.01, 4], STARTING_ANEW],
  rho: [[0.5, 0.99, 0.9]],
  centered: [[true, false, true], { rho: 0.8, epsilon: 1e-3 }],
  beta1: [[0.5, 0.95, 0.8]],
  beta2: [[0.9, 0.99, 0.95]],
  epsilon: [[0.1, 1e-7, 1e-3]],
  amsgrad: [[true, false, true], { beta2: 0.9 }],
  learningRatePower: [[-0.75, -0.5, -0.6]],
  l1RegularizationStrength: [[0.5, 0, 0.1]],
  l2RegularizationStrength: [[0.5, 0, 0.1]],
  l2ShrinkageRegularizationStrength: [[0.01, 0, 0.1]],
  beta: [[1, 0, 0.5]],
};

/**
 * Where a rule's option is of another kind than its name's.
 * @type {Record<string, Record<string, Change>>}
 */
const OF_RULE = {
  adagrad: { epsilon: [[0.1, 0, 1e-3]] },
  adadelta: { epsilon: [[0.01, 1e-7, 1e-3]] },
  rmsprop: { rho: [[0.5, 0.99, 0.8], { centered: true }] },
  lion: { beta1: [[0.5, 0, 0.95]], beta2: [[0.9, 0.5, 0.99]] },
};

/**
 * Of an option that is not listed: some inside of its range.
 * @param {import('../../src/js/optim/rules.js').OptionInfo} option
 * @returns {Change}
 */
const within = ({ initial, low, high, isFlag }) => {
  if (isFlag) return [[initial === 0, initial !== 0, initial === 0]];
  const most = Math.min(high, low + 1);
  return [[0.5, 0.1, 0.8].map((share) => low + share * (most - low))];
};

/**
 * @param {import('gradlock').RuleName} rule
 * @returns {[option: string, change: Change][]}
 */
const changesOf = (rule) =>
  Array.from(INFO.get(rule)?.options.values() ?? [], (option) => {
    const name = option.name === 'resetOnUnlock' ? 'onUnlock' : option.name;
    return [name, OF_RULE[rule]?.[name] ?? SHARED[name] ?? OWN[name] ?? within(option)];
  });

/** @type {Record<string, object>} */
const BASE = { adadelta: { learningRate: 0.3 }, ftrl: { learningRate: 0.1 } };

/** @type {Map<string, { runs: number, error: number, share: number, what: string }>} */
const table = new Map();

/** Fails if a locked element, or a slot of one, is not what it was. */
const createGuard = () => {
  /** @type {Map<number, Uint32Array[]>} */
  const before = new Map();
  return (
    /** @type {import('./trajectories.js').Seen} */ { variables, optimizer, masks, step },
  ) => {
    for (const [v, x] of variables.entries()) {
      const names = ['x', ...optimizer.slots];
      const now = names.map((name) => bitsOf(name === 'x' ? x.data() : optimizer.slot(x, name)));
      for (const [n, bits] of (before.get(v) ?? []).entries()) {
        const moved = bits.findIndex((word, k) => masks[v][k] === 1 && word !== now[n][k]);
        assert.equal(moved, -1, `step ${step}: '${names[n]}' of locked element ${moved}`);
      }
      before.set(v, now);
    }
  };
};

for (const rule of RULES) {
  for (const [option, [values, beside]] of changesOf(rule)) {
    const title = `${rule}: ${option} becomes ${values.join(', then ')}`;
    test(`${title} while locks change, seed ${SEED}: 180 steps follow the reference`, async () => {
      const row = table.get(rule) ?? { runs: 0, error: 0, share: 0, what: '' };
      table.set(rule, row);
      row.runs++;
      const options = { learningRate: 0.01, ...BASE[rule], ...beside };
      /** @type {[number, object][]} */
      const changes = values.map((value, i) => [WHEN[i], { [option]: value }]);
      const guard = createGuard();
      await play(HEAD, { rule, options, how: { toggles: 15, changes } }, (seen) => {
        guard(seen);
        const allowed = toleranceOf(seen, 1);
        for (const [v, truths] of seen.truth.entries()) {
          for (const [k, truth] of truths.entries()) {
            const value = seen.values[v][k];
            const error = Math.abs(value - truth);
            const limit = allowed(v, k);
            if (!(error <= limit)) {
              const where = `step ${seen.step}, variable ${v}, element ${k}`;
              assert.fail(`${where}: ${value}, expected ${truth} ± ${limit}`);
            }
            row.error = Math.max(row.error, error / seen.largest[v][k]);
            if (error / limit > row.share) row.what = option;
            row.share = Math.max(row.share, error / limit);
          }
        }
      });
    });
  }
}

test('the lists above name options that there are', () => {
  const known = new Set(RULES.flatMap((rule) => changesOf(rule).map(([name]) => name)));
  const listed = [SHARED, OWN, ...Object.values(OF_RULE)].flatMap((list) => Object.keys(list));
  assert.deepEqual(
    listed.filter((name) => !known.has(name)),
    [],
  );
});

after(() => {
  printTable(
    'Options changed midway beside the reference in double: the largest error, relative to the largest |x|, and its share of\n' +
      'the tolerance:',
    ['rule', 'runs', 'error', 'share', 'with'],
    [...table].map(([rule, { runs, error, share, what }]) => [
      rule,
      String(runs),
      error.toExponential(1),
      `${(100 * share).toFixed(1)} %`,
      what,
    ]),
  );
});
