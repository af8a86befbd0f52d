/**
 * A scene with its setup, made once for all its runs. gradlock/layers is loaded when a scene first
 * needs it.
 */

import { layoutOf } from '../scenes/layout.js';
import { part } from '../scenes/shared/part.js';

/** @import { Gradlock, Scene } from '../scenes/scene.js' */

/** `data`: constants of the loss; `inputs`: variables that figures write. @typedef {ReturnType<typeof makeProblem>} Problem */

/** @type {typeof import('gradlock/layers').layers | null} */
let layers = null;

/** Loads what a scene needs to open. @param {Scene} scene */
export async function ready(scene) {
  await scene.load?.();
  if (scene.network) layers ??= (await part(import('gradlock/layers'))).layers;
}

/** Returns a scene's network for one run; null if it has none. @param {Gradlock} g @param {Scene} scene that is ready */
export const networkOf = (g, { network }) =>
  network && layers ? network(layers(g, { seed: 1 })) : null;

/** @param {Gradlock} g @param {Scene} scene @param {import('../scenes/scene.js').Setup} setup */
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
