// Recurrent layers, recorded step by step. The product of inputs and kernel is computed once for
// all steps. Source: keras/src/layers/rnn/{rnn,simple_rnn,lstm,gru}.py of Keras 3.15.
import { isRecord, ownProperties } from '../../base/check.js';
import { OptionError, ShapeError } from '../../base/errors.js';
import * as field from '../config/fields.js';
import { RowWise } from '../layer/row-wise.js';
import { UNBUILT } from '../layer/weighted.js';
import { toSnake } from '../config/names.js';
import { expectSize } from '../config/shapes.js';
import { formatOpen } from '../config/open-shapes.js';
import { SymbolicTensor, toList } from '../layer/symbolic.js';

/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Variable } from '../../locks/variable.js' */
/** @import { RunOptions } from '../layer/layer.js' */
/**
 * @typedef {(x: Tensor, kernel: Tensor, first?: number) => Tensor} Times
 *   Multiplies a value, after dropout, by the kernels of the gates from `first` on.
 */
/**
 * @typedef {(x: Tensor, states: Tensor[]) => Tensor[]} Step New states; the first is the output.
 */

/** The options of all recurrent layers. */
class RecurrentFields {
  /** @internal @param {ReturnType<typeof field.countOrNull>} seed */
  constructor(seed) {
    /** A seed of its own for random numbers. */
    this.seed = seed;
  }

  /** The size of the output. */
  units = field.count();
  /** The activation. Default: 'tanh'. */
  activation = field.activation('tanh');
  /** The initial values of the recurrent kernel. Default: 'orthogonal'. */
  recurrentInitializer = field.initializer('Orthogonal');
  /** A penalty on these weights, added to the loss. */
  recurrentRegularizer = field.regularizer();
  /** A constraint on these weights, applied after each update. */
  recurrentConstraint = field.constraint();
  /** A penalty on the layer's output, added to the loss. */
  activityRegularizer = field.regularizer();
  /** The dropout rate of the inputs; all steps share the draws. Default: 0. */
  dropout = field.number(0, 0, 1);
  /** The dropout rate of the recurrent state. Default: 0. */
  recurrentDropout = field.number(0, 0, 1);
  /** True to return the outputs of all steps: [batch, steps, units]. Default: false. */
  returnSequences = field.flag(false);
  /** True to return a list that also has the last states. Default: false. */
  returnState = field.flag(false);
  /** True to process the steps from last to first. Default: false. */
  goBackwards = field.flag(false);
  /** True if a batch starts with the last one's states. Needs batchInputShape. Default: false. */
  stateful = field.flag(false);
  /** An option of Keras that has no effect here. */
  unroll = field.flag(false);
  /** True if the outputs of masked steps are 0. Default: false. */
  zeroOutputForMask = field.flag(false);
}

const old = {
  implementation: field.legacy(),
  useCudnn: field.legacy(),
  inputDim: field.legacy(),
  inputLength: field.legacy(),
  timeMajor: field.legacy(false),
};

/** @template {object} More @param {More} more */
const fieldsWith = (more, seed = field.countOrNull()) =>
  field.join(
    field.join(new RecurrentFields(seed), new field.KernelFields()),
    new field.BiasFields(),
    { ...more, ...old },
  );

/** Base class of layers that accept initial states after their input: `apply([x, h, c])`. */
export class OverTime extends RowWise {
  /** @override */ static takesLists = true;
  /** @override */ supportsMasking = true;

  /**
   * @override
   * @param {any} inputs
   * @param {Record<string, any>} [options] `initialState`, unless it is one of the inputs.
   * @returns {any}
   */
  apply(inputs, options) {
    const { initialState, ...others } = isRecord(options) ? ownProperties(options) : {};
    if (!initialState) return super.apply(inputs, options);
    const all = [inputs, ...toList(initialState)];
    /** @type {any[]} */
    const tensors = all.map((x) => (x instanceof SymbolicTensor ? x : this.toTensor(x)));
    return super.apply(tensors, others);
  }

