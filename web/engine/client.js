/** The page's end of the engine: sends commands, returns promises. It knows only the protocol. */

import { start, transfer } from 'gradlock/worker';
import { spawn } from './spawn.js';

/** @typedef {import('./protocol.js').Command} Command */
/** @typedef {import('./protocol.js').Refusal} Refusal */

/** An error of a frame, which the library threw in the worker. */
export class RefusedError extends Error {
  /** @param {Refusal} refusal */
  constructor({ name, message, index }) {
    super(message);
    this.name = name;
    this.index = index;
  }
}

export class Engine {
  /** @type {Worker | null} */
  #worker = null;
  /** @type {Promise<import('gradlock/worker').Job>} */
  #job;

  /** @param {(message: string) => void} onBroken called if the engine cannot run at all */
  constructor(onBroken) {
    this.#job = this.#start().catch(({ message }) => {
      onBroken(message);
      return new Promise(() => {}); // Commands stay without a reply.
    });
  }

  /** Async, since a sandbox may forbid workers, and the page is told once it is ready. */
  async #start() {
    this.#worker = spawn();
    return start(this.#worker);
  }

  /**
   * @param {Command} command
   * @param {Transferable[]} [list] changes hands
   * @returns {Promise<any>} rejects with the error of the worker, or with a LateError
   */
  async send(command, list = []) {
    return (await this.#job).call('obey', transfer(command, list));
  }

  /** Ends the worker, whatever it is doing; open commands stay without a reply. */
  close() {
    this.#worker?.terminate();
  }
}
