// The fields of a layer's configuration. Each class lists its fields once. That list is used to
// read options, to refuse invalid ones, and to write Keras's JSON.
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
import { suggest } from '../../base/suggest.js';
import { writeActivation, readActivation } from './activations.js';
import { readConstraint } from './constraints.js';
import { readInitializer, writeInitializer } from './initializers.js';
import { toCamel, toSnake } from './names.js';
import { readRegularizer } from './regularizers.js';
import { writeObject } from './serial.js';

/** @import { Toolkit } from '../layer/toolkit.js' */
/** @import { Layer } from '../layer/layer.js' */
/** @import { Activation } from './activations.js' */
/** @import { WeightConstraint } from './constraints.js' */
/** @import { LayerInitializer } from './initializers.js' */
/** @import { OpenShape } from './open-shapes.js' */
/** @import { RegularizerOption } from './regularizers.js' */

/** @param {any} value */
const same = (value) => value;

/**
 * One option of a layer: its default, and how it is read and written.
 * @template [Read=any] The value inside the library.
 * @template [_Given=Read] The value that users may give; never: for files only.
 * @template [Initial=unknown] The default; undefined if the option is required.
 */
export class Field {
  /**
   * @internal
   * @param {any} initial
   * @param {(value: any, what: string, nn: Toolkit) => Read} read
   * @param {(value: any) => unknown} [write] Returns the value for Keras's JSON. Default: itself.
   */
  constructor(initial, read, write = same) {
    /** The value of an omitted option. @type {Initial} */
    this.initial = initial;
    /** @internal */
    this.read = read;
    /** @internal */
    this.write = write;
  }
}
/** @typedef {Record<string, Field>} Fields */
/** @typedef {number | readonly [number]} One */
/** @typedef {number | readonly [number, number]} Pair */
/** @typedef {number | readonly [number, number, number]} Three */
/**
 * One number for each axis, or one for all.
 * @template Axes
 * @typedef {Axes extends 1 ? One : Axes extends 2 ? Pair : Three} Sizes
 */
/**
 * The numbers of zeros or rows at the sides of axes.
 * @template Axes
 * @typedef {Axes extends 1 ? Pair : Axes extends 2 ? Sides2 : Sides3} Sides
 */
/** @typedef {Pair | readonly [readonly [number, number], readonly [number, number]]} Sides2 */
/**
 * @typedef {Three | readonly [readonly [number, number], readonly [number, number], readonly
 *   [number, number]]} Sides3
 */

/**
 * @template Read
 * @template Given
 * @template [Initial=null]
 * @param {Field<Read, Given>} field
 * @param {Initial} [initial]
 * @returns {Field<Read | null, Given | null, Initial>}
 */
export const orNull = ({ read, write }, initial = /** @type {any} */ (null)) =>
  new Field(
    initial,
    (value, what, nn) => (value === null ? null : read(value, what, nn)),
    (value) => (value === null ? null : write(value)),
  );

/**
 * A field for lists, whose entries are read by another field.
 * @template T
 * @param {ArrayLike<unknown>} list
 * @param {Field<T>} field
 * @param {string} what
 * @param {Toolkit} nn
 * @returns {T[]}
 */
const readEntries = (list, { read }, what, nn) =>
  readEach(list, what, (entry, i) => read(entry, `${what}[${i}]`, nn));

/**
 * A field for any value, which is checked elsewhere.
 * @template [Given=any]
 * @template [Initial=null]
 * @param {unknown} [initial]
 * @returns {Field<any, Given, Initial>}
 */
export const any = (initial = null) => new Field(initial, same);

/** @param {boolean} initial @returns {Field<boolean, boolean, boolean>} */
export const flag = (initial) => new Field(initial, (value, what) => readFlag(value, what));

/**
 * @template {string | undefined} [Initial=undefined]
 * @param {Initial} [initial]
 * @returns {Field<string, string, Initial>}
 */
export const text = (initial) =>
  new Field(initial, (value, what) => {
    if (typeof value === 'string') return value;
    throw typeError(what, 'a string', value);
  });

/**
 * @typedef {<Initial extends number | undefined = undefined>(
 *   initial?: Initial, least?: number, most?: number
 * ) => Field<number, number, Initial>} NumberField
 */
/**
 * Makes fields for numbers in a range.
 * @param {(value: number) => boolean} isOne
 * @param {string} kind The word for them in messages.
 * @returns {NumberField}
 */
