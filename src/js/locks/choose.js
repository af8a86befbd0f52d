// `g.choose`: one selection among the elements of several tensors together, such as global pruning.
import { describe, readEach } from '../base/check.js';
import { GradlockError, OptionError } from '../base/errors.js';
import { Resource } from '../tensors/resource.js';
import { Tensor } from '../tensors/tensor.js';
import { LockSet } from './locks.js';
import { addChoice, createFromPlan } from './plan.js';
import { readChoicePlan } from './selection-choice.js';

/** @import { Instance } from '../tensors/instance.js' */

/** @param {Instance} instance @param {unknown} tensors @param {unknown} selection */
export const choose = (instance, tensors, selection) => {
  if (!Array.isArray(tensors)) {
    throw new TypeError(`choose takes an array of variables or tensors, got ${describe(tensors)}`);
  }
  const list = readEach(tensors, 'tensors', (tensor, i) => {
    if (tensor instanceof Tensor) return tensor;
    throw new TypeError(`tensors[${i}] must be a variable or a tensor, got ${describe(tensor)}`);
  });
  list.forEach((tensor, i) => {
    const owner = Resource.ownerOf(tensor);
    const first = list.findIndex((other) => Resource.ownerOf(other) === owner);
    if (first === i) return;
    throw new GradlockError(`tensors[${i}] is tensors[${first}]: its elements would count twice`);
  });
  const choice = readChoicePlan(selection);
  if (choice.gradient) {
    throw new OptionError("choose has no by: 'gradient': pass the gradients as its tensors");
  }
  const nothing = { kind: /** @type {const} */ ('indices'), indices: new Uint32Array(0) };
  /** @type {number[]} */
  const handles = [];
  try {
    for (const { shape } of list) handles.push(createFromPlan(instance, shape, nothing, null));
    addChoice(instance, handles, choice, list);
  } catch (error) {
    for (const handle of handles) instance.release(handle);
    throw error;
  }
  return handles.map((handle) => new LockSet(instance, handle));
};
