// Lets a page draw and respond between batches. A loop without pauses blocks the page; a pause
// after every small batch would be slow.
import { optionError } from '../../base/check.js';
import { nextTask } from '../../base/task.js';

/** The most milliseconds between two pauses. The rest of a frame of 16.7 ms is left to draw. */
const MOST_WORK = 9;

const NAMES = ['auto', 'batch', 'epoch', 'never'];

/** The least milliseconds between two timer pauses, which let a page draw: under one frame. */
const FRAME = 14;

/** The time of the last timer pause. */
let lastTimer = 0;

/** @returns {Promise<void>} */
const timer = () =>
  new Promise((resolve) => {
    setTimeout(() => {
      lastTimer = performance.now();
      resolve();
    }, 1);
  });

/**
 * Ends the task and continues in a new one. A visible page uses a timer once a frame, since with
 * messages alone Firefox would draw only 13 frames a second. A hidden page uses none, since
 * browsers slow its timers down to one a second.
 * @returns {Promise<void>}
 */
const startTask = () => {
  const isVisible = /** @type {any} */ (globalThis).document?.hidden === false;
  return isVisible && performance.now() - lastTimer > FRAME ? timer() : nextTask();
};

/** Decides when a training loop yields to the event loop. */
export class Yielder {
  #every;
  #began = performance.now();
  #lastBatch = this.#began;

  /** @param {unknown} every 'auto', 'batch', 'epoch', 'never', or milliseconds of work. */
  constructor(every) {
    const isNumber = typeof every === 'number' && every >= 0;
    if (!isNumber && !NAMES.includes(/** @type {string} */ (every))) {
      throw optionError('yieldEvery', `one of ${NAMES.join(', ')} or milliseconds`, every);
    }
    this.#every = every;
  }

  /** True if a pause is due: with another batch as long, the work would take too long. */
  isDue() {
    const now = performance.now();
    const duration = now - this.#lastBatch;
    this.#lastBatch = now;
    if (this.#every === 'batch') return true;
    if (this.#every === 'epoch' || this.#every === 'never') return false;
    const most = typeof this.#every === 'number' ? this.#every : MOST_WORK;
    return now - this.#began + duration > most;
  }

  /** Pause, so that other tasks can run. */
  async pause() {
    await startTask();
    this.#began = this.#lastBatch = performance.now();
  }

  /** Pause at the end of an epoch, unless pauses are off. */
  async endEpoch() {
    if (this.#every !== 'never') await this.pause();
  }
}
