// The frozen prefix (docs/laws.md, law 24): fully locked, deterministic layers nearest the inputs.
// Their results for a row stay the same while other layers train, so they are computed once.
import { endsWithLogits } from '../config/logits.js';

/** @import { Layer } from '../layer/layer.js' */
/** @import { Model } from '../model/model.js' */
/** @import { Node, SymbolicTensor } from '../layer/symbolic.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/**
 * @typedef {object} Prefix
 * @property {Set<Node>} nodes The applications of layers whose results do not change.
 * @property {SymbolicTensor[]} cut The results that other layers or the outputs need.
 * @property {Variable[]} weights The weights of these layers.
 * @property {string} reason The reason why the prefix ends there, or why there is none.
 */
/**
 * The prefix of a forward pass.
 * @typedef {object} PrefixRun
 * @property {Prefix} prefix
 * @property {Map<SymbolicTensor, Tensor>} values The cut's known values, with `fills` the computed.
 * @property {boolean} fills True if only the prefix is computed.
 */

/** True if training cannot change a weight. Other holders may unlock. @param {Variable} weight */
const isHeld = ({ locks, size }) =>
  locks.count === size && locks.holders.every((name) => name === 'frozen');

/**
 * True if only the first axis is the batch's. The last axis of a list of numbers is the batch, too.
 * @param {Node} node
 */
export const keepsRowsApart = ({ inputs, outputs }) =>
  [...inputs, ...outputs].every(({ shape }) => shape.length > 1);

/** Counts layers' uses, also inside. @param {Model} model @param {Map<Layer, number>} counts */
const countUses = (model, counts) => {
  for (const { layer, inputs } of model.order) {
    if (inputs.length === 0) continue;
    counts.set(layer, (counts.get(layer) ?? 0) + 1);
    if ('order' in layer) countUses(/** @type {Model} */ (layer), counts);
  }
  return counts;
};

/** @param {Model} model @param {boolean} training @returns {Prefix} */
export const findPrefix = (model, training) => {
  const uses = countUses(model, new Map());
  /** @type {Set<Node>} */
  const nodes = new Set();
  /** The origins of the values that do not change. @type {Map<SymbolicTensor, SymbolicTensor>} */
  const sources = new Map(model.inputs.map((symbol) => [symbol, symbol]));
  /** @type {Set<SymbolicTensor>} */
  const needed = new Set();
  let reason = '';
  /** @param {readonly SymbolicTensor[]} symbols */
  const need = (symbols) => {
    for (const symbol of symbols) {
      const source = sources.get(symbol);
      if (source) needed.add(source);
    }
  };
  /** @param {readonly SymbolicTensor[]} to @param {readonly SymbolicTensor[]} from */
  const pass = (to, from) => {
    to.forEach((symbol, i) => {
      const source = sources.get(/** @type {SymbolicTensor} */ (from[i]));
      if (source) sources.set(symbol, source);
    });
  };
  const ends = endsWithLogits(model);
  /** @param {Model} graph */
  const walk = (graph) => {
    for (const node of graph.order) {
      const { layer, inputs, outputs, options } = node;
      if (inputs.length === 0) continue;
      const isPure =
        Object.keys(options).length === 0 && keepsRowsApart(node) && layer.isPure(training);
      const isLocked = layer.weights.every(isHeld);
      const isEnd = ends.has(node);
      if (isPure && isLocked && !isEnd && inputs.every((symbol) => sources.has(symbol))) {
        nodes.add(node);
        for (const symbol of outputs) sources.set(symbol, symbol);
      } else if ('order' in layer && uses.get(layer) === 1) {
        const inner = /** @type {Model} */ (layer);
        pass(inner.inputs, inputs);
        walk(inner);
        pass(outputs, inner.outputs);
      } else {
        reason ||= `${layer.name} ${isEnd ? 'makes the output that the loss uses' : isLocked ? 'is random or mixes the rows of a batch' : 'is not fully locked'}`;
        need(inputs);
      }
    }
  };
  walk(model);
  need(model.outputs);
  const weights = [...new Set([...nodes].flatMap(({ layer }) => layer.weights))];
  const cut = [...needed].filter((symbol) => nodes.has(symbol.node));
  return { nodes, cut, weights, reason };
};

/** A node's cached results; null if it must run. @param {PrefixRun} run @param {Node} node */
export const recall = ({ prefix, values, fills }, node) => {
  const isOutside = !prefix.nodes.has(node);
  // An inner model may be partly in the prefix, so its layers are checked one by one.
  if (isOutside ? !fills || 'order' in node.layer : fills) return null;
  return node.outputs.map((symbol) => values.get(symbol));
};

/**
 * Returns the pass for a node. Everything inside a node of the prefix belongs to the prefix.
 * @param {import('../layer/layer.js').Run} run
 * @param {Node} node
 * @returns {import('../layer/layer.js').Run}
 */
export const runOf = (run, node) =>
  run.prefix?.prefix.nodes.has(node) ? { ...run, prefix: undefined } : run;

/** Record results. @param {PrefixRun} run @param {Node} node @param {readonly any[]} found */
export const keep = ({ prefix, values }, node, found) => {
  if (!prefix.nodes.has(node)) return;
  node.outputs.forEach((symbol, i) => void values.set(symbol, found[i]));
};

