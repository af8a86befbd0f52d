// Models of JSON, as Keras 3, Keras 2 and TensorFlow.js write them.
import { describe, describeList, isRecord, ownProperties } from '../base/check.js';
import { FormatError, OptionError } from '../base/errors.js';
import { InputLayer, Model } from './model.js';
import { isOp, readOp } from './operations.js';
import { Sequential } from './sequential.js';
import { mapArgs, SymbolicTensor, toList } from './symbolic.js';

/** @typedef {import('./layer.js').Layer} Layer */
/** @typedef {import('./toolkit.js').Toolkit} Toolkit */

/** @param {string} message */
const refuse = (message) => {
  throw new FormatError(`model JSON: ${message}`);
};

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {Record<string, any>}
 */
const readRecord = (value, what) =>
  isRecord(value)
    ? ownProperties(value)
    : refuse(`${what} must be an object, it is ${describe(value)}`);

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {unknown[]}
 */
const readArray = (value, what) =>
  Array.isArray(value) ? value : refuse(`${what} must be an array, it is ${describe(value)}`);

/**
 * @param {Toolkit} nn
 * @param {unknown} json
 * @returns {Layer}
 */
const readLayer = (nn, json) => {
  const { class_name: className, className: camel, config } = readRecord(json, 'a layer');
  const name = className ?? camel;
  if (typeof name !== 'string') return refuse('a layer has no class_name');
  if (name === 'Sequential') return readSequential(nn, config);
  if (name === 'Functional' || name === 'Model') return readGraph(nn, config);
  const Class = nn.classes.get(name);
  if (!Class) {
    throw new OptionError(
      `model JSON: there is no layer of class '${name}' here: register one by nn.registerClass`,
    );
  }
  return /** @type {any} */ (Class).fromConfig(nn, readRecord(config, `the config of ${name}`));
};

/**
 * @param {Toolkit} nn
 * @param {unknown} config
 */
const readSequential = (nn, config) => {
  const given = Array.isArray(config)
    ? { layers: config }
    : readRecord(config, 'the config of Sequential');
  const {
    layers,
    name,
    trainable,
    build_input_shape: shape,
  } = /** @type {Record<string, any>} */ (given);
  const model = new Sequential(nn, { name });
  for (const json of readArray(layers, 'layers')) model.add(readLayer(nn, json));
  if (!model.built && shape) model.ensureBuilt(shape);
  if (trainable === false) model.trainable = false;
  return model;
};

/**
 * What says where a tensor comes from. @typedef {{ layer: string, node: number, index: number }}
 * Origin
 */

/** @param {any} value @returns {Origin} */
const readOrigin = (value) => {
  const [layer, node, index] = readArray(value, 'where a tensor comes from');
  if (typeof layer === 'string' && Number.isSafeInteger(node) && Number.isSafeInteger(index)) {
    return { layer, node: Number(node), index: Number(index) };
  }
  return refuse(`a tensor comes from [layer, node, index], not from ${describeList(value)}`);
};

/** Stands for a tensor until its layer was applied. */
class Reference {
  /** @param {Origin} origin */
  constructor(origin) {
    this.origin = origin;
  }
}

/**
 * @param {any} args
 * @param {boolean} isOfOp Whose slices and arrays stay what they are.
 */
const readArgs = (args, isOfOp) =>
  mapArgs(args, (value) => {
    const { class_name: className, config } = isRecord(value) ? ownProperties(value) : {};
    if (className === '__keras_tensor__') {
      return new Reference(readOrigin(readRecord(config, 'a tensor').keras_history));
    }
    if (className === undefined) return undefined;
    return isOfOp ? value : refuse(`cannot read an argument of class ${describe(className)}`);
  });

/**
 * One application of a layer: Keras 3's { args, kwargs }, or a list of [layer, node, index,
 * kwargs].
 * @param {any} node
 * @param {boolean} isOfOp
 * @returns {{ args: any[], kwargs: Record<string, any> }}
 */
const readNode = (node, isOfOp) => {
  if (!Array.isArray(node)) {
    const { args, kwargs } = readRecord(node, 'an inbound node');
    const named = Object.entries(readRecord(kwargs ?? {}, 'kwargs'));
    return {
      args: readArgs(readArray(args, 'args'), isOfOp),
      kwargs: Object.fromEntries(named.map(([key, value]) => [key, readArgs(value, isOfOp)])),
    };
  }
  const isOne = typeof node[0] === 'string';
  const list = isOne ? [node] : node;
  const tensors = list.map((entry) => new Reference(readOrigin(entry)));
  const kwargs = readRecord(list[0]?.[3] ?? {}, 'arguments of a call');
  return { args: [tensors.length === 1 ? tensors[0] : tensors], kwargs };
};

/** @param {any} args */
const referencesIn = (args) => {
  /** @type {Reference[]} */
  const found = [];
  mapArgs(args, (value) => {
    if (value instanceof Reference) found.push(value);
  });
  return found;
};

/**
 * @param {Toolkit} nn
 * @param {unknown} json
 */
