// Weights grouped by layers and filters, and sums of their squares: the part of a pressure
// measurement that needs no second derivatives.
/** @import { Layer } from '../layer/layer.js' */
/** @import { Model } from '../model/model.js' */
/** @import { Variable } from '../../locks/variable.js' */
/**
 * @typedef {object} PressureRow The elements of a layer, a weight or a filter that are all locked,
 *   or all free. g is their gradient, w are their values, H is the Hessian by these elements alone.
 * @property {string} name
 * @property {string} layer
 * @property {string | null} weight The weight's name; null for a whole layer.
 * @property {number | null} filter The filter's number; null for a whole weight.
 * @property {boolean} locked
 * @property {number} elements
 * @property {number} gradientNorm ‖g‖
 * @property {number} weightNorm ‖w‖
 * @property {number} relativeNorm ‖g‖ / ‖w‖
 * @property {number} firstOrder rate · ‖g‖²
 * @property {number | null} curvature gᵀHg / ‖g‖²; null, like the next two, if not requested.
 * @property {number | null} secondOrder rate · ‖g‖² − rate² / 2 · gᵀHg
 * @property {number | null} optimal ‖g‖⁴ / (2 gᵀHg), the gain of the best step against the
 *   gradient; Infinity if the curvature is not positive.
 */
/**
 * @typedef {object} Part A weight and its measurements.
 * @property {Layer} layer
 * @property {Variable} weight
 * @property {number} stride The filters' stride: element i is in filter ⌊i / stride⌋ mod count.
 * @property {number} count
 * @property {Uint8Array} mask 1 for locked elements.
 * @property {Float64Array} gradient
 */

/** A weight's filters: one for each output or row. @param {Layer} layer @param {Variable} weight */
const filtersOf = (layer, weight) => {
  const [last = 1, before = 1] = [...weight.shape].reverse();
  const { className } = /** @type {typeof import('../layer/layer.js').Layer} */ (layer.constructor);
  const { kernel, embeddings } = /** @type {any} */ (layer);
  if (weight === embeddings || (weight === kernel && className === 'Conv2DTranspose'))
    return { stride: last, count: before };
  const isDepthwise = weight === kernel && /^(Depthwise|Separable)Conv/.test(className);
  return { stride: 1, count: isDepthwise ? last * before : last };
};

/** The trainable weights by layers, each only once. @param {Model} model @returns {Part[][]} */
export const partsOf = (model) => {
  const layers = model.allLayers.map((layer) => {
    const inner = new Set(layer.sublayers.flatMap((one) => one.weights));
    const own = layer.weights.filter((weight) => weight.trainable && !inner.has(weight));
    return own.map((weight) => ({
      layer,
      weight,
      ...filtersOf(layer, weight),
      mask: weight.locks.toMask(),
      gradient: new Float64Array(weight.size),
    }));
  });
  return layers.filter((parts) => parts.length > 0);
};

/** True if the row has element i. @param {PressureRow} row @param {Part} part @param {number} i */
export const isOf = ({ locked, filter }, part, i) =>
  locked === (part.mask[i] === 1) &&
  (filter === null || filter === Math.floor(i / part.stride) % part.count);

/** Sums elements, g² and w² of each filter: those free, and those locked. @param {Part} part */
const addUp = ({ weight, gradient, stride, count, mask }) => {
  const sums = Array.from({ length: 2 * count }, () => [0, 0, 0]);
  weight.data().forEach((value, i) => {
    const own = sums[2 * (Math.floor(i / stride) % count) + Number(mask[i])];
    const slope = Number(gradient[i]);
    own[0]++;
    own[1] += slope * slope;
    own[2] += value * value;
  });
  return sums;
};

/** @param {readonly number[][]} list */
const total = (list) => list.reduce((sum, own) => sum.map((n, i) => n + Number(own[i])), [0, 0, 0]);

/** Adds the curvature. @param {PressureRow} row @param {number} curvature @param {number} rate */
export const addCurvature = (row, curvature, rate) => {
  const square = row.gradientNorm ** 2;
  row.curvature = curvature;
  row.secondOrder = row.firstOrder - (rate ** 2 / 2) * curvature * square;
  row.optimal = square === 0 ? 0 : curvature <= 0 ? Infinity : square / (2 * curvature);
};

/** Makes rows to first order, and owners. @param {readonly Part[][]} layers @param {number} rate */
export const makeRows = (layers, rate) => {
  /** @type {Map<PressureRow, readonly Part[]>} */
  const owners = new Map();
  /**
   * @param {string} name
   * @param {readonly Part[]} parts
   * @param {readonly number[][]} sums The sums, alternating between free and locked elements.
   * @param {string | null} weight
   * @param {number | null} filter
   */
  const rowsOf = (name, parts, sums, weight = null, filter = null) =>
    [1, 0].flatMap((state) => {
      const [elements, gg, ww] = total(sums.filter((_, i) => i % 2 === state));
      if (elements === 0) return [];
      /** @type {PressureRow} */
      const row = {
        name,
        layer: parts[0].layer.name,
        weight,
        filter,
        locked: state === 1,
        elements,
        gradientNorm: Math.sqrt(gg),
        weightNorm: Math.sqrt(ww),
        relativeNorm: gg === 0 ? 0 : Math.sqrt(gg / ww),
        firstOrder: rate * gg,
        curvature: null,
        secondOrder: null,
        optimal: null,
      };
      owners.set(row, parts);
      return [row];
    });
  /** @type {Record<'layer' | 'weight' | 'filter', PressureRow[]>} */
  const tables = { layer: [], weight: [], filter: [] };
  for (const parts of layers) {
    const all = parts.map((part) => {
      const { weight, count } = part;
      const sums = addUp(part);
      for (let k = 0; k < count; k++) {
        const own = sums.slice(2 * k, 2 * k + 2);
        tables.filter.push(...rowsOf(`${weight.name}[${k}]`, [part], own, weight.name, k));
      }
      tables.weight.push(...rowsOf(weight.name, [part], sums, weight.name));
      return sums;
    });
    tables.layer.push(...rowsOf(parts[0].layer.name, parts, all.flat()));
  }
  return { tables, owners };
};
