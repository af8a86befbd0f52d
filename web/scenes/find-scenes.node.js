/** The same as find-scenes.js for tests in Node.js, which have no bundler. */

import { find } from './find.node.js';

/** @type {typeof import('./find-scenes.js').files} */
export const files = await find('scene.js');
