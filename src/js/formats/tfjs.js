// TensorFlow.js's LayersModel: model.json, with the topology and a manifest of weights, and shards
// of bytes. Graph models are refused: their layers are gone.
// Source: tfjs-core 4.22, io/types.ts and io/io_utils.ts; tfjs-layers 4.22, models.ts.
import { refuseRest } from '../base/arity.js';
import {
  describe,
  describeList,
  isRecord,
  ownProperties,
  readOptions,
  typeError,
} from '../base/check.js';
import { FormatError, OptionError } from '../base/errors.js';
import { version } from '../base/version.js';
import { joinBytes, readBytes } from './bytes.js';
import { convertArray, convertBytes } from './dtypes.js';
import { refuseForeign } from './foreign.js';
import { plain } from './names.js';
import { refuseBroken, refuseShapes, shapeGiven } from './tfjs-form.js';
import { refuseMasks } from './tfjs-masks.js';
import { toKeras2 } from './topology.js';
import { freeName, readModel, weightsByName } from './weights.js';

/** @import { AnyModel } from '../either.js' */
/** @import { Entry } from './weights.js' */
/** @typedef {(path: string) => Promise<Uint8Array>} GetShard */

/** @param {string} message */
const refuse = (message) => {
  throw new FormatError(`LayersModel: ${message}`);
};

/** Names of their types, and sizes in bytes. */
const TYPES = /** @type {const} */ ({
  float32: 'F32',
  int32: 'I32',
  bool: 'U8',
  float16: 'F16',
  uint8: 'U8',
  uint16: 'U16',
});

/** @param {any} value @param {string} what @returns {Record<string, any>} */
const record = (value, what) =>
  isRecord(value)
    ? ownProperties(value)
    : refuse(`${what} must be an object, it is ${describe(value)}`);

/** @param {any} value @param {string} what @returns {any[]} */
const array = (value, what) =>
  Array.isArray(value) ? value : refuse(`${what} must be an array, it is ${describe(value)}`);

/** Read a manifest's entry of a weight. @param {any} given */
const readSpec = (given) => {
  const { name, shape, dtype, quantization } = record(given, 'a weight');
  if (typeof name !== 'string') return refuse(`a weight has the invalid name ${describe(name)}`);
  const sizes = array(shape, `the shape of ${name}`);
  if (dtype !== 'float32' && dtype !== 'int32' && dtype !== 'bool') {
    return refuse(`${name} has type ${describe(dtype)}; supported: float32, int32 and bool`);
  }
  const how = quantization === undefined ? null : record(quantization, `quantization of ${name}`);
  const type = how ? how.dtype : dtype;
  if (how && type !== 'uint8' && type !== 'uint16' && type !== 'float16') {
    return refuse(
      `${name} is quantized to ${describe(type)}; supported: uint8, uint16 and float16`,
    );
  }
  const isScaled = how !== null && type !== 'float16';
  if (isScaled && ![how.scale, how.min].every(Number.isFinite)) {
    return refuse(
      `${name} has scale ${describe(how.scale)} and min ${describe(how.min)}, expected numbers`,
    );
  }
  const stored = TYPES[/** @type {keyof typeof TYPES} */ (type)];
  let count = 1;
  for (const size of sizes) {
    count *= Number.isSafeInteger(size) && size >= 0 ? size : Number.NaN;
    if (!Number.isSafeInteger(count * 4))
      refuse(`${name} has the invalid shape ${describeList(sizes)}`);
  }
  const width = { F32: 4, I32: 4, U8: 1, U16: 2, F16: 2 }[stored];
  const scale = isScaled ? { scale: how.scale, min: how.min, whole: dtype === 'int32' } : null;
  return { name, shape: sizes, type, stored, bytes: count * width, scale };
};

