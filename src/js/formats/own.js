// Models in gradlock's own files. These are safetensors, with bytes for topology, all holders'
// locks and the state of training. Any reader of safetensors reads the weights.
import { refuseRest } from '../base/arity.js';
import { describe, isRecord, ownProperties, readFlag, readOptions } from '../base/check.js';
import { FormatError, OptionError } from '../base/errors.js';
import { joinBytes } from './bytes.js';
import { dtypeOf } from './dtypes.js';
import { writeSafetensors } from './safetensors.js';
import { freeName, readModel, weightsByName } from './weights.js';

/** @import { AnyModel } from '../either.js' */
/** @import { Reals } from './dtypes.js' */
/** @import { StoredTensor, TensorSource } from './safetensors.js' */
/** @typedef {{ tensors: Map<string, StoredTensor>, metadata: Record<string, string> }} Parsed */
/**
 * @typedef {object} Training State of training.
 * @property {string} rule Of the optimizer.
 * @property {string} state The tensor with its state, without values of weights.
 * @property {[number, string][]} cuts Where in those bytes the values of which tensor stood.
 * @property {unknown} [draws] In files of version 1: seed and step of each generator.
 * @property {unknown} [progress] Progress of training, with names of tensors instead of arrays.
 * @property {{ losses: ({ className: string, config: object } | 'own' | null)[],
 *   lossWeights: number[] }} compile A loss that is a function is 'own'
 */

/** Version of files that are written; all from 1 on are read. Since 2 there is `progress`. */
const VERSION = 2;

/** Key of the file's kind in metadata. */
export const KIND = 'gradlock';

/** @param {Record<string, string>} metadata @param {string} kind @param {number} version */
export const stamp = (metadata, kind, version) => ({
  ...metadata,
  format: 'gradlock',
  [KIND]: kind,
  [`${KIND}.version`]: String(version),
});

/** The caller's own words for metadata. @param {unknown} metadata @param {string} caller */
export const readWords = (metadata, caller) => {
  if (!isRecord(metadata)) {
    throw new TypeError(`${caller}: metadata must be an object, got ${describe(metadata)}`);
  }
  const words = ownProperties(metadata);
  const own = Object.keys(words).find((key) => key === KIND || key.startsWith(`${KIND}.`));
  if (own === undefined) return /** @type {Record<string, string>} */ (words);
  throw new OptionError(
    `${caller}: metadata has the key '${own}', which gradlock writes itself: rename yours`,
  );
};

/**
 * True if a file has one of gradlock's own kinds; throws FormatError for unknown versions.
 * @param {Parsed} parsed
 * @param {string} kind
 * @param {number} newest
 */
export const isOfKind = ({ metadata }, kind, newest) => {
  if (metadata[KIND] !== kind) return false;
  const text = metadata[`${KIND}.version`] ?? '';
  const version = Number(text);
  if (/^[1-9]\d*$/.test(text) && version <= newest) return true;
  throw new FormatError(
    `the file is a gradlock ${kind} of version ${describe(text)}, this gradlock reads versions up to ${newest}`,
  );
};

/** @param {Parsed} parsed */
export const isOwn = (parsed) => isOfKind(parsed, 'model', VERSION);

/**
 * Offsets of weights' values in the state of an optimizer, so that a file contains them only once.
 * What is cut out is compared, so nothing depends on how states are laid out.
 * @param {Uint8Array} state
 * @param {readonly [string, Reals][]} weights
 */
const cutValues = (state, weights) => {
  /** @type {[number, string][]} */
  const cuts = [];
  /** @type {Uint8Array[]} */
  const kept = [];
  let [from, at, size] = [0, 0, 0];
  for (const [name, values] of weights) {
    const { buffer, byteOffset, byteLength } = values;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    const start = byteLength > 64 ? find(state, bytes, at) : -1;
    if (start < 0) continue;
    kept.push(state.subarray(from, start));
    size += start - from;
    cuts.push([size, name]);
    from = start + byteLength;
    at = from;
  }
  kept.push(state.subarray(from));
  return { cuts, bytes: joinBytes(kept) };
};

/** Offset of part, or -1. @param {Uint8Array} all @param {Uint8Array} part @param {number} from */
const find = (all, part, from) => {
  const [first = 0] = part;
  const last = all.length - part.length;
  for (let at = all.indexOf(first, from); at >= 0 && at <= last; at = all.indexOf(first, at + 1)) {
    let i = 0;
    while (i < part.length && all[at + i] === part[i]) i++;
    if (i === part.length) return at;
  }
  return -1;
};

