// Topologies of TensorFlow.js and of Keras 2, as layers read them, and the other way round.
import { isRecord } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { toTfjsForm } from './tfjs-form.js';

/** @param {any} layer */
const isModel = (layer) => ['Sequential', 'Functional', 'Model'].includes(layer?.class_name);

/**
 * Count the nodes of models inside of a model as Keras 2 does: number 0 is the node that a model
 * has by itself. Keras 3 does so for functional models among the outputs only.
 * @param {any} config The config of a model, with nodes as lists.
 */
const countFrom1 = ({ layers, output_layers: outputs }) => {
  if (!Array.isArray(layers)) return;
  const inner = new Map(
    layers.filter(isModel).map((layer) => [layer.config.name, layer.class_name]),
  );
  for (const reference of layers.flatMap(({ inbound_nodes: nodes = [] }) => nodes).flat()) {
    if (inner.has(reference[0])) reference[1]++;
  }
  for (const reference of outputs ?? [])
    if (inner.get(reference[0]) === 'Sequential') reference[1]++;
};

/**
 * A topology for Keras 3, from one of gradlock's files of version 1. There, the outputs of models
 * count the applications of functional models from 0.
 * @param {any} json
 * @returns {any}
 */
export const countOutputsFrom1 = (json) => {
  if (Array.isArray(json)) return json.map(countOutputsFrom1);
  if (!isRecord(json)) return json;
  const found = Object.fromEntries(
    Object.entries(json).map(([key, value]) => [key, countOutputsFrom1(value)]),
  );
  const { layers, output_layers: outputs } = found;
  if (!Array.isArray(layers) || !Array.isArray(outputs)) return found;
  const inner = layers.filter((layer) => layer?.class_name === 'Functional');
  const names = new Set(inner.map(({ name }) => name));
  for (const reference of typeof outputs[0] === 'string' ? [outputs] : outputs) {
    if (Array.isArray(reference) && names.has(reference[0])) reference[1]++;
  }
  return found;
};

/** Options of which null is a value. */
const MEANT = new Set(['merge_mode', 'mergeMode']);

/** Whose values are names of activations. */
const ACTIVATION = /^(recurrent_)?activation$/;

/**
 * Convert a topology of TensorFlow.js or of Keras 2. These leave out `reset_after`, which is false
 * there, write null for options that were not set, and have another slope of hard_sigmoid.
 * @param {any} json
 * @returns {any}
 */
export const toKeras = (json) => {
  if (Array.isArray(json)) return json.map(toKeras);
  if (!isRecord(json)) return json;
  /** @type {Record<string, any>} */
  const found = Object.fromEntries(
    Object.entries(json)
      .filter(([key, value]) => value !== null || MEANT.has(key))
      .map(([key, value]) => [
        key,
        ACTIVATION.test(key) && typeof value === 'string' && /^hard_?sigmoid$/i.test(value)
          ? 'legacy_hard_sigmoid'
          : toKeras(value),
      ]),
  );
  if (found.class_name === 'GRU' && isRecord(found.config)) {
    found.config = { reset_after: false, ...found.config };
  }
  return found;
};

/** Names of activations that are called otherwise there. @type {Record<string, string>} */
const RENAMED = { silu: 'swish', legacy_hard_sigmoid: 'hard_sigmoid' };

/** A node as Keras 2 wrote it. @param {any} node @param {string} name */
const toOldNode = ({ args, kwargs }, name) => {
  const [inputs, ...rest] = args;
  // The states that a recurrent layer begins with are further inputs there.
  const { initial_state: states = [], ...options } = kwargs;
  const tensors = [inputs, states ?? []].flat();
  const isTensor = (/** @type {any} */ value) => value?.class_name === '__keras_tensor__';
  const known = Object.entries(options).filter(([, value]) => value !== null);
  const areOptions = known.every(([, value]) => ![value].flat().some(isTensor));
  if (rest.length > 0 || !tensors.every(isTensor) || !areOptions) {
    throw new OptionError(
      `saveLayersModel: ${name} is applied in a way that TensorFlow.js does not support`,
    );
  }
  return tensors.map(({ config }) => [...config.keras_history, Object.fromEntries(known)]);
};

/** Bidirectional's one layer: TensorFlow.js makes the other, and both names. @param {any} config */
const toOldPair = (config) => {
  const { layer, backward_layer: back } = config;
  const same = {
    ...back?.config,
    name: layer.config.name,
    go_backwards: layer.config.go_backwards,
  };
  if (back && JSON.stringify(same) !== JSON.stringify(layer.config)) {
    throw new OptionError(
      `saveLayersModel: ${config.name} has its own backward layer, which TensorFlow.js does not support`,
    );
  }
  delete config.backward_layer;
  layer.config.name = layer.config.name.replace(/^forward_/, '');
};

/**
 * A topology as Keras 2 wrote it, and TensorFlow.js reads it.
 * @param {any} json
 * @param {ReadonlySet<string>} classes Layers of the caller's own that TensorFlow.js knows.
 * @returns {any}
 */
export const toKeras2 = (json, classes) => {
  if (Array.isArray(json)) return json.map((entry) => toKeras2(entry, classes));
  if (!isRecord(json)) return json;
  const { module, registered_name: _, build_config: __, ...given } = /** @type {any} */ (json);
  if (given.class_name === 'DTypePolicy') return 'float32';
  const isObject = typeof given.class_name === 'string' && isRecord(given.config);
  const form = isObject ? toTfjsForm({ ...given, module }, classes) : {};
  const { inbound_nodes: nodes, batch_shape: shape, ...rest } = { ...given, ...form };
  const found = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, toKeras2(value, classes)]),
  );
  if (shape) found.batch_input_shape = shape;
  if (nodes) {
    const all = nodes.map((/** @type {any} */ node) => toOldNode(node, found.name));
    found.inbound_nodes = all;
  }
  for (const key of ['input_layers', 'output_layers']) {
    if (typeof found[key]?.[0] === 'string') found[key] = [found[key]];
  }
  if (isModel(found)) countFrom1(found.config);
  if (found.class_name === 'Bidirectional') toOldPair(found.config);
  for (const [key, name] of Object.entries(found)) {
    if (!ACTIVATION.test(key)) continue;
    if (Object.hasOwn(RENAMED, name)) found[key] = RENAMED[name];
  }
  return found;
};
