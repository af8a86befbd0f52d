/** Writes the site's service worker: the template, with the paths and hashes of all files that were built. */

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from './policy.mjs';

const NAME = 'service-worker.js';
const TEMPLATE = readFileSync(new URL(NAME, import.meta.url), 'utf8');

/** @param {string} folder of the built site @param {string} [template] */
export function writeServiceWorker(folder, template = TEMPLATE) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path !== NAME && !path.startsWith('docs/'))
    .sort();
  const files = Object.fromEntries(
    paths.map((path) => [path, hashOf(readFileSync(join(folder, path)))]),
  );
  const list = JSON.stringify(files);
  const source = template
    .replace("('FILES')", () => `(${list})`)
    .replace("'VERSION'", () => JSON.stringify(hashOf(list + template)));
  writeFileSync(join(folder, NAME), source);
}
