// Functions of the WebAssembly module, as types: src/c/bind/exports.txt lists them.

/** @typedef {(...parameters: number[]) => number} Call */
/**
 * @typedef {{ memory: { readonly buffer: ArrayBuffer }, _initialize?: () => void } &
 *   Record<`glk_${string}`, Call>} Exports The buffer is another one after memory grew.
 */
export {};
