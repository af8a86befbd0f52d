// Layers and models as users meet them: what of the classes is public. The classes have more, for
// each other.
import type { Gradlock } from '../gradlock.js';
import type { Selection } from '../locks/locks.js';
import type { Variable } from '../locks/variable.js';
import type { Optimizer } from '../optim/optimizer.js';
import type { Tensor, TensorLike } from '../tensors/tensor.js';
import type { LayerConfig, LayerInitializer, NamedConfig, OpenShape } from './api-configs.js';
import type { Callback } from './fit/callbacks.js';
import type { FitOptions, FitResult } from './fit/fit.js';
import type { Logs } from './fit/logs.js';
import type { WeightFilter } from './model/model.js';
import type { PressureRow } from './pressure/parts.js';
import type { Summary } from './model/summary.js';
import type { Stage } from './model/trainer.js';

/**
 * Stands for the values of a batch while a model is put together: what `input` and a layer's
 * `apply` give.
 */
export interface SymbolicTensor {
  /** The first size, the batch's, is mostly null. */
  readonly shape: OpenShape;
  /** Number of axes. */
  readonly rank: number;
  /** Of the layer that gave it, and which of its outputs. */
  readonly name: string;
}

/** What a layer's `apply` and `call` are told besides. */
export interface CallOptions {
  /** Whether this is training: dropout drops, batch normalisation takes the batch's statistics. */
  training?: boolean;
  /** 1 for steps in time that there are, 0 for others. */
  mask?: TensorLike | null;
  [option: string]: unknown;
}

/** What layers are applied to. */
export type LayerInputs =
  | SymbolicTensor
  | TensorLike
  | readonly (SymbolicTensor | TensorLike)[]
  | Record<string, SymbolicTensor | TensorLike>;

/** A layer: weights, and a function of tensors. */
export interface Layer {
  /** The instance that computes. */
  readonly g: Gradlock;
  /** Unique within a model. */
  readonly name: string;
  /**
   * Whether training may change it. `false` holds all its weights by a holder named `frozen`, live,
   * in the middle of training too; `true` lets go of that holder only, so other locks stay.
   */
  trainable: boolean;
  /** Whether it, or a model that it is part of, is not trainable. */
  readonly frozen: boolean;
  /** Whether its weights were made: by a first `apply`, or because its inputShape is known. */
  readonly built: boolean;
  /** All weights, in Keras's order. Every element of them can be locked. */
  readonly weights: Variable[];
  /** Those that training may change. */
  readonly trainableWeights: Variable[];
  /** The others: of frozen layers, and moving statistics. */
  readonly nonTrainableWeights: Variable[];
  /**
   * The shape of what it gives, the batch included; null is a size that is not known. Throws
   * ShapeError where known sizes do not fit.
   * @param inputShape One shape, or as many as inputs.
   * @example
   * nn.conv1d({ filters: 8, kernelSize: 3 }).computeOutputShape([null, null, 2]); // [null, null, 8]
   * nn.maxPooling1d().computeOutputShape([null, 9, 2]); // [null, 4, 2]
   */
  computeOutputShape(
    inputShape: OpenShape | readonly OpenShape[],
    options?: Record<string, unknown>,
  ): any;
  /** What it was first applied to. */
  readonly input: any;
  /** What it then gave. */
  readonly output: any;
  /**
   * Apply it: to what `input` or another layer gave, which gives the same; or to values, which
   * gives tensors. One, or a list.
   * @example
   * const layer = nn.dense({ units: 2, kernelInitializer: 'ones' });
   * layer.apply(g.tensor([[1, 2]])).array(); // [[3, 3]]
   */
  apply(inputs: LayerInputs, options?: CallOptions): any;
  /**
   * Make the weights for inputs of a shape, with the batch, unless they were made.
   * @example
   * const layer = nn.dense({ units: 2 });
   * layer.ensureBuilt([null, 3]);
   * layer.kernel.shape; // [3, 2]
   */
  ensureBuilt(inputShape: OpenShape | readonly OpenShape[]): void;
  /**
   * Number of elements of all weights.
   * @example
   * const layer = nn.dense({ units: 2, inputShape: [3] });
   * nn.sequential([layer]).countParams(); // 8
   */
  countParams(): number;
  /**
   * Copies of the weights, in order.
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [2], kernelInitializer: 'ones' });
   * nn.sequential([layer]).getWeights().map((w) => w.array()); // [[[1], [1]], [0]]
   */
  getWeights(): Tensor[];
  /**
   * Write the weights, all or none, in their order. Throws LockedElementError if a locked element
   * would change (docs/laws.md, law 9), but with `force`.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [2] })]);
   * net.setWeights([[[1], [2]], [3]]);
   * net.predict([[1, 1]]).array(); // [[6]]
   */
  setWeights(values: readonly TensorLike[], options?: { force?: boolean }): void;
  /**
   * Its configuration, as Keras's JSON has it.
   * @example
   * nn.dense({ units: 2 }).getConfig().units; // 2
   */
  getConfig(): Record<string, unknown>;
  /**
   * Whether what it makes of a row is the same each time, whatever else is in the batch: then `fit`
   * may compute it once while its weights are locked. Of layers of your own false, unless they say
   * so.
   * @example
   * nn.dropout({ rate: 0.5 }).isPure(true); // false
   */
  isPure(training: boolean): boolean;
  /**
   * Let what is stateful begin anew.
   * @example
   * const net = nn.sequential([
   *   nn.simpleRNN({ units: 1, stateful: true, batchInputShape: [1, 2, 1] }),
   * ]);
   * const first = net.predict([[[1], [1]]]).item();
   * net.resetStates();
   * net.predict([[[1], [1]]]).item() === first; // true
   */
  resetStates(): void;
  /**
   * Give the memory of weights and states back.
   * @example
   * const layer = nn.dense({ units: 2 });
   * layer.ensureBuilt([null, 3]);
   * layer.dispose();
   * layer.kernel.disposed; // true
   */
  dispose(): void;
  /**
   * @example
   * String(nn.dense({ units: 2, name: 'head' })); // 'head (Dense)'
   */
  toString(): string;
}

