// Large records in files of the origin private file system (OPFS), which a worker writes in a half
// to a fifth of a database's time (decision 62). A record has two files, written in turn, and the
// database has the number of the whole one: a kill leaves the old record or the new one.
import { KeepError } from './error.js';

/** From so many bytes on, a file and its number are quicker than a record in the database. */
const LARGE = 2 ** 21;

/**
 * @param {import('./database.js').Database} database
 * @param {StorageManager} storage
 * @param {string} folder
 * @returns {import('./store.js').Store}
 */
export const withFiles = (database, storage, folder) => {
  // Only workers have it.
  const canWrite = 'createSyncAccessHandle' in (globalThis.FileSystemFileHandle?.prototype ?? {});

  const openFolder = async (create = false) => {
    const root = await storage.getDirectory();
    return root.getDirectoryHandle(encodeURIComponent(folder), { create });
  };

  /** Returns when they are on the disk. @param {string} name @param {Uint8Array} bytes */
  const writeFile = async (name, bytes) => {
    const file = await (await openFolder(true)).getFileHandle(name, { create: true });
    // TypeScript's types of pages lack it.
    const access = await /** @type {any} */ (file).createSyncAccessHandle();
    try {
      // Safari before 16.4 returns promises.
      await access.truncate(0);
      if (access.write(bytes) !== bytes.length) throw new Error('no room for the whole file');
      await access.flush();
    } finally {
      await access.close();
    }
  };

  /** Removes the files of a key but one. @param {string} key @param {unknown} [whole] */
  const sweep = async (key, whole) => {
    for (const slot of [0, 1]) {
      if (slot === whole) continue;
      const removed = openFolder().then((there) => there.removeEntry(`${key}.${slot}`));
      await removed.catch(() => {});
    }
  };

  return {
    keys: database.keys,
    async open(keys) {
      await database.open(keys);
      const hasFiles = await openFolder().catch(() => null);
      if (hasFiles) for (const key of keys) await sweep(key, await database.read(key));
    },
    async read(key) {
      const slot = await database.read(key);
      if (typeof slot !== 'number') return slot;
      try {
        const file = await (await openFolder()).getFileHandle(`${key}.${slot}`);
        return new Uint8Array(await (await file.getFile()).arrayBuffer());
      } catch (/** @type {any} */ cause) {
        // A tab that does not write may read while the writer goes on.
        if ((await database.read(key)) !== slot) return this.read(key);
        if (cause.name !== 'NotFoundError') throw cause;
        throw new KeepError('is damaged: its file is gone', 'damaged', cause);
      }
    },
    async write(key, bytes) {
      if (bytes.length < LARGE || !canWrite) return database.write(key, bytes);
      const slot = (await database.read(key)) === 0 ? 1 : 0;
      try {
        await writeFile(`${key}.${slot}`, bytes);
        await database.write(key, slot);
      } catch {
        await sweep(key, 1 - slot); // What was begun takes room.
        await database.write(key, bytes);
        return sweep(key);
      }
      return sweep(key, slot);
    },
    async remove(keys) {
      await database.remove(keys);
      for (const key of keys) await sweep(key);
    },
  };
};
