/**
 * Opens, leaves, replays and restores runs, plays the shown one, and shows its earlier steps. Each
 * run has a number and keeps it when it is opened again, so that no command for one run reaches
 * another.
 */

import { firstState, setupOf, validate } from '../state/state.js';

/** @typedef {import('../state/state.js').State} State */
/** @typedef {import('../engine/protocol.js').Opened} Opened */

/**
 * A run that was left: all that is needed to replay it, its number, and its key in the run cache.
 * @typedef {{ state: State, run: number, key?: number }} LeftRun
 */

/**
 * How a run is opened.
 * @typedef {object} How
 * @property {number} [run]    its number, if it had one before
 * @property {number} [key]  its key in the engine's run cache
 * @property {import('../engine/session.js').Checkpoint | null} [checkpoint]
 * @property {boolean} [isUndoing]  true if it is no edit of its own
 * @property {boolean} [isHistory]  true if the address has it already
 */

/** The number of frames without movement after which a run pauses itself. */
const IDLE_FRAMES = 20;

export class Runs {
  #app;
  /** The shown run as it was requested, or as the engine last told it, and the number of changes by then. @type {{ state: State, changes: number } | null} */
  known = null;
  /** The number of runs that were requested. */
  #count = 0;
  /** Settles once the requested run is open, or has failed. @type {Promise<unknown>} */
  opening = Promise.resolve();
  /** The goal of the current replay, the way back to the run before it, and whether Undo takes that way. @type {{ goal: State, back: (() => unknown) | null, isEdit: boolean } | null} */
  replaying = null;
  isPlaying = false;
  /** An earlier step that is shown. @type {{ step: number, loss: number, values: Float32Array, mask: Uint8Array } | null} */
  peeked = null;
  /** The last step the engine has reported, if its frame is not there yet. */
  reached = 0;
  /** The number of frames in which nothing moved. */
  still = 0;
  /** True if the run has paused itself because nothing moved. */
  isIdle = false;
  /** @type {Promise<void>} */
  #peeking = Promise.resolve();
  /** The live run's mask, while an earlier step is shown. @type {Uint8Array} */
  #liveMask = new Uint8Array(0);

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Opens the run of a link or a file. @param {Record<string, unknown>} candidate @param {How} [how] */
  async read(candidate, how = {}) {
    const { state: now, views } = this.#app;
    // Links from before Picture opened the page may name no scene.
    const base = candidate.scene === '' ? { ...firstState(), theme: now.theme } : now;
    const { state, problems } = validate(candidate, base);
    const left = await this.open(state, how);
    const [problem] = problems;
    if (problem?.left) views.trouble({ kind: 'edits', left: problem.left });
    else if (problem) views.trouble({ kind: 'link', field: problem.field });
    return left;
  }

