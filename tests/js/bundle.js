/* Bundles a peer that Node.js cannot import as it is published. */
import { rename } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Bundle modules and import them.
 * @param {string} name Of the file in build/tests.
 * @param {string} contents Their imports and exports.
 * @param {'esm' | 'cjs'} format
 * @param {string} banner
 * @returns {Promise<any>}
 */
export const importBundle = async (name, contents, format, banner) => {
  const outfile = `${root}build/tests/${name}`;
  // Files of tests run side by side: none reads what another has half written.
  const own = `${outfile}.${process.pid}`;
  await build({
    stdin: { contents, resolveDir: root },
    outfile: own,
    bundle: true,
    format,
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: banner },
    logLevel: 'error',
  });
  await rename(own, outfile);
  return import(outfile);
};
