/**
 * Ties state, engine and views together. It draws nothing and calculates nothing: views say what a person wants, the
 * validator says what is possible, the engine does it, and frames come back to be drawn.
 */

import { Drag } from './drag.js';
import { Engine, LateError, RefusedError } from '../engine/client.js';
import { LockSender } from './lock-sender.js';
import { Pump } from './frames.js';
import { findScene, reachOf } from '../scenes/index.js';
import { layoutOf, partAt } from '../scenes/layout.js';
import { Edits } from '../state/edits.js';
import { LockEditor } from '../state/lock-editor.js';
import { isSame as isSameMask } from '../state/locks.js';
import { firstState, setupOf, validate } from '../state/state.js';
import { StudyLog } from './study.js';
import { Unheard } from './unheard.js';

/** @typedef {import('../state/state.js').State} State */
/** @typedef {import('../engine/protocol.js').Frame} Frame */
/** @typedef {import('../engine/protocol.js').Opened} Opened */
/** @typedef {import('./types.js').Views} Views */
/** @typedef {import('./types.js').LeftRun} LeftRun */
/** @typedef {import('./types.js').Peeked} Peeked */
/** @typedef {import('./types.js').How} How */

/** Frames for which nothing may move before a run stops by itself. */
const PATIENCE = 20;

/** Commands that change at most the step of a run. */
const ONLY_STEPS = ['step', 'play', 'pause', 'peek', 'select'];

/** What makes another run. */
const RUN_FIELDS = /** @type {const} */ (['scene', 'rows', 'cols', 'choices', 'seed', 'own']);

