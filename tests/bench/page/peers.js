// peers.mjs for a page: TensorFlow.js on the SIMD build of its WebAssembly backend, jax-js on its own; one thread each, since
// the page is not isolated and so has no shared memory.
// @ts-expect-error it has no declarations
import '@tensorflow/tfjs-core/dist/register_all_gradients';
import * as jax from '@jax-js/jax';
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
import * as core from '@tensorflow/tfjs-core';

export { settle } from '../settle.mjs';

export const BUILD = '';

/** @type {Promise<typeof core> | undefined} */
let tensorFlow;

export function loadTensorFlow() {
  tensorFlow ??= startTensorFlow();
  return tensorFlow;
}

async function startTensorFlow() {
  setWasmPaths({
    'tfjs-backend-wasm-simd.wasm': 'tfjs-backend-wasm-simd.wasm',
    'tfjs-backend-wasm.wasm': 'this-would-not-be-the-simd-build',
    'tfjs-backend-wasm-threaded-simd.wasm': 'this-would-not-be-the-simd-build',
  });
  if (!(await core.setBackend('wasm'))) {
    throw new Error('TensorFlow.js could not load its SIMD build');
  }
  return core;
}

/** @type {Promise<typeof import('./tensorflow-cpu.js')> | undefined} */
let tensorFlowCpu;

export function loadTensorFlowCpu() {
  tensorFlowCpu ??= startTensorFlowCpu();
  return tensorFlowCpu;
}

async function startTensorFlowCpu() {
  const loaded = await import('./tensorflow-cpu.js');
  await loaded.setBackend('cpu');
  return loaded;
}

/** @type {Promise<typeof jax> | undefined} */
let started;

export function loadJax() {
  started ??= startJax();
  return started;
}

async function startJax() {
  if (!(await jax.init('wasm')).includes('wasm')) throw new Error('jax-js has no WebAssembly');
  jax.defaultDevice('wasm');
  return jax;
}