  /** @internal @override @param {import('../layer/symbolic.js').Node} node */
  toArgs(node) {
    const { args, kwargs } = super.toArgs(node);
    const [x, ...states] = args.flat();
    return { args: [x], kwargs: states.length > 0 ? { ...kwargs, initial_state: states } : kwargs };
  }

  /** @internal @override @param {any[]} args @param {Record<string, any>} kwargs */
  fromArgs(args, { initial_state: states, ...kwargs }) {
    const given = [...args, states].flat().filter(Boolean);
    return super.fromArgs([given.length > 1 ? given : given[0]], kwargs);
  }
}

/**
 * Base class of layers that process time steps. Weights: kernel [inputs, gates · units],
 * recurrent_kernel [units, gates · units], bias [gates · units].
 */
class Recurrent extends OverTime {
  /** The number of gates. Each has `units` columns in the kernels. @internal */
  static gates = 1;
  /** The number of states passed from step to step. @internal */
  static states = 1;

  /** The kernel of the inputs. Created when the layer is built. @type {Variable} */
  kernel = UNBUILT;
  /** The kernel of the state. Created when the layer is built. @type {Variable} */
  recurrentKernel = UNBUILT;
  /** The bias, if useBias is set. Created when the layer is built. @type {Variable} */
  bias = UNBUILT;
  /** The initial states of a stateful layer. @internal @type {Variable[] | undefined} */
  states;

