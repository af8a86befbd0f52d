/* Runs of an optimizer on given gradients, as tests/golden/trajectories.py has them, and what they
 * are held to: seen element by element. Gradients do not depend on x, so errors of rounding add up
 * and are never amplified.
 *
 * Tolerance: a step rounds x once, at most half a unit of |x|: T steps may be off by T max|x|
 * 2^-24. What a step adds is off by some roundings of the step itself and by the relative error of
 * the averages that it is made of. An average of decay b forgets an error at the rate 1 - b while
 * it takes up a few roundings a step, so it is right to a few 2^-24 / (1 - b); so are 1 - b^t in
 * Keras's f32, whose b is rounded before it is subtracted from 1. The sums of AdaGrad and FTRL
 * forget nothing: b is 1 - 1/T. Times the length of the path, that is the second term. FTRL's x is
 * made anew from its sum z, whose terms are gradients and sigma x: both bounds are as large as its
 * steps. A peer that computes in f32 too doubles both terms. */
import { init } from 'gradlock';
import { Draws, UNIT } from '../golden/golden.js';
import { Reference } from './reference.js';

/**
 * What else happens in a run.
 * @typedef {object} How
 * @property {number[]} [scales] Factor of the learning rate for each variable.
 * @property {number[]} [exclude] Variables that do not decay.
 * @property {[string, object]} [schedule] A schedule and its options.
 * @property {number} [toggles] Every so many steps other elements are locked, about a third.
 * @property {[number, Record<string, any>][]} [changes] Options that change before a step, from 1.
 * @property {boolean} [factors] Each element has a factor of its own, a fifth of them 0.
 */
/** @typedef {{ rule: string, options: Record<string, any>, how?: How }} Run */
/** @typedef {{ seed: number, shapes: number[][], steps: number[] }} Head */
/**
 * What gradlock holds after a step.
 * @typedef {object} Seen
 * @property {number} step From 1.
 * @property {any[]} variables
 * @property {Float32Array[]} values Of each variable: the weights, or their averages.
 * @property {Float64Array[]} largest |x| on the way.
 * @property {Float64Array[]} paths How far x has gone.
 * @property {any} optimizer
 * @property {number} slowest Decay of an average of the run.
 * @property {Uint8Array[]} masks What is locked.
 * @property {Float64Array[]} truth The same as `values`, of the reference.
 * @property {Record<string, number>[][]} states Of each element of each variable, of the reference.
 */

/**
 * Masks for each step, 1 = locked: null where nothing changes.
 * @param {number[]} sizes
 * @param {How} how
 */
const locksOf = (sizes, { toggles }) => {
  const coins = new Draws(7);
  return (/** @type {number} */ step) =>
    toggles && step % toggles === 0
      ? sizes.map((size) => new Uint8Array(size).map(() => Number(coins.value() < -0.1)))
      : null;
};

/** @param {number[]} sizes */
const drawFactors = (sizes) => {
  const coins = new Draws(8);
  return sizes.map((size) =>
    Float32Array.from({ length: size }, () => Math.max(0, coins.value() + 1.25)),
  );
};

/**
 * Take the steps of a run in gradlock and in the reference.
 * @param {Head} head
 * @param {Run} run
 * @param {(seen: Seen) => void} see
 */
