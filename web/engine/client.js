/** The page's end of the engine: sends commands, returns promises. It knows only the protocol. */

import { start, transfer } from 'gradlock/worker';
import { spawn } from './spawn.js';

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

  /** Async, as a sandbox may forbid workers, and the page is told once it is ready. */
  async #start() {
    this.#worker = spawn();
    return start(this.#worker);
  }

  /**
   * @param {import('./protocol.js').Command} command
   * @param {ArrayBufferLike[]} [list] buffers in it that change hands
   * @returns {Promise<any>} rejects with the engine's error
   */
  async send({ type, ...given }, list = []) {
    return (await this.#job).call(type, transfer(given, list));
  }

  /** Ends the worker, whatever it is doing. No pending reply arrives any more. */
  close() {
    this.#worker?.terminate();
    this.#job.then((job) => job.terminate());
  }
}
