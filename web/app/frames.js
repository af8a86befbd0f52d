/**
 * Asks the engine for frames, one at a time. It asks for the next one before it draws the last, so
 * the engine trains while the page draws. Out of sight it asks for none, so its run pauses. Arrays
 * of values that are no longer shown go back to the engine to be filled again.
 */

/** @typedef {import('../engine/protocol.js').Frame} Frame */

/** The time between frames under reduced motion, in ms; training keeps its own speed. */
const CALM_INTERVAL = 250;

/** Reports an error only if it differs from the one before. @param {(error: Error) => void} tell */
function once(tell) {
  let last = '';
  return (/** @type {Error} */ error) => {
    if (String(error) !== last) tell(error);
    last = String(error);
  };
}

/**
 * @typedef {object} Then
 * @property {(frame: Frame) => void} accept  a frame has come, and will be shown soon
 * @property {(frame: Frame) => Frame | null} take  shows the frame; returns the frame it replaced, if there is one
 * @property {() => void} draw
 * @property {(error: Error) => void} fail  once for each error, however many frames have it
 * @property {(error: Error) => void} failToDraw  likewise
 */

export class Frames {
  #engine;
  #then;
  /** @type {{ values?: Float32Array, beside?: Float32Array }} */
  #spare = {};
  /** True if a part of the page is in the embedding page's visible area. */
  #isInSight = true;
  #onSight = () => {};
  #isCalm = matchMedia('(prefers-reduced-motion: reduce)');

  /** @param {import('../engine/client.js').Engine} engine @param {Then} then */
  constructor(engine, then) {
    this.#engine = engine;
    this.#then = { ...then, fail: once(then.fail), failToDraw: once(then.failToDraw) };
    document.addEventListener('visibilitychange', () => this.#onSight());
    new IntersectionObserver((entries) => {
      this.#isInSight = entries[entries.length - 1].isIntersecting;
      this.#onSight();
    }).observe(document.body);
  }

  /** Drops the spare arrays: another scene's have another size. */
  forget() {
    this.#spare = {};
  }

  /** @returns {Promise<Frame>} */
  #ask() {
    const { values, beside } = this.#spare;
    this.#spare = {};
    const transfer = [values, beside].flatMap((row) => (row ? [row.buffer] : []));
    return this.#engine.send({ type: 'frame', values, beside }, transfer);
  }

  async start() {
    for (let coming = this.#ask(); ; ) {
      /** @type {Frame | null} */
      let frame = null;
      try {
        frame = await coming;
        this.#then.accept(frame);
      } catch (error) {
        this.#then.fail(/** @type {Error} */ (error));
      }
      await this.#isReady();
      this.#try(() => {
        const old = frame && this.#then.take(frame);
        if (old) this.#spare = { values: old.values, beside: old.beside?.values };
      });
      coming = this.#ask();
      if (frame) this.#try(() => this.#then.draw());
    }
  }

  /** Runs a task, so that an error while drawing cannot stop the frames. @param {() => void} task */
  #try(task) {
    try {
      task();
    } catch (error) {
      this.#then.failToDraw(/** @type {Error} */ (error));
    }
  }

  /** Resolves once the screen is ready for another frame, and visible. */
  async #isReady() {
    if (this.#isCalm.matches) await new Promise((done) => setTimeout(done, CALM_INTERVAL));
    do {
      while (this.#isUnseen) {
        await new Promise((/** @type {(value?: unknown) => void} */ done) => {
          this.#onSight = done;
        });
      }
      await new Promise((done) => requestAnimationFrame(done));
      // Firefox calls once more, a second after its page was hidden.
    } while (this.#isUnseen);
  }

  get #isUnseen() {
    return document.hidden || !this.#isInSight;
  }
}
