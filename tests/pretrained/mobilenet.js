/* MobileNetV2 as a LayersModel, its weights quantized to bytes: of the package nsfwjs. Here it is a
 * format and a speed: what goes in are noise and gradients, what it classifies is not looked at. */
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { loadModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { Draws } from '../golden/golden.js';
import { pathIn } from './packages.js';

const FOLDER = 'dist/models/mobilenet_v2/';
const SHARD = 'group1-shard1of1';
const SEED = 20261122;
export const SIZE = 224;

/** What the package has: JavaScript that gives model.json, and bytes as base64. */
export const readParts = () => {
  const read = createRequire(import.meta.url);
  const open = (/** @type {string} */ name) =>
    read(fileURLToPath(pathIn('nsfwjs', `${FOLDER}${name}.min.js`)));
  const { modelTopology, weightsManifest } = open('model');
  const shard = open(SHARD);
  const bytes = new Uint8Array(Buffer.from(shard.default ?? shard, 'base64'));
  return { modelTopology, weightsManifest, bytes };
};

/** @param {import('gradlock').Gradlock} g */
export const openMobilenet = async (g) => {
  const { modelTopology, weightsManifest, bytes } = readParts();
  /** @type {any} */
  let report;
  const source = { modelTopology, weightsManifest, shards: { [SHARD]: bytes } };
  const net = await loadModel(layers(g), source, { onReport: (given) => (report = given) });
  return { net, report };
};

/**
 * The same in TensorFlow.js.
 * @param {(handler: any) => Promise<any>} loadLayersModel
 */
export const openTheirs = (loadLayersModel) => {
  const { modelTopology, weightsManifest, bytes } = readParts();
  const weightSpecs = weightsManifest.flatMap((/** @type {any} */ group) => group.weights);
  return loadLayersModel({
    load: async () => ({ modelTopology, weightSpecs, weightData: bytes.buffer }),
  });
};

/** Two images in [0, 1): noise, and slopes of three colours. */
export const images = () => {
  const draws = new Draws(SEED);
  const size = SIZE * SIZE * 3;
  return Float32Array.from({ length: 2 * size }, (_, i) => {
    if (i < size) return (draws.next() >>> 8) / 2 ** 24;
    const [y, x, channel] = [Math.floor((i - size) / (3 * SIZE)), Math.floor(i / 3) % SIZE, i % 3];
    return [x, y, (x + y) / 2][channel] / SIZE;
  });
};
