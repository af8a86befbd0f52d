// Mappings: which entry of a file belongs to which weight of a model, if names or layouts differ. A
// mapping is a table by names, or a function. `pytorchMapping` makes tables for PyTorch modules.
// Source of PyTorch's layouts: torch.nn.Linear, Conv2d, LSTM, GRU, BatchNorm2d, of PyTorch 2.
import { refuseRest } from '../base/arity.js';
import { describe, describeList, isRecord, ownProperties, readOptions } from '../base/check.js';
import { OptionError, ShapeError } from '../base/errors.js';
import { readModel } from './weights.js';

/** @import { AnyModel } from '../either.js' */
/** @import { Entry } from './weights.js' */
/** @import { Reals } from './dtypes.js' */
/**
 * @typedef {object} Rule What becomes of a tensor, in this order.
 * @property {string} to The weight.
 * @property {readonly number[]} [blocks] Cut the first axis into this number of blocks, and take
 *   them in this order: gates of recurrent layers.
 * @property {readonly number[]} [reshape]
 * @property {readonly number[]} [transpose] The order of the axes, as in `g.transpose`.
 * @property {boolean} [add] True: all tensors for this weight are added up.
 * @property {number} [part] The row of the weight that this is: tensors with `part` are stacked.
 */
/**
 * @typedef {Record<string, Rule | string | null> | Map<string, Rule | string | null> |
 *   ((name: string, entry: { shape: readonly number[], dtype: string }) => Rule | string | null |
 *   undefined)} Mapping By the file's names: the weight's name, a rule, or null to leave it out.
 *   What is not mentioned keeps its name.
 */

const RULE = ['to', 'blocks', 'reshape', 'transpose', 'add', 'part'];

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((product, dim) => product * dim, 1);

/** True if a list has each number below count once. @param {unknown} list @param {number} count */
const isOrder = (list, count) =>
  Array.isArray(list) &&
  list.length === count &&
  Array.from({ length: count }, (_, i) => i).every((i) => list.includes(i));

/** @param {Reals} values @param {readonly number[]} shape @param {readonly number[]} order */
const transpose = (values, shape, order) => {
  const strides = shape.map((_, axis) => sizeOf(shape.slice(axis + 1)));
  const dims = order.map((axis) => Number(shape[axis]));
  const steps = order.map((axis) => Number(strides[axis]));
  const result = values.slice();
  const index = new Array(dims.length).fill(0);
  let from = 0;
  for (let to = 0; to < result.length; to++) {
    result[to] = Number(values[from]);
    for (let axis = dims.length - 1; axis >= 0; axis--) {
      from += Number(steps[axis]);
      if (++index[axis] < Number(dims[axis])) break;
      from -= Number(steps[axis]) * Number(dims[axis]);
      index[axis] = 0;
    }
  }
  return result;
};

/** @param {Entry} entry @param {Rule} rule @returns {Entry} */
const apply = (entry, { blocks, reshape, transpose: order }) => {
  const what = `mapping of ${describe(entry.name)} [${entry.shape.join(', ')}]`;
  const { shape: given } = entry;
  if (blocks && (!isOrder(blocks, blocks.length) || Number(given[0]) % blocks.length !== 0)) {
    throw new ShapeError(
      `${what}: its first axis cannot be reordered by blocks ${describe(blocks)}`,
    );
  }
  const shape = reshape ?? given;
  if (
    !Array.isArray(shape) ||
    !Array.from(shape).every(Number.isSafeInteger) ||
    sizeOf(shape) !== sizeOf(given)
  ) {
    throw new ShapeError(`${what}: it cannot be reshaped to ${describeList(shape)}`);
  }
  if (order && !isOrder(order, shape.length)) {
    throw new ShapeError(`${what}: its axes cannot be transposed to ${describeList(order)}`);
  }
  return {
    ...entry,
    shape: order ? order.map((axis) => Number(shape[axis])) : shape,
    convert: (Type) => {
      const { values: stored, rounded } = entry.convert(Type);
      let values = stored;
      if (blocks) {
        const size = values.length / blocks.length;
        const moved = values.slice();
        for (const [to, from] of blocks.entries()) {
          moved.set(values.subarray(from * size, (from + 1) * size), to * size);
        }
        values = moved;
      }
      return { values: order ? transpose(values, shape, order) : values, rounded };
    },
  };
};

