// Who writes a name, agreed on by Web Locks. A lock ends with its tab or worker, however that ends;
// but WebKit (2.50) keeps pages that were left, to come back to them, and their workers sleep on
// with their locks. There the writer has to answer, or loses the lock.

const LEAKY = /AppleWebKit(?!.*Chrom)/;

/** The milliseconds in which a writer answers: it may be in the middle of a long batch. */
const ANSWER_MS = 5000;

/** True if the writer answers. @param {BroadcastChannel} channel @returns {Promise<boolean>} */
const isAlive = (channel) =>
  new Promise((resolve) => {
    // A random delay, so that waiting tabs do not all steal the lock together.
    setTimeout(resolve, ANSWER_MS + 1000 * Math.random(), false);
    channel.onmessage = ({ data }) => data === 'here' && resolve(true);
    channel.postMessage('who writes?');
  });

/**
 * @param {string} key
 * @param {boolean} wait
 * @param {() => void} onLost Called if another steals the lock because no answer came.
 * @returns {Promise<(() => void) | null>} The function that releases the lock; null if another has
 *   it. Without Web Locks, everyone has it.
 */
export const acquireWriterLock = async (key, wait, onLost) => {
  const { locks, userAgent } = /** @type {any} */ (globalThis).navigator ?? {};
  if (!locks) return () => {};
  const channel = LEAKY.test(userAgent) ? new BroadcastChannel(key) : null;
  /**
   * @param {{ ifAvailable?: boolean, steal?: boolean, signal?: AbortSignal }} options
   * @returns {Promise<(() => void) | null>}
   */
  const request = (options) =>
    new Promise((resolve) => {
      let isHeld = false;
      const hold = (/** @type {unknown} */ lock) => {
        isHeld = Boolean(lock);
        if (!lock) resolve(null);
        return lock && new Promise((end) => resolve(() => end(null)));
      };
      locks.request(key, options, hold).catch(() => {
        if (isHeld) {
          channel?.close();
          onLost();
        }
        // A page whose storage is blocked may use no locks either: writing will say so.
        resolve(options.signal?.aborted ? null : () => {});
      });
    });
  if (!channel) return request({ ifAvailable: !wait });
  const answer = (/** @type {() => void} */ release) => {
    channel.onmessage = ({ data }) => data !== 'here' && channel.postMessage('here');
    channel.postMessage('here');
    return () => {
      channel.close();
      release();
    };
  };
  /** @type {Parameters<typeof request>[0]} */
  let options = { ifAvailable: true };
  for (;;) {
    const release =
      (await request(options)) ??
      ((await isAlive(channel)) ? null : await request({ steal: true }));
    if (release) return answer(release);
    if (!wait) break;
    const stop = new AbortController();
    setTimeout(() => stop.abort(), ANSWER_MS);
    options = { signal: stop.signal };
  }
  channel.close();
  return null;
};
