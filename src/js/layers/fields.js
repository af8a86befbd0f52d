// What a layer's configuration consists of: each class lists its fields once, and from that list
// options are read, refused and written back as Keras's JSON.
import {
  describe,
  isList,
  isRecord,
  optionError,
  ownProperties,
  readCount,
  readEach,
  readFlag,
  readNumber,
  typeError,
} from '../base/check.js';
import { writeActivation, readActivation } from './activations.js';
import { readConstraint } from './constraints.js';
import { readInitializer, writeInitializer } from './initializers.js';
import { toCamel, toSnake } from './names.js';
import { readRegularizer } from './regularizers.js';
import { writeObject } from './serial.js';

/** @typedef {import('./toolkit.js').Toolkit} Toolkit */
/**
 * @template [T=any]
 * @typedef {object} Field
 * @property {unknown} initial Where the option is left out; undefined: it must be given.
 * @property {(value: any, what: string, nn: Toolkit) => T} read
 * @property {(value: T) => unknown} [write] As Keras's JSON has it. Default: as it is.
 */
/** @typedef {Record<string, Field>} Fields */

/**
 * @template T
 * @param {Field<T>} field
 * @returns {Field<T | null>}
 */
export const orNull = ({ initial, read, write = (value) => value }) => ({
  initial,
  read: (value, what, nn) => (value === null ? null : read(value, what, nn)),
  write: (value) => (value === null ? null : write(value)),
});

/** @param {boolean} [initial] @returns {Field<boolean>} */
export const flag = (initial) => ({
  initial,
  read: (value, what) => readFlag(value, what),
});

/**
 * A finite number.
 * @param {number} [initial]
 * @param {number} [least]
 * @param {number} [most]
 * @returns {Field<number>}
 */
export const number = (
  initial,
  least = Number.NEGATIVE_INFINITY,
  most = Number.POSITIVE_INFINITY,
) => ({
  initial,
  read: (value, what) => {
    const given = readNumber(value, what);
    if (given >= least && given <= most && Number.isFinite(given)) return given;
    const range = least === Number.NEGATIVE_INFINITY ? 'finite' : `from ${least} to ${most}`;
    throw optionError(what, range, value);
  },
});

/**
 * @param {number | null} [initial]
 * @param {number} [least]
 * @param {number} [most]
 */
export const numberOrNull = (initial = null, least, most) =>
  orNull({ ...number(undefined, least, most), initial });

/**
 * A whole number.
 * @param {number} [initial]
 * @param {number} [least]
 * @param {number} [most]
 * @returns {Field<number>}
 */
export const count = (initial, least = 1, most = Number.POSITIVE_INFINITY) => ({
  initial,
  read: (value, what) => {
    if (readCount(value, what) >= least && value <= most) return value;
    throw optionError(what, `an integer from ${least} to ${most}`, value);
  },
});

/** @param {number | null} [initial] @param {number} [least] */
export const countOrNull = (initial = null, least = 0) =>
  orNull({ ...count(undefined, least), initial });

/**
 * A whole number of either sign, such as an axis.
 * @param {number} [initial]
 * @returns {Field<number>}
 */
export const integer = (initial) => ({
  initial,
  read: (value, what) => {
    if (Number.isSafeInteger(readNumber(value, what))) return value;
    throw optionError(what, 'an integer', value);
  },
});

/**
 * One of some words, spelled as in TensorFlow.js or as in Keras.
 * @param {string} initial
 * @param {readonly string[]} words
 * @returns {Field<string>}
 */
export const word = (initial, words) => ({
  initial,
  read: (value, what) => {
    if (typeof value !== 'string') {
      throw typeError(what, 'a string', value);
    }
    const found = words.find((name) => name === value || toCamel(value) === name);
    if (found !== undefined) return found;
    const list = words.map((name) => `'${name}'`).join(' or ');
    throw optionError(what, list, value);
  },
  write: toSnake,
});

/** Where channels lie: there is one layout. */
export const dataFormat = {
  .../** @type {Field<string>} */ (word('channelsLast', ['channelsLast'])),
  read: (/** @type {unknown} */ value, /** @type {string} */ what) => {
    if (value === 'channelsLast' || value === 'channels_last' || value === null)
      return 'channelsLast';
    throw optionError(what, "'channelsLast'", value);
  },
};

