// Models of files of our own: made of their topology, filled, locked, and compiled as they were.
import { describe, isRecord, ownProperties, sizeOf } from '../base/check.js';
import { FormatError, GradlockError, OptionError } from '../base/errors.js';
import { checkLevels, readLimit } from '../layers/config/limits.js';
import { joinBytes } from './bytes.js';
import { dtypeOf } from './dtypes.js';
import { progressKey, replaceIn } from './own.js';
import { parseJSON } from './strict-json.js';
import { countOutputsFrom1 } from './topology.js';
import { loadEntries, weightsByName } from './weights.js';

const KIT = Symbol.for('gradlock.kit');

/** @import { Layers, Model } from '../layers.js' */
/** @import { Parsed, Training } from './own.js' */
/** @import { LoadReport } from './weights.js' */

/** @typedef {{ maxBytes?: number, maxLayers?: number }} Limits */

/** @param {Parsed} parsed @param {string} key */
const readPart = ({ metadata }, key) => {
  const text = metadata[`gradlock.${key}`];
  if (text === undefined) throw new FormatError(`the file has no gradlock.${key}`);
  return parseJSON(text, `gradlock.${key}`);
};

/** The topology. In version 1, outputs of inner models count from 0. @param {Parsed} parsed */
const readTopology = (parsed) => {
  const topology = readPart(parsed, 'topology');
  checkLevels(topology, 'gradlock.topology');
  return parsed.metadata['gradlock.version'] === '1' ? countOutputsFrom1(topology) : topology;
};

/** @param {unknown} value @param {string} what @returns {any[]} */
const readList = (value, what) => {
  if (Array.isArray(value)) return value;
  throw new FormatError(`gradlock.${what} must be an array, it is ${describe(value)}`);
};

/** @param {Parsed} parsed @param {unknown} name */
const tensorOf = ({ tensors }, name) => {
  const tensor = typeof name === 'string' ? tensors.get(name) : undefined;
  if (tensor) return tensor;
  throw new FormatError(`the file refers to tensor ${describe(name)}, which it does not contain`);
};

/** @param {Layers} nn @returns {import('../layers/layer/toolkit.js').Toolkit} */
const kitOf = (nn) => /** @type {any} */ (nn)[KIT];

/** Bytes that a topology's weights may have beyond those of its file, which are missing then. */
const MOST_MISSING = 32e6;

/**
 * Most bytes for the weights of a file: little more than they take in memory.
 * @param {Layers} nn
 * @param {Iterable<{ shape: readonly number[] }>} tensors Tensors of the file.
 * @param {Limits['maxBytes']} maxBytes
 */
export const mostBytes = (nn, tensors, maxBytes = 0) => {
  const width = kitOf(nn).Reals.BYTES_PER_ELEMENT;
  let bytes = MOST_MISSING;
  for (const { shape } of tensors) bytes += width * sizeOf(shape);
  return Math.max(bytes, readLimit(maxBytes, 'maxBytes', 0));
};

/**
 * A model of a topology from a file, which may say anything. Its weights are 0.
 * @param {Layers} nn
 * @param {any} topology
 * @param {Limits} limits
 */
