// What weights begin with, by Keras's names and configurations.
// Source: keras/src/initializers/{constant,random}_initializers.py of Keras 3.15.
import { describe } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { fold } from './names.js';
import { findNamed, readNamed, writeObject } from './serial.js';

/** @typedef {import('./toolkit.js').Toolkit} Toolkit */
/** @typedef {import('../tensors/tensor.js').Tensor} Tensor */
/** @typedef {(shape: readonly number[]) => Tensor} Make */
/**
 * @typedef {{ className: string, config: Record<string, unknown>, make: Make }} NamedInitializer
 */

const AXES = { input_axes: null, output_axes: null };

/**
 * Per class: its configuration in Keras's keys with defaults, and what makes a tensor of it.
 * @type {Record<string, { config: Record<string, unknown>, make: (nn: Toolkit, c: any, seed: any)
 *   => Make }>}
 */
const INITIALIZERS = {
  Zeros: { config: {}, make: ({ g }) => g.initializers.zeros() },
  Ones: { config: {}, make: ({ g }) => g.initializers.ones() },
  Constant: { config: { value: 0 }, make: ({ g }, c) => g.initializers.constant(c.value) },
  Identity: {
    config: { gain: 1 },
    make:
      ({ g }, c) =>
      (shape) =>
        identity(g, shape, c.gain),
  },
  RandomUniform: {
    config: { seed: null, minval: -0.05, maxval: 0.05 },
    make: ({ g }, { minval, maxval }, seed) =>
      g.initializers.randomUniform({ minval, maxval, seed }),
  },
  RandomNormal: {
    config: { seed: null, mean: 0, stddev: 0.05 },
    make: ({ g }, { mean, stddev }, seed) => g.initializers.randomNormal({ mean, stddev, seed }),
  },
  TruncatedNormal: {
    config: { seed: null, mean: 0, stddev: 0.05 },
    make: ({ g }, { mean, stddev }, seed) => g.initializers.truncatedNormal({ mean, stddev, seed }),
  },
  GlorotUniform: {
    config: { seed: null, ...AXES },
    make: ({ g }, _, seed) => g.initializers.glorotUniform({ seed }),
  },
  GlorotNormal: {
    config: { seed: null, ...AXES },
    make: ({ g }, _, seed) => g.initializers.glorotNormal({ seed }),
  },
  HeUniform: {
    config: { seed: null, ...AXES },
    make: ({ g }, _, seed) => g.initializers.heUniform({ seed }),
  },
  HeNormal: {
    config: { seed: null, ...AXES },
    make: ({ g }, _, seed) => g.initializers.heNormal({ seed }),
  },
  LecunUniform: {
    config: { seed: null, ...AXES },
    make: ({ g }, _, seed) => g.initializers.lecunUniform({ seed }),
  },
  LecunNormal: {
    config: { seed: null, ...AXES },
    make: ({ g }, _, seed) => g.initializers.lecunNormal({ seed }),
  },
  VarianceScaling: {
    config: { seed: null, ...AXES, scale: 1, mode: 'fan_in', distribution: 'truncated_normal' },
    make: ({ g }, c, seed) => scaled(g, c, seed),
  },
  Orthogonal: {
    config: { seed: null, gain: 1 },
    make: ({ g }, { gain }, seed) => g.initializers.orthogonal({ gain, seed }),
  },
};

/**
 * A variance of scale / inputs, outputs or their mean, as the named initializers have: where the
 * variance is 1 at scale 1, theirs is used.
 * @param {Toolkit['g']} g
 * @param {{ scale: number, mode: string, distribution: string }} config
 * @param {any} seed
 * @returns {Make}
 */
const scaled = (g, { scale, mode, distribution }, seed) => {
  const isOut = fold(mode) === 'fanout';
  const isIn = fold(mode) === 'fanin';
  const isUniform = distribution === 'uniform';
  if (!isIn && !isOut && fold(mode) !== 'fanavg')
    throw new OptionError(`VarianceScaling: there is no mode ${describe(mode)}`);
  return (shape) => {
    const field = shape.slice(0, -2).reduce((a, b) => a * b, 1);
    const [inputs, outputs] = [shape.at(-2) ?? shape.at(-1) ?? 1, shape.at(-1) ?? 1].map(
      (n) => n * field,
    );
    const fans = isIn
      ? Number(inputs)
      : isOut
        ? Number(outputs)
        : (Number(inputs) + Number(outputs)) / 2;
    const variance = scale / Math.max(1, fans);
    if (isUniform) {
      const limit = Math.sqrt(3 * variance);
      return g.randomUniform(shape, -limit, limit, seed);
    }
    if (fold(distribution) === 'untruncatednormal')
      return g.randomNormal(shape, 0, Math.sqrt(variance), seed);
    return g.truncatedNormal(shape, 0, Math.sqrt(variance) / TRUNCATED_STDDEV, seed);
  };
};

/** What a normal distribution keeps of its standard deviation when cut at two of them. */
const TRUNCATED_STDDEV = 0.87962566103423978;

/**
 * @param {Toolkit['g']} g
 * @param {readonly number[]} shape
 * @param {number} gain
 */
const identity = (g, shape, gain) => {
  if (shape.length !== 2) throw new OptionError('Identity makes matrices only');
  const [rows, columns] = shape;
  const eye = g.equal(
    g.reshape(range(g, Number(rows)), [Number(rows), 1]),
    range(g, Number(columns)),
  );
  return g.mul(eye, gain);
};

/** @param {Toolkit['g']} g @param {number} n */
const range = (g, n) => g.tensor(Array.from({ length: n }, (_, i) => i));

/**
 * @param {unknown} value A name, a class with its configuration, or a function from a shape to a
 *   tensor.
 * @param {string} what
 * @param {Toolkit} nn
 * @returns {NamedInitializer}
 */
export const readInitializer = (value, what, nn) => {
  if (typeof value === 'function')
    return { className: '', config: {}, make: /** @type {Make} */ (value) };
  const { name, config: given } = readNamed(value, what);
  const [className, { config: initial, make }] = findNamed(INITIALIZERS, name, what);
  const config = Object.fromEntries(
    Object.entries(initial).map(([key, standard]) => [key, given[key] ?? standard]),
  );
  const seed = typeof config.seed === 'number' ? config.seed : nn.seed;
  return { className, config, make: make(nn, config, seed) };
};

/** @param {NamedInitializer} initializer */
export const writeInitializer = (initializer) => {
  if (initializer.className) return writeObject('keras.initializers', initializer);
  throw new OptionError('a function as initializer has no form as JSON: give a name');
};
