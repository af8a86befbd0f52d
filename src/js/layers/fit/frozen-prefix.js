// The frozen prefix (docs/laws.md, law 24): what wholly locked, deterministic layers nearest the
// inputs make of a row does not change while others train, so that it is computed once and kept.
import { endsWithLogits } from '../config/logits.js';

/** @typedef {import('../layer/layer.js').Layer} Layer */
/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('../layer/symbolic.js').Node} Node */
/** @typedef {import('../layer/symbolic.js').SymbolicTensor} SymbolicTensor */
/** @typedef {import('../../locks/variable.js').Variable} Variable */
/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/**
 * @typedef {object} Prefix
 * @property {Set<Node>} nodes Applications of layers whose results do not change.
 * @property {SymbolicTensor[]} cut Of these results, what other layers or the outputs need.
 * @property {Variable[]} weights Of these layers.
 * @property {string} reason Why it ends where it does, or why there is none.
 */
/**
 * What a run is told of a prefix.
 * @typedef {object} PrefixRun
 * @property {Prefix} prefix
 * @property {Map<SymbolicTensor, Tensor>} values Of the cut: those that are known, or, where
 *   `fills`, those that are found.
 * @property {boolean} fills Whether only the prefix is to be computed.
 */

/**
 * Whether training cannot change it. Other holders than `frozen` may have policies.
 * @param {Variable} weight
 */
const isHeld = ({ locks, size }) =>
  locks.count === size && locks.holders.every((name) => name === 'frozen');

/**
 * Whether no axis but the first is the batch's: the last of a list of numbers is.
 * @param {Node} node
 */
export const keepsRowsApart = ({ inputs, outputs }) =>
  [...inputs, ...outputs].every(({ shape }) => shape.length > 1);

/**
 * How often each layer is applied, in a model and in the models inside.
 * @param {Model} model
 * @param {Map<Layer, number>} counts
 */
const countUses = (model, counts) => {
  for (const { layer, inputs } of model.order) {
    if (inputs.length === 0) continue;
    counts.set(layer, (counts.get(layer) ?? 0) + 1);
    if ('order' in layer) countUses(/** @type {Model} */ (layer), counts);
  }
  return counts;
};

/**
 * @param {Model} model
 * @param {boolean} training
 * @returns {Prefix}
 */
