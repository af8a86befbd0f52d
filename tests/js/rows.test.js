/* Tier: test. */
/* Methods and rows of the op table: each method of an op calls the row of its name, and only those
 * others that it is made of; a method that called another row would fail here, whatever its
 * values. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from '../../src/js/external.js';
import { readOpIds } from '../../src/js/tensors/apply.js';
import { Bridge } from '../../src/js/wasm/bridge.js';
import { compileWasm, instantiateWasm } from '../../src/js/wasm/loader.js';
import { BASES } from '../hostile/bases.js';
import { makeFixture } from '../hostile/fixture.js';
import { wasmBytes } from './support.js';

/**
 * Methods that are made of other rows than their own, or of more.
 * @type {Record<string, string[]>}
 */
const MADE_OF = {
  shuffle: ['randomPermutation', 'gather'],
  outer: ['outerProduct'],
  einsum: ['reshape', 'matMul'],
  layerNorm: ['layerNorm', 'reshape', 'mul', 'add'],
  topK: ['argSort', 'slice', 'gather'],
  booleanMask: ['reshape', 'gather'],
  stack: ['expandDims', 'concat'],
  unstack: ['slice', 'reshape'],
  split: ['slice'],
  clip: ['clipByValue'],
  zeros: ['broadcastTo'],
  ones: ['broadcastTo'],
  zerosLike: ['broadcastTo'],
  onesLike: ['broadcastTo'],
  eye: ['oneHot', 'broadcastTo'],
  linspace: [],
};

/** An instance whose calls of rows are seen. */
const initSeen = async () => {
  /** @type {number[]} */
  const seen = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = /** @type {any} */ (
    async (/** @type {any} */ source, /** @type {any} */ imports) => {
      const made = /** @type {any} */ (await instantiate(source, imports));
      if (!made.exports?.glk_apply) return made;
      /** @param {...number} args */
      const glk_apply = (...args) => {
        seen.push(args[1]);
        return made.exports.glk_apply(...args);
      };
      return { exports: { ...made.exports, glk_apply } };
    }
  );
  try {
    return { g: /** @type {any} */ (await init({ wasm: wasmBytes() })), seen };
  } finally {
    WebAssembly.instantiate = instantiate;
  }
};

test('each method of an op calls the row of its name, or the rows of MADE_OF', async () => {
  const ids = readOpIds(new Bridge(await instantiateWasm(await compileWasm(wasmBytes()))));
  const names = Object.fromEntries(Object.entries(ids).map(([name, id]) => [id, name]));
  const { g, seen } = await initSeen();
  const f = makeFixture(g, /** @type {any} */ (await init({ wasm: wasmBytes() })));
  /** @type {string[]} */
  const methods = [];
  for (
    let level = Object.getPrototypeOf(Object.getPrototypeOf(g));
    level !== Object.prototype;
    level = Object.getPrototypeOf(level)
  ) {
    methods.push(...Object.getOwnPropertyNames(level).filter((name) => name !== 'constructor'));
  }
  assert.ok(methods.length > 100, `${methods.length} methods`);
  for (const method of methods) {
    const args = BASES[`g.${method}`](f);
    seen.length = 0;
    g[method](...args);
    const rows = [...new Set(seen.map((id) => names[id]))];
    assert.deepEqual(rows, MADE_OF[method] ?? [method], method);
  }
  assert.deepEqual(
    Object.keys(MADE_OF).filter((name) => !methods.includes(name)),
    [],
  );
});