/** A layer with a kernel. */
export interface KernelLayer extends Layer {
  /** Made when the layer is built. */
  readonly kernel: Variable;
  /** There with useBias. */
  readonly bias: Variable;
}

/** Of `separableConv2d`. */
export interface SeparableLayer extends KernelLayer {
  /** The kernel that mixes channels; made when the layer is built. */
  readonly pointwise: Variable;
}

/** Of recurrent layers. */
export interface RecurrentLayer extends KernelLayer {
  /** What acts on the state; made when the layer is built. */
  readonly recurrentKernel: Variable;
}

/** Of `embedding`. */
export interface EmbeddingLayer extends Layer {
  /** [inputDim, outputDim] */
  readonly embeddings: Variable;
}

/** Of normalisation. */
export interface NormalizationLayer extends Layer {
  /** There with `scale`. */
  readonly gamma: Variable;
  /** There with `center`. */
  readonly beta: Variable;
}

/** Of `batchNormalization`. */
export interface BatchNormalizationLayer extends NormalizationLayer {
  /** Moves in training, unless the layer is frozen or its elements are locked. */
  readonly movingMean: Variable;
  /** Moves as the mean does. */
  readonly movingVariance: Variable;
}

/** Of `prelu`. */
export interface PReLULayer extends Layer {
  /** Slopes of what is negative. */
  readonly alpha: Variable;
}

/** Of `rmsNormalization`. */
export interface RMSNormalizationLayer extends Layer {
  /** Factors of the normalized values. */
  readonly scale: Variable;
}

/** Of `bidirectional`. */
export interface BidirectionalLayer extends Layer {
  /** Reads from the first step to the last. */
  readonly forwardLayer: any;
  /** Reads from the last step to the first. */
  readonly backwardLayer: any;
}

/** The class to derive layers of one's own from: `nn.Layer`. */
export interface LayerConstructor {
  new (config?: LayerConfig): CustomLayer;
  /** What JSON calls it. */
  className: string;
}

/** What `nn.initializer` gives. */
export interface WeightInitializer {
  /**
   * @example
   * nn.initializer('ones').make([2]).data(); // [1, 1]
   */
  make(shape: readonly number[]): Tensor;
}