const numbersThat =
  (isOne, kind) =>
  (initial, least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY) =>
    new Field(initial, (value, what) => {
      if (isOne(readNumber(value, what)) && value >= least && value <= most) return value;
      const from = least > Number.NEGATIVE_INFINITY ? ` from ${least}` : '';
      throw optionError(
        what,
        kind + from + (most < Number.POSITIVE_INFINITY ? ` to ${most}` : ''),
        value,
      );
    });

/** A field for a finite number. */
export const number = numbersThat(Number.isFinite, 'a finite number');

/** A field for an integer of either sign, such as an axis. */
export const integer = numbersThat(Number.isSafeInteger, 'an integer');

/** @param {number} [least] @param {number} [most] */
export const numberOrNull = (least, most) => orNull(number(undefined, least, most));

/** A field for an integer that is at least 0 or 1. @type {NumberField} */
export const count = (initial, least = 1, most) => integer(initial, least, most);

/** @param {number} [least] */
export const countOrNull = (least = 0) => orNull(count(undefined, least));

/**
 * A field for one of several words, in TensorFlow.js's or Keras's spelling.
 * @template {string} Words
 * @param {NoInfer<Words>} initial
 * @param {readonly Words[]} words
 * @returns {Field<string, Words, string>}
 */
export const word = (initial, words) =>
  new Field(
    initial,
    (value, what, nn) => {
      const camel = toCamel(text().read(value, what, nn));
      const found = words.find((name) => name === value || name === camel);
      if (found !== undefined) return found;
      throw optionError(what, words.map((name) => `'${name}'`).join(' or '), value);
    },
    toSnake,
  );

/** The position of the channels: only one layout. @type {Field<string, 'channelsLast', string>} */
export const dataFormat = new Field(
  'channelsLast',
  (value, what) => {
    if (value === 'channelsLast' || value === 'channels_last' || value === null)
      return 'channelsLast';
    throw optionError(what, "'channelsLast'", value);
  },
  toSnake,
);

/**
 * A field for one integer per axis; a single one applies to all.
 * @template {1 | 2 | 3} Axes
 * @template {number | undefined} [Initial=undefined]
 * @param {Axes} axes
 * @param {Initial} [initial]
 * @param {number} [least]
 * @param {number} [most]
 * @returns {Field<number[], Sizes<Axes>, Initial>}
 */
export const counts = (axes, initial, least, most) =>
  new Field(initial, (value, what, nn) => {
    const one = count(undefined, least, most);
    if (typeof value === 'number') return new Array(axes).fill(one.read(value, what, nn));
    if (isList(value) && value.length === axes) return readEntries(value, one, what, nn);
    throw typeError(what, `an integer or ${axes} of them`, value);
  });

/** Such a field, or null. @template {1 | 2 | 3} Axes @param {Axes} axes @param {number} [least] */
export const countsOrNull = (axes, least = 0) => orNull(counts(axes, undefined, least));

/**
 * A field for a list of integers.
 * @param {number} [least]
 * @returns {Field<number[], readonly number[], undefined>}
 */
export const list = (least) =>
  new Field(undefined, (value, what, nn) => {
    if (isList(value)) return readEntries(value, integer(undefined, least), what, nn);
    throw typeError(what, 'an array of integers', value);
  });

/**
 * @template {string | undefined} [Initial=undefined]
 * @param {Initial} [initial]
 * @returns {Field<any, Activation, Initial>}
 */
export const activation = (initial) => new Field(initial, readActivation, writeActivation);

/** @param {string} initial @returns {Field<any, LayerInitializer, string>} */
export const initializer = (initial) => new Field(initial, readInitializer, writeInitializer);

/** @returns {Field<any, RegularizerOption, null>} */
export const regularizer = () =>
  orNull(new Field(null, readRegularizer, (value) => writeObject('keras.regularizers', value)));

/** A field that Keras's JSON omits if it is null. @returns {ReturnType<typeof regularizer>} */
export const regularizerIfAny = () => {
  const { initial, read, write } = regularizer();
  return new Field(initial, read, (value) => write(value) ?? undefined);
};

/** @returns {Field<any, WeightConstraint, null>} */
export const constraint = () =>
  orNull(new Field(null, readConstraint, (value) => writeObject('keras.constraints', value)));

/**
 * Combines groups of fields into one. Groups are classes, since classes have names as types, so
 * that editors show the comments of fields at the options.
 * @template A
 * @template B
 * @template [C=unknown]
 * @param {A} first
 * @param {B} second
 * @param {C} [third]
 * @returns {A & B & C}
 */
export const join = (first, second, third) =>
  /** @type {any} */ ({ ...first, ...second, ...third });

