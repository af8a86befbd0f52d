// Calls over a port, in both directions: each has a number, and gets a value or an error.
import { refuseRest } from '../base/arity.js';
import { toData, toError } from './error.js';

/** @typedef {(...given: any[]) => unknown} Handler */

/** A value, with what of it changes hands. */
class Transfer {
  /** @param {unknown} value @param {object[]} list */
  constructor(value, list) {
    this.value = value;
    this.list = list;
  }
}

/**
 * Marks what is not to be copied when a value is sent: buffers that change hands. For the arguments
 * of `job.call`, and for what calls return.
 * @template T
 * @param {T} value
 * @param {object[]} list Buffers and ports in it.
 * @param {[]} more
 * @returns {T}
 * @example
 * const values = new Float32Array(1000);
 * transfer(values, [values.buffer]);
 */
export const transfer = (value, list, ...more) => {
  refuseRest('transfer', 2, more);
  return /** @type {any} */ (new Transfer(value, list));
};

/** @param {unknown[]} given */
const unwrap = (given) => ({
  values: given.map((one) => (one instanceof Transfer ? one.value : one)),
  list: given.flatMap((one) => (one instanceof Transfer ? one.list : [])),
});

/** One end of a port. */
export class Calls {
  #port;
  #handlers;
  #next = 1;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: unknown) => void }>} */
  #open = new Map();
  /** Why nothing is answered any more. @type {unknown} */
  #end = null;

  /** @param {MessagePort} port @param {Record<string, Handler>} handlers For the other end. */
  constructor(port, handlers) {
    this.#port = port;
    this.#handlers = handlers;
    port.onmessage = ({ data }) => this.#receive(data);
  }

  /** @param {string} name @param {...unknown} given */
  call(name, ...given) {
    return new Promise((resolve, reject) => {
      if (this.#end) throw this.#end;
      const { values, list } = unwrap(given);
      const id = this.#next++;
      this.#port.postMessage({ id, name, values }, /** @type {any} */ (list));
      this.#open.set(id, { resolve, reject });
    });
  }

  /** A call without an answer. @param {string} name @param {...unknown} given */
  tell(name, ...given) {
    const { values, list } = unwrap(given);
    if (!this.#end) this.#port.postMessage({ name, values }, /** @type {any} */ (list));
  }

  /** Ends all calls, those to come as well. @param {unknown} error Why. */
  end(error) {
    this.#end ??= error;
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
    this.#port.close();
  }

  /** @param {any} message */
  async #receive({ id, name, values, value, error }) {
    if (name === undefined) {
      const open = this.#open.get(id);
      this.#open.delete(id);
      if (error) open?.reject(toError(error));
      else open?.resolve(value);
      return;
    }
    try {
      const answer = unwrap([await this.#handlers[name]?.(...values)]);
      if (id)
        this.#port.postMessage({ id, value: answer.values[0] }, /** @type {any} */ (answer.list));
    } catch (thrown) {
      if (!id) throw thrown;
      this.#port.postMessage({ id, error: toData(thrown) });
    }
  }
}
