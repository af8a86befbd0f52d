/**
 * A study trains complete runs in the background, one by one, for a figure. The scene gives a run's
 * start, and gets its result before it gives the next (scenes/scene.js). Each run has the same bits
 * as when it is opened live, and the live run has the same bits as without a study.
 */

import { cellsOf } from '../scenes/layout.js';
import { isSettings } from '../state/rules.js';
import { MAX_STEP } from '../state/state.js';
import { disposeProblem, isSameSetup, makeProblem } from './problem.js';
import { Run } from './run.js';
import { slices } from './slices.js';

/** @typedef {import('../scenes/scene.js').Gradlock} Gradlock */
/** @typedef {import('../scenes/scene.js').Scene} Scene */
/** @typedef {import('../scenes/scene.js').Setup} Setup */
/** @typedef {import('../state/rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {import('./protocol.js').Refusal} Refusal */
/** @typedef {import('./protocol.js').StudyEntry} StudyEntry */
/** @typedef {import('./protocol.js').StudyNews} StudyNews */
/** @typedef {import('./protocol.js').StudyRecipe} StudyRecipe */
/** @typedef {import('./session.js').Session} Session */

/** The time of the steps taken at once, in ms: the longest delay when a study has to stop. */
const BITE = 3;
/** The most runs of a study; more would take too long. */
const MOST_RUNS = 2000;

export class Study {
  #g;
  #problem;
  #work;
  /** One run for each way of holding cells; it restarts for each recipe. @type {Partial<Record<'lock' | 'mask', Run>>} */
  #runs = {};
  /** The results so far, in order; it only grows. @type {StudyEntry[]} */
  log = [];
  isRunning = true;
  /** The last step of the current run. */
  step = 0;
  /** Why it stopped. @type {Refusal | null} */
  refusal = null;
  optimizer;

  /** @param {Gradlock} g @param {Scene} scene that has a study @param {Setup} setup @param {OptimizerSettings} optimizer */
  constructor(g, scene, setup, optimizer) {
    this.#g = g;
    this.optimizer = optimizer;
    this.#problem = makeProblem(g, scene, setup);
    this.#work = this.#working();
  }

  /** Returns true if it belongs to this problem. @param {Scene} scene @param {Setup} setup */
  isOf(scene, setup) {
    return this.#problem.scene === scene && isSameSetup(this.#problem.setup, setup);
  }

  /** Continues for some time. An error of the scene or the library ends the study, and nothing else. @param {number} time in ms */
  advance(time) {
    const until = performance.now() + time;
    try {
      while (this.isRunning && performance.now() < until) if (this.#work.next().done) this.stop();
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error ?? {});
      this.refusal = { name: name || 'Error', message: message || String(error) };
      this.stop();
    }
  }

  /** Stops the study and keeps its results. */
  stop() {
    if (!this.isRunning) return;
    this.isRunning = false;
    for (const run of Object.values(this.#runs)) run.dispose();
    this.#runs = {};
    disposeProblem(this.#problem);
  }

  *#working() {
    const { scene, setup, layout } = this.#problem;
    const { optimizer } = this;
    const usual = { optimizer, locks: scene.locks(setup) };
    const recipes = scene.study?.runs(setup, { ...optimizer })[Symbol.iterator]();
    /** @type {import('../scenes/scene.js').Ended | undefined} */
    let ended;
    for (let count = 0; ; count++) {
      // The first call has no result yet.
      const { value, done } = /** @type {Iterator<any, any, any>} */ (recipes).next(ended);
      if (done) return;
      if (count === MOST_RUNS) throw new RangeError(`A study has at most ${MOST_RUNS} runs.`);
      const recipe = checked(value, cellsOf(layout), usual);
      this.log.push({ recipe });
      ended = yield* this.#train(recipe);
    }
  }

  /** @param {StudyRecipe} recipe @returns {Generator<void, import('../scenes/scene.js').Ended>} */
  *#train({ optimizer, locks, zeros, rule, steps, every }) {
    const run = this.#runOf(rule);
    run.settings = optimizer;
    run.begin(locks, zeros);
    const end = Math.max(steps, run.step);
    this.step = run.step;
    if (every && run.step < end) this.#note(run, null);
    while (run.step < end) {
      const next = every ? (Math.floor(run.step / every) + 1) * every : end;
      yield* slices(run.step, Math.min(next, end), BITE, (count) => {
        run.advance(count);
        this.step = run.step;
      });
      if (run.step < end) this.#note(run, null);
    }
    const readings = this.#note(run, run.digest());
    return { values: run.values(), readings };
  }

  /** @param {'lock' | 'mask'} rule */
  #runOf(rule) {
    const { scene } = this.#problem;
    const readings = scene.study?.readings ?? scene.readings;
    this.#runs[rule] ??= new Run(this.#g, this.#problem, this.optimizer, rule === 'mask', readings);
    return this.#runs[rule];
  }

