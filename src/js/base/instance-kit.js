// How another entry uses the parts of an instance that kit-parts.js lists. The sources import them
// directly. In build/npm, src/npm/made-modules.mjs replaces the imported modules by this.

/** @param {typeof import('./kit-parts.js').kitParts} parts */
export const useKit = (parts) => void parts;
