// Generators and seeds of random numbers. Refuses hidden state: a generator is two numbers, seed
// and step, which can be read, set and written down. Source of the numbers: Philox 4x32-10, see
// src/c/core/random.h.
import { readCount, readOptions } from '../base/check.js';
import { OptionError, ShapeError } from '../base/errors.js';

/** @import { RandomOps } from '../ops/random.js' */
/** @import { TensorLike } from './tensor.js' */
/** @typedef {readonly number[]} Shape */
/**
 * @typedef {{ minval?: number, maxval?: number }} UniformOptions From minval, inclusive, to maxval.
 */
/** @typedef {{ mean?: number, stddev?: number }} NormalOptions */
/**
 * Source of a draw: a generator, which then moves to its next step; or the numbers of one draw: a
 * seed, whose step is 0, or seed and step.
 * @typedef {Generator | number | { seed: number, step?: number }} Seed
 */

const MOST_STEP = 0xffffffff;

/** @param {unknown} value */
const readSeed = (value) => readCount(value, 'seed');

/** @param {unknown} value */
const readStep = (value) => {
  const step = readCount(value, 'step');
  if (step > MOST_STEP) {
    throw new OptionError(`step must be an integer from 0 to ${MOST_STEP}, got ${step}`);
  }
  return step;
};

/** Describe a seed. @param {unknown} source @returns {readonly [seed: number, step: number]} */
export const readSource = (source) => {
  if (source instanceof Generator) return [source.seed, source.step];
  if (typeof source !== 'object' || source === null) return [readSeed(source), 0];
  const { seed, step = 0 } = readOptions(source, ['seed', 'step'], 'a seed');
  return [readSeed(seed), readStep(step)];
};

/**
 * Draw, and let a generator go on to its next step if that did not fail.
 * @template T
 * @param {unknown} source
 * @param {(seed: number, step: number) => T} draw
 */
export const drawFrom = (source, draw) => {
  const result = draw(...readSource(source));
  if (source instanceof Generator) source.advance();
  return result;
};

/**
 * A source of random numbers. Seed and step determine the numbers, with the same bits on every
 * machine. Each draw increases the step.
 *
 * A draw that `compile` records keeps its step. The program's first run gives the same bits as an
 * immediate draw; every further run draws new numbers.
 *
 * The first draw of a seed has the numbers of TensorFlow's
 * `tf.random.Generator.from_key_counter(seed, [0, 0], 'philox')`; the draw of step s in run r of a
 * program, both counted from 0, has those of `[s * 2**32, r]`. (TensorFlow's `from_seed` uses the
 * seed as counter, so neighbouring seeds share most numbers.)
 */
export class Generator {
  #ops;
  #seed;
  #step = 0;

  /** @internal @param {RandomOps} ops @param {unknown} seed */
  constructor(ops, seed) {
    this.#ops = ops;
    this.#seed = readSeed(seed);
  }

  /** The seed of all draws: an integer from 0 to 2⁵³ − 1. */
  get seed() {
    return this.#seed;
  }

  /** The number of the next draw; set it to draw something again. */
  get step() {
    return this.#step;
  }

  set step(value) {
    this.#step = readStep(value);
  }

  /** @internal @param {unknown} seed @param {unknown} step */
  static checkState(seed, step) {
    readSeed(seed);
    readStep(step);
  }

  /** Go on as another generator would. @internal @param {number} seed @param {number} step */
  moveTo(seed, step) {
    this.#seed = seed;
    this.#step = step;
  }

  /** @internal */
  advance() {
    this.#step++; // behind the last step C refuses to draw
  }

  /**
   * Uniform in minval ≤ x < maxval.
   * @param {Shape} shape
   * @param {UniformOptions} [options] Default: from 0 to 1.
   * @example
   * g.random(7).uniform([2]).data(); // [0.7537285, 0.0779376]
   */
  uniform(shape, options) {
    const { minval, maxval } = readOptions(options, ['minval', 'maxval'], 'uniform options');
    const [from, to] = /** @type {(number | undefined)[]} */ ([minval, maxval]);
    return this.#ops.randomUniform(shape, from, to, this);
  }

  /**
   * Normal: at most 5.7 standard deviations from the mean.
   * @param {Shape} shape
   * @param {NormalOptions} [options] Default: mean 0, standard deviation 1.
   * @example
   * g.random(7).normal([2]).data(); // [0.3536911, 0.6635877]
   */
  normal(shape, options) {
    return this.#ops.randomNormal(shape, ...readNormal(options, 'normal options'), this);
  }

  /**
   * Normal, with values two standard deviations or more from the mean drawn again.
   * @param {Shape} shape
   * @param {NormalOptions} [options] Default: mean 0, standard deviation 1, before truncation.
   * @example
   * g.random(7).truncatedNormal([2]).data(); // [0.3536911, 0.6635877]
   */
  truncatedNormal(shape, options) {
    const given = readNormal(options, 'truncatedNormal options');
    return this.#ops.truncatedNormal(shape, ...given, this);
  }

  /**
   * 1 with probability p, else 0.
   * @param {Shape} shape
   * @param {{ p?: number }} [options] Default: 0.5.
   * @example
   * g.random(7).bernoulli([4]).data(); // [0, 0, 1, 1]
   */
  bernoulli(shape, options) {
    const { p } = readOptions(options, ['p'], 'bernoulli options');
    return this.#ops.randomBernoulli(shape, /** @type {number | undefined} */ (p), this);
  }

  /**
   * The integers from 0 to n − 1, each order as likely as any other.
   * @param {number} n At most 2²⁴.
   * @example
   * g.random(7).permutation(4).data(); // [1, 0, 2, 3]
   */
  permutation(n) {
    return this.#ops.randomPermutation(n, this);
  }

  /**
   * The rows of x, along axis 0, in random order; every order is equally likely. Gradients go back
   * to their rows.
   * @param {TensorLike} x A tensor of rank 1 or above, with at most 2²⁴ rows.
   * @example
   * g.random(7).shuffle([1, 2, 3, 4, 5, 6]).array(); // [2, 3, 5, 1, 4, 6]
   */
  shuffle(x) {
    return this.#ops.shuffle(x, this);
  }

  /**
   * 0 with probability rate, x / (1 − rate) elsewhere; the gradient is dropped where x is.
   * @param {TensorLike} x
   * @param {number} rate From 0 to below 1.
   * @example
   * g.random(7).dropout([1, 1, 1, 1], 0.5).data(); // [0, 0, 2, 2]
   */
  dropout(x, rate) {
    return this.#ops.dropout(x, rate, this);
  }

  get [Symbol.toStringTag]() {
    return 'Generator';
  }
}

/** @param {unknown} options @param {string} what */
const readNormal = (options, what) => {
  const { mean, stddev } = readOptions(options, ['mean', 'stddev'], what);
  return /** @type {[number | undefined, number | undefined]} */ ([mean, stddev]);
};

/** @param {readonly number[]} shape @returns {number} Size along axis 0. */
export const rowsOf = (shape) => {
  if (shape.length === 0) throw new ShapeError('shuffle: a scalar has no rows to shuffle');
  return Number(shape[0]);
};
