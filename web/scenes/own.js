/**
 * Your own: numbers or an image that a person brought along, a target made of them, and a choice of losses.
 * Until something is brought, it shows rings on water.
 */

import { roughness, roughnessCode } from './membrane.js';
import { noise } from './noise.js';
import { draw } from './pictures.js';

/** What there is to work on. @param {import('./scene.js').Setup} setup @returns {Float32Array} */
const given = ({ own, rows, cols }) => own?.values ?? draw('ripples', rows, cols);

/** The colour scale's reach: the largest number. @param {import('./scene.js').Setup} setup */
function reachOf(setup) {
  if (!setup.own) return 1;
  return setup.own.values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
}

/** Where cells go, by the choice of target. @type {Record<string, (setup: import('./scene.js').Setup) => Float32Array>} */
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

/** @typedef {import('./scene.js').Tensor} Tensor */

/** @type {Record<string, (g: import('./scene.js').Gradlock, difference: Tensor) => Tensor>} */
const losses = {
  squared: (g, d) => g.sum(g.square(d)),
  absolute: (g, d) => g.sum(g.abs(d)),
  logCosh: (g, d) => g.sum(g.sub(g.add(d, g.softplus(g.mul(d, -2))), Math.LN2)),
};

/** @type {Record<string, string>} */
const codes = {
  squared: 'g.sum(g.square(g.sub(x, xTarget)))',
  absolute: 'g.sum(g.abs(g.sub(x, xTarget)))',
  logCosh: '((d) => g.sum(g.sub(g.add(d, g.softplus(g.mul(d, -2))), Math.LN2)))(g.sub(x, xTarget))',
};

/** @type {import('./scene.js').Scene} */
export const own = {
  id: 'own',
  sizes: [[16, 16]],
  choices: { target: Object.keys(targets), loss: [...Object.keys(losses), 'smooth'] },
  reach: reachOf,
  optimizer: { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
  speed: 60,
  takesOwn: true,
  /** What is to become the data starts as noise; whatever else starts as the data. */
  start(setup) {
    const { rows, cols, seed, choices } = setup;
    const isLearnt = choices.target === 'data' && choices.loss !== 'smooth';
    return isLearnt ? noise(rows * cols, seed, 0.9 * reachOf(setup)) : given(setup);
  },
  locks: ({ rows, cols }) => new Uint8Array(rows * cols),
  target: (setup) => targets[setup.choices.target](setup),
  loss(g, variables, to, setup) {
    const { loss } = setup.choices;
    if (loss === 'smooth') return roughness(g, variables, to, setup);
    return losses[loss](g, g.sub(variables.x, to.x));
  },
  code: (setup) => codes[setup.choices.loss] ?? roughnessCode(setup),
};
