/**
 * The words of the page's language: the one its address asks for (`?lang=`), else the first of the
 * reader's that there are words for, else English.
 */

import { files } from '#words';
import { de } from './de.js';
import { en } from './en.js';

/** The words of all scenes in a language, by the scenes' ids. @param {string} language */
const ofScenes = (language) =>
  Object.fromEntries(
    Object.entries(files).map(([path, { words }]) => [path.split('/')[1], words[language]]),
  );

/** @type {Record<string, typeof en & { scenes: Record<string, import('../scenes/scene.js').SceneWords> }>} */
export const tables = {
  en: { ...en, scenes: ofScenes('en') },
  de: { ...de, scenes: ofScenes('de') },
};

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

/** The words of a scene. @param {string} id */
export const sceneWords = (id) => strings.scenes[id];

/** What a row, a column or a word of a scene is called: as its words have it, or as it is. @param {string} id */
export const namesOf = (id) => {
  const { names = {} } = sceneWords(id);
  return (/** @type {string} */ key) => (Object.hasOwn(names, key) ? names[key] : key);
};
