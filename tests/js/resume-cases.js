/* Trainings that are broken off after some epochs and go on elsewhere: models with random layers
 * and states, and what may happen between two epochs. */
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';

/** @typedef {any} Any */
/**
 * @typedef {object} Case
 * @property {(nn: Any) => Any} build
 * @property {Any} [seed] Of `layers`. Default: 5.
 * @property {Any} [compile]
 * @property {Any} [fit] Options of fit.
 * @property {(nn: Any, net: Any) => Any[]} [callbacks]
 * @property {'rows' | 'steps' | 'image'} [kind] Of a row. Default: 'rows'.
 */

export const EPOCHS = 5;
export const BROKEN_OFF = 2;
const ROWS = 22; // the last of three batches has fewer

/**
 * Draws in training and in inference, as the middle of a variational autoencoder does.
 * @param {Any} nn
 */
export const registerOwn = (nn) => {
  class Sampling extends nn.Layer {
    static className = 'Sampling';
    call(/** @type {Any} */ x) {
      const { g } = /** @type {Any} */ (this);
      return g.add(x, g.randomNormal(x.shape, 0, 0.1, /** @type {Any} */ (this).randomness));
    }
  }
  nn.registerClass(Sampling);
  return /** @type {Any} */ (Sampling);
};

const SHAPES = { rows: [6], steps: [4, 3], image: [4, 4, 2] };

/** @param {Any} nn @param {keyof typeof SHAPES} kind @param {Any[]} list */
const stack = (nn, kind, list) =>
  nn.sequential([
    ...list,
    ...(kind === 'rows' ? [] : [nn.flatten()]),
    nn.dense({ units: 3, activation: 'softmax', name: 'head' }),
  ]);

/** @param {Any} nn */
const plain = (nn) =>
  stack(nn, 'rows', [nn.dense({ units: 8, inputShape: [6] }), nn.dropout({ rate: 0.4 })]);

/** Locks that come and go, always at the same epochs. @param {Any} net */
const lockBetween = (net) => ({
  onEpochBegin(/** @type {number} */ epoch) {
    const { kernel } = net.getLayer('head');
    if (epoch === 1) kernel.lock({ cols: [0] });
    if (epoch === 2) net.getLayer('head').bias.locks.holder('drag').lock([1]);
    if (epoch === 3) kernel.unlock('all');
  },
});

