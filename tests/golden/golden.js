/* What the golden tests share: reading the files that generate.py wrote, the values both sides draw, how near to
 * a reference sums are, and a table. It does not know gradlock. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** Half the distance from 1 to the next f32: the largest relative error of one rounding. */
export const UNIT = 2 ** -24;
/** The same of f64. */
const UNIT_64 = 2 ** -53;

/** @param {string} name of a file beside this one */
export function readGolden(name) {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}

/**
 * A seeded tenth of rows of which there are many and which take seconds; all of them by GLK_ALL=1.
 * @template T
 * @param {readonly T[]} rows
 * @param {number} seed
 * @returns {T[]}
 */
export function sample(rows, seed) {
  const draws = new Draws(seed);
  return rows.filter(() => draws.next() < 2 ** 32 / 10 || process.env.GLK_ALL === '1');
}

/**
 * The f32 values of a JSON array; "NaN" and "Infinity" are written as strings there.
 * @param {(number | string)[]} values
 */
export function floats(values) {
  return Float32Array.from(values, Number);
}

/** The generator of generate.py: 24 random bits in [-2, 2), scaled by 1, 1/4, 1/16 or 1/64. Exact in f32. */
export class Draws {
  /** @param {number} seed */
  constructor(seed) {
    this.state = seed >>> 0;
  }

  next() {
    this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
    return this.state;
  }

  value() {
    const mantissa = ((this.next() >>> 8) - 2 ** 23) / 2 ** 22;
    return mantissa * 4 ** -(this.next() >>> 30);
  }

  /** @param {number[]} shape */
  array(shape) {
    const count = shape.reduce((a, b) => a * b, 1);
    return Float32Array.from({ length: count }, () => this.value());
  }
}

/** @typedef {[values: (number | string)[], scale: number]} Result Of a reference in f64. */

/**
 * Hold what was computed of sums of at most so many terms to a reference that comes with its scale:
 * golden-layers.test.js says how. Values in f64 are held to f64's roundings, and to those in f32
 * of the reference: one when it is written, and others of its scale. Gives the share of the
 * tolerance that was needed.
 * @param {{ data(): Float32Array | Float64Array }} got
 * @param {Result} want
 * @param {number} terms
 * @param {string} what
 * @param {number} [roundings] How often the reference rounds to f32 on the way.
 */
export function assertNear(got, [values, scale], terms, what, roundings = 0) {
  const [found, wanted] = [got.data(), floats(values)];
  assert.equal(found.length, wanted.length, `${what}: number of elements`);
  const isDouble = found instanceof Float64Array;
  const own = (terms + 16) * (isDouble ? UNIT_64 : UNIT);
  const most = (isDouble ? own + roundings * UNIT : own) * scale;
  let worst = 0;
  for (const [i, value] of wanted.entries()) {
    const written = isDouble ? Math.max(UNIT * Math.abs(Number(found[i])), 2 ** -150) : 0;
    const off = Math.abs(Number(found[i]) - value) - written;
    worst = Math.max(worst, off);
    assert.ok(
      off <= most,
      `${what}, element ${i}: ${found[i]}, Keras ${value}, ± ${most + written}`,
    );
  }
  return most > 0 ? worst / most : 0;
}

/** @param {Float32Array} a @param {Float32Array} b */
export function sameBits(a, b) {
  const x = new Uint32Array(a.buffer, a.byteOffset, a.length);
  const y = new Uint32Array(b.buffer, b.byteOffset, b.length);
  return x.length === y.length && x.every((word, i) => word === y[i]);
}

/**
 * Print rows of text under headings, columns aligned.
 * @param {string} title
 * @param {string[]} headings
 * @param {string[][]} rows
 */
export function printTable(title, headings, rows) {
  const widths = headings.map((h, i) => Math.max(h.length, ...rows.map((row) => row[i].length)));
  /** @param {string[]} row */
  const line = (row) => `  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd();
  console.log(
    [title, line(headings), line(widths.map((w) => '-'.repeat(w))), ...rows.map(line)].join('\n'),
  );
}
