/**
 * Connects state, engine and views, and draws and calculates nothing: views report what a person
 * wants, the validator checks it, the engine does it, and the views draw its frames.
 */

import { Engine } from '../engine/client.js';
import { findScene, reachOf } from '../scenes/index.js';
import { layoutOf } from '../scenes/layout.js';
import { isSameMask } from '../state/codec.js';
import { Edits } from '../state/edits.js';
import { firstState, setupOf } from '../state/state.js';
import { update } from '../state/update.js';
import { CellEdits } from './cell-edits.js';
import { Commands, isLate } from './commands.js';
import { drawFrames } from './frames.js';
import { keepName, nameIn, withName } from './name.js';
import { recordedOf, withSameStart } from './recorded.js';
import { Runs } from './runs.js';

/** @typedef {import('../state/state.js').State} State */
/** @typedef {import('../engine/protocol.js').Frame} Frame */

/**
 * @typedef {object} Views
 * @property {() => void} open     another scene, size, choice or view beside the cells
 * @property {(state: State) => void} show the settings a person has chosen
 * @property {() => void} draw     another frame, or other locks
 * @property {(trace: Float64Array) => void} trace
 * @property {(step: number) => void} mark locks have changed
 * @property {(marks: number[]) => void} restart  the run was replayed, or starts again
 * @property {(problem: import('../view/problems.js').Trouble | null) => void} trouble
 * @property {() => void} changed          the content of a link has changed
 * @property {(left: import('./runs.js').LeftRun, now: State) => void} opened  another run has replaced the one that was left
 */

/** The scene that opens the page, and its steps per second until a lock, or Play. */
export const FIRST = 'picture';
const PACE = 20;

export class App {
  /** @type {State} */
  state = firstState();
  /** @type {Frame | null} */
  frame = null;
  /** @type {import('../engine/protocol.js').CellReport | null} */
  report = null;
  /** The engine's description of the shown run. @type {import('../engine/protocol.js').Opened | null} */
  opened = null;
  /** The start of cells that are unknown until the first step, NaN for others. @type {Float32Array | null} */
  unknown = null;
  /** The last fit of the scene's data. @type {import('../engine/protocol.js').FitNews | null} */
  fit = null;
  commands = new Commands(this);
  edits = new Edits(() => this.commands.run);
  cells = new CellEdits(this);
  runs = new Runs(this);
  /** The recorded runs of scenes' figures. @type {Map<object, Awaited<ReturnType<typeof recordedOf>>>} */
  #recorded = new Map();
  /** The frame to draw next; null if a run was opened, or reset, after it came. @type {Frame | null} */
  coming = null;
  /** The number of changes by then, if the first scene plays by itself. */
  #untouched = -1;
  /** The settings of a run that are on their way to the engine. @type {{ run: number, optimizer: State['optimizer'] } | null} */
  #coming = null;

  /** @param {Views} views */
  constructor(views) {
    this.views = views;
    this.engine = new Engine((detail) => views.trouble({ kind: 'broken', detail }));
  }

  /**
   * @param {Record<string, unknown> | null} candidate from a link; null opens the first scene
   * @param {ReturnType<typeof import('../state/file.js').fromFile>} file of the same run, more exact than the link
   * @param {boolean} mayPlay  true if the first scene may play by itself
   */
  async start(candidate, file, mayPlay) {
    await this.runs.read(file?.candidate ?? candidate ?? { scene: FIRST }, file ?? {});
    if (mayPlay && !file && this.runs.known) {
      this.runs.play(PACE);
      this.#untouched = this.commands.changes;
    }
    // A broken link must not keep the page from starting.
    if (!this.frame && !this.runs.known) await this.runs.open(firstState());
    drawFrames(this);
  }

  /** The last frame, or the earlier step that is shown. */
  get shown() {
    return this.runs.peeked ?? this.frame;
  }

  /** The name that is written into the shown picture; '' if there is none. */
  get name() {
    return nameIn(this.runs.known?.state ?? this.state);
  }

  /** Opens the picture with a name in it. @param {string} text @returns {Promise<boolean>} false if it cannot be written */
  async write(text) {
    const named = withName({ ...this.state, locks: null, zeros: null }, text);
    if (!named) return false;
    keepName(text);
    await this.runs.open(named);
    return true;
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
    return this.runs.isPlaying && this.#untouched === this.commands.changes;
  }

  get step() {
    return this.frame?.step ?? 0;
  }

