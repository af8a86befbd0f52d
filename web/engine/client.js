/** The page's end of the engine: sends commands, returns promises. It knows only the protocol. */

import { spawn } from './spawn.js';

/** @typedef {import('./protocol.js').Command} Command */
/** @typedef {import('./protocol.js').Refusal} Refusal */

/** An error that the library threw in the worker. */
export class RefusedError extends Error {
  /** @param {Refusal} refusal */
  constructor({ name, message, index }) {
    super(message);
    this.name = name;
    this.index = index;
  }
}

/** The command's run is no longer the live one, so nothing was done. */
export class LateError extends Error {
  constructor() {
    super('another run is open by now');
    this.name = 'LateError';
  }
}

export class Engine {
  /** @type {Worker | null} */
  #worker = null;
  #next = 1;
  /** @type {Map<number, { resolve: (result: any) => void, reject: (error: Error) => void }>} */
  #open = new Map();

  /** @param {(message: string) => void} onBroken called if the engine cannot run at all */
  constructor(onBroken) {
    try {
      this.#worker = spawn();
      this.#worker.onmessage = ({ data }) => this.#settle(data);
      this.#worker.onerror = (event) => onBroken(event.message || 'the worker did not start');
    } catch (error) {
      // A sandbox may forbid workers. The page is told once it is ready.
      queueMicrotask(() => onBroken(String(error)));
    }
  }

  /**
   * @param {Command} command
   * @param {Transferable[]} [transfer]
   * @returns {Promise<any>} rejects with a RefusedError or a LateError
   */
  send(command, transfer = []) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#worker?.postMessage({ ...command, id }, transfer);
    });
  }

  /** Ends the worker, whatever it is doing; open commands stay without a reply. */
  close() {
    this.#worker?.terminate();
    this.#open.clear();
  }

  /** @param {import('./protocol.js').Reply} reply */
  #settle(reply) {
    const open = this.#open.get(reply.id);
    this.#open.delete(reply.id);
    if ('isLate' in reply) open?.reject(new LateError());
    else if ('refusal' in reply) open?.reject(new RefusedError(reply.refusal));
    else open?.resolve(reply.result);
  }
}
