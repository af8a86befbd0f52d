// Giving a page time to draw and answer between batches: without it a loop holds it, with it after
// each batch a loop of small ones would be slow.
import { optionError } from '../../base/check.js';

/** Milliseconds of work at a time, which leave a frame of 16.7 time to be drawn. */
const MOST_WORK = 9;

const WORDS = ['auto', 'batch', 'epoch', 'never'];

/** Milliseconds from one pause of a page to the next: less than a frame takes. */
const FRAME = 14;

/** When the page last paused. */
let paused = 0;

/** @param {() => void} resolve */
const pause = (resolve) => {
  setTimeout(() => {
    paused = performance.now();
    resolve();
  }, 1);
};

/** @param {() => void} resolve */
const post = (resolve) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    resolve();
  };
  port2.postMessage(null);
};

/**
 * The end of the task, and the next one. A page that may be seen has nothing to do for a moment
 * once a frame: Firefox would draw 13 frames a second between messages alone. One that is hidden
 * has none, since its timers are slowed down to one a second.
 * @returns {Promise<void>}
 */
const nextTask = () =>
  new Promise((resolve) => {
    const isSeen = /** @type {any} */ (globalThis).document?.hidden === false;
    if (typeof setImmediate === 'function') setImmediate(resolve);
    else if (typeof MessageChannel !== 'function')
      pause(resolve); // as in Jest's jsdom
    else if (isSeen && performance.now() - paused > FRAME) pause(resolve);
    else post(resolve);
  });

/** A loop's way to breathe. */
export class Breath {
  #every;
  #began = performance.now();
  #before = this.#began;

  /**
   * @param {unknown} every 'auto', 'batch', 'epoch', 'never', or milliseconds of work at a time.
   */
  constructor(every) {
    const isNumber = typeof every === 'number' && every >= 0;
    if (!isNumber && !WORDS.includes(/** @type {string} */ (every))) {
      throw optionError('yieldEvery', `one of ${WORDS.join(', ')} or milliseconds`, every);
    }
    this.#every = every;
  }

  /**
   * After a batch: whether it is time, so that another one as long would not make it late.
   * @returns {boolean}
   */
  isDue() {
    const now = performance.now();
    const last = now - this.#before;
    this.#before = now;
    if (this.#every === 'batch') return true;
    if (this.#every === 'epoch' || this.#every === 'never') return false;
    const most = typeof this.#every === 'number' ? this.#every : MOST_WORK;
    return now - this.#began + last > most;
  }

  /** Let others work. */
  async take() {
    await nextTask();
    this.#began = this.#before = performance.now();
  }

  /** At the end of an epoch. */
  async rest() {
    if (this.#every !== 'never') await this.take();
  }
}
