/* The laws of locks over steps, as one function to run over any update rule and its options.
 *
 * The reference is law 3 itself: a problem that holds only the elements which are free. x has two
 * halves, a (locked first) and b (free first), and each has a small variable of its own that takes
 * part only in the steps where its half is free. After every step x's halves must equal them, byte
 * for byte: weights, slots and clocks. Since the small variables never see a locked element, this
 * covers laws 1 to 7 at once: whatever leaked would show.
 *
 * With averages or accumulation a small variable takes part in every step, locked whole or free, as
 * a call that leaves a variable out is another thing than one that finds it locked (laws 15 and
 * 16). Constraints (law 10), rates of elements and exclusions from decay are given to x and to its
 * halves alike. */
import assert from 'node:assert/strict';
import { bitsOf, random, randomValues } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Optimizer} Optimizer */
/** @typedef {import('gradlock').Variable} Variable */
/** @typedef {import('gradlock').RuleName} RuleName */
/** @typedef {(i: number, size: number, next: () => number) => boolean} Pattern */

/**
 * What optimizers are told of a variable beside their options.
 * @typedef {object} Extra
 * @property {import('gradlock').Constraint} [constraint] One that is element by element.
 * @property {boolean} [scalesRates]
 * @property {boolean} [excludesDecay]
 */

/** @type {Record<string, Pattern>} */
export const PATTERNS = {
  none: () => false,
  first: (i) => i === 0,
  last: (i, size) => i === size - 1,
  alternate: (i) => i % 2 === 1,
  random: (_, __, next) => next() < 0.5,
  rows: (i, size) => i < Math.ceil(size / 2),
  all: () => true,
};

/** @type {Record<string, (next: () => number) => number>} */
export const GRADIENTS = {
  finite: (next) => 4 * next() - 2,
  zero: () => 0,
  negativeZero: () => -0,
  huge: (next) => (next() < 0.5 ? -3e38 : 3e38),
  nan: () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  negativeInfinity: () => Number.NEGATIVE_INFINITY,
};

/** Every tail of a word of locks, and one size with many words. */
export const SIZES = [...Array.from({ length: 70 }, (_, i) => i + 1), 4099];

/**
 * Weights that a careless update would not bring back: −0, ∞, and NaNs with payloads, signalling
 * ones too.
 */
const ODD_BITS = [
  0x80000000, 0x7f800000, 0xff800000, 0x7fc12345, 0xffc00001, 0x7f800001, 0x00000001, 0x7f7fffff,
];

/** Norms are sums in another order on the small problem. */
const NORM_TOLERANCE = 1e-5;

/**
 * @param {Float32Array} got
 * @param {Float32Array} want
 * @param {number} tolerance
 * @param {string} what
 */
const assertClose = (got, want, tolerance, what) => {
  if (tolerance === 0) return assert.deepEqual(bitsOf(got), bitsOf(want), what);
  for (const [i, value] of want.entries()) {
    const isSame = Object.is(got[i], value) || got[i] === value;
    if (isSame || Math.abs(got[i] - value) <= tolerance * Math.max(1, Math.abs(value))) continue;
    assert.fail(`${what}: ${got[i]} at ${i}, expected ${value}`);
  }
};

/**
 * @param {ArrayLike<number>} values
 * @param {readonly number[]} indices
 */
const pick = (values, indices) =>
  typeOf(values).from(indices, (/** @type {number} */ i) => values[i]);

/**
 * The array type of values: Float64Array for those of gradlock/double.
 * @param {unknown} values
 * @returns {any}
 */
const typeOf = (values) => (values instanceof Float64Array ? Float64Array : Float32Array);

/**
 * The places of the words of elements: two of each f64.
 * @param {Float32Array} values
 * @param {readonly number[]} indices
 */
const wordsOf = (values, indices) => {
  const per = values.BYTES_PER_ELEMENT / 4;
  return indices.flatMap((i) => Array.from({ length: per }, (_, k) => per * i + k));
};

/** @param {Float32Array} values @param {readonly number[]} indices */
const pickBits = (values, indices) => {
  const bits = bitsOf(values);
  return Uint32Array.from(wordsOf(values, indices), (i) => bits[i]);
};

/**
 * What an engine computes as NaN has bits of its choice, where it is not read through a view.
 * @param {Float32Array} values
 */
const withOneNaN = (values) => {
  return typeOf(values).from(values, (/** @type {number} */ value) =>
    Number.isNaN(value) ? Number.NaN : value,
  );
};

