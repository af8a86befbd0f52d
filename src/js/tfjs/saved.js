// Optimizers in the form that TensorFlow.js saves: the count of steps, and the state as text in one
// tensor, which any of its handlers keeps bit for bit.
import { describe, formatShape } from '../base/check.js';
import { FormatError, OptionError } from '../base/errors.js';
import { decodeText, encodeText } from '../base/text.js';

/** @import { Mirror } from './mirror.js' */
/** @import { Optimizer } from '../optim/optimizer.js' */
/** @typedef {{ name: string, tensor: any }} Named */

const NAME = 'gradlock';

/** @param {any} tf @param {Optimizer} own @param {readonly Mirror[]} trained @returns {Named[]} */
export const pack = (tf, own, trained) => {
  if (typeof own.schedule === 'function') {
    throw new OptionError('a learningRate that is a function cannot be saved');
  }
  const state = own.state({ variables: trained.map((mirror) => mirror.own) });
  const names = trained.map(({ theirs }) => theirs.name);
  const text = encodeText(JSON.stringify({ names, state }));
  const padded = new Uint8Array(Math.ceil(text.length / 4) * 4).fill(32);
  padded.set(text);
  const words = new Int32Array(padded.buffer);
  return [
    { name: 'iter', tensor: tf.scalar(own.iterations, 'int32') },
    { name: NAME, tensor: tf.tensor(words, [words.length], 'int32') },
  ];
};

/**
 * Load a saved state, and return its variables. All or nothing.
 * @param {readonly Named[]} weights
 * @param {Optimizer} own
 * @param {import('./mirror.js').Mirrors} mirrors
 */
export const unpack = async (weights, own, mirrors) => {
  const tensor = weights.find(({ name }) => name === NAME)?.tensor;
  if (!tensor) {
    throw new FormatError('setWeights takes the result of getWeights of a gradlock optimizer');
  }
  const { buffer, byteOffset, byteLength } = await tensor.data();
  /** @type {{ names: string[], state: any }} */
  let saved;
  try {
    saved = JSON.parse(decodeText(new Uint8Array(buffer, byteOffset, byteLength)));
    if (saved.names.length !== saved.state.variables.length) throw new RangeError('names');
  } catch (cause) {
    throw new FormatError('setWeights: the state is damaged', undefined, { cause });
  }
  const { names, state } = saved;
  const list = state.variables;
  const found = names.map((name, i) => find(mirrors, name, names, list[i]?.shape?.u32));
  found.forEach((mirror, i) => {
    list[i].name = mirror.own.name;
  });
  own.setState(state, { variables: found.map((mirror) => mirror.own) });
  return found;
};

/**
 * The variable of a name, or of a name that TensorFlow.js changed: it numbers used names.
 * @param {import('./mirror.js').Mirrors} mirrors
 * @param {unknown} name
 * @param {readonly unknown[]} names All of the state.
 * @param {unknown} shape
 */
const find = (mirrors, name, names, shape) => {
  const fits = Object.values(mirrors.registered).filter(
    (variable) =>
      (variable.name === name ||
        (!names.includes(variable.name) && variable.name.replace(/_\d+$/, '') === name)) &&
      Array.isArray(shape) &&
      formatShape(variable.shape) === formatShape(shape),
  );
  if (fits.length === 1) return mirrors.of(fits[0], 'setWeights');
  throw new FormatError(
    `setWeights: the state has ${describe(name)}, but ${fits.length} variables match it`,
  );
};
