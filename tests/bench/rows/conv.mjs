/* Convolutions alone, forward and both gradients, as shares of the limit: the machine's peak, or the
 * traffic of operands where that takes longer. The fastest of many short samples is told, of the
 * limit too: these are shares of what the machine can, not of what neighbours leave. */
import { init } from 'gradlock';
import { fastest, repeatedly } from '../harness.mjs';
import { loadLimits, PEAK_OPERATIONS } from '../limits.mjs';
import { randomValues } from '../values.mjs';

/**
 * Filters are 3 × 3.
 * @typedef {object} Layer
 * @property {string} what
 * @property {[batch: number, height: number, width: number, channels: number]} images
 * @property {number} outputs of a window; of a channel, if it is depthwise
 * @property {boolean} [depthwise] and padded
 * @property {number} goal
 */

/** @type {Layer[]} */
const LAYERS = [
  { what: '1 → 32 channels', images: [128, 28, 28, 1], outputs: 32, goal: 0.45 },
  { what: 'depthwise, 256', images: [2, 14, 14, 256], outputs: 1, depthwise: true, goal: 0.5 },
];

const PEAK_ROUNDS = 5000;
const SIDE = 3;

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((size, n) => size * n, 1);

/** @param {Layer} layer @returns {Promise<import('../harness.mjs').Result>} */
async function measureLayer({ what, images, outputs, depthwise, goal }) {
  const g = await init();
  const [batch, height, width, channels] = images;
  const shrink = depthwise ? 0 : SIDE - 1;
  const y = [batch, height - shrink, width - shrink, outputs * (depthwise ? channels : 1)];
  /** @param {number[]} shape */
  const variable = (shape) => g.variable(randomValues(sizeOf(shape)), { shape });
  const [x, filter, dy] = [images, [SIDE, SIDE, channels, outputs], y].map(variable);
  const conv = () =>
    depthwise ? g.depthwiseConv2d(x, filter, 1, 'same') : g.conv2d(x, filter, 1, 'valid');
  /** @param {import('gradlock').Tensor} of */
  const gradient = (of) => /** @type {import('gradlock').Tensor} */ (g.gradients(conv(), of, dy));
  const one = g.variable(1);
  // Each op is compiled next to a scalar: value() computes both and copies only that.
  /** @param {() => import('gradlock').Tensor} op */
  const alone = (op) => {
    const program = g.compile(() => [g.square(one), op()]);
    return repeatedly(() => program.value());
  };
  const operations = 2 * sizeOf(y) * SIDE * SIDE * (depthwise ? 1 : channels);
  const count = Math.ceil((sizeOf(images) + sizeOf(y)) / 8) * 4;
  const { peak, write_negatives } = loadLimits(2 * count);
  const { atPeak, traffic, ...seconds } = fastest({
    forward: alone(conv),
    'by images': alone(() => gradient(x)),
    'by filter': alone(() => gradient(filter)),
    atPeak: repeatedly(() => peak(PEAK_ROUNDS)),
    // Reads as many as it writes.
    traffic: repeatedly(() => write_negatives(count)),
  });
  g.dispose();
  const least = Math.max((operations * atPeak) / (PEAK_ROUNDS * PEAK_OPERATIONS), traffic);
  const shares = Object.entries(seconds).map(([name, took]) => [name, (100 * least) / took]);
  return {
    what,
    unit: '% of the limit',
    values: Object.fromEntries(shares),
    expected: `≥ ${Math.round(100 * goal)} %`,
    met: shares.every(([, share]) => Number(share) >= 100 * goal),
  };
}

/** @type {import('../harness.mjs').Row} */
export default {
  about: 'Convolutions and their gradients, 3 × 3',
  async run() {
    const results = [];
    for (const layer of LAYERS) results.push(await measureLayer(layer));
    return results;
  },
};
