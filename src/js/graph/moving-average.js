// Variables that follow a value after each run of a program. What that means is C's business.
import { describe, readNumber } from '../base/check.js';
import { Variable } from '../locks/variable.js';
import { prepare, withHandles } from '../tensors/apply.js';

/** @import { Instance } from '../tensors/instance.js' */

/**
 * @param {Instance} instance
 * @param {unknown} variable
 * @param {unknown} value
 * @param {unknown} decay
 */
export const assignMovingAverage = (instance, variable, value, decay = 0) => {
  if (!(variable instanceof Variable)) {
    throw new TypeError(`assignMovingAverage takes a variable, got ${describe(variable)}`);
  }
  const operand = prepare(instance, value, 'assignMovingAverage: the value');
  const rate = readNumber(decay, 'assignMovingAverage: decay');
  withHandles(instance, [variable, operand], (v, t) => {
    const { bridge, context } = instance;
    bridge.check(bridge.x.glk_assign_moving_average(context, v, t, rate));
  });
};
