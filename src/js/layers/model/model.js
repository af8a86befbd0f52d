// Models: layers with inputs and outputs. A model is itself a layer.
import {
  describe,
  isRecord,
  ownProperties,
  readCallback,
  readOptions,
  refusePromise,
  typeError,
} from '../../base/check.js';
import { OptionError, ShapeError } from '../../base/errors.js';
import { disposeAll, inputNames, listOf } from '../fit/data.js';
import { fixed } from '../config/fields.js';
import { RowWise } from '../layer/row-wise.js';
import { orderOf } from './layer-order.js';
import { plot } from './plot.js';
import { keep, keepsRowsApart, recall, runOf } from '../fit/frozen-prefix.js';
import { summarize } from './summary.js';
import { Trainer } from './trainer.js';
import { readTargets } from './weight-filter.js';
import { writeGraph } from './write-graph.js';
import { formatOpen } from '../config/open-shapes.js';
import { Node, SymbolicTensor, toList } from '../layer/symbolic.js';

/** @import { Layer } from '../layer/layer.js' */
/** @import { OpenShape } from '../config/open-shapes.js' */
/** @import { Toolkit } from '../layer/toolkit.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Selection } from '../../locks/locks.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @import { WeightSelections } from './weight-filter.js' */
/**
 * @typedef {object} ModelOptions The options of `model`.
 * @property {import('../layer/layer.js').Symbols} inputs Results of `input`: one or several.
 * @property {import('../layer/layer.js').Symbols} outputs The results of layers' `apply`.
 * @property {string} [name] The name. Default: made from the class, such as `dense_1`.
 * @property {boolean} [trainable] False to freeze the model, as for a layer. Default: true.
 */
/** @typedef {import('./weight-filter.js').WeightFilter} WeightFilter */

/** @param {unknown} value @param {string} what @returns {SymbolicTensor[]} */
const readSymbolics = (value, what) => {
  const given =
    isRecord(value) && !(value instanceof SymbolicTensor)
      ? Object.values(ownProperties(value))
      : toList(value);
  return given.map((tensor) => {
    if (tensor instanceof SymbolicTensor) return tensor;
    throw typeError(what, "the result of input() or of a layer's apply", tensor);
  });
};

/** @param {string} name */
const sameName = (name) =>
  new OptionError(`two layers of a model have the name '${name}': rename one of them`);

/**
 * True if a value has the stated shape, or if there is no value. Batches may differ.
 * @param {OpenShape | readonly (number | null)[]} stated
 * @param {Tensor | undefined} value
 */
const fits = (stated, value) =>
  !value ||
  (value.rank === stated.length &&
    stated.every((size, axis) => axis === 0 || size === null || size === value.shape[axis]));

/**
 * Checks that a layer's outputs have the shapes it stated, if its inputs have the shapes it was
 * applied to. The later layers were built for these sizes.
 * @param {Node} node
 * @param {readonly any[]} given
 * @param {readonly any[]} found The outputs; undefined where they were not computed.
 */
const checkStated = ({ layer, inputs, outputs }, given, found) => {
  if (!inputs.every(({ shape }, i) => fits(shape, given[i]))) return;
  outputs.forEach(({ shape }, i) => {
    if (fits(shape, found[i])) return;
    throw new ShapeError(
      `layer ${layer.label} returned shape ${formatOpen(found[i].shape)}, but its computeOutputShape returned ${formatOpen(shape)}`,
    );
  });
};

/** The layer at a model's inputs. */
export class InputLayer extends RowWise {
  /** @override */ static className = 'InputLayer';
  /** @override */
  static fields = { sparse: fixed(false), ragged: fixed(false), optional: fixed(false) };
  /** @override */ static aliases = { batchShape: 'batchInputShape', shape: 'inputShape' };

  /** @override */ built = true;

  /** @override @param {OpenShape} shape */
  inferShape(shape) {
    return shape;
  }

