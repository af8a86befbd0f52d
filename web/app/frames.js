/**
 * Asks the engine for frames, one at a time: the next one is asked for before the last one is drawn, so the engine
 * trains while the page draws. A page that cannot be seen, in another tab or as a frame out of sight, asks for none, and so
 * stands still. Rows of cells that are no longer shown go back to be filled again.
 */

/** @typedef {import('../engine/protocol.js').Frame} Frame */

/** With reduced motion, frames come at this pace, in ms; training itself keeps its own. */
const CALM_PACE = 250;

/** Tells an error only if the one before it was another. @param {(error: Error) => void} tell */
function once(tell) {
  let last = '';
  return (/** @type {Error} */ error) => {
    if (String(error) !== last) tell(error);
    last = String(error);
  };
}

/**
 * @typedef {object} Then
 * @property {(frame: Frame) => void} accept  it has come, and will be shown soon
 * @property {(frame: Frame) => Frame | null} take  it is shown now; gives back the frame that is no longer shown, if there is one
 * @property {() => void} draw
 * @property {(error: Error) => void} fail  once for each error, however many frames have it
 * @property {(error: Error) => void} failToDraw  likewise
 * @property {() => import('../engine/protocol.js').Known | undefined} known  of the study
 */

export class Frames {
  #engine;
  #then;
  /** @type {{ values?: Float32Array, beside?: Float32Array }} */
  #spare = {};
  /** Whether a part of the page is in sight, as far as the page around it goes. */
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

  /** Another scene is open: its rows are of another size. */
  forget() {
    this.#spare = {};
  }

  /** @returns {Promise<Frame>} */
  #ask() {
    const { values, beside } = this.#spare;
    this.#spare = {};
    const transfer = [values, beside].flatMap((row) => (row ? [row.buffer] : []));
    return this.#engine.send(
      { type: 'frame', values, beside, known: this.#then.known() },
      transfer,
    );
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

  /** Whatever goes wrong on the screen, the next frame comes. @param {() => void} act */
  #try(act) {
    try {
      act();
    } catch (error) {
      this.#then.failToDraw(/** @type {Error} */ (error));
    }
  }

  /** Once the screen is ready for another, and can be seen. */
  async #isReady() {
    if (this.#isCalm.matches) await new Promise((done) => setTimeout(done, CALM_PACE));
    do {
      while (this.#isUnseen) {
        await new Promise((/** @type {(value?: unknown) => void} */ done) => {
          this.#onSight = done;
        });
      }
      await new Promise((done) => requestAnimationFrame(done));
      // Firefox's screen comes once more, a second after its page was hidden.
    } while (this.#isUnseen);
  }

  get #isUnseen() {
    return document.hidden || !this.#isInSight;
  }
}
