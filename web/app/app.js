/**
 * Connects state, engine and views, and draws and calculates nothing: views report what a person
 * wants, the validator checks it, the engine does it, and the views draw its frames.
 */

import { Engine } from '../engine/client.js';
import { findScene, reachOf } from '../scenes/index.js';
import { layoutOf, partAt } from '../scenes/layout.js';
import { Edits } from '../state/edits.js';
import { isSame as isSameMask } from '../state/locks.js';
import { unitIn } from '../state/own.js';
import { isRule, rateFor } from '../state/rules.js';
import { firstState, setupOf, validate } from '../state/state.js';
import { Commands, isLate } from './commands.js';
import { Drag } from './drag.js';
import { Frames } from './frames.js';
import { Locks } from './locks.js';
import { Name } from './name.js';
import { Player } from './player.js';
import { Recorded } from './recorded.js';
import { Runs } from './runs.js';

/** @typedef {import('../state/state.js').State} State */
/** @typedef {import('../engine/protocol.js').Frame} Frame */
/** @typedef {import('../state/history.js').Act} Act */
/** @typedef {import('../view/problems.js').Trouble} Trouble */
/** @typedef {import('./runs.js').LeftRun} LeftRun */

/**
 * @typedef {object} Views
 * @property {() => void} open     another scene, size, choice or view beside the cells
 * @property {(state: State) => void} show the settings a person has chosen
 * @property {() => void} draw     another frame, or other locks
 * @property {(trace: Float64Array) => void} trace
 * @property {(step: number) => void} mark locks have changed
 * @property {(marks: number[]) => void} restart  the run was replayed, or starts again
 * @property {(problem: Trouble | null) => void} trouble
 * @property {() => void} changed          the content of a link has changed
 * @property {(left: LeftRun | null, now: State) => void} opened  another run has replaced the one that was left
 */

/** The scene that opens the page, and its steps per second while nobody has pressed Play. */
const FIRST = 'picture';
const SLOW = 12;

/** The fields whose change starts another run. */
const RUN_FIELDS = /** @type {const} */ (['scene', 'rows', 'cols', 'choices', 'seed', 'own']);

export class App {
  /** @type {State} */
  state = firstState();
  /** @type {Frame | null} */
  frame = null;
  /** @type {import('../engine/protocol.js').CellReport | null} */
  report = null;
  /** @type {Float32Array | null} */
  target = null;
  /** The last fit of the scene's data. @type {import('../engine/protocol.js').FitNews | null} */
  fit = null;
  /** The constant data of the scene's figures. @type {unknown} */
  figure = null;
  edits = new Edits(() => this.commands.run);
  locks = new Locks(this);
  player = new Player(this);
  runs = new Runs(this);
  drag = new Drag(this);
  name = new Name(this);
  #recorded = new Recorded();
  /** The number of changes by then, if the first scene plays by itself. */
  #untouched = -1;
  /** The settings of a run that are on their way to the engine. @type {{ run: number, optimizer: State['optimizer'] } | null} */
  #coming = null;

  /** @param {Views} views */
  constructor(views) {
    this.views = views;
    this.engine = new Engine((detail) => views.trouble({ kind: 'broken', detail }));
    this.commands = new Commands(this.engine, views.trouble, (index) => {
      const { cols, offset } = partAt(this.layout, index);
      return { row: Math.floor((index - offset) / cols) + 1, col: ((index - offset) % cols) + 1 };
    });
    this.frames = new Frames(this.engine, {
      accept: (frame) => this.#accept(frame),
      take: (frame) => this.#take(frame),
      draw: () => views.draw(),
      fail: (error) => views.trouble({ kind: 'failed', error }),
      failToDraw(error) {
        // The page continues; the console shows the stack.
        views.trouble({ kind: 'drawing', error });
        reportError(error);
      },
    });
  }

  /**
   * @param {Record<string, unknown> | null} candidate from a link; null opens the first scene
   * @param {ReturnType<typeof import('../state/file.js').fromFile>} file of the same run, more exact than the link
   * @param {boolean} mayPlay  true if the first scene may play by itself
   */
  async start(candidate, file, mayPlay) {
    const given = file?.candidate ?? candidate;
    await this.runs.read(given ?? { scene: FIRST }, this.state, file ?? {});
    if (!given && mayPlay && this.runs.requested) {
      this.player.play(SLOW);
      this.#untouched = this.commands.changes;
    }
    // A broken link must not keep the page from starting.
    if (!this.frame && !this.runs.requested) await this.runs.open(firstState());
    this.frames.start();
  }

