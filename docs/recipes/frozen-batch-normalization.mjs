// Frozen batch normalisation: mini-XCEPTION, which somebody else trained on faces (64 × 64 pixels,
// 14 batch normalisations; tests/pretrained/README.md says whose), reads digits through a new head.
// Frozen here means frozen: its moving means and variances stand still too. TensorFlow.js moves
// them while the layer is not trainable, and the base is another one afterwards.
//
//     node docs/recipes/frozen-batch-normalization.mjs
import { readFile } from 'node:fs/promises';
import { init } from 'gradlock';
import { loadWeights, saveLayersModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { loadTensorFlow } from '../../tests/bench/peers.mjs';
import { bitsOf, drawCurves, isMain, percent, readDigits, show } from './support.mjs';

const CLASSES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const SIZE = 64;
const fixtures = new URL('../../tests/pretrained/fixtures/', import.meta.url);

/** Digits at twice their size in the middle, from −1 to 1 as that network takes them. */
const readLargeDigits = (/** @type {number} */ count, first = 0) => {
  const { xs, ys, rows } = readDigits(CLASSES, count, first);
  const large = new Float32Array(rows * SIZE * SIZE).fill(-1);
  for (let i = 0; i < large.length; i++) {
    const [row, column] = [(Math.floor(i / SIZE) % SIZE) - 4, (i % SIZE) - 4];
    const [r, c] = [row >> 1, column >> 1];
    if (r < 0 || r > 27 || c < 0 || c > 27) continue;
    large[i] = 2 * xs[784 * Math.floor(i / SIZE ** 2) + 28 * r + c] - 1;
  }
  return { xs: large, ys, rows };
};

/** The network with its last convolution left out, and a head of ten classes in its place. */
const makeNetwork = async (/** @type {any} */ nn) => {
  const { model, head } = JSON.parse(
    await readFile(new URL('mini-xception.json', fixtures), 'utf8'),
  );
  const faces = nn.modelFromJSON(model);
  await loadWeights(faces, await readFile(new URL('mini-xception.safetensors', fixtures)));
  const features = faces.getLayer(head).input;
  const pooled = nn.globalAveragePooling2d({ name: 'pooled' }).apply(features);
  const outputs = nn.dense({ units: 10, activation: 'softmax', name: 'digits' }).apply(pooled);
  const net = nn.model({ inputs: faces.inputs[0], outputs });
  for (const layer of net.layers) layer.trainable = layer.name === 'digits';
  return net;
};

/** The largest change among lists of numbers, and how many lists changed. */
const compare = (/** @type {any[]} */ before, /** @type {any[]} */ after) => {
  let [most, moved] = [0, 0];
  before.forEach((list, i) => {
    let own = 0;
    for (let k = 0; k < list.length; k++) own = Math.max(own, Math.abs(after[i][k] - list[k]));
    most = Math.max(most, own);
    moved += own > 0 ? 1 : 0;
  });
  return { most, moved };
};

/**
 * @param {{ count?: number, epochs?: number, peer?: number }} [options] `count`: digits of a class;
 *   `peer`: images that TensorFlow.js trains on.
 */
export const run = async ({ count = 60, epochs = 12, peer = 64 } = {}) => {
  const g = await init();
  const nn = layers(g, { seed: 4 });
  const net = await makeNetwork(nn);
  const { xs, ys, rows } = readLargeDigits(count);
  const x = g.tensor(xs, [rows, SIZE, SIZE, 1]);
  const unseen = readLargeDigits(Math.min(count, 40), 700);
  const loss = 'sparseCategoricalCrossentropy';
  const optimizer = g.optimizers.adam({ learningRate: 0.02 });
  net.compile({ optimizer, loss, metrics: ['accuracy'] });

  // TensorFlow.js gets the same network, frozen likewise, and trains on the first images.
  const tf = await loadTensorFlow();
  const files = saveLayersModel(net);
  const { modelTopology, weightsManifest } = JSON.parse(files['model.json']);
  const weightData = files['group1-shard1of1.bin'];
  const theirs = await tf.loadLayersModel({
    load: async () => ({
      modelTopology,
      weightSpecs: weightsManifest.flatMap((/** @type {any} */ { weights }) => weights),
      weightData: weightData.buffer.slice(
        weightData.byteOffset,
        weightData.byteOffset + weightData.length,
      ),
    }),
  });
  for (const layer of theirs.layers) layer.trainable = layer.name === 'digits';
  theirs.compile({ optimizer: tf.train.adam(0.02), loss });
  const frozenOf = (/** @type {any} */ model) =>
    model.layers.filter((/** @type {any} */ layer) => layer.name !== 'digits');
  const valuesOf = (/** @type {any} */ model) =>
    frozenOf(model).flatMap((/** @type {any} */ layer) =>
      layer
        .getWeights()
        .map((/** @type {any} */ w) => Float32Array.from(w.dataSync?.() ?? w.data())),
    );
  const theirsBefore = valuesOf(theirs);
  const oursBefore = valuesOf(net);
  await theirs.fit(
    tf.tensor(xs.subarray(0, peer * SIZE ** 2), [peer, SIZE, SIZE, 1]),
    tf.tensor(ys.subarray(0, peer)),
    { epochs: 1, batchSize: 32, verbose: 0 },
  );
  const leaks = compare(theirsBefore, valuesOf(theirs));

  const bits = frozenOf(net).flatMap((/** @type {any} */ l) => l.getWeights().map(bitsOf));
  const { history, cached, audit } = await net.fit(x, ys, { epochs, batchSize: 32 });
  const after = frozenOf(net).flatMap((/** @type {any} */ l) => l.getWeights().map(bitsOf));
  const moved = after.filter(
    (/** @type {string} */ w, /** @type {number} */ i) => w !== bits[i],
  ).length;
  const { most } = compare(oursBefore, valuesOf(net));
  const large = g.tensor(unseen.xs, [unseen.rows, SIZE, SIZE, 1]);
  const { accuracy } = await net.evaluate(large, unseen.ys);
  theirs.dispose();
  return {
    moved,
    most,
    leaks,
    audit,
    accuracy,
    cached,
    lines: [
      `digits, unseen, read by a head of 1,290 weights on features for faces: ${percent(accuracy)}`,
      `frozen weights and statistics that moved here, in ${epochs} epochs: ${moved} of ${bits.length}`,
      `in TensorFlow.js, in ${Math.ceil(peer / 32)} batches: ${leaks.moved} of ${theirsBefore.length}, by up to ${leaks.most.toPrecision(3)}`,
      `computed once an image: ${cached.layers.length} layers (${(cached.bytes / 2 ** 20).toFixed(1)} MB)`,
    ],
    svg: drawCurves(
      'A new head on a frozen base with batch normalisations',
      { 'right answers': history.accuracy },
      { across: 'epochs', up: 'right answers' },
    ),
  };
};

if (isMain(import.meta.url)) show('frozen-batch-normalization', await run());