  /** @param {Run} run @param {string | null} digest at its end */
  #note(run, digest) {
    const readings = run.readings() ?? {};
    this.log.push({ step: run.step, readings, digest });
    return readings;
  }
}

/**
 * Returns a scene's recipe, completed; throws an error that names what is wrong with it.
 * @param {any} given
 * @param {number} cells
 * @param {{ optimizer: OptimizerSettings, locks: Uint8Array }} usual
 * @returns {StudyRecipe}
 */
function checked(given, cells, usual) {
  const { key, at, steps, every = 0, rule = 'lock', optimizer = usual.optimizer } = given ?? {};
  const { locks = usual.locks, zeros = null } = given ?? {};
  const isMask = (/** @type {unknown} */ mask) =>
    mask instanceof Uint8Array && mask.length === cells && mask.every((bit) => bit <= 1);
  const isCount = (/** @type {unknown} */ count, /** @type {number} */ least) =>
    Number.isInteger(count) && Number(count) >= least && Number(count) <= MAX_STEP;
  const claims = /** @type {[name: string, wanted: string, given: unknown, isSo: boolean][]} */ ([
    ['key', 'a text', key, typeof key === 'string' && key !== ''],
    ['at', 'a number', at, typeof at === 'number' && Number.isFinite(at)],
    ['steps', `a whole number from 1 to ${MAX_STEP}`, steps, isCount(steps, 1)],
    ['every', `a whole number from 0 to ${MAX_STEP}`, every, isCount(every, 0)],
    ['rule', "'lock' or 'mask'", rule, rule === 'lock' || rule === 'mask'],
    ['optimizer', 'settings such as the scene’s', optimizer, isSettings(optimizer)],
    ['locks', `a Uint8Array of ${cells} 0 or 1`, locks, isMask(locks)],
    ['zeros', `a Uint8Array of ${cells} 0 or 1, or null`, zeros, zeros === null || isMask(zeros)],
  ]);
  const wrong = claims.find(([, , , isSo]) => !isSo);
  if (wrong) {
    const [name, wanted, value] = wrong;
    const size = value instanceof Uint8Array ? ` of ${value.length}` : '';
    const text = size ? 'a Uint8Array' : typeof value === 'object' ? 'an object' : String(value);
    throw new TypeError(
      `A run of a study has as ${name} ${wanted}, got ${value === null ? null : text}${size}`,
    );
  }
  // A scene may change its arrays later.
  return {
    ...{ key, at, steps, every, rule },
    optimizer: { ...optimizer },
    locks: locks.slice(),
    zeros: zeros?.slice() ?? null,
  };
}

/** The open scene's study, if it has one. It stays while runs of the same setup come and go. */
export class Studies {
  /** @type {Study | null} */
  #study = null;
  #id = 0;

  /** True if the study has work to do. */
  get isRunning() {
    return this.#study?.isRunning ?? false;
  }

  /** Handles the opening of a run. @param {Gradlock} g @param {Session} session */
  open(g, session) {
    const { scene, setup } = session.problem;
    if (this.#study?.isOf(scene, setup)) return;
    this.#study?.stop();
    this.#study = null;
    if (scene.study && !scene.study.isAsked) this.start(g, session);
  }

  /** Restarts the study with the current optimizer settings. @param {Gradlock} g @param {Session} session */
  start(g, { problem, main }) {
    const { scene, setup } = problem;
    if (!scene.study) throw new Error('This scene has no study.');
    const next = new Study(g, scene, setup, main.settings);
    this.#study?.stop();
    this.#study = next;
    this.#id++;
  }

  stop() {
    this.#study?.stop();
  }

  /** @param {number} time in ms @returns {boolean} true if there is news */
  advance(time) {
    const study = this.#study;
    const before = study?.log.length;
    study?.advance(time);
    return study?.log.length !== before || !this.isRunning;
  }

  /** Returns the entries that the page does not have. @param {import('./protocol.js').Known} [known] @returns {StudyNews | null} null if there is no study */
  news(known) {
    if (!this.#study) return null;
    const { log, isRunning, step, refusal, optimizer } = this.#study;
    const from = known?.id === this.#id ? known.count : 0;
    return { id: this.#id, log: log.slice(from), isRunning, step, refusal, optimizer };
  }
}
