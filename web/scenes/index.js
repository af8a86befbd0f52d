/** The scenes, in the order in which the page offers them. */

import { membrane } from './membrane.js';
import { picture } from './picture.js';
import { twoByTwo } from './two-by-two.js';

/** @type {import('./scene.js').Scene[]} */
export const scenes = [twoByTwo, picture, membrane];

/** @param {string} id @returns {import('./scene.js').Scene | undefined} */
export const findScene = (id) => scenes.find((scene) => scene.id === id);
