/* TensorFlow.js with its cpu backend and its gradients, for tests to compare with. Its package for
 * Node.js leaves the gradients out, and the modules that hold them cannot be imported there as they
 * are (their imports lack endings), so they are bundled first; with a global object of their own,
 * since the engine kept there, which knows one backend, would be that of every other copy too. */
import { importBundle } from './bundle.js';

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
  const name = `tensorflow${layers ? '-layers' : ''}.cjs`;
  const contents = layers ? CONTENTS + LAYERS : CONTENTS;
  const { default: tf } = await importBundle(name, contents, 'cjs', 'const global = {};');
  tf.enableProdMode(); // or it recommends another package on the console
  await tf.setBackend('cpu');
  return tf;
};