/** What a layer of one's own has, and overrides. */
export interface CustomLayer extends Layer {
  /**
   * Make the weights by `addWeight`, once: of one shape, or as many as inputs.
   * @example
   * class Scale extends nn.Layer {
   *   static className = 'Scale';
   *   build(inputShape) {
   *     this.scale = this.addWeight('scale', [inputShape.at(-1)], { initializer: 'ones' });
   *   }
   *   call(x) {
   *     return g.mul(x, this.scale);
   *   }
   * }
   * new Scale().apply(g.tensor([[1, 2]])).array(); // [[1, 2]]
   */
  build(inputShape: any): void;
  /**
   * The function of tensors that it is. Shapes of outputs follow from it, where sizes that are open
   * do not matter; override `computeOutputShape` where they do.
   * @example
   * class Double extends nn.Layer {
   *   static className = 'Double';
   *   call(x) {
   *     return g.mul(x, 2);
   *   }
   * }
   * new Double().apply(g.tensor([[1, 2]])).array(); // [[2, 4]]
   */
  call(inputs: any, options: any): any;
  /**
   * A new weight, in `build`.
   * @example
   * class Shift extends nn.Layer {
   *   static className = 'Shift';
   *   build() {
   *     this.by = this.addWeight('by', [1], { initializer: 'zeros' });
   *   }
   *   call(x) {
   *     return g.add(x, this.by);
   *   }
   * }
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [2] }), new Shift()]);
   * net.weights.map(({ name }) => name); // ['dense/kernel', 'dense/bias', 'shift/by']
   */
  addWeight(
    name: string,
    shape: readonly (number | null | undefined)[],
    options?: {
      /** Default: 'glorotUniform'. */
      initializer?: WeightInitializer | LayerInitializer;
      /** Default: true. */
      trainable?: boolean;
    },
  ): Variable;
  /**
   * Make another layer part of this one.
   * @example
   * class Twice extends nn.Layer {
   *   static className = 'Twice';
   *   build() {
   *     this.inner = this.track(nn.dense({ units: 2, kernelInitializer: 'identity' }));
   *   }
   *   call(x) {
   *     return this.inner.apply(this.inner.apply(x));
   *   }
   * }
   * new Twice().apply(g.tensor([[1, 2]])).array(); // [[1, 2]]
   */
  track<T extends Layer>(layer: T): T;
}

/** A loss by its name, with a configuration, or as a function of labels and predictions. */
export type LayerLoss = string | NamedConfig | ((yTrue: Tensor, yPred: Tensor) => Tensor) | null;

/** A metric, likewise. */
export type LayerMetric = string | NamedConfig | ((yTrue: Tensor, yPred: Tensor) => Tensor);

/** For all outputs, as a list, or by the outputs' names. */
export type PerOutput<T> = T | readonly T[] | { readonly [output: string]: T };

/** What `compile` takes. */
export interface CompileOptions {
  /** A name, with Keras's defaults: 'adam' has a learning rate of 0.001; or what g.optimizers gives. */
  optimizer: string | NamedConfig | Optimizer;
  /** One for all outputs, or one an output. */
  loss: PerOutput<LayerLoss>;
  /** Default: 1. */
  lossWeights?: PerOutput<number>;
  /** What else is told of batches and epochs; nothing is trained by it. */
  metrics?: PerOutput<LayerMetric | null> | readonly (readonly LayerMetric[])[];
  /** Metrics that take weights of samples. */
  weightedMetrics?: PerOutput<LayerMetric | null> | readonly (readonly LayerMetric[])[];
}

/** Rows, one a sample: tensors or nested arrays; a list or an object of them for several. */
export type Data = TensorLike | readonly TensorLike[] | { readonly [name: string]: TensorLike };

/** A batch from elsewhere: `[x, y]`, `[x, y, sampleWeight]` or `{ xs, ys }`. */
export type Batch = readonly Data[] | { xs: Data; ys: Data };

/** An iterator of batches, an async one, or a function that makes one for each epoch. */
export type Batches =
  | Iterable<Batch>
  | AsyncIterable<Batch>
  | Iterator<Batch>
  | AsyncIterator<Batch>
  | (() => Iterable<Batch> | AsyncIterable<Batch> | Iterator<Batch> | AsyncIterator<Batch>);

/** What pressure is measured by. */
export type PressureMeasure = 'relativeNorm' | 'firstOrder' | 'secondOrder' | 'optimal';

/** Whose pressure a row is: a filter is what one output of a kernel reads, or an embedding's row. */
export type PressureUnit = 'layer' | 'weight' | 'filter';

/** How pressure is measured, and what of it is shown. */
export interface PressureMeasureOptions {
  /** Rows of data at a time. Default: 32. The result does not depend on it but for rounding. */
  batchSize?: number;
  /** Of the step whose gain is told, 0 or above. Default: the optimizer's. */
  learningRate?: number | null;
  /** Default: 'layer'. */
  by?: PressureUnit;
  /** Default: 'firstOrder'. */
  sortBy?: PressureMeasure;
}

