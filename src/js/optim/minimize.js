// Training loops of first-order optimizers. Compiled programs step in C; JavaScript runs only the
// caller's functions between steps.
import { readCallback, readCount, readOptions, refusePromise } from '../base/check.js';
import { GradientError } from '../base/errors.js';
import { noneFree, warn } from '../base/none-free.js';
import { readVariableList, withProgram } from '../graph/gradient.js';
import { Program, readVariables } from '../graph/program.js';
import { notify } from '../locks/listeners.js';
import { Resource } from '../tensors/resource.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { Optimizer } from './optimizer.js' */
/** @import { Variable } from '../locks/variable.js' */
/**
 * @typedef {object} MinimizeOptions
 * @property {readonly Variable[]} [variables] What to train; those made with `trainable: false` are
 *   passed over. Default: all that the loss depends on.
 * @property {number} [steps] Default: 1. With 0, the loss is only measured.
 * @property {(event: StepEvent) => unknown} [onStep] Called after each step; false stops.
 */
/**
 * @typedef {object} StepEvent
 * @property {number} step Counts from 1 in every call of `minimize`.
 * @property {number} loss As it was before the step.
 */

/** Steps of one call into C, whose count has 32 bits. */
export const MOST_STEPS = 0x7fffffff;

const KNOWN = ['variables', 'steps', 'onStep'];

/** Reads `onStep`: true ends it. @param {unknown} given @returns {(event: object) => boolean} */
const readOnStep = (given) => {
  const onStep = readCallback(given, 'onStep');
  return (event) => {
    const answer = onStep(event);
    refusePromise(answer, 'onStep');
    return answer === false;
  };
};

/** @param {unknown} options @param {number} most Steps where none are given. */
export const readMinimizeOptions = (options, most) => {
  const { variables, steps = most, onStep } = readOptions(options, KNOWN, 'minimize options');
  const count = readCount(steps, 'steps');
  const given = variables === undefined ? null : readVariableList(variables, 'variables');
  return { given, count, onStep: onStep === undefined ? undefined : readOnStep(onStep) };
};

/**
 * @param {Instance} instance
 * @param {Optimizer} optimizer
 * @param {unknown} loss
 * @param {unknown} options
 */
export const minimize = (instance, optimizer, loss, options) => {
  const { given, count, onStep } = readMinimizeOptions(options, 1);
  Resource.handleOf(instance, optimizer);
  if (loss instanceof Program) {
    const program = Resource.handleOf(instance, loss);
    const trained = given ? keepTrainable(given) : trainableOf(instance, program);
    const isFollowed = typeof optimizer.schedule === 'function';
    const most = onStep || isFollowed ? 1 : MOST_STEPS;
    return loop(count, most, onStep, (n) => stepProgram(instance, optimizer, loss, trained, n));
  }
  const fixed = given && keepTrainable(given);
  return loop(count, 1, onStep, (n) =>
    withProgram(instance, loss, (program) => {
      const trained = fixed ?? trainableOf(instance, program);
      return takeSteps(instance, optimizer, program, trained, n);
    }),
  );
};

/**
 * @param {number} steps
 * @param {number} most How many to take at a time.
 * @param {((event: object) => boolean) | undefined} onStep
 * @param {(steps: number) => number} take Gives the loss before the last of them.
 */
const loop = (steps, most, onStep, take) => {
  if (steps === 0) return take(0);
  let loss = Number.NaN;
  for (let done = 0; done < steps; ) {
    const n = Math.min(most, steps - done);
    loss = take(n);
    done += n;
    if (onStep?.({ step: done, loss })) break;
  }
  return loss;
};

/**
 * @param {Instance} instance
 * @param {Optimizer} optimizer
 * @param {Program} program
 * @param {readonly Variable[]} variables
 * @param {number} steps
 */
const stepProgram = (instance, optimizer, program, variables, steps) =>
  takeSteps(instance, optimizer, Resource.handleOf(instance, program), variables, steps);

/**
 * @param {Instance} instance
 * @param {Optimizer} optimizer
 * @param {number} program
 * @param {readonly Variable[]} variables
 * @param {number} steps
 */
const takeSteps = (instance, optimizer, program, variables, steps) => {
  if (steps > 0) optimizer.followOwnRate();
  if (steps > 0) warnOnce(optimizer, variables);
  return callMinimize(instance, 'glk_optimizer_minimize', optimizer, program, variables, steps);
};

/** The optimizers whose first call was looked at. @type {WeakSet<Resource>} */
const seen = new WeakSet();

/** Warn if nothing trains. @param {Resource} optimizer @param {readonly Variable[]} variables */
const warnOnce = (optimizer, variables) => {
  if (seen.has(optimizer)) return;
  seen.add(optimizer);
  const text = noneFree(variables);
  if (text) warn(`${optimizer.label}: ${text}`);
};

/**
 * @param {Instance} instance
 * @param {'glk_optimizer_minimize' | 'glk_solver_minimize'} call
 * @param {Resource} optimizer
 * @param {number} program
 * @param {readonly Variable[]} variables
 * @param {number} steps
 */
export const callMinimize = (instance, call, optimizer, program, variables, steps) => {
  const own = Resource.handleOf(instance, optimizer);
  const { bridge } = instance;
  const address = bridge.stage(variables.length * 4);
  try {
    const { context, out, u32, x } = bridge;
    let at = address >>> 2;
    for (const variable of variables) u32[at++] = Resource.handleOf(instance, variable);
    const count = variables.length;
    bridge.check(x[call](context, own, program, address, count, steps, out));
    return bridge.outNumber();
  } finally {
    bridge.unstage(address);
    variables.forEach(notify); // of what policies locked, also before a step that failed
  }
};

/** @param {Instance} instance @param {number} program */
export const trainableOf = (instance, program) => {
  const handles = readVariables(instance, program, 'glk_program_trainable');
  const found = handles.map((handle) => instance.variables.get(handle)?.deref());
  if (found.length === 0) {
    throw new GradientError(
      'there is nothing to train: the loss depends on no trainable variable that still exists',
    );
  }
  return found.filter((variable) => variable !== undefined);
};

/** @param {readonly Variable[]} variables */
export const keepTrainable = (variables) => {
  const trained = variables.filter((variable) => variable.trainable);
  if (trained.length === 0) {
    throw new GradientError(
      variables.length > 0
        ? `there is nothing to train: none of the variables given (${variables.length}) is trainable`
        : 'there is nothing to train: no variables were given',
    );
  }
  return trained;
};
