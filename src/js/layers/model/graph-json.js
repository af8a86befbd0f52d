// Reads functional models from JSON: the layers and the calls that connect them. Keras 3, Keras 2
// and TensorFlow.js write the same graph in three ways.
import { describe, describeList, isRecord, ownProperties } from '../../base/check.js';
import { FormatError } from '../../base/errors.js';
import { InputLayer, Model } from './model.js';
import { isOp, readOp } from './operations.js';
import { mapArgs, SymbolicTensor, toList } from '../layer/symbolic.js';

/** @import { Layer } from '../layer/layer.js' */
/** @import { Toolkit } from '../layer/toolkit.js' */
/** @typedef {{ layer: string, node: number, index: number }} Origin The origin of a tensor. */
/**
 * @typedef {object} Call One application of a layer.
 * @property {string} name The layer's name.
 * @property {number} application The number of this application of the layer.
 * @property {any[]} args
 * @property {Record<string, any>} kwargs
 */

/** @param {string} message @returns {never} */
export const refuse = (message) => {
  throw new FormatError(`model JSON: ${message}`);
};

/** @param {unknown} value @param {string} what @returns {Record<string, any>} */
export const readRecord = (value, what) =>
  isRecord(value)
    ? ownProperties(value)
    : refuse(`${what} must be an object, it is ${describe(value)}`);

/** @param {unknown} value @param {string} what @returns {unknown[]} */
export const readArray = (value, what) =>
  Array.isArray(value) ? value : refuse(`${what} must be an array, it is ${describe(value)}`);

/** @param {any} value @returns {Origin} */
const readOrigin = (value) => {
  const [layer, node, index] = readArray(value, 'the origin of a tensor');
  if (typeof layer === 'string' && Number.isSafeInteger(node) && Number.isSafeInteger(index)) {
    return { layer, node: Number(node), index: Number(index) };
  }
  return refuse(
    `the origin of a tensor must be [layer, node, index], it is ${describeList(value)}`,
  );
};

/** Stands for a tensor until its layer is applied. */
class Reference {
  /** @param {Origin} origin */
  constructor(origin) {
    this.origin = origin;
  }
}

/**
 * @param {any} args
 * @param {boolean} isOfOp True for the arguments of an op, whose slices and arrays stay unchanged.
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
 * Reads one application of a layer: Keras 3's { args, kwargs } or [layer, node, index, kwargs].
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

/** @param {Record<string, any>} entry An entry of a model's layers. */
const nameOf = ({ name, config }) => {
  const found = name ?? config?.name;
  return typeof found === 'string'
    ? found
    : refuse(`a layer has the invalid name ${describe(found)}`);
};

/**
 * Reads the calls of all layers.
 * @param {readonly Record<string, any>[]} entries
 * @returns {Map<string, Call[]>} The calls by the names of layers.
 */
const readCalls = (entries) => {
  const ops = new Set(entries.filter(isOp).map(nameOf));
  /** @type {Map<string, Call[]>} */
  const calls = new Map();
  for (const given of entries) {
    const name = nameOf(given);
    const nodes = readArray(given.inbound_nodes ?? [], `inbound_nodes of ${describe(name)}`);
    const found = nodes.map((node, application) => ({
      name,
      application,
      ...readNode(node, isOp(given)),
    }));
    // Keras also writes the ops that make masks. Here the layers make masks themselves.
    for (const { kwargs } of found) {
      const isMade = referencesIn(kwargs.mask).some(({ origin }) => ops.has(origin.layer));
      if (isMade) kwargs.mask = null;
    }
    if (calls.has(name)) refuse(`two layers have the name ${describe(name)}`);
    calls.set(name, found);
  }
  return calls;
};

/** True if nodes have Keras 3's form. @param {readonly Record<string, any>[]} entries */
const isKeras3 = (entries) =>
  entries.some(({ inbound_nodes: nodes }) =>
    nodes?.some((/** @type {any} */ node) => !Array.isArray(node)),
  );

/**
 * Renumber the nodes of inner models from 0. Keras counts an inner model's own node as number 0:
 * everywhere before Keras 3; in Keras 3 only for functional models, in the outputs of the outer
 * model. A file that contains a 0 counts from 0 already and stays unchanged.
 * @param {readonly Record<string, any>[]} entries
 * @param {Map<string, Call[]>} calls
 * @param {readonly Origin[]} ends
 * @param {boolean} isNew
 */
const countFrom0 = (entries, calls, ends, isNew) => {
  const classes = isNew ? ['Functional', 'Model'] : ['Functional', 'Model', 'Sequential'];
  const inner = new Set(
    entries.filter(({ class_name: name }) => classes.includes(name)).map(nameOf),
  );
  const used = isNew ? [] : [...calls.values()].flatMap(referencesIn).map(({ origin }) => origin);
  const origins = [...used, ...ends].filter(({ layer }) => inner.has(layer));
  if (origins.every(({ node }) => node >= 1)) for (const origin of origins) origin.node--;
};

/** Applies a graph's layers: each call after those it needs, otherwise in the file's order. */
class Graph {
  /** @type {Map<string, Layer>} */
  layers = new Map();
  /** The outputs of each application of each layer. @type {Map<string, SymbolicTensor[][]>} */
  #made = new Map();
  #calls;

