// The measurement behind `pressure` of models (docs/laws.md, law 21): the gradient of the loss over
// all rows, locked elements included, and the curvature along it.
// Sources: relative gradient norm: Lee et al. 2023, "Surgical fine-tuning improves adaptation to
// distribution shifts", arXiv:2210.11466. Products of the Hessian with vectors: Pearlmutter 1994,
// "Fast exact multiplication by the Hessian".
import { GradlockError } from '../../base/errors.js';
import { evaluateBatch } from '../fit/compile.js';
import { isOf, makeRows, partsOf, addCurvature } from './parts.js';
import { Pressure, sortRows } from './report.js';
import { newRun } from '../layer/forward-pass.js';

/** @import { Data } from '../fit/data.js' */
/** @import { Model } from '../model/model.js' */
/** @import { Part, PressureRow } from './parts.js' */
/** @import { PressureMeasure as Measure, PressureUnit as Unit } from './report.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Reals } from '../layer/toolkit.js' */
/** @typedef {import('../../graph/program.js').Program<any>} Program */
/**
 * @typedef {object} Job
 * @property {Model} model
 * @property {import('../fit/compile.js').Plan} plan
 * @property {Data} data
 * @property {import('../fit/event-loop.js').Yielder} yielder
 * @property {{ batchSize: number, by: Unit, sortBy: Measure, maxRows: number,
 *   learningRate: number, secondOrder: boolean }} options
 */

/** Records a loss to run over rows. @param {Job} job @param {(loss: Tensor) => Tensor[]} derive */
const openPass = ({ model, plan, data, yielder, options }, derive) => {
  const { g } = model;
  const { xs, ys, weights, size } = data;
  const { batchSize } = options;
  const start = g.variable(0, { name: 'batch', trainable: false });
  /** @type {Map<number, Program>} */
  const programs = new Map();

  /** @param {number} count */
  const record = (count) => {
    const before = model.draws.state; // measuring must not change it
    try {
      const compile = (/** @type {() => Tensor[]} */ body) =>
        model.nn.drawFrom(model.draws.stream, () => g.compile(body));
      return compile(() => {
        const rows = g.add(
          start,
          Float32Array.from({ length: count }, (_, i) => i),
        );
        /** @param {Tensor} t */
        const pick = (t) => (count === size ? t : g.gather(t, rows));
        const [x, y] = [xs.map(pick), ys.map(pick)];
        const own = weights.map((w) => w && pick(w));
        const run = newRun(false);
        return derive(evaluateBatch(model, plan, x.length === 1 ? x[0] : x, y, own, run).loss);
      });
    } finally {
      model.draws.moveTo(before);
    }
  };

  return {
    /** @param {(values: Reals, i: number, share: number) => void} use */
    async run(use) {
      for (let from = 0; from < size; from += batchSize) {
        const count = Math.min(batchSize, size - from);
        const program = programs.get(count) ?? record(count);
        programs.set(count, program);
        start.assign(from);
        // The shares add up to 1, so that weight penalties count once.
        program.run().forEach((/** @type {Tensor} */ output, /** @type {number} */ i) => {
          use(output.data(), i, count / size);
          output.dispose();
        });
        if (yielder.isDue()) await yielder.pause();
      }
    },

    dispose() {
      for (const one of [...programs.values(), start]) one.dispose();
    },
  };
};

/** The loss; its gradient is added to the parts. @param {Job} job @param {readonly Part[]} parts */
const findGradients = async (job, parts) => {
  const { g } = job.model;
  let loss = 0;
  /** The parts that have a gradient. @type {Part[]} */
  let known = [];
  const weights = parts.map(({ weight }) => weight);
  const pass = openPass(job, (total) => {
    const found = g.gradients(total, weights);
    known = parts.filter((_, i) => found[i]);
    return [total, ...found.flatMap((slope) => slope ?? [])];
  });
  try {
    await pass.run((values, i, share) => {
      const gradient = known[i - 1]?.gradient;
      if (!gradient) loss += share * Number(values[0]);
      else for (let k = 0; k < values.length; k++) gradient[k] += share * Number(values[k]);
    });
  } finally {
    pass.dispose();
  }
  return loss;
};

/**
 * Computes the curvatures vᵀHv of rows, along the unit vectors v of their gradients. All rows
 * belong to one layer or weight. v is 0 elsewhere, so H is the Hessian by the row's elements alone.
 * @param {Job} job
 * @param {readonly Part[]} parts
 * @param {readonly PressureRow[]} rows
 * @param {(row: PressureRow, curvature: number) => void} use
 */
const findCurvatures = async (job, parts, rows, use) => {
  const { g } = job.model;
  const weights = parts.map(({ weight }) => weight);
  const along = weights.map(({ size, shape }) =>
    g.variable(new Float32Array(size), { shape, trainable: false }),
  );
  /** Returns the derivative along v. @param {Tensor} of */
  const slopeOf = (of) => {
    let sum = g.tensor(0);
    g.gradients(of, weights).forEach((slope, i) => {
      if (slope) sum = g.add(sum, g.sum(g.mul(slope, along[i])));
    });
    return sum;
  };
  const pass = openPass(job, (loss) => [slopeOf(slopeOf(loss))]);
  try {
    for (const row of rows) {
      parts.forEach((part, i) => {
        const values = part.gradient.map((slope, k) =>
          isOf(row, part, k) ? slope / row.gradientNorm : 0,
        );
        along[i].assign(values);
      });
      let curvature = 0;
      await pass.run((values, _, share) => {
        curvature += share * Number(values[0]);
      });
      use(row, curvature);
    }
  } finally {
    pass.dispose();
    for (const one of along) one.dispose();
  }
};

/** @param {Job} job */
export const measure = async (job) => {
  const { model, options } = job;
  const { by, sortBy, maxRows, learningRate, secondOrder } = options;
  const layers = partsOf(model);
  const parts = layers.flat();
  const stamp = () => parts.reduce((n, { weight: w }) => n + w.version + w.locks.version, 0);
  const before = stamp();
  const expectSame = () => {
    if (stamp() === before) return;
    throw new GradlockError(
      `${model.name}: weights or locks changed while their pressure was measured: measure again`,
    );
  };
  const loss = await findGradients(job, parts);
  expectSame();
  const { tables, owners } = makeRows(layers, learningRate);
  const order = sortBy === 'relativeNorm' ? sortBy : 'firstOrder';
  for (const table of Object.values(tables)) sortRows(table, order);
  const rows = tables[by].slice(0, secondOrder ? maxRows : 0);
  for (const group of by === 'layer' ? layers : parts.map((part) => [part])) {
    const own = rows.filter((row) => owners.get(row)?.[0] === group[0]);
    // If the gradient is 0 or NaN, so are the results.
    for (const row of own) addCurvature(row, row.gradientNorm, learningRate);
    const moving = own.filter(({ gradientNorm }) => gradientNorm > 0);
    if (moving.length === 0) continue;
    await findCurvatures(job, group, moving, (row, curvature) =>
      addCurvature(row, curvature, learningRate),
    );
    expectSame();
  }
  sortRows(tables[by], sortBy);
  return new Pressure(tables, owners, { by, sortBy, maxRows, learningRate, loss });
};
