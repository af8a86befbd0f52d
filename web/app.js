/**
 * Ties state, engine and views together. It draws nothing and calculates nothing: views say what a person wants, the
 * validator says what is possible, the engine does it, and frames come back to be drawn.
 */

import { Engine } from './engine/client.js';
import { findScene } from './scenes/index.js';
import { LockEditor } from './state/lock-editor.js';
import { firstState, validate } from './state/state.js';

/** @typedef {import('./state/state.js').State} State */
/** @typedef {import('./engine/protocol.js').Frame} Frame */

/**
 * @typedef {object} Views
 * @property {(app: App) => void} open     another scene, size or choice
 * @property {(state: State) => void} show what a person has chosen
 * @property {(app: App) => void} draw     another frame, or other locks
 * @property {(trace: Float64Array) => void} trace
 * @property {(step: number) => void} mark locks have changed
 * @property {() => void} restart          the run starts again from step 0
 * @property {(problem: import('./view/problems.js').Trouble | null) => void} trouble
 */

/** With reduced motion, the grid is drawn at this pace, in ms; training itself keeps its own. */
const CALM_PACE = 250;

export class App {
  /** @type {State} */
  state = firstState();
  /** @type {Frame | null} */
  frame = null;
  /** @type {import('./engine/protocol.js').CellReport | null} */
  report = null;
  /** @type {Float32Array | null} */
  target = null;
  isPlaying = false;
  #views;
  #engine;
  #locks = new LockEditor((mask, isNewEdit) => this.#sendLocks(mask, isNewEdit));
  #locksUnderWay = 0;
  #isOpening = false;
  /** @type {Float32Array | undefined} values that are no longer shown */
  #spare;
  #isCalm = matchMedia('(prefers-reduced-motion: reduce)');

  /** @param {Views} views */
  constructor(views) {
    this.#views = views;
    this.#engine = new Engine((detail) => views.trouble({ kind: 'broken', detail }));
  }

