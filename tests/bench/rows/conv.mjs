/* Convolutions alone: the layers of the two convolutional networks that other rows train, forward and
 * both gradients, as fractions of the limit: the machine's peak, or the traffic of operands where
 * that takes longer. The fastest of many short samples is told, of the peak too: these are fractions
 * of what the machine can, not of what neighbours leave. */
import { init } from 'gradlock';
import { fastest, repeatedly } from '../harness.mjs';
import { loadLimits, PEAK_OPERATIONS } from '../limits.mjs';
import { randomValues } from '../values.mjs';

/** @typedef {[batch: number, height: number, width: number, channels: number]} Images */

/**
 * Filters are 3 × 3.
 * @typedef {object} Layer
 * @property {string} what
 * @property {Images} images
 * @property {number} outputs of a window; of a channel, if it is depthwise
 * @property {boolean} [depthwise]
 * @property {boolean} [same] padded
 * @property {number} [stride] of padded images
 */

/** @type {Layer[]} */
const LAYERS = [
  { what: 'mnist-transfer-cnn, 1 → 32', images: [128, 28, 28, 1], outputs: 32 },
  { what: 'mnist-transfer-cnn, 32 → 32', images: [128, 26, 26, 32], outputs: 32 },
  { what: 'small CNN, 1 → 8', images: [32, 28, 28, 1], outputs: 8 },
  { what: 'small CNN, 8 → 16', images: [32, 13, 13, 8], outputs: 16 },
  { what: '64 → 64, padded', images: [4, 14, 14, 64], outputs: 64, same: true },
  { what: 'depthwise, 32', images: [8, 28, 28, 32], outputs: 1, depthwise: true, same: true },
  { what: 'depthwise, 256', images: [2, 14, 14, 256], outputs: 1, depthwise: true, same: true },
  { what: 'depthwise, 512', images: [4, 7, 7, 512], outputs: 1, depthwise: true, same: true },
  {
    what: 'depthwise, 64, stride 2',
    images: [2, 56, 56, 64],
    outputs: 1,
    depthwise: true,
    same: true,
    stride: 2,
  },
];

/** What each is expected to reach of its limit. */
const TARGETS = { conv: 0.55, depthwise: 0.5 };
const PEAK_ROUNDS = 5000;
const SIDE = 3;

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((size, n) => size * n, 1);

/**
 * The three ops of a layer, each compiled alone, beside a scalar: value() computes both and copies
 * only that.
 * @param {import('gradlock').Gradlock} g
 * @param {Layer} layer
 */
function openLayer(g, { images, outputs, depthwise, same, stride = 1 }) {
  const [batch, height, width, channels] = images;
  const shrink = same ? 0 : SIDE - 1;
  /** @param {number} size */
  const windows = (size) => Math.ceil((size - shrink) / stride);
  const y = [batch, windows(height), windows(width), outputs * (depthwise ? channels : 1)];
  /** @param {number[]} shape */
  const variable = (shape) => g.variable(randomValues(sizeOf(shape)), { shape });
  const x = variable(images);
  const filter = variable([SIDE, SIDE, channels, outputs]);
  const dy = variable(y);
  const conv = () => {
    const pad = same ? 'same' : 'valid';
    return depthwise ? g.depthwiseConv2d(x, filter, stride, pad) : g.conv2d(x, filter, stride, pad);
  };
  /** @param {import('gradlock').Tensor} of */
  const gradient = (of) => /** @type {import('gradlock').Tensor} */ (g.gradients(conv(), of, dy));
  const one = g.variable(1);
  /** @param {() => import('gradlock').Tensor} op */
  const alone = (op) => g.compile(() => [g.square(one), op()]);
  const programs = {
    forward: alone(conv),
    'by images': alone(() => gradient(x)),
    'by filter': alone(() => gradient(filter)),
  };
  const operations = 2 * sizeOf(y) * SIDE * SIDE * (depthwise ? 1 : channels);
  const moved = sizeOf(images) + sizeOf(y);
  return { programs, operations, moved };
}

/** @param {Layer} layer @returns {Promise<import('../harness.mjs').Result[]>} */
async function measureLayer(layer) {
  const g = await init();
  const { programs, operations, moved } = openLayer(g, layer);
  const count = Math.ceil(moved / 8) * 4;
  const { peak, write_negatives } = loadLimits(2 * count);
  const seconds = fastest({
    ...Object.fromEntries(
      Object.entries(programs).map(([name, program]) => [name, repeatedly(() => program.value())]),
    ),
    peak: repeatedly(() => peak(PEAK_ROUNDS)),
    // Reads as many as it writes.
    traffic: repeatedly(() => write_negatives(count)),
  });
  g.dispose();
  const arithmetic = (operations * seconds.peak) / (PEAK_ROUNDS * PEAK_OPERATIONS);
  const least = Math.max(arithmetic, seconds.traffic);
  const target = layer.depthwise ? TARGETS.depthwise : TARGETS.conv;
  return Object.keys(programs).map((name) => ({
    what: `${layer.what}, ${name}`,
    unit: 'ms',
    values: { gradlock: seconds[name] * 1e3, limit: least * 1e3 },
    limit: least / seconds[name],
    expected: `≥ ${Math.round(100 * target)} %`,
    met: least >= target * seconds[name],
  }));
}

/** Fractions of the outputs of a filter that are locked. */
const LOCKED = [0, 0.25, 0.5, 0.75];
/** How much longer than what is left a gradient may take. */
const SLACK = 0.1;

/**
 * The gradient by a filter of which some outputs are locked: a step of training, without what its
 * forward pass takes.
 * @param {Layer} layer
 * @returns {Promise<import('../harness.mjs').Result>}
 */
async function measureLocks({ what, images, outputs, depthwise }) {
  const g = await init();
  const x = g.variable(randomValues(sizeOf(images)), { shape: images, trainable: false });
  const shape = [SIDE, SIDE, images[3], outputs];
  const conv = (depthwise ? g.depthwiseConv2d : g.conv2d).bind(g);
  const columns = depthwise ? images[3] : outputs;
  const programs = LOCKED.map((fraction) => {
    const filter = g.variable(randomValues(sizeOf(shape)), { shape });
    const bits = Uint8Array.from(
      { length: sizeOf(shape) },
      (_, i) => +(i % columns < fraction * columns),
    );
    filter.lock(bits);
    return { filter, loss: g.compile(() => g.sum(conv(x, filter))) };
  });
  const sgd = g.optimizers.sgd({ learningRate: 1e-9 });
  const seconds = fastest({
    forward: repeatedly(() => programs[0].loss.value()),
    ...Object.fromEntries(
      programs.map(({ filter, loss }, i) => [
        String(LOCKED[i]),
        (/** @type {number} */ steps) => sgd.minimize(loss, { variables: [filter], steps }),
      ]),
    ),
  });
  g.dispose();
  const parts = LOCKED.map((fraction) => seconds[fraction] - seconds.forward);
  return {
    what: `${what}, by filter, outputs locked`,
    unit: 'of the time',
    values: Object.fromEntries(
      LOCKED.map((fraction, i) => [`${100 * fraction} %`, parts[i] / parts[0]]),
    ),
    expected: `≤ ${SLACK} over what is free`,
    met: parts.every((part, i) => part / parts[0] <= 1 - LOCKED[i] + SLACK),
  };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Convolutions and their gradients, 3 × 3',
  async run() {
    const results = [];
    for (const layer of LAYERS) results.push(...(await measureLayer(layer)));
    for (const layer of [LAYERS[1], LAYERS[6]]) results.push(await measureLocks(layer));
    return results;
  },
};
