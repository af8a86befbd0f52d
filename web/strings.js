/**
 * The words of the page's language: the one its address asks for (`?lang=`), else the first of the reader's that there
 * are words for, else English.
 */

import { de } from './strings/de.js';
import { en } from './strings/en.js';

/** @type {Record<string, typeof en>} */
const tables = { en, de };
export const languages = Object.keys(tables);

const asked = new URLSearchParams(globalThis.location?.search).get('lang');
// A system without a language calls it C, or nothing at all.
const wanted = [asked, ...(asked ? [] : (globalThis.navigator?.languages ?? []))];

/** @param {readonly (string | null)[]} list of language tags, the most wanted first */
const known = (list) =>
  list
    .map((tag) => String(tag).toLowerCase().split(/[-_]/)[0])
    .find((tag) => languages.includes(tag));

export const language = (globalThis.document && known(wanted)) ?? 'en';
export const strings = tables[language];

/** What a language calls itself. @param {string} tag */
export const nameOfLanguage = (tag) => tables[tag].languageName;
