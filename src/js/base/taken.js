// How another entry takes over the parts that shared.js lists. The sources import these parts
// directly. In build/npm, package/plugins.mjs replaces the imported modules by this one.

/** @param {typeof import('./shared.js').shared} shared */
export const takeShared = (shared) => void shared;
