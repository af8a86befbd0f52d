// Attention. Source: keras/src/layers/attention/{attention,multi_head_attention}.py of Keras 3.15.
import { isRecord, optionError, ownProperties } from '../../base/check.js';
import { ShapeError } from '../../base/errors.js';
import * as field from '../config/fields.js';
import { readInitializer } from '../config/initializers.js';
import { RowWise } from '../layer/row-wise.js';
import { expectSize, unify } from '../config/shapes.js';
import { formatOpen } from '../config/open-shapes.js';
import { SymbolicTensor } from '../layer/symbolic.js';

/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @import { RunOptions } from '../layer/layer.js' */
/** @import { Gradlock } from '../../gradlock.js' */
/** @typedef {Tensor | null | undefined | false} MaybeMask */

/**
 * @param {Gradlock} g
 * @param {MaybeMask[]} masks
 * @returns {Tensor | null} The combined mask, or null if there is none.
 */
const both = (g, masks) =>
  masks.reduce((/** @type {any} */ a, b) => (a && b ? g.logicalAnd(a, b) : a || b), null) || null;

/** Causal mask [1, queries, keys]. @param {Gradlock} g @param {Tensor} query @param {Tensor} key */
const causal = (g, query, key) => {
  const [rows, columns] = [query, key].map(({ shape }) => shape[1]);
  const ones = g.broadcastTo(1, [1, rows, columns]);
  return g.greaterEqual(g.cumsum(ones, 1), g.cumsum(ones, 2));
};

/** The score of masked positions. Compared with any other, its exponential is 0. */
const LEAST = -0.7 * 3.4028234663852886e38;

/** Query, value, key (or value) and mask. @param {any[]} inputs @returns {any[]} */
const readParts = ([query, value, key = value, mask]) => {
  if (value) return [query, value, key, mask];
  throw new ShapeError('expected the inputs [query, value] or [query, value, key]');
};

/** Base class of attention layers, whose input is a list: query, value, key and possibly more. */
class Attending extends RowWise {
  /** @override */ static callOptions = ['useCausalMask', 'returnAttentionScores'];
  /** @override */ static takesLists = true;
  /** @override */ supportsMasking = true;

  /** @override @param {boolean} training */
  isPure(training) {
    return !(training && this.config.dropout > 0) && super.isPure(training);
  }

  /** Query, value and key, checked. @internal @param {any} inputShape @returns {any[]} */
  readShapes(inputShape) {
    const [query, value, key] = readParts(Array.isArray(inputShape[0]) ? inputShape : []);
    for (const shape of [query, value, key]) {
      if (shape.length !== 3) {
        throw new ShapeError(`expected [batch, steps, size], got ${formatOpen(shape)}`);
      }
    }
    unify(value[1], key[1], 'the steps of value and key');
    return [query, value, key];
  }

  /** @override @param {any} _ @param {any} masks */
  computeMask(_, masks) {
    return masks[0];
  }

  /**
   * Computes softmax(scores) with dropout.
   * @internal
   * @param {Tensor} scores
   * @param {boolean} training
   * @param {Tensor | null | false} [mask] The mask. Masked weights are 0, even if all are masked.
   */
  weigh(scores, training, mask) {
    const { g, config } = this;
    const weights = g.softmax(scores);
    const found = mask ? g.where(mask, weights, 0) : weights;
    const rate = training ? config.dropout : 0;
    return [found, rate > 0 ? g.dropout(found, rate, this.randomness) : found];
  }
}

/** Dot-product attention of [query, value] or [query, value, key]. Weights: scale [], if any. */
export class Attention extends Attending {
  /** @override */ static className = 'Attention';
  /** @override */ static fields = {
    /** True to multiply the scores by a trainable scale. Default: false. */
    useScale: field.flag(false),
    /** How scores are computed. Default: 'dot'. */
    scoreMode: field.word('dot', ['dot', 'concat']),
    /** The dropout rate of the attention weights. Default: 0. */
    dropout: field.number(0, 0, 1),
    /** A seed of its own for random numbers. */
    seed: field.countOrNull(),
  };

  /** @internal @type {Variable | undefined} */
  scale;
  /** @internal @type {Variable | undefined} */
  concatScoreWeight;

  /** @override */ build() {
    const initializer = readInitializer('ones', 'ones', this.nn);
    const { useScale, scoreMode } = this.config;
    if (useScale) this.scale = this.addWeight('scale', [], { initializer });
    if (scoreMode === 'concat')
      this.concatScoreWeight = this.addWeight('concat_score_weight', [], { initializer });
  }

