/* mini-XCEPTION: 64 x 64 pixels, 58,423 weights, from a committed file or from Keras's own. */
import { loadWeights } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { Draws } from '../golden/golden.js';
import { fixture, readBytes, readFixture } from './claims.js';

export const golden = readFixture('mini-xception.json');

/** The reference of that name. @param {string} what */
export const reference = (what) => golden.rows.find((/** @type {any} */ row) => row.what === what);

/** @param {import('gradlock').Gradlock} g */
export const openXception = async (g) => {
  const net = layers(g).modelFromJSON(golden.model);
  const report = await loadWeights(net, readBytes(fixture('mini-xception.safetensors')));
  return { net, report };
};

/** Half of them noise, half squares of 8 x 8 pixels, as xception.py draws them. */
export const images = () => {
  const [count, size] = golden.shape;
  const draws = new Draws(golden.seed);
  const noise = draws.array([(count / 2) * size * size]);
  const squares = draws.array([(count / 2) * (size / 8) ** 2]);
  const whole = Float32Array.from({ length: noise.length }, (_, i) => {
    const [image, y, x] = [Math.floor(i / size ** 2), Math.floor(i / size) % size, i % size];
    return Number(squares[(image * (size / 8) + (y >> 3)) * (size / 8) + (x >> 3)]);
  });
  return Float32Array.of(...noise, ...whole).map((value) => value / 2);
};