/** @param {Iterable<number>} values */
const norm = (values) => {
  let sum = 0;
  for (const value of values) sum += Math.fround(value) ** 2;
  return Math.sqrt(sum);
};

/** One x beside its two halves. */
class Trial {
  /**
   * @param {Gradlock} g
   * @param {() => Optimizer} create
   * @param {Float32Array} values
   * @param {boolean[]} mask
   * @param {number} tolerance
   * @param {Extra} extra
   */
  constructor(g, create, values, mask, tolerance, extra) {
    this.g = g;
    this.tolerance = tolerance;
    this.extra = extra;
    this.shape = values.length % 2 === 0 ? [2, values.length / 2] : [values.length];
    const indices = mask.map((_, i) => i);
    this.halves = [true, false].map((side) => {
      const places = indices.filter((i) => mask[i] === side);
      return { places, y: g.variable(pick(values, places)) };
    });
    this.x = g.variable(values, { shape: this.shape });
    this.optimizer = create();
    this.reference = create();
    const { useEma, gradientAccumulationSteps } = this.optimizer;
    this.stays = useEma || gradientAccumulationSteps > 1;
    this.#tell(this.optimizer, this.x, indices);
    for (const { places, y } of this.halves) this.#tell(this.reference, y, places);
  }

  /**
   * @param {Optimizer} optimizer
   * @param {Variable} variable
   * @param {readonly number[]} places Its elements, as those of x: powers of two are exact factors
   *   of any rate.
   */
  #tell(optimizer, variable, places) {
    const { constraint, scalesRates, excludesDecay } = this.extra;
    if (constraint) optimizer.constrain(variable, constraint);
    if (excludesDecay) optimizer.excludeFromWeightDecay(variable);
    if (!scalesRates || places.length === 0) return;
    const factors = Float32Array.from(places, (i) => 2 ** ((i % 5) - 2));
    optimizer.scaleLearningRate(variable, this.g.tensor(factors, variable.shape).array());
  }

  /** @param {readonly number[]} bits Weights of the locked half, whatever they were. */
  overwriteLocked(bits) {
    const values = this.x.data();
    const words = new Uint32Array(values.buffer);
    const [{ places, y }] = this.halves;
    const at = wordsOf(values, places);
    for (const [k, i] of at.entries()) words[i] = bits[k % bits.length];
    this.x.assign(values, { force: true });
    const Type = typeOf(values);
    y.assign(new Type(Uint32Array.from(at, (i) => words[i]).buffer));
  }

  /**
   * One step with the same gradient for x, and for the halves that are free.
   * @param {Float32Array} gradient
   * @param {readonly boolean[]} free Which halves are.
   */
  step(gradient, free) {
    const { x, optimizer, reference, halves } = this;
    const held = halves.map(({ places }, i) => !free[i] && places);
    const before = held.map((places) => places && this.#stateOf(places));
    optimizer.applyGradients([[this.g.tensor(gradient, this.shape), x]]);
    for (const [i, places] of held.entries()) {
      if (places) assert.deepEqual(this.#stateOf(places), before[i], 'a locked element changed');
    }
    const pairs = halves.filter(({ places }, i) => (free[i] || this.stays) && places.length > 0);
    for (const [i, { y }] of halves.entries()) {
      if (this.stays) free[i] ? y.unlock('all') : y.lock('all');
    }
    reference.applyGradients(pairs.map(({ places, y }) => [pick(gradient, places), y]));
    this.#compareNorms(gradient, free);
    for (const [i, { places, y }] of halves.entries()) {
      if (!free[i] || places.length === 0) continue;
      const { tolerance } = this;
      assertClose(pick(x.data(), places), y.data(), tolerance, 'weights of free elements');
      for (const name of optimizer.slots) {
        const slot = withOneNaN(pick(optimizer.slot(x, name), places));
        const alone = withOneNaN(reference.slot(y, name));
        assertClose(slot, alone, tolerance, `slot ${name} of free elements`);
      }
      if (optimizer.useEma) {
        const average = withOneNaN(pick(optimizer.average(x), places));
        const alone = withOneNaN(reference.average(y));
        assertClose(average, alone, tolerance, 'averages of free elements');
      }
      const clock = optimizer.clock(x);
      const counts = Uint32Array.from(places, (p) => clock[p]);
      assert.deepEqual(counts, reference.clock(y), 'clocks of free elements');
    }
  }

  /** @param {readonly number[]} places Every bit that a lock holds. */
  #stateOf(places) {
    const { x, optimizer } = this;
    const clock = optimizer.clock(x);
    const values = pickBits(x.view(), places);
    if (optimizer.useEma) {
      const average = pickBits(optimizer.average(x), places);
      assert.deepEqual(average, values, 'the average of a locked element is the element');
    }
    return [
      values,
      ...optimizer.slots.map((name) => pickBits(optimizer.slot(x, name), places)),
      Uint32Array.from(places, (i) => clock[i]),
    ];
  }

  /** @param {Float32Array} gradient @param {readonly boolean[]} free */
  #compareNorms(gradient, free) {
    if (this.tolerance === 0) return;
    const places = this.halves.flatMap((half, i) => (free[i] ? half.places : []));
    const got = this.optimizer.gradientNorms;
    for (const [value, want] of [
      [got.free, norm(pick(gradient, places))],
      [got.all, places.length > 0 ? norm(gradient) : 0], // locked whole it needs no gradient
    ]) {
      const isClose = Object.is(value, want) || Math.abs(value - want) <= NORM_TOLERANCE * want;
      assert.ok(isClose, `norm ${value}, expected ${want}`);
    }
  }

  /**
   * The locked half starts anew, as `onUnlock: 'reset'` promises: as a variable that no optimizer
   * has seen.
   */
  forget(/** @type {number} */ half) {
    if (this.stays) return; // the reference sees the lock go, as x does
    const { places, y } = this.halves[half];
    this.halves[half].y = this.g.variable(y.data());
    this.#tell(this.reference, this.halves[half].y, places);
    y.dispose();
  }

  dispose() {
    this.x.dispose();
    this.optimizer.dispose();
    this.reference.dispose();
    for (const { y } of this.halves) y.dispose();
  }
}

