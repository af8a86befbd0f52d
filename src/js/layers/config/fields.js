// What a layer's configuration consists of: each class lists its fields once, and from that list
// options are read, refused and written back as Keras's JSON.
import {
  isList,
  isRecord,
  optionError,
  ownProperties,
  readEach,
  readFlag,
  readNumber,
  readOptions,
  typeError,
} from '../../base/check.js';
import { writeActivation, readActivation } from './activations.js';
import { readConstraint } from './constraints.js';
import { readInitializer, writeInitializer } from './initializers.js';
import { toCamel, toSnake } from './names.js';
import { readRegularizer } from './regularizers.js';
import { writeObject } from './serial.js';

/** @typedef {import('../layer/toolkit.js').Toolkit} Toolkit */
/**
 * @template [T=any]
 * @typedef {object} Field
 * @property {unknown} initial Where the option is left out; undefined: it must be given.
 * @property {(value: any, what: string, nn: Toolkit) => T} read
 * @property {(value: T) => unknown} [write] As Keras's JSON has it. Default: as it is.
 */
/** @typedef {Record<string, Field>} Fields */

/**
 * Null, or a field.
 * @template T
 * @param {Field<T>} field
 * @param {unknown} [initial]
 * @returns {Field<T | null>}
 */
export const orNull = ({ read, write = same }, initial = null) => ({
  initial,
  read: (value, what, nn) => (value === null ? null : read(value, what, nn)),
  write: (value) => (value === null ? null : write(value)),
});

/** @param {any} value */
const same = (value) => value;

/**
 * A field for each entry of a list.
 * @template T
 * @param {ArrayLike<unknown>} list
 * @param {Field<T>} field
 * @param {string} what
 * @param {Toolkit} nn
 * @returns {T[]}
 */
const readEntries = (list, { read }, what, nn) =>
  readEach(list, what, (entry, i) => read(entry, `${what}[${i}]`, nn));

/** Anything, which is read elsewhere. @param {unknown} [initial] @returns {Field<any>} */
export const any = (initial = null) => ({ initial, read: same });

/** @param {boolean} [initial] @returns {Field<boolean>} */
export const flag = (initial) => ({
  initial,
  read: (value, what) => readFlag(value, what),
});

/** @param {string} [initial] @returns {Field<string>} */
export const text = (initial) => ({
  initial,
  read: (value, what) => {
    if (typeof value === 'string') return value;
    throw typeError(what, 'a string', value);
  },
});

/**
 * Numbers in a range.
 * @param {(value: number) => boolean} isOne
 * @param {string} kind What messages call them.
 * @returns {(initial?: number, least?: number, most?: number) => Field<number>}
 */
const numbersThat =
  (isOne, kind) =>
  (initial, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) => ({
    initial,
    read: (value, what) => {
      if (isOne(readNumber(value, what)) && value >= least && value <= most) return value;
      const from = least > Number.NEGATIVE_INFINITY ? ` from ${least}` : '';
      throw optionError(
        what,
        kind + from + (most < Number.POSITIVE_INFINITY ? ` to ${most}` : ''),
        value,
      );
    },
  });

/** A finite number. */
export const number = numbersThat(Number.isFinite, 'a finite number');

/** A whole number of either sign, such as an axis. */
export const integer = numbersThat(Number.isSafeInteger, 'an integer');

/**
 * @param {number | null} [initial]
 * @param {number} [least]
 * @param {number} [most]
 */
export const numberOrNull = (initial, least, most) =>
  orNull(number(undefined, least, most), initial);

/**
 * A whole number from 0 or 1 up.
 * @param {number} [initial]
 * @param {number} [least]
 * @param {number} [most]
 */
export const count = (initial, least = 1, most) => integer(initial, least, most);

/** @param {number | null} [initial] @param {number} [least] */
export const countOrNull = (initial, least = 0) => orNull(count(undefined, least), initial);

/**
 * One of some words, spelled as in TensorFlow.js or as in Keras.
 * @param {string} initial
 * @param {readonly string[]} words
 * @returns {Field<string>}
 */
export const word = (initial, words) => ({
  initial,
  read: (value, what, nn) => {
    const camel = toCamel(text().read(value, what, nn));
    const found = words.find((name) => name === value || name === camel);
    if (found !== undefined) return found;
    throw optionError(what, words.map((name) => `'${name}'`).join(' or '), value);
  },
  write: toSnake,
});