  get mask() {
    return this.player.peeked?.mask ?? this.locks.mask;
  }

  get scene() {
    return /** @type {import('../scenes/scene.js').Scene} */ (findScene(this.state.scene));
  }

  get layout() {
    return layoutOf(this.scene, setupOf(this.state));
  }

  get reach() {
    return reachOf(this.scene, setupOf(this.state));
  }

  /** True while the first scene plays by itself, and nobody has changed anything. */
  get playsByItself() {
    return this.player.isPlaying && this.#untouched === this.commands.changes;
  }

  get step() {
    return this.frame?.step ?? 0;
  }

  /** The recorded runs of the scene's figure. */
  get recorded() {
    return this.#recorded.of(this.state);
  }

  /** Shows the recorded runs of the open scene. */
  openRecorded() {
    return this.#recorded.open(this.scene, () => this.views.draw());
  }

  /** Changes a person's choices, except the optimizer. @param {Record<string, unknown>} patch */
  async change(patch) {
    const { state, problems } = validate(patch, this.state);
    const [problem] = problems;
    this.views.trouble(problem ? { kind: 'refused', field: problem.field } : null);
    const before = this.state;
    const isSame = (/** @type {keyof State} */ field) =>
      field === 'choices'
        ? Object.entries(state.choices).every(([name, value]) => before.choices[name] === value)
        : state[field] === before[field];
    if (!RUN_FIELDS.every(isSame)) {
      // Locks from the scene may change with it; locks that a person chose stay.
      const locks = this.locks.areFromScene ? null : state.locks;
      await this.runs.open(this.name.into({ ...state, locks, zeros: null }));
      return;
    }
    this.state = state;
    if (!isSame('selected')) {
      this.commands.ask({ type: 'select', index: state.selected });
      this.report = null;
      this.views.draw();
    }
    if (!isSame('speed') && this.player.isPlaying) this.player.play();
    if (!isSame('beside') || !isSame('rival')) await this.#setView(state, before);
    this.views.show(this.state);
    this.views.changed();
  }

