/* What tests/fuzz/hdf5.js runs in a worker, since h5wasm does not end on some damaged files: one file
 * of Keras that is cut, has a bit turned, or bytes changed from a seed, held to the rules of
 * tests/fuzz/formats.js. */
import { parentPort, workerData } from 'node:worker_threads';
import * as h5wasm from 'h5wasm';
import { drawer } from './draw.js';
import { changeBytes, fixture, openFuzzer } from './formats.js';

/** 1 while h5wasm runs: whoever stops this worker sees whose loop it is. */
const within = new Int32Array(workerData);

/**
 * The same object; whatever it is asked for is h5wasm's doing.
 * @param {any} value
 * @returns {any}
 */
const watched = (value) => {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return value;
  if (ArrayBuffer.isView(value) || Array.isArray(value) || value instanceof Promise) return value;
  const own = new Map();
  /** @param {() => any} call */
  const enter = (call) => {
    Atomics.store(within, 0, 1);
    try {
      return call();
    } finally {
      Atomics.store(within, 0, 0);
    }
  };
  return new Proxy(value, {
    get: (target, key) => {
      const found = enter(() => Reflect.get(target, key));
      // What can never change, a Proxy must give as it is.
      if (Reflect.getOwnPropertyDescriptor(target, key)?.writable === false) return found;
      if (!own.has(found)) {
        const bound = typeof found === 'function' && key !== 'File' ? found.bind(target) : found;
        own.set(found, watched(bound));
      }
      return own.get(found);
    },
    apply: (target, self, args) => watched(enter(() => Reflect.apply(target, self, args))),
    construct: (target, args) => watched(enter(() => Reflect.construct(target, args))),
  });
};

await h5wasm.ready;
const { File, FS } = h5wasm;
const fuzzer = await openFuzzer(watched({ File, FS, ready: h5wasm.ready }));

/** @typedef {{ name: string, way: 'cut' | 'turn' | 'change' | 'whole', at: number }} Input */

/** @param {Input} input */
const bytesOf = ({ name, way, at }) => {
  const file = fixture(name);
  if (way === 'cut') return file.slice(0, at);
  if (way === 'change') return changeBytes(file, drawer(at));
  if (way === 'turn') file[at >> 3] = Number(file[at >> 3]) ^ (1 << (at & 7));
  return file;
};

/** @param {Input} input */
const run = async (input) => {
  const what = `${input.name}, ${input.way} ${input.at}`;
  const bytes = bytesOf(input);
  return input.name.endsWith('.weights.h5')
    ? fuzzer.tryWeightsOf(what, bytes, input.name.replace('.weights', ''))
    : fuzzer.tryModel(what, bytes);
};

parentPort?.on('message', async (input) => {
  const before = fuzzer.accepted.refused;
  try {
    await run(input);
    const refused = fuzzer.accepted.refused > before;
    const { cause } = /** @type {Error} */ (fuzzer.accepted.reason ?? {});
    parentPort?.postMessage({
      refused,
      isTrap: refused && cause instanceof WebAssembly.RuntimeError,
    });
  } catch (error) {
    parentPort?.postMessage({ broken: String(/** @type {Error} */ (error).stack) });
  }
});