/** @param {string} to @param {{ entry: Entry, rule: Rule }[]} parts @returns {Entry} */
const combine = (to, parts) => {
  const [first] = parts;
  if (!first) throw new OptionError(`mapping: no tensor is mapped to ${to}`);
  const rows = parts.map(({ rule }) => rule.part);
  const isStack = rows.some((row) => row !== undefined);
  const names = parts.map(({ entry }) => entry.name).join(', ');
  if (parts.length === 1 && !isStack) return first.entry;
  if (isStack ? !isOrder(rows, parts.length) : !parts.every(({ rule }) => rule.add === true)) {
    throw new OptionError(`mapping: ${names} are all mapped to ${to}: say how with part or add`);
  }
  const { shape } = first.entry;
  if (!parts.every(({ entry }) => `${entry.shape}` === `${shape}`)) {
    throw new ShapeError(`mapping: ${names}, which are all mapped to ${to}, have different shapes`);
  }
  const size = sizeOf(shape);
  return {
    name: names,
    dtype: first.entry.dtype,
    shape: isStack ? [parts.length, ...shape] : shape,
    convert: (Type) => {
      const values = new Type(isStack ? size * parts.length : size);
      let rounded = 0;
      for (const { entry, rule } of parts) {
        const found = entry.convert(Type);
        rounded += found.rounded;
        if (isStack) values.set(found.values, Number(rule.part) * size);
        else for (let i = 0; i < size; i++) values[i] = Number(values[i]) + Number(found.values[i]);
      }
      return { values, rounded };
    },
  };
};

/**
 * @param {Map<string, Entry>} entries
 * @param {Mapping | undefined} mapping
 * @returns {{ entries: Map<string, Entry>, skipped: string[] }}
 */
export const mapEntries = (entries, mapping) => {
  if (mapping === undefined) return { entries, skipped: [] };
  /** @type {any} */
  const given = mapping;
  const isTable = given instanceof Map || isRecord(given);
  if (typeof given !== 'function' && !isTable) {
    throw new TypeError(`mapping must be an object, a Map or a function, got ${describe(given)}`);
  }
  const table = given instanceof Map ? given : new Map(isTable ? Object.entries(given) : []);
  /** @type {Map<string, { entry: Entry, rule: Rule }[]>} */
  const targets = new Map();
  /** @type {string[]} */
  const skipped = [];
  for (const [key, entry] of entries) {
    // An entry that matches no weight has a key that no weight has; its name is the file's.
    const { name } = entry;
    const found =
      typeof given === 'function' ? given(name, entry) : table.get(table.has(name) ? name : key);
    if (found === null) {
      skipped.push(name);
      continue;
    }
    const rule = /** @type {any} */ (
      typeof found === 'object'
        ? readOptions(found, RULE, `mapping of ${name}`)
        : { to: found ?? key }
    );
    if (typeof rule.to !== 'string') {
      throw new TypeError(
        `mapping of ${describe(name)}: to must be a weight's name, got ${describe(rule.to)}`,
      );
    }
    const parts = targets.get(rule.to) ?? [];
    parts.push({ entry: apply(entry, rule), rule });
    targets.set(rule.to, parts);
  }
  const mapped = [...targets].map(
    ([to, parts]) => /** @type {[string, Entry]} */ ([to, combine(to, parts)]),
  );
  return { entries: new Map(mapped), skipped };
};

/** PyTorch has gates r, z, n in this order, and Keras z, r, h. */
const GRU_GATES = [1, 0, 2];

/**
 * Rules of a recurrent layer; with a suffix for the other direction.
 * @param {(key: string) => string} weight
 * @param {boolean} isGRU
 * @param {string} suffix
 */
const recurrentRules = (weight, isGRU, suffix) => {
  const gates = isGRU ? { blocks: GRU_GATES } : {};
  const bias = (/** @type {number} */ part) => (isGRU ? { part } : { add: true });
  return {
    [`weight_ih_l0${suffix}`]: { to: weight('kernel'), transpose: [1, 0], ...gates },
    [`weight_hh_l0${suffix}`]: { to: weight('recurrentKernel'), transpose: [1, 0], ...gates },
    [`bias_ih_l0${suffix}`]: { to: weight('bias'), ...gates, ...bias(0) },
    [`bias_hh_l0${suffix}`]: { to: weight('bias'), ...gates, ...bias(1) },
  };
};