  /** @param {State} state @param {State} before */
  async #setView({ beside, rival }, before) {
    const opened = await this.commands.ask({ type: 'view', view: { beside, rival } });
    if (opened) {
      const left = this.runs.leftOf(opened, before);
      this.runs.adopt(opened, { ...this.state, ...left?.state, beside, rival }, () =>
        left ? this.runs.restore(left) : undefined,
      );
    }
    this.views.open();
  }

  /** Changes the optimizer of the live run. @param {Record<string, unknown>} patch @param {string} [typed] what the person wrote */
  async changeOptimizer(patch, typed) {
    await this.player.continueFromPeek();
    const before = this.state;
    const { run } = this.commands;
    const coming = this.#coming?.run === run ? this.#coming.optimizer : before.optimizer;
    const unit = unitIn(before);
    const { rule } = patch;
    const rate = isRule(rule) ? { learningRate: rateFor(coming, rule, unit, unit) } : {};
    const { state, problems } = validate({ optimizer: { ...coming, ...rate, ...patch } }, before);
    const { optimizer } = state;
    const [problem] = problems;
    if (problem) {
      const kept = String(Reflect.get(coming, problem.field));
      const given = typed ?? String(problem.given);
      this.views.trouble({ kind: 'option', field: problem.field, given, kept });
    } else {
      this.#coming = { run, optimizer };
      await this.runs.replace({ type: 'do', act: { do: 'optimizer', settings: optimizer } });
      if (this.#coming?.optimizer === optimizer) this.#coming = null;
    }
    this.views.show(this.state);
  }

  /** Holds the locked cells in the other way from now on; Undo leads back. @param {'lock' | 'mask'} to */
  async switchTo(to) {
    if (this.frame?.isMasked === (to === 'mask')) return;
    await this.player.continueFromPeek();
    const isDone = await this.runs.replace({ type: 'do', act: { do: 'switch', to } });
    if (isDone) this.views.mark(this.step);
  }

  /** Undoes or redoes the last edit, also while it is replayed; what is looked at is no edit. @param {'undo' | 'redo'} way */
  async move(way) {
    await this.runs.opening;
    if (this.runs.isReplaying) {
      if (way === 'undo' && this.runs.isUndoable) await this.runs.cancel();
      return;
    }
    await this.drag.release();
    if (this.player.peeked) await this.player.peek(Infinity);
    await this.edits[way]();
    this.views.draw();
  }

  /** Does acts at once. @param {Act[]} acts @returns {Promise<boolean>} false if the library refuses one */
  async do(acts) {
    const done = await Promise.all(acts.map((act) => this.commands.do(act)));
    if (done.includes(undefined)) return false;
    if (acts[0].do === 'prune' || acts[0].do === 'unprune') this.views.mark(this.step);
    this.views.changed();
    return true;
  }

  /** Does acts as one edit, also of an earlier step that is shown. @param {Act[]} acts @param {Act[]} back */
  async #edit(acts, back) {
    this.player.continueFromPeek();
    const { run } = this.commands;
    if ((await this.do(acts)) && run === this.commands.run) {
      this.edits.push({ undo: () => this.do(back), redo: () => this.do(acts) });
    }
    this.views.draw();
  }

  /** @param {number} fraction of each variable's cells: the smallest are pruned */
  async prune(fraction) {
    if (this.locks.isOpen) await this.#edit([{ do: 'prune', fraction }], [{ do: 'unprune' }]);
  }

  /** @param {number} index @param {number} value */
  async assign(index, value) {
    const before = this.player.peeked?.values[index] ?? this.frame?.values[index] ?? 0;
    const back = /** @type {const} */ ({ do: 'assign', index, value: before });
    await this.#edit([{ ...back, value }], [back]);
  }

  /** Keeps a cell within a range; null: no end there. @param {number} index @param {number | null} min @param {number | null} max */
  async bound(index, min, max) {
    const value = this.frame?.values[index] ?? 0;
    const isIn =
      (min === null || value >= Math.fround(min)) && (max === null || value <= Math.fround(max));
    const [, low, high] = this.frame?.ranges?.find(([cell]) => cell === index) ?? [0, null, null];
    const act = /** @type {const} */ ({ do: 'bound', index, min, max });
    const back = { ...act, min: low, max: high };
    await this.#edit([act], isIn ? [back] : [back, { do: 'assign', index, value }]);
  }

  /** Moves the free cells to where the fit ended, as one edit. */
  async takeFit() {
    const { fit, locks } = this;
    if (!fit || fit.refusal) return;
    const cells = fit.cells.flatMap((_, i) => (locks.mask[i] ? [] : [i]));
    if (cells.length === 0) return;
    await this.drag.write(
      cells,
      cells.map((cell) => fit.cells[cell]),
    );
  }

  /** Returns the exact run, after pending edits. @returns {Promise<import('../engine/protocol.js').Snapshot>} */
  async snapshot() {
    await this.edits.settled;
    return this.engine.send({ type: 'snapshot' });
  }

  /** Resolves once the page shows the engine's current state. */
  async shown() {
    await this.runs.opening;
    await this.edits.settled;
    const seen = () => this.frame?.orders ?? -1;
    const orders = await this.engine.send({ type: 'orders', seen: seen() });
    while (seen() < orders) {
      await new Promise((done) => requestAnimationFrame(done));
    }
  }

  /**
   * Returns all that is needed to replay this run; with it its exact state or its results, at one step.
   * @param {'recipe' | 'saved' | 'proof'} [type]
   * @returns {Promise<{ state: State, checkpoint: import('../engine/session.js').Checkpoint, proof: import('../engine/protocol.js').Proof }>}
   */
  async whole(type = 'recipe') {
    for (;;) {
      try {
        const { recipe, ...rest } = await this.engine.send({ type, run: this.commands.run });
        return { ...rest, state: { ...this.state, ...recipe } };
      } catch (error) {
        if (!isLate(error)) throw error;
        // Another run, or this one again, is being opened.
        await this.runs.opening;
      }
    }
  }

  /** @returns {Promise<string>} */
  code() {
    return this.engine.send({ type: 'code' });
  }

  /** Receives a frame. @param {Frame} frame */
  #accept({ locks, run }) {
    // Locks on their way to the engine are newer than those in the frame.
    const isNews =
      locks && run === this.commands.run && !this.locks.isUnderWay && !this.player.peeked;
    if (isNews && !isSameMask(locks, this.locks.mask)) this.locks.adopt(locks);
  }

  /** Shows a frame. @param {Frame} frame @returns {Frame | null} the previous frame; this one if it belongs to another run */
  #take(frame) {
    if (frame.run !== this.commands.run) return frame;
    const before = this.frame;
    this.frame = frame;
    this.fit = this.scene.fit ? (frame.fit ?? this.fit) : null;
    if (frame.cell?.index === this.state.selected) this.report = frame.cell;
    this.views.trace(frame.trace);
    this.player.stopWhenStill(frame);
    this.runs.follow(frame.replay);
    return before;
  }
}
