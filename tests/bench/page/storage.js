/** In a worker: medians of the milliseconds that bytes take into storage and back, in IndexedDB and in a file of OPFS. */

import { openDatabase } from '../../../src/js/keep/database.js';

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

/** @param {Uint8Array<ArrayBuffer>} bytes */
const inDatabase = async (bytes) => {
  const store = openDatabase(indexedDB, 'storage');
  const write = await time(() => store.write('bytes', bytes));
  const read = await time(() => store.read('bytes'));
  await store.remove(['bytes']);
  return { write, read };
};

/** @param {Uint8Array<ArrayBuffer>} bytes */
const inFile = async (bytes) => {
  const folder = await navigator.storage.getDirectory();
  /** @param {(handle: any) => void} act */
  const using = async (act) => {
    const file = await folder.getFileHandle('storage', { create: true });
    const handle = await /** @type {any} */ (file).createSyncAccessHandle();
    act(handle);
    handle.close();
  };
  const write = await time(() =>
    using((handle) => {
      handle.truncate(bytes.length);
      handle.write(bytes, { at: 0 });
      handle.flush();
    }),
  );
  const read = await time(() =>
    using((handle) => handle.read(new Uint8Array(handle.getSize()), { at: 0 })),
  );
  await folder.removeEntry('storage');
  return { write, read };
};

globalThis.onmessage = async ({ data: size }) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(size, at + 65536)));
  }
  try {
    postMessage({ database: await inDatabase(bytes), file: await inFile(bytes) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
