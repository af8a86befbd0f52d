/**
 * Commands to the run that is shown, each with the run's number; what the engine refuses is said. Those that the engine has
 * not told of yet are kept: a page that goes away cannot ask any more, and writes them down itself.
 */

import { LateError } from '../engine/client.js';

/** @typedef {import('../engine/protocol.js').Command} Command */
/** @typedef {import('../state/history.js').Act} Act */
/** @typedef {import('../state/history.js').Event} Event */
/** @typedef {import('../view/problems.js').Trouble} Trouble */

/** Commands that change at most the step of a run. */
const ONLY_STEPS = ['step', 'play', 'pause', 'peek', 'select'];

/** Commands that change how a run is looked at, and no bit of it. */
const LOOKS = ['look', 'tell', 'study'];

/** @param {Error} error @returns {Trouble} */
const failed = (error) => ({ kind: error.name === 'OfflineError' ? 'offline' : 'failed', error });

export class Commands {
  #engine;
  #trouble;
  /** What a person did to the run since the engine was last asked what the run is. @type {{ number: number, command: Command }[]} */
  #unheard = [];
  /** The number of the run that is shown. */
  run = 0;
  /** How many commands changed more than the step. */
  changes = 0;

  /** @param {import('../engine/client.js').Engine} engine @param {(trouble: Trouble | null) => void} trouble says it */
  constructor(engine, trouble) {
    this.#engine = engine;
    this.#trouble = trouble;
  }

  /**
   * @param {Command} command
   * @param {(error: Error) => Trouble} [troubleOf] how a refusal is said
   * @returns {Promise<any>} the answer; undefined if the library refused, which is said, or if it came too late
   */
  async ask(command, troubleOf) {
    try {
      if (!ONLY_STEPS.includes(command.type)) {
        this.#unheard.push({ number: ++this.changes, command });
      }
      const answer = await this.#engine.send({ run: this.run, ...command });
      if (command.type !== 'select') this.#trouble(null);
      return answer;
    } catch (error) {
      this.#unheard = this.#unheard.filter((one) => one.command !== command);
      this.fail(error, troubleOf);
      return undefined;
    }
  }

  /** What the run's history holds, in its form. @param {Act} act @param {(error: Error) => Trouble} [troubleOf] @param {number} [run] another one by now */
  do(act, troubleOf, run = this.run) {
    return this.ask({ type: 'do', act, run }, troubleOf);
  }

  /** @param {unknown} error @param {(error: Error) => Trouble} [troubleOf] */
  fail(error, troubleOf = failed) {
    // What was meant for a run that is gone is nobody's loss.
    if (!(error instanceof LateError)) this.#trouble(troubleOf(/** @type {Error} */ (error)));
  }

  /** Another run is shown. @param {number} run */
  open(run) {
    this.run = run;
    this.#unheard = [];
  }

  /** The engine has told of so many changes. @param {number} changes */
  forget(changes) {
    this.#unheard = this.#unheard.filter(({ number }) => number > changes);
  }

  /** What came after so many changes; null if another run came of it. @param {number} changes @param {number} step @returns {Event[] | null} */
  since(changes, step) {
    const commands = this.#unheard
      .filter(({ number, command }) => number > changes && !LOOKS.includes(command.type))
      .map(({ command }) => command);
    const events = commands.flatMap((one) => (one.type === 'do' ? [{ ...one.act, step }] : []));
    return events.length === commands.length ? events : null;
  }
}
