/** Parts of the demo that are loaded once they are needed, for which there may be no network by then. */

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
