// peers.mjs for a page, which is isolated: TensorFlow.js on the threaded SIMD build of its WebAssembly backend, asked for all
// threads of the machine (its binary takes half of them at most), jax-js on its own. That has workers only for what is read by
// `await array.data()`: threads.js reads so, the other rows do not.
// @ts-expect-error it has no declarations
import '@tensorflow/tfjs-core/dist/register_all_gradients';
import * as jax from '@jax-js/jax';
import { getThreadsCount, setThreadsCount, setWasmPaths } from '@tensorflow/tfjs-backend-wasm';
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
  setThreadsCount(navigator.hardwareConcurrency);
  setWasmPaths({
    'tfjs-backend-wasm-simd.wasm': 'this-would-have-no-threads',
    'tfjs-backend-wasm.wasm': 'this-would-not-be-the-simd-build',
    'tfjs-backend-wasm-threaded-simd.wasm': 'tfjs-backend-wasm-threaded-simd.wasm',
  });
  if (!(await core.setBackend('wasm'))) {
    throw new Error('TensorFlow.js could not load its threaded SIMD build');
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

/** The workers that this page has started. */
let workers = 0;
globalThis.Worker = class extends Worker {
  /** @param {ConstructorParameters<typeof Worker>} given */
  constructor(...given) {
    super(...given);
    workers++;
  }
};

/** How many threads each peer really has. */
export async function threadsOfPeers() {
  await loadTensorFlow();
  const before = workers;
  const { numpy } = await loadJax();
  await numpy.matmul(numpy.ones([256, 256]), numpy.ones([256, 256])).data();
  return { 'TF.js wasm': getThreadsCount(), 'jax-js': 1 + workers - before };
}
