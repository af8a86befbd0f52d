// Functions of the WebAssembly module, as types: src/c/bind/exports.txt lists them.

/** @typedef {(...parameters: number[]) => number} Call */
/**
 * @typedef {{ memory: WebAssembly.Memory, _initialize?: () => void } & Record<`glk_${string}`,
 *   Call>} Exports
 */
export {};