  /** @override @param {any} inputShape @param {Record<string, any>} options */
  inferShape(inputShape, { returnAttentionScores }) {
    const [query, value, key] = this.readShapes(inputShape);
    const size = unify(query[2], key[2], 'the last axes of query and key');
    const y = [query[0], query[1], key === value ? size : value[2]];
    return returnAttentionScores ? [y, [query[0], query[1], key[1]]] : y;
  }

  /** @override @param {any} inputs @param {RunOptions} options */
  call(inputs, { mask, training, useCausalMask, returnAttentionScores }) {
    const { g, scale = 1, concatScoreWeight } = this;
    const [query, value, key] = readParts(inputs);
    const there = both(g, [
      mask?.[1] && g.expandDims(mask[1], 1),
      useCausalMask && causal(g, query, key),
    ]);
    /** @type {Tensor} */
    let scores;
    if (concatScoreWeight) {
      const sums = g.add(g.expandDims(query, 2), g.expandDims(key, 1));
      scores = g.mul(concatScoreWeight, g.sum(g.tanh(g.mul(scale, sums)), -1));
    } else {
      scores = g.mul(g.matMul(query, key, { transposeB: true }), scale);
    }
    if (there) scores = g.where(there, scores, g.sub(scores, 1e9));
    const [weights, kept] = this.weigh(scores, training);
    const found = g.matMul(kept, value);
    const y = mask?.[0] ? g.where(g.expandDims(mask[0], -1), found, 0) : found;
    return returnAttentionScores ? [y, weights] : y;
  }
}

/** Reads a number, which Keras may write in a list, or null. */
const oneOrNull = field.orNull(field.counts(1));

/**
 * Adapts an initializer that uses the numbers of inputs and outputs to several axes of each.
 * @param {import('../../gradlock.js').Gradlock} g
 * @param {import('../config/initializers.js').NamedInitializer} initializer
 * @param {number} count The number of input axes.
 */
const asMatrix = (g, initializer, count) => {
  if (!('input_axes' in initializer.config)) return initializer;
  const size = (/** @type {readonly number[]} */ list) => list.reduce((a, b) => a * b, 1);
  /** @type {import('../config/initializers.js').Make} */
  const make = (shape) =>
    g.reshape(initializer.make([size(shape.slice(0, count)), size(shape.slice(count))]), shape);
  return { ...initializer, make };
};

/**
 * Attention with several heads for [query, value] or [query, value, key], optionally followed by a
 * mask [batch, queries, keys]. Weights: query, key, value: kernel [inputs, heads, size], bias
 * [heads, size]; attention_output: kernel [heads, size, outputs], bias [outputs].
 */
export class MultiHeadAttention extends Attending {
  /** @override */ static className = 'MultiHeadAttention';
  /** @override */ static fields = field.join(new field.KernelFields(), new field.BiasFields(), {
    /** The number of heads. */
    numHeads: field.count(),
    /** The size of a head's queries and keys. */
    keyDim: field.count(),
    /** The size of a head's values. Default: keyDim. */
    valueDim: field.countOrNull(1),
    /** The dropout rate of the attention weights. Default: 0. */
    dropout: field.number(0, 0, 1),
    useGate: field.fixed(false),
    /** The size of the output. Default: the query's last size. */
    outputShape: oneOrNull,
    /** The axes to attend over. Default: the axis of steps. */
    attentionAxes: oneOrNull,
    slidingWindow: field.fixed(null),
    /** A penalty on the layer's output, added to the loss. */
    activityRegularizer: field.regularizer(),
    /** A seed of its own for random numbers. */
    seed: field.countOrNull(),
  });

  /**
   * The kernels and biases.
   * @internal
   * @type {Record<string, { kernel: Variable, bias: Variable | undefined }>}
   */
  parts = {};

  /** @internal @param {import('../layer/toolkit.js').Toolkit} nn @param {any} [given] */
  constructor(nn, given) {
    super(nn, given);
    this.config.valueDim ??= this.config.keyDim;
  }

  /** @override @param {any} shapes */
  build([query, value, key = value]) {
    const { config } = this;
    if (!query?.at || !value?.at) throw new ShapeError(`${this.label} takes [query, value, key]`);
    const { numHeads, keyDim, useBias, outputShape } = config;
    config.attentionAxes ??= [1];
    if (config.attentionAxes[0] !== 1)
      throw optionError(
        `${this.label}: attentionAxes`,
        '1, the only supported value',
        config.attentionAxes,
      );
    /** @param {string} name @param {any[]} ins @param {any[]} outs */
    const add = (name, ins, outs) => {
      const initializer = asMatrix(this.g, config.kernelInitializer, ins.length);
      this.parts[name] = {
        kernel: this.addFieldWeight(`${name}/kernel`, [...ins, ...outs], 'kernel', { initializer }),
        bias: useBias ? this.addFieldWeight(`${name}/bias`, outs, 'bias') : undefined,
      };
    };
    add('query', [query.at(-1)], [numHeads, keyDim]);
    add('key', [key.at(-1)], [numHeads, keyDim]);
    add('value', [value.at(-1)], [numHeads, config.valueDim]);
    add('attention_output', [numHeads, config.valueDim], outputShape ?? [query.at(-1)]);
  }