  async start() {
    if (await this.#open(this.state)) this.#nextFrame();
  }

  get mask() {
    return this.#locks.mask;
  }

  /** Change what a person chooses, other than the optimizer. @param {Record<string, unknown>} patch */
  async change(patch) {
    const { state, problems } = validate(patch, this.state);
    const [problem] = problems;
    this.#views.trouble(problem ? { kind: 'refused', field: problem.field } : null);
    const before = this.state;
    const isSameRun = /** @type {const} */ (['scene', 'rows', 'cols', 'choice', 'seed']).every(
      (field) => state[field] === before[field],
    );
    if (!isSameRun) {
      await this.#open(state);
      return;
    }
    this.state = state;
    if (state.selected !== before.selected) {
      this.#send({ type: 'select', index: state.selected });
      this.report = null;
      this.#views.draw(this);
    }
    if (state.speed !== before.speed && this.isPlaying) this.play();
    this.#views.show(state);
  }

  /** Act on the live run. @param {Record<string, unknown>} patch @param {string} [typed] what the person wrote */
  async changeOptimizer(patch, typed) {
    const { state, problems } = validate(
      { optimizer: { ...this.state.optimizer, ...patch } },
      this.state,
    );
    const [problem] = problems;
    const { state: before } = this;
    if (problem) {
      const kept = String(Reflect.get(before.optimizer, problem.field));
      this.#views.trouble({
        kind: 'option',
        field: problem.field,
        given: typed ?? String(problem.given),
        kept,
      });
    } else {
      this.state = state;
      const isTaken = await this.#send({ type: 'optimizer', settings: state.optimizer });
      if (!isTaken && this.state === state) this.state = before;
    }
    this.#views.show(this.state);
  }

  /** @param {State} state @returns {Promise<boolean>} whether it is open; if not, what was open still is */
  async #open(state) {
    this.#isOpening = true;
    let isOpen = false;
    const { scene, rows, cols, choice, seed, optimizer, selected } = state;
    const setup = { rows, cols, choice, seed };
    try {
      const { locks, target } = await this.#engine.send({
        type: 'open',
        scene,
        setup,
        optimizer,
        locks: state.locks,
      });
      this.state = state;
      this.isPlaying = false;
      this.frame = null;
      this.report = null;
      this.target = target;
      this.#spare = undefined;
      this.#locks.open({ rows, cols }, locks);
      this.#send({ type: 'select', index: selected });
      this.#views.restart();
      this.#views.open(this);
      isOpen = true;
    } catch (reason) {
      const error = /** @type {Error} */ (reason);
      const isFirst = this.frame === null;
      const detail = `${error.name}: ${error.message}`;
      this.#views.trouble(isFirst ? { kind: 'broken', detail } : { kind: 'failed', error });
    }
    this.#isOpening = false;
    this.#views.show(this.state);
    return isOpen;
  }

  /**
   * @param {import('./engine/protocol.js').Command} command
   * @returns {Promise<boolean>} whether the library took it
   */
  async #send(command) {
    try {
      await this.#engine.send(command);
      if (command.type !== 'select') this.#views.trouble(null);
      return true;
    } catch (error) {
      this.#views.trouble({ kind: 'failed', error: /** @type {Error} */ (error) });
      return false;
    }
  }

  play() {
    this.isPlaying = true;
    this.#send({ type: 'play', speed: this.state.speed });
  }

  pause() {
    this.isPlaying = false;
    this.#send({ type: 'pause' });
  }

  togglePlay() {
    if (this.isPlaying) this.pause();
    else this.play();
    this.#views.draw(this);
  }

  /** @param {number} steps */
  step(steps) {
    if (this.isPlaying) this.pause();
    return this.#send({ type: 'step', steps });
  }

  async reset() {
    this.isPlaying = false;
    if (await this.#send({ type: 'reset' })) this.#views.restart();
  }

  get locks() {
    return this.#locks;
  }

  /** @param {Uint8Array} mask @param {boolean} isNewEdit */
  async #sendLocks(mask, isNewEdit) {
    this.state = { ...this.state, locks: mask };
    if (isNewEdit && this.frame) this.#views.mark(this.frame.step);
    this.#views.draw(this);
    this.#locksUnderWay++;
    await this.#send({ type: 'locks', mask });
    this.#locksUnderWay--;
  }

  /** @param {number} index @param {number} value */
  async assign(index, value) {
    try {
      await this.#engine.send({ type: 'assign', index, value });
      this.#views.trouble(null);
    } catch (error) {
      this.#views.trouble({ kind: 'assign', error: /** @type {Error} */ (error), index });
    }
  }

  /** The run as it is, exactly. @returns {Promise<import('./engine/protocol.js').Snapshot>} */
  snapshot() {
    return this.#engine.send({ type: 'snapshot' });
  }

  /** Ask for a frame, draw it when it comes, and ask again when the screen is ready for another. */
  async #nextFrame() {
    const values = this.#spare;
    this.#spare = undefined;
    try {
      /** @type {Frame} */
      const frame = await this.#engine.send(
        { type: 'frame', values },
        values ? [values.buffer] : [],
      );
      if (!this.#isOpening && frame.values.length === this.mask.length) this.#take(frame);
    } catch (error) {
      this.#views.trouble({ kind: 'failed', error: /** @type {Error} */ (error) });
    }
    const again = () => requestAnimationFrame(() => this.#nextFrame());
    if (this.#isCalm.matches) setTimeout(again, CALM_PACE);
    else again();
  }

  /** @param {Frame} frame */
  #take(frame) {
    this.#spare = this.frame?.values;
    this.frame = frame;
    if (frame.cell?.index === this.state.selected) this.report = frame.cell;
    // Locks that are on their way to the engine are newer than those it tells of.
    if (frame.locks && !this.#locksUnderWay) this.#locks.mask = frame.locks;
    this.#views.trace(frame.trace);
    this.#views.draw(this);
  }

  /** The scene that is open. */
  get scene() {
    return /** @type {import('./scenes/scene.js').Scene} */ (findScene(this.state.scene));
  }
}
