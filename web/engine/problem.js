/** A scene with its setup, made once for all its runs. */

import { layoutOf } from '../scenes/layout.js';

/** @typedef {import('../scenes/scene.js').Setup} Setup */

/**
 * @typedef {object} Problem
 * @property {import('../scenes/scene.js').Scene} scene
 * @property {Setup} setup
 * @property {import('../scenes/layout.js').Part[]} layout
 * @property {Float32Array} start
 * @property {Float32Array | null} target
 * @property {Record<string, unknown>} data  constants of the loss
 * @property {Record<string, import('../scenes/scene.js').Variable>} inputs  written by figures
 */

/**
 * @param {import('../scenes/scene.js').Gradlock} g
 * @param {import('../scenes/scene.js').Scene} scene
 * @param {Setup} setup
 * @returns {Problem}
 */
export const makeProblem = (g, scene, setup) => ({
  scene,
  setup,
  layout: layoutOf(scene, setup),
  start: scene.start(setup),
  target: scene.target?.(setup) ?? null,
  data: scene.data?.(setup) ?? {},
  inputs: Object.fromEntries(
    Object.entries(scene.inputs?.(setup) ?? {}).map(([name, shape]) => [
      name,
      g.variable(new Float32Array(shape[0] * shape[1]), { shape, name }),
    ]),
  ),
});

/** Returns true if the loss has a number that is a function of the step. @param {Problem} problem */
export const isBlended = ({ scene, data }) => scene.blend !== undefined && 'other' in data;

/** @param {Problem} problem */
export function disposeProblem({ inputs }) {
  for (const input of Object.values(inputs)) input.dispose();
}
