// Random draws, and ops that use them: a method for each row of the op table, which C defines.
import { readCount, readNumber, readShape } from '../base/check.js';
import { apply, prepare } from '../tensors/apply.js';
import { drawFrom, Generator, rowsOf } from '../tensors/random.js';
import { tidy } from '../tensors/tidy.js';
import { ImageOps } from './image.js';
import { DRAW_FROM, GENERATOR, IDS, INSTANCE } from './table.js';

/** @import { Seed, Shape } from '../tensors/random.js' */
/** @import { TensorLike } from '../tensors/tensor.js' */

/** Seed of the default generator; not a number that people would choose. */
const OWN_SEED = 0x676c6b;

/**
 * Random draws. The last argument of each is the source: a generator, a seed, or `{ seed, step }`.
 * Where that is left out the instance draws from a generator of its own, which starts with the same
 * seed in every instance.
 */
export class RandomOps extends ImageOps {
  /** @type {Generator | undefined} */
  #own;

  /** The generator that is drawn from where none is given. @internal */
  get [GENERATOR]() {
    this.#own ??= new Generator(this, OWN_SEED);
    return this.#own;
  }

  /**
   * Run a function with another generator instead of the instance's own.
   * @internal
   * @template T
   * @param {Generator} generator
   * @param {() => T} body
   * @returns {T}
   */
  [DRAW_FROM](generator, body) {
    const own = this.#own;
    this.#own = generator;
    try {
      return body();
    } finally {
      this.#own = own;
    }
  }

  /** @param {Seed | undefined} seed */
  #source(seed) {
    return seed === undefined ? this[GENERATOR] : seed;
  }

  /**
   * @param {'randomUniform' | 'randomNormal' | 'truncatedNormal' | 'randomBernoulli'} name
   * @param {Shape} shape
   * @param {readonly number[]} parameters
   * @param {Seed | undefined} source
   */
  #draw(name, shape, parameters, source) {
    const dims = readShape(shape, this[INSTANCE].bridge.maxRank, `${name}: shape`);
    return drawFrom(this.#source(source), (seed, step) =>
      apply(this[INSTANCE], this[IDS][name], 0, [seed, step, ...parameters, ...dims]),
    );
  }

  /**
   * Uniform in minval ≤ x < maxval, in steps of (maxval − minval) / 2²³.
   * @param {Shape} shape
   * @param {number} [minval]
   * @param {number} [maxval]
   * @param {Seed} [seed]
   * @example
   * g.randomUniform([3], 0, 1, 7).array(); // [0.7537285, 0.0779376, 0.45880914]
   */
  randomUniform(shape, minval, maxval, seed) {
    const range = [
      readNumber(minval, 'randomUniform: minval', 0),
      readNumber(maxval, 'randomUniform: maxval', 1),
    ];
    return this.#draw('randomUniform', shape, range, seed);
  }

  /**
   * Normal: at most 5.7 standard deviations from the mean.
   * @param {Shape} shape
   * @param {number} [mean]
   * @param {number} [stddev]
   * @param {Seed} [seed]
   * @example
   * g.randomNormal([3], 0, 1, 7).array(); // [0.3536911, 0.6635877, -0.97749925]
   */
  randomNormal(shape, mean, stddev, seed) {
    const parameters = [
      readNumber(mean, 'randomNormal: mean', 0),
      readNumber(stddev, 'randomNormal: stddev', 1),
    ];
    return this.#draw('randomNormal', shape, parameters, seed);
  }

  /**
   * Normal, with values two standard deviations or more from the mean drawn again.
   * @param {Shape} shape
   * @param {number} [mean]
   * @param {number} [stddev] Before truncation; after it, it is 0.88 of that.
   * @param {Seed} [seed]
   * @example
   * g.truncatedNormal([3], 0, 1, 7).array(); // [0.3536911, 0.6635877, -0.97749925]
   */
  truncatedNormal(shape, mean, stddev, seed) {
    const parameters = [
      readNumber(mean, 'truncatedNormal: mean', 0),
      readNumber(stddev, 'truncatedNormal: stddev', 1),
    ];
    return this.#draw('truncatedNormal', shape, parameters, seed);
  }

  /**
   * 1 with probability p, else 0.
   * @param {Shape} shape
   * @param {number} [p]
   * @param {Seed} [seed]
   * @example
   * g.randomBernoulli([6], 0.5, 7).array(); // [0, 0, 1, 1, 1, 0]
   */
  randomBernoulli(shape, p, seed) {
    return this.#draw('randomBernoulli', shape, [readNumber(p, 'randomBernoulli: p', 0.5)], seed);
  }

  /**
   * The integers from 0 to n − 1, each order as likely as any other.
   * @param {number} n At most 2²⁴, to which f32 counts exactly.
   * @param {Seed} [seed]
   * @example
   * g.randomPermutation(5, 7).array(); // [1, 2, 0, 3, 4]
   */
  randomPermutation(n, seed) {
    const count = readCount(n, 'randomPermutation: n');
    return drawFrom(this.#source(seed), (seed, step) =>
      apply(this[INSTANCE], this[IDS].randomPermutation, 0, [seed, step, count]),
    );
  }

  /**
   * The rows of x, along axis 0, in random order; every order is equally likely. Gradients go back
   * to their rows.
   * @param {TensorLike} x A tensor of rank 1 or above, with at most 2²⁴ rows.
   * @param {Seed} [seed]
   * @example
   * g.shuffle([1, 2, 3, 4], 7).array(); // [2, 1, 3, 4]
   */
  shuffle(x, seed) {
    const operand = prepare(this[INSTANCE], x, 'shuffle: the first operand');
    const rows = rowsOf(typeof operand === 'number' ? [] : operand.shape);
    return tidy(this[INSTANCE], () => {
      const order = this.randomPermutation(rows, seed);
      return apply(this[INSTANCE], this[IDS].gather, 2, [0, 0], operand, order);
    });
  }

  /**
   * 0 with probability rate, x / (1 − rate) elsewhere. A choice, not a product: Dropped elements
   * have no effect, even if they are NaN. The gradient is dropped where x is.
   * @param {TensorLike} x
   * @param {number} rate From 0, which leaves x as it is, to below 1.
   * @param {Seed} [seed]
   * @example
   * g.dropout([1, 2, 3, 4], 0.5, 7).array(); // [0, 0, 6, 8]
   */
  dropout(x, rate, seed) {
    const operand = prepare(this[INSTANCE], x, 'dropout: the first operand');
    const p = readNumber(rate, 'dropout: rate');
    return drawFrom(this.#source(seed), (seed, step) =>
      apply(this[INSTANCE], this[IDS].dropout, 1, [p, seed, step], operand),
    );
  }
}
