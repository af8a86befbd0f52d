/**
 * Your own: a person's numbers or image, a target made of them, and a choice of losses. Without
 * data of a person, it shows rings on water.
 */

import { roughness } from './membrane.js';
import { noise } from './noise.js';
import { draw } from './pictures.js';

/** Returns the data. @param {import('./scene.js').Setup} setup @returns {Float32Array} */
const given = ({ own, rows, cols }) => own?.values ?? draw('ripples', rows, cols);

/** Returns the range of the colour scale: the largest number. @param {import('./scene.js').Setup} setup */
function reachOf(setup) {
  if (!setup.own) return 1;
  return setup.own.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
}

/** The targets, by their names. @type {Record<string, (setup: import('./scene.js').Setup) => Float32Array>} */
const targets = {
  data: given,
  negative: (setup) => given(setup).map((value) => -value),
  mirror: (setup) => {
    const values = given(setup);
    const { cols } = setup;
    return values.map((_, i) => values[i - (i % cols) + cols - 1 - (i % cols)]);
  },
  zero: (setup) => new Float32Array(setup.rows * setup.cols),
};

/** @type {import('./scene.js').Scene} */
export const own = {
  id: 'own',
  sizes: [[16, 16]],
  choices: { target: Object.keys(targets), loss: ['squared', 'absolute', 'logCosh', 'smooth'] },
  reach: reachOf,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 60,
  takesOwn: 'cells',
  /** To learn the data it starts as noise, else as the data. */
  start(setup) {
    const { rows, cols, seed, choices } = setup;
    const isLearnt = choices.target === 'data' && choices.loss !== 'smooth';
    return isLearnt ? noise(rows * cols, seed, 0.9 * reachOf(setup)) : given(setup);
  },
  locks: ({ rows, cols }) => new Uint8Array(rows * cols),
  target: (setup) => targets[setup.choices.target](setup),
  data: ({ choices }) => ({ kind: choices.loss }),
  model: roughness,
  loss(g, { x }, { targets, kind }, roughness) {
    if (kind === 'smooth') return roughness(g, { x });
    const d = g.sub(x, targets.x);
    if (kind === 'absolute') return g.sum(g.abs(d));
    if (kind === 'logCosh') {
      return g.sum(g.sub(g.add(d, g.softplus(g.mul(d, -2))), Math.LN2));
    }
    return g.sum(g.square(d));
  },
};
