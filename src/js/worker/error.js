// Errors as messages: data on one side, and on the other an error of the same class. Copies of the
// library know its errors by a mark (base/errors.js), so `instanceof` holds for them.
import { KIND, standAlone } from '../base/kind.js';

/** The most causes of an error that are sent, one of the other. */
const MOST_CAUSES = 8;

/**
 * - `'load'`: the worker's script could not be loaded or run;
 * - `'ended'`: the worker was ended;
 * - `'task'`: what the worker's function returned cannot be trained, or cannot do this;
 * - `'name'`: there is no such variable or call.
 * @typedef {'load' | 'ended' | 'task' | 'name'} WorkerReason
 */

/** A job cannot start, or cannot do what it was asked. It is a GradlockError. */
export class WorkerError extends Error {
  /** @internal @param {string} message @param {WorkerReason} reason @param {unknown} [cause] */
  constructor(message, reason, cause) {
    super(message, cause === undefined ? undefined : { cause });
    /** What went wrong, for programs. @type {WorkerReason} */
    this.reason = reason;
    /** The code of this class, as other errors of the library have one. */
    this.code = 'GLK_ERROR_WORKER';
  }
}
standAlone(WorkerError, 'WorkerError', 'GLK_ERROR_WORKER');

/** What can be sent of a value. @param {unknown} value */
const sendable = (value) => {
  try {
    return structuredClone(value);
  } catch {
    return String(value);
  }
};

/** What is sent of an error. @param {any} error @param {number} [causes] @returns {any} */
export const toData = (error, causes = MOST_CAUSES) => {
  if (!(error instanceof Error)) return { value: sendable(error) };
  const { name, message, stack, cause } = error;
  const kinds = [];
  for (let level = error; level; level = Object.getPrototypeOf(level)) {
    if (Object.hasOwn(level, KIND)) kinds.push(/** @type {any} */ (level)[KIND]);
  }
  const fields = Object.entries(error).map(([key, value]) => [key, sendable(value)]);
  const from = cause !== undefined && causes > 0 ? toData(cause, causes - 1) : undefined;
  return { name, message, stack, kinds, fields: Object.fromEntries(fields), from };
};

/** The error that was sent; anything else thrown, as it is. @param {any} data @returns {any} */
export const toError = (data) => {
  if (!data.kinds) return data.value;
  const { name, message, stack, kinds, fields, from } = data;
  const error = new Error(message, from ? { cause: toError(from) } : undefined);
  const type = /** @type {any} */ (globalThis)[name];
  const isNative = typeof type === 'function' && type.prototype instanceof Error;
  let prototype = isNative ? type.prototype : Error.prototype;
  for (const value of kinds.reverse()) {
    prototype = Object.create(prototype, { [KIND]: { value } });
  }
  Object.setPrototypeOf(error, prototype);
  for (const [key, value] of Object.entries({ name, stack })) {
    Object.defineProperty(error, key, { value, configurable: true, writable: true });
  }
  return Object.assign(error, fields);
};
