// Loads files: recognises a format by its first bytes, and finds the weights for a model.
import { refuseRest } from '../base/arity.js';
import {
  describe,
  isRecord,
  ownProperties,
  readCallback,
  readFlag,
  readOptions,
  refusePromise,
  typeError,
} from '../base/check.js';
import { FormatError, OptionError } from '../base/errors.js';
import { Budget } from './budget.js';
import { readBytes } from './bytes.js';
import { addressOf, readAddress, resolveShard } from './fetch.js';
import { isObjectText } from './foreign.js';
import { readKerasHDF5, readKerasZip } from './keras.js';
import { mapEntries } from './mapping.js';
import { matchNames } from './names.js';
import { checkLevels } from '../layers/config/limits.js';
import { attempt, buildModel, mostBytes, openModel } from './open-own.js';
import { isOwn, readWords } from './own.js';
import { readSafetensors, StoredTensor, writeSafetensors } from './safetensors.js';
import { parseJSON } from './strict-json.js';
import { isLayersModel, readLayersModel } from './tfjs.js';
import { toKeras } from './topology.js';
import { loadEntries, readModel, weightsByName } from './weights.js';

/** @import { AnyModel } from '../either.js' */
/** @import { Layers, Model } from '../layers.js' */
/** @import { Mapping } from './mapping.js' */
/** @import { Parsed } from './own.js' */
/** @import { Entry, LoadReport } from './weights.js' */
/**
 * @typedef {object} LayersModelSource TensorFlow.js's files, or the objects of its handlers.
 * @property {any} [modelJson] What model.json has, parsed; or apart:
 * @property {string} [format]
 * @property {any} [modelTopology]
 * @property {any[]} [weightsManifest]
 * @property {any[]} [weightSpecs]
 * @property {ArrayBuffer | Uint8Array | (ArrayBuffer | Uint8Array)[]} [weightData] All weights; or:
 * @property {Record<string, Uint8Array | ArrayBuffer | string>} [shards] By the manifest's paths.
 */
/**
 * @typedef {Uint8Array | ArrayBuffer | { arrayBuffer: () => Promise<ArrayBuffer> } |
 *   { readonly href: string } | string | LayersModelSource | ReturnType<typeof readSafetensors>}
 *   Source Bytes of any of the formats; a Blob or File; an address, as text or URL, which is
 *   fetched; in Node.js, Bun and Deno, a path or file: URL, which is read; or parts of a
 *   LayersModel.
 */
/**
 * @typedef {(url: string) => Promise<{ ok: boolean, status: number,
 *   arrayBuffer: () => Promise<ArrayBuffer> }>} Fetch A function like the platform's `fetch`.
 */
/**
 * @typedef {object} LoadWeightsOptions
 * @property {boolean} [partial] True to load what matches, instead of throwing. Default: false.
 * @property {boolean} [force] True to write locked elements, too. Default: false.
 * @property {Mapping} [mapping] Which entry belongs to which weight, if names or layouts differ.
 * @property {Fetch} [fetch] Gets addresses, paths too. Default: the platform's; files are read.
 * @property {object} [hdf5] The module h5wasm, for files of Keras. Default: it is imported.
 * @property {boolean} [crossOrigin] True if a manifest may name shards on other servers, or outside
 *   of its folder where there is none. Default: false.
 * @property {number} [maxBytes] Most bytes to unpack to. Default: 16 MB and 8 times the file.
 * @property {number} [maxLayers] Most layers of a model, each as often as applied. Default: 5,000.
 */
/**
 * @typedef {object} LoadModelOptions
 * @property {boolean} [partial] True to keep initial values of weights that the file does not
 *   contain. Refused for files of `saveModel`, which contain all weights. Default: false.
 * @property {Record<string, any> | false} [compile] For files of `saveModel`: further options to
 *   compile with; optimizer, losses and their weights come from the file. false: do not compile.
 * @property {Fetch} [fetch] Gets addresses, paths too. Default: the platform's; files are read.
 * @property {object} [hdf5] The module h5wasm, for files of Keras. Default: it is imported.
 * @property {boolean} [crossOrigin] True if a manifest may name shards on other servers, or outside
 *   of its folder where there is none. Default: false.
 * @property {number} [maxBytes] Most bytes to unpack to. Default: 16 MB and 8 times the file.
 * @property {number} [maxLayers] Most layers of a model, each as often as applied. Default: 5,000.
 * @property {(report: LoadReport) => unknown} [onReport] Called with a report of what was loaded.
 */
/**
 * @typedef {object} Opened
 * @property {Parsed} [own] A file of `saveModel`, or another safetensors file.
 * @property {any} [topology]
 * @property {string[]} [skipped]
 * @property {Iterable<Entry>} tensors
 * @property {(model: Model) => Map<string, Entry>} match
 */