  /** @param {string} equation @param {Tensor} x @param {string} name */
  #project(equation, x, name) {
    const { g } = this;
    const { kernel, bias } = /** @type {any} */ (this.parts[name]);
    const y = g.einsum(equation, x, kernel);
    if (!bias) return y;
    // The axis of heads comes before the axis of steps.
    const [heads, size] = bias.shape;
    return g.add(y, bias.rank > 1 ? g.reshape(bias, [heads, 1, size]) : bias);
  }

  /** @override @param {any} inputShape @param {Record<string, any>} options */
  inferShape(inputShape, { returnAttentionScores }) {
    const [query, value, key] = this.readShapes(inputShape);
    for (const [name, shape] of Object.entries({ query, value, key })) {
      expectSize(shape, 2, this.parts[name]?.kernel.shape[0]);
    }
    const { numHeads, outputShape } = this.config;
    const y = [query[0], query[1], ...(outputShape ?? [query[2]])];
    return returnAttentionScores ? [y, [query[0], numHeads, query[1], key[1]]] : y;
  }

  /** @override @param {any} inputs @param {RunOptions} options */
  call(inputs, { mask, run, training, useCausalMask, returnAttentionScores }) {
    const { g, config } = this;
    // As in Keras, later layers get no mask from these outputs: x + heads(x, x) has none.
    for (const input of inputs) run.masks.delete(input);
    const [query, value, key, attentionMask] = readParts(inputs);
    const of = (/** @type {number} */ i, /** @type {number} */ axis) =>
      mask?.[i] && g.expandDims(mask[i], axis);
    const there = both(g, [
      of(0, 2),
      of(1, 1),
      of(2, 1),
      useCausalMask && causal(g, query, value),
      attentionMask,
    ]);
    // Adds the axis of heads: [batch, 1, queries, keys].
    const open = there && there.rank < 4 ? g.expandDims(there, 1) : there;
    const [q, k, v] = [
      [query, 'query'],
      [key, 'key'],
      [value, 'value'],
    ].map(([x, name]) => this.#project('btd,dnh->bnth', x, name));
    const products = g.matMul(
      g.mul(/** @type {Tensor} */ (q), 1 / Math.sqrt(config.keyDim)),
      /** @type {Tensor} */ (k),
      { transposeB: true },
    );
    const scores = open ? g.where(open, products, LEAST) : products;
    const [found, kept] = /** @type {Tensor[]} */ (
      this.weigh(scores, training, (config.dropout > 0 || Boolean(returnAttentionScores)) && open)
    );
    const heads = g.matMul(/** @type {Tensor} */ (kept), /** @type {Tensor} */ (v));
    const y = this.#project('bnth,nhd->btd', heads, 'attention_output');
    return returnAttentionScores ? [y, found] : y;
  }

  /**
   * @override
   * @param {any} inputs
   * @param {Record<string, any>} [given] `attentionMask`, unless it is in the list of inputs.
   */
  apply(inputs, given) {
    const { attentionMask, ...options } = isRecord(given) ? ownProperties(given) : {};
    if (!attentionMask) return super.apply(inputs, given);
    const [query, value, key = value] = inputs;
    const mask =
      attentionMask instanceof SymbolicTensor ? attentionMask : this.toTensor(attentionMask);
    return super.apply([query, value, key, mask], options);
  }

  /** @internal @override @param {import('../layer/symbolic.js').Node} node */
  toArgs(node) {
    const { args, kwargs } = super.toArgs(node);
    const [query, value, key, mask] = args[0];
    const rest = mask ? { ...kwargs, attention_mask: mask } : kwargs;
    return { args: [query, value, key].filter(Boolean), kwargs: rest };
  }

  /** @internal @override @param {any[]} args @param {Record<string, any>} kwargs */
  fromArgs(args, { query, value, key, attention_mask: mask, ...kwargs }) {
    const [q = query, v = value, k = key] = args.flat();
    const all = [q, v, k ?? (mask && v), mask].filter(Boolean);
    return super.fromArgs([all], kwargs);
  }
}
