/* Every type of gradlock/layers. */
import { init, type Tensor, type Variable } from 'gradlock';
import {
  layers,
  type Callback,
  type CompileOptions,
  type Conv2DConfig,
  type Dense,
  type DenseConfig,
  type FitOptions,
  type FitResult,
  type LSTM,
  type LiftPressureOptions,
  type Pressure,
  type PressureOptions,
  type PressureRow,
  type Layer,
  type Layers,
  type Model,
  type Sequential,
  type Stage,
  type Summary,
  type SymbolicTensor,
  type WeightFilter,
} from 'gradlock/layers';

export async function train(xs: Tensor, ys: number[][]): Promise<number> {
  const g = await init();
  const nn: Layers = layers(g, { seed: 1 });
  const head: DenseConfig = {
    units: 10,
    activation: 'softmax',
    name: 'head',
    kernelRegularizer: 'l2',
  };
  const first: Conv2DConfig = {
    filters: 8,
    kernelSize: [3, 3],
    padding: 'same',
    inputShape: [28, 28, 1],
  };
  const net: Sequential = nn.sequential([
    nn.conv2d(first),
    nn.batchNormalization(),
    nn.maxPooling2d({ poolSize: 2 }),
    nn.flatten(),
    nn.dense(head),
  ]);
  const own = class extends nn.Layer {
    static className = 'Own';
    factor: Variable | undefined;
    override build(shape: number[]) {
      this.factor = this.addWeight('factor', [shape.at(-1)], {
        initializer: nn.initializer('ones'),
      });
    }
    override call(x: Tensor) {
      return this.factor ? g.mul(x, this.factor) : x;
    }
  };
  nn.registerClass(own);
  net.add(new own({ name: 'own' })).add(nn.lambda((x) => g.mul(x, 2)));
  const dense: Dense = nn.dense({ units: 3, activation: (x) => g.relu(x) });
  const kernel: Variable = dense.kernel;
  const moving: Variable = nn.batchNormalization().movingMean;
  const x: SymbolicTensor = nn.input({ shape: [4] });
  const y: SymbolicTensor = nn.concatenate().apply([x, nn.reLU().apply(x)]);
  const model: Model = nn.model({ inputs: x, outputs: [y, x], name: 'two' });
  const options: CompileOptions = {
    optimizer: g.optimizers.adam({ learningRate: 0.01 }),
    loss: { head: 'sparseCategoricalCrossentropy', other: (a, b) => g.sub(a, b) },
    metrics: ['accuracy', { className: 'Precision', config: { thresholds: 0.5 } }],
  };
  net.compile(options);
  model.compile({ optimizer: 'adam', loss: ['mse', null], lossWeights: [1, 0.5] });
  const filters: WeightFilter[] = ['head', /bias$/, (weight) => weight.size > 3];
  for (const filter of filters) net.lock(filter, { rows: [0] });
  const stages: Stage[] = [{ atEpoch: 1, trainOnly: /^head/, rates: { conv2d: 0.1 } }];
  net.schedule(stages);
  const callbacks: Callback[] = [
    nn.callbacks.earlyStopping({ monitor: 'loss', patience: 3, restoreBestWeights: true }),
    { onEpochEnd: (epoch, logs) => epoch + (logs.loss ?? 0) },
  ];
  const fit: FitOptions = {
    epochs: 2,
    batchSize: 32,
    callbacks,
    yieldEvery: 'auto',
    signal: new AbortController().signal,
  };
  const { history, audit, stopped }: FitResult = await net.fit(xs, ys, fit);
  const { total }: Summary = net.summary({ print: null });
  const asked: PressureOptions = { by: 'filter', sortBy: 'optimal', learningRate: 0.1, maxRows: 5 };
  const pressure: Pressure = await net.pressure(xs, ys, asked);
  const pressed: PressureRow[] = [...pressure.lift(2), ...pressure.layers];
  const lift: LiftPressureOptions = { data: [xs, ys], every: 2, by: 'weight' };
  callbacks.push(nn.callbacks.liftPressure(lift));
  const layer: Layer = net.getLayer('head');
  const own2: Variable = net.getLayer<Dense>('head').kernel;
  const names: string[] = net.layers.map(({ name, trainable }) => name + trainable);
  // What layers give is what they were given, tensors or what stands for them.
  const hidden: SymbolicTensor = nn.dense({ units: 3 }).apply(nn.dropout({ rate: 0.5 }).apply(x));
  const values: number[][] = dense.apply(g.tensor([[1, 2]])).array();
  const lstm: LSTM = nn.lstm({ units: 2, returnState: true });
  const [, state]: SymbolicTensor[] = lstm.apply(nn.input({ shape: [2, 3] }));
  model.apply<Tensor[]>([xs, xs]).at(-1)?.data();
  const [one, other]: Tensor[] = model.predict([[1, 2, 3, 4]]);
  const predicted: number = net.predict(xs).array()[0][1] + Number(net.predict(xs).data()[0]);
  nn.model({ inputs: model.input as SymbolicTensor, outputs: [hidden, ...model.outputs] });
  nn.dense({ units: 1 }).apply(net.output);
  nn.leakyReLU({ alpha: 0.1 });
  nn.conv1d({ filters: 1, kernelSize: 3, padding: 'causal', dilationRate: [2] });
  nn.zeroPadding2d({
    padding: [
      [1, 0],
      [0, 1],
    ],
  });
  // @ts-expect-error It causes nothing: steps have an order, images have none.
  nn.conv2d({ filters: 1, kernelSize: 3, padding: 'causal' });
  // @ts-expect-error Two sizes for three axes.
  nn.maxPooling3d({ poolSize: [2, 2] });
  // @ts-expect-error What there is for files only is no option.
  nn.lstm({ units: 1, useCudnn: true });
  // @ts-expect-error kernelSize is missing.
  nn.conv2d({ filters: 1 });
  // @ts-expect-error A layer takes tensors, not layers.
  dense.apply(dense);
  // @ts-expect-error Not every layer has a kernel.
  net.getLayer('head').kernel;
  // @ts-expect-error What stands for values has none.
  hidden.data();
  // @ts-expect-error There is no such monitor's mode.
  nn.callbacks.earlyStopping({ mode: 'most' });
  layer.trainable = false;
  layer.setWeights(layer.getWeights(), { force: true });
  const again: Model = nn.modelFromJSON(JSON.stringify(net));
  // @ts-expect-error units is missing.
  nn.dense({});
  // @ts-expect-error A misspelt option.
  nn.dense({ unit: 3 });
  // @ts-expect-error A misspelt option, beside what is needed.
  nn.dense({ units: 3, activations: 'relu' });
  // @ts-expect-error There is no such padding.
  nn.conv2d({ filters: 1, kernelSize: 3, padding: 'full' });
  // @ts-expect-error A number is no activation.
  nn.activation({ activation: 3 });
  // @ts-expect-error A misspelt option of fit.
  void net.fit(xs, ys, { epoch: 2 });
  // @ts-expect-error There is no such unit.
  void net.pressure(xs, ys, { by: 'row' });
  // @ts-expect-error compile needs an optimizer.
  net.compile({ loss: 'mse' });
  // @ts-expect-error A layer has no such weight.
  nn.dense({ units: 1 }).kernels;
  // @ts-expect-error What is internal is not there.
  net.order;
  return (
    (history.loss?.length ?? 0) +
    (audit?.changed ?? 0) +
    total.locked +
    kernel.size +
    moving.size +
    (stopped ?? '').length +
    again.countParams() +
    pressed.length +
    own2.size +
    names.length +
    values.length +
    (state?.rank ?? 0) +
    (one?.size ?? 0) +
    (other?.size ?? 0) +
    predicted
  );
}
