// Values and gradients of programs and of plain functions.
import { describe } from '../base/check.js';
import { buildLocks } from '../locks/locks.js';
import { Variable } from '../locks/variable.js';
import { Resource } from '../tensors/resource.js';
import { readValuesOf, Tensor } from '../tensors/tensor.js';
import { Program, record } from './program.js';

/** @import { Instance } from '../tensors/instance.js' */

/** @param {unknown} value @param {string} what */
export const readVariableList = (value, what) => {
  if (!Array.isArray(value)) {
    throw new TypeError(`${what} must be an array of variables, got ${describe(value)}`);
  }
  /** @type {Variable[]} */
  const list = []; // by hand: Array.from takes longer than a small step
  for (let i = 0; i < value.length; i++) {
    const variable = value[i];
    if (!(variable instanceof Variable)) {
      throw new TypeError(`${what}[${i}] must be a variable, got ${describe(variable)}`);
    }
    list.push(variable);
  }
  return list;
};

/** Pairs of gradient and variable, checked. @param {Instance} instance @param {unknown} pairs */
export const readPairs = (instance, pairs) => {
  if (!Array.isArray(pairs)) {
    throw new TypeError(
      `applyGradients takes an array of [gradient, variable] pairs, got ${describe(pairs)}`,
    );
  }
  /** @type {{ variable: Variable, gradient: Tensor | ReturnType<typeof readValuesOf> }[]} */
  const read = [];
  for (let i = 0; i < pairs.length; i++) {
    const pair = pairs[i];
    if (!Array.isArray(pair) || pair.length !== 2) {
      throw new TypeError(`pairs[${i}] must be [gradient, variable], got ${describe(pair)}`);
    }
    const [given, variable] = pair;
    if (!(variable instanceof Variable)) {
      throw new TypeError(`pairs[${i}][1] must be a variable, got ${describe(variable)}`);
    }
    const isTensor = given instanceof Tensor;
    const gradient = isTensor
      ? given
      : readValuesOf(instance, given, variable, `pairs[${i}][0] for ${variable.label}`);
    read.push({ variable, gradient });
  }
  return read;
};

/**
 * A loss as a program: its own, or recorded for one use.
 * @template T
 * @param {Instance} instance
 * @param {unknown} loss
 * @param {(handle: number) => T} use
 */
export const withProgram = (instance, loss, use) => {
  if (loss instanceof Program) return use(Resource.handleOf(instance, loss));
  if (typeof loss !== 'function') {
    throw new TypeError(
      `the loss must be a compiled program or a function that returns a tensor, got ${describe(loss)}`,
    );
  }
  const { handle } = record(instance, 'GLK_TAPE', loss, 'the loss function');
  try {
    return use(handle);
  } finally {
    instance.release(handle);
  }
};

/** @param {Instance} instance @param {unknown} loss @param {unknown} variables */
export const valueAndGrad = (instance, loss, variables) => {
  const list = readVariableList(variables, 'variables');
  return withProgram(instance, loss, (program) => {
    const handles = list.map((variable) => Resource.handleOf(instance, variable));
    const { bridge, context } = instance;
    const count = handles.length;
    return bridge.staged(count * 8, (address) => {
      const gradients = address + count * 4;
      bridge.writeList(address, handles);
      const { out, x } = bridge;
      bridge.check(x.glk_program_gradient(context, program, address, count, out, gradients));
      const grads = bridge.readList(gradients, count).map((handle) => new Tensor(instance, handle));
      return { value: bridge.outNumber(), grads };
    });
  });
};

/**
 * Gradients where variables are locked, or selected; 0 elsewhere.
 * @param {Instance} instance
 * @param {unknown} loss
 * @param {unknown} variables
 * @param {unknown} selection
 */
export const pressure = (instance, loss, variables, selection) => {
  const list = readVariableList(variables, 'variables');
  const { bridge, context } = instance;
  const isOwn = selection === undefined;
  /** @type {number[]} */
  const sets = [];
  /** @type {Tensor[]} */
  let grads = [];
  /** @type {Tensor[]} */
  const made = [];
  try {
    for (const variable of list) {
      const own = Resource.handleOf(instance, variable);
      sets.push(isOwn ? own : buildLocks(instance, variable.shape, selection, variable));
    }
    grads = valueAndGrad(instance, loss, list).grads;
    for (const [i, set] of sets.entries()) {
      const source = Resource.handleOf(instance, /** @type {Tensor} */ (grads[i]));
      bridge.check(bridge.x.glk_locks_pick(context, set, source, bridge.out));
      made.push(new Tensor(instance, bridge.outHandle()));
    }
    return made;
  } catch (error) {
    for (const tensor of made) tensor.dispose();
    throw error;
  } finally {
    for (const tensor of grads) tensor.dispose();
    if (!isOwn) for (const set of sets) instance.release(set);
  }
};
