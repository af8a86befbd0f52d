// Constraints of variables, read from JavaScript's forms and applied in C after every update.
import { readIntegers, readNumber, readOptions, typeError } from '../base/check.js';
import { IndexError, OptionError } from '../base/errors.js';
import { Resource } from '../tensors/resource.js';
import { findVariables } from './rates.js';

/** @import { Instance } from '../tensors/instance.js' */
/**
 * - `{ nonNegative: true }`
 * - `{ min, max }`: a box; either may be left out
 * - `{ maxNorm: 2, axis: 0 }`: norms over the axes are at most that, at least `minNorm`, if any
 * - `{ unitNorm: true, axis: 0 }`: norms over the axes are 1
 *
 * `axis` is one, or a list, and counts from the end where it is negative; default 0, as in Keras.
 * @typedef {{ nonNegative: true } | { min?: number, max?: number } | { maxNorm: number,
 *   minNorm?: number, axis?: number | readonly number[] } | { unitNorm: true,
 *   axis?: number | readonly number[] }} Constraint
 */

/** @typedef {{ kind: string, low: number, high: number, axis: unknown }} Read */

const FORMS =
  '{ nonNegative: true }, { min, max }, { maxNorm, minNorm, axis }, { unitNorm: true, axis } or null';

/** @param {unknown} constraint @returns {Read} */
const readConstraint = (constraint) => {
  const none = { kind: 'GLK_UNCONSTRAINED', low: 0, high: 0, axis: [] };
  if (constraint === null) return none;
  const known = ['nonNegative', 'min', 'max', 'maxNorm', 'minNorm', 'unitNorm', 'axis'];
  if (constraint === undefined) throw typeError('a constraint', FORMS, constraint);
  const given = readOptions(constraint, known, 'constraint');
  const named = Object.keys(given).filter((key) => given[key] !== undefined);
  const is = (/** @type {string[]} */ ...keys) =>
    named.some((key) => key !== 'axis') && named.every((key) => keys.includes(key));
  if (is('nonNegative') && given.nonNegative === true) return { ...none, kind: 'GLK_NON_NEGATIVE' };
  if (is('min', 'max')) {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = given;
    return { ...none, kind: 'GLK_BOX', low: readNumber(min, 'min'), high: readNumber(max, 'max') };
  }
  const { axis = 0 } = given;
  if (is('maxNorm', 'minNorm', 'axis') && given.maxNorm !== undefined) {
    const { minNorm = 0, maxNorm } = given;
    const [low, high] = [readNumber(minNorm, 'minNorm'), readNumber(maxNorm, 'maxNorm')];
    return { kind: 'GLK_MAX_NORM', low, high, axis };
  }
  if (is('unitNorm', 'axis') && given.unitNorm === true) {
    return { kind: 'GLK_UNIT_NORM', low: 0, high: 1, axis };
  }
  throw new OptionError(`a constraint must be ${FORMS}, got ${JSON.stringify(constraint)}`);
};

/** @param {unknown} axis @param {readonly number[]} shape */
const readAxes = (axis, shape) => {
  const list = readIntegers(Array.isArray(axis) ? axis : [axis], 'axis');
  if (list.length === 0 && !Array.isArray(axis))
    throw typeError('axis', 'an integer or an array of integers', axis);
  return list.map((one) => {
    const at = one < 0 ? one + shape.length : one;
    if (at >= 0 && at < shape.length) return at;
    throw new IndexError(`axis ${one} is out of range for shape [${shape}]`);
  });
};

/**
 * @param {Instance} instance
 * @param {number} optimizer
 * @param {unknown} target
 * @param {unknown} constraint
 */
export const constrainVariables = (instance, optimizer, target, constraint) => {
  const { kind, low, high, axis } = readConstraint(constraint);
  const found = findVariables(instance, target, 'target').map((variable) => ({
    handle: Resource.handleOf(instance, variable),
    axes: readAxes(axis, variable.shape),
  }));
  const { bridge } = instance;
  const { context, dims, x } = bridge;
  const code = bridge.constant(kind);
  for (const { handle, axes } of found) {
    const count = bridge.writeList(dims, axes);
    bridge.check(
      x.glk_optimizer_constrain(context, optimizer, handle, code, low, high, dims, count),
    );
  }
};
