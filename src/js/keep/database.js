// Records in IndexedDB. A transaction is all or nothing, whatever ends the tab or the browser. Each
// call opens a connection and closes it: WebKit cuts those of pages in the background, and an open
// one would keep others from deleting the database.

/**
 * A store whose records may also be numbers of files.
 * @typedef {Omit<import('./store.js').Store, 'read' | 'write'> & {
 *   read: (key: string) => Promise<Uint8Array | number | undefined>,
 *   write: (key: string, record: Uint8Array<ArrayBuffer> | number) => Promise<unknown>,
 * }} Database
 */

const RECORDS = 'records';

/** @param {IDBFactory} factory @param {string} name @returns {Promise<IDBDatabase>} */
const connect = (factory, name) =>
  new Promise((resolve, reject) => {
    const request = factory.open(name);
    request.onupgradeneeded = () => request.result.createObjectStore(RECORDS);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** @param {IDBFactory} factory @param {string} name @returns {Database} */
export const openDatabase = (factory, name) => {
  /**
   * @template T
   * @param {IDBTransactionMode} mode
   * @param {(records: IDBObjectStore) => IDBRequest<T>} ask
   * @returns {Promise<T>} When it is on the disk.
   */
  const run = async (mode, ask) => {
    const database = await connect(factory, name);
    try {
      return await new Promise((resolve, reject) => {
        const transaction = database.transaction(RECORDS, mode, { durability: 'strict' });
        const request = ask(transaction.objectStore(RECORDS));
        transaction.oncomplete = () => resolve(request.result);
        transaction.onabort = () => reject(transaction.error ?? request.error);
      });
    } finally {
      database.close();
    }
  };
  const keys = async () => (await run('readonly', (records) => records.getAllKeys())).map(String);
  return {
    keys,
    open: keys,
    read: (key) => run('readonly', (records) => records.get(key)),
    write: (key, record) => run('readwrite', (records) => records.put(record, key)),
    remove: ([one = '', other = '']) =>
      run('readwrite', (records) => {
        records.delete(one);
        return records.delete(other);
      }),
  };
};
