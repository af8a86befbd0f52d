// The training data: tensors with one row for each sample, checked once and split into batches.
import {
  formatShape,
  isList,
  isRecord,
  optionError,
  ownProperties,
  readCount,
  readNumber,
  typeError,
} from '../../base/check.js';
import { LimitError, OptionError, ShapeError } from '../../base/errors.js';
import { outputNames } from './compile.js';
import { formatOpen } from '../config/open-shapes.js';

/** @import { Plan } from './compile.js' */
/** @import { Model } from '../model/model.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/**
 * @typedef {object} Data
 * @property {Tensor[]} xs The inputs, one tensor for each.
 * @property {Tensor[]} ys The labels, one tensor for each output.
 * @property {(Tensor | null)[]} weights The sample weights, one tensor for each output.
 * @property {number} size The number of samples.
 * @property {Tensor[]} own The tensors that were made from the data, to be disposed.
 */

/** The largest row number: f32 represents integers exactly up to here. */
const MOST_ROWS = 2 ** 24;

/**
 * Reads one value for each name, given by name, as a list, or as a single value.
 * @param {Model} model
 * @param {any} given
 * @param {readonly string[]} names
 * @param {string} what
 * @returns {any[]}
 */
export const listOf = (model, given, names, what) => {
  if (isRecord(given) && !(given instanceof model.nn.Tensor)) {
    const named = ownProperties(given);
    return names.map((name) => {
      if (named[name] !== undefined) return named[name];
      throw new OptionError(`${model.name}: ${what} do not contain '${name}'`);
    });
  }
  // An array may hold the numbers of a single value.
  const isMany = Array.isArray(given) && (names.length > 1 || given[0] instanceof model.nn.Tensor);
  const list = isMany ? given : [given];
  if (list.length === names.length) return list;
  throw optionError(`${model.name}: ${what}`, `one value each for ${names.join(', ')}`, given);
};

/**
 * @param {Model} model
 * @param {unknown} value
 * @param {string} what
 * @param {Tensor[]} own
 * @returns {Tensor}
 */
const toTensor = (model, value, what, own) => {
  if (value instanceof model.nn.Tensor) {
    if (value.rank === 0)
      throw new ShapeError(`${what} must have one row for each sample, got a scalar`);
    return value;
  }
  if (!isList(value)) throw typeError(what, 'a tensor or an array', value);
  const tensor = model.g.tensor(/** @type {any} */ (value));
  own.push(tensor);
  return tensor;
};

/** @param {readonly Tensor[]} tensors @param {number} size @param {string} what */
const expectRows = (tensors, size, what) => {
  for (const tensor of tensors) {
    if (tensor.shape[0] === size) continue;
    throw new ShapeError(
      `${what} must have ${size} rows, one for each sample, got shape ${formatShape(tensor.shape)}`,
    );
  }
};

/** Returns the names of a model's inputs, which are those of their layers. @param {Model} model */
export const inputNames = ({ inputs }) =>
  inputs.length > 0 ? inputs.map(({ node }) => node.layer.name) : ['input'];

/** @param {Model['g']} g @param {Tensor} t @param {number} from @param {number} count */
export const rowsOf = (g, t, from, count) =>
  g.slice(t, [from, ...new Array(t.rank - 1).fill(0)], [count, ...t.shape.slice(1)]);

/** @param {Model} model @param {readonly Tensor[]} xs */
const expectShapes = (model, xs) => {
  model.inputs.forEach(({ shape, node }, i) => {
    const given = xs[i].shape;
    const fits =
      given.length === shape.length &&
      given.every((dim, axis) => axis === 0 || shape[axis] === null || shape[axis] === dim);
    if (fits) return;
    throw new ShapeError(
      `${model.name}: input '${node.layer.name}' expects shape ${formatOpen(shape)}, got ${formatShape(given)}`,
    );
  });
};

/** @param {number} label */
const expectClass = (label) => {
  if (label < MOST_ROWS) return label;
  throw new LimitError(`classWeight: a class must be an integer below ${MOST_ROWS}, got ${label}`);
};

/**
 * @param {Model} model
 * @param {unknown} classWeight
 * @param {Tensor} y
 * @param {{ dispose(): void }[]} own
 */
