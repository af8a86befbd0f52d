// Messages between a page and a worker: browsers, Bun and Deno have DOM events, Node.js emitters.
import { importNode } from '../base/node.js';

/**
 * @param {any} target A worker; in a worker, what findPage returns.
 * @param {string} type
 * @param {(data: any) => unknown} handle Gets the message, or an event without data.
 */
export const listen = (target, type, handle) => {
  if (!target.addEventListener) target.on(type, handle);
  else target.addEventListener(type, (/** @type {any} */ event) => handle(event.data ?? event));
};

/** In a worker, the object that exchanges messages with its page; undefined elsewhere. */
export const findPage = async () => {
  const node = await importNode('worker_threads');
  if (node?.parentPort) return node.parentPort;
  const { document, postMessage, Deno } = /** @type {any} */ (globalThis);
  // In web workers of Deno, isMainThread of node:worker_threads is true.
  const isMain = document || (node?.isMainThread && !Deno);
  return isMain || !postMessage ? undefined : globalThis;
};
