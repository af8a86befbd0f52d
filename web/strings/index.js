/**
 * The words of the page's language: the one its address asks for (`?lang=`), else the first of the reader's that there
 * are words for, else English. A word that is missing is an error that names its key, so that a scene without its words
 * says what it lacks.
 */

import { files } from '#words';
import { de } from './de.js';
import { en } from './en.js';

/** @typedef {import('../scenes/scene.js').SceneWords} SceneWords */

/** The words of all scenes in a language, by the scenes' ids. @param {string} language */
const ofScenes = (language) =>
  Object.fromEntries(
    Object.entries(files).map(([path, { words }]) => [path.split('/')[1], words[language]]),
  );

/** @type {Record<string, typeof en & { scenes: Record<string, SceneWords> }>} */
export const tables = {
  en: { ...en, scenes: ofScenes('en') },
  de: { ...de, scenes: ofScenes('de') },
};

/**
 * A table whose missing words throw. What may be missing is asked for by `in`.
 * @template {object} T
 * @param {T} table
 * @param {string} name of its file
 * @param {string} [path] of the table
 * @returns {T}
 */
export function strict(table, name, path = '') {
  /** @type {Map<string, object>} */
  const inner = new Map();
  return new Proxy(table, {
    get(target, key) {
      if (typeof key === 'string' && !(key in target)) {
        const [, scene] = /^scenes\.([^.]+)/.exec(path + key) ?? [];
        const file = scene ? `scenes/${scene}/words` : `strings/${name}`;
        throw new Error(`No words for ${path}${key}: web/${file}.js needs them (${name})`);
      }
      const value = Reflect.get(target, key);
      if (typeof key === 'symbol' || typeof value !== 'object' || value === null) return value;
      const known = inner.get(key) ?? strict(value, name, `${path}${key}.`);
      inner.set(key, known);
      return known;
    },
  });
}

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
export const strings = strict(tables[language], language);

/** What a language calls itself. @param {string} tag */
export const nameOfLanguage = (tag) => tables[tag].languageName;

/** The words of a scene. @param {string} id */
export const sceneWords = (id) => strings.scenes[id];

/** What a row, a column or a word of a scene is called: as its words have it, or as it is. @param {string} id */
export const namesOf = (id) => {
  const words = sceneWords(id);
  const names = 'names' in words ? words.names : undefined;
  return (/** @type {string} */ key) => (names && key in names ? names[key] : key);
};
