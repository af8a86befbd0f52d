// How an entry that stands on an instance takes over what shared.js lists. The sources have it
// already, by their imports; in build/npm this module and those that it stands for are one, made by
// package/plugins.mjs.

/** @param {typeof import('./shared.js').shared} shared */
export const takeShared = (shared) => void shared;