  get #class() {
    return /** @type {typeof Recurrent} */ (this.constructor);
  }

  /** @override @param {boolean} training */
  isPure(training) {
    const { stateful, dropout, recurrentDropout } = this.config;
    const draws = training && (dropout > 0 || recurrentDropout > 0);
    return !stateful && !draws && super.isPure(training);
  }

  /** @override @param {any} inputShape */
  build(inputShape) {
    const [batch, , inputs] = Array.isArray(inputShape[0]) ? inputShape[0] : inputShape;
    const { units, useBias, stateful } = this.config;
    const { className, gates, states } = this.#class;
    const cell = `${toSnake(className)}_cell/`;
    this.kernel = this.addFieldWeight(`${cell}kernel`, [inputs, gates * units], 'kernel');
    const recurrent = `${cell}recurrent_kernel`;
    this.recurrentKernel = this.addFieldWeight(recurrent, [units, gates * units], 'recurrent');
    if (useBias) this.bias = this.addBias(`${cell}bias`, gates * units);
    if (!stateful) return;
    const rows = batch ?? this.batchInputShape?.[0];
    if (!rows) throw new OptionError(`${this.label}: stateful needs batchInputShape`);
    this.states = Array.from({ length: states }, () => this.addState([rows, units]));
  }

  /** @internal @param {string} name @param {number} width */
  addBias(name, width) {
    return this.addFieldWeight(name, [width], 'bias');
  }

  /** The part of the bias that is added to the inputs' product. @internal @returns {Tensor} */
  get inputBias() {
    return this.bias;
  }

  /** @internal @param {Times} times Multiplies by the recurrent kernel. @returns {Step} */
  stepBy(times) {
    const { g, recurrentKernel, config } = this;
    return (x, [h]) => [
      config.activation.apply(g, g.add(x, times(/** @type {any} */ (h), recurrentKernel))),
    ];
  }

  /**
   * Returns a function that multiplies values after dropout. All steps share the draws.
   * @internal
   * @param {number} rate The dropout rate; 0 for none.
   * @param {number[]} shape The shape of the draws.
   * @param {readonly number[]} whole The value's shape, before all axes but the last are joined.
   * @returns {Times}
   */
  timesBy(rate, shape, whole) {
    const { g, config } = this;
    if (rate === 0) return (x, kernel) => g.matMul(x, kernel);
    // As in Keras, each gate has its own draws only for recurrent dropout.
    const count = config.recurrentDropout > 0 ? this.#class.gates : 1;
    const draws = Array.from({ length: count }, () => {
      const kept = g.dropout(g.broadcastTo(1, shape), rate, this.randomness);
      return g.reshape(g.broadcastTo(kept, whole), [-1, Number(whole.at(-1))]);
    });
    return (x, kernel, first = 0) => {
      const gates = count > 1 ? kernel.shape[1] / config.units : 1;
      const parts = g.split(kernel, gates, 1).map((part, i) => {
        return g.matMul(g.mul(x, /** @type {Tensor} */ (draws[count > 1 ? first + i : 0])), part);
      });
      return g.concat(parts, 1);
    };
  }

  /** @override @param {any} inputShape */
  inferShape(inputShape) {
    const { units, returnSequences, returnState } = this.config;
    const [x, ...given] = Array.isArray(inputShape[0]) ? inputShape : [inputShape];
    const { states: count } = this.#class;
    if (x.length !== 3) {
      throw new ShapeError(`expected [batch, steps, inputs], got ${formatOpen(x)}`);
    }
    if (given.length > 0 && given.length !== count) {
      throw new ShapeError(`expected ${count} initial states, got ${given.length}`);
    }
    expectSize(x, 2, this.built ? this.kernel.shape[0] : null);
    for (const shape of given) expectSize(shape, 1, units);
    const [batch, steps] = x;
    const state = [batch, units];
    const result = returnSequences ? [batch, steps, units] : state;
    return returnState ? [result, ...new Array(count).fill(state)] : result;
  }

  /** @override @param {any} inputs @param {RunOptions} options */
  call(inputs, { mask, training, run }) {
    const { g, config } = this;
    const { units, goBackwards, zeroOutputForMask } = config;
    const [x, ...given] = toList(inputs);
    if (x.rank !== 3) throw new ShapeError(`expected [batch, steps, inputs], got [${x.shape}]`);
    const [batch, steps, width] = x.shape;
    const count = this.#class.states;
    if (given.length > 0 && given.length !== count) {
      throw new ShapeError(`expected ${count} initial states, got ${given.length}`);
    }
    const zeros = g.broadcastTo(0, [batch, units]);
    let states = given.length > 0 ? given : (this.states ?? new Array(count).fill(zeros));
    const rateOf = (/** @type {number} */ rate) => (training && rate < 1 ? rate : 0);
    const times = this.timesBy(rateOf(config.dropout), [batch, 1, width], x.shape);
    let all = times(g.reshape(x, [-1, width]), this.kernel);
    if (this.bias) all = g.add(all, this.inputBias);
    const step = this.stepBy(
      this.timesBy(rateOf(config.recurrentDropout), [batch, units], [batch, units]),
    );
    const values = g.unstack(g.reshape(all, [batch, steps, -1]), 1);
    const [ofSteps] = toList(mask);
    const masks = ofSteps ? g.split(ofSteps, steps, 1) : [];
    if (goBackwards) {
      values.reverse();
      masks.reverse();
    }
    let output = zeros;
    const outputs = values.map((value, t) => {
      const next = step(value, [...states]);
      const there = masks[t];
      const [y] = next;
      output = there
        ? g.where(there, y, zeroOutputForMask ? 0 : output)
        : /** @type {Tensor} */ (y);
      states = there ? next.map((state, i) => g.where(there, state, states[i])) : next;
      return output;
    });
    this.states?.forEach((state, i) => void run.moves.push([state, states[i]]));
    const result = config.returnSequences ? g.stack(outputs, 1) : output;
    return config.returnState ? [result, ...states] : result;
  }

  /** @override @param {any} _ @param {any} mask */
  computeMask(_, mask) {
    return this.config.returnSequences ? toList(mask)[0] : null;
  }

  /** @override */ resetStates() {
    for (const state of (this.built && this.states) || [])
      state.assign(new Float32Array(state.size));
  }
}

