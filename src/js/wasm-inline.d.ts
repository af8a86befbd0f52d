/* The module that src/js/package.mjs generates: gradlock.wasm as text, so that one JavaScript file
 * works in every bundler, offline and from file://. */

/** gradlock.wasm deflated (zlib's format), then in base64: base64 itself hardly compresses. */
export const wasmDeflated: string;
