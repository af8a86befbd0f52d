// limits.mjs for a page: the same program of this engine, fetched; nothing native.

export const PEAK_OPERATIONS = 96;

const PAGE = 65536;
const PROGRAM = 2 * PAGE;

const bytes = await (await fetch('limits.wasm')).arrayBuffer();
const { instance } = await WebAssembly.instantiate(bytes);
const limits = /** @type {import('../limits.mjs').Limits} */ (
  /** @type {unknown} */ (instance.exports)
);

/** @param {number} [count] */
export function loadLimits(count = 0) {
  const missing = PROGRAM + count * 4 - limits.memory.buffer.byteLength;
  if (missing > 0) limits.memory.grow(Math.ceil(missing / PAGE));
  return limits;
}

export const measureNative = () => undefined;