export const findPrefix = (model, training) => {
  const uses = countUses(model, new Map());
  /** @type {Set<Node>} */
  const nodes = new Set();
  /**
   * Where the values of what does not change come from.
   * @type {Map<SymbolicTensor, SymbolicTensor>}
   */
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
        reason ||= `${layer.name} ${isEnd ? 'is what the loss is computed from' : isLocked ? 'is random or looks at the whole batch' : 'is not wholly locked'}`;
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

/**
 * What a node gave before, or nothing where it is not to be computed; null: it is to be computed.
 * @param {PrefixRun} run
 * @param {Node} node
 * @returns {(Tensor | undefined)[] | null}
 */
export const recall = ({ prefix, values, fills }, node) => {
  const isOutside = !prefix.nodes.has(node);
  // Models inside may be partly of it: they are looked into.
  if (isOutside ? !fills || 'order' in node.layer : fills) return null;
  return node.outputs.map((symbol) => values.get(symbol));
};

/**
 * The run of a node: what is inside of one of the prefix is all of it.
 * @param {import('../layer/layer.js').Run} run
 * @param {Node} node
 * @returns {import('../layer/layer.js').Run}
 */
export const runOf = (run, node) =>
  run.prefix?.prefix.nodes.has(node) ? { ...run, prefix: undefined } : run;

/**
 * Take note of what a node of the prefix gives.
 * @param {PrefixRun} run
 * @param {Node} node
 * @param {readonly any[]} found
 */
export const keep = ({ prefix, values }, node, found) => {
  if (!prefix.nodes.has(node)) return;
  node.outputs.forEach((symbol, i) => void values.set(symbol, found[i]));
};

/**
 * @typedef {object} Cache What a prefix makes of all rows.
 * @property {Prefix} prefix
 * @property {Map<SymbolicTensor, Variable>} places [rows, …] each.
 * @property {number} bytes
 * @property {number} stamp Of the weights, and of data that may be written.
 * @property {number} rows How many were filled in this pass.
 * @property {boolean} isFull
 */

/**
 * @typedef {object} Cached
 * @property {string[]} layers Names of the layers whose results are kept.
 * @property {number} bytes
 * @property {string} reason Why not more; empty where nothing is left.
 */

/** @param {Prefix} prefix */
export const layersOf = ({ nodes }) => [...new Set([...nodes].map(({ layer }) => layer.name))];

/** What is kept of a row; NaN if a size is known with the data only. @param {Prefix} prefix */
export const bytesPerRow = ({ cut }) =>
  cut.reduce(
    (sum, { shape }) =>
      sum + shape.slice(1).reduce((/** @type {number} */ n, size) => n * (size ?? NaN), 4),
    0,
  );

/** Bytes that `cache: 'auto'` takes at most. */
export const MOST_BYTES = 2 ** 28;

/**
 * Caches of prefixes over a number of rows, one at a time.
 * @param {Model} model
 * @param {readonly Tensor[]} xs
 * @param {number} size Rows.
 * @param {boolean} training
 * @param {{ left: number }} budget In bytes, which others may share.
 */
export const openCache = (model, xs, size, training, budget) => {
  const { g, nn } = model;
  const data = /** @type {Variable[]} */ (xs.filter((x) => x instanceof nn.Variable));
  /** @type {Cache | null} */
  let cache = null;
  let reason = '';

  /** Grows with every write, and with every change of locks. @param {Prefix} prefix */
  const stampOf = ({ weights }) => {
    let stamp = 0;
    for (const { version, locks } of weights) stamp += version + locks.version;
    for (const { version } of data) stamp += version;
    return stamp;
  };

  const drop = () => {
    if (!cache) return;
    for (const place of cache.places.values()) place.dispose();
    budget.left += cache.bytes;
    cache = null;
  };

  /** Whether there is room. @param {number} bytes NaN, if that is not known yet. */
  const affords = (bytes) => {
    if (!(bytes > budget.left)) return true;
    reason = `its results would take ${bytes} bytes, there are ${budget.left} for them`;
    return false;
  };

  /** @param {Prefix} prefix */
  const open = (prefix) => {
    reason = prefix.reason;
    if (prefix.weights.length === 0 || !affords(size * bytesPerRow(prefix))) return;
    const stamp = stampOf(prefix);
    cache = { prefix, places: new Map(), bytes: 0, stamp, rows: 0, isFull: false };
  };

  /** Memory for all rows. @param {readonly Tensor[]} results Of some of them. */
  const makePlaces = (results) => {
    const found = /** @type {Cache} */ (cache);
    const bytes = results.reduce((sum, t) => sum + (4 * size * t.size) / Number(t.shape[0]), 0);
    if (!affords(bytes)) return false;
    try {
      found.prefix.cut.forEach((symbol, i) => {
        const shape = [size, .../** @type {Tensor} */ (results[i]).shape.slice(1)];
        const zeros = g.broadcastTo(0, shape);
        found.places.set(symbol, g.variable(zeros, { name: 'prefix', trainable: false }));
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

    /** Before a pass over all rows. */
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
     * Take what the prefix makes of some rows.
     * @param {Tensor} rows Their numbers, [count, 1].
     * @param {readonly Tensor[]} results One for each of the cut.
     */
    fill(rows, results) {
      if (!cache) return;
      if (cache.places.size === 0 && !makePlaces(results)) {
        drop();
        return;
      }
      [...cache.places.values()].forEach((place, i) => {
        place.scatterNdUpdate(rows, /** @type {Tensor} */ (results[i]));
      });
      cache.rows += Number(rows.shape[0]);
    },

    /** What may be used for the coming batch. @returns {Cache | null} */
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