/** Read the result of `readSafetensors`. @param {object} source @returns {Parsed} */
const readParsed = (source) => {
  const { tensors, metadata } = /** @type {any} */ (ownProperties(source));
  const isOfTensors =
    tensors instanceof Map && [...tensors.values()].every((one) => one instanceof StoredTensor);
  if (isOfTensors && isRecord(metadata)) return /** @type {any} */ ({ tensors, metadata });
  throw new TypeError('tensors and metadata must come from readSafetensors');
};

/** @param {Parsed} parsed @returns {Opened} */
const openSafetensors = (parsed) => ({
  own: parsed,
  tensors: parsed.tensors.values(),
  match: () => {
    if (!isOwn(parsed)) return new Map(parsed.tensors);
    const names = parseJSON(parsed.metadata['gradlock.weights'] ?? '', 'gradlock.weights');
    if (!Array.isArray(names)) throw new FormatError('gradlock.weights must be an array');
    const known = new Set(names);
    return new Map([...parsed.tensors].filter(([name]) => known.has(name)));
  },
});

/**
 * @param {unknown} source
 * @param {((path: string) => Promise<Uint8Array>) | null} getShard
 * @returns {Promise<Opened>}
 */
const openLayersModel = async (source, getShard) => {
  const { topology, entries } = await readLayersModel(source, getShard);
  checkLevels(topology, 'LayersModel: the topology');
  return {
    topology: toKeras(topology),
    tensors: [...entries.values()],
    match: (model) => matchNames([...weightsByName(model).keys()], entries),
  };
};

/** The LayersModel in the text of a model.json. @param {Uint8Array} bytes */
const readModelJSON = (bytes) => {
  const json = parseJSON(bytes.subarray(bytes[0] === 0xef ? 3 : 0), 'model.json');
  if (isLayersModel(json)) return json;
  const keys = Object.keys(json).slice(0, 8).map(describe).join(', ');
  throw new FormatError(
    `this JSON is no model: it has ${keys || 'no keys'}; a model has modelTopology and weightsManifest, and nn.modelFromJSON reads a topology alone`,
  );
};

/** True if a file begins with bytes. @param {Uint8Array} bytes @param {readonly number[]} start */
const begins = (bytes, start) => start.every((byte, i) => bytes[i] === byte);

const NOT_PARTIAL = 'loadModel: a file of saveModel has all weights: leave partial out';

/** Options about how a file is got and read. They are fine for any source. */
const OPEN = ['fetch', 'hdf5', 'crossOrigin', 'maxBytes', 'maxLayers'];

/** @param {unknown} source @param {Record<string, unknown>} options @returns {Promise<Opened>} */
const open = async (source, { fetch, hdf5, crossOrigin = false, ...limits }) => {
  const mayLeave = readFlag(crossOrigin, 'crossOrigin');
  if (fetch !== undefined && typeof fetch !== 'function') {
    throw typeError('fetch', 'a function', fetch);
  }
  new Budget(0, limits); // Refuses wrong limits, also where nothing is unpacked.
  if (isRecord(source) && Object.hasOwn(source, 'tensors'))
    return openSafetensors(readParsed(source));
  if (isLayersModel(source)) return openLayersModel(source, null);
  const url = await addressOf(source, fetch);
  let given = source;
  if (url !== null) given = await readAddress(fetch, url);
  else if (typeof (/** @type {any} */ (source)?.arrayBuffer) === 'function') {
    given = await /** @type {any} */ (source).arrayBuffer();
  }
  const bytes = readBytes(given, 'the file');
  const budget = new Budget(bytes.length, limits);
  if (begins(bytes, [0x50, 0x4b, 3, 4])) return readKerasZip(bytes, hdf5, budget);
  if (begins(bytes, [0x89, 0x48, 0x44, 0x46])) return readKerasHDF5(bytes, hdf5, budget);
  if (isObjectText(bytes)) {
    const get = (/** @type {string} */ path) =>
      readAddress(fetch, resolveShard(path, String(url), mayLeave));
    return openLayersModel(readModelJSON(bytes), url === null ? null : get);
  }
  return openSafetensors(readSafetensors(bytes));
};

/**
 * A model from a file: a file of `saveModel`, a LayersModel of TensorFlow.js, or a .keras or .h5 of
 * Keras, which needs h5wasm. A file of `saveModel` also restores optimizer, losses, locks and
 * generators, so training continues to the bit. Rejects with FormatError for a file that is
 * damaged, of a newer version, or without a model. Rejects with ShapeError for weights that do not
 * match, and with LoadError if the file cannot be fetched or read.
 * @type {{
 *   (nn: Layers, source: Source, options?: LoadModelOptions, ...more: []): Promise<Model>;
 *   (nn: import('#double/layers.js').Layers, source: Source, options?: LoadModelOptions,
 *     ...more: []): Promise<import('#double/layers.js').Model>;
 *   (nn: Layers, source: Source, options?: LoadModelOptions, ...more: []): Promise<Model>;
 * }}
 * @param nn The result of `layers(g)`.
 * @example
 * const net = await loadModel(nn, 'model.safetensors'); // in Node.js; in pages, an address
 * const other = await loadModel(nn, 'https://example.com/mobilenet/model.json');
 * const keras = await loadModel(nn, bytes, { hdf5 });
 */
