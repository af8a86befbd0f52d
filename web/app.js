/**
 * Ties state, engine and views together. It draws nothing and calculates nothing: views say what a person wants, the
 * validator says what is possible, the engine does it, and frames come back to be drawn.
 */

import { Engine } from './engine/client.js';
import { Pump } from './pump.js';
import { findScene, reachOf } from './scenes/index.js';
import { layoutOf, partAt } from './scenes/layout.js';
import { Edits } from './state/edits.js';
import { LockEditor } from './state/lock-editor.js';
import { firstState, setupOf, validate } from './state/state.js';

/** @typedef {import('./state/state.js').State} State */
/** @typedef {import('./engine/protocol.js').Frame} Frame */
/** @typedef {import('./engine/protocol.js').Opened} Opened */
/** @typedef {import('./view/problems.js').Trouble} Trouble */

/**
 * @typedef {object} Views
 * @property {(app: App) => void} open     another scene, size, choice or neighbour
 * @property {(state: State) => void} show what a person has chosen
 * @property {(app: App) => void} draw     another frame, or other locks
 * @property {(trace: Float64Array) => void} trace
 * @property {(step: number) => void} mark locks have changed
 * @property {(marks: number[]) => void} restart  the run was replayed, or starts again
 * @property {(problem: Trouble | null) => void} trouble
 * @property {(isAnother: boolean) => void} changed  what a link would hold has; isAnother: another scene is open
 */

/** Frames for which nothing may move before a run stops by itself. */
const PATIENCE = 20;

/** Cells above which a stroke's locks go to the engine as fast as it takes them. */
const LARGE = 1 << 16;

/** What makes another run. */
const RUN_FIELDS = /** @type {const} */ (['scene', 'rows', 'cols', 'choices', 'seed', 'own']);

export class App {
  /** @type {State} */
  state = firstState();
  /** @type {Frame | null} */
  frame = null;
  /** An earlier step that is looked at. @type {import('./engine/snapshots.js').Kept | null} */
  peeked = null;
  /** @type {import('./engine/protocol.js').CellReport | null} */
  report = null;
  /** @type {Float32Array | null} */
  target = null;
  /** What the scene's figures show that stays as it is. @type {unknown} */
  figure = null;
  isPlaying = false;
  #views;
  #engine;
  #locks = new LockEditor((mask, isNewEdit) => this.#sendLocks(mask, isNewEdit));
  /** What undo and redo take back, of locks and of values. */
  edits = new Edits(this.#locks, (index, value) => this.#write(index, value));
  #locksUnderWay = 0;
  #isOpening = false;
  #still = 0;
  #pump;

  /** @param {Views} views */
  constructor(views) {
    this.#views = views;
    this.#engine = new Engine((detail) => views.trouble({ kind: 'broken', detail }));
    this.#pump = new Pump(
      this.#engine,
      (frame) => this.#take(frame),
      (error) => views.trouble({ kind: 'failed', error }),
    );
  }

  /** @param {Record<string, unknown> | null} candidate of a link */
  async start(candidate) {
    await this.open(candidate ?? {}, this.state);
    // A link that cannot be replayed must not keep the page from starting.
    if (!this.frame && this.#isClosed) await this.#open(firstState());
    this.#pump.start();
  }

  /** Whether nothing has been opened yet. */
  get #isClosed() {
    return this.locks.mask.length === 0;
  }

  get mask() {
    return this.peeked?.mask ?? this.#locks.mask;
  }

  get locks() {
    return this.#locks;
  }

  /** The scene that is open. */
  get scene() {
    return /** @type {import('./scenes/scene.js').Scene} */ (findScene(this.state.scene));
  }

  get layout() {
    return layoutOf(this.scene, setupOf(this.state));
  }

  get reach() {
    return reachOf(this.scene, setupOf(this.state));
  }

  get step() {
    return this.frame?.step ?? 0;
  }

  /** Open what a link or a file says. @param {Record<string, unknown>} candidate @param {State} [fallback] */
  async open(candidate, fallback = this.state) {
    const { state, problems } = validate(candidate, fallback);
    await this.#open(state);
    const [problem] = problems;
    if (problem) this.#views.trouble({ kind: 'link', field: problem.field });
  }

