/* init: every form in which the module may come, and what is not one. digest.test.js and
 * threads.test.js hold both toolchains' modules to the same bits. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { relative } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import * as external from 'gradlock/external';
import { says } from './messages.js';
import { wasmBytes } from './support.js';

const file = new URL('../../build/wasm/gradlock.wasm', import.meta.url);

const relativePath = relative(process.cwd(), fileURLToPath(file));

/** @param {string} type */
const respond = (type) => new Response(wasmBytes(), { headers: { 'content-type': type } });

const server = createServer((request, response) => {
  const type = request.url === '/plain.wasm' ? 'application/octet-stream' : 'application/wasm';
  response.writeHead(200, { 'content-type': type });
  response.end(wasmBytes());
});

/** @type {string} */
let origin;
before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
});
after(() => server.close());

/** @type {[what: string, wasm: () => any][]} */
const SOURCES = [
  ['what travels inside', () => undefined],
  ['a Buffer', wasmBytes],
  ['a Uint8Array', () => Uint8Array.from(wasmBytes())],
  ['an ArrayBuffer', () => Uint8Array.from(wasmBytes()).buffer],
  ['a DataView', () => new DataView(Uint8Array.from(wasmBytes()).buffer)],
  ['a compiled module', () => new WebAssembly.Module(Uint8Array.from(wasmBytes()))],
  ['a Response', () => respond('application/wasm')],
  ['a Response with parameters in its type', () => respond('application/wasm; charset=utf-8')],
  ['a Response of another type', () => respond('text/plain')],
  ['the promise of a Response', () => fetch(`${origin}/gradlock.wasm`)],
  ['the promise of bytes', async () => wasmBytes()],
  ['a file: URL', () => file],
  ['a file: URL as text', () => file.href],
  ['a path from the working directory', () => relativePath],
  ['an http: URL', () => new URL(`${origin}/gradlock.wasm`)],
  ['an http: URL of another type', () => `${origin}/plain.wasm`],
];

for (const entry of [{ init }, external]) {
  const name = entry === external ? 'gradlock/external' : 'gradlock';
  for (const [what, wasm] of SOURCES) {
    test(`${name} takes ${what}`, async () => {
      const g = await entry.init({ wasm: await Promise.resolve().then(() => wasm()) });
      assert.equal(g.add(1, 2).item(), 3);
    });
  }
}

/** @type {[options: any, text: import('./messages.js').Text][]} */
const REFUSED = [
  [{ wasm: 3 }, 'TypeError: …wasm must be the bytes …got 3'],
  [{ wasm: null }, 'TypeError: …got null'],
  [{ wsam: 1 }, "TypeError: …init options have no 'wsam'"],
  [3, 'TypeError: …init options must be an object with wasm, threads, worker, shareNs, got 3'],
  [{ threads: 0 }, "OptionError: …threads must be 'auto' or an integer …got 0"],
  [{ threads: 65 }, 'OptionError: …from 1 to 64, got 65'],
  [{ threads: 1.5 }, 'OptionError: …got 1.5'],
  [{ threads: 'many' }, 'OptionError: …got "many"'],
  [{ threads: null }, 'TypeError: …threads must be …got null'],
  [{ threads: 2, worker: {} }, 'TypeError: …worker must be a function that makes'],
  [{ threads: 2, shareNs: -1 }, 'OptionError: …shareNs must be a number from 0'],
  [{ shareNs: '3' }, 'TypeError: …shareNs must be a number'],
];

for (const [options, text] of REFUSED) {
  test(`init(${JSON.stringify(options)}) is refused: ${text}`, async () => {
    await assert.rejects(init(options), (error) => says(String(error), text));
  });
}

test('the probe for SIMD is a valid module with SIMD in it', async () => {
  const text = readFileSync(new URL('../../src/js/wasm/loader.js', import.meta.url), 'utf8');
  const probe = text.match(/SIMD_PROBE = \[([\d,\s]+)\]/)?.[1] ?? '';
  const bytes = Uint8Array.from(
    probe.split(',').filter((word) => word.trim() !== ''),
    Number,
  );
  const module = new WebAssembly.Module(bytes);
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  // i8x16.popcnt, whose opcode is 0xfd 0x62.
  assert.ok(bytes.join().includes('253,98'));
});

test('a module without zlib unpacks through a stream, and init says what to do where there is neither', async () => {
  const { unpack } = await import('../../src/js/wasm/unpack.js');
  const { split } = await import('../../src/npm/inline/split.mjs');
  const { deflateSync } = await import('node:zlib');
  const joiner = readFileSync(new URL('../../build/wasm/join.wasm', import.meta.url));
  const parts = Buffer.concat([joiner, split(wasmBytes())]);
  const text = deflateSync(parts).toString('base64');
  const { process, DecompressionStream } = globalThis;
  Reflect.set(globalThis, 'process', { versions: {} });
  try {
    assert.ok(wasmBytes().equals(await unpack(text, joiner.length)));
    Reflect.deleteProperty(globalThis, 'DecompressionStream');
    await assert.rejects(
      unpack(text, joiner.length),
      (error) => error instanceof Error && error.name === 'LoadError',
    );
  } finally {
    Object.assign(globalThis, { process });
    Object.defineProperty(globalThis, 'DecompressionStream', {
      value: DecompressionStream,
      configurable: true,
      writable: true,
    });
  }
});

test('methods may be taken off the instance and its optimizers', async () => {
  const { add, variable, compile, mean, square, optimizers } = await init();
  const { sgd } = optimizers;
  const x = variable([1, 2]);
  sgd({ learningRate: 1 }).minimize(compile(() => mean(square(add(x, 1)))));
  assert.deepEqual(x.array(), [-1, -1]);
});

test('importing has no effect, and instances share nothing', async () => {
  const [a, b] = [await init(), await init()];
  a.variable(new Float32Array(1000));
  assert.equal(a.memory().objects, 1);
  assert.equal(b.memory().objects, 0);
});
