/* The snippet for CDNs, with the version and the hashes of a package. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} path */
const integrityOf = (path) =>
  `sha384-${createHash('sha384').update(readFileSync(path)).digest('base64')}`;

/**
 * @param {string} text Of templates/cdn.
 * @param {string} folder Of the package.
 * @param {string} [version] Default: what its package.json says.
 */
export function fillIn(
  text,
  folder,
  version = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version,
) {
  return text
    .replaceAll('VERSION', version)
    .replace(/INTEGRITY-OF-([\w/.]+)/g, (_, file) => integrityOf(join(folder, file)));
}
