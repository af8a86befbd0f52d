/* Imports and exports of the two WebAssembly libraries, as any host sees them. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);

/** @param {string} name */
const compile = async (name) =>
  WebAssembly.compile(await readFile(new URL(`build/wasm/${name}`, root)));

const exported = (await readFile(new URL('src/c/bind/exports.txt', root), 'utf8'))
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim())
  .filter((line) => line !== '');

const libraries = [
  { name: 'gradlock.wasm', imports: ['env.emscripten_notify_memory_growth', 'env.memory'] },
  { name: 'gradlock.wasi.wasm', imports: [] },
];

for (const { name, imports } of libraries) {
  test(`${name} imports ${imports.join(', ') || 'nothing'}`, async () => {
    const found = WebAssembly.Module.imports(await compile(name));
    assert.deepEqual(
      found.map((entry) => `${entry.module}.${entry.name}`),
      imports,
    );
  });

  test(`${name} exports _initialize and all of exports.txt, and its memory unless it imports one`, async () => {
    const found = WebAssembly.Module.exports(await compile(name)).map((entry) => entry.name);
    const memory = imports.includes('env.memory') ? [] : ['memory'];
    const missing = [...memory, '_initialize', ...exported].filter((e) => !found.includes(e));
    assert.deepEqual(missing, []);
    // Names that begin with _ and stack* are the toolchain's own; the rest must be on the list.
    const own = found.filter((entry) => entry.startsWith('glk_'));
    assert.deepEqual(own.sort(), exported.filter((entry) => entry.startsWith('glk_')).sort());
  });
}