/** What `pressure` takes. */
export interface PressureOptions extends PressureMeasureOptions {
  /** A weight a sample. */
  sampleWeight?: Data;
  /** How many rows are shown, and have their curvature computed. Default: 20. */
  maxRows?: number;
  /** Whether curvatures are computed: a pass over the data for each row shown. Default: true. */
  secondOrder?: boolean;
  /** When the page may draw and answer, as of `fit`. Default: 'auto'. */
  yieldEvery?: 'auto' | 'batch' | 'epoch' | 'never' | number;
}

/** What `pressure` resolves with. */
export interface Pressure {
  /** Of the data. */
  readonly loss: number;
  /** Of the step whose gain is told. */
  readonly learningRate: number;
  /** What rows are sorted by. */
  readonly sortBy: PressureMeasure;
  /** What was asked for by `by`: the largest of `sortBy` first, what is NaN before all. */
  readonly rows: PressureRow[];
  /** One row, or two, a layer: its locked and its free elements. */
  readonly layers: PressureRow[];
  /** A row, or two, a weight. */
  readonly weights: PressureRow[];
  /** A row, or two, a filter. */
  readonly filters: PressureRow[];
  /** `rows` as a table, `maxRows` of them. */
  readonly text: string;
  /** The measure of `rows` as bars: SVG. Colours follow CSS's `color` and `--gradlock-locked`. */
  readonly svg: string;
  /**
   * Unlock the first rows that are locked and not NaN, and say which. Layers that are frozen are so
   * no longer; what else of them, and of frozen models around them, was locked stays locked. Locks
   * of other holders than `frozen` and the plain one stay too, and such rows are passed over.
   * @param count Default: 1.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1], name: 'only' })]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.trainable = false;
   * const found = await net.pressure([[1]], [[3]]);
   * found.lift().map(({ name }) => name); // ['only']
   */
  lift(count?: number): PressureRow[];
}

/** What `liftPressure` takes. */
export interface LiftPressureOptions extends PressureMeasureOptions {
  /** `[x, y]` or `[x, y, sampleWeight]`: what pressure is measured on. */
  data: readonly Data[];
  /** Epochs from one lift to the next; the first is before the first epoch. Default: 1. */
  every?: number;
  /** Layers, weights or filters at a time. Default: 1. */
  count?: number;
}