/**
 * @typedef {object} Cache The results of a prefix for all rows.
 * @property {Prefix} prefix
 * @property {Map<SymbolicTensor, Variable>} results The results, each [rows, …].
 * @property {number} bytes
 * @property {number} stamp The version of the weights, and of data that may be written.
 * @property {number} rows The number of rows filled in this pass.
 * @property {boolean} isFull
 */

/**
 * @typedef {object} Cached
 * @property {string[]} layers The names of the layers whose results are cached.
 * @property {number} bytes
 * @property {string} reason The reason why no more is cached; empty if everything is.
 */

/** @param {Prefix} prefix */
export const layersOf = ({ nodes }) => [...new Set([...nodes].map(({ layer }) => layer.name))];

/** Bytes cached for each row; NaN if unknown. @param {Model} model @param {Prefix} prefix */
export const bytesPerRow = ({ nn }, { cut }) =>
  cut.reduce(
    (sum, { shape }) =>
      sum +
      shape
        .slice(1)
        .reduce((/** @type {number} */ n, size) => n * (size ?? NaN), nn.Reals.BYTES_PER_ELEMENT),
    0,
  );

/** The limit in bytes for `cache: 'auto'`. */
export const MOST_BYTES = 2 ** 28;

/**
 * Manages the cache of a prefix over a number of rows, one cache at a time.
 * @param {Model} model
 * @param {readonly Tensor[]} xs
 * @param {number} size The number of rows.
 * @param {boolean} training
 * @param {{ left: number }} budget The bytes left, which other caches may share.
 */
export const openCache = (model, xs, size, training, budget) => {
  const { g, nn } = model;
  const data = /** @type {Variable[]} */ (xs.filter((x) => x instanceof nn.Variable));
  /** @type {Cache | null} */
  let cache = null;
  let reason = '';

  /** Returns a number that grows with every write and change of locks. @param {Prefix} prefix */
  const stampOf = ({ weights }) => {
    let stamp = 0;
    for (const { version, locks } of weights) stamp += version + locks.version;
    for (const { version } of data) stamp += version;
    return stamp;
  };

  const drop = () => {
    if (!cache) return;
    for (const result of cache.results.values()) result.dispose();
    budget.left += cache.bytes;
    cache = null;
  };

  /** True if there is memory left. @param {number} bytes The bytes needed; NaN if unknown. */
  const affords = (bytes) => {
    if (!(bytes > budget.left)) return true;
    reason = `the cache would need ${bytes} bytes, but has only ${budget.left}`;
    return false;
  };

  /** @param {Prefix} prefix */
  const open = (prefix) => {
    reason = prefix.reason;
    if (prefix.weights.length === 0 || !affords(size * bytesPerRow(model, prefix))) return;
    const stamp = stampOf(prefix);
    cache = { prefix, results: new Map(), bytes: 0, stamp, rows: 0, isFull: false };
  };

  /** Allocate memory for all rows. @param {readonly Tensor[]} results The results of some rows. */
  const allocate = (results) => {
    const found = /** @type {Cache} */ (cache);
    const perRow = results.reduce((sum, t) => sum + t.size / Number(t.shape[0]), 0);
    const bytes = nn.Reals.BYTES_PER_ELEMENT * size * perRow;
    if (!affords(bytes)) return false;
    try {
      found.prefix.cut.forEach((symbol, i) => {
        const shape = [size, .../** @type {Tensor} */ (results[i]).shape.slice(1)];
        const zeros = g.broadcastTo(0, shape);
        found.results.set(symbol, g.variable(zeros, { name: 'prefix', trainable: false }));
        zeros.dispose();
      });
    } catch (error) {
      reason = String(/** @type {any} */ (error).message);
      return false;
    }
    found.bytes = bytes;
    budget.left -= bytes;
    return true;
  };

  return {
    /** @returns {Cached} */
    describe() {
      return { layers: cache ? layersOf(cache.prefix) : [], bytes: cache?.bytes ?? 0, reason };
    },

    /** Prepare a pass over all rows. */
    begin() {
      const prefix = findPrefix(model, training);
      const isSame =
        cache?.stamp === stampOf(prefix) &&
        cache.prefix.nodes.size === prefix.nodes.size &&
        [...prefix.nodes].every((node) => cache?.prefix.nodes.has(node));
      if (!isSame) {
        drop();
        if (budget.left > 0) open(prefix);
      } else if (cache) {
        cache.isFull ||= cache.rows === size;
        cache.rows = 0;
      }
    },

    /**
     * Store the prefix's results for some rows.
     * @param {Tensor} rows The numbers of the rows, [count, 1].
     * @param {readonly Tensor[]} results One result for each tensor of the cut.
     */
    fill(rows, results) {
      if (!cache) return;
      if (cache.results.size === 0 && !allocate(results)) {
        drop();
        return;
      }
      [...cache.results.values()].forEach((variable, i) => {
        variable.scatterNdUpdate(rows, /** @type {Tensor} */ (results[i]));
      });
      cache.rows += Number(rows.shape[0]);
    },

    /** Returns the cache that the next batch may use, or null. @returns {Cache | null} */
    check() {
      if (cache && stampOf(cache.prefix) !== cache.stamp) {
        reason = 'locks, weights or data changed';
        drop();
      }
      return cache;
    },

    dispose: drop,
  };
};
