// What `tfjs(g, tf)` gives. The types of TensorFlow.js are those of the `tf` that was given: this
// file imports none, so it compiles beside any copy and without one.
import type Optimizers from '../optim/optimizers.js';
import type { RuleName } from '../optim/optimizers.js';
import type { Optimizer, Variable } from '../types.js';

type InstanceOf<C> = C extends abstract new (...args: never[]) => unknown ? InstanceType<C> : never;

/** What is used of TensorFlow.js: all of `@tensorflow/tfjs` or of `@tensorflow/tfjs-core`, from 4.0. */
export interface TensorFlow {
  /** Such as `'4.22.0'`. */
  readonly version_core: string;
  /** What its optimizers are made from. */
  readonly Optimizer: object;
  /** The class of its variables. */
  readonly Variable: object;
  /** What computes, and keeps tensors. */
  engine(): object;
}

/** A weight of a layer of TensorFlow.js, such as `layer.kernel` or one of `layer.weights`. */
export interface LayerVariable {
  /** Such as `'dense_1/kernel'`. */
  readonly name: string;
  /** Its values, as a tensor of TensorFlow.js. */
  read(): object;
}

/** An optimizer that TensorFlow.js takes for one of its own; its options are live. */
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

/** What `tfjs(g, tf)` gives. Its methods may be taken off. */
interface TensorFlowLocks<T extends TensorFlow> {
  /** Optimizers for `model.compile`, `minimize` and `applyGradients`. */
  readonly optimizers: TensorFlowOptimizers<T>;
  /**
   * The variable of gradlock that stands for one of TensorFlow.js, equal to it: its `lock`, `unlock`,
   * `toggle`, `trainOnly`, `lockPolicy`, its `locks` with holders and audits. What `fix` and `assign`
   * write here TensorFlow.js has from the next `minimize` or `locksOf` on. Call it where it is used,
   * since selections look at values: what TensorFlow.js assigned meanwhile is read by this call.
   *
   * Throws TypeError for what is no variable, DisposedError for one that was disposed, HandleError
   * for one of another copy of TensorFlow.js, GradlockError for a dtype other than float32.
   * @example
   * const { locksOf } = tfjs(g, tf);
   * const x = tf.variable(tf.tensor1d([1, 2, 3]));
   * locksOf(x).lock((value) => value > 1);
   * locksOf(x).locks.count; // 2
   */
  locksOf(variable: InstanceOf<T['Variable']> | LayerVariable): Variable;
  /**
   * How many locked elements of a variable TensorFlow.js's own `assign` has changed: nothing here
   * can refuse that, so it counts as forced.
   * @example
   * const { forced, locksOf } = tfjs(g, tf);
   * const x = tf.variable(tf.tensor1d([1, 2]));
   * locksOf(x).lock([1]);
   * x.assign(tf.tensor1d([3, 4]));
   * forced(x); // 1
   */
  forced(variable: InstanceOf<T['Variable']> | LayerVariable): number;
  /**
   * Dispose of all optimizers made here, and of what stands for variables, with its locks. Variables
   * of TensorFlow.js stay. What stands for a variable that was disposed goes by itself, at the next
   * call of anything here.
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
