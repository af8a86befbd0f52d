/**
 * Runs as they are opened, left, replayed and come back to. Each has a number, which it has again when it is opened again,
 * so that nothing that was meant for one reaches another.
 */

import { LateError, RefusedError } from '../engine/client.js';
import { setupOf, validate } from '../state/state.js';

/** @typedef {import('../state/state.js').State} State */
/** @typedef {import('../engine/protocol.js').Opened} Opened */

/**
 * A run that was left: all it takes to get there again, its number, which it has again then, and where the engine has
 * put it, if it still has it.
 * @typedef {{ state: State, run: number, place?: number }} LeftRun
 */

/**
 * How a run is opened.
 * @typedef {object} How
 * @property {number} [run]    its number, if it had one before
 * @property {number} [place]  where the engine has it
 * @property {import('../engine/session.js').Checkpoint | null} [checkpoint]
 * @property {boolean} [isUndoing]  it is no edit
 * @property {boolean} [isHistory]  the address has it already
 */

export class Runs {
  #app;
  /** The run that is shown as it was asked for, and how many changes there had been by then. @type {{ run: number, state: State, changes: number } | null} */
  asked = null;
  /** How many were asked for. */
  #count = 0;
  /** Settles once the run that was asked for is there, or cannot be. @type {Promise<unknown>} */
  opening = Promise.resolve();
  /** What a replay is to lead to, and the way back to what was there before. @type {{ asked: State, back: (() => unknown) | null } | null} */
  #replaying = null;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  /** Open what a link or a file says. @param {Record<string, unknown>} candidate @param {State} [fallback] @param {How} [how] */
  async read(candidate, fallback = this.#app.state, how = {}) {
    const { state, problems } = validate(candidate, fallback);
    const left = await this.open(state, how);
    const [problem] = problems;
    const { views } = this.#app;
    if (problem?.left) views.trouble({ kind: 'edits', left: problem.left });
    else if (problem) views.trouble({ kind: 'link', field: problem.field });
    return left;
  }

