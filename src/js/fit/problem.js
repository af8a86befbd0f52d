// Residuals as programs over a variable: their values, their Jacobian, and a minimum. What is tried
// out is tried on a variable of its own, so that no lock is lifted and nothing is written.
import { describe } from '../base/check.js';
import { ShapeError } from '../base/errors.js';

/** @import { Gradlock } from '../gradlock.js' */
/** @import { Variable } from '../locks/variable.js' */
/** @import { LevenbergMarquardtOptimizer as Solver } from '../optim/solvers.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/** @import { Loss } from './losses.js' */
/** @typedef {import('./parameters.js').Parameters<any>} Parameters */
/** @typedef {import('./parameters.js').NamedTensors<any>} NamedTensors */
/** @typedef {(named: NamedTensors) => Tensor} Vector A function of parameters, of shape [n]. */
/** @typedef {Float64Array<ArrayBuffer>} Column */
/**
 * @typedef {object} Problem
 * @property {Gradlock} g
 * @property {Parameters} parameters
 * @property {Vector} residuals Weighted, of shape [n].
 * @property {Loss} loss
 * @property {number} lossScale
 * @property {object} solver Options of Levenberg-Marquardt.
 */

/** @param {unknown} given @param {string} what @param {number} [count] @returns {Tensor} */
export const expectVector = (given, what, count) => {
  const tensor = /** @type {any} */ (given);
  if (!Array.isArray(tensor?.shape) || typeof tensor.data !== 'function') {
    throw new TypeError(
      `${what} must return a tensor, it returned ${describe(given)}: compute with ops such as g.mul`,
    );
  }
  const { shape } = tensor;
  if (shape.length !== 1 || (count !== undefined && shape[0] !== count)) {
    throw new ShapeError(
      `${what} must return shape [${count ?? 'n'}], it returned [${shape.join(', ')}]`,
    );
  }
  return tensor;
};

/**
 * Values and derivatives of a function of the parameters, at given values of their elements.
 * @param {Problem} problem
 * @param {Vector} f
 * @param {ArrayLike<number>} at
 * @returns {{ values: Column, columns: Column[], ties: Column, tieColumns: Column[] }} The
 *   Jacobian by columns, one for each element; those of ties too.
 */
export const differentiate = ({ g, parameters }, f, at) => {
  const variable = g.variable(/** @type {any} */ (at), { trainable: false });
  const direction = g.variable(new Float64Array(at.length), { trainable: false });
  /** @type {Variable | undefined} */
  let seed;
  /** @type {import('../graph/program.js').Program<Tensor[]> | undefined} */
  let program;
  try {
    const ties = parameters.ties;
    const measure = () => {
      const named = parameters.tensors(variable);
      const scalars = ties.map((name) => g.reshape(/** @type {Tensor} */ (named[name]), [1]));
      return g.concat([f(named), ...scalars], 0);
    };
    const size = g.tidy(() => measure().size);
    const weights = g.variable(new Float64Array(size), { trainable: false });
    seed = weights;
    // Jᵀu is linear in u, so that the gradient of (Jᵀu)·v by u is J v: a column in one run
    // (Christianson 1992).
    program = g.compile(() => {
      const y = measure();
      const slope = g.gradients(g.sum(g.mul(y, weights)), variable);
      const column = slope && g.gradients(g.sum(g.mul(slope, direction)), weights);
      return column ? [y, column] : [y];
    });
    const run = program;
    /** @param {number} i */
    const read = (i) => {
      const unit = new Float64Array(at.length);
      unit[i] = 1;
      direction.assign(unit);
      const tensors = run.run();
      const [y, column] = tensors.map((tensor) => Float64Array.from(tensor.data()));
      for (const tensor of tensors) tensor.dispose();
      return { y, column: column ?? new Float64Array(size) };
    };
    const found = Array.from({ length: at.length }, (_, i) => read(i));
    const y = /** @type {Column} */ (found[0]?.y);
    const n = size - ties.length;
    const columns = found.map(({ column }) => column);
    return {
      values: y.subarray(0, n),
      columns: columns.map((column) => column.subarray(0, n)),
      ties: y.subarray(n),
      tieColumns: columns.map((column) => column.subarray(n)),
    };
  } finally {
    program?.dispose();
    for (const made of [variable, direction, seed]) made?.dispose();
  }
};

/**
 * Values of a function of the parameters, without derivatives.
 * @param {Problem} problem
 * @param {Vector} f
 * @param {ArrayLike<number>} at
 * @returns {Column}
 */
export const evaluate = ({ g, parameters }, f, at) => {
  const variable = g.variable(/** @type {any} */ (at), { trainable: false });
  try {
    return g.tidy(() => Float64Array.from(f(parameters.tensors(variable)).data()));
  } finally {
    variable.dispose();
  }
};

/**
 * Σ C² ρ((r / C)²): the sum of squares, for a linear loss.
 * @param {Pick<Problem, 'loss' | 'lossScale'>} problem
 * @param {ArrayLike<number>} residuals
 */
export const chiSquareOf = ({ loss, lossScale }, residuals) => {
  let sum = 0;
  for (let i = 0; i < residuals.length; i++) {
    sum += loss.rho((Number(residuals[i]) / lossScale) ** 2)[0];
  }
  return sum * lossScale ** 2;
};

/**
 * @typedef {object} Minimum
 * @property {number} chiSquare
 * @property {string} stopReason
 * @property {number} steps
 * @property {number} evaluations
 * @property {string[]} bound Names of those that a bound holds; they are let go with the solver.
 */
/**
 * Minimises over a variable's free elements, within the parameters' bounds, as often as it is
 * called, from where the variable is.
 * @param {Problem} problem
 * @param {Variable} variable
 */
export const minimizer = (problem, variable) => {
  const { g, parameters, residuals, loss, lossScale } = problem;
  const solver = g.optimizers.levenbergMarquardt(problem.solver);
  /** @type {import('../graph/program.js').Program<Tensor> | undefined} */
  let program;
  const dispose = () => {
    program?.dispose();
    solver.dispose();
  };
  try {
    bound(solver, variable, parameters);
    program = g.compile(() =>
      loss.transform(g, residuals(parameters.tensors(variable)), lossScale),
    );
  } catch (error) {
    dispose();
    throw error;
  }
  const compiled = program;
  /** @param {{ steps?: number, onStep?: any }} options @returns {Minimum} */
  const run = (options) => {
    const half = solver.minimize(compiled, { ...options, variables: [variable] });
    const { stopReason, iterations: steps, evaluations } = solver;
    const held = parameters.boundIn(variable);
    return { chiSquare: 2 * half, stopReason, steps, evaluations, bound: held };
  };
  return { run, dispose };
};

/**
 * @param {Problem} problem
 * @param {Variable} variable
 * @param {{ steps?: number, onStep?: any }} options
 */
export const minimize = (problem, variable, options) => {
  const { run, dispose } = minimizer(problem, variable);
  try {
    return run(options);
  } finally {
    dispose();
  }
};

/**
 * The only function that knows how a solver takes bounds.
 * @param {Solver} solver
 * @param {Variable} variable
 * @param {Parameters} parameters
 */
const bound = (solver, variable, { ranges }) => {
  const [min, max] = [ranges.map((range) => range.min), ranges.map((range) => range.max)];
  if ([...min, ...max].some(Number.isFinite)) solver.setBounds(variable, { min, max });
};
