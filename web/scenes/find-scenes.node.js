/** The same as find-scenes.js for tests in Node.js, which have no bundler. */

import { existsSync, readdirSync } from 'node:fs';

const folder = new URL('./', import.meta.url);

/** Imports a file of every scene. @param {string} name @returns {Promise<Record<string, any>>} by path, such as './peaks/scene.js' */
export async function find(name) {
  const paths = readdirSync(folder)
    .map((id) => `./${id}/${name}`)
    .filter((path) => existsSync(new URL(path, folder)));
  const files = paths.map(async (path) => [path, await import(path)]);
  return Object.fromEntries(await Promise.all(files));
}

/** @type {typeof import('./find-scenes.js').files} */
export const files = await find('scene.js');
