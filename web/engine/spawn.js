/** Starts the engine's worker; build/offline.mjs has another version, which needs no address. */

export const spawn = () =>
  new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'engine' });
