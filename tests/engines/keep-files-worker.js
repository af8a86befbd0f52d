/* Keeps large states, and halts for good in the middle of the last save, where it is told to: only
 * the page can end it then. */

const SIZE = 3_000_000;
const keeping = '../../build/npm/keep.js';

const { FileSystemDirectoryHandle, FileSystemSyncAccessHandle } = /** @type {any} */ (globalThis);
/** Who has the calls that a save makes. @type {Record<string, any>} */
const OWNERS = { put: IDBObjectStore, removeEntry: FileSystemDirectoryHandle };

/** @param {string} call */
const haltIn = (call) => {
  const { prototype } = OWNERS[call] ?? FileSystemSyncAccessHandle;
  const { write } = prototype;
  prototype[call] = function (/** @type {Uint8Array} */ bytes) {
    if (call === 'write') write.call(this, bytes.subarray(0, bytes.length / 2));
    postMessage('halted');
    for (;;);
  };
};

addEventListener('message', async ({ data: { name, notes, call } }) => {
  const { keep } = await import(keeping);
  /** @type {string[]} */
  const problems = [];
  const run = await keep(name, {
    onError: (/** @type {any} */ { reason }) => problems.push(reason),
  });
  const saved = [];
  for (const [i, note] of notes.entries()) {
    if (call && i === notes.length - 1) haltIn(call);
    saved.push(await run.save(new Uint8Array(SIZE).fill(note), note));
  }
  await run.close();
  postMessage({ saved, problems });
});
