/**
 * Asks the engine for frames, one at a time, whenever the screen is ready for another: so a hidden page stands still.
 * Rows of cells that are no longer shown go back to be filled again.
 */

/** @typedef {import('./engine/protocol.js').Frame} Frame */

/** With reduced motion, frames come at this pace, in ms; training itself keeps its own. */
const CALM_PACE = 250;

export class Pump {
  #engine;
  #take;
  #fail;
  /** @type {{ values?: Float32Array, beside?: Float32Array }} */
  #spare = {};
  #isCalm = matchMedia('(prefers-reduced-motion: reduce)');

  /**
   * @param {import('./engine/client.js').Engine} engine
   * @param {(frame: Frame) => Frame | null} take gives back the frame that is no longer shown, if there is one
   * @param {(error: Error) => void} fail
   */
  constructor(engine, take, fail) {
    this.#engine = engine;
    this.#take = take;
    this.#fail = fail;
  }

  /** Another scene is open: its rows are of another size. */
  forget() {
    this.#spare = {};
  }

  async start() {
    const { values, beside } = this.#spare;
    this.#spare = {};
    const transfer = [values, beside].flatMap((row) => (row ? [row.buffer] : []));
    try {
      const frame = await this.#engine.send({ type: 'frame', values, beside }, transfer);
      const old = this.#take(frame);
      if (old) this.#spare = { values: old.values, beside: old.beside?.values };
    } catch (error) {
      this.#fail(/** @type {Error} */ (error));
    }
    const again = () => requestAnimationFrame(() => this.start());
    if (this.#isCalm.matches) setTimeout(again, CALM_PACE);
    else again();
  }
}