/** @param {ReturnType<typeof readSpec>} spec @param {Uint8Array} bytes @returns {Entry} */
const toEntry = ({ name, shape, type, stored, scale }, bytes) => ({
  name,
  dtype: type,
  shape,
  convert: (Type) => {
    const found = convertBytes(stored, bytes, Type);
    if (!scale) return found;
    const values = found.values.map((q) => {
      const value = q * scale.scale + scale.min;
      return scale.whole ? Math.round(value) : value;
    });
    return { values, rounded: 0 };
  },
});

/** Shards one after the other; a single one is not copied. @param {readonly Uint8Array[]} shards */
const joined = (shards) => (shards.length === 1 && shards[0]) || joinBytes(shards);

/**
 * Bytes of weights, cut into entries.
 * @param {any[]} specs
 * @param {readonly Uint8Array[]} shards
 * @param {Map<string, Entry>} entries
 */
const cut = (specs, shards, entries) => {
  const bytes = joined(shards);
  const refuseSize = (/** @type {string} */ message) => {
    for (const shard of shards) refuseForeign(shard, 'LayersModel: a shard');
    refuse(message);
  };
  let at = 0;
  for (const given of specs) {
    const spec = readSpec(given);
    if (spec.bytes > bytes.length - at) {
      refuseSize(
        `${spec.name} has ${spec.bytes} bytes, ${bytes.length - at} are left in its shards`,
      );
    }
    if (entries.has(spec.name)) refuse(`there are two weights ${spec.name}`);
    entries.set(spec.name, toEntry(spec, bytes.subarray(at, at + spec.bytes)));
    at += spec.bytes;
  }
  if (at < bytes.length) refuseSize(`${bytes.length - at} bytes of shards belong to no weight`);
};

/** True for a LayersModel, or what TensorFlow.js gives save handlers. @param {unknown} source */
export const isLayersModel = (source) =>
  isRecord(source) &&
  ['modelTopology', 'modelJson', 'weightsManifest', 'format'].some((key) =>
    Object.hasOwn(source, key),
  );

/**
 * @param {unknown} source `{ modelTopology, weightsManifest | weightSpecs, weightData | shards }`,
 *   or `{ modelJson }` for the first two.
 * @param {GetShard | null} getShard
 * @returns {Promise<{ topology: any, entries: Map<string, Entry> }>}
 */
export const readLayersModel = async (source, getShard) => {
  const given = record(source, 'it');
  const json = given.modelJson === undefined ? given : record(given.modelJson, 'modelJson');
  const { format, modelTopology, weightsManifest, weightSpecs } = json;
  if (format === 'graph-model' || modelTopology?.node) {
    refuse('this is a graph model, which has no layers; only layers models can be loaded');
  }
  const { weightData } = given;
  const get = given.shards === undefined ? getShard : fromRecord(given.shards);
  if (weightData !== undefined && given.shards !== undefined)
    throw new OptionError('LayersModel: give weightData or shards, not both');
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  const groups = Array.from(array(weightsManifest ?? [], 'weightsManifest'), (group) =>
    record(group, 'a group of weightsManifest'),
  );
  if (weightData !== undefined) {
    const all = Array.isArray(weightData) ? weightData : [weightData];
    cut(
      array(weightSpecs ?? groups.flatMap(({ weights }) => weights), 'weightSpecs'),
      all.map((part) => readBytes(part, 'weightData')),
      entries,
    );
    return { topology: modelTopology, entries };
  }
  for (const { paths, weights } of groups) {
    if (!get) {
      const names = array(paths, 'paths of a group').slice(0, 3).map(describe).join(', ');
      return refuse(
        `its weights are in other files: pass the path or address of model.json, or { modelJson, shards: { ${names}: bytes } }`,
      );
    }
    const shards = Array.from(array(paths, 'paths of a group'), (path) =>
      typeof path === 'string'
        ? get(path)
        : refuse(`a shard has the invalid path ${describe(path)}`),
    );
    cut(array(weights, 'weights of a group'), await Promise.all(shards), entries);
  }
  return { topology: modelTopology, entries };
};

