// Where a worker's messages come from: browsers, Bun and Deno have events, and Node.js has its own.
import { importNode } from '../base/node.js';

/**
 * @param {any} target A worker, or what a worker has of its page.
 * @param {string} type
 * @param {(given: any) => unknown} handle
 */
export const listen = (target, type, handle) => {
  if (!target.addEventListener) target.on(type, handle);
  else target.addEventListener(type, (/** @type {any} */ event) => handle(event.data ?? event));
};

/** The page's end, in a worker; undefined elsewhere. */
export const findPage = async () => {
  const node = await importNode('worker_threads');
  if (node?.parentPort) return node.parentPort;
  const { document, postMessage, Deno } = /** @type {any} */ (globalThis);
  // Deno's node:worker_threads takes web workers for the main thread.
  const isMain = document || (node?.isMainThread && !Deno);
  return isMain || !postMessage ? undefined : globalThis;
};
