/** A small model and its data, for tests of training. */

import { layers } from 'gradlock/layers';

/** @typedef {import('gradlock').Gradlock} Gradlock */

/** @param {Gradlock} g @param {number} [seed] */
export const small = (g, seed = 1) => {
  const nn = layers(g, { seed });
  const net = nn.sequential([
    nn.dense({ units: 4, inputShape: [3], activation: 'tanh', name: 'base' }),
    nn.dense({ units: 2, name: 'head' }),
  ]);
  net.compile({ optimizer: 'adam', loss: 'meanSquaredError', metrics: ['mae'] });
  return { nn, net };
};

/** @param {Gradlock} g */
export const data = (g, rows = 20) => ({
  x: g.randomNormal([rows, 3], 0, 1, 5),
  y: g.randomNormal([rows, 2], 0, 1, 6),
});

export const valuesOf = (/** @type {any} */ net) =>
  net.weights.map((/** @type {any} */ w) => [...w.data()]);
