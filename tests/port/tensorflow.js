/* TensorFlow.js with its layers in one piece: its packages, as they are published, do not load
 * together in Node.js as ES modules, because the layers need methods on tensors that only a bundler
 * finds. */
import { importBundle } from '../js/bundle.js';

const CONTENTS = `
  import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops';
  import '@tensorflow/tfjs-backend-cpu';
  export * as core from '@tensorflow/tfjs-core';
  export * as layers from '@tensorflow/tfjs-layers';`;
const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

/** @returns {Promise<{ core: any, backend: any, tf: any }>} */
export const openTensorFlow = async () => {
  const { core, layers } = await importBundle('tensorflow.mjs', CONTENTS, 'esm', REQUIRE);
  await core.setBackend('cpu');
  const { layers: factories, sequential, model, input, callbacks } = layers;
  return {
    core,
    backend: layers,
    tf: { layers: factories, sequential, model, input, callbacks, train: core.train },
  };
};

/**
 * The model of files as saveLayersModel makes them.
 * @param {any} backend
 * @param {Record<string, any>} files
 */
export const loadSaved = (backend, files) => {
  const json = JSON.parse(files['model.json']);
  const load = async () => ({
    modelTopology: json.modelTopology,
    weightSpecs: json.weightsManifest[0].weights,
    weightData: files['group1-shard1of1.bin'].buffer,
  });
  return backend.loadLayersModel({ load });
};