export const buildModel = (nn, topology, { maxBytes, maxLayers }) => {
  try {
    return nn.modelFromJSON(topology, { initialize: false, maxBytes, maxLayers });
  } catch (error) {
    if (error instanceof GradlockError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw new FormatError(`the topology is not of a model: ${message}`, undefined, {
      cause: error,
    });
  }
};

/** All or nothing, names too. @template T @param {Layers} nn @param {() => T} body @returns {T} */
export const attempt = (nn, body) => kitOf(nn).attempt(body);

/**
 * @param {Layers} nn
 * @param {Parsed} parsed
 * @param {{ compile: unknown, limits: Limits, tell: (report: LoadReport) => void }} how `compile`:
 *   further options to compile with, or false.
 * @returns {Model}
 */
export const openModel = (nn, parsed, how) => attempt(nn, () => open(nn, parsed, how));

/** The same as openModel. @type {typeof openModel} */
const open = (nn, parsed, { compile, limits, tell }) => {
  const names = readList(readPart(parsed, 'weights'), 'weights');
  const locks = readList(readPart(parsed, 'locks'), 'locks');
  const maxBytes = mostBytes(nn, parsed.tensors.values(), limits.maxBytes);
  const model = buildModel(nn, readTopology(parsed), { ...limits, maxBytes });
  const { Reals } = kitOf(nn);
  const dtype = dtypeOf({ nn: { Reals } });
  const weights = weightsByName(model);
  if (JSON.stringify([...weights.keys()]) !== JSON.stringify(names)) {
    throw new FormatError('the weights of the file do not match its topology');
  }
  const entries = new Map();
  for (const [name, weight] of weights) {
    const tensor = tensorOf(parsed, name);
    const isKnown = tensor.dtype === 'F32' || tensor.dtype === dtype;
    if (!isKnown || `${tensor.shape}` !== `${weight.shape}`) {
      throw new FormatError(
        `tensor ${describe(name)} is ${tensor.dtype} [${tensor.shape}], expected ${dtype} [${weight.shape}]` +
          (tensor.dtype === 'F64'
            ? ': open it with gradlock/double, or round it by loadWeights'
            : ''),
      );
    }
    entries.set(name, tensor);
  }
  /** Tensors of training, if it is left out. @type {Set<string>} */
  const left = new Set(compile === false ? parsed.tensors.keys() : []);
  for (const name of names) left.delete(name);
  for (const lock of locks) left.delete(readList(lock, 'locks')[2]);
  const report = loadEntries(model, entries, { force: true }, [...left]);
  /** @type {any} */ (model).initialize(new Set());
  for (const entry of locks) {
    const [name, holder, bytes] = readList(entry, 'locks');
    const weight = weights.get(name);
    if (!weight) throw new FormatError(`gradlock.locks has an unknown weight ${describe(name)}`);
    const set = model.g.locksFrom(/** @type {Uint8Array} */ (tensorOf(parsed, bytes).bytes));
    try {
      (holder === '' ? weight : weight.locks.holder(holder)).lock(set);
    } finally {
      set.dispose();
    }
  }
  if (compile !== false) resume(/** @type {any} */ (model), parsed, compile);
  tell(report);
  return model;
};

/** An optimizer's state, put together again. @param {Parsed} parsed @param {Training} training */
const joinState = (parsed, { state, cuts }) => {
  const { bytes } = tensorOf(parsed, state);
  /** @type {Uint8Array[]} */
  const parts = [];
  let from = 0;
  for (const cut of readList(cuts, 'training.cuts')) {
    const [at, name] = readList(cut, 'training.cuts');
    if (!(Number.isSafeInteger(at) && at >= from && at <= bytes.length)) {
      throw new FormatError(`gradlock.training has the invalid offset ${describe(at)}`);
    }
    parts.push(bytes.subarray(from, at), tensorOf(parsed, name).bytes);
    from = at;
  }
  return joinBytes([...parts, bytes.subarray(from)]);
};

/**
 * How far training was; files of version 1 say where generators were and no more.
 * @param {import('../layers/model/model.js').Model} model
 * @param {Parsed} parsed
 * @param {Training} training
 * @returns {any}
 */
const readProgress = (model, parsed, { progress, draws }) => {
  const { Reals } = model.nn;
  const key = progressKey(model);
  if (progress === undefined) return { draws: { batches: [0, 0], generators: draws } };
  return replaceIn(progress, (value) => {
    const { [key]: tensor } = isRecord(value) ? ownProperties(value) : {};
    if (tensor === undefined) return undefined;
    const { bytes } = tensorOf(parsed, tensor);
    if (bytes.length % Reals.BYTES_PER_ELEMENT)
      throw new FormatError(
        `tensor ${describe(tensor)} does not hold whole ${key.slice(1)} numbers`,
      );
    return new Reals(new Uint8Array(bytes).buffer);
  });
};

/**
 * True if a file has weights in f32, and the model is in f64.
 * @param {import('../layers/model/model.js').Model} model
 * @param {Parsed} parsed
 */
const isWidened = (model, { tensors }) =>
  model.weights.some(({ name }) => tensors.get(name)?.dtype === 'F32') && dtypeOf(model) === 'F64';

/**
 * Compile as the model was, with its optimizer as it was.
 * @param {import('../layers/model/model.js').Model} model
 * @param {Parsed} parsed
 * @param {unknown} given
 */
const resume = (model, parsed, given) => {
  if (given !== undefined && !isRecord(given)) {
    throw new TypeError(`compile must be an object of options or false, got ${describe(given)}`);
  }
  const options = ownProperties(given ?? {});
  if (parsed.metadata['gradlock.training'] === undefined) {
    if (given !== undefined) model.compile(/** @type {any} */ (options));
    return;
  }
  /** @type {Training} */
  const training = readPart(parsed, 'training');
  const { rule, compile } = training;
  const losses = readList(compile?.losses, 'training.compile.losses');
  const lossWeights = readList(compile?.lossWeights, 'training.compile.lossWeights');
  if (options.loss === undefined && losses.includes('own')) {
    throw new OptionError(
      'the loss of the compiled model is a function, which no file can hold: pass { compile: { loss } } or { compile: false }',
    );
  }
  const { optimizers } = model.g;
  if (isWidened(model, parsed)) {
    throw new FormatError(
      'the file has training in f32, this instance computes in f64: pass { compile: false } for its weights alone, which are exact',
    );
  }
  if (!Object.getOwnPropertyNames(optimizers).includes(rule)) {
    throw new FormatError(`unknown optimizer ${describe(rule)} in the file`);
  }
  const own = options.optimizer ? null : /** @type {any} */ (optimizers)[rule]({});
  try {
    model.compile({ loss: losses, lossWeights, optimizer: own, ...options });
    const variables = model.weights;
    model.optimizer?.setState(joinState(parsed, training), { variables, force: true });
    model.progress = readProgress(model, parsed, training);
  } catch (error) {
    own?.dispose();
    throw error;
  }
};
