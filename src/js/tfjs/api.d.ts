// Types of the result of `tfjs(g, tf)`. Types of TensorFlow.js come from the given `tf`. This file
// imports none, so it compiles with any copy of TensorFlow.js and without one.
import type Optimizers from '../optim/optimizers.js';
import type { RuleName } from '../optim/optimizers.js';
import type { Optimizer, Variable } from '../types.js';

type InstanceOf<C> = C extends abstract new (...args: never[]) => unknown ? InstanceType<C> : never;

/** TensorFlow.js: all of `@tensorflow/tfjs` or of `@tensorflow/tfjs-core`, from 4.0. */
export interface TensorFlow {
  /** Such as `'4.22.0'`. */
  readonly version_core: string;
  /** The base class of its optimizers. */
  readonly Optimizer: object;
  /** The class of its variables. */
  readonly Variable: object;
  /** The engine that computes and keeps tensors. */
  engine(): object;
}

/** A weight of a layer of TensorFlow.js, such as `layer.kernel` or one of `layer.weights`. */
export interface LayerVariable {
  /** Such as `'dense_1/kernel'`. */
  readonly name: string;
  /** Its values, as a tensor of TensorFlow.js. */
  read(): object;
}

/** An optimizer that TensorFlow.js accepts as its own; its options are live. */
type TensorFlowOptimizer<T extends TensorFlow, O extends object> = InstanceOf<T['Optimizer']> &
  Required<O> & {
    /**
     * The optimizer of gradlock: slots, clocks, averages, norms, rates of single variables.
     * @example
     * const { optimizers, locksOf } = tfjs(g, tf);
     * const x = tf.variable(tf.tensor1d([1, 2]));
     * const adam = optimizers.adam();
     * adam.minimize(() => tf.sum(x));
     * adam.gradlock.slot(locksOf(x), 'm'); // [0.1, 0.1]
     */
    readonly gradlock: Optimizer;
  };

/**
 * Makes optimizers: one method for each update rule of `g.optimizers`, with its options and Keras's
 * defaults. Options that are unknown or out of range throw OptionError.
 * @example
 * const x = tf.variable(tf.scalar(1));
 * tfjs(g, tf).optimizers.sgd({ learningRate: 0.25 }).minimize(() => tf.square(x));
 * x.arraySync(); // 0.5
 */
type TensorFlowOptimizers<T extends TensorFlow> = {
  [Rule in keyof Pick<Optimizers, RuleName>]: (
    options?: Parameters<Optimizers[Rule]>[0],
  ) => TensorFlowOptimizer<T, NonNullable<Parameters<Optimizers[Rule]>[0]>>;
};

/** The result of `tfjs(g, tf)`. Its methods may be used without it. */
interface TensorFlowLocks<T extends TensorFlow> {
  /** Optimizers for `model.compile`, `minimize` and `applyGradients`. */
  readonly optimizers: TensorFlowOptimizers<T>;
  /**
   * The gradlock variable for a variable of TensorFlow.js, with the same values. Use its `lock`,
   * `unlock`, `toggle`, `trainOnly`, `lockPolicy`, and its `locks` with holders and audits.
   * TensorFlow.js gets values written by its `fix` and `assign` at the next `minimize` or
   * `locksOf`. Call `locksOf` each time, since selections compare values: this call reads what
   * TensorFlow.js assigned meanwhile.
   *
   * Throws TypeError if the argument is not a variable, DisposedError if it was disposed, and
   * HandleError if it belongs to another copy of TensorFlow.js. Throws GradlockError for a dtype
   * other than float32.
   * @example
   * const { locksOf } = tfjs(g, tf);
   * const x = tf.variable(tf.tensor1d([1, 2, 3]));
   * locksOf(x).lock((value) => value > 1);
   * locksOf(x).locks.count; // 2
   */
  locksOf(variable: InstanceOf<T['Variable']> | LayerVariable): Variable;
  /**
   * The number of locked elements of a variable that TensorFlow.js's own `assign` has changed.
   * gradlock cannot refuse that, so it counts as forced.
   * @example
   * const { forced, locksOf } = tfjs(g, tf);
   * const x = tf.variable(tf.tensor1d([1, 2]));
   * locksOf(x).lock([1]);
   * x.assign(tf.tensor1d([3, 4]));
   * forced(x); // 1
   */
  forced(variable: InstanceOf<T['Variable']> | LayerVariable): number;
  /**
   * Dispose all optimizers made here, and the gradlock variables with their locks. Variables of
   * TensorFlow.js stay. The gradlock variable of a disposed variable is disposed automatically, at
   * the next call of any function here.
   * @example
   * const { dispose, locksOf } = tfjs(g, tf);
   * const x = tf.variable(tf.scalar(1));
   * locksOf(x).lock('all');
   * dispose();
   * locksOf(x).locks.count; // 0
   */
  dispose(): void;
}

export type { TensorFlowLocks, TensorFlowOptimizer, TensorFlowOptimizers };
