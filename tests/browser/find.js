/** Finds a program by the names it goes by: on the PATH, or where an environment variable says. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * @param {string | undefined} given A path that comes before all others.
 * @param {string[]} names Of programs on the PATH or in /usr/bin, or whole paths.
 * @returns {string | undefined}
 */
export function findProgram(given, names) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/bin'];
  const paths = names.flatMap((name) =>
    name.startsWith('/') ? name : folders.map((folder) => join(folder, name)),
  );
  return [given, ...paths].find((path) => path && isExecutable(path));
}
