// Keras's files: .keras and .weights.h5 of Keras 3, where weights are stored by class and order,
// and .h5 of Keras 2 and 3, where they have names.
// Source: keras/src/saving/saving_lib.py and keras/src/legacy/saving/legacy_h5_format.py of Keras
// 3.15.
import { describe } from '../base/check.js';
import { FormatError } from '../base/errors.js';
import { checkLevels } from '../layers/config/limits.js';
import { toSnake } from '../layers/config/names.js';
import { refuseArchive } from './foreign.js';
import { readHDF5 } from './hdf5.js';
import { matchNames, plain } from './names.js';
import { parseJSON } from './strict-json.js';
import { toKeras } from './topology.js';
import { weightsByName } from './weights.js';
import { readZip } from './zip.js';

/** @import { Budget } from './budget.js' */
/** @import { Layer } from '../layers/layer/layer.js' */
/** @import { Model as InnerModel } from '../layers/model/model.js' */
/** @import { Tree } from './hdf5.js' */
/** @import { Entry } from './weights.js' */
/**
 * @typedef {object} KerasFile
 * @property {any} topology Null in a file of weights.
 * @property {string[]} skipped Names of data other than weights.
 * @property {Entry[]} tensors All weights.
 * @property {(model: any) => Map<string, Entry>} match Finds the entries for a model.
 */

/** True for data other than weights: slots of optimizers, and states of generators. */
const isState = (/** @type {string} */ path) =>
  /^(optimizer|optimizer_weights)\//.test(path) || /(^|\/)seed_generator\//.test(path);

/** @param {Layer} layer */
const classOf = (layer) => String(/** @type {any} */ (layer.constructor).className);

/** Attributes under which Keras's classes store their parts. */
const PARTS = /** @type {Record<string, string[]>} */ ({
  Bidirectional: ['forward_layer', 'backward_layer'],
  TimeDistributed: ['layer'],
});

/**
 * Where Keras 3 puts the weights of a model.
 * @param {InnerModel} model
 * @returns {Map<unknown, string>} A path for each weight.
 */
const pathsOf = (model) => {
  /** @type {Map<unknown, string>} */
  const paths = new Map();
  /** @param {Layer} layer @param {string} prefix */
  const visit = (layer, prefix) => {
    const parts = PARTS[classOf(layer)];
    if (parts)
      parts.forEach(
        (part, i) => void visit(/** @type {Layer} */ (layer.sublayers[i]), `${prefix}${part}/`),
      );
    else if (Array.isArray(/** @type {any} */ (layer).layers)) {
      /** @type {Map<string, number>} */
      const counts = new Map();
      for (const inner of /** @type {InnerModel} */ (layer).layers) {
        const name = toSnake(classOf(inner).replace(/\W/g, ''));
        const count = counts.get(name) ?? 0;
        counts.set(name, count + 1);
        visit(inner, `${prefix}layers/${name}${count > 0 ? `_${count}` : ''}/`);
      }
    }
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const weight of layer.weights) {
      if (paths.has(weight)) continue;
      // Cells of recurrent layers, and query, key, value and attention_output of attention.
      const own = weight.name
        .slice(layer.path.length + 1)
        .split('/')
        .slice(0, -1);
      const part = own.map((name) =>
        /_cell$/.test(name) ? 'cell/' : `${name.replace(/^attention_output$/, 'output')}_dense/`,
      );
      const folder = `${prefix}${part.join('')}vars/`;
      const count = counts.get(folder) ?? 0;
      counts.set(folder, count + 1);
      paths.set(weight, `${folder}${count}`);
    }
  };
  visit(model, '');
  return paths;
};

/** @param {Tree} tree @param {InnerModel} model */
const matchPaths = ({ datasets }, model) => {
  const paths = pathsOf(model);
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  const left = new Map(datasets);
  for (const [name, weight] of weightsByName(model)) {
    const path = String(paths.get(weight));
    const entry = left.get(path);
    if (entry) entries.set(name, entry);
    left.delete(path);
  }
  return withRest(entries, left.values());
};

/** Adds entries of no weight. @param {Map<string, Entry>} entries @param {Iterable<Entry>} rest */
const withRest = (entries, rest) => {
  for (const entry of rest) entries.set(`${entry.name} `, entry);
  return entries;
};

