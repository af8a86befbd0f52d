// Records in a folder. A record is written to a temporary file, synced to the disk, and renamed. So
// its file has the old bytes or the new ones, never a part. Only one process writes a name.

/**
 * @param {typeof import('node:fs/promises')} fs
 * @param {string} folder
 * @returns {import('./store.js').Store}
 */
export const openFolder = (fs, folder) => {
  /** @param {string} key */
  const pathOf = (key) => `${folder}/${key}`;

  /** @template T @param {Promise<T>} promise @returns {Promise<T | undefined>} */
  const unlessMissing = (promise) =>
    promise.catch((error) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });

  const keys = async () => (await unlessMissing(fs.readdir(folder))) ?? [];

  /** Remove the temporary files of some keys. @param {readonly string[]} wanted */
  const sweep = async (wanted) => {
    for (const file of await keys()) {
      const [key] = file.match(/^.*(?=\.\d+\.tmp$)/) ?? [];
      if (key && wanted.includes(key)) await fs.rm(pathOf(file), { force: true });
    }
  };

  /**
   * Resolves when a file, or a folder's list of names, is on the disk.
   * @param {string} path
   * @param {string} flags
   * @param {Uint8Array} [bytes] What to write first.
   */
  const sync = async (path, flags, bytes) => {
    const file = await fs.open(path, flags);
    try {
      if (bytes) await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
  };

  return {
    keys,
    async open(wanted) {
      await fs.mkdir(folder, { recursive: true });
      await sweep(wanted);
    },
    read: (key) => unlessMissing(fs.readFile(pathOf(key))),
    async write(key, bytes) {
      const temporary = pathOf(`${key}.${globalThis.process.pid}.tmp`);
      try {
        await sync(temporary, 'w', bytes);
        await fs.rename(temporary, pathOf(key));
      } catch (error) {
        await fs.rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
      await sync(folder, 'r').catch(() => {}); // Windows cannot sync folders.
    },
    async remove(wanted) {
      for (const key of wanted) await fs.rm(pathOf(key), { force: true });
      await sweep(wanted);
    },
  };
};