  /** The recorded runs of the scene's figure that began as this run does. */
  get recorded() {
    return withSameStart(this.#recorded.get(this.scene) ?? [], this.state, this.scene);
  }

  async openRecorded() {
    const { scene } = this;
    if (this.#recorded.has(scene)) return;
    const runs = await recordedOf(scene);
    if (!runs.length) return;
    this.#recorded.set(scene, runs);
    this.views.draw();
  }

  /** Takes the state that a message makes; returns what else follows. @param {import('../state/update.js').Message} message */
  update(message) {
    const { state, commands, problem = null } = update(this.state, message);
    this.state = state;
    return { commands, problem };
  }

  /** Changes a person's choices, except the optimizer. @param {Record<string, unknown>} patch */
  async change(patch) {
    const before = this.state;
    const keepsLocks = !this.cells.areFromScene;
    const { commands, problem } = this.update({ type: 'change', patch, keepsLocks });
    this.views.trouble(problem && { kind: 'refused', field: problem.field });
    for (const command of commands) {
      if (command.type === 'open') {
        await this.runs.open(withName(command.state, this.name) ?? command.state);
        return;
      }
      if (command.type === 'select') {
        this.commands.ask(command);
        this.report = null;
        this.views.draw();
      } else if (command.type === 'view') await this.#setView(command.view, before);
      else if (this.runs.isPlaying) this.runs.play();
    }
    this.views.show(this.state);
    this.views.changed();
  }

  /** @param {import('../engine/session.js').View} view @param {State} before */
  async #setView(view, before) {
    const opened = await this.commands.ask({ type: 'view', view });
    if (opened) {
      if (opened.isReplayed) this.cells.drag = null;
      const left = this.runs.leftOf(opened, before);
      this.runs.adopt(opened, { ...this.state, ...left?.state, ...view }, () =>
        left ? this.runs.restore(left) : undefined,
      );
    }
    this.views.open();
  }

  /** Changes the optimizer of the live run. @param {Record<string, unknown>} patch @param {string} [typed] what the person wrote */
  async changeOptimizer(patch, typed) {
    await this.runs.continueFromPeek();
    const { run } = this.commands;
    const coming = this.#coming?.run === run ? this.#coming.optimizer : this.state.optimizer;
    const { commands, problem } = this.update({ type: 'optimizer', patch, coming });
    if (problem) {
      const kept = String(Reflect.get(coming, problem.field));
      const given = typed ?? String(problem.given);
      this.views.trouble({ kind: 'option', field: problem.field, given, kept });
    }
    const [command] = commands;
    if (command?.type === 'do' && command.act.do === 'optimizer') {
      const { settings } = command.act;
      this.#coming = { run, optimizer: settings };
      await this.runs.replace(command);
      if (this.#coming?.optimizer === settings) this.#coming = null;
    }
    this.views.show(this.state);
  }

  /** Holds the locked cells in the other way from now on; Undo leads back. @param {'lock' | 'mask'} to */
  async switchTo(to) {
    if (this.frame?.isMasked === (to === 'mask')) return;
    await this.runs.continueFromPeek();
    const isDone = await this.runs.replace({ type: 'do', act: { do: 'switch', to } });
    if (isDone) this.views.mark(this.step);
  }

  /** Undoes or redoes the last edit, also while it is replayed; what is looked at is no edit. @param {'undo' | 'redo'} way */
  async move(way) {
    await this.runs.opening;
    const { replaying } = this.runs;
    if (replaying) {
      // It has opened another run than the one before it.
      if (way === 'undo' && replaying.isEdit) await this.runs.cancel();
      return;
    }
    await this.cells.release();
    if (this.runs.peeked) await this.runs.peek(Infinity);
    await this.edits.move(way);
    this.views.draw();
  }

  /** Returns the exact run, after pending edits. @returns {Promise<import('../engine/protocol.js').Snapshot>} */
  async snapshot() {
    await this.edits.settled;
    return this.engine.send({ type: 'snapshot' });
  }

  /** Resolves once the page shows the engine's current state. */
  async caughtUp() {
    await this.runs.opening;
    await this.edits.settled;
    const seen = () => this.frame?.orders ?? -1;
    const orders = await this.engine.send({ type: 'orders', seen: seen() });
    while (seen() < orders) await new Promise((done) => requestAnimationFrame(done));
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

  /** @type {() => Promise<string>} */
  code = () => this.engine.send({ type: 'code' });

  /** Receives a frame, which will be shown soon. @param {Frame} frame */
  accept(frame) {
    const { locks, run } = frame;
    this.coming = frame;
    // Locks on their way to the engine are newer than those in the frame.
    const isNews =
      locks && run === this.commands.run && !this.cells.isUnderWay && !this.runs.peeked;
    if (isNews && !isSameMask(locks, this.cells.mask)) this.cells.adopt(locks);
  }

  /** Shows a frame. @param {Frame} frame @returns {Frame | null} the previous frame; this one if another run is open */
  take(frame) {
    if (frame !== this.coming || frame.run !== this.commands.run) return frame;
    const before = this.frame;
    this.frame = frame;
    this.fit = this.scene.fit ? (frame.fit ?? this.fit) : null;
    if (frame.cell?.index === this.state.selected) this.report = frame.cell;
    this.views.trace(frame.trace);
    this.runs.stopWhenStill(frame);
    this.runs.follow(frame.replay);
    return before;
  }
}