/** The fields of a kernel. `addFieldWeight` makes its weight. */
export class KernelFields {
  /** The initial values of the kernel. Default: 'glorotUniform'. */
  kernelInitializer = initializer('GlorotUniform');
  /** A penalty on these weights, added to the loss. */
  kernelRegularizer = regularizer();
  /** A constraint on these weights, applied after each update. */
  kernelConstraint = constraint();
}

/** The fields of a bias. `addFieldWeight` makes its weight. */
export class BiasFields {
  /** True to add a bias. Default: true. */
  useBias = flag(true);
  /** The initial values of the bias. Default: 'zeros'. */
  biasInitializer = initializer('Zeros');
  /** A penalty on these weights, added to the loss. */
  biasRegularizer = regularizer();
  /** A constraint on these weights, applied after each update. */
  biasConstraint = constraint();
}

/** The fields that most layers with a kernel share: bias, activation and penalties. */
export class AffineFields extends BiasFields {
  /** The activation. Default: 'linear'. */
  activation = activation('linear');

  /** @internal @param {ReturnType<typeof regularizer>} [activityRegularizer] */
  constructor(activityRegularizer = regularizer()) {
    super();
    /** A penalty on the layer's output, added to the loss. */
    this.activityRegularizer = activityRegularizer;
  }
}

/**
 * A field for an option of other versions and of TensorFlow.js that Keras 3 does not write. Only
 * the listed values are accepted, or any if none are listed; they have no effect.
 * @param {...unknown} values
 * @returns {Field<any, never, null>}
 */
export const legacy = (...values) =>
  new Field(
    null,
    (value, what) => {
      if (value === null || values.length === 0 || values.includes(value)) return null;
      throw optionError(what, `${values.join(' or ')} (nothing else is supported)`, value);
    },
    () => undefined,
  );

/**
 * @template {number | null} Initial
 * @param {boolean} isAlwaysList
 * @param {Initial} initial The default; null if the option may be missing.
 * @returns {Field<number | number[] | null, number | readonly number[] | Initial, Initial>}
 */
export const axes = (isAlwaysList, initial) =>
  new Field(initial, (value, what, nn) => {
    if (value === null && initial === null) return null;
    if (isList(value)) return list().read(value, what, nn);
    const axis = integer().read(value, what, nn);
    return isAlwaysList ? [axis] : axis;
  });

/**
 * A field for the amounts before and after each axis. For images it is [[top, bottom], [left,
 * right]], [vertical, horizontal], or one number for all. For a single axis it is one pair.
 * @template {1 | 2 | 3} Axes
 * @param {number} initial
 * @param {Axes} axes
 * @returns {Field<number[] | number[][], Sides<Axes>, number>}
 */
export const sides = (initial, axes) =>
  new Field(initial, (value, what, nn) => {
    const pair = counts(2, undefined, 0);
    if (axes === 1) return pair.read(value, what, nn);
    const all = isList(value) && value.length === axes ? value : new Array(axes).fill(value);
    return readEntries(all, pair, what, nn);
  });

/** An axis, which TensorFlow 2 wrote as a list. @type {Field<number, number, number>} */
export const axis = new Field(-1, (value, what, nn) =>
  integer().read(isList(value) && value.length === 1 ? value[0] : value, what, nn),
);

/**
 * @template {number | undefined} [Initial=undefined]
 * @param {Initial} [initial]
 * @returns {Field<number | number[], number | readonly number[], Initial>}
 */
export const numbers = (initial) =>
  new Field(initial, (value, what, nn) =>
    isList(value) ? readEntries(value, number(), what, nn) : number().read(value, what, nn),
  );

/**
 * A field for a list of sizes, or null. A size is null if it is the input's.
 * @type {Field<(number | null)[] | null, OpenShape | null, null>}
 */
export const openShape = orNull(
  new Field(null, (value, what, nn) => {
    if (isList(value)) return readEntries(value, countOrNull(1), what, nn);
    throw typeError(what, 'an array of sizes', value);
  }),
);

/** An option with one value only. @param {unknown} initial @returns {Field<any, never, unknown>} */
export const fixed = (initial) =>
  new Field(initial, (value, what) => {
    if (value === initial || value === null) return initial;
    throw optionError(what, `${initial}, the only supported value`, value);
  });

/** A field for an inner layer. @returns {Field<any, Layer, undefined>} */
export const layer = () =>
  new Field(
    undefined,
    (value, what, nn) => nn.readLayer(value, what),
    (value) => value.serialize(),
  );

