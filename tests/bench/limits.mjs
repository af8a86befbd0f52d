/* The limits that rows are fractions of: limits.c in this engine, native.c without one. */
import { execFileSync } from 'node:child_process';
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
 * @property {() => number} heap where weigh() finds its locks
 * @property {(m: number, n: number, k: number, hasLocks: number) => void} weigh
 * @property {(m: number, n: number, k: number) => number} weigh_size how many f32 that needs
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

/**
 * What native.c measures, in seconds; undefined for what the machine lacks.
 * @param {...(string | number)} words
 */
export function measureNative(...words) {
  const line = execFileSync(join(BUILD, 'native'), words.map(String), { encoding: 'utf8' });
  return line ? Number(line) : undefined;
}