  /** Returns the symbolic tensor of its values. */
  start() {
    if (!this.batchInputShape) throw new OptionError(`input '${this.name}' needs a shape`);
    const node = new Node(this, [], false, {});
    const symbol = new SymbolicTensor(this.batchInputShape, node, 0, this.name);
    node.outputs.push(symbol);
    this.nodes.push(node);
    return symbol;
  }

  /** @override */ getConfig() {
    const { name, config } = this;
    return { batch_shape: this.batchInputShape, dtype: 'float32', ...config, name };
  }
}

/** The layers between inputs and outputs. A model is itself a layer, and you can train it. */
export class Model extends Trainer {
  /** @override */ static className = 'Functional';
  /** @override */ static takesLists = true;

  /** The model's inputs. @type {SymbolicTensor[]} */
  inputs = [];
  /** The model's outputs. @type {SymbolicTensor[]} */
  outputs = [];
  /** @internal @type {Node[]} */
  order = [];
  /** True for an input or output that was given as one tensor, not as a list. @internal */
  single = { input: true, output: true };

  /**
   * @internal
   * @param {Toolkit} nn
   * @param {any} [options] `inputs` and `outputs`, results of `input` and `apply`, and `name`.
   */
  constructor(nn, options) {
    const { inputs, outputs, ...common } = readOptions(
      options,
      ['inputs', 'outputs', 'name', 'trainable'],
      'model options',
    );
    super(nn, common);
    if (inputs !== undefined || outputs !== undefined) this.setGraph(inputs, outputs);
  }

  /** Set the layers from inputs to outputs. @internal @param {any} inputs @param {any} outputs */
  setGraph(inputs, outputs) {
    const from = readSymbolics(inputs, 'inputs');
    const to = readSymbolics(outputs, 'outputs');
    if (from.length === 0 || to.length === 0)
      throw new OptionError('a model needs inputs and outputs');
    const { nodes, layers } = orderOf(from, to);
    /** @type {Set<string>} */
    const names = new Set();
    for (const { name } of layers) {
      if (names.has(name)) throw sameName(name);
      names.add(name);
    }
    this.keep();
    this.dropPrograms();
    this.inputs = from;
    this.outputs = to;
    this.single = {
      input: inputs instanceof SymbolicTensor,
      output: outputs instanceof SymbolicTensor,
    };
    this.order = nodes;
    this.sublayers = layers;
    for (const layer of layers) layer.parents.add(this);
    if (this.frozen) for (const layer of this.allLayers) layer.syncFrozen();
    this.supportsMasking = true;
    this.built = true;
  }

  /**
   * Append a layer. The lists grow in place, since copies would make models of many layers slow.
   * @internal
   * @param {Layer} layer A layer that the model does not contain yet.
   * @param {SymbolicTensor} output The layer's result for the model's only output.
   */
  extendGraph(layer, output) {
    if (this.sublayers.some(({ name }) => name === layer.name)) throw sameName(layer.name);
    const before = this.outputs;
    this.nn.undo(() => {
      this.untrack(layer);
      this.order.pop();
      this.outputs = before;
    });
    this.dropPrograms();
    this.outputs = [output];
    this.order.push(output.node);
    this.sublayers.push(layer);
    layer.parents.add(this);
    if (this.frozen) for (const inner of layer.allLayers) inner.syncFrozen();
  }

  /** @override */ get input() {
    return this.single.input && this.inputs[0] ? this.inputs[0] : this.inputs;
  }

  /** @override */ get output() {
    return this.single.output && this.outputs[0] ? this.outputs[0] : this.outputs;
  }

  /** The layers, in the order in which they run. @returns {Layer[]} */
  get layers() {
    return [...this.sublayers];
  }