/** Layers between inputs and outputs: itself a layer, which can be trained. */
export interface Model extends Layer {
  /** In the order in which they run. */
  readonly layers: any[];
  /** What it was made from. */
  readonly inputs: SymbolicTensor[];
  /** What it gives. */
  readonly outputs: SymbolicTensor[];
  /** Of `compile`. */
  readonly optimizer: Optimizer | null;
  /** Set by callbacks: training ends after the batch at hand. */
  stopTraining: boolean;
  /**
   * Settle how to train. Locks, and what an optimizer has learned of weights, stay as they are.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
   * net.compile({ optimizer: g.optimizers.adam({ learningRate: 0.1 }), loss: 'mse' });
   * net.optimizer.learningRate; // 0.1
   */
  compile(options: CompileOptions): void;
  /**
   * Train. Resolves with the history, also of what was broken off; rejects with what a callback or
   * an iterator throws.
   * @example
   * const net = nn.sequential([
   *   nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones', useBias: false }),
   * ]);
   * net.compile({ optimizer: g.optimizers.sgd({ learningRate: 0.25 }), loss: 'mse' });
   * const { history } = await net.fit([[1], [1]], [[3], [3]], { epochs: 3 });
   * history.loss; // [4, 1, 0.25]
   */
  fit(x: Data, y: Data, options?: FitOptions): Promise<FitResult>;
  fit(batches: Batches, options?: FitOptions): Promise<FitResult>;
  /**
   * Loss and metrics over rows, in inference mode.
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * (await net.evaluate([[1], [2]], [[1], [4]])).loss; // 2
   */
  evaluate(x: Data, y: Data, options?: { batchSize?: number; sampleWeight?: Data }): Promise<Logs>;
  /**
   * What each lock costs, and what each free element has to gain (docs/laws.md, law 21): norms of
   * the gradient of the loss over rows, relative to the weights', and the gain of a gradient step to
   * first and to second order; of layers, weights and filters, locked elements and free ones apart.
   * In inference mode: no dropout, moving statistics in batch normalisation. Changes nothing.
   *
   * Rejects with an OptionError for stateful layers, with a GradlockError if weights or locks change
   * meanwhile.
   * ```js
   * const found = await net.pressure(xs, ys, { by: 'layer' });
   * console.log(found.text);
   * found.lift();                       // unlocks the layer that is pressed most
   * ```
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * const { rows } = await net.pressure([[2]], [[0]], { learningRate: 0.5 });
   * rows[0].firstOrder; // 40
   */
  pressure(x: Data, y: Data, options?: PressureOptions): Promise<Pressure>;
  /**
   * What the model gives for rows, in inference mode: a tensor, or one an output.
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.predict([[1], [2]]).array(); // [[1], [2]]
   */
  predict(x: Data, options?: { batchSize?: number }): any;
  /**
   * One step on a batch. Gives the logs as they were before the step.
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.trainOnBatch([[1]], [[3]]).loss; // 4
   */
  trainOnBatch(x: Data, y: Data, options?: { sampleWeight?: Data }): Logs;
  /**
   * Loss and metrics of a batch, in inference mode.
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.testOnBatch([[1]], [[3]]).loss; // 4
   */
  testOnBatch(x: Data, y: Data, options?: { sampleWeight?: Data }): Logs;
  /**
   * What is to be locked, and how fast things learn, from which epoch of `fit` on.
   * @example
   * const net = nn.sequential([
   *   nn.dense({ units: 2, inputShape: [1], name: 'base' }),
   *   nn.dense({ units: 1, name: 'head' }),
   * ]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.schedule([{ atEpoch: 0, trainOnly: 'head' }, { atEpoch: 2, unlock: 'base' }]);
   * await net.fit([[1]], [[1]], { epochs: 2 });
   * net.getLayer('base').kernel.locks.count; // 2
   */
  schedule(stages: readonly Stage[]): void;
  /**
   * A layer, by its name or its place.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.getLayer('head').kernel.lock({ cols: [0] }).locks.count; // 3
   */
  getLayer(nameOrIndex: string | number): any;
  /**
   * Lock the weights that a filter names, or of each what a selection names. Gives what matched.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.lock(/kernel/, { rows: [0] }).map(({ name }) => name); // ['head/kernel']
   */
  lock(filter: WeightFilter, selection?: Selection): Variable[];
  /**
   * Unlock them. What `trainable = false` or another holder holds stays so.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.lock('head');
   * net.unlock(/bias/).map(({ name }) => name); // ['head/bias']
   */
  unlock(filter: WeightFilter, selection?: Selection): Variable[];
  /**
   * Unlock the weights that a filter names, and lock all others. Gives what matched.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.trainOnly(/bias/);
   * net.getLayer('head').kernel.locks.count; // 6
   */
  trainOnly(filter: WeightFilter): Variable[];
  /**
   * What it consists of, and what of that is free and locked; printed too, if `print` is not null.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3], name: 'head' })]);
   * net.lock('head');
   * net.summary({ print: null }).total.free; // 0
   */
  summary(options?: { print?: ((text: string) => void) | null }): Summary;
  /**
   * A picture of it, as SVG text.
   * @example
   * nn.sequential([nn.dense({ units: 2, inputShape: [3] })]).plot().slice(0, 4); // '<svg'
   */
  plot(): string;
  /**
   * The model without its weights, as Keras 3's `to_json` has it; an object for JSON.stringify.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3] })]);
   * nn.modelFromJSON(JSON.stringify(net)).countParams(); // 8
   */
  toJSON(): Record<string, any>;
}

/** Layers one after the other. Weights are made as soon as the input's shape is known. */
export interface Sequential extends Model {
  /**
   * Put a layer behind the others.
   * @example
   * const net = nn.sequential().add(nn.dense({ units: 2, inputShape: [3] }));
   * net.countParams(); // 8
   */
  add(layer: Layer): this;
  /**
   * Take the last layer off.
   * @example
   * const net = nn.sequential([nn.dense({ units: 2, inputShape: [3] }), nn.dense({ units: 1 })]);
   * net.pop();
   * net.layers.length; // 1
   */
  pop(): void;
}

/** When a ready-made callback acts. */
export interface MonitorOptions {
  /** A log. Default: 'val_loss'. */
  monitor?: string;
  /** Whether less or more is better. Default: 'auto', by the name of the log. */
  mode?: 'auto' | 'min' | 'max';
  /** Of Keras; says nothing here. */
  verbose?: number;
}

