// Initializers of weights, by Keras's names and configurations.
// Source: keras/src/initializers/{constant,random}_initializers.py of Keras 3.15.
import { OptionError } from '../../base/errors.js';
import { fold } from './names.js';
import { findNamed, readNamed, refuseUnknown, writeObject } from './serial.js';

/** @import { Toolkit } from '../layer/toolkit.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @typedef {(shape: readonly number[]) => Tensor} Make */
/**
 * @typedef {{ className: string, config: Record<string, unknown>, make: Make }} NamedInitializer
 */

/**
 * The initial value of a weight: a name, a class with its configuration, or a function of a shape.
 * @typedef {'zeros' | 'ones' | 'constant' | 'identity' | 'randomUniform' | 'randomNormal'
 *   | 'truncatedNormal' | 'glorotUniform' | 'glorotNormal' | 'heUniform' | 'heNormal'
 *   | 'lecunUniform' | 'lecunNormal' | 'varianceScaling' | 'orthogonal' | (string & {})
 *   | import('./serial.js').NamedConfig | Make} LayerInitializer
 */
/**
 * @typedef {object} WeightInitializer The result of `nn.initializer`.
 * @property {Make} make Returns a tensor of a shape.
 */

const SEED = { seed: null };
const FANS = { ...SEED, input_axes: null, output_axes: null };
const NORMAL = { ...SEED, mean: 0, stddev: 0.05 };

/** The configurations by classes, with Keras's keys and defaults. @type {Record<string, object>} */
const INITIALIZERS = {
  Zeros: {},
  Ones: {},
  Constant: { value: 0 },
  Identity: { gain: 1 },
  RandomUniform: { ...SEED, minval: -0.05, maxval: 0.05 },
  RandomNormal: NORMAL,
  TruncatedNormal: NORMAL,
  GlorotUniform: FANS,
  GlorotNormal: FANS,
  HeUniform: FANS,
  HeNormal: FANS,
  LecunUniform: FANS,
  LecunNormal: FANS,
  VarianceScaling: { ...FANS, scale: 1, mode: 'fan_in', distribution: 'truncated_normal' },
  Orthogonal: { ...SEED, gain: 1 },
};

/**
 * Returns the function that makes weights. All but three use the instance's initializers.
 * @param {any} g
 * @param {string} className
 * @param {any} config
 * @param {any} seed
 * @returns {Make}
 */
const makerOf = (g, className, config, seed) => {
  if (className === 'Constant') return g.initializers.constant(config.value);
  if (className === 'Identity') return (shape) => identity(g, shape, config.gain);
  if (className === 'VarianceScaling') return scaled(g, config, seed);
  const { input_axes: _, output_axes: __, ...options } = config;
  const make = g.initializers[className[0]?.toLowerCase() + className.slice(1)];
  return make.length === 0 ? make() : make({ ...options, seed });
};

/** @type {Record<string, (inputs: number, outputs: number) => number>} */
const MODES = {
  fanIn: (inputs) => inputs,
  fanOut: (_, outputs) => outputs,
  fanAvg: (inputs, outputs) => (inputs + outputs) / 2,
};

/**
 * Makes values with a variance of scale / n, where n is the number of inputs, of outputs, or their
 * mean. The named initializers do the same.
 * @param {Toolkit['g']} g
 * @param {{ scale: number, mode: string, distribution: string }} config
 * @param {any} seed
 * @returns {Make}
 */
const scaled = (g, { scale, mode, distribution }, seed) => {
  const [, fan] = findNamed(MODES, mode, 'VarianceScaling: mode');
  return (shape) => {
    const field = shape.slice(0, -2).reduce((a, b) => a * b, 1);
    const outputs = shape.at(-1) ?? 1;
    const fans = fan(field * (shape.at(-2) ?? outputs), field * outputs);
    const variance = scale / Math.max(1, fans);
    const stddev = Math.sqrt(variance);
    if (distribution === 'uniform') {
      const limit = Math.sqrt(3 * variance);
      return g.randomUniform(shape, -limit, limit, seed);
    }
    if (fold(distribution) === 'untruncatednormal') return g.randomNormal(shape, 0, stddev, seed);
    return g.truncatedNormal(shape, 0, stddev / TRUNCATED_STDDEV, seed);
  };
};

/** The standard deviation of a standard normal distribution truncated at ±2. */
const TRUNCATED_STDDEV = 0.87962566103423978;

/** @param {Toolkit['g']} g @param {readonly number[]} shape @param {number} gain */
const identity = (g, shape, gain) => {
  if (shape.length !== 2)
    throw new OptionError(`Identity makes matrices only, got shape [${shape}]`);
  const [rows = 0, columns = 0] = shape;
  const values = new Float64Array(rows * columns);
  for (let i = 0; i < Math.min(rows, columns); i++) values[i * (columns + 1)] = gain;
  return g.tensor(values, shape);
};

/**
 * @param {unknown} value A name, a class with its configuration, or a function of a shape.
 * @param {string} what
 * @param {Toolkit} nn
 * @returns {NamedInitializer}
 */
export const readInitializer = (value, what, nn) => {
  if (typeof value === 'function')
    return { className: '', config: {}, make: /** @type {Make} */ (value) };
  const { name, config: given } = readNamed(value, what);
  const [className, initial] = findNamed(INITIALIZERS, name, what);
  refuseUnknown(given, initial, `${what} ${className}`);
  const config = Object.fromEntries(
    Object.entries(initial).map(([key, standard]) => [key, given[key] ?? standard]),
  );
  const seed = typeof config.seed === 'number' ? config.seed : nn.seed;
  return { className, config, make: makerOf(nn.g, className, config, seed) };
};

/** @param {NamedInitializer} initializer */
export const writeInitializer = (initializer) => {
  if (initializer.className) return writeObject('keras.initializers', initializer);
  throw new OptionError(
    'an initializer that is a function cannot be saved as JSON: use one that has a name',
  );
};