const weightsOfClasses = (model, classWeight, y, own) => {
  if (!isRecord(classWeight)) throw typeError('classWeight', 'an object', classWeight);
  const given = Object.entries(ownProperties(classWeight)).map(([label, weight]) => {
    const number = readCount(Number(label), 'a class of classWeight');
    return [expectClass(number), readNumber(weight, `classWeight[${label}]`)];
  });
  const isSparse = y.rank === 1 || y.shape.at(-1) === 1;
  const most = isSparse
    ? expectClass(y.data().reduce((a, b) => Math.max(a, b), 0))
    : Number(y.shape.at(-1)) - 1;
  const table = new Float64Array(Math.max(most, ...given.map(([label]) => label)) + 1).fill(1);
  for (const [label, weight] of given) table[label] = weight;
  const { g } = model;
  const weights = g.tidy(() => {
    const labels = isSparse ? g.reshape(y, [y.size]) : g.argMax(y, -1);
    return g.gather(table, labels);
  });
  own.push(weights);
  return weights;
};

/**
 * @param {Model} model
 * @param {Plan | null} plan The plan, or null if there are no labels.
 * @param {{ x: unknown, y?: unknown, sampleWeight?: unknown }} given
 * @returns {Data}
 */
export const readData = (model, plan, { x, y, sampleWeight = null }) => {
  /** @type {Tensor[]} */
  const own = [];
  try {
    const inputs = inputNames(model);
    const xs = listOf(model, x, inputs, 'the inputs').map((value, i) =>
      toTensor(model, value, `input '${inputs[i]}'`, own),
    );
    model.ensureBuilt([null, ...xs[0].shape.slice(1)]);
    expectShapes(model, xs);
    const size = xs[0].shape[0];
    if (size === 0) throw new ShapeError(`${model.name}: there are no samples`);
    if (size > MOST_ROWS)
      throw new LimitError(`got ${size} samples, at most ${MOST_ROWS} are supported`);
    expectRows(xs, size, 'the inputs');
    if (!plan) return { xs, ys: [], weights: [], size, own };
    const outputs = outputNames(model);
    const ys = listOf(model, y, outputs, 'the labels').map((value, i) =>
      toTensor(model, value, `labels of '${outputs[i]}'`, own),
    );
    expectRows(ys, size, 'the labels');
    const weights = outputs.map((name, i) => {
      if (sampleWeight === null) return null;
      const list =
        outputs.length > 1 && Array.isArray(sampleWeight) && sampleWeight.length === outputs.length
          ? sampleWeight[i]
          : sampleWeight;
      return toTensor(model, list, `sampleWeight of '${name}'`, own);
    });
    expectRows(/** @type {Tensor[]} */ (weights.filter((w) => w !== null)), size, 'sampleWeight');
    return { xs, ys, weights, size, own };
  } catch (error) {
    disposeAll(own);
    throw error;
  }
};

/** Returns the error for samples that are weighted twice. */
export const twoWeights = () => new OptionError('give classWeight or sampleWeight, not both');

/**
 * Reads training data, with sample weights by class. As in Keras, validation has no class weights.
 * @param {Model} model
 * @param {Data} data
 * @param {unknown} classWeight
 * @param {{ dispose(): void }[]} own The list to which new tensors are added.
 * @returns {Data}
 */
export const addClassWeights = (model, data, classWeight, own) => {
  if (classWeight === null) return data;
  if (data.weights.some((weights) => weights !== null)) throw twoWeights();
  return { ...data, weights: data.ys.map((y) => weightsOfClasses(model, classWeight, y, own)) };
};

/** @param {readonly { dispose(): void }[]} tensors */
export const disposeAll = (tensors) => {
  for (const tensor of tensors) tensor.dispose();
};

/**
 * Splits data into a first and a last part, as Keras does.
 * @param {Model} model
 * @param {Data} data
 * @param {number} fraction The size of the last part, from 0 to 1.
 * @returns {[Data, Data]}
 */
export const splitData = (model, data, fraction) => {
  if (!(fraction > 0 && fraction < 1)) {
    throw optionError('validationSplit', 'above 0 and below 1', fraction);
  }
  const at = Math.floor(data.size * (1 - fraction));
  if (at === 0 || at === data.size) {
    throw new OptionError(
      `validationSplit: ${fraction} of ${data.size} samples leaves an empty part`,
    );
  }
  /** @param {number} from @param {number} count @returns {Data} */
  const part = (from, count) => {
    /** @type {Tensor[]} */
    const own = [];
    /** @param {Tensor} t */
    const cut = (t) => {
      const piece = rowsOf(model.g, t, from, count);
      own.push(piece);
      return piece;
    };
    return {
      xs: data.xs.map(cut),
      ys: data.ys.map(cut),
      weights: data.weights.map((w) => w && cut(w)),
      size: count,
      own,
    };
  };
  return [part(0, at), part(at, data.size - at)];
};
