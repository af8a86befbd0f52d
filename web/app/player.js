/** Plays and pauses the run, and shows earlier steps. */

/** An earlier step that is shown. @typedef {{ step: number, loss: number, values: Float32Array, mask: Uint8Array }} Peeked */

/** The number of frames without movement after which a run pauses itself. */
const IDLE_FRAMES = 20;

export class Player {
  #app;
  isPlaying = false;
  /** @type {Peeked | null} */
  peeked = null;
  /** The last step the engine has reported, if its frame is not there yet. */
  reached = 0;
  #still = 0;
  /** True if the run has paused itself because nothing moved. */
  #isIdle = false;
  /** @type {Promise<void>} */
  #peeking = Promise.resolve();
  /** The live run's mask, while an earlier step is shown. @type {Uint8Array} */
  #liveMask = new Uint8Array(0);

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {number} [speed] steps per second */
  play(speed = this.#app.state.speed) {
    this.continueFromPeek();
    this.isPlaying = true;
    this.#isIdle = false;
    this.#still = 0;
    this.#app.commands.ask({ type: 'play', speed });
  }

  pause() {
    this.isPlaying = false;
    this.#isIdle = false;
    this.#app.commands.ask({ type: 'pause' });
    this.#app.views.changed();
  }

  togglePlay() {
    if (this.isPlaying) this.pause();
    else this.play();
    this.#app.views.draw();
  }

  /** @param {number} steps */
  async step(steps) {
    if (this.isPlaying) this.pause();
    this.continueFromPeek();
    this.reached = (await this.#app.commands.ask({ type: 'step', steps })) ?? this.reached;
    this.#app.views.changed();
  }

  reset() {
    this.isPlaying = false;
    return this.#app.runs.replace({ type: 'reset' });
  }

  /** Restarts the count of frames without movement. */
  restartIdleTimer() {
    this.#still = 0;
  }

  /** Resumes a run that has paused itself. */
  resumeIfIdle() {
    if (this.#isIdle) this.play();
  }

  /** @param {import('../engine/protocol.js').Frame} frame */
  stopWhenStill({ isSettled, rival, isPlaying }) {
    const isStill = isSettled && !rival && isPlaying && !this.#app.drag.isOn;
    this.#still = isStill ? this.#still + 1 : 0;
    if (this.#still < IDLE_FRAMES || !this.isPlaying) return;
    this.pause();
    this.#isIdle = true;
  }

  /**
   * Shows an earlier step, as far as it was kept; changes nothing. The last step is the live run.
   * @param {number | 'before' | 'after'} where  a step, or the kept step before or after the shown one
   */
  peek(where) {
    this.#peeking = this.#peeking.then(() => this.#peek(where));
    return this.#peeking;
  }

  /** @param {number | 'before' | 'after'} where */
  async #peek(where) {
    const { commands, locks, views, step: last } = this.#app;
    if (this.isPlaying) this.pause();
    const shown = this.peeked?.step ?? last;
    const isNext = where === 'after';
    const step = where === 'before' ? Math.max(0, shown - 1) : isNext ? shown : where;
    const peeked = step < last ? await commands.ask({ type: 'peek', step, isNext }) : null;
    if (!this.peeked) this.#liveMask = locks.mask;
    this.peeked = peeked ?? null;
    // Edits apply to the shown locks.
    locks.adopt(this.peeked?.mask ?? this.#liveMask);
    views.draw();
  }

  /** Continues from the earlier step that is shown; undo leads back to the later steps. */
  async continueFromPeek() {
    if (!this.peeked) return;
    const { step } = this.peeked;
    this.peeked = null;
    await this.#app.runs.replace({ type: 'rewind', step }, true);
  }
}
