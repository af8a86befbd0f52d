/** The scenes, in the order of the page: each folder that has a scene.js. */

import { files } from '#scenes';

/** @typedef {import('./scene.js').Challenge & { scene: string }} Challenge */

export const scenes = Object.values(files)
  .map(({ scene }) => scene)
  .sort((a, b) => a.order - b.order);

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

export const challenges = scenes.flatMap(({ id, challenge }) =>
  challenge ? { ...challenge, scene: id } : [],
);

/** @param {string | null} id @returns {Challenge | undefined} */
export const findChallenge = (id) => challenges.find((one) => one.id === id);

/** @param {string} scene @returns {Challenge | undefined} */
export const challengeOf = (scene) => challenges.find((one) => one.scene === scene);
