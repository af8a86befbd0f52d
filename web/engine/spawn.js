/** Starts the engine's worker; build/offline.mjs replaces it by a version that needs no URL. */

export const spawn = () =>
  new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'engine' });