  /** Change what a person chooses, other than the optimizer. @param {Record<string, unknown>} patch */
  async change(patch) {
    const { state, problems } = validate(patch, this.state);
    const [problem] = problems;
    this.#views.trouble(problem ? { kind: 'refused', field: problem.field } : null);
    const before = this.state;
    const isSame = (/** @type {keyof State} */ field) =>
      field === 'choices'
        ? Object.entries(state.choices).every(([name, value]) => before.choices[name] === value)
        : state[field] === before[field];
    if (!RUN_FIELDS.every(isSame)) {
      await this.#open(state);
      return;
    }
    this.state = state;
    if (!isSame('selected')) this.#select(state.selected);
    if (!isSame('speed') && this.isPlaying) this.play();
    if (!isSame('beside') || !isSame('rival')) await this.#look(state);
    this.#views.show(this.state);
    this.#views.changed(false);
  }

  /** @param {number} index */
  #select(index) {
    this.#send({ type: 'select', index });
    this.report = null;
    this.#views.draw(this);
  }

  /** @param {State} state */
  async #look({ beside, rival }) {
    const opened = await this.#ask({ type: 'look', look: { beside, rival } });
    if (opened) this.#adopt(opened);
    this.#views.open(this);
  }

  /** Act on the live run. @param {Record<string, unknown>} patch @param {string} [typed] what the person wrote */
  async changeOptimizer(patch, typed) {
    const candidate = { optimizer: { ...this.state.optimizer, ...patch } };
    const { state, problems } = validate(candidate, this.state);
    const [problem] = problems;
    if (problem) {
      const kept = String(Reflect.get(this.state.optimizer, problem.field));
      const given = typed ?? String(problem.given);
      this.#views.trouble({ kind: 'option', field: problem.field, given, kept });
    } else {
      const opened = await this.#ask({ type: 'optimizer', settings: state.optimizer });
      if (opened) this.#adopt(opened);
    }
    this.#views.show(this.state);
    this.#views.changed(false);
  }

  /** The run as the engine has it now. @param {Opened} opened */
  #adopt(opened) {
    this.state = { ...this.state, optimizer: opened.optimizer, events: [], step: 0 };
    this.target = opened.target;
    this.figure = opened.figure;
    this.peeked = null;
    this.#still = 0;
    if (!opened.isReplayed) return;
    this.edits.forgetValues();
    this.#views.restart(opened.marks);
  }

  /** @param {State} state @returns {Promise<boolean>} whether it is open; if not, what was open still is */
  async #open(state) {
    this.#isOpening = true;
    let isOpen = false;
    const isAnother = state.scene !== this.state.scene;
    const { scene, optimizer, locks, events, step, beside, rival, selected } = state;
    try {
      const opened = await this.#engine.send({
        type: 'open',
        scene,
        setup: setupOf(state),
        optimizer,
        locks,
        events,
        step,
        look: { beside, rival },
      });
      this.state = { ...state, locks: opened.locks };
      this.isPlaying = false;
      this.frame = null;
      this.report = null;
      this.#pump.forget();
      this.#locks.open(this.layout, opened.locks);
      this.edits.clear();
      this.#adopt(opened);
      this.#send({ type: 'select', index: selected });
      this.#views.open(this);
      isOpen = true;
    } catch (reason) {
      const error = /** @type {Error} */ (reason);
      this.#views.trouble({ kind: 'failed', error });
    }
    this.#isOpening = false;
    this.#views.show(this.state);
    if (isOpen) this.#views.changed(isAnother);
    return isOpen;
  }

  /**
   * @param {import('./engine/protocol.js').Command} command
   * @returns {Promise<any>} the answer; undefined if the library refused, which is said
   */
  async #ask(command) {
    try {
      const answer = await this.#engine.send(command);
      if (command.type !== 'select') this.#views.trouble(null);
      return answer;
    } catch (error) {
      this.#views.trouble({ kind: 'failed', error: /** @type {Error} */ (error) });
      return undefined;
    }
  }

  /** @param {import('./engine/protocol.js').Command} command */
  async #send(command) {
    await this.#ask(command);
  }

  play() {
    this.peeked = null;
    this.isPlaying = true;
    this.#still = 0;
    this.#send({ type: 'play', speed: this.state.speed });
  }

  pause() {
    this.isPlaying = false;
    this.#send({ type: 'pause' });
    this.#views.changed(false);
  }

  togglePlay() {
    if (this.isPlaying) this.pause();
    else this.play();
    this.#views.draw(this);
  }

  /** @param {number} steps */
  async train(steps) {
    if (this.isPlaying) this.pause();
    this.peeked = null;
    await this.#send({ type: 'step', steps });
    this.#views.changed(false);
  }

  async reset() {
    this.isPlaying = false;
    const opened = await this.#ask({ type: 'reset' });
    if (opened) this.#adopt(opened);
    this.#views.changed(false);
  }

  /** Look at an earlier step, as far as it was kept. @param {number} step */
  async peek(step) {
    if (this.isPlaying) this.pause();
    this.peeked = await this.#ask({ type: 'peek', step });
    this.#views.draw(this);
  }

  /** Go back to an earlier step; what came after it is forgotten. @param {number} step */
  async rewind(step) {
    this.isPlaying = false;
    const opened = await this.#ask({ type: 'rewind', step });
    if (opened) {
      this.#adopt(opened);
      this.#adoptLocks(opened.locks);
    }
    this.#views.show(this.state);
    this.#views.changed(false);
  }

  /** @param {number} fraction of each variable's cells, the smallest */
  async prune(fraction) {
    await this.#send({ type: 'prune', fraction });
    this.#views.mark(this.step);
    this.#views.changed(false);
  }

  /** @param {Uint8Array} mask */
  #adoptLocks(mask) {
    if (this.#locks.adopt(mask)) this.edits.push('locks');
  }

  /** @param {Uint8Array} mask @param {boolean} isNewEdit */
  async #sendLocks(mask, isNewEdit) {
    if (isNewEdit) this.edits.push('locks');
    this.peeked = null;
    this.#still = 0;
    this.state = { ...this.state, locks: mask };
    if (isNewEdit && this.frame) this.#views.mark(this.frame.step);
    // Of a fast stroke over a large grid, the engine and the screen get what there is when they are ready.
    if (mask.length > LARGE && this.#locksUnderWay) return;
    this.#locksUnderWay++;
    this.#views.draw(this);
    await this.#send({ type: 'locks', mask });
    this.#locksUnderWay--;
    const { mask: newest } = this.#locks;
    if (mask.length > LARGE && newest !== mask && !this.#locksUnderWay) {
      this.#sendLocks(newest, false);
      return;
    }
    this.#views.changed(false);
  }

  /** @param {number} index @param {number} value */
  async assign(index, value) {
    const before = this.frame?.values[index] ?? 0;
    if (await this.#write(index, value)) this.edits.push({ index, before, after: value });
    this.#views.draw(this);
  }

  /** @param {number} index @param {number} value @returns {Promise<boolean>} whether the library took it */
  async #write(index, value) {
    try {
      await this.#engine.send({ type: 'assign', index, value });
      this.#views.trouble(null);
      this.#views.changed(false);
      return true;
    } catch (error) {
      const { cols, offset } = partAt(this.layout, index);
      const [row, col] = [Math.floor((index - offset) / cols) + 1, ((index - offset) % cols) + 1];
      this.#views.trouble({ kind: 'assign', error: /** @type {Error} */ (error), row, col });
      return false;
    }
  }

  /** The run as it is, exactly. @returns {Promise<import('./engine/protocol.js').Snapshot>} */
  snapshot() {
    return this.#engine.send({ type: 'snapshot' });
  }

  /** All it takes to get here again, for links and files. @returns {Promise<State>} */
  async whole() {
    const recipe = await this.#engine.send({ type: 'recipe' });
    return { ...this.state, ...recipe };
  }

  /** @returns {Promise<string>} */
  code() {
    return this.#engine.send({ type: 'code' });
  }

  /** @param {Frame} frame @returns {Frame | null} the one before */
  #take(frame) {
    if (this.#isOpening || frame.values.length !== this.#locks.mask.length) return frame;
    const before = this.frame;
    this.frame = frame;
    if (frame.cell?.index === this.state.selected) this.report = frame.cell;
    // Locks that are on their way to the engine are newer than those it tells of.
    if (frame.locks && !this.#locksUnderWay) this.#adoptLocks(frame.locks);
    this.#views.trace(frame.trace);
    this.#stopWhenStill(frame);
    this.#views.draw(this);
    return before;
  }

  /** @param {Frame} frame */
  #stopWhenStill({ isSettled, rival, isPlaying }) {
    this.#still = isSettled && !rival && isPlaying ? this.#still + 1 : 0;
    if (this.#still >= PATIENCE && this.isPlaying) this.pause();
  }
}
