/** The words of the language that the page's address asks for (`?lang=`), English if it does not. */

import { de } from './strings/de.js';
import { en } from './strings/en.js';

/** @type {Record<string, typeof en>} */
const tables = { en, de };

const asked = new URLSearchParams(globalThis.location?.search).get('lang') ?? '';

export const language = Object.hasOwn(tables, asked) ? asked : 'en';
export const languages = Object.keys(tables);
export const strings = tables[language];
