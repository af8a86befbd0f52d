/* The limits that rows are fractions of: limits.c in this engine, native.c without one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BUILD } from './peers.mjs';

/**
 * @typedef {object} Limits
 * @property {WebAssembly.Memory} memory
 * @property {(rounds: number) => number} peak 96 multiplications and additions of one lane each a round
 * @property {(count: number, address: number) => void} adam_traffic
 */

/** @type {Limits | undefined} */
let limits;

/** limits.c, in an instance of its own. */
export function loadLimits() {
  if (!limits) {
    const module = new WebAssembly.Module(readFileSync(join(BUILD, 'limits.wasm')));
    limits = /** @type {Limits} */ (
      /** @type {unknown} */ (new WebAssembly.Instance(module).exports)
    );
  }
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
