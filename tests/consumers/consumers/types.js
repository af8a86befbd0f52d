/* What a consumer of the table is. */

/** @typedef {import('../kit/place.js').Place} Place */
/** @typedef {import('../kit/judge.js').Expected} Expected */

/**
 * A line of the table: one way in which a consumer uses the package.
 * @typedef {object} Cell
 * @property {string} name
 * @property {Expected} inlined What `gradlock` does.
 * @property {Expected | null} external What `gradlock/external` does; null where it is not tried,
 *   since the line is about the other.
 * @property {boolean} [quick] Whether it is a part of `make test`.
 * @property {(place: Place) => Promise<string[]>} run What the program printed.
 */

/**
 * Packages that are installed together, in one fresh folder, and what is done with them.
 * @typedef {object} Consumer
 * @property {string} name
 * @property {string} [versions] A key of versions.json. Without it there is the package alone.
 * @property {string} [node] The key of the Node.js that tools run in; `'host'` is this one.
 * @property {'browsers'} [shows] Whose version the table names, if not the first package's.
 * @property {boolean} [isHere] Whether the repository has these packages itself, so that the quick
 *   part may take them from there.
 * @property {readonly Cell[]} cells
 */

/** Every consumer is in one of these files. @typedef {readonly Consumer[]} Consumers */

export const WORKS = /** @type {const} */ ('works');