const readGraph = (nn, json) => {
  const config = readRecord(json, 'the config of a model');
  /** What each application of each layer gave. @type {Map<string, SymbolicTensor[][]>} */
  const made = new Map();
  /**
   * @type {{ layer: Layer, name: string, args: any[], kwargs: Record<string, any>, place: number
   *   }[]}
   */
  let waiting = [];
  const entries = readArray(config.layers, 'layers').map((entry) => readRecord(entry, 'a layer'));
  const nameOf = (/** @type {any} */ { name, config }) => name ?? config?.name;
  const ops = new Set(entries.filter(isOp).map(nameOf));
  const calls = new Map(
    entries.map((given) => {
      const nodes = readArray(given.inbound_nodes ?? [], `inbound_nodes of ${nameOf(given)}`);
      const found = nodes.map((node) => readNode(node, isOp(given)));
      // Keras writes out how masks are made. Here layers make theirs themselves.
      for (const { kwargs } of found) {
        const isMade = referencesIn(kwargs.mask).some(({ origin }) => ops.has(origin.layer));
        if (isMade) kwargs.mask = null;
      }
      return [nameOf(given), found];
    }),
  );
  /** What leads to the outputs: ops that only masks were made of do not. @type {Set<unknown>} */
  const read = new Set();
  const { input_layers: from = config.inputLayers, output_layers: to = config.outputLayers } =
    config;
  mapArgs([from, to], (value) => void (typeof value === 'string' && read.add(value)));
  for (const name of read) {
    for (const { origin } of referencesIn(calls.get(name))) read.add(origin.layer);
  }
  for (const given of entries) {
    if (!read.has(nameOf(given))) continue;
    const layer = isOp(given) ? readOp(nn, given) : readLayer(nn, given);
    const name = String(nameOf(given) ?? layer.name);
    if (made.has(name)) refuse(`two layers are called '${name}'`);
    made.set(name, layer instanceof InputLayer ? [[layer.start()]] : []);
    const found = calls.get(nameOf(given)) ?? [];
    found.forEach((call, place) => void waiting.push({ layer, name, ...call, place }));
  }
  /** @param {Origin} origin */
  const find = ({ layer, node, index }) => {
    const nodes = made.get(layer);
    if (!nodes) return refuse(`there is no layer '${layer}'`);
    return nodes[node]?.[index];
  };
  while (waiting.length > 0) {
    /** @type {typeof waiting} */
    const later = [];
    for (const item of waiting) {
      const { layer, name, args, kwargs, place } = item;
      const nodes = made.get(name) ?? [];
      const isReady =
        nodes.length === place && referencesIn([args, kwargs]).every(({ origin }) => find(origin));
      if (!isReady) {
        later.push(item);
        continue;
      }
      const look = (/** @type {any} */ value) =>
        value instanceof Reference ? find(value.origin) : undefined;
      const { inputs, options } = layer.fromArgs(mapArgs(args, look), mapArgs(kwargs, look));
      if (!toList(inputs).some((input) => input instanceof SymbolicTensor)) {
        refuse(`${name} is applied to nothing of the model`);
      }
      const outputs = layer.apply(inputs, options);
      nodes.push(Array.isArray(outputs) ? outputs : [outputs]);
    }
    if (later.length === waiting.length) {
      const names = [...new Set(later.map(({ name }) => name))].join(', ');
      refuse(`layers that wait for one another, or for what nothing makes: ${names}`);
    }
    waiting = later;
  }
  /** @param {any} value @param {string} what */
  const ends = (value, what) => {
    const isOne = Array.isArray(value) && typeof value[0] === 'string';
    const list = isOne
      ? [value]
      : isRecord(value)
        ? Object.values(ownProperties(value))
        : readArray(value, what);
    const symbols = list.map(
      (origin) =>
        find(readOrigin(origin)) ??
        refuse(`${what} has ${describeList(origin)}, which nothing makes`),
    );
    return isOne ? symbols[0] : symbols;
  };
  const isNew =
    isRecord(config.input_layers) ||
    (Array.isArray(config.input_layers) && typeof config.input_layers[0] === 'string');
  const [inputs, outputs] = [ends(from, 'input_layers'), ends(to, 'output_layers')];
  // Before Keras 3 one input was a list of one.
  const one = (/** @type {any} */ list) =>
    !isNew && Array.isArray(list) && list.length === 1 && !hasKeras3(config) ? list[0] : list;
  const model = new Model(nn, { inputs: one(inputs), outputs: one(outputs), name: config.name });
  if (config.trainable === false) model.trainable = false;
  return model;
};

/** Whether nodes are written as Keras 3 does. @param {Record<string, any>} config */
const hasKeras3 = (config) =>
  config.layers.some((/** @type {any} */ layer) =>
    layer?.inbound_nodes?.some((/** @type {any} */ node) => !Array.isArray(node)),
  );

/** Some four for each model inside of a model. */
const MOST_LEVELS = 256;

/** What nests without end would exhaust the stack. @param {object} json */
const checkLevels = (json) => {
  let level = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MOST_LEVELS) refuse(`it is nested more than ${MOST_LEVELS} levels deep`);
    const values = level.flatMap((value) => Object.values(value));
    level = [...new Set(values.filter((value) => typeof value === 'object' && value !== null))];
  }
};

/**
 * A model, with weights as its initializers make them, of what Keras's `model.to_json()` or
 * TensorFlow.js's `model.toJSON()` wrote.
 * @param {Toolkit} nn
 * @param {unknown} json A string, or the object that it stands for.
 * @returns {Model}
 */
export const modelFromJSON = (nn, json) => {
  let given = json;
  if (typeof json === 'string') {
    try {
      given = JSON.parse(json);
    } catch (error) {
      throw new FormatError('model JSON: this is no JSON', undefined, { cause: error });
    }
  }
  let record = readRecord(given, 'it');
  if (record.format === 'graph-model') {
    throw new FormatError(
      'model JSON: this is a graph model, whose layers are gone; only layers models can be trained',
    );
  }
  if (record.modelTopology) record = readRecord(record.modelTopology, 'modelTopology');
  if (record.model_config) record = readRecord(record.model_config, 'model_config');
  checkLevels(record);
  return nn.attempt(() => {
    const layer = readLayer(nn, record);
    return layer instanceof Model
      ? layer
      : refuse(`it is a layer of class ${layer.label}, no model`);
  });
};
