/* The limits that rows are fractions of: limits.c in this engine. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD } from './peers.mjs';

/**
 * The functions of limits.c; counts are elements, multiples of 4.
 * @typedef {object} Limits
 * @property {WebAssembly.Memory} memory
 * @property {(rounds: number) => number} peak PEAK_OPERATIONS a round
 * @property {(count: number) => void} move_adam
 * @property {(count: number) => void} write_negatives
 * @property {(count: number) => void} divide_by_roots
 */

/** @type {Limits | undefined} */
let limits;

const PAGE = 65536;
/** Its stack and data, generously. */
const PROGRAM = 2 * PAGE;

/**
 * limits.c, in an instance of its own, with room for so many f32.
 * @param {number} [count]
 */
export function loadLimits(count = 0) {
  if (!limits) {
    const module = new WebAssembly.Module(readFileSync(join(BUILD, 'limits.wasm')));
    const { exports } = new WebAssembly.Instance(module);
    limits = /** @type {Limits} */ (/** @type {unknown} */ (exports));
  }
  const missing = PROGRAM + count * 4 - limits.memory.buffer.byteLength;
  if (missing > 0) limits.memory.grow(Math.ceil(missing / PAGE));
  return limits;
}

/** Operations of f32 in one round of peak(). */
export const PEAK_OPERATIONS = 96;
