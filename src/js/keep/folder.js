// Records in a folder. A record is written to a temporary file and to the disk, and then renamed:
// its own name has the old bytes or the new ones. One process writes a name.

/**
 * @param {typeof import('node:fs/promises')} fs
 * @param {string} folder
 * @returns {import('./store.js').Store}
 */
export const openFolder = (fs, folder) => {
  /** @param {string} key */
  const pathOf = (key) => `${folder}/${key}`;

  /** @template T @param {Promise<T>} promise @returns {Promise<T | undefined>} */
  const ifThere = (promise) =>
    promise.catch((error) => {
      if (error.code !== 'ENOENT') throw error;
      return undefined;
    });

  const keys = async () => (await ifThere(fs.readdir(folder))) ?? [];

  /** Remove the temporary files of some keys. @param {readonly string[]} of */
  const sweep = async (of) => {
    for (const file of await keys()) {
      const [key] = file.match(/^.*(?=\.\d+\.tmp$)/) ?? [];
      if (key && of.includes(key)) await fs.rm(pathOf(file), { force: true });
    }
  };

  /**
   * Returns when a file, or what a folder lists, is on the disk.
   * @param {string} path
   * @param {string} flags
   * @param {Uint8Array} [bytes] The content to write before.
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
    async open(of) {
      await fs.mkdir(folder, { recursive: true });
      await sweep(of);
    },
    read: (key) => ifThere(fs.readFile(pathOf(key))),
    async write(key, bytes) {
      const temporary = pathOf(`${key}.${globalThis.process.pid}.tmp`);
      try {
        await sync(temporary, 'w', bytes);
        await fs.rename(temporary, pathOf(key));
      } catch (error) {
        await fs.rm(temporary, { force: true }).catch(() => {});
        throw error;
      }
      await sync(folder, 'r').catch(() => {}); // Windows syncs no folders.
    },
    async remove(of) {
      for (const key of of) await fs.rm(pathOf(key), { force: true });
      await sweep(of);
    },
  };
};