/** @param {unknown} given @returns {GetShard} */
const fromRecord = (given) => {
  if (!isRecord(given)) throw typeError('shards', "an object such as { 'w.bin': bytes }", given);
  const shards = ownProperties(given);
  return async (path) => {
    const name = Object.hasOwn(shards, path) ? path : String(path.split('/').at(-1));
    if (Object.hasOwn(shards, name)) return readBytes(shards[name], `shard ${path}`);
    throw new OptionError(
      `LayersModel: there is no shard ${path}; known: ${Object.keys(shards).join(', ')}`,
    );
  };
};

/** A model's JSON, with whole shapes of reshapes. Inner names may recur. @param {AnyModel} net */
const withShapes = (net) => {
  const layers = /** @type {any[]} */ (/** @type {any} */ (net).allLayers);
  const all = layers.map((layer) => /** @type {const} */ ([layer.name, shapeGiven(layer)]));
  const shapes = new Map(all.filter(([, shape]) => shape));
  for (const [name, shape] of all) if (`${shapes.get(name)}` !== `${shape}`) shapes.delete(name);
  return JSON.parse(JSON.stringify(net), (key, value) => {
    const shape = key === 'config' && value?.target_shape && shapes.get(value.name);
    return shape ? { ...value, target_shape: shape } : value;
  });
};

/**
 * A model in the files of TensorFlow.js, for `tf.loadLayersModel`. Weights are f32, in one shard;
 * those of `gradlock/double` are rounded, since TensorFlow.js has no f64.
 * Throws OptionError for anything that TensorFlow.js 4.22 lacks or would read differently: a GRU
 * with `resetAfter`, attention, groups, slopes of reLU, a mask that it ignores or hands to other
 * layers, and so on.
 * @param {AnyModel} model
 * @param {{ classes?: string[] }} [options] `classes`: your own layers registered there.
 * @param {[]} more
 * @returns {{ 'model.json': string, 'group1-shard1of1.bin': Uint8Array<ArrayBuffer> }}
 * @example
 * for (const [name, data] of Object.entries(saveLayersModel(net))) await writeFile(name, data);
 */
export const saveLayersModel = (model, options = {}, ...more) => {
  refuseRest('saveLayersModel', 2, more);
  const net = readModel(model, 'saveLayersModel');
  const { classes = [] } = readOptions(options, ['classes'], 'saveLayersModel options');
  if (!Array.isArray(classes)) throw typeError('classes', 'an array of names', classes);
  const known = new Set(classes);
  for (const layer of net.allLayers) {
    refuseShapes(layer);
    for (const [weight, constraint] of layer.constrained) refuseBroken(weight, constraint);
  }
  refuseMasks(net);
  const weights = weightsByName(net);
  /** @type {Uint8Array[]} */
  const parts = [];
  /** Weights that have another name in Keras 3. @type {Set<unknown>} */
  const depthwise = new Set(
    net.allLayers
      .filter((layer) => /** @type {any} */ (layer.constructor).className === 'DepthwiseConv2D')
      .map((layer) => /** @type {any} */ (layer).kernel),
  );
  /** @type {Map<string, unknown>} */
  const used = new Map();
  for (const [name, weight] of weights) {
    const own = depthwise.has(weight) ? name.replace(/kernel$/, 'depthwise_kernel') : plain(name);
    const free = freeName(used, own);
    used.set(free, { name: free, shape: weight.shape, dtype: 'float32' });
    const { buffer, byteOffset, byteLength } = convertArray(weight.data(), Float32Array).values;
    parts.push(new Uint8Array(buffer, byteOffset, byteLength));
  }
  const shard = 'group1-shard1of1.bin';
  const modelTopology = {
    keras_version: '2.15.0',
    backend: 'gradlock',
    model_config: toKeras2(withShapes(net), known),
  };
  const json = {
    format: 'layers-model',
    generatedBy: `gradlock ${version}`,
    convertedBy: null,
    modelTopology,
    weightsManifest: [{ paths: [shard], weights: [...used.values()] }],
  };
  return { 'model.json': JSON.stringify(json), [shard]: joinBytes(parts) };
};