/**
 * Assert laws 1 to 7, 10, 12 and 15 to 17 for an update rule over patterns × gradients × sizes.
 * @param {Gradlock} g
 * @param {RuleName} rule
 * @param {Record<string, unknown>} options
 * @param {number} seed
 * @param {readonly number[]} [sizes]
 * @param {Extra} [extra]
 */
export const checkLockLaws = (g, rule, options, seed, sizes = SIZES, extra = {}) => {
  const next = random(seed);
  const create = () => g.optimizers[rule](/** @type {object} */ (options));
  const isNorm = 'clipNorm' in options || 'globalClipNorm' in options;
  const kinds = Object.entries(GRADIENTS);
  for (const size of sizes) {
    for (const [pattern, isLocked] of Object.entries(PATTERNS)) {
      for (const [order, [kind, sample]] of kinds.entries()) {
        // In every other size the odd gradients reach the free elements too.
        const isEverywhere = (size + order) % 2 === 0;
        const label = `${rule} ${JSON.stringify({ ...options, ...extra })}, ${size} elements, ${pattern} locked, ${kind} gradients`;
        try {
          g.tidy(() => {
            const mask = Array.from({ length: size }, (_, i) => isLocked(i, size, next));
            const values = randomValues(size, next);
            const trial = new Trial(g, create, values, mask, isNorm ? NORM_TOLERANCE : 0, extra);
            runTrial(trial, mask, options, (i) =>
              isEverywhere || mask[i] ? sample(next) : GRADIENTS.finite(next),
            );
            trial.dispose();
          });
        } catch (error) {
          if (error instanceof Error) error.message = `${label}, seed ${seed}: ${error.message}`;
          throw error;
        }
      }
    }
  }

  /**
   * @param {Trial} trial
   * @param {boolean[]} mask
   * @param {Record<string, unknown>} options
   * @param {(i: number) => number} odd
   */
  function runTrial(trial, mask, options, odd) {
    const { length } = mask;
    const finite = () => Float32Array.from({ length }, () => GRADIENTS.finite(next));
    const isReset = options.onUnlock === 'reset';
    // The norm of one variable spans both halves of x where both are free, but not of two small
    // variables.
    const isPerVariable = 'clipNorm' in options;
    if (!isPerVariable) {
      trial.step(finite(), [true, true]);
      trial.step(finite(), [true, true]);
    }
    trial.x.lock(Uint8Array.from(mask, Number));
    trial.overwriteLocked(ODD_BITS);
    for (let i = 0; i < 2; i++) {
      trial.step(
        Float32Array.from({ length }, (_, i) => odd(i)),
        [false, true],
      );
    }
    trial.x.toggle('all');
    if (isReset) trial.forget(0);
    trial.step(finite(), [true, false]);
    trial.step(finite(), [true, false]);
    trial.x.unlock('all');
    if (isReset) trial.forget(1);
    if (!isPerVariable) trial.step(finite(), [true, true]);
  }
};
