// Names of a variable's holders.
import { Resource } from '../tensors/resource.js';

/** @import { Tensor } from '../tensors/tensor.js' */

/** Names of a variable's holders, except the default one. @param {Tensor} variable */
export const holderNames = (variable) => {
  const { bridge } = Resource.instanceOf(variable);
  const { context, out, x } = bridge;
  const handle = Resource.ownHandle(variable);
  /** @type {string[]} */
  const names = [];
  while (x.glk_holder_name(context, handle, names.length, out) === 0) {
    names.push(bridge.text(bridge.outHandle()));
  }
  return names;
};