export const play = async ({ seed, shapes, steps }, run, see) => {
  const { how = {}, options } = run;
  const g = await init();
  const draws = new Draws(seed);
  const starts = shapes.map((shape) => draws.array(shape));
  const sizes = starts.map(({ length }) => length);
  const [kind = '', numbers] = how.schedule ?? [];
  const schedule = kind && /** @type {any} */ (g.schedules)[kind](numbers);

  const variables = starts.map((values, i) => g.variable(values, { shape: shapes[i] }));
  const own = schedule ? { ...options, learningRate: schedule } : options;
  const optimizer = /** @type {any} */ (g.optimizers)[run.rule](own);
  // Schedules are compared with Keras's in schedules.test.js.
  const rate = (/** @type {number} */ step) => schedule.at(step);
  const given = schedule ? { ...options, learningRate: rate } : options;
  const reference = new Reference(run.rule, given, starts);

  const changes = new Map(how.changes);
  const T = Math.max(...steps);
  let slowest = slowestDecay(optimizer, T);
  for (const change of changes.values()) {
    const other = /** @type {any} */ (g.optimizers)[run.rule]({ ...own, ...change });
    slowest = Math.max(slowest, slowestDecay(other, T));
    other.dispose();
  }

  const factors = how.factors ? drawFactors(sizes) : null;
  for (const [i, entry] of reference.entries.entries()) {
    const scale = how.scales?.[i] ?? 1;
    if (scale !== 1) optimizer.scaleLearningRate(variables[i], scale);
    entry.factors = factors?.[i] ?? new Float64Array(sizes[i]).fill(scale);
    if (factors) {
      const nested = g.tensor(factors[i], shapes[i]).array();
      optimizer.scaleLearningRate(variables[i], nested);
    }
    entry.decays = !how.exclude?.includes(i);
    if (!entry.decays) optimizer.excludeFromWeightDecay(variables[i]);
  }

  const lock = locksOf(sizes, how);
  let masks = sizes.map((size) => new Uint8Array(size));
  const paths = starts.map((values) => new Float64Array(values.length));
  const largest = starts.map((values) => Float64Array.from(values, Math.abs));
  /** @type {Float32Array[]} */
  let before = starts;
  for (let step = 1; step <= T; step++) {
    const change = changes.get(step);
    if (change) {
      optimizer.setOptions(change);
      Object.assign(reference.options, change);
    }
    const changed = lock(step);
    if (changed) {
      masks = changed;
      for (const [i, x] of variables.entries()) x.unlock('all').lock(masks[i]);
    }
    const drawn = shapes.map((shape) => draws.array(shape));
    g.tidy(() => {
      optimizer.applyGradients(
        drawn.map((values, i) => [g.tensor(values, shapes[i]), variables[i]]),
      );
    });
    reference.apply(drawn, (i, k) => masks[i][k] === 1);

    const now = variables.map((x) => x.data());
    for (const [i, values] of now.entries()) {
      for (const [k, value] of values.entries()) {
        paths[i][k] += Math.abs(value - before[i][k]);
        largest[i][k] = Math.max(largest[i][k], Math.abs(value));
      }
    }
    before = now;
    const values = optimizer.useEma ? variables.map((x) => optimizer.average(x)) : now;
    const { entries } = reference;
    const truth = entries.map(({ x, average }) => (optimizer.useEma && average) || x);
    const states = entries.map((entry) => entry.states);
    see({ step, variables, values, truth, states, largest, paths, optimizer, slowest, masks });
  }
  g.dispose();
};

/** The slowest decay of a run's averages. @param {any} optimizer @param {number} T */
const slowestDecay = (optimizer, T) => {
  if (optimizer.rule === 'adagrad' || optimizer.rule === 'ftrl') return 1 - 1 / T;
  return Math.max(
    ...['momentum', 'beta1', 'beta2', 'rho'].map((name) => optimizer[name] ?? 0),
    optimizer.useEma ? optimizer.emaMomentum : 0,
  );
};

/**
 * How far an element may be off.
 * @param {Seen} seen
 * @param {1 | 2} sides How many sides are f32: the others compute in double.
 * @returns {(variable: number, element: number) => number}
 */
export const toleranceOf = ({ step, largest, paths, slowest }, sides) => {
  const factor = 4 / (1 - slowest);
  const roundings = sides * step + (2 - sides);
  const ofStep = UNIT * sides * factor;
  return (i, k) => UNIT * roundings * largest[i][k] + ofStep * paths[i][k];
};
