// How another entry takes over the parts that shared.js lists. The sources import these parts
// directly. In build/npm, src/npm/made-modules.mjs replaces the imported modules with this one.

/** @param {typeof import('./shared.js').shared} shared */
export const takeShared = (shared) => void shared;
