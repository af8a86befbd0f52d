// Initial values of weights: functions from a shape to a tensor, with Keras's ranges and defaults.
// All numbers come from the ops.
import { bindMethods } from '../base/bind.js';
import { formatShape, readNumber, readOptions, readShape, sizeOf } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { apply } from '../tensors/apply.js';
import { readSource } from '../tensors/random.js';
import { tidy } from '../tensors/tidy.js';
import { IDS, INSTANCE } from './table.js';

/** @import { RandomOps } from './random.js' */
/** @import { NormalOptions, Seed, UniformOptions } from '../tensors/random.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/**
 * @typedef {object} SeedOption
 * @property {Seed} [seed] A generator gives other weights each time; a number, or `{ seed, step }`,
 *   the same ones. Default: a generator of the instance, which starts with the same seed in every
 *   instance.
 */
/** @typedef {(shape: readonly number[]) => Tensor} Initializer */
/** @typedef {'in' | 'average'} Fan */

/** Standard deviation of a normal distribution that is cut off at two standard deviations. */
const TRUNCATED_STDDEV = 0.87962566103423978;

/**
 * Numbers of inputs and outputs of a unit of a layer with such a kernel, as Keras counts them: [in,
 * out]. Axes before these two are the receptive field.
 * Source: keras/src/initializers/random_initializers.py, compute_fans.
 * @param {readonly number[]} shape
 */
const fansOf = (shape) => {
  if (shape.length < 2) return { fanIn: sizeOf(shape), fanOut: sizeOf(shape) };
  const field = sizeOf(shape.slice(0, -2));
  return { fanIn: field * Number(shape.at(-2)), fanOut: field * Number(shape.at(-1)) };
};

/**
 * The variance that keeps signals as large as they are.
 * @param {readonly number[]} shape
 * @param {number} scale
 * @param {Fan} fan
 */
const varianceOf = (shape, scale, fan) => {
  const { fanIn, fanOut } = fansOf(shape);
  return scale / Math.max(1, fan === 'in' ? fanIn : (fanIn + fanOut) / 2);
};

/**
 * @param {unknown} options
 * @param {Record<string, number>} defaults
 * @param {string} what
 * @returns {{ seed: Seed | undefined, numbers: number[] }} Numbers in the defaults' order.
 */
const readInitializer = (options, defaults, what) => {
  const names = Object.keys(defaults);
  const given = readOptions(options, [...names, 'seed'], `${what} options`);
  if (given.seed !== undefined) readSource(given.seed);
  const numbers = names.map((name) =>
    readNumber(given[name] === undefined ? defaults[name] : given[name], name),
  );
  return { seed: /** @type {Seed | undefined} */ (given.seed), numbers };
};

/** Makes initializers: `g.initializers.glorotUniform({ seed: 1 })([3, 4])` is a [3, 4] tensor. */
export class Initializers {
  #ops;

  /** @internal @param {RandomOps} ops */
  constructor(ops) {
    this.#ops = ops;
    bindMethods(this);
  }

  /**
   * All 0.
   * @returns {Initializer}
   * @example
   * g.initializers.zeros()([2, 2]).array(); // [[0, 0], [0, 0]]
   */
  zeros() {
    return this.constant(0);
  }

  /**
   * All 1.
   * @returns {Initializer}
   * @example
   * g.initializers.ones()([2, 2]).array(); // [[1, 1], [1, 1]]
   */
  ones() {
    return this.constant(1);
  }

  /**
   * All the same.
   * @param {number} value
   * @returns {Initializer}
   * @example
   * g.initializers.constant(0.5)([3]).array(); // [0.5, 0.5, 0.5]
   */
  constant(value) {
    const number = readNumber(value, 'value');
    const { [INSTANCE]: instance, [IDS]: ids } = this.#ops;
    return (shape) =>
      apply(
        instance,
        Number(ids.broadcastTo),
        1,
        readShape(shape, instance.bridge.maxRank),
        number,
      );
  }

  /**
   * Uniform in minval ≤ x < maxval.
   * @param {UniformOptions & SeedOption} [options] Default: from −0.05 to 0.05.
   * @returns {Initializer}
   * @example
   * g.initializers.randomUniform({ minval: 0, maxval: 1, seed: 7 })([3]).array();
   * // [0.7537285, 0.0779376, 0.45880914]
   */
  randomUniform(options) {
    const defaults = { minval: -0.05, maxval: 0.05 };
    const { seed, numbers } = readInitializer(options, defaults, 'randomUniform');
    return (shape) => this.#ops.randomUniform(shape, numbers[0], numbers[1], seed);
  }

  /**
   * Normal.
   * @param {NormalOptions & SeedOption} [options] Default: mean 0, standard deviation 0.05.
   * @returns {Initializer}
   * @example
   * g.initializers.randomNormal({ stddev: 0.1, seed: 7 })([3]).array();
   * // [0.03536911, 0.06635877, -0.097749926]
   */
  randomNormal(options) {
    const defaults = { mean: 0, stddev: 0.05 };
    const { seed, numbers } = readInitializer(options, defaults, 'randomNormal');
    return (shape) => this.#ops.randomNormal(shape, numbers[0], numbers[1], seed);
  }

  /**
   * Normal, cut at two standard deviations.
   * @param {NormalOptions & SeedOption} [options] Default: mean 0, standard deviation 0.05.
   * @returns {Initializer}
   * @example
   * g.initializers.truncatedNormal({ stddev: 0.1, seed: 7 })([3]).array();
   * // [0.03536911, 0.06635877, -0.097749926]
   */
  truncatedNormal(options) {
    const defaults = { mean: 0, stddev: 0.05 };
    const { seed, numbers } = readInitializer(options, defaults, 'truncatedNormal');
    return (shape) => this.#ops.truncatedNormal(shape, numbers[0], numbers[1], seed);
  }

