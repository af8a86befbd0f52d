/* Runs of an optimizer on given gradients, as tests/golden/trajectories.py and pytorch.py have them, and what they are
 * held to: seen element by element. Gradients do not depend on x but through `l2`, so errors of rounding add up and are
 * never amplified; those that come back through `l2` come back with the other sign.
 *
 * Tolerance: a step rounds x once, at most half a unit of |x|: T steps may be off by T max|x| 2^-24. What a step adds is
 * off by some roundings of the step itself and by the relative error of the averages that it is made of. An average of
 * decay b forgets an error at the rate 1 - b while it takes up a few roundings a step, so it is right to a few
 * 2^-24 / (1 - b); so are 1 - b^t in Keras's f32, whose b is rounded before it is subtracted from 1. The sums of AdaGrad
 * and FTRL forget nothing: b is 1 - 1/T. Times the length of the path, that is the second term. FTRL's x is made anew from
 * its sum z, whose terms are gradients and sigma x: both bounds are as large as its steps. A peer that computes in f32
 * too doubles both terms. */
import { init } from 'gradlock';
import { Draws, UNIT } from '../golden/golden.js';

/**
 * What else happens in a run: see RUNS in tests/golden/pytorch.py.
 * @typedef {object} How
 * @property {number} [l2]
 * @property {number[]} [scales]
 * @property {number[]} [exclude]
 * @property {{ variable: number, from: number, to: number }} [frozen]
 * @property {number} [average]
 * @property {number} [accumulate]
 * @property {number} [clipNorm]
 * @property {number} [clipValue]
 * @property {[string, object]} [schedule]
 */
/** @typedef {{ source?: string, rule: string, options: Record<string, any>, how?: How }} Run */
/** @typedef {{ seed: number, shapes: number[][], steps: number[] }} Head */
/**
 * What gradlock holds after a step.
 * @typedef {object} Seen
 * @property {number} step From 1.
 * @property {Float32Array[]} values Of each variable: the weights, or their averages.
 * @property {Float64Array[]} largest |x| on the way.
 * @property {Float64Array[]} paths How far x has gone.
 * @property {any} optimizer
 */

/** gradlock's options of a run. @param {import('gradlock').Gradlock} g @param {Run} run */
const optionsOf = (g, { options, how = {} }) => ({
  ...options,
  ...(how.average && { useEma: true, emaMomentum: how.average }),
  ...(how.accumulate && { gradientAccumulationSteps: how.accumulate }),
  ...(how.clipNorm && { globalClipNorm: how.clipNorm }),
  ...(how.clipValue && { clipValue: how.clipValue }),
  ...(how.schedule && {
    learningRate: /** @type {any} */ (g.schedules)[how.schedule[0]](how.schedule[1]),
  }),
});

/**
 * Take the steps of a run in gradlock.
 * @param {Head} head
 * @param {Run} run
 * @param {(seen: Seen) => void} see
 */
export const play = async ({ seed, shapes, steps }, run, see) => {
  const { l2, scales, exclude, frozen, average } = run.how ?? {};
  const g = await init();
  const draws = new Draws(seed);
  const starts = shapes.map((shape) => draws.array(shape));
  const variables = starts.map((values, i) => g.variable(values, { shape: shapes[i] }));
  const optimizer = /** @type {any} */ (g.optimizers)[run.rule](optionsOf(g, run));
  scales?.forEach((scale, i) => {
    optimizer.scaleLearningRate(variables[i], scale);
  });
  if (exclude) optimizer.excludeFromWeightDecay(...exclude.map((i) => variables[i]));
  const paths = starts.map((values) => new Float64Array(values.length));
  const largest = starts.map((values) => Float64Array.from(values, Math.abs));
  /** @type {Float32Array[]} */
  let before = starts;
  for (let step = 1; step <= Math.max(...steps); step++) {
    if (step === frozen?.from) variables[frozen.variable].lock('all');
    if (step === (frozen?.to ?? 0) + 1) variables[frozen?.variable ?? 0].unlock('all');
    const given = shapes.map((shape) => draws.array(shape));
    g.tidy(() => {
      const gradients = given.map((values, i) => {
        const gradient = g.tensor(values, shapes[i]);
        return l2 ? g.add(gradient, g.mul(l2, variables[i])) : gradient;
      });
      optimizer.applyGradients(gradients.map((gradient, i) => [gradient, variables[i]]));
    });
    const now = variables.map((x) => x.data());
    for (const [i, values] of now.entries()) {
      for (const [k, value] of values.entries()) {
        paths[i][k] += Math.abs(value - before[i][k]);
        largest[i][k] = Math.max(largest[i][k], Math.abs(value));
      }
    }
    before = now;
    const values = average ? variables.map((x) => optimizer.average(x)) : now;
    see({ step, values, largest, paths, optimizer });
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
 * @param {number} T Steps of the whole run.
 * @param {number} sides How many sides round: 2, or 1 where the other computes in f64.
 * @returns {(variable: number, element: number) => number}
 */
export const toleranceOf = ({ step, largest, paths, optimizer }, T, sides) => {
  const factor = 4 / (1 - slowestDecay(optimizer, T));
  // A peer in f64 is still rounded when it is written.
  const roundings = sides * step + (2 - sides);
  // PyTorch's clip_grad_norm_ divides by norm + 1e-6, and norms are above the limit where they clip.
  const clip = optimizer.globalClipNorm ? 1e-6 / optimizer.globalClipNorm : 0;
  return (i, k) =>
    UNIT * (roundings * largest[i][k] + sides * factor * paths[i][k]) + clip * paths[i][k];
};