/** Where channels lie: there is one layout. */
export const dataFormat = {
  ...word('channelsLast', ['channelsLast']),
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
export const counts = (axes, initial, least, most) => ({
  initial,
  read: (value, what, nn) => {
    const one = count(undefined, least, most);
    if (typeof value === 'number') return new Array(axes).fill(one.read(value, what, nn));
    if (isList(value) && value.length === axes) return readEntries(value, one, what, nn);
    throw typeError(what, `an integer or ${axes} of them`, value);
  },
});

/**
 * The same, or null.
 * @param {number} axes
 * @param {number} [least]
 */
export const countsOrNull = (axes, least = 0) => orNull(counts(axes, undefined, least));

/** A list of whole numbers. @param {number} [least] @returns {Field<number[]>} */
export const list = (least) => ({
  initial: undefined,
  read: (value, what, nn) => {
    if (isList(value)) return readEntries(value, integer(undefined, least), what, nn);
    throw typeError(what, 'an array of integers', value);
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
export const regularizer = () =>
  orNull({
    initial: null,
    read: readRegularizer,
    write: (value) => writeObject('keras.regularizers', value),
  });

/** One that Keras's JSON leaves out where there is none. */
export const regularizerIfAny = () => {
  const { initial, read, write = same } = regularizer();
  return { initial, read, write: (/** @type {any} */ value) => write(value) ?? undefined };
};

/** @returns {Field<import('./constraints.js').NamedConstraint | null>} */
export const constraint = () =>
  orNull({
    initial: null,
    read: readConstraint,
    write: (value) => writeObject('keras.constraints', value),
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
    if (isList(value)) return list().read(value, what, nn);
    const axis = integer().read(value, what, nn);
    return isAlwaysList ? [axis] : axis;
  },
});

/**
 * What lies before and behind each axis: [[top, bottom], [left, right]] of images, [vertical,
 * horizontal], or one for all. Along a single axis it is one pair.
 * @param {number} initial
 * @param {number} axes
 * @returns {Field<number[] | number[][]>}
 */
export const sides = (initial, axes) => ({
  initial,
  read: (value, what, nn) => {
    const pair = counts(2, undefined, 0);
    if (axes === 1) return pair.read(value, what, nn);
    const all = isList(value) && value.length === axes ? value : new Array(axes).fill(value);
    return readEntries(all, pair, what, nn);
  },
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
    isList(value) ? readEntries(value, number(), what, nn) : number().read(value, what, nn),
});

/** Sizes, null where they are the input's; or null. @type {Field<(number | null)[] | null>} */
export const openShape = orNull({
  initial: null,
  read: (value, what, nn) => {
    if (isList(value)) return readEntries(value, countOrNull(null, 1), what, nn);
    throw typeError(what, 'an array', value);
  },
});

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
export const layerIfAny = () => orNull(layer());

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
    throw typeError(what, `made of an object${known && ` with ${known}`}`, given);
  }
  /** @type {Record<string, unknown>} */
  const options = Object.create(null);
  for (const [key, value] of Object.entries(ownProperties(given))) {
    const camel = toCamel(key);
    const name = Object.hasOwn(aliases, camel) ? aliases[camel] : camel;
    if (!Object.hasOwn(fields, name) && !COMMON.includes(name)) {
      const known = [...Object.keys(fields), ...COMMON].join(', ');
      throw new TypeError(`${what} has no option '${key}', it has ${known}`);
    }
    if (value !== undefined) options[name] = value;
  }
  const common = Object.fromEntries(COMMON.map((name) => [name, options[name]]));
  return { config: readFields(options, fields, what, nn), common };
};

/**
 * @param {Record<string, unknown>} options
 * @param {Fields} fields
 * @param {string} what
 * @param {any} [nn]
 * @returns {Record<string, any>}
 */
const readFields = (options, fields, what, nn) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { initial, read }]) => {
      const value = options[name] === undefined ? initial : options[name];
      if (value === undefined) throw new TypeError(`${what} needs ${name}`);
      return [name, read(value, `${what}: ${name}`, nn)];
    }),
  );

/**
 * The options of a method or a callback, by fields.
 * @param {unknown} given
 * @param {Fields} fields
 * @param {string} what
 */
export const readFieldOptions = (given, fields, what) =>
  readFields(readOptions(given, Object.keys(fields), `${what} options`), fields, what);

/**
 * A configuration as Keras's JSON.
 * @param {Record<string, any>} config
 * @param {Fields} fields
 */
export const writeConfig = (config, fields) =>
  Object.fromEntries(
    Object.entries(fields)
      .map(([name, { write = same }]) => [toSnake(name), write(config[name])])
      .filter(([, value]) => value !== undefined),
  );