  /** @param {Map<string, Call[]>} calls */
  constructor(calls) {
    this.#calls = calls;
  }

  /** @param {string} name @param {Layer} layer */
  add(name, layer) {
    this.layers.set(name, layer);
    this.#made.set(name, layer instanceof InputLayer ? [[layer.start()]] : []);
  }

  /** @param {Origin} origin */
  find({ layer, node, index }) {
    const nodes = this.#made.get(layer) ?? refuse(`there is no layer '${layer}'`);
    return (
      nodes[node]?.[index] ?? refuse(`there is no tensor ${describeList([layer, node, index])}`)
    );
  }

  /** Make every call of the layers. */
  run() {
    /** Calls that are waiting for the calls they need. @type {Set<Call>} */
    const begun = new Set();
    for (const name of this.layers.keys()) {
      const stack = [...(this.#calls.get(name) ?? [])].reverse();
      for (let call = stack.at(-1); call; call = stack.at(-1)) {
        const needed = this.#isMade(call) ? [] : this.#needs(call);
        if (needed.length > 0 && begun.has(call)) {
          refuse(`the layers form a cycle through '${call.name}'`);
        }
        begun.add(call);
        if (needed.length > 0) stack.push(...needed.reverse());
        else {
          stack.pop();
          if (!this.#isMade(call)) this.#apply(call);
        }
      }
    }
  }

  /** @param {Call} call */
  #isMade({ name, application }) {
    return (this.#made.get(name) ?? []).length > application;
  }

  /** Returns the calls that must come before a call. @param {Call} call @returns {Call[]} */
  #needs({ name, application, args, kwargs }) {
    const before = application > 0 ? [{ layer: name, node: application - 1, index: 0 }] : [];
    const origins = [...before, ...referencesIn([args, kwargs]).map(({ origin }) => origin)];
    return origins.flatMap((origin) => {
      if (this.#made.get(origin.layer)?.[origin.node]) return [];
      const call = this.#calls.get(origin.layer)?.[origin.node];
      if (!call) this.find(origin);
      return call ? [call] : [];
    });
  }

  /** @param {Call} call */
  #apply({ name, args, kwargs }) {
    const layer = /** @type {Layer} */ (
      this.layers.get(name) ?? refuse(`there is no layer '${name}'`)
    );
    const look = (/** @type {any} */ value) =>
      value instanceof Reference ? this.find(value.origin) : undefined;
    const { inputs, options } = layer.fromArgs(mapArgs(args, look), mapArgs(kwargs, look));
    if (!toList(inputs).some((input) => input instanceof SymbolicTensor)) {
      refuse(`layer ${describe(name)} is applied to no tensor of the model`);
    }
    this.#made.get(name)?.push([...toList(layer.apply(inputs, options))]);
  }
}

/**
 * Reads the inputs or outputs of a model.
 * @param {any} value
 * @param {string} what
 * @returns {{ isOne: boolean, isNamed: boolean, origins: Origin[] }}
 */
const readEnds = (value, what) => {
  const isOne = Array.isArray(value) && typeof value[0] === 'string';
  const isNamed = isRecord(value);
  const list = isNamed ? Object.values(ownProperties(value)) : readArray(value, what);
  return { isOne, isNamed, origins: (isOne ? [value] : list).map(readOrigin) };
};

/**
 * @param {Toolkit} nn
 * @param {unknown} json
 * @param {(json: Record<string, any>) => Layer} readLayer
 * @returns {Model}
 */
export const readGraph = (nn, json, readLayer) => {
  const config = readRecord(json, 'the config of a model');
  const entries = readArray(config.layers, 'layers').map((entry) => readRecord(entry, 'a layer'));
  const calls = readCalls(entries);
  const [from, to] = [
    readEnds(config.input_layers ?? config.inputLayers, 'input_layers'),
    readEnds(config.output_layers ?? config.outputLayers, 'output_layers'),
  ];
  const isNew = isKeras3(entries);
  countFrom0(entries, calls, to.origins, isNew);
  /** The calls that the outputs depend on. Ops that only make masks are not among them. */
  const needed = new Set([...from.origins, ...to.origins].map(({ layer }) => layer));
  for (const name of needed) {
    for (const { origin } of referencesIn(calls.get(name))) needed.add(origin.layer);
  }
  const graph = new Graph(calls);
  for (const given of entries) {
    if (!needed.has(nameOf(given))) continue;
    graph.add(nameOf(given), isOp(given) ? readOp(nn, given) : readLayer(given));
  }
  graph.run();
  const find = (/** @type {Origin} */ origin) => graph.find(origin);
  // Before Keras 3 a single input was a list with one entry.
  const isOldList = !isNew && !from.isOne && !from.isNamed;
  /** @param {ReturnType<typeof readEnds>} ends */
  const one = ({ isOne, origins }) => {
    const symbols = origins.map(find);
    return isOne || (isOldList && symbols.length === 1) ? symbols[0] : symbols;
  };
  const model = new Model(nn, { inputs: one(from), outputs: one(to), name: config.name });
  if (config.trainable === false) model.trainable = false;
  return model;
};
