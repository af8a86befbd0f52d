// Selections by value and by chance: { topK }, { where }, { random }. Read here; carried out in C,
// so that they select the same elements on every machine. Ranges are checked in C.
import {
  describe,
  isRecord,
  ownProperties,
  readChoice,
  readCount,
  readFlag,
  readNumber,
  readOptions,
} from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { Generator, readSource } from '../tensors/random.js';
import { Tensor } from '../tensors/tensor.js';

/** @typedef {'magnitude' | 'value' | 'gradient'} Measure */
/** @typedef {{ k: number, fraction?: never } | { fraction: number, k?: never }} Amount */
/**
 * The first elements by their measure: exactly `k`, or a `fraction` of the size, rounded, halves
 * up. Among equal ones, those of lower index come first; NaN comes last, and -0 equals 0.
 * @typedef {Amount & { by?: Measure, largest?: boolean, gradient?: Tensor }} TopK `by`
 *   default: 'magnitude'. `largest` default: true; false takes the smallest. `gradient` is the
 *   tensor whose magnitudes `by: 'gradient'` compares.
 */
/**
 * The elements whose measure is strictly between two limits, above one, or below one. Limits are
 * rounded to float32, as values are. NaN is never selected.
 * @typedef {{ above?: number, below?: number, by?: Measure, gradient?: Tensor }} Where `by`
 *   default: 'magnitude'.
 */
/**
 * Exactly `k` elements or a `fraction`, by Philox: a seed and step select the same everywhere.
 * @typedef {Amount & { seed: import('../tensors/random.js').Seed }} Random A generator moves on.
 */
/** @typedef {{ topK: TopK } | { where: Where } | { random: Random }} Choice */
/**
 * A choice as C takes it: a glk_choice.
 * @typedef {object} ChoicePlan
 * @property {string} kind Of glk_choice_kind, without its prefix.
 * @property {string} by Of glk_measure, likewise.
 * @property {boolean} isFraction
 * @property {number} amount
 * @property {number} low
 * @property {number} high
 * @property {unknown} seed For readSource; undefined for what is not random.
 * @property {Tensor | null} gradient
 * @property {number} to In a policy: amount changes linearly to this ...
 * @property {number} over ... over so many steps; 0: it does not change.
 */

const MEASURES = ['magnitude', 'value', 'gradient'];

/** True if a selection with these keys is a choice. @param {string} keys */
export const isChoice = (keys) => keys === 'topK' || keys === 'where' || keys === 'random';

/**
 * @param {unknown} selection
 * @param {boolean} isPolicy True if amounts may change by the step, and the gradient is the step's.
 * @returns {ChoicePlan}
 */
export const readChoicePlan = (selection, isPolicy = false) => {
  const given = isRecord(selection) ? ownProperties(selection) : {};
  const keys = Object.keys(given).join();
  if (!isChoice(keys)) {
    throw new TypeError(
      `${isPolicy ? 'a policy' : 'choose'} selects by one of topK, where and random, got ${keys || describe(selection)}`,
    );
  }
  const { topK, where, random } = given;
  if (keys === 'topK') return readTopK(topK, isPolicy);
  if (keys === 'where') return readWhere(where, isPolicy);
  const { k, fraction, seed } = readOptions(random, ['k', 'fraction', 'seed'], 'random options');
  if (isPolicy && seed instanceof Generator) {
    throw new TypeError('a policy makes its own random numbers: give it a seed, not a generator');
  }
  readSource(seed);
  return { ...NOTHING, ...readAmount(k, fraction, 'random', isPolicy), kind: 'RANDOM', seed };
};

/** @type {ChoicePlan} */
const NOTHING = {
  kind: 'LARGEST',
  by: 'VALUE',
  isFraction: false,
  amount: 0,
  low: Number.NEGATIVE_INFINITY,
  high: Number.POSITIVE_INFINITY,
  seed: undefined,
  gradient: null,
  to: 0,
  over: 0,
};

