/* TensorFlow.js with its cpu backend and its gradients, for tests to compare with. Its package for
 * Node.js leaves the gradients out, and the modules that hold them cannot be imported there as they
 * are (their imports lack endings), so they are bundled first; with a global object of their own,
 * since the engine kept there, which knows one backend, would be that of every other copy too. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));
const CONTENTS = `
  export * from '@tensorflow/tfjs-core';
  import '@tensorflow/tfjs-core/dist/register_all_gradients.js';
  import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops.js';
  import '@tensorflow/tfjs-backend-cpu';`;
const LAYERS = `
  export * as layers from '@tensorflow/tfjs-layers';`;

/**
 * @param {{ layers?: boolean }} [options] `layers`: with its layers, as `layers` of the module.
 * @returns {Promise<any>} The module; its own types would fix dtypes and ranks that tests vary.
 */
export const loadTensorFlow = async ({ layers = false } = {}) => {
  const outfile = `${root}build/tests/tensorflow${layers ? '-layers' : ''}.cjs`;
  await build({
    stdin: { contents: layers ? CONTENTS + LAYERS : CONTENTS, resolveDir: root },
    outfile,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    banner: { js: 'const global = {};' },
    logLevel: 'error',
  });
  const { default: tf } = await import(outfile);
  tf.enableProdMode(); // or it recommends another package on the console
  await tf.setBackend('cpu');
  return tf;
};