/**
 * Whole numbers, as many as axes: one stands for all.
 * @param {number} axes
 * @param {number} [initial]
 * @param {number} [least]
 * @param {number} [most]
 * @returns {Field<number[]>}
 */
export const counts = (axes, initial, least = 1, most) => ({
  initial,
  read: (value, what, nn) => {
    const one = count(undefined, least, most);
    if (typeof value === 'number') return new Array(axes).fill(one.read(value, what, nn));
    if (isList(value) && value.length === axes) {
      return readEach(value, what, (entry, i) => one.read(entry, `${what}[${i}]`, nn));
    }
    throw typeError(what, `an integer or ${axes} of them`, value);
  },
});

/**
 * The same, or null.
 * @param {number} axes
 * @param {number} [least]
 */
export const countsOrNull = (axes, least = 0) =>
  orNull({ ...counts(axes, undefined, least), initial: null });

/** A list of whole numbers. @param {number} [least] @returns {Field<number[]>} */
export const list = (least = 1) => ({
  initial: undefined,
  read: (value, what, nn) => {
    if (!isList(value)) {
      throw typeError(what, 'an array of integers', value);
    }
    const one = integer();
    return readEach(value, what, (entry, i) => {
      const given = one.read(entry, `${what}[${i}]`, nn);
      if (given >= least) return given;
      throw optionError(`${what}[${i}]`, `from ${least} up`, given);
    });
  },
});

/** @param {string} initial @returns {Field<import('./activations.js').NamedActivation>} */
export const activation = (initial) => ({ initial, read: readActivation, write: writeActivation });

/** @param {string} initial @returns {Field<import('./initializers.js').NamedInitializer>} */
export const initializer = (initial) => ({
  initial,
  read: readInitializer,
  write: writeInitializer,
});

/** @returns {Field<import('./regularizers.js').Regularizer | null>} */
export const regularizer = () => ({
  initial: null,
  read: readRegularizer,
  write: (value) => value && writeObject('keras.regularizers', value),
});

/** One that Keras's JSON leaves out where there is none. */
export const regularizerIfAny = () => ({
  ...regularizer(),
  write: (/** @type {any} */ value) =>
    value ? writeObject('keras.regularizers', value) : undefined,
});

/** @returns {Field<import('./constraints.js').NamedConstraint | null>} */
export const constraint = () => ({
  initial: null,
  read: readConstraint,
  write: (value) => value && writeObject('keras.constraints', value),
});

/**
 * What a weight begins with, and what holds it: three fields, of which `addFieldWeight` of a layer
 * makes it.
 * @param {string} name
 * @param {string} standard Its initializer.
 * @returns {Fields}
 */
export const weight = (name, standard) => ({
  [`${name}Initializer`]: initializer(standard),
  [`${name}Regularizer`]: regularizer(),
  [`${name}Constraint`]: constraint(),
});

/** What most layers with a kernel do behind it. @type {Fields} */
export const affine = {
  activation: activation('linear'),
  useBias: flag(true),
  ...weight('bias', 'Zeros'),
};

/**
 * An option of other versions and of TensorFlow.js, which Keras 3 does not write: some values, or
 * all if none is named, mean nothing.
 * @param {...unknown} values
 * @returns {Field<any>}
 */
export const legacy = (...values) => ({
  initial: null,
  read: (value, what) => {
    if (value === null || values.length === 0 || values.includes(value)) return null;
    throw optionError(what, `${values.join(' or ')} here`, value);
  },
  write: () => undefined,
});

/**
 * An axis, or several.
 * @param {boolean} isAlwaysList
 * @param {number | null} [initial] null: there may be none.
 * @returns {Field<number | number[] | null>}
 */
export const axes = (isAlwaysList, initial = -1) => ({
  initial,
  read: (value, what, nn) => {
    if (value === null && initial === null) return null;
    if (isList(value)) return list(Number.NEGATIVE_INFINITY).read(value, what, nn);
    const axis = integer().read(value, what, nn);
    return isAlwaysList ? [axis] : axis;
  },
});

