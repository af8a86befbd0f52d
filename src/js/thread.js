// Entry point gradlock/thread: the worker of a thread, which init({ threads }) starts. Pages whose
// Content-Security-Policy forbids blob: workers start it by themselves: init({ threads, worker: ()
// => new Worker(new URL('gradlock/thread', import.meta.url)) }). It exports nothing, so that it is
// a classic script, too, and does nothing on the main thread of Node.js, Bun or Deno.
import { importNode } from './base/node.js';

/**
 * Answers and then works until the instance is disposed. The module's memory is the library's, with
 * the values of C's variables in it; only the stack is its own.
 * @param {any} start
 * @param {{ postMessage(answer: string): void }} port
 */
const work = ({ module, memory, pool, stack, lane }, port) => {
  const env = { memory, emscripten_notify_memory_growth: () => {} };
  const { exports } = new WebAssembly.Instance(module, { env });
  port.postMessage('ready');
  /** @type {any} */ (exports).glk_bind_work(pool, stack, lane);
};

importNode('worker_threads').then((node) => {
  const port = node?.parentPort;
  if (port) port.once('message', (/** @type {any} */ start) => work(start, port));
  else if (!node?.isMainThread) globalThis.onmessage = ({ data }) => work(data, globalThis);
});
