/** The page's words in German. */

import { en } from './en.js';

/** @type {typeof en} */
export const de = en;
