/** The scenes, in the order of the page. */

import { handwriting } from './digits.js';
import { freeze } from './freeze.js';
import { kernelScene } from './kernels.js';
import { graph } from './graph.js';
import { leakLab } from './leak-lab.js';
import { lottery } from './lottery.js';
import { membrane } from './membrane.js';
import { network } from './network.js';
import { own } from './own.js';
import { peaks } from './peaks.js';
import { picture } from './picture.js';
import { twoByTwo } from './two-by-two.js';
import { newWords } from './words.js';

/** @type {import('./scene.js').Scene[]} */
export const scenes = [
  picture,
  twoByTwo,
  membrane,
  leakLab,
  newWords,
  freeze,
  network,
  lottery,
  handwriting,
  kernelScene,
  graph,
  peaks,
  own,
];

/** @type {import('./scene.js').Group[]} */
const groups = ['start', 'leaks', 'networks', 'yours'];

/** The scenes by group, as the page lists them. */
export const groupedScenes = groups.map((group) => ({
  group,
  scenes: scenes.filter((scene) => (scene.group ?? 'yours') === group),
}));

/** Returns the scene that the page lists after another; after the last, the first. @param {string} id */
export function sceneAfter(id) {
  const listed = groupedScenes.flatMap((group) => group.scenes);
  return listed[(listed.findIndex((scene) => scene.id === id) + 1) % listed.length];
}

/** @param {string} id @returns {import('./scene.js').Scene | undefined} */
export const findScene = (id) => scenes.find((scene) => scene.id === id);

/** Returns the range of the colour scale. @param {import('./scene.js').Scene} scene @param {import('./scene.js').Setup} setup */
export const reachOf = ({ reach }, setup) => (typeof reach === 'function' ? reach(setup) : reach);