  /** @param {State} state @param {How} [how] @returns {Promise<LeftRun | null>} the run that was left for it; null if there was none */
  open(state, how = {}) {
    const { cells } = this.#app;
    const count = ++this.#count;
    // The run that is about to be left takes no more edits.
    cells.isOpen = false;
    const opening = this.#open(how.run ?? count, state, how).finally(() => {
      if (count === this.#count) cells.isOpen = true;
    });
    this.opening = opening;
    return opening;
  }

  /** @param {number} run @param {State} state @param {How} how @returns {Promise<LeftRun | null>} */
  async #open(run, state, { key, checkpoint = null, isUndoing = false, isHistory = false }) {
    const app = this.#app;
    const { commands, views } = app;
    /** @type {LeftRun | null} */
    let left = null;
    try {
      const opened = await app.engine.send({ type: 'open', run, state, key, checkpoint });
      // If another run has opened meanwhile, that one is left.
      left = this.leftOf(opened, app.state);
      commands.open(run);
      this.known = { state, changes: commands.changes };
      app.update({ type: 'opened', opened, asked: state });
      this.isPlaying = false;
      app.frame = null;
      app.report = null;
      app.cells.openRun(opened.locks, state.locks === null && state.events.length === 0);
      if (!isUndoing) this.push(left);
      const back = isUndoing ? () => left && this.restore(left) : () => app.edits.move('undo');
      this.adopt(opened, state, left ? back : null, left !== null && !isUndoing);
      views.open();
      if (left && !isUndoing && !isHistory) views.opened(left, state);
      views.changed();
    } catch (reason) {
      commands.fail(reason);
    }
    views.show(app.state);
    return left;
  }

  /**
   * Shows the run that the engine has opened.
   * @param {Opened} opened
   * @param {State} [goal]  the goal of a long replay
   * @param {(() => unknown) | null} [back]  restores the run before it
   * @param {boolean} [isEdit]  true if `back` is an undo
   */
  adopt(opened, goal = this.#app.state, back = null, isEdit = false) {
    const app = this.#app;
    app.update({ type: 'opened', opened });
    app.opened = opened;
    app.coming = null;
    app.unknown = app.scene.unknown?.(setupOf(app.state)) ?? null;
    this.peeked = null;
    this.reached = 0;
    this.still = 0;
    this.replaying = opened.isReplaying ? { goal, back, isEdit } : null;
    if (opened.isReplayed) app.views.restart(opened.marks);
  }

  /** @param {Opened} opened @param {State} before the state before it @returns {LeftRun | null} */
  leftOf({ left }, before) {
    // A run that was left during its replay is stored with the replay's goal.
    const { run } = this.#app.commands;
    if (this.replaying) return { run, state: this.replaying.goal };
    return left && { run, state: { ...before, ...left.recipe }, key: left.key };
  }

  /** Adds an edit whose undo restores a left run. @param {LeftRun | null | Promise<LeftRun | null>} left */
  push(left) {
    if (!left) return;
    let other = Promise.resolve(left);
    const swap = async () => {
      const run = await other;
      const before = run && (await this.restore(run));
      if (before) other = Promise.resolve(before);
      return !run || before !== null;
    };
    this.#app.edits.add({ undo: swap, redo: swap });
  }

  /** Restores a left run. @param {LeftRun} run @param {boolean} [isHistory] true if the browser's Back leads to it @returns {Promise<LeftRun | null>} the run that was left for it */
  restore({ state, run, key }, isHistory = false) {
    return this.open(state, { run, key, isUndoing: !isHistory, isHistory });
  }

  /**
   * Replaces this run with another; Undo leads back.
   * @param {import('../engine/protocol.js').Command} command
   * @param {boolean} [isGoneFrom] true if a run is certainly left
   * @returns {Promise<boolean>} false if it was refused
   */
  async replace(command, isGoneFrom = false) {
    const { cells, commands, state: before, views } = this.#app;
    // The engine ends a drag before it starts again; the next drag may begin before it answers.
    if (command.type !== 'do') cells.drag = null;
    const opening = commands.ask(command);
    // Edits made meanwhile are undone first.
    if (isGoneFrom) this.push(opening.then((opened) => opened && this.leftOf(opened, before)));
    const opened = await opening;
    if (opened) {
      if (!isGoneFrom) this.push(this.leftOf(opened, before));
      this.adopt(opened);
      if (!cells.isUnderWay) cells.adopt(opened.locks);
    }
    views.show(this.#app.state);
    views.changed();
    return opened !== undefined;
  }

  /** Prunes and restarts with the remaining cells; one Undo leads back. @param {number} fraction */
  async pruneAnew(fraction) {
    await this.continueFromPeek();
    this.isPlaying = false;
    await this.replace({ type: 'pruneAnew', fraction });
  }

  /** Opens a run of the scene; Undo leads back to the run before. @param {Parameters<import('../scenes/shared/figure.js').Intents['openRun']>[0]} run */
  async openRecorded({ optimizer, locks, zeros, steps }) {
    const { state, scene } = this.#app;
    const beside = state.beside === 'mask' ? (scene.beside ?? 'none') : state.beside;
    await this.open({ ...state, optimizer, locks, zeros, beside, events: [], step: steps });
  }

  get replay() {
    return this.replaying && this.#app.frame?.replay;
  }

  /** Cancels the replay: restores the run before it, or stays where it is if there was none. */
  async cancel() {
    if (!this.replaying) return;
    const { back } = this.replaying;
    if (back) await back();
    else if (await this.replace({ type: 'cancel' })) this.#app.views.draw();
  }

  /** Handles a frame's report on the replay. @param {import('../engine/protocol.js').Frame['replay']} replay */
  follow(replay) {
    const refusal = replay?.refusal;
    // Some of the run's events could not be replayed.
    if (refusal && this.replaying) this.#app.views.trouble({ kind: 'failed', error: refusal });
    if (refusal || !replay) this.replaying = null;
  }

  /** @param {number} [speed] steps per second */
  play(speed = this.#app.state.speed) {
    this.continueFromPeek();
    this.isPlaying = true;
    this.isIdle = false;
    this.still = 0;
    this.#app.commands.ask({ type: 'play', speed });
  }

  pause() {
    this.isPlaying = false;
    this.isIdle = false;
    this.#app.commands.ask({ type: 'pause' });
    this.#app.views.changed();
  }

  // Views call these three as they are.
  togglePlay = () => {
    if (this.isPlaying) this.pause();
    else this.play();
    this.#app.views.draw();
  };

  /** @param {number} steps */
  step = async (steps) => {
    if (this.isPlaying) this.pause();
    this.continueFromPeek();
    this.reached = (await this.#app.commands.ask({ type: 'step', steps })) ?? this.reached;
    this.#app.views.changed();
  };

  reset = () => {
    this.isPlaying = false;
    return this.replace({ type: 'reset' });
  };

  /** @param {import('../engine/protocol.js').Frame} frame */
  stopWhenStill({ isSettled, rival, isPlaying }) {
    const isStill = isSettled && !rival && isPlaying && !this.#app.cells.drag;
    this.still = isStill ? this.still + 1 : 0;
    if (this.still < IDLE_FRAMES || !this.isPlaying) return;
    this.pause();
    this.isIdle = true;
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
    const { cells, commands, views, step: last } = this.#app;
    if (this.isPlaying) this.pause();
    const shown = this.peeked?.step ?? last;
    const isNext = where === 'after';
    const step = where === 'before' ? Math.max(0, shown - 1) : isNext ? shown : where;
    const peeked = step < last ? await commands.ask({ type: 'peek', step, isNext }) : null;
    if (!this.peeked) this.#liveMask = cells.mask;
    this.peeked = peeked ?? null;
    // Edits apply to the shown locks.
    cells.adopt(this.peeked?.mask ?? this.#liveMask);
    views.draw();
  }

  /** Continues from the earlier step that is shown; undo leads back to the later steps. */
  async continueFromPeek() {
    if (!this.peeked) return;
    const { step } = this.peeked;
    this.peeked = null;
    await this.replace({ type: 'rewind', step }, true);
  }
}
