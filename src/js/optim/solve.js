// Training loops of second-order methods: all steps in one call, or one at a time with a callback.
import { describe } from '../base/check.js';
import { Program, readVariables, record } from '../graph/program.js';
import { Resource } from '../tensors/resource.js';
import { keepHolding } from './bounds.js';
import {
  callMinimize,
  keepTrainable,
  MOST_STEPS,
  readMinimizeOptions,
  trainableOf,
} from './minimize.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { Solver } from './solver.js' */
/** @import { Variable } from '../locks/variable.js' */
/**
 * @typedef {object} SolveOptions
 * @property {readonly Variable[]} [variables] What to train; those made with `trainable: false` are
 *   passed over. Default: all that the loss depends on; for residuals, all that they read.
 * @property {number} [steps] At most; `stopReason` is `'steps'` where more may help. With 0, the
 *   loss is only measured. Default: 1,000.
 * @property {(event: SolveEvent) => unknown} [onStep] Called after every step taken; returning
 *   false stops.
 */
/**
 * @typedef {object} SolveEvent
 * @property {number} step Counts from 1 in every call of `minimize`.
 * @property {number} loss As it is after the step.
 */

/** A method stops when it has converged. NIST's sets need up to 346 steps in f64. */
const DEFAULT_STEPS = 1000;

/**
 * @param {Instance} instance
 * @param {Solver} solver
 * @param {unknown} loss
 * @param {unknown} options
 */
export const solve = (instance, solver, loss, options) => {
  const { given, count, onStep } = readMinimizeOptions(options, DEFAULT_STEPS);
  Resource.handleOf(instance, solver);
  return withTrace(instance, loss, (program) => {
    const variables = given ? keepTrainable(given) : defaultVariables(instance, solver, program());
    /** @param {number} steps */
    const take = (steps) => {
      try {
        return callMinimize(instance, 'glk_solver_minimize', solver, program(), variables, steps);
      } finally {
        keepHolding(solver, variables);
      }
    };
    return onStep ? stepwise(solver, count, onStep, take) : take(Math.min(count, MOST_STEPS));
  });
};

/**
 * @param {Solver} solver
 * @param {number} count
 * @param {(event: object) => boolean} onStep
 * @param {(steps: number) => number} take
 */
const stepwise = (solver, count, onStep, take) => {
  if (count === 0) return take(0);
  let loss = Number.NaN;
  for (let step = 1; step <= count; step++) {
    const before = solver.iterations;
    loss = take(1);
    const { stopReason } = solver;
    if (solver.iterations > before && onStep({ step, loss })) break;
    if (stopReason !== 'steps') break;
  }
  return loss;
};

/**
 * A program to replay: the caller's, or one recorded for one call.
 * @template T
 * @param {Instance} instance
 * @param {unknown} loss
 * @param {(program: () => number) => T} use What it is given gives the handle, while the program
 *   lives.
 */
const withTrace = (instance, loss, use) => {
  if (loss instanceof Program) return use(() => Resource.handleOf(instance, loss));
  if (typeof loss !== 'function') {
    throw new TypeError(
      `the loss must be a compiled program or a function that returns a tensor, got ${describe(loss)}`,
    );
  }
  const { handle } = record(instance, 'GLK_TRACE', loss, 'the loss function');
  try {
    return use(() => handle);
  } finally {
    instance.release(handle);
  }
};

/**
 * Residuals need not be a scalar, so C cannot find the variables that they depend on.
 * @param {Instance} instance
 * @param {Solver} solver
 * @param {number} program
 */
const defaultVariables = (instance, solver, program) => {
  if (solver.rule !== 'levenbergMarquardt') return trainableOf(instance, program);
  const found = readVariables(instance, program).map((h) => instance.variables.get(h)?.deref());
  return keepTrainable(found.filter((variable) => variable !== undefined));
};
