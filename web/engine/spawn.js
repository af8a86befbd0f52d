/** Starts the engine beside the page. The offline file has another of these (build/offline.mjs), which needs no address. */

export const spawn = () =>
  new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'engine' });
