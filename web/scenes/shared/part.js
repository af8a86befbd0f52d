/** Loads a part of the demo when it is needed; the browser may be offline by then. */

/** Waits for a part. @template T @param {Promise<T>} loading @returns {Promise<T>} rejects with an error named OfflineError */
export const part = (loading) =>
  loading.catch((error) => {
    throw Object.assign(new Error(error.message), { name: 'OfflineError' });
  });