/** @type {Record<string, Case>} */
export const CASES = {
  'dropout and noise with seeds of their own': {
    build: (nn) =>
      stack(nn, 'rows', [
        nn.gaussianNoise({ stddev: 0.3, seed: 4, inputShape: [6] }),
        nn.dense({ units: 8 }),
        nn.dropout({ rate: 0.4, seed: 4 }),
        nn.dropout({ rate: 0.2 }),
      ]),
  },
  'no seed given': {
    seed: undefined,
    build: plain,
  },
  'a seed with a step': {
    seed: { seed: 3, step: 9 },
    build: plain,
  },
  'not shuffled': {
    fit: { shuffle: false },
    build: (nn) =>
      stack(nn, 'rows', [nn.dropout({ rate: 0.4, inputShape: [6] }), nn.dense({ units: 8 })]),
  },
  'recurrent dropout': {
    kind: 'steps',
    build: (nn) =>
      stack(nn, 'steps', [
        nn.lstm({
          units: 4,
          dropout: 0.2,
          recurrentDropout: 0.3,
          returnSequences: true,
          inputShape: [4, 3],
        }),
        nn.gru({ units: 3, dropout: 0.5, seed: 8 }),
      ]),
  },
  'channels dropped, and statistics': {
    kind: 'image',
    build: (nn) =>
      stack(nn, 'image', [
        nn.conv2d({ filters: 4, kernelSize: 2, inputShape: [4, 4, 2] }),
        nn.batchNormalization(),
        nn.spatialDropout2d({ rate: 0.3 }),
      ]),
  },
  'dropout of attention': {
    kind: 'steps',
    build: (nn) => {
      const x = nn.input({ shape: [4, 3] });
      const y = nn.multiHeadAttention({ numHeads: 2, keyDim: 2, dropout: 0.3 }).apply([x, x]);
      return nn.model({
        inputs: x,
        outputs: nn
          .dense({ units: 3, activation: 'softmax', name: 'head' })
          .apply(nn.flatten().apply(y)),
      });
    },
  },
  'draws in inference, too, and validation': {
    fit: { validationSplit: 0.3 },
    build: (nn) => {
      const Sampling = registerOwn(nn);
      return stack(nn, 'rows', [
        nn.dense({ units: 8, inputShape: [6] }),
        new Sampling({ name: 'sampling' }),
      ]);
    },
  },
  'states from batch to batch': {
    kind: 'steps',
    fit: { batchSize: 11, shuffle: false },
    build: (nn) =>
      stack(nn, 'steps', [nn.lstm({ units: 4, stateful: true, batchInputShape: [11, 4, 3] })]),
  },
  'a frozen base before a dropout': {
    build: (nn) => {
      const net = stack(nn, 'rows', [
        nn.dense({ units: 8, inputShape: [6], name: 'base' }),
        nn.dropout({ rate: 0.4 }),
      ]);
      net.getLayer('base').trainable = false;
      return net;
    },
  },
  'shuffled, with locks between and a schedule of rates': {
    fit: { shuffle: true },
    compile: (/** @type {Any} */ g) => ({
      optimizer: g.optimizers.rmsprop({
        learningRate: g.schedules.cosineDecay({ initialLearningRate: 0.05, decaySteps: 12 }),
        momentum: 0.5,
        onUnlock: 'reset',
      }),
    }),
    build: plain,
    callbacks: (_, net) => [lockBetween(net)],
  },
  'stages by epoch': {
    build: (nn) =>
      stack(nn, 'rows', [
        nn.dense({ units: 8, inputShape: [6], name: 'base' }),
        nn.dropout({ rate: 0.4 }),
      ]),
    callbacks: (_, net) => {
      net.schedule([
        { atEpoch: 0, trainOnly: 'head', learningRate: 0.02 },
        { atEpoch: 3, unlock: 'base' },
      ]);
      const lower = {
        onEpochEnd() {
          net.optimizer.learningRate *= 0.5;
        },
      };
      return [lower, lockBetween(net)];
    },
  },
  'rates by epoch': {
    build: plain,
    callbacks: (nn) => [
      nn.callbacks.learningRateScheduler((/** @type {number} */ epoch) => 0.1 / (epoch + 1)),
    ],
  },
  'a rate that falls on a plateau': {
    build: plain,
    callbacks: (nn) => [
      nn.callbacks.reduceLROnPlateau({ monitor: 'loss', patience: 2, minDelta: 10, factor: 0.5 }),
    ],
  },
  'an early end with the best weights back': {
    compile: () => ({ optimizer: { class_name: 'SGD', config: { learning_rate: 0.5 } } }),
    build: plain,
    callbacks: (nn) => [
      nn.callbacks.earlyStopping({
        monitor: 'loss',
        patience: 3,
        minDelta: 100,
        restoreBestWeights: true,
      }),
    ],
  },
};

/** @param {Case} given */
export const open = async ({ seed, ...given }, /** @type {string} */ name) => {
  const g = await init();
  const nn = /** @type {Any} */ (layers(g, 'seed' in CASES[name] ? { seed } : { seed: 5 }));
  const shape = SHAPES[given.kind ?? 'rows'];
  const draws = g.random(1);
  const x = draws.normal([ROWS, ...shape]);
  const y = g.floor(draws.uniform([ROWS], { maxval: 3 }));
  const compile = {
    optimizer: 'adam',
    loss: 'sparseCategoricalCrossentropy',
    metrics: ['accuracy'],
    ...given.compile?.(g),
  };
  /** @type {Any[] | undefined} */
  let callbacks;
  /** @param {Any} net @param {number} from @param {number} to @param {Any[]} [more] */
  const fit = (net, from, to, more = []) => {
    callbacks ??= given.callbacks?.(nn, net) ?? [];
    const [initialEpoch, epochs] = [from, to];
    return net.fit(x, y, {
      batchSize: 8,
      ...given.fit,
      initialEpoch,
      epochs,
      callbacks: [...callbacks, ...more],
    });
  };
  return { g, nn, compile, fit };
};

/** Bits of all weights, slots and locks, and what the optimizer knows. @param {Any} net */
export const digestOf = (net) => [
  ...net.weights.map((/** @type {Any} */ w) => `${w.name} ${w.digest()} ${w.locks.toIndices()}`),
  String(net.optimizer.iterations),
  String(net.optimizer.learningRate),
];