  /**
   * Uniform in ±√(6 / (inputs + outputs)). Source: Glorot & Bengio 2010, eq. 16.
   * @param {SeedOption} [options]
   * @returns {Initializer}
   * @example
   * g.initializers.glorotUniform({ seed: 7 })([2, 2]).array();
   * // [[0.6215054, -1.0338376], [-0.1008966, 0.87404406]]
   */
  glorotUniform(options) {
    return this.#uniform('glorotUniform', 1, 'average', options);
  }

  /**
   * Truncated normal of variance 2 / (inputs + outputs). Source: Glorot & Bengio 2010, eq. 12.
   * @param {SeedOption} [options]
   * @returns {Initializer}
   * @example
   * g.initializers.glorotNormal({ seed: 7 })([2, 2]).array();
   * // [[0.28432253, 0.5334398], [-0.78578466, 0.62409556]]
   */
  glorotNormal(options) {
    return this.#normal('glorotNormal', 1, 'average', options);
  }

  /**
   * Uniform in ±√(6 / inputs), for relu. Source: He et al. 2015, arXiv:1502.01852, eq. 10.
   * @param {SeedOption} [options]
   * @returns {Initializer}
   * @example
   * g.initializers.heUniform({ seed: 7 })([2, 2]).array();
   * // [[0.8789414, -1.462067], [-0.14268935, 1.236085]]
   */
  heUniform(options) {
    return this.#uniform('heUniform', 2, 'in', options);
  }

  /**
   * Truncated normal of variance 2 / inputs, for relu. Source: He et al. 2015, arXiv:1502.01852,
   * eq. 10.
   * @param {SeedOption} [options]
   * @returns {Initializer}
   * @example
   * g.initializers.heNormal({ seed: 7 })([2, 2]).array();
   * // [[0.40209275, 0.75439787], [-1.1112673, 0.8826044]]
   */
  heNormal(options) {
    return this.#normal('heNormal', 2, 'in', options);
  }

  /**
   * Uniform in ±√(3 / inputs). Source: LeCun et al. 1998, Efficient BackProp, eq. 16.
   * @param {SeedOption} [options]
   * @returns {Initializer}
   * @example
   * g.initializers.lecunUniform({ seed: 7 })([2, 2]).array();
   * // [[0.6215054, -1.0338376], [-0.1008966, 0.87404406]]
   */
  lecunUniform(options) {
    return this.#uniform('lecunUniform', 1, 'in', options);
  }

  /**
   * Truncated normal of variance 1 / inputs. Source: LeCun et al. 1998, Efficient BackProp, eq. 16.
   * @param {SeedOption} [options]
   * @returns {Initializer}
   * @example
   * g.initializers.lecunNormal({ seed: 7 })([2, 2]).array();
   * // [[0.28432253, 0.5334398], [-0.78578466, 0.62409556]]
   */
  lecunNormal(options) {
    return this.#normal('lecunNormal', 1, 'in', options);
  }

  /**
   * A matrix with orthonormal rows or columns, whichever are fewer, times a gain; axes before the
   * last count as rows.
   * Source: Saxe et al. 2014, arXiv:1312.6120; as Keras makes it, by QR of a normal matrix.
   * @param {{ gain?: number } & SeedOption} [options] Default gain: 1.
   * @returns {Initializer} For shapes of rank 2 and above.
   * @example
   * g.initializers.orthogonal({ seed: 7 })([2, 2]).array();
   * // [[0.3402446, 0.940337], [-0.940337, 0.3402446]]
   */
  orthogonal(options) {
    const { seed, numbers } = readInitializer(options, { gain: 1 }, 'orthogonal');
    const ops = this.#ops;
    const { [INSTANCE]: instance, [IDS]: ids } = ops;
    return (shape) => {
      const dims = readShape(shape, instance.bridge.maxRank);
      if (dims.length < 2) {
        throw new ShapeError(`orthogonal needs rows and columns, got shape ${formatShape(dims)}`);
      }
      const columns = Number(dims.at(-1));
      const rows = sizeOf(dims.slice(0, -1));
      return tidy(instance, () => {
        const x = ops.randomNormal([Math.max(rows, columns), Math.min(rows, columns)], 0, 1, seed);
        const q = apply(instance, Number(ids.orthogonalize), 1, [], x);
        const turned = rows < columns ? ops.transpose(q) : q;
        return ops.mul(ops.reshape(turned, dims), Number(numbers[0]));
      });
    };
  }

  /**
   * @param {string} name
   * @param {number} scale
   * @param {Fan} fan
   * @param {SeedOption | undefined} options
   * @returns {Initializer}
   */
  #uniform(name, scale, fan, options) {
    const { seed } = readInitializer(options, {}, name);
    return (shape) => {
      const dims = readShape(shape, this.#ops[INSTANCE].bridge.maxRank);
      const limit = Math.sqrt(3 * varianceOf(dims, scale, fan));
      return this.#ops.randomUniform(dims, -limit, limit, seed);
    };
  }

  /**
   * @param {string} name
   * @param {number} scale
   * @param {Fan} fan
   * @param {SeedOption | undefined} options
   * @returns {Initializer}
   */
  #normal(name, scale, fan, options) {
    const { seed } = readInitializer(options, {}, name);
    return (shape) => {
      const dims = readShape(shape, this.#ops[INSTANCE].bridge.maxRank);
      const stddev = Math.sqrt(varianceOf(dims, scale, fan)) / TRUNCATED_STDDEV;
      return this.#ops.truncatedNormal(dims, 0, stddev, seed);
    };
  }
}