/** Keras does not write the seed of this layer. @type {ReturnType<typeof field.countOrNull>} */
const seed = new field.Field(null, field.countOrNull().read, field.legacy().write);

/** activation(x · kernel + h · recurrent_kernel + bias). */
export class SimpleRNN extends Recurrent {
  /** @override */ static className = 'SimpleRNN';
  /** @override */ static fields = fieldsWith({}, seed);
}

const gates = {
  /** The activation of the gates. Default: 'sigmoid'. */
  recurrentActivation: field.activation('sigmoid'),
};

/** Long short-term memory. Gates are in Keras's order: input, forget, cell, output. */
export class LSTM extends Recurrent {
  /** @override */ static className = 'LSTM';
  /** @override */ static fields = fieldsWith({
    ...gates,
    /** True if the forget gate's bias starts at 1. Default: true. */
    unitForgetBias: field.flag(true),
  });
  /** @override */ static gates = 4;
  /** @override */ static states = 2;

  /** @override @param {string} name @param {number} width */
  addBias(name, width) {
    const { g, config } = this;
    const { units, unitForgetBias, biasInitializer: initializer } = config;
    if (!unitForgetBias) return super.addBias(name, width);
    const make = () => {
      const [first, ...rest] = [[units], [2 * units]].map((shape) => initializer.make(shape));
      return g.concat([first, g.broadcastTo(1, [units]), ...rest]);
    };
    return this.addFieldWeight(name, [width], 'bias', { initializer: { ...initializer, make } });
  }

  /** @override @param {Times} times @returns {Step} */
  stepBy(times) {
    const { g, recurrentKernel } = this;
    const { activation, recurrentActivation: gate } = this.config;
    return (x, [h, c]) => {
      const [i, f, n, o] = g.split(g.add(x, times(h, recurrentKernel)), 4, 1);
      const cell = g.add(
        g.mul(gate.apply(g, f), c),
        g.mul(gate.apply(g, i), activation.apply(g, n)),
      );
      return [g.mul(gate.apply(g, o), activation.apply(g, cell)), cell];
    };
  }
}

/**
 * Gated recurrent units. Gates are in Keras's order: update, reset, candidate. With resetAfter,
 * bias is [2, 3 · units]: one row for the inputs, one for the recurrent product.
 */
export class GRU extends Recurrent {
  /** @override */ static className = 'GRU';
  /** @override */ static fields = fieldsWith({
    ...gates,
    /** True to apply the reset gate after the recurrent product. Default: true. */
    resetAfter: field.flag(true),
  });
  /** @override */ static gates = 3;

  /** @override @param {string} name @param {number} width */
  addBias(name, width) {
    const shape = this.config.resetAfter ? [2, width] : [width];
    return this.addFieldWeight(name, shape, 'bias');
  }

  /** @override */ get inputBias() {
    return this.config.resetAfter ? this.g.slice(this.bias, [0, 0], [1, -1]) : this.bias;
  }

  /** @override @param {Times} times @returns {Step} */
  stepBy(times) {
    const { g, recurrentKernel: kernel, bias } = this;
    const { units, activation, recurrentActivation: gate, resetAfter } = this.config;
    const [gates, candidate] = resetAfter ? [kernel] : g.split(kernel, [2 * units, units], 1);
    const added = resetAfter && bias ? g.slice(bias, [1, 0], [1, -1]) : null;
    return (x, [h]) => {
      const [xz, xr, xn] = g.split(x, 3, 1);
      const inner = times(h, gates);
      const [hz, hr, hn] = g.split(added ? g.add(inner, added) : inner, resetAfter ? 3 : 2, 1);
      const z = gate.apply(g, g.add(xz, hz));
      const r = gate.apply(g, g.add(xr, hr));
      const past = hn ? g.mul(r, hn) : times(g.mul(r, h), candidate, 2);
      const n = activation.apply(g, g.add(xn, past));
      return [g.add(g.mul(z, h), g.mul(g.sub(1, z), n))];
    };
  }
}
