/** Loads a part of the demo when it is needed; the browser may be offline by then. */

export class OfflineError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'OfflineError';
  }
}

/** Waits for a part. @template T @param {Promise<T>} loading @returns {Promise<T>} rejects with an OfflineError */
export const part = (loading) =>
  loading.catch((error) => {
    throw new OfflineError(error.message);
  });