/** Texts of one attribute or many. @param {Tree} tree @param {string} path @param {string} name */
const listOf = ({ attribute }, path, name) => {
  const whole = attribute(path, name);
  if (whole !== undefined) return toTexts(whole);
  /** @type {string[]} */
  const all = [];
  for (let i = 0; attribute(path, `${name}${i}`) !== undefined; i++) {
    all.push(...toTexts(attribute(path, `${name}${i}`)));
  }
  return all;
};

/** @param {unknown} value */
const toTexts = (value) =>
  (Array.isArray(value) ? value : typeof value === 'string' ? [value] : []).map(String);

/** @param {Tree} tree @param {InnerModel} model @param {string} root The weights' path. */
const matchGroups = (tree, model, root) => {
  const prefix = root ? `${root}/` : '';
  const left = new Map(tree.datasets);
  /** @type {Map<string, Entry>} */
  const entries = new Map();
  const names = new Map([...weightsByName(model)].map(([name, weight]) => [weight, name]));
  const groups = listOf(tree, root, 'layer_names')
    .map((name) => ({ name, weights: listOf(tree, `${prefix}${name}`, 'weight_names') }))
    .filter(({ weights }) => weights.length > 0);
  const layers = model.layers.filter(({ weights }) => weights.length > 0);
  const known = new Map(layers.map((layer) => [layer.name, layer]));
  // Equally many layers with other names are matched in order; otherwise names decide.
  const isByName = groups.length !== layers.length || groups.every(({ name }) => known.has(name));
  groups.forEach((group, i) => {
    const layer = isByName ? known.get(group.name) : layers[i];
    if (!layer) return;
    // Keras's order: weights that do not train come last, also those inside of models.
    const ours = [...layer.trainableWeights, ...layer.nonTrainableWeights];
    const tail = (/** @type {string} */ name) => plain(name).split('/').at(-1);
    const isInOrder =
      ours.length === group.weights.length &&
      ours.every((weight, k) => tail(weight.name) === tail(String(group.weights[k])));
    const paths = group.weights.map((name) => `${prefix}${group.name}/${name}`);
    /** @type {Map<string, string>} */
    const found = isInOrder
      ? new Map(ours.map((weight, k) => [weight.name, String(paths[k])]))
      : matchNames(
          ours.map(({ name }) => name),
          new Map(group.weights.map((name, k) => [name, String(paths[k])])),
        );
    for (const weight of ours) {
      const path = found.get(weight.name) ?? '';
      const entry = left.get(path);
      if (!entry) continue;
      entries.set(String(names.get(weight)), entry);
      left.delete(path);
    }
  });
  return withRest(entries, left.values());
};

/**
 * @param {Uint8Array} bytes
 * @param {unknown} hdf5
 * @param {Budget} budget
 * @returns {Promise<KerasFile>}
 */
export const readKerasHDF5 = async (bytes, hdf5, budget) => {
  const tree = await readHDF5(bytes, hdf5, (path) => !isState(path), budget);
  const config = tree.attribute('', 'model_config');
  const given = typeof config === 'string' ? parseJSON(config, 'HDF5: model_config') : null;
  const isKeras3 = /^3\./.test(String(tree.attribute('', 'keras_version')));
  if (given) checkLevels(given, 'HDF5: model_config');
  const topology = given && !isKeras3 ? toKeras(given) : given;
  const root = tree.attribute('model_weights', 'layer_names') || topology ? 'model_weights' : '';
  const isOld = listOf(tree, root, 'layer_names').length > 0;
  return {
    topology,
    skipped: tree.skipped,
    tensors: [...tree.datasets.values()],
    match: (model) => (isOld ? matchGroups(tree, model, root) : matchPaths(tree, model)),
  };
};

/**
 * @param {Uint8Array} bytes
 * @param {unknown} hdf5
 * @param {Budget} budget
 * @returns {Promise<KerasFile>}
 */
export const readKerasZip = async (bytes, hdf5, budget) => {
  const files = readZip(bytes, budget);
  const [config, weights] = ['config.json', 'model.weights.h5'].map((name) => files.get(name));
  if (!config || !weights) {
    refuseArchive(files.keys());
    const names = [...files.keys()].slice(0, 8).map(describe).join(', ');
    throw new FormatError(
      `a .keras file has config.json and model.weights.h5, this archive has ${names}`,
    );
  }
  const topology = parseJSON(await config(), 'config.json');
  return { ...(await readKerasHDF5(await weights(), hdf5, budget)), topology };
};