export const loadModel = async (/** @type {any} */ nn, source, options = {}, ...more) => {
  refuseRest('loadModel', 3, more);
  if (typeof (/** @type {any} */ (nn)?.modelFromJSON) !== 'function') {
    throw new TypeError(`loadModel takes the result of layers(g), got ${describe(nn)}`);
  }
  const known = ['partial', 'compile', 'onReport', ...OPEN];
  const { partial, compile, onReport, ...how } = readOptions(options, known, 'loadModel options');
  const isPartial = readFlag(partial, 'partial', false);
  const report = onReport === undefined ? () => {} : readCallback(onReport, 'onReport');
  const tell = (/** @type {LoadReport} */ loaded) => refusePromise(report(loaded), 'onReport');
  const opened = await open(source, how);
  const limits = /** @type {import('./open-own.js').Limits} */ ({
    maxBytes: how.maxBytes,
    maxLayers: how.maxLayers,
  });
  if (opened.own && isOwn(opened.own)) {
    if (isPartial) throw new OptionError(NOT_PARTIAL);
    return openModel(nn, opened.own, { compile, limits, tell });
  }
  const { topology, skipped } = opened;
  if (!topology) {
    throw new FormatError(
      'the file has weights but no topology: build the model, then call loadWeights',
    );
  }
  if (compile !== undefined && compile !== false) {
    throw new OptionError(
      'loadModel: compile works only for files of saveModel: call model.compile instead',
    );
  }
  return attempt(nn, () => {
    const maxBytes = mostBytes(nn, opened.tensors, limits.maxBytes);
    const model = buildModel(nn, topology, { ...limits, maxBytes });
    const entries = opened.match(model);
    const report = loadEntries(model, entries, { partial: isPartial, force: true }, skipped);
    const weights = weightsByName(model);
    const missing = report.missing.map((name) => weights.get(name));
    const misshapen = report.misshapen.map(({ name }) => weights.get(name));
    /** @type {any} */ (model).initialize(new Set([...missing, ...misshapen]), maxBytes);
    tell(report);
    return model;
  });
};

/**
 * Weights from a file into a model, by name, or in files of Keras 3 by class and order. All or
 * nothing: if it rejects, the model is unchanged. Rejects with MismatchError, whose `report` lists
 * weights that are missing, unexpected or of another shape. Rejects with LockedElementError if a
 * locked element would change, and with FormatError for a damaged file.
 * @param {AnyModel} model
 * @param {Source} source
 * @param {LoadWeightsOptions} [options]
 * @param {[]} more
 * @returns {Promise<LoadReport>} What was loaded and what not, and which values were rounded.
 * @example
 * const report = await loadWeights(net, bytes, { partial: true });
 * report.missing; // names of weights that the file has nothing for
 */
export const loadWeights = async (model, source, options = {}, ...more) => {
  refuseRest('loadWeights', 3, more);
  const net = readModel(model, 'loadWeights');
  const known = ['partial', 'force', 'mapping', ...OPEN];
  const { mapping, partial, force, ...how } = readOptions(options, known, 'loadWeights options');
  const opened = await open(source, how);
  const found = mapEntries(opened.match(net), /** @type {Mapping | undefined} */ (mapping));
  return loadEntries(net, found.entries, { partial, force }, [
    ...(opened.skipped ?? []),
    ...found.skipped,
  ]);
};

/**
 * The weights of a model as safetensors, by their names, for `loadWeights` and other readers.
 * @param {AnyModel} model
 * @param {{ metadata?: Record<string, string> }} [options] `metadata`: words of your own.
 * @param {[]} more
 * @returns {Uint8Array<ArrayBuffer>}
 * @example
 * const bytes = saveWeights(net);
 * await loadWeights(other, bytes);
 */
export const saveWeights = (model, options = {}, ...more) => {
  refuseRest('saveWeights', 2, more);
  const net = readModel(model, 'saveWeights');
  const { metadata = {} } = readOptions(options, ['metadata'], 'saveWeights options');
  const words = readWords(metadata, 'saveWeights');
  const weights = [...weightsByName(net)].map(
    ([name, weight]) => /** @type {const} */ ([name, { shape: weight.shape, data: weight.data() }]),
  );
  return writeSafetensors(new Map(weights), words);
};
