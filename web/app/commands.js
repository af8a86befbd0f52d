/**
 * Sends commands to the shown run, each with the run's number, and reports refusals. It keeps
 * unconfirmed commands: a page that is being closed cannot ask the engine, and saves them itself.
 */

import { partAt } from '../scenes/layout.js';

/** @typedef {import('../engine/protocol.js').Command} Command */

/** Commands that change nothing but the step of a run. */
const ONLY_STEPS = ['step', 'play', 'pause', 'peek', 'select'];

/** Commands that change what is shown of a run, and not the run. */
const SHOW_ONLY = ['view', 'tell'];

/** True of the error of a command whose run is no longer the live one. @param {any} error */
export const isLate = (error) => error?.name === 'LateError';

export class Commands {
  #app;
  /** A person's commands since the engine was last asked for the run. @type {{ number: number, command: Command }[]} */
  #unconfirmed = [];
  /** The number of the shown run. */
  run = 0;
  /** The number of commands that changed more than the step. */
  changes = 0;

  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.#app = app;
  }

  /** @param {Command} command @returns {Promise<any>} the answer; undefined if the library refused, or if the answer came too late */
  async ask(command) {
    try {
      if (!ONLY_STEPS.includes(command.type)) {
        this.#unconfirmed.push({ number: ++this.changes, command });
      }
      const answer = await this.#app.engine.send({ run: this.run, ...command });
      if (command.type !== 'select') this.#app.views.trouble(null);
      return answer;
    } catch (error) {
      this.#unconfirmed = this.#unconfirmed.filter((one) => one.command !== command);
      this.fail(error, command);
      return undefined;
    }
  }

  /** Does an edit in the form that histories use. @param {import('../state/history.js').Act} act @param {number} [run] if it may be another by now */
  do(act, run = this.run) {
    return this.ask({ type: 'do', act, run });
  }

  /** Reports a refusal. Commands for a run that is gone fail silently. @param {any} error @param {Command} [command] */
  fail(error, command) {
    const act = command?.type === 'do' ? command.act : null;
    const { layout, views } = this.#app;
    if (isLate(error)) return;
    if (act?.do === 'bound') views.trouble({ kind: 'bound', error });
    else if (act?.do === 'assign') {
      const { cols, offset } = partAt(layout, act.index);
      const at = act.index - offset;
      const place = { row: Math.floor(at / cols) + 1, col: (at % cols) + 1 };
      views.trouble({ kind: 'assign', error, ...place });
    } else views.trouble({ kind: error.name === 'OfflineError' ? 'offline' : 'failed', error });
  }

  /** Switches to another run. @param {number} run */
  open(run) {
    this.run = run;
    this.#unconfirmed = [];
  }

  /** Drops the commands that the engine has confirmed. @param {number} changes their number */
  forget(changes) {
    this.#unconfirmed = this.#unconfirmed.filter(({ number }) => number > changes);
  }

  /** Returns the unconfirmed events; null if one of the commands made another run. @param {number} step @returns {import('../state/history.js').Event[] | null} */
  since(step) {
    const commands = this.#unconfirmed
      .map(({ command }) => command)
      .filter(({ type }) => !SHOW_ONLY.includes(type));
    const events = commands.flatMap((one) => (one.type === 'do' ? [{ ...one.act, step }] : []));
    return events.length === commands.length ? events : null;
  }
}
