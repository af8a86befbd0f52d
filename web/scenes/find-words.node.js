/** The same as find-words.js for tests in Node.js. */

import { find } from './find-scenes.node.js';

/** @type {typeof import('./find-words.js').files} */
export const files = await find('words.js');
