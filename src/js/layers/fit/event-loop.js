// Gives a page time to draw and respond between batches. A loop without pauses blocks the page; a
// pause after every small batch would be slow.
import { optionError } from '../../base/check.js';
import { nextTask } from '../../base/task.js';

/** The milliseconds of work at a time. They leave time to draw within a frame of 16.7 ms. */
const MOST_WORK = 9;

const WORDS = ['auto', 'batch', 'epoch', 'never'];

/** The milliseconds between two pauses of a page: less than a frame takes. */
const FRAME = 14;

/** The time of the page's last pause. */
let paused = 0;

/** @returns {Promise<void>} */
const pause = () =>
  new Promise((resolve) => {
    setTimeout(() => {
      paused = performance.now();
      resolve();
    }, 1);
  });

/**
 * Ends the task and continues in a new one. A visible page pauses briefly once a frame, since with
 * messages alone Firefox would draw only 13 frames a second. A hidden page does not pause, since
 * its timers are slowed down to one a second.
 * @returns {Promise<void>}
 */
const rest = () => {
  const isSeen = /** @type {any} */ (globalThis).document?.hidden === false;
  return isSeen && performance.now() - paused > FRAME ? pause() : nextTask();
};

/** Decides when a training loop yields to the event loop. */
export class Yielder {
  #every;
  #began = performance.now();
  #before = this.#began;

  /** @param {unknown} every 'auto', 'batch', 'epoch', 'never', or milliseconds of work. */
  constructor(every) {
    const isNumber = typeof every === 'number' && every >= 0;
    if (!isNumber && !WORDS.includes(/** @type {string} */ (every))) {
      throw optionError('yieldEvery', `one of ${WORDS.join(', ')} or milliseconds`, every);
    }
    this.#every = every;
  }

  /** True if a pause is due after a batch: another batch as long would delay it. */
  isDue() {
    const now = performance.now();
    const last = now - this.#before;
    this.#before = now;
    if (this.#every === 'batch') return true;
    if (this.#every === 'epoch' || this.#every === 'never') return false;
    const most = typeof this.#every === 'number' ? this.#every : MOST_WORK;
    return now - this.#began + last > most;
  }

  /** Pause, so that other tasks can run. */
  async pause() {
    await rest();
    this.#began = this.#before = performance.now();
  }

  /** Pause at the end of an epoch, unless pauses are off. */
  async endEpoch() {
    if (this.#every !== 'never') await this.pause();
  }
}