/**
 * JSON, some of whose values are replaced.
 * @param {unknown} value
 * @param {(value: any) => unknown} replace Gives undefined for what stays.
 * @returns {unknown}
 */
export const replaceIn = (value, replace) => {
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  if (Array.isArray(value)) return value.map((entry) => replaceIn(entry, replace));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]) => [key, replaceIn(entry, replace)]);
  return Object.fromEntries(entries);
};

/** Key of progress arrays: `$f32` or `$f64`. @param {Parameters<typeof dtypeOf>[0]} model */
export const progressKey = (model) => `$${dtypeOf(model).toLowerCase()}`;

/**
 * A model as a file: its topology, its weights and all locks of all holders. If the model was
 * compiled, it includes the state of its optimizer, so `loadModel` can continue training to the
 * bit. It does not include metrics, callbacks and custom functions. Policies of holders are
 * included only with the optimizer. Weights of `gradlock/double` are F64.
 * @param {AnyModel} model
 * @param {{ optimizer?: boolean, metadata?: Record<string, string> }} [options] `optimizer`:
 *   whether to save training, too. Default: if it was compiled. `metadata`: words of your own.
 * @param {[]} more
 * @returns {Uint8Array<ArrayBuffer>}
 * @example
 * const bytes = saveModel(model);
 * await writeFile('model.safetensors', bytes);
 */
export const saveModel = (model, options = {}, ...more) => {
  refuseRest('saveModel', 2, more);
  const net = readModel(model, 'saveModel');
  const known = ['optimizer', 'metadata'];
  const { optimizer: flag, metadata: words = {} } = readOptions(
    options,
    known,
    'saveModel options',
  );
  const wantsTraining = readFlag(flag ?? net.plan !== null, 'optimizer');
  if (wantsTraining && !net.plan) throw new OptionError('saveModel: the model was not compiled');
  const weights = weightsByName(net);
  /** @type {Map<string, TensorSource>} */
  const tensors = new Map();
  /** @type {[string, Reals][]} */
  const values = [];
  for (const [name, weight] of weights) {
    const data = weight.data();
    values.push([name, data]);
    tensors.set(name, { shape: weight.shape, data });
  }
  /** @param {string} wanted @param {Uint8Array} data */
  const addBytes = (wanted, data) => {
    const name = freeName(tensors, wanted);
    tensors.set(name, { shape: [data.length], data });
    return name;
  };
  /** @type {[string, string, string][]} */
  const locks = [];
  for (const [name, { locks: set }] of weights) {
    for (const holder of ['', ...set.holders]) {
      const held = holder === '' ? set.own() : set.holder(holder).toLocks();
      if (held.count > 0) {
        locks.push([name, holder, addBytes(`${name}:locks:${holder}`, held.toBytes())]);
      }
      held.dispose();
    }
  }
  /** @type {Record<string, string>} */
  const metadata = {
    ...readWords(words, 'saveModel'),
    'gradlock.topology': JSON.stringify(net),
    'gradlock.weights': JSON.stringify([...weights.keys()]),
    'gradlock.locks': JSON.stringify(locks),
  };
  if (wantsTraining && net.plan) {
    const { optimizer, outputs } = net.plan;
    const whole = optimizer.toBytes({ variables: [...weights.values()] });
    const { cuts, bytes } = cutValues(whole, values);
    /** @type {Training} */
    const training = {
      rule: optimizer.rule,
      state: addBytes('gradlock:optimizer', bytes),
      cuts,
      progress: replaceIn(net.progress, (value) => {
        if (!(value instanceof net.nn.Reals)) return undefined;
        const { buffer, byteOffset, byteLength } = value;
        const bytes = new Uint8Array(buffer, byteOffset, byteLength);
        return { [progressKey(net)]: addBytes('gradlock:progress', bytes) };
      }),
      compile: {
        losses: outputs.map(
          ({ loss }) => loss && (loss.name ? { className: loss.name, config: loss.config } : 'own'),
        ),
        lossWeights: outputs.map(({ weight }) => weight),
      },
    };
    metadata['gradlock.training'] = JSON.stringify(training);
  }
  return writeSafetensors(tensors, stamp(metadata, 'model', VERSION));
};
