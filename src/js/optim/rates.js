// Per-variable learning-rate factors and weight-decay exclusions.
import { describe, readEach, readNumber, readOptions, sameShape } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { buildLocks, LockSet } from '../locks/locks.js';
import { Variable } from '../locks/variable.js';
import { Resource } from '../tensors/resource.js';
import { readValuesOf, withValues } from '../tensors/tensor.js';

/** @import { Instance } from '../tensors/instance.js' */
/**
 * A variable, or all whose name has a part, or matches.
 * @typedef {Variable | string | RegExp} VariableTarget
 */

/** @param {Instance} instance @param {unknown} target @param {string} what @returns {Variable[]} */
export const findVariables = (instance, target, what) => {
  if (!Array.isArray(target)) return findOne(instance, target, what);
  const found = readEach(target, what, (one, i) => findOne(instance, one, `${what}[${i}]`));
  return [...new Set(found.flat())];
};

/** @param {Instance} instance @param {unknown} target @param {string} what @returns {Variable[]} */
const findOne = (instance, target, what) => {
  if (target instanceof Variable) return [target];
  const isPattern = target instanceof RegExp;
  if (!isPattern && typeof target !== 'string') {
    throw new TypeError(
      `${what} must be a variable, a part of a name, a RegExp, or an array of these, got ${describe(target)}`,
    );
  }
  const alive = [...instance.variables.values()].flatMap((variable) => variable.deref() ?? []);
  return alive.filter(({ name }) => (isPattern ? name.search(target) >= 0 : name.includes(target)));
};

/**
 * One factor for a variable, or one for each of its elements.
 * @param {Instance} instance
 * @param {Variable} variable
 * @param {unknown} factor
 * @param {unknown} elements
 */
const readFactors = (instance, variable, factor, elements) => {
  if (elements !== undefined) {
    const one = readNumber(factor, 'factor');
    const chosen = new LockSet(instance, buildLocks(instance, variable.shape, elements, variable));
    try {
      return Float64Array.from(chosen.toMask(), (bit) => (bit ? one : 1));
    } finally {
      chosen.dispose();
    }
  }
  if (typeof factor === 'number') return Float64Array.of(factor);
  const { shape, data } = readValuesOf(instance, factor, variable, 'factor');
  if (sameShape(shape, variable.shape)) return data;
  throw new ShapeError(
    `factor has shape [${shape}], variable '${variable.name}' has shape [${variable.shape}]`,
  );
};

/**
 * @param {Instance} instance
 * @param {number} optimizer
 * @param {unknown} target
 * @param {unknown} factor
 * @param {unknown} options
 */
export const scaleRates = (instance, optimizer, target, factor, options) => {
  const { elements } = readOptions(options, ['elements'], 'scaleLearningRate options');
  const found = findVariables(instance, target, 'target').map((variable) => ({
    handle: Resource.handleOf(instance, variable),
    factors: readFactors(instance, variable, factor, elements),
  }));
  const { context, x } = instance.bridge;
  for (const { handle, factors } of found) {
    withValues(instance, factors, (address) =>
      x.glk_optimizer_scale_rate(context, optimizer, handle, address, factors.length),
    );
  }
};

/** @param {Instance} instance @param {number} optimizer @param {readonly unknown[]} targets */
export const excludeFromDecay = (instance, optimizer, targets) => {
  const [only, more] = targets;
  const isList = Array.isArray(only) && more === undefined;
  const found = findVariables(instance, isList ? only : targets, 'targets');
  const handles = found.map((variable) => Resource.handleOf(instance, variable));
  const { bridge } = instance;
  for (const handle of handles) {
    bridge.check(bridge.x.glk_optimizer_exclude_decay(bridge.context, optimizer, handle, 1));
  }
};