/**
 * What lies at the four sides of images: [[top, bottom], [left, right]], [vertical, horizontal], or
 * one for all.
 * @param {number} initial
 * @returns {Field<number[][]>}
 */
export const sides = (initial) => ({
  initial,
  read: (value, what, nn) =>
    readEach(isList(value) && value.length === 2 ? value : [value, value], what, (side, i) =>
      counts(2, undefined, 0).read(side, `${what}[${i}]`, nn),
    ),
});

/** An axis; TensorFlow 2 wrote it as a list of one. @type {Field<number>} */
export const axis = {
  initial: -1,
  read: (value, what, nn) =>
    integer().read(isList(value) && value.length === 1 ? value[0] : value, what, nn),
};

/**
 * A number, or a list of numbers.
 * @param {number} [initial]
 * @returns {Field<number | number[]>}
 */
export const numbers = (initial) => ({
  initial,
  read: (value, what, nn) =>
    isList(value)
      ? readEach(value, what, (entry, i) => number().read(entry, `${what}[${i}]`, nn))
      : number().read(value, what, nn),
});

/** Sizes, null where they are the input's; or null. @type {Field<(number | null)[] | null>} */
export const openShape = {
  initial: null,
  read: (value, what, nn) => {
    if (value === null) return null;
    if (!isList(value)) throw typeError(what, 'an array', value);
    return readEach(value, what, (size, i) => countOrNull(null, 1).read(size, `${what}[${i}]`, nn));
  },
};

/** An option of Keras's that has one value here. @param {unknown} initial @returns {Field<any>} */
export const fixed = (initial) => ({
  initial,
  read: (value, what) => {
    if (value === initial || value === null) return initial;
    throw optionError(what, `${initial} here`, value);
  },
});

/** A layer inside of another. @returns {Field<any>} */
export const layer = () => ({
  initial: undefined,
  read: (value, what, nn) => nn.readLayer(value, what),
  write: (value) => value.serialize(),
});

/** Such a layer, or none. @returns {Field<any>} */
export const layerIfAny = () => orNull({ ...layer(), initial: null });

/** Options that every layer takes, TensorFlow.js's included. */
const COMMON = [
  'name',
  'trainable',
  'dtype',
  'inputShape',
  'batchInputShape',
  'batchSize',
  'weights',
];

/**
 * The options of a layer, by its fields.
 * @param {Toolkit} nn
 * @param {unknown} given
 * @param {Fields} fields
 * @param {Record<string, string>} aliases Other names of fields.
 * @param {string} what
 * @returns {{ config: Record<string, any>, common: Record<string, unknown> }}
 */
export const readConfig = (nn, given, fields, aliases, what) => {
  if (!isRecord(given)) {
    const known = Object.keys(fields).join(', ');
    throw new TypeError(
      `${what} takes an object${known && ` with ${known}`}, got ${describe(given)}`,
    );
  }
  /** @type {Record<string, unknown>} */
  const options = Object.create(null);
  for (const [key, value] of Object.entries(ownProperties(given))) {
    const camel = toCamel(key);
    const name = Object.hasOwn(aliases, camel) ? aliases[camel] : camel;
    if (!Object.hasOwn(fields, String(name)) && !COMMON.includes(String(name))) {
      const known = [...Object.keys(fields), ...COMMON].join(', ');
      throw new TypeError(`${what} has no option '${key}', it has ${known}`);
    }
    if (value !== undefined) options[String(name)] = value;
  }
  /** @type {Record<string, any>} */
  const config = {};
  for (const [name, field] of Object.entries(fields)) {
    const value = options[name] === undefined ? field.initial : options[name];
    if (value === undefined) throw new TypeError(`${what} needs ${name}`);
    config[name] = field.read(value, `${what}: ${name}`, nn);
  }
  const common = Object.fromEntries(COMMON.map((name) => [name, options[name]]));
  return { config, common };
};

/**
 * A configuration as Keras's JSON.
 * @param {Record<string, any>} config
 * @param {Fields} fields
 */
export const writeConfig = (config, fields) =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, { write = (/** @type {any} */ value) => value }]) => [
        toSnake(name),
        write(config[name]),
      ])
      .filter(([, value]) => value !== undefined),
  );