  /** @param {State} state @param {How} [how] @returns {Promise<LeftRun | null>} what was left for it; null if nothing was */
  open(state, how = {}) {
    const { locks } = this.#app;
    const count = ++this.#count;
    // Nobody edits what is about to be left.
    locks.isOpen = false;
    const opening = this.#open(how.run ?? count, state, how).finally(() => {
      if (count === this.#count) locks.isOpen = true;
    });
    this.opening = opening;
    return opening;
  }

  /** @param {number} run @param {State} state @param {How} how @returns {Promise<LeftRun | null>} */
  async #open(run, state, { place, checkpoint = null, isUndoing = false, isHistory = false }) {
    const app = this.#app;
    const { commands, views } = app;
    /** @type {LeftRun | null} */
    let left = null;
    const { scene, optimizer, locks, zeros, events, step, beside, rival, selected } = state;
    try {
      const opened = await app.engine.send({
        ...{ type: 'open', run, scene, setup: setupOf(state), place, checkpoint },
        ...{ optimizer, locks, zeros, events, step, look: { beside, rival } },
      });
      // Meanwhile another may have come, and is what is left now.
      left = this.leftOf(opened, app.state);
      commands.open(run);
      this.asked = { run, state, changes: commands.changes };
      app.state = { ...state, locks: opened.locks };
      app.player.isPlaying = false;
      app.frame = null;
      app.report = null;
      app.frames.forget();
      app.locks.openRun(opened.locks, locks === null && events.length === 0);
      if (!isUndoing) this.push(left);
      const back = isUndoing ? () => left && this.restore(left) : () => app.edits.undo();
      this.adopt(opened, state, left ? back : undefined);
      commands.ask({ type: 'select', index: selected });
      views.open();
      if (!isUndoing && !isHistory) views.opened(left, state);
      views.changed();
    } catch (reason) {
      commands.fail(reason);
    }
    views.show(app.state);
    return left;
  }

  /**
   * The run as the engine has it now.
   * @param {Opened} opened
   * @param {State} [asked]  what its replay, if it takes long, is to lead to
   * @param {() => unknown} [back]  what leads back from it
   */
  adopt(opened, asked = this.#app.state, back) {
    const app = this.#app;
    app.state = { ...app.state, optimizer: opened.optimizer, events: [], step: 0 };
    app.target = opened.target;
    app.figure = opened.figure;
    app.player.peeked = null;
    app.player.reached = 0;
    app.player.stir();
    this.#replaying = opened.isReplaying ? { asked, back: back ?? null } : null;
    if (!opened.isReplayed) return;
    // The engine has let go of whatever was in hand.
    app.drag.forget();
    app.views.restart(opened.marks);
  }

  /** @param {Opened} opened @param {State} before what was open @returns {LeftRun | null} */
  leftOf({ left }, before) {
    // A run that was left on its way is the run that it was to become.
    const { run } = this.#app.commands;
    if (this.#replaying) return { run, state: this.#replaying.asked };
    return left && { run, state: { ...before, ...left.recipe }, place: left.place };
  }

  /** Undo leads back to a run that was left. @param {LeftRun | null | Promise<LeftRun | null>} left */
  push(left) {
    if (!left) return;
    let other = Promise.resolve(left);
    const swap = async () => {
      const run = await other;
      const before = run && (await this.restore(run));
      if (before) other = Promise.resolve(before);
      return !run || before !== null;
    };
    this.#app.edits.leave({ undo: swap, redo: swap });
  }

  /** Go back to a run that was left. @param {LeftRun} run @param {boolean} [isHistory] whether the browser's Back leads to it @returns {Promise<LeftRun | null>} the one that was left for it */
  restore({ state, run, place }, isHistory = false) {
    return this.open(state, { run, place, isUndoing: !isHistory, isHistory });
  }

  /** Another run in the place of this one. @param {import('../engine/protocol.js').Command} command @param {boolean} [isGoneFrom] whether something surely is left */
  async anew(command, isGoneFrom = false) {
    const { commands, locks, state: before, views } = this.#app;
    const opening = commands.ask(command);
    // What is edited meanwhile is undone before.
    if (isGoneFrom) this.push(opening.then((opened) => opened && this.leftOf(opened, before)));
    const opened = await opening;
    if (opened) {
      if (!isGoneFrom) this.push(this.leftOf(opened, before));
      this.adopt(opened);
      if (!locks.isUnderWay) locks.adopt(opened.locks);
    }
    views.show(this.#app.state);
    views.changed();
  }

  /** Prune, and start again with what is left; one Undo leads back. @param {number} fraction */
  async pruneAnew(fraction) {
    const { player } = this.#app;
    await player.goOn();
    player.isPlaying = false;
    await this.anew({ type: 'pruneAnew', fraction });
  }

  /** Open a run of the study; Undo leads back to the one that was left. @param {import('../engine/protocol.js').StudyRecipe} recipe */
  async openStudied({ optimizer, locks, zeros, rule, steps }) {
    const { state, scene } = this.#app;
    const own = state.beside === 'mask' ? (scene.beside ?? 'none') : state.beside;
    const beside = rule === 'mask' ? 'mask' : own;
    await this.open({ ...state, optimizer, locks, zeros, beside, events: [], step: steps });
  }

  get isReplaying() {
    return this.#replaying !== null;
  }

  /** What the replay that is under way says of itself, if one is. */
  get replay() {
    return this.#replaying && this.#app.frame?.replay;
  }

  /** No more of it: back to what was there before, or, where there was nothing, stay where it got to. */
  async cancel() {
    if (!this.#replaying) return;
    const { asked, back } = this.#replaying;
    const { commands, locks, views } = this.#app;
    const opened = await commands.ask({ type: 'cancel' });
    if (!opened) return;
    if (back) {
      await back();
      return;
    }
    this.#replaying = null;
    this.adopt(opened);
    locks.adopt(opened.locks);
    this.push({ run: commands.run, state: asked });
    views.draw();
    views.changed();
  }

  /** What a frame says of the replay. @param {import('../engine/protocol.js').Frame['replay']} replay */
  follow(replay) {
    const refusal = replay?.refusal;
    if (refusal && this.#replaying) {
      // What was done could not all be done again.
      this.#app.views.trouble({ kind: 'failed', error: new RefusedError(refusal) });
    }
    if (refusal || !replay) this.#replaying = null;
  }

  /** Asks what the run that is shown is: all it takes to get there again, or also its exact state, of one moment. @param {'recipe' | 'saved'} type */
  async question(type) {
    const { commands, engine } = this.#app;
    for (;;) {
      try {
        return await engine.send({ type, run: commands.run });
      } catch (error) {
        if (!(error instanceof LateError)) throw error;
        // Another is being opened, or this one again.
        await this.opening;
      }
    }
  }
}
