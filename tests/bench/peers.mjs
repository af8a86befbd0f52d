/* The peers, each loaded once and only when a row asks for it.
 *
 * TensorFlow.js runs on its WebAssembly backend, bundled from its ES modules as its users bundle it, since the
 * packages' own Node builds leave out the gradients. Refuses to measure anything but the SIMD build: the other
 * binaries' paths lead nowhere, so falling back to one is an error. */
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { loadTensorFlow as startTensorFlowCpu } from '../js/tensorflow.js';

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));
export const BUILD = join(here, '../../build/bench');

const ENTRY = `
  import '@tensorflow/tfjs-core/dist/register_all_gradients';
  import '@tensorflow/tfjs-core/dist/public/chained_ops/register_all_chained_ops';
  export * from '@tensorflow/tfjs-core';
  export { layers, loadLayersModel, sequential } from '@tensorflow/tfjs-layers';
  export { setWasmPaths, version_wasm } from '@tensorflow/tfjs-backend-wasm';
`;

/** @typedef {typeof import('@tensorflow/tfjs-core')} TensorFlow */
/** @typedef {TensorFlow & Pick<typeof import('@tensorflow/tfjs-layers'), 'layers' | 'loadLayersModel' | 'sequential'>} TensorFlowWithLayers */

/** @type {Promise<TensorFlowWithLayers> | undefined} */
let tensorFlow;

/** TensorFlow.js, ready, on WebAssembly with SIMD (one thread: it has no others in Node). */
export function loadTensorFlow() {
  tensorFlow ??= bundleTensorFlow();
  return tensorFlow;
}

async function bundleTensorFlow() {
  mkdirSync(BUILD, { recursive: true });
  // CommonJS, because the glue code of its binaries calls require().
  const outfile = join(BUILD, 'tensorflow.cjs');
  await build({
    stdin: { contents: ENTRY, resolveDir: here },
    bundle: true,
    format: 'cjs',
    platform: 'node',
    mainFields: ['module', 'main'],
    outfile,
    logLevel: 'warning',
  });
  const tf = require(outfile);
  const simd = 'tfjs-backend-wasm-simd.wasm';
  tf.setWasmPaths({
    [simd]: join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm')), simd),
    'tfjs-backend-wasm.wasm': join(BUILD, 'this-would-not-be-the-simd-build'),
    'tfjs-backend-wasm-threaded-simd.wasm': join(BUILD, 'this-would-not-be-the-simd-build'),
  });
  if (!(await tf.setBackend('wasm')))
    throw new Error('TensorFlow.js could not load its SIMD build');
  return tf;
}

/** @type {Promise<TensorFlow> | undefined} */
let tensorFlowCpu;

/** TensorFlow.js on its cpu backend, ready: another copy, whose backend is a setting of its own. */
export function loadTensorFlowCpu() {
  tensorFlowCpu ??= startTensorFlowCpu();
  return tensorFlowCpu;
}

/** @typedef {typeof import('@jax-js/jax')} Jax */

/** @type {Promise<Jax> | undefined} */
let jax;

/** jax-js, ready, on its WebAssembly backend (one thread: it looks for a browser's workers). */
export function loadJax() {
  jax ??= startJax();
  return jax;
}

async function startJax() {
  const loaded = await import('@jax-js/jax');
  if (!(await loaded.init('wasm')).includes('wasm')) throw new Error('jax-js has no WebAssembly');
  loaded.defaultDevice('wasm');
  return loaded;
}