  /**
   * Returns a layer by its name or its index.
   * @template {Layer} [T=Layer]
   * @param {string | number} nameOrIndex
   * @returns {T} The layer, typed as the class that you name: `net.getLayer<Dense>('head').kernel`.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.getLayer('head').kernel.lock({ cols: [0] }).locks.count; // 3
   */
  getLayer(nameOrIndex) {
    const { layers } = this;
    const found =
      typeof nameOrIndex === 'number'
        ? layers[nameOrIndex]
        : layers.find(({ name }) => name === nameOrIndex);
    if (found) return /** @type {any} */ (found);
    const names = layers.map(({ name }) => name).join(', ');
    throw new OptionError(`${this.name} has no layer ${describe(nameOrIndex)}; known: ${names}`);
  }

  /** @override @param {any} inputShape */
  inferShape(inputShape) {
    const given = Array.isArray(inputShape[0]) ? inputShape : [inputShape];
    if (given.length !== this.inputs.length) {
      throw new ShapeError(`expected ${this.inputs.length} inputs, got ${given.length}`);
    }
    /** @type {Map<SymbolicTensor, OpenShape>} */
    const shapes = new Map(this.inputs.map((symbol, i) => [symbol, given[i]]));
    for (const { layer, inputs: from, isList, options, outputs } of this.order) {
      if (from.length === 0) continue;
      const of = from.map((symbol) => /** @type {OpenShape} */ (shapes.get(symbol)));
      const found = layer.computeOutputShape(isList ? of : (of[0] ?? []), options);
      const list = /** @type {OpenShape[]} */ (Array.isArray(found[0]) ? found : [found]);
      outputs.forEach(
        (symbol, i) => void (shapes.has(symbol) || shapes.set(symbol, list[i] ?? [])),
      );
    }
    const results = this.outputs.map((symbol) => shapes.get(symbol));
    return this.single.output ? results[0] : results;
  }

  /** @override @param {any} inputs @param {import('../layer/layer.js').RunOptions} options */
  call(inputs, { run }) {
    const list = this.readInputs(inputs);
    /** @type {Map<SymbolicTensor, any>} */
    const values = new Map(this.inputs.map((symbol, i) => [symbol, list[i]]));
    for (const node of this.order) {
      const { layer, inputs: from, isList, options, outputs } = node;
      if (from.length === 0) continue;
      const given = from.map((symbol) => values.get(symbol));
      const found =
        (run.prefix && recall(run.prefix, node)) ??
        toList(layer.run(isList ? given : given[0], runOf(run, node), options));
      checkStated(node, given, found);
      if (run.prefix?.fills) keep(run.prefix, node, found);
      outputs.forEach((symbol, i) => void (values.has(symbol) || values.set(symbol, found[i])));
    }
    const results = this.outputs.map((symbol) => values.get(symbol));
    return this.single.output ? results[0] : results;
  }

  /** @override @param {boolean} training */
  isPure(training) {
    return super.isPure(training) && this.order.every(keepsRowsApart);
  }

  /** @override @param {boolean} training */
  mixesRows(training) {
    return super.mixesRows(training) || !this.order.every(keepsRowsApart);
  }

  /** Reads the inputs: a list, by name, or a single value. @internal @param {any} inputs */
  readInputs(inputs) {
    return listOf(this, inputs, inputNames(this), 'the inputs');
  }

  /** Does nothing: inner layers set the masks of the outputs. @internal @override */
  computeMask() {
    return null;
  }

  /**
   * Lock (freeze) weights, or only the elements of them that a selection names, such as rows or a
   * mask. `layer.trainable` and PyTorch's `requires_grad` freeze whole weights; this also freezes a
   * part. Moving statistics are never among them.
   * @param {WeightFilter | WeightSelections} filter Which weights, such as `'head'`, `/kernel/` or
   *   `'all'`; or a record of selections: `{ 'head/kernel': { rows: [0] } }`.
   * @param {Selection} [selection] The elements of each weight, such as
   *   `(value) => Math.abs(value) < 0.1`. Default: all.
   * @returns {Variable[]} The weights that were named; `free` of each says how many elements train.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.lock(/kernel/, { rows: [0] }).map(({ free }) => free); // [4]
   */
  lock(filter, selection) {
    return this.#each('lock', filter, selection);
  }

