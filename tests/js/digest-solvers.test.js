/* The trajectories of tests/c/test_lbfgs.c and test_lm.c once more through JavaScript: the Emscripten build, the WASI SDK's
 * reactor and the native programs must go through the same bytes. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import { run } from '../c/wasi.js';

const root = new URL('../../', import.meta.url);
const N = 23;
const CALLS = 6;

/**
 * Integers in, exact f32s out: -1 <= value < 1.
 * @param {number} i
 * @param {number} salt
 */
const number = (i, salt) => {
  const mixed = (Math.imul(i + 1, 2654435761) + Math.imul(salt, 40503)) >>> 0;
  return (((mixed >>> 16) & 0xffff) - 32768) / 32768;
};

/** @param {string} wasm @param {'lbfgs' | 'levenbergMarquardt'} method */
const trajectory = async (wasm, method) => {
  const g = await init({ wasm: await readFile(new URL(`build/wasm/${wasm}`, root)) });
  const x = g.variable(Float32Array.from({ length: N }, (_, i) => number(i, 1)));
  const program = g.compile(() => {
    const a = g.slice(x, [0], [N - 1]);
    const b = g.slice(x, [1], [N - 1]);
    const bend = g.mul(g.sub(b, g.square(a)), 10);
    const residuals = g.concat([bend, g.sub(1, a)], 0);
    return method === 'lbfgs' ? g.sum(g.square(residuals)) : residuals;
  });
  const optimizer = g.optimizers[method]();
  const digests = Array.from({ length: CALLS }, (_, call) => {
    x.unlock('all');
    x.lock(Uint8Array.from({ length: N }, (_, i) => Number(number(i, 2 + call) < -0.5)));
    optimizer.minimize(program, { variables: [x], steps: 4 });
    return x.digest();
  });
  return `digest ${method} ${digests.join(' ')}`;
};

for (const [method, name] of /** @type {const} */ ([
  ['lbfgs', 'test_lbfgs'],
  ['levenbergMarquardt', 'test_lm'],
])) {
  test(`${method} goes through the same bytes in Emscripten, WASI and native builds`, async () => {
    const path = fileURLToPath(new URL(`build/tests/native/${name}`, root));
    const { stdout } = await run(path, { args: ['same_bits_everywhere'] });
    const native = stdout.split('\n').find((line) => line.startsWith('digest '));
    assert.equal(new Set(native?.split(' ')).size, CALLS + 2, 'every call leads elsewhere');
    assert.equal(await trajectory('gradlock.wasm', method), native);
    assert.equal(await trajectory('gradlock.wasi.wasm', method), native);
  });
}
