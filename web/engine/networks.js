/** Networks of gradlock/layers, which is loaded when a scene first needs it. */

import { part } from '../scenes/shared/part.js';

/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../scenes/scene.js').Scene} Scene */

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
