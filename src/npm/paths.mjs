/* The paths of files in the repository. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const source = join(root, 'src/js');
/** The folder of the package. */
export const target = join(root, 'build/npm');
/** The modules, by the names that entries give them. */
export const wasm = {
  single: join(root, 'build/wasm/gradlock.wasm'),
  double: join(root, 'build/wasm/gradlock.double.wasm'),
};
/** The module that reassembles gradlock.wasm when it is inside JavaScript. */
export const joiner = join(root, 'build/wasm/join.wasm');
/** What went into JavaScript the last time: packed.mjs. @param {string} file */
export const keptOf = (file) => file.replace(/wasm$/, 'packed');
