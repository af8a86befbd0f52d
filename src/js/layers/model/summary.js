// Summarizes a model as a table: its layers, and how many of their elements are free.
import { drawTable, grouped } from '../config/drawing.js';
import { formatOpen } from '../config/open-shapes.js';
import { bytesPerRow, findPrefix, layersOf } from '../fit/frozen-prefix.js';
import { followNote } from '../fit/lock-audit.js';
import { FROZEN } from '../layer/weighted.js';

/** @import { Layer } from '../layer/layer.js' */
/** @import { Model } from './model.js' */
/** @import { Variable } from '../../locks/variable.js' */
/**
 * @typedef {object} WeightRow
 * @property {string} name
 * @property {readonly number[]} shape
 * @property {number} params
 * @property {number} locked The number of locked elements.
 * @property {boolean} trainable
 */
/**
 * @typedef {object} LayerRow
 * @property {string} name
 * @property {string} className
 * @property {(readonly (number | null)[])[]} outputShapes
 * @property {number} params
 * @property {number} free The number of elements that training may change.
 * @property {number} locked The number of elements that training would change without locks.
 * @property {boolean} frozen
 * @property {string[]} inputs The names of the layers before it.
 * @property {WeightRow[]} weights
 */
/**
 * @typedef {object} Summary
 * @property {string} name
 * @property {LayerRow[]} layers
 * @property {{ params: number, free: number, locked: number, statistics: number }} total The sums
 *   over all layers. Statistics are values that follow the data, such as moving means.
 * @property {{ layers: string[], bytesPerRow: number, reason: string }} cached The layers that
 *   `fit` computes only once for each row, since they are fully locked and nearest to the inputs.
 *   `reason` says why no more are cached. The bytes are NaN if a size depends on the data.
 * @property {string} text The table.
 */

/** @param {Variable} weight @returns {WeightRow} */
const describeWeight = (weight) => ({
  name: weight.name,
  shape: weight.shape,
  params: weight.size,
  locked: weight.locks.count,
  trainable: weight.trainable,
});

/** @param {readonly Variable[]} weights */
const countUp = (weights) => {
  const total = { params: 0, free: 0, locked: 0, statistics: 0 };
  for (const { size, trainable, locks } of weights) {
    total.params += size;
    if (!trainable) total.statistics += size;
    else total.locked += locks.count;
  }
  total.free = total.params - total.statistics - total.locked;
  return total;
};

/** @param {Model} model @param {Layer} layer @returns {LayerRow} */
const describeLayer = (model, layer) => {
  const nodes = model.order.filter((node) => node.layer === layer);
  const { params, free, locked } = countUp(layer.weights);
  return {
    name: layer.name,
    className: /** @type {typeof import('../layer/layer.js').Layer} */ (layer.constructor)
      .className,
    outputShapes: nodes.flatMap(({ outputs }) => outputs.map(({ shape }) => shape)),
    params,
    free,
    locked,
    frozen: layer.frozen,
    inputs: nodes.flatMap(({ inputs }) => inputs.map(({ node }) => node.layer.name)),
    weights: layer.weights.map(describeWeight),
  };
};

/** @param {Model} model @returns {Summary} */
export const summarize = (model) => {
  const layers = model.layers.map((layer) => describeLayer(model, layer));
  const total = countUp(model.weights);
  const isChain = layers.every(({ inputs }) => inputs.length < 2);
  const titles = [
    'Layer (type)',
    'Output shape',
    ...(isChain ? [] : ['Connected to']),
    'Params',
    'Free',
    'Locked',
  ];
  const rows = layers.map(
    ({ name, className, outputShapes, inputs, params, free, locked, frozen }) => [
      `${name} (${className})${frozen && params > 0 ? ` ${FROZEN}` : ''}`,
      outputShapes.length > 0 ? outputShapes.map(formatOpen).join(', ') : '?',
      ...(isChain ? [] : [inputs.join(', ')]),
      grouped(params),
      grouped(free),
      grouped(locked),
    ],
  );
  const isNumber = titles.map((_, i) => i >= titles.length - 3);
  const table = drawTable([titles, ...rows], isNumber);
  const megabytes = ((total.params * model.nn.Reals.BYTES_PER_ELEMENT) / 2 ** 20).toFixed(2);
  const kinds = /** @type {const} */ (['free', 'locked', 'statistics']);
  const words = kinds.map((kind) => `${grouped(total[kind])} ${kind}`);
  if (total.statistics === 0) words.pop();
  words.unshift(`${grouped(total.params)} parameters (${megabytes} MB)`);
  const prefix = findPrefix(model, true);
  const { reason } = prefix;
  const isCached = prefix.weights.length > 0;
  const cached = {
    layers: isCached ? layersOf(prefix) : [],
    bytesPerRow: isCached ? bytesPerRow(model, prefix) : 0,
    reason,
  };
  const lines = [model.label, table, words.join(', ')];
  if (isCached) {
    const kilobytes = (cached.bytesPerRow / 1024).toFixed(1);
    const room = Number.isNaN(cached.bytesPerRow) ? '' : ` (${kilobytes} kB each)`;
    lines.push(`computed once for each row in fit${room}: ${cached.layers.join(', ')}`);
  }
  if (total.locked > 0 && reason)
    lines.push(`all later layers are computed for each batch: ${reason}`);
  const note = followNote(model);
  if (note) lines.push(note);
  return { name: model.name, layers, total, cached, text: lines.join('\n') };
};