/** @param {unknown} given @param {boolean} isPolicy */
const readTopK = (given, isPolicy) => {
  const known = ['k', 'fraction', 'by', 'largest', 'gradient'];
  const { k, fraction, by, largest = true, gradient } = readOptions(given, known, 'topK options');
  const kind = readFlag(largest, 'largest') ? 'LARGEST' : 'SMALLEST';
  const measure = readMeasure(by, gradient, isPolicy);
  return { ...NOTHING, ...readAmount(k, fraction, 'topK', isPolicy), ...measure, kind };
};

/** @param {unknown} given @param {boolean} isPolicy */
const readWhere = (given, isPolicy) => {
  const known = ['above', 'below', 'by', 'gradient'];
  const { above, below, by, gradient } = readOptions(given, known, 'where options');
  if (above === undefined && below === undefined) {
    throw new TypeError('where needs a limit: above, below, or both');
  }
  const low = above === undefined ? NOTHING.low : readNumber(above, 'above');
  const high = below === undefined ? NOTHING.high : readNumber(below, 'below');
  return { ...NOTHING, ...readMeasure(by, gradient, isPolicy), kind: 'BETWEEN', low, high };
};

/** @param {unknown} k @param {unknown} fraction @param {string} what @param {boolean} isPolicy */
const readAmount = (k, fraction, what, isPolicy) => {
  if ((k === undefined) === (fraction === undefined)) {
    throw new TypeError(`${what} needs either k, a number of elements, or fraction, from 0 to 1`);
  }
  const isFraction = fraction !== undefined;
  const given = isFraction ? fraction : k;
  const name = isFraction ? 'fraction' : 'k';
  const read = isFraction ? readNumber : readCount;
  if (!isPolicy || !isRecord(given)) return { amount: read(given, name), isFraction };
  const { from, to, steps } = readOptions(given, ['from', 'to', 'steps'], name);
  const over = readCount(steps, `${name}.steps`);
  if (over < 1 || over > 0xffffffff) {
    throw new OptionError(`${name}.steps must be from 1 to 4294967295, got ${over}`);
  }
  return { amount: read(from, `${name}.from`), isFraction, to: read(to, `${name}.to`), over };
};

/** @param {unknown} by @param {unknown} gradient @param {boolean} isPolicy */
const readMeasure = (by, gradient, isPolicy) => {
  const measure = String(MEASURES[readChoice(by ?? 'magnitude', 'by', MEASURES)]);
  const needsGradient = measure === 'gradient' && !isPolicy;
  if (needsGradient ? !(gradient instanceof Tensor) : gradient !== undefined) {
    if (needsGradient) {
      const got = describe(gradient);
      throw new TypeError(`by: 'gradient' needs gradient, a tensor of the same shape, got ${got}`);
    }
    throw new OptionError(
      isPolicy
        ? 'a policy takes no gradient: it uses the gradient of each step'
        : `gradient is for by: 'gradient', not for by: '${measure}'`,
    );
  }
  const tensor = gradient instanceof Tensor ? gradient : null;
  return { by: measure.toUpperCase(), gradient: tensor };
};

/**
 * @param {import('../wasm/bridge.js').Bridge} bridge
 * @param {number} address
 * @param {ChoicePlan} choice
 * @param {number} seed
 * @param {number} draw
 */
export const writeChoice = (bridge, address, choice, seed, draw) => {
  const { amount, low, high, isFraction, kind, by } = choice;
  for (const [field, value] of Object.entries({ amount, low, high, seed })) {
    bridge.f64[(address + bridge.constant(`glk_choice.${field}`)) >>> 3] = value;
  }
  const words = {
    draw,
    is_fraction: isFraction ? 1 : 0,
    kind: bridge.constant(`GLK_CHOICE_${kind}`),
    by: bridge.constant(`GLK_BY_${by}`),
  };
  for (const [field, value] of Object.entries(words)) {
    bridge.u32[(address + bridge.constant(`glk_choice.${field}`)) >>> 2] = value;
  }
};