/** A field for an inner layer that may be null. @returns {Field<any, Layer | null, null>} */
export const layerIfAny = () => orNull(layer());

/**
 * The types of values that users may pass, by the names of the fields.
 * @template F
 * @typedef {{ [K in keyof F]: F[K] extends Field<any, infer Given, any> ? Given : never }} GivenOf
 */
/**
 * The names of the required fields, or of the optional ones.
 * @template F
 * @template {boolean} Needed
 * @typedef {{ [K in keyof F]: F[K] extends Field<any, infer Given, infer Initial> ? [Given] extends
 *   [never] ? never : (undefined extends Initial ? true : false) extends Needed ? K : never : never
 *   }[keyof F]} NamesOf
 */
/**
 * The options that belong to fields. They keep the fields' comments.
 * @template F
 * @typedef {Pick<GivenOf<F>, NamesOf<F, true>> & Partial<Pick<GivenOf<F>, NamesOf<F, false>>>}
 *   OptionsOf
 */
/**
 * The options under other names.
 * @template Aliases
 * @template F
 * @typedef {{ [K in keyof Aliases]?: Aliases[K] extends keyof F ? GivenOf<F>[Aliases[K]] : never }}
 *   AliasesOf
 */
/**
 * The options of a class of layers.
 * @template {{ fields: object, aliases: object }} Class
 * @typedef {LayerConfig & OptionsOf<Class['fields']> & AliasesOf<Class['aliases'],
 *   Class['fields']>} ConfigOf
 */
/**
 * @typedef {object} LayerConfig The options of every layer.
 * @property {string} [name] The layer's name, with which its weights' names begin: `dense/kernel`.
 *   Default: `dense`, `dense_1` and so on.
 * @property {boolean} [trainable] False locks all its weights. Default: true.
 * @property {OpenShape} [inputShape] The input's shape without the batch, for the first layer.
 * @property {OpenShape} [batchInputShape] The input's shape with the batch.
 * @property {number} [batchSize] The batch size, for use with inputShape.
 * @property {readonly import('../../tensors/tensor.js').TensorLike[]} [weights] The initial values
 *   of the weights, in order.
 */

/** The names of the options of every layer, including TensorFlow.js's. */
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
 * @param {Toolkit} nn
 * @param {unknown} given
 * @param {object} fields
 * @param {Readonly<Record<string, string>>} aliases The other names of fields.
 * @param {string} what
 * @returns {{ config: Record<string, any>, common: Record<string, unknown> }}
 */
export const readConfig = (nn, given, fields, aliases, what) => {
  if (!isRecord(given)) {
    const known = Object.keys(fields).join(', ');
    throw typeError(`options of ${what}`, `an object${known && ` with ${known}`}`, given);
  }
  /** @type {Record<string, unknown>} */
  const options = Object.create(null);
  for (const [key, value] of Object.entries(ownProperties(given))) {
    const camel = toCamel(key);
    const name = Object.hasOwn(aliases, camel) ? aliases[camel] : camel;
    if (!Object.hasOwn(fields, name) && !COMMON.includes(name)) {
      const known = [...Object.keys(fields), ...COMMON];
      throw new TypeError(`${what} has no option '${key}': ${suggest(key, known)}`);
    }
    if (value !== undefined) options[name] = value;
  }
  const common = Object.fromEntries(COMMON.map((name) => [name, options[name]]));
  return { config: readFields(options, fields, what, nn), common };
};

/**
 * @param {Record<string, unknown>} options
 * @param {object} fields
 * @param {string} what
 * @param {any} [nn]
 * @returns {Record<string, any>}
 */
const readFields = (options, fields, what, nn) =>
  Object.fromEntries(
    Object.entries(/** @type {Fields} */ (fields)).map(([name, { initial, read }]) => {
      const value = options[name] === undefined ? initial : options[name];
      if (value === undefined) throw new TypeError(`${what} needs the option ${name}`);
      return [name, read(value, `${what}: ${name}`, nn)];
    }),
  );

/** Reads options by fields. @param {unknown} given @param {object} fields @param {string} what */
export const readFieldOptions = (given, fields, what) =>
  readFields(readOptions(given, Object.keys(fields), `${what} options`), fields, what);

/** Returns a config in Keras's JSON. @param {Record<string, any>} config @param {object} fields */
export const writeConfig = (config, fields) =>
  Object.fromEntries(
    Object.entries(/** @type {Fields} */ (fields))
      .map(([name, { write }]) => [toSnake(name), write(config[name])])
      .filter(([, value]) => value !== undefined),
  );
