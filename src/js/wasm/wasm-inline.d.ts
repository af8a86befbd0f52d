/* The module that src/npm generates: gradlock.wasm as text, so that one JavaScript file
 * works in every bundler, offline and from file://. */

/** inline/join.c, compiled, and what it makes gradlock.wasm of, deflated (zlib's format) and in base64. */
export const packed: () => string;

/** How many bytes the first of the two has. */
export const joinBytes: number;
