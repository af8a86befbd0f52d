/* Makes the snippet for CDNs, with the version and the hashes of a package. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** @param {string} path */
const integrityOf = (path) =>
  `sha384-${createHash('sha384').update(readFileSync(path)).digest('base64')}`;

/**
 * @param {string} text The text of templates/cdn.
 * @param {string} folder The folder of the package.
 * @param {string} [version] The version. Default: the one in its package.json.
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