  /**
   * Unlock weights, or only the elements of them that a selection names. Locks of
   * `trainable = false` and of other holders stay.
   * @param {WeightFilter | WeightSelections} filter As for `lock`.
   * @param {Selection} [selection] The elements of each weight. Default: all.
   * @returns {Variable[]} The weights that were named.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.lock('head');
   * net.unlock({ 'head/kernel': { cols: [1] } }).map(({ free }) => free); // [3]
   */
  unlock(filter, selection) {
    return this.#each('unlock', filter, selection);
  }

  /** @param {'lock' | 'unlock'} how @param {any} filter @param {Selection | undefined} selection */
  #each(how, filter, selection) {
    const targets = readTargets(this, filter, selection);
    return this.#change([...targets.keys()], () => {
      for (const [weight, selections] of targets) for (const one of selections) weight[how](one);
      return [...targets.keys()];
    });
  }

  /**
   * Train weights, or only the elements of them that a selection names, and freeze all others, for
   * partial fine-tuning. In a mask, 1 or true means trainable, as in `requires_grad`.
   * @param {WeightFilter | WeightSelections} filter As for `lock`.
   * @param {Selection} [selection] The elements of each weight. Default: all.
   * @returns {Variable[]} The weights that were named; those with `free` 0 do not train.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.trainOnly('head/kernel', { cols: [1] }).map(({ free }) => free); // [3]
   * net.getLayer('head').bias.free; // 0
   */
  trainOnly(filter, selection) {
    const targets = readTargets(this, filter, selection);
    const all = this.weights.filter(({ trainable }) => trainable);
    return this.#change(all, () => {
      for (const weight of all) {
        const [first, ...others] = targets.get(weight) ?? [];
        if (first === undefined) weight.lock('all');
        else weight.trainOnly(first);
        for (const one of others) weight.unlock(one);
      }
      return [...targets.keys()];
    });
  }

  /** Change all or none. @template T @param {readonly Variable[]} weights @param {() => T} body */
  #change(weights, body) {
    const sets = this.g.tidy(() =>
      weights.map((weight) => {
        const own = weight.locks.own();
        return { weight, own, free: own.not() };
      }),
    );
    try {
      return body();
    } catch (error) {
      for (const { weight, own, free } of sets) weight.unlock(free).lock(own);
      throw error;
    } finally {
      for (const { own, free } of sets) disposeAll([own, free]);
    }
  }

  /** @override @returns {Record<string, unknown>} */
  getConfig() {
    return writeGraph(this);
  }

  /** @override @returns {Record<string, any>} */
  serialize() {
    return {
      ...super.serialize(),
      module: 'keras.src.models.functional',
      registered_name: 'Functional',
      build_config: { input_shape: null },
    };
  }

  /**
   * Returns a summary of the layers, with their free and locked elements, and prints it by default.
   * @param {{ print?: ((text: string) => void) | null }} [options] `print`: the function that
   *   prints it; null prints nothing. Default: console.log.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.lock('head');
   * net.summary({ print: null }).total.free; // 0
   */
  summary(options) {
    const { print = console.log } = readOptions(options, ['print'], 'summary options');
    const found = summarize(this);
    if (print !== null) refusePromise(readCallback(print, 'print')(found.text), 'print');
    return found;
  }

  /**
   * Returns a picture of the model as SVG text.
   * @example
   * nn.sequential([nn.dense({ units: 2, inputShape: [3] })]).plot().slice(0, 4); // '<svg'
   */
  plot() {
    return plot(this);
  }

  /** @override */ toString() {
    const { params, free, locked } = summarize(this).total;
    return `${this.label}: ${this.layers.length} layers, ${params} parameters, ${free} free, ${locked} locked`;
  }

  /**
   * Returns the model without its weights, in the form of Keras 3's `to_json`, for JSON.stringify.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3] })]);
   * nn.modelFromJSON(JSON.stringify(net)).countParams(); // 8
   */
  toJSON() {
    return this.serialize();
  }

  /** @override */ get [Symbol.toStringTag]() {
    return 'Model';
  }
}