export class App {
  /** @type {State} */
  state = firstState();
  /** @type {Frame | null} */
  frame = null;
  /** @type {Peeked | null} */
  peeked = null;
  /** @type {import('../engine/protocol.js').CellReport | null} */
  report = null;
  /** @type {Float32Array | null} */
  target = null;
  /** What the scene's figures show that stays as it is. @type {unknown} */
  figure = null;
  isPlaying = false;
  #views;
  #engine;
  #locks = new LockEditor((mask, edit) => this.#sendLocks(mask, edit));
  edits = new Edits();
  /** How many commands changed more than the step. */
  changes = 0;
  /** The run that is shown as it was asked for, and how many changes there had been by then. @type {{ run: number, state: State, changes: number } | null} */
  asked = null;
  unheard = new Unheard();
  /** The number of the run that is shown, and how many were asked for. */
  #run = 0;
  #asked = 0;
  #sender = this.#newSender();
  /** Settles once the run that was asked for is there, or cannot be. @type {Promise<unknown>} */
  #opening = Promise.resolve();
  /** @type {Promise<void>} */
  #peeking = Promise.resolve();
  /** The live run's, while an earlier step is looked at. @type {Uint8Array} */
  #liveMask = new Uint8Array(0);
  /** What a replay is to lead to, and the way back to what was there before. @type {{ asked: State, back: (() => unknown) | null } | null} */
  #replaying = null;
  #still = 0;
  /** Whether the run has stopped by itself, as nothing moved any more. */
  #isAtRest = false;
  #drag = new Drag(
    (command) => this.#ask(command),
    (edit) => this.#push(edit),
  );
  #pump;
  #study = new StudyLog();
  /** The locks that the scene opened with; null where a person had chosen others. @type {Uint8Array | null} */
  #given = null;

  /** @param {Views} views */
  constructor(views) {
    this.#views = views;
    this.#engine = new Engine((detail) => views.trouble({ kind: 'broken', detail }));
    this.#pump = new Pump(this.#engine, {
      accept: (frame) => this.#accept(frame),
      take: (frame) => this.#take(frame),
      draw: () => this.#views.draw(this),
      fail: (error) => views.trouble({ kind: 'failed', error }),
      failToDraw: (error) => this.#failToDraw(error),
      known: () => this.#study.known,
    });
  }

  /** @param {Record<string, unknown> | null} candidate of a link @param {ReturnType<typeof import('../state/file.js').fromFile>} [file] that says it better */
  async start(candidate, file = null) {
    await this.open(file?.candidate ?? candidate ?? {}, this.state, file ?? {});
    // A link that cannot be replayed must not keep the page from starting.
    if (!this.frame && this.#isClosed) await this.#open(firstState());
    this.#pump.start();
  }

  /** Sends locks to the run that is shown, also when another is there by then. */
  #newSender() {
    const run = this.#run;
    return new LockSender((mask) => this.#ask({ type: 'locks', mask, run }));
  }

  /** The page goes on; the console says where it went wrong. @param {Error} error */
  #failToDraw(error) {
    this.#views.trouble({ kind: 'drawing', error });
    reportError(error);
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

  /** Whether the locks are those that the scene opened with. */
  get hasGivenLocks() {
    return this.#given !== null && isSameMask(this.#locks.mask, this.#given);
  }

  /** The scene that is open. */
  get scene() {
    return /** @type {import('../scenes/scene.js').Scene} */ (findScene(this.state.scene));
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

  /** The number of the run that is shown. */
  get run() {
    return this.#run;
  }

  /** What is known of the scene's study, for its figure; null if it has none, or it has not begun. */
  get study() {
    return this.#study.model(this.state.optimizer, this.scene.study?.count ?? 0);
  }

  /** Open what a link or a file says. @param {Record<string, unknown>} candidate @param {State} [fallback] @param {How} [how] */
  async open(candidate, fallback = this.state, how = {}) {
    const { state, problems } = validate(candidate, fallback);
    const left = await this.#open(state, how);
    const [problem] = problems;
    if (problem?.left) this.#views.trouble({ kind: 'edits', left: problem.left });
    else if (problem) this.#views.trouble({ kind: 'link', field: problem.field });
    return left;
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
      // Locks that the scene gave are the scene's to change; those that a person chose stay.
      await this.#open({ ...state, locks: this.hasGivenLocks ? null : state.locks, zeros: null });
      return;
    }
    this.state = state;
    if (!isSame('selected')) this.#select(state.selected);
    if (!isSame('speed') && this.isPlaying) this.play();
    if (!isSame('beside') || !isSame('rival')) await this.#look(state);
    this.#views.show(this.state);
    this.#views.changed();
  }

  /** @param {number} index */
  #select(index) {
    this.#send({ type: 'select', index });
    this.report = null;
    this.#views.draw(this);
  }

  /** @param {State} state */
  async #look({ beside, rival }) {
    const before = this.state;
    const opened = await this.#ask({ type: 'look', look: { beside, rival } });
    if (opened) {
      const left = this.#leftOf(opened, before);
      this.#adopt(opened, { ...this.state, ...left?.state, beside, rival }, () =>
        left ? this.#restore(left) : undefined,
      );
    }
    this.#views.open(this);
  }

  /** Act on the live run. @param {Record<string, unknown>} patch @param {string} [typed] what the person wrote */
  async changeOptimizer(patch, typed) {
    await this.#goOn();
    const before = this.state;
    const candidate = { optimizer: { ...before.optimizer, ...patch } };
    const { state, problems } = validate(candidate, before);
    const [problem] = problems;
    if (problem) {
      const kept = String(Reflect.get(before.optimizer, problem.field));
      const given = typed ?? String(problem.given);
      this.#views.trouble({ kind: 'option', field: problem.field, given, kept });
    } else {
      const opened = await this.#ask({ type: 'optimizer', settings: state.optimizer });
      if (opened) {
        this.#pushRun(this.#leftOf(opened, before));
        this.#adopt(opened);
      }
    }
    this.#views.show(this.state);
    this.#views.changed();
  }

  /**
   * The run as the engine has it now.
   * @param {Opened} opened
   * @param {State} [asked]  what its replay, if it takes long, is to lead to
   * @param {() => unknown} [back]  what leads back from it
   */
  #adopt(opened, asked = this.state, back) {
    this.state = { ...this.state, optimizer: opened.optimizer, events: [], step: 0 };
    this.target = opened.target;
    this.figure = opened.figure;
    this.peeked = null;
    this.#still = 0;
    // The engine has let go of whatever was in hand.
    if (opened.isReplayed) this.#drag.forget();
    this.#replaying = opened.isReplaying ? { asked, back: back ?? null } : null;
    if (opened.isReplayed) this.#views.restart(opened.marks);
  }

  /** @param {Opened} opened @param {State} before what was open @returns {LeftRun | null} */
  #leftOf({ left }, before) {
    // A run that was left on its way is the run that it was to become.
    const run = this.#run;
    if (this.#replaying) return { run, state: this.#replaying.asked };
    return left && { run, state: { ...before, ...left.recipe }, place: left.place };
  }

  /** An edit of the run that is shown, which undoes nothing of another. @param {import('../state/edits.js').Edit} edit */
  #push({ undo, redo, bytes }) {
    const run = this.#run;
    const ofRun = (/** @type {() => unknown} */ act) => () =>
      run === this.#run ? act() : undefined;
    this.edits.push({ undo: ofRun(undo), redo: ofRun(redo), bytes });
  }

  /** Undo leads back to a run that was left. @param {LeftRun | null | Promise<LeftRun | null>} left */
  #pushRun(left) {
    if (!left) return;
    let other = Promise.resolve(left);
    const swap = async () => {
      const run = await other;
      const before = run && (await this.#restore(run));
      if (before) other = Promise.resolve(before);
      return !run || before !== null;
    };
    this.edits.push({ undo: swap, redo: swap });
  }

  /** Go back to a run that was left. @param {LeftRun} run @param {boolean} [isHistory] @returns {Promise<LeftRun | null>} the one that was left for it */
  #restore({ state, run, place }, isHistory = false) {
    return this.#open(state, { run, place, isUndoing: !isHistory, isHistory });
  }

  /** What the browser's Back leads to. @param {LeftRun} run */
  back(run) {
    return this.#restore(run, true);
  }

  /** Take back what was done last; what is looked at is none of it. */
  async undo() {
    await this.#opening;
    if (this.#replaying) return;
    await this.release();
    if (this.peeked) await this.peek(Infinity);
    await this.edits.undo();
    this.#views.draw(this);
  }

  async redo() {
    await this.#opening;
    if (this.#replaying) return;
    await this.release();
    if (this.peeked) await this.peek(Infinity);
    await this.edits.redo();
    this.#views.draw(this);
  }

  /** @param {State} state @param {How} [how] @returns {Promise<LeftRun | null>} what was left for it; null if nothing was */
  #open(state, how = {}) {
    const asked = ++this.#asked;
    // Nobody edits what is about to be left.
    this.#locks.isOpen = false;
    const opening = this.#openAs(how.run ?? asked, state, how).finally(() => {
      if (asked === this.#asked) this.#locks.isOpen = true;
    });
    this.#opening = opening;
    return opening;
  }

  /** @param {number} run @param {State} state @param {How} how @returns {Promise<LeftRun | null>} */
  async #openAs(run, state, { place, checkpoint = null, isUndoing = false, isHistory = false }) {
    /** @type {LeftRun | null} */
    let left = null;
    const { scene, optimizer, locks, zeros, events, step, beside, rival, selected } = state;
    try {
      const opened = await this.#engine.send({
        type: 'open',
        run,
        scene,
        setup: setupOf(state),
        optimizer,
        locks,
        zeros,
        events,
        step,
        look: { beside, rival },
        place,
        checkpoint,
      });
      // Meanwhile another may have come, and is what is left now.
      left = this.#leftOf(opened, this.state);
      this.#run = run;
      this.unheard.forget(this.changes);
      this.asked = { run, state, changes: this.changes };
      this.#sender = this.#newSender();
      this.state = { ...state, locks: opened.locks };
      this.isPlaying = false;
      this.frame = null;
      this.report = null;
      this.#pump.forget();
      this.#locks.open(this.layout, opened.locks);
      this.#given = locks === null && events.length === 0 ? opened.locks : null;
      if (!isUndoing) this.#pushRun(left);
      const back = isUndoing ? () => left && this.#restore(left) : () => this.edits.undo();
      this.#adopt(opened, state, left ? back : undefined);
      this.#send({ type: 'select', index: selected });
      this.#views.open(this);
      if (!isUndoing && !isHistory) this.#views.opened(left, state);
      this.#views.changed();
    } catch (reason) {
      this.#fail(reason);
    }
    this.#views.show(this.state);
    return left;
  }

  /** What the replay that is under way says of itself, if one is. */
  get replay() {
    return this.#replaying && this.frame?.replay;
  }

  /** No more of it: back to what was there before, or, where there was nothing, stay where it got to. */
  async cancel() {
    if (!this.#replaying) return;
    const { asked, back } = this.#replaying;
    const opened = await this.#ask({ type: 'cancel' });
    if (!opened) return;
    if (back) {
      await back();
      return;
    }
    this.#replaying = null;
    this.#adopt(opened);
    this.#locks.adopt(opened.locks);
    this.#pushRun({ run: this.#run, state: asked });
    this.#views.draw(this);
    this.#views.changed();
  }

  /**
   * @param {import('../engine/protocol.js').Command} command
   * @returns {Promise<any>} the answer; undefined if the library refused, which is said, or if it came too late
   */
  async #ask(command) {
    try {
      if (!ONLY_STEPS.includes(command.type)) this.unheard.add(++this.changes, command);
      const answer = await this.#engine.send({ run: this.#run, ...command });
      if (command.type !== 'select') this.#views.trouble(null);
      return answer;
    } catch (error) {
      this.unheard.drop(command);
      this.#fail(error);
      return undefined;
    }
  }

  /** @param {unknown} error */
  #fail(error) {
    // What was meant for a run that is gone is nobody's loss.
    if (error instanceof LateError) return;
    const isOffline = /** @type {Error} */ (error).name === 'OfflineError';
    const kind = isOffline ? 'offline' : 'failed';
    this.#views.trouble({ kind, error: /** @type {Error} */ (error) });
  }

  /** @param {import('../engine/protocol.js').Command} command */
  async #send(command) {
    await this.#ask(command);
  }

  play() {
    this.#goOn();
    this.isPlaying = true;
    this.#isAtRest = false;
    this.#still = 0;
    this.#send({ type: 'play', speed: this.state.speed });
  }

  pause() {
    this.isPlaying = false;
    this.#isAtRest = false;
    this.#send({ type: 'pause' });
    this.#views.changed();
  }

  togglePlay() {
    if (this.isPlaying) this.pause();
    else this.play();
    this.#views.draw(this);
  }

  /** @param {number} steps */
  async train(steps) {
    if (this.isPlaying) this.pause();
    this.#goOn();
    await this.#send({ type: 'step', steps });
    this.#views.changed();
  }

  async reset() {
    this.isPlaying = false;
    await this.#anew({ type: 'reset' });
  }

  /** Another run in the place of this one. @param {import('../engine/protocol.js').Command} command @param {boolean} [isGoneFrom] whether something surely is left */
  async #anew(command, isGoneFrom = false) {
    const before = this.state;
    const opening = this.#ask(command);
    // What is edited meanwhile is undone before.
    if (isGoneFrom) this.#pushRun(opening.then((opened) => opened && this.#leftOf(opened, before)));
    const opened = await opening;
    if (opened) {
      if (!isGoneFrom) this.#pushRun(this.#leftOf(opened, before));
      this.#adopt(opened);
      if (!this.#sender.isUnderWay) this.#locks.adopt(opened.locks);
    }
    this.#views.show(this.state);
    this.#views.changed();
  }

  /**
   * Look at an earlier step, as far as it was kept; nothing changes by it. At the last step there is nothing to look
   * back at.
   * @param {number | 'before' | 'after'} where  a step, or the one kept before or after the one that is shown
   */
  peek(where) {
    this.#peeking = this.#peeking.then(() => this.#peek(where));
    return this.#peeking;
  }

  /** @param {number | 'before' | 'after'} where */
  async #peek(where) {
    if (this.isPlaying) this.pause();
    const shown = this.peeked?.step ?? this.step;
    const isNext = where === 'after';
    const step = where === 'before' ? Math.max(0, shown - 1) : isNext ? shown : where;
    const isBack = step < this.step;
    const peeked = isBack ? await this.#ask({ type: 'peek', step, isNext }) : null;
    if (!this.peeked) this.#liveMask = this.#locks.mask;
    this.peeked = peeked ?? null;
    // What is seen is what is edited.
    this.#locks.adopt(this.peeked?.mask ?? this.#liveMask);
    this.#views.draw(this);
  }

  /** Whoever looks at an earlier step goes on from there; undo leads back to what came after it. */
  async #goOn() {
    if (!this.peeked) return;
    const { step } = this.peeked;
    this.peeked = null;
    await this.#anew({ type: 'rewind', step }, true);
  }

  /** Begin the scene's study anew, or end it. @param {boolean} isOn */
  async runStudy(isOn) {
    await this.#send({ type: 'study', isOn });
  }

  /** Open a run of the study; Undo leads back to the one that was left. @param {import('../engine/protocol.js').StudyRecipe} recipe */
  async openStudied({ optimizer, locks, zeros, rule, steps }) {
    const own = this.state.beside === 'mask' ? (this.scene.beside ?? 'none') : this.state.beside;
    const beside = rule === 'mask' ? 'mask' : own;
    await this.#open({ ...this.state, optimizer, locks, zeros, beside, events: [], step: steps });
  }

  /** Prune, and start again with what is left; one Undo leads back. @param {number} fraction */
  async pruneAnew(fraction) {
    await this.#goOn();
    this.isPlaying = false;
    await this.#anew({ type: 'prune', fraction, isAnew: true });
  }

  /** @param {number} fraction of each variable's cells, the smallest */
  async prune(fraction) {
    if (!this.#locks.isOpen) return;
    this.#goOn();
    const act = async (/** @type {'prune' | 'unprune'} */ type) => {
      await this.#send(type === 'prune' ? { type, fraction } : { type });
      this.#views.mark(this.step);
      this.#views.changed();
    };
    this.#push({ undo: () => act('unprune'), redo: () => act('prune') });
    await act('prune');
  }

  /** @param {Uint8Array} mask @param {import('../state/lock-editor.js').LockEdit | null} edit */
  async #sendLocks(mask, edit) {
    this.#goOn();
    this.#still = 0;
    this.state = { ...this.state, locks: mask };
    if (edit) {
      const set = (/** @type {Uint8Array} */ locks) => {
        this.#locks.adopt(locks);
        return this.#sendLocks(locks, null);
      };
      const bytes = 2 * mask.length;
      this.#push({ undo: () => set(edit.before), redo: () => set(edit.after), bytes });
      if (this.frame) this.#views.mark(this.frame.step);
    }
    if (this.#sender.takes(mask)) this.#views.draw(this);
    const isThere = await this.#sender.send(mask);
    if (isThere) this.#views.changed();
  }

  /** What a person gave a figure, such as a drawing; its readings see it. @param {string} name @param {Float32Array} values */
  tell(name, values) {
    return this.#send({ type: 'tell', name, values });
  }

  /** @param {number} index @param {number} value */
  async assign(index, value) {
    const before = this.peeked?.values[index] ?? this.frame?.values[index] ?? 0;
    this.#goOn();
    const run = this.#run;
    if ((await this.#write(index, value)) && run === this.#run) {
      const write = (/** @type {number} */ to) => this.#write(index, to);
      this.#push({ undo: () => write(before), redo: () => write(value) });
    }
    this.#views.draw(this);
  }

  /** @param {number} index @param {number} value @returns {Promise<boolean>} whether the library took it */
  async #write(index, value) {
    /** @type {import('../engine/protocol.js').Command} */
    const command = { type: 'assign', index, value };
    try {
      this.unheard.add(++this.changes, command);
      await this.#engine.send({ run: this.#run, ...command });
      this.#views.trouble(null);
      this.#views.changed();
      return true;
    } catch (error) {
      this.unheard.drop(command);
      if (error instanceof LateError) return false;
      const { cols, offset } = partAt(this.layout, index);
      const [row, col] = [Math.floor((index - offset) / cols) + 1, ((index - offset) % cols) + 1];
      this.#views.trouble({ kind: 'assign', error: /** @type {Error} */ (error), row, col });
      return false;
    }
  }

  /** Take cells in hand: nothing but the hand moves them now, whatever the locks are. @param {readonly number[]} cells */
  hold(cells) {
    this.#goOn();
    this.#drag.hold(cells);
    // A run that came to rest is woken by whoever pulls at it.
    if (this.#isAtRest) this.play();
  }

  /** Put what is in hand somewhere. @param {readonly number[]} values */
  place(values) {
    this.#drag.place(values);
  }

  /** Let go of it, if anything still is. */
  async release() {
    await this.#drag.release();
    this.#views.draw(this);
    this.#views.changed();
  }

  /** The run as it is, exactly, once edits that are under way are done. @returns {Promise<import('../engine/protocol.js').Snapshot>} */
  async snapshot() {
    await this.edits.settled;
    return this.#engine.send({ type: 'snapshot' });
  }

  /** Bytes of WebAssembly, and what of it the library uses. @returns {Promise<{ wasm: number, library: number }>} */
  memory() {
    return this.#engine.send({ type: 'memory' });
  }

  /** All it takes to get here again, for links and files. @returns {Promise<State>} */
  async whole() {
    const recipe = await this.#question('recipe');
    return { ...this.state, ...recipe };
  }

  /** The same and the exact state, of one moment, for files. @returns {Promise<{ state: State, checkpoint: import('../engine/session.js').Checkpoint }>} */
  async saved() {
    const { recipe, checkpoint } = await this.#question('saved');
    return { state: { ...this.state, ...recipe }, checkpoint };
  }

  /** Asks about the run that is shown. @param {'recipe' | 'saved'} type */
  async #question(type) {
    for (;;) {
      const run = this.#run;
      try {
        return await this.#engine.send({ type, run });
      } catch (error) {
        await this.#opening;
        if (run === this.#run || !(error instanceof LateError)) throw error;
      }
    }
  }

  /** @returns {Promise<string>} */
  code() {
    return this.#engine.send({ type: 'code' });
  }

  /** A frame has come. @param {Frame} frame */
  #accept(frame) {
    // Locks that are on their way to the engine are newer than those it tells of.
    const { locks } = frame;
    const isNews = locks && frame.run === this.#run && !this.#sender.isUnderWay && !this.peeked;
    if (isNews && !isSameMask(locks, this.#locks.mask)) this.#locks.adopt(locks);
  }

  /** A frame is shown. @param {Frame} frame @returns {Frame | null} the one before, or itself where it is of another run */
  #take(frame) {
    if (frame.run !== this.#run) return frame;
    const before = this.frame;
    this.frame = frame;
    if (frame.cell?.index === this.state.selected) this.report = frame.cell;
    this.#views.trace(frame.trace);
    const refusal = this.#study.take(frame.study ?? null);
    if (refusal) {
      this.#views.trouble({ kind: 'study', error: new RefusedError(refusal) });
    }
    this.#stopWhenStill(frame);
    if (!frame.replay) this.#replaying = null;
    else if (frame.replay.refusal) this.#breakOff(frame.replay.refusal);
    return before;
  }

  /** What was done could not all be done again. @param {import('../engine/protocol.js').Refusal} refusal */
  #breakOff(refusal) {
    if (!this.#replaying) return;
    this.#replaying = null;
    this.#views.trouble({ kind: 'failed', error: new RefusedError(refusal) });
  }

  /** @param {Frame} frame */
  #stopWhenStill({ isSettled, rival, isPlaying }) {
    const isStill = isSettled && !rival && isPlaying && !this.#drag.isOn;
    this.#still = isStill ? this.#still + 1 : 0;
    if (this.#still < PATIENCE || !this.isPlaying) return;
    this.pause();
    this.#isAtRest = true;
  }
}