/** Rules by a module's own names. @param {any} layer @returns {Record<string, Rule | null>} */
const rulesOf = (layer) => {
  const kind = String(layer.constructor.className);
  /** @param {any} from @returns {(key: string) => string} */
  const nameOf = (from) => (key) => String(from[key]?.name);
  const name = nameOf(layer);
  /** @param {string} key @param {Partial<Rule>} rule */
  const kernel = (key, rule) => ({
    weight: { to: name(key), ...rule },
    ...(layer.bias ? { bias: { to: name('bias') } } : {}),
  });
  switch (kind) {
    case 'Dense':
      return kernel('kernel', { transpose: [1, 0] });
    case 'Conv1D':
    case 'Conv2D':
    case 'Conv3D':
    case 'Conv1DTranspose':
    case 'Conv2DTranspose':
    case 'Conv3DTranspose': {
      const axes = layer.config.kernelSize.map(
        (/** @type {unknown} */ _, /** @type {number} */ i) => i + 2,
      );
      return kernel('kernel', { transpose: [...axes, 1, 0] });
    }
    case 'DepthwiseConv2D': {
      const [h, w, inputs, multiplier] = layer.kernel?.shape ?? [];
      return kernel('kernel', { reshape: [inputs, multiplier, h, w], transpose: [2, 3, 0, 1] });
    }
    case 'Embedding':
      return { weight: { to: name('embeddings') } };
    case 'RMSNormalization':
      return { weight: { to: name('scale') } };
    case 'LayerNormalization':
    case 'GroupNormalization':
    case 'BatchNormalization': {
      const affine = { weight: { to: name('gamma') }, bias: { to: name('beta') } };
      if (kind !== 'BatchNormalization') return affine;
      return {
        ...affine,
        running_mean: { to: name('movingMean') },
        running_var: { to: name('movingVariance') },
        num_batches_tracked: null,
      };
    }
    case 'LSTM':
    case 'GRU':
      return recurrentRules(name, kind === 'GRU', '');
    case 'Bidirectional':
      return Object.assign(
        {},
        ...[layer.forwardLayer, layer.backwardLayer].map((one, i) =>
          recurrentRules(
            nameOf(one),
            one.constructor.className === 'GRU',
            i === 0 ? '' : '_reverse',
          ),
        ),
      );
    default:
      throw new OptionError(`pytorchMapping has no rules for ${layer.label}`);
  }
};

/**
 * A mapping for weights of PyTorch: which module is which layer. Matrices are transposed, kernels
 * become [h, w, in, out], gates are put in order, and both biases of an LSTM are added up. Conv,
 * Linear, Embedding, LayerNorm, BatchNorm, GroupNorm, RMSNorm, one layer of LSTM and GRU, of one or
 * both directions.
 * PyTorch's momentum of 0.1 is 0.9 here, its epsilon 1e-5 (1e-3 here); its flattening is of [c, h,
 * w].
 * @param {AnyModel} model
 * @param {Record<string, string>} modules Names of layers by those of modules.
 * @param {[]} more
 * @returns {Map<string, Rule | string | null>} For `loadWeights`; you may add rules.
 * @example
 * const mapping = pytorchMapping(net, { 'encoder.conv1': 'conv', fc: 'head' });
 * await loadWeights(net, bytes, { mapping });
 */
export const pytorchMapping = (model, modules, ...more) => {
  refuseRest('pytorchMapping', 2, more);
  const net = readModel(model, 'pytorchMapping');
  if (!isRecord(modules)) {
    throw new TypeError(`pytorchMapping: modules must be an object, got ${describe(modules)}`);
  }
  /** @type {Map<string, Rule | string | null>} */
  const mapping = new Map();
  for (const [module, name] of Object.entries(ownProperties(modules))) {
    const layer = net.allLayers.find((one) => one.name === name);
    if (!layer) throw new OptionError(`pytorchMapping: ${net.name} has no layer ${describe(name)}`);
    for (const [key, rule] of Object.entries(rulesOf(layer))) {
      mapping.set(module === '' ? key : `${module}.${key}`, rule);
    }
  }
  return mapping;
};
