/** The licences of all that is in the built demo: gradlock's own, of each package that was bundled, and of the C library. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of gradlock itself, also of a copy of web/ within it. @param {string} folder @returns {string} */
const rootOf = (folder) =>
  existsSync(join(folder, 'package.json')) ? folder : rootOf(dirname(folder));

const ROOT = rootOf(dirname(fileURLToPath(import.meta.url)));

/** The grid's colours are ColorBrewer's, in the curves of this package, which is not bundled itself. */
const COLOURS = join(ROOT, 'node_modules/d3-scale-chromatic');

/** The package that a bundled file is of, as a path; null for a file of ours. @param {string} file */
const packageOf = (file) => file.match(/.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? null;

/** @param {string} folder @returns {string} */
function licenceOf(folder) {
  const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (!name) throw new Error(`${folder} has no licence file; the built demo must have its text`);
  return readFileSync(join(folder, name), 'utf8');
}

/** @param {Iterable<string>} files that were bundled @returns {string} */
export function licencesOf(files) {
  const bundled = [...files].map(packageOf).filter((folder) => folder !== null);
  const folders = [...new Set([...bundled, COLOURS])];
  const parts = folders.sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return `${name} ${version}\n\n${licenceOf(folder)}`;
  });
  const compiled = readFileSync(new URL('webassembly.txt', import.meta.url), 'utf8');
  return [`gradlock\n\n${licenceOf(ROOT)}`, ...parts, compiled].join(`\n${'-'.repeat(80)}\n\n`);
}
