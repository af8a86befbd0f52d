// Reads models from the JSON of Keras 3, Keras 2 and TensorFlow.js.
import { readFlag, readOptions } from '../../base/check.js';
import { FormatError, OptionError } from '../../base/errors.js';
import { readArray, readGraph, readRecord, refuse } from './graph-json.js';
import { checkLevels, MOST_LAYERS, MOST_WEIGHT_BYTES, readLimit } from '../config/limits.js';
import { Model } from './model.js';
import { Sequential } from './sequential.js';

/** @import { Layer } from '../layer/layer.js' */
/** @import { Toolkit } from '../layer/toolkit.js' */

/** @param {Toolkit} nn @param {unknown} json @param {string} [what] In errors. @returns {Layer} */
export const readLayer = (nn, json, what = 'model JSON') => {
  const { class_name: className, className: camel, config } = readRecord(json, 'a layer');
  const name = className ?? camel;
  if (typeof name !== 'string') return refuse('a layer has no class_name');
  if (name === 'Sequential') return readSequential(nn, config);
  if (name === 'Functional' || name === 'Model')
    return readGraph(nn, config, (entry) => readLayer(nn, entry));
  const Class = nn.classes.get(name);
  if (!Class) {
    throw new OptionError(
      `${what}: unknown layer class '${name}': register it with nn.registerClass`,
    );
  }
  return /** @type {any} */ (Class).fromConfig(nn, readRecord(config, `the config of ${name}`));
};

/** @param {Toolkit} nn @param {unknown} config */
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

/** The options whose values are layers. */
const INNER = ['layer', 'forward_layer', 'backward_layer'];

/**
 * Returns how many layers a model in JSON would run, each counted as often as it is applied. A
 * model may apply a second one twice, which applies a third one twice, and so on.
 * @param {unknown} json
 * @param {Map<unknown, number>} [known]
 * @returns {number}
 */
const countLayers = (json, known = new Map()) => {
  if (typeof json !== 'object' || json === null) return 0;
  const found = known.get(json);
  if (found !== undefined) return found;
  /** @param {any} layer */
  const countOne = (layer) => {
    const nodes = layer?.inbound_nodes;
    return (1 + countLayers(layer, known)) * (Array.isArray(nodes) ? Math.max(1, nodes.length) : 1);
  };
  let count = 0;
  for (const [key, value] of Object.entries(json)) {
    if (key === 'layers' && Array.isArray(value))
      for (const layer of value) count += countOne(layer);
    else count += countLayers(value, known) + Number(INNER.includes(key));
  }
  known.set(json, count);
  return count;
};

/**
 * Makes a model from JSON of Keras's or TensorFlow.js's. Initializers set its weights.
 * @param {Toolkit} nn
 * @param {unknown} json The JSON as a string, or its parsed object.
 * @param {object} [options]
 * @returns {Model}
 */
export const modelFromJSON = (nn, json, options = {}) => {
  const known = ['initialize', 'maxBytes', 'maxLayers'];
  const { initialize = true, ...limits } = readOptions(options, known, 'modelFromJSON options');
  const initializes = readFlag(initialize, 'initialize');
  const maxBytes = readLimit(limits.maxBytes, 'maxBytes', MOST_WEIGHT_BYTES);
  const maxLayers = readLimit(limits.maxLayers, 'maxLayers', MOST_LAYERS);
  let given = json;
  if (typeof json === 'string') {
    try {
      given = JSON.parse(json);
    } catch (error) {
      throw new FormatError('model JSON: the text is not JSON', undefined, { cause: error });
    }
  }
  let record = readRecord(given, 'the model');
  if (record.format === 'graph-model') {
    throw new FormatError(
      'model JSON: this is a graph model, which has no layers; only layers models can be trained',
    );
  }
  if (record.modelTopology) record = readRecord(record.modelTopology, 'modelTopology');
  if (record.model_config) record = readRecord(record.model_config, 'model_config');
  checkLevels(record, 'model JSON');
  const count = countLayers(record);
  if (count > maxLayers) {
    refuse(
      `the model runs ${count} layers, at most ${maxLayers} are read; if you trust it, give a larger { maxLayers }`,
    );
  }
  return nn.attempt(() =>
    nn.makeWeights({ initializes, maxBytes }, () => {
      const layer = readLayer(nn, record);
      return layer instanceof Model
        ? layer.close()
        : refuse(`this is the layer ${layer.label}, not a model`);
    }),
  );
};
