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
/** @typedef {import('../layer/layer.js').Layer} Layer */
/** @typedef {import('./activations.js').Activation} Activation */
/** @typedef {import('./constraints.js').WeightConstraint} WeightConstraint */
/** @typedef {import('./initializers.js').LayerInitializer} LayerInitializer */
/** @typedef {import('./open-shapes.js').OpenShape} OpenShape */
/** @typedef {import('./regularizers.js').RegularizerOption} RegularizerOption */

/** @param {any} value */
const same = (value) => value;

/**
 * One option of a layer: what it is where it is left out, and how it is read and written.
 * @template [Read=any] What it is inside.
 * @template [_Given=Read] What users may give; never: nothing, it is there for files.
 * @template [Initial=unknown] Where it is left out; undefined: it must be given.
 */
export class Field {
  /**
   * @internal
   * @param {any} initial
   * @param {(value: any, what: string, nn: Toolkit) => Read} read
   * @param {(value: any) => unknown} [write] As Keras's JSON has it. Default: as it is.
   */
  constructor(initial, read, write = same) {
    /** What stands for an option that is left out. @type {Initial} */
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
 * A number an axis, or one for all.
 * @template Axes
 * @typedef {Axes extends 1 ? One : Axes extends 2 ? Pair : Three} Sizes
 */
/**
 * Zeros or rows at the sides of axes.
 * @template Axes
 * @typedef {Axes extends 1 ? Pair : Axes extends 2 ? Sides2 : Sides3} Sides
 */
/** @typedef {Pair | readonly [readonly [number, number], readonly [number, number]]} Sides2 */
/**
 * @typedef {Three | readonly [readonly [number, number], readonly [number, number], readonly
 *   [number, number]]} Sides3
 */

/**
 * Null, or a field.
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

/**
 * Anything, which is read elsewhere.
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
 * Numbers in a range.
 * @param {(value: number) => boolean} isOne
 * @param {string} kind What messages call them.
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

/** A finite number. */
export const number = numbersThat(Number.isFinite, 'a finite number');

/** A whole number of either sign, such as an axis. */
export const integer = numbersThat(Number.isSafeInteger, 'an integer');

/** @param {number} [least] @param {number} [most] */
export const numberOrNull = (least, most) => orNull(number(undefined, least, most));

/** A whole number from 0 or 1 up. @type {NumberField} */
export const count = (initial, least = 1, most) => integer(initial, least, most);

/** @param {number} [least] */
export const countOrNull = (least = 0) => orNull(count(undefined, least));

/**
 * One of some words, spelled as in TensorFlow.js or as in Keras.
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

/** Where channels lie: there is one layout. @type {Field<string, 'channelsLast', string>} */
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
 * Whole numbers, as many as axes: one stands for all.
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

/**
 * The same, or null.
 * @template {1 | 2 | 3} Axes
 * @param {Axes} axes
 * @param {number} [least]
 */
export const countsOrNull = (axes, least = 0) => orNull(counts(axes, undefined, least));

/**
 * A list of whole numbers.
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

/**
 * @param {string} initial
 * @returns {Field<any, LayerInitializer, string>}
 */
export const initializer = (initial) => new Field(initial, readInitializer, writeInitializer);

/** @returns {Field<any, RegularizerOption, null>} */
export const regularizer = () =>
  orNull(new Field(null, readRegularizer, (value) => writeObject('keras.regularizers', value)));

/**
 * One that Keras's JSON leaves out where there is none.
 * @returns {ReturnType<typeof regularizer>}
 */
export const regularizerIfAny = () => {
  const { initial, read, write } = regularizer();
  return new Field(initial, read, (value) => write(value) ?? undefined);
};

/** @returns {Field<any, WeightConstraint, null>} */
export const constraint = () =>
  orNull(new Field(null, readConstraint, (value) => writeObject('keras.constraints', value)));

/**
 * Groups of fields as one. They are classes, since these have names as types, by which comments of
 * their fields come to be shown beside options.
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

/** A kernel, of which `addFieldWeight` makes a weight. */
export class KernelFields {
  /** Default: 'glorotUniform'. */
  kernelInitializer = initializer('GlorotUniform');
  /** Added to the loss, of these weights. */
  kernelRegularizer = regularizer();
  /** What each update keeps these weights to. */
  kernelConstraint = constraint();
}

/** A bias, likewise. */
export class BiasFields {
  /** Default: true. */
  useBias = flag(true);
  /** Default: 'zeros'. */
  biasInitializer = initializer('Zeros');
  /** Added to the loss, of these weights. */
  biasRegularizer = regularizer();
  /** What each update keeps these weights to. */
  biasConstraint = constraint();
}

/** What most layers with a kernel do behind it. */
export class AffineFields extends BiasFields {
  /** Default: 'linear'. */
  activation = activation('linear');

  /** @internal @param {ReturnType<typeof regularizer>} [activityRegularizer] */
  constructor(activityRegularizer = regularizer()) {
    super();
    /** Added to the loss, of what the layer gives. */
    this.activityRegularizer = activityRegularizer;
  }
}

/**
 * An option of other versions and of TensorFlow.js, which Keras 3 does not write: some values, or
 * all if none is named, mean nothing.
 * @param {...unknown} values
 * @returns {Field<any, never, null>}
 */
export const legacy = (...values) =>
  new Field(
    null,
    (value, what) => {
      if (value === null || values.length === 0 || values.includes(value)) return null;
      throw optionError(what, `${values.join(' or ')} here`, value);
    },
    () => undefined,
  );

/**
 * An axis, or several.
 * @template {number | null} Initial
 * @param {boolean} isAlwaysList
 * @param {Initial} initial null: there may be none.
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
 * What lies before and behind each axis: [[top, bottom], [left, right]] of images, [vertical,
 * horizontal], or one for all. Along a single axis it is one pair.
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

/** An axis; TensorFlow 2 wrote it as a list of one. @type {Field<number, number, number>} */
export const axis = new Field(-1, (value, what, nn) =>
  integer().read(isList(value) && value.length === 1 ? value[0] : value, what, nn),
);

/**
 * A number, or a list of numbers.
 * @template {number | undefined} [Initial=undefined]
 * @param {Initial} [initial]
 * @returns {Field<number | number[], number | readonly number[], Initial>}
 */
export const numbers = (initial) =>
  new Field(initial, (value, what, nn) =>
    isList(value) ? readEntries(value, number(), what, nn) : number().read(value, what, nn),
  );

/**
 * Sizes, null where they are the input's; or null.
 * @type {Field<(number | null)[] | null, OpenShape | null, null>}
 */
export const openShape = orNull(
  new Field(null, (value, what, nn) => {
    if (isList(value)) return readEntries(value, countOrNull(1), what, nn);
    throw typeError(what, 'an array', value);
  }),
);

/**
 * An option of Keras's that has one value here.
 * @param {unknown} initial
 * @returns {Field<any, never, unknown>}
 */
export const fixed = (initial) =>
  new Field(initial, (value, what) => {
    if (value === initial || value === null) return initial;
    throw optionError(what, `${initial} here`, value);
  });

/** A layer inside of another. @returns {Field<any, Layer, undefined>} */
export const layer = () =>
  new Field(
    undefined,
    (value, what, nn) => nn.readLayer(value, what),
    (value) => value.serialize(),
  );

/** Such a layer, or none. @returns {Field<any, Layer | null, null>} */
export const layerIfAny = () => orNull(layer());

/**
 * What users may give for fields, by their names.
 * @template F
 * @typedef {{ [K in keyof F]: F[K] extends Field<any, infer Given, any> ? Given : never }} GivenOf
 */
/**
 * Names of fields that must be given, or of those that need not.
 * @template F
 * @template {boolean} Needed
 * @typedef {{ [K in keyof F]: F[K] extends Field<any, infer Given, infer Initial> ? [Given] extends
 *   [never] ? never : (undefined extends Initial ? true : false) extends Needed ? K : never : never
 *   }[keyof F]} NamesOf
 */
/**
 * Options by their fields, whose comments they keep.
 * @template F
 * @typedef {Pick<GivenOf<F>, NamesOf<F, true>> & Partial<Pick<GivenOf<F>, NamesOf<F, false>>>}
 *   OptionsOf
 */
/**
 * Options by other names.
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
 * @typedef {object} LayerConfig What every layer takes.
 * @property {string} [name] Of the layer, and the beginning of its weights' names. Default:
 *   `dense`, `dense_1` and so on.
 * @property {boolean} [trainable] `false` holds all its weights. Default: true.
 * @property {OpenShape} [inputShape] Of the input, without the batch: for the first layer of a
 *   `sequential`.
 * @property {OpenShape} [batchInputShape] The same, with the batch.
 * @property {number} [batchSize] Beside inputShape.
 * @property {readonly import('../../tensors/tensor.js').TensorLike[]} [weights] What the weights
 *   begin with, in order.
 */

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
 * @param {object} fields
 * @param {Readonly<Record<string, string>>} aliases Other names of fields.
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
 * @param {object} fields
 * @param {string} what
 * @param {any} [nn]
 * @returns {Record<string, any>}
 */
const readFields = (options, fields, what, nn) =>
  Object.fromEntries(
    Object.entries(/** @type {Fields} */ (fields)).map(([name, { initial, read }]) => {
      const value = options[name] === undefined ? initial : options[name];
      if (value === undefined) throw new TypeError(`${what} needs ${name}`);
      return [name, read(value, `${what}: ${name}`, nn)];
    }),
  );

/**
 * The options of a method or a callback, by fields.
 * @param {unknown} given
 * @param {object} fields
 * @param {string} what
 */
export const readFieldOptions = (given, fields, what) =>
  readFields(readOptions(given, Object.keys(fields), `${what} options`), fields, what);

/**
 * A configuration as Keras's JSON.
 * @param {Record<string, any>} config
 * @param {object} fields
 */
export const writeConfig = (config, fields) =>
  Object.fromEntries(
    Object.entries(/** @type {Fields} */ (fields))
      .map(([name, { write }]) => [toSnake(name), write(config[name])])
      .filter(([, value]) => value !== undefined),
  );
