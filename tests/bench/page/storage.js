/** In a worker: medians of the milliseconds that bytes take into storage and back, in IndexedDB alone and with files of OPFS. */

import { openDatabase } from '../../../src/js/keep/database.js';
import { withFiles } from '../../../src/js/keep/files.js';

const ROUNDS = 11;

/** @param {() => Promise<unknown>} act */
const time = async (act) => {
  const times = [];
  for (let i = 0; i < ROUNDS; i++) {
    const began = performance.now();
    await act();
    times.push(performance.now() - began);
  }
  return times.sort((a, b) => a - b)[ROUNDS >> 1];
};

/** @param {import('../../../src/js/keep/store.js').Store} store @param {Uint8Array<ArrayBuffer>} bytes */
const use = async (store, bytes) => {
  const write = await time(() => store.write('bytes', bytes));
  const read = await time(() => store.read('bytes'));
  await store.remove(['bytes']);
  return { write, read };
};

globalThis.onmessage = async ({ data: size }) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65536)));
  }
  try {
    const database = /** @type {any} */ (openDatabase(indexedDB, 'storage'));
    const files = withFiles(database, navigator.storage, 'storage');
    postMessage({ database: await use(database, bytes), file: await use(files, bytes) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
