/* What the tests of the library share: seeded numbers, bits, and the claim that a refused call
 * changes nothing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { init } from 'gradlock';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Variable} Variable */
/** @typedef {import('gradlock').Optimizer} Optimizer */

/**
 * Seeded numbers in [0, 1): mulberry32.
 * @param {number} seed
 */
export const random = (seed) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
};

/**
 * Values in [-1, 1).
 * @param {number} size
 * @param {() => number} next
 */
export const randomValues = (size, next) =>
  Float32Array.from({ length: size }, () => 2 * next() - 1);

/**
 * The 32-bit patterns, copied; two of each f64.
 * @param {Float32Array | Float64Array} values
 */
export const bitsOf = (values) =>
  new Uint32Array(values.buffer, values.byteOffset, values.byteLength / 4).slice();

/** @param {readonly number[]} words */
export const fromBits = (words) => new Float32Array(Uint32Array.from(words).buffer);

/** The module as built. */
export const wasmBytes = () =>
  readFileSync(new URL('../../build/wasm/gradlock.wasm', import.meta.url));

/**
 * An instance whose memory cannot grow beyond some pages of 64 KiB: to run out of it cheaply.
 * @param {number} pages 256 at least.
 */
export const initWithin = async (pages) => {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    /** @param {WebAssembly.MemoryDescriptor} descriptor */
    constructor(descriptor) {
      super({ ...descriptor, maximum: pages });
    }
  };
  try {
    return await init();
  } finally {
    WebAssembly.Memory = Memory;
  }
};

/**
 * Everything observable of some variables and optimizers, and what the instance holds.
 * @param {Gradlock} g
 * @param {readonly (Variable | Optimizer)[]} things
 */
export const snapshot = (g, things) => {
  const states = things.map((thing) => {
    if (thing.disposed) return 'disposed';
    if ('locks' in thing)
      return [Array.from(bitsOf(thing.view())), Array.from(thing.locks.toMask())];
    return [
      thing.iterations,
      thing.learningRate,
      thing.weightDecay,
      thing.clipNorm,
      thing.onUnlock,
    ];
  });
  const { bytes, objects } = g.memory();
  return { states, bytes, objects };
};

/**
 * Make a fresh instance's tables as large as a test will need them, so that bytes can be compared
 * exactly.
 * @param {Gradlock} g
 */
export const settle = (g) => {
  for (let i = 0; i < 1000; i++) g.tensor(0).dispose();
};

/**
 * A call throws the expected error, changes nothing that is watched, and leaks nothing.
 * @param {Gradlock} g
 * @param {readonly (Variable | Optimizer)[]} watched
 * @param {() => unknown} call
 * @param {Function} kind
 * @param {RegExp} message
 */
export const refuses = (g, watched, call, kind, message) => {
  const before = snapshot(g, watched);
  assert.throws(call, (error) => {
    assert.ok(error instanceof Error, `threw ${error}`);
    assert.equal(error.constructor, kind, `threw ${error.stack}`);
    assert.equal(error.name, kind === TypeError ? 'TypeError' : error.name);
    assert.match(error.message, message);
    return true;
  });
  assert.deepEqual(snapshot(g, watched), before);
};

/**
 * The problem most tests train: a 2×2 variable and its mean squared distance from a target.
 * @param {import('gradlock').Gradlock} g
 */
export const twoByTwo = (g) => {
  const x = g.variable(
    [
      [0, 0],
      [0, 0],
    ],
    { name: 'x' },
  );
  const target = g.tensor([
    [1, 2],
    [3, 4],
  ]);
  const fn = () => g.mean(g.square(g.sub(x, target)));
  return { x, fn, loss: g.compile(fn) };
};