export interface EarlyStoppingOptions extends MonitorOptions {
  /** What counts as better. Default: 0. */
  minDelta?: number;
  /** Epochs without better before training ends. Default: 0. */
  patience?: number;
  /** What has to be reached at all. */
  baseline?: number | null;
  /** Whether the weights of the best epoch come back; locked elements stay. Default: false. */
  restoreBestWeights?: boolean;
  /** Default: 0. */
  startFromEpoch?: number;
}

export interface ReduceLROnPlateauOptions extends MonitorOptions {
  /** Default: 0.1. */
  factor?: number;
  /** Default: 10. */
  patience?: number;
  /** Default: 0.0001. */
  minDelta?: number;
  /** Epochs of rest after it acted. Default: 0. */
  cooldown?: number;
  /** Default: 0. */
  minLr?: number;
}

export interface ModelCheckpointOptions extends MonitorOptions {
  /** Called after an epoch; what it gives is awaited. */
  save: (model: Model, epoch: number, logs: Logs) => unknown;
  /** Whether only where the log is better. Default: false. */
  saveBestOnly?: boolean;
}

/** Ready-made callbacks for `fit`. */
export interface ReadyCallbacks {
  /**
   * Ends training when a log gets no better.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1], trainable: false })]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * const stopping = nn.callbacks.earlyStopping({ monitor: 'loss', patience: 2 });
   * const { epoch } = await net.fit([[1]], [[1]], { epochs: 10, callbacks: stopping });
   * epoch; // [0, 1, 2]
   */
  earlyStopping(options?: EarlyStoppingOptions): Callback & { readonly stoppedEpoch: number };
  /**
   * Learns slower when a log gets no better.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1], trainable: false })]);
   * net.compile({ optimizer: g.optimizers.sgd({ learningRate: 1 }), loss: 'mse' });
   * const slower = nn.callbacks.reduceLROnPlateau({ monitor: 'loss', factor: 0.5, patience: 1 });
   * await net.fit([[1]], [[1]], { epochs: 3, callbacks: slower });
   * net.optimizer.learningRate; // 0.25
   */
  reduceLROnPlateau(options?: ReduceLROnPlateauOptions): Callback;
  /**
   * Sets the learning rate before each epoch, from the epoch and the rate so far.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
   * net.compile({ optimizer: g.optimizers.sgd({ learningRate: 1 }), loss: 'mse' });
   * const halving = nn.callbacks.learningRateScheduler((epoch, rate) => rate / 2);
   * await net.fit([[1]], [[1]], { epochs: 3, callbacks: halving });
   * net.optimizer.learningRate; // 0.125
   */
  learningRateScheduler(schedule: (epoch: number, rate: number) => number): Callback;
  /**
   * Saves the model by a function of yours.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * const saved = [];
   * const save = (model, epoch) => saved.push([epoch, model.getWeights().length]);
   * const checkpoint = nn.callbacks.modelCheckpoint({ save });
   * await net.fit([[1]], [[1]], { epochs: 2, callbacks: checkpoint });
   * saved; // [[0, 2], [1, 2]]
   */
  modelCheckpoint(options: ModelCheckpointOptions): Callback;
  /**
   * Ends training when the loss is no number.
   * @example
   * const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * const ending = nn.callbacks.terminateOnNaN();
   * const { stopped } = await net.fit([[1]], [[NaN]], { epochs: 5, callbacks: ending });
   * stopped; // 'nan'
   */
  terminateOnNaN(): Callback;
  /**
   * Before the first epoch, and every so many after it, unlocks what is pressed most, by the
   * model's `pressure`. `lifted` says what, and before which epoch.
   * ```js
   * net.trainable = false;
   * const lifting = nn.callbacks.liftPressure({ data: [xs, ys], every: 2 });
   * await net.fit(xs, ys, { epochs: 6, callbacks: lifting });
   * ```
   * @example
   * const net = nn.sequential([
   *   nn.dense({ units: 1, inputShape: [1], name: 'a' }),
   *   nn.dense({ units: 1, name: 'b' }),
   * ]);
   * net.compile({ optimizer: 'sgd', loss: 'mse' });
   * net.trainable = false;
   * const lifting = nn.callbacks.liftPressure({ data: [[[1]], [[1]]] });
   * await net.fit([[1]], [[1]], { epochs: 2, callbacks: lifting });
   * lifting.lifted.length; // 2
   */
  liftPressure(
    options: LiftPressureOptions,
  ): Callback & { readonly lifted: readonly (PressureRow & { epoch: number })[] };
}

export type { Callback, FitOptions, FitResult, Logs, PressureRow, Stage, Summary, WeightFilter };
