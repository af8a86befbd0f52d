/* Tier: test. */
/* Everything that can go wrong between init() and the first call is a LoadError that names the
 * address, says what to do and keeps the cause; nothing of it is remembered, so that a second
 * init() may succeed. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { init, LoadError } from 'gradlock';
import * as external from 'gradlock/external';
import { wasmBytes } from './support.js';

const wasm = wasmBytes();
const HTML = '<!doctype html><title>My app</title>';

/** Answers by path: status, type and body; a body of null is cut off in the middle. */
/** @type {Record<string, [status: number, type: string, body: string | Buffer | null]>} */
const ANSWERS = {
  '/missing.wasm': [404, 'text/html', HTML],
  '/broken.wasm': [500, 'text/plain', 'no'],
  '/page.wasm': [200, 'text/html', HTML],
  '/page-as-wasm.wasm': [200, 'application/wasm', HTML],
  '/short.wasm': [200, 'application/wasm', wasm.subarray(0, 1000)],
  '/short-plain.wasm': [200, 'application/octet-stream', wasm.subarray(0, 1000)],
  '/empty.wasm': [200, 'application/octet-stream', ''],
  '/cut.wasm': [200, 'application/octet-stream', null],
  '/cut-stream.wasm': [200, 'application/wasm', null],
  '/good.wasm': [200, 'application/wasm', wasm],
};

const server = createServer((request, response) => {
  const [status, type, body] = ANSWERS[request.url ?? ''] ?? [404, 'text/plain', ''];
  if (body !== null) return response.writeHead(status, { 'content-type': type }).end(body);
  response.writeHead(status, { 'content-type': type, 'content-length': wasm.length });
  response.write(wasm.subarray(0, 5000), () => setTimeout(() => response.destroy(), 20));
});

/** @type {string} */
let origin;
before(async () => {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
});
after(() => server.close());

/** @type {[path: string, hint: RegExp][]} */
const SERVED = [
  ['/missing.wasm', /HTTP 404.*serve gradlock.wasm next to/],
  ['/broken.wasm', /HTTP 500/],
  ['/page.wasm', /this is a page \(HTML\)/],
  ['/page-as-wasm.wasm', /cut short, damaged or not a module/],
  ['/short.wasm', /cut short, damaged/],
  ['/short-plain.wasm', /1000 bytes begin as a module and are cut short or damaged/],
  ['/empty.wasm', /there are no bytes/],
  ['/cut.wasm', /the connection broke/],
  ['/cut-stream.wasm', /cut short, damaged|the connection broke/],
];

for (const [path, hint] of SERVED) {
  test(`a server that answers ${path} is a LoadError with address and hint, and the next init() works`, async () => {
    const error = await external.init({ wasm: `${origin}${path}` }).catch((e) => e);
    assert.ok(error instanceof external.LoadError, String(error));
    assert.equal(error.url, `${origin}${path}`);
    assert.match(error.message, hint);
    assert.ok(error.hint.length > 20 && error.message.endsWith(error.hint));
    assert.equal(error.code, 'GLK_ERROR_LOAD');
    const g = await external.init({ wasm: `${origin}/good.wasm` });
    assert.equal(g.add(1, 2).item(), 3);
  });
}

/** @type {[what: string, wasm: () => unknown, message: RegExp][]} */
const GIVEN = [
  ['an address nobody answers', () => 'http://127.0.0.1:1/gradlock.wasm', /connect-src/],
  ['an address that is none', () => 'http://[', /is not an address of gradlock.wasm/],
  ['a file that is not there', () => new URL('file:///no/such/gradlock.wasm'), /ENOENT/],
  ['bytes that are no module', () => new Uint8Array(8), /8 bytes are not a WebAssembly module/],
  ['no bytes', () => new Uint8Array(), /there are no bytes/],
  [
    'bytes that were given away',
    () => {
      const bytes = Uint8Array.from(wasm);
      structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
      return bytes;
    },
    /its memory was transferred/,
  ],
  ['bytes cut short', () => wasm.subarray(0, 99_999), /99999 bytes begin as a module/],
  [
    'a module whose memory section is damaged',
    () => Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 5, 3, 1, 255, 1),
    /13 bytes begin as a module and are cut short or damaged/,
  ],
  ['the text of a page', () => Buffer.from(HTML), /this is a page \(HTML\)/],
  [
    'a module of something else',
    () => Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0),
    /not a gradlock.wasm: it lacks/,
  ],
  [
    'a module that imports memory',
    () => Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 2, 8, 1, 1, 97, 1, 98, 2, 0, 1),
    /not a gradlock.wasm: it imports the memory a.b/,
  ],
  ['a promise that is rejected', () => Promise.reject(new Error('mine')), /rejected.*mine/],
];

for (const [what, source, message] of GIVEN) {
  test(`init refuses ${what} with a LoadError that says what to do`, async () => {
    const error = await init({ wasm: /** @type {any} */ (source()) }).catch((e) => e);
    assert.ok(error instanceof LoadError, String(error));
    assert.match(error.message, message);
  });
}

test('init takes objects of another realm: a module, bytes, a URL, shared bytes', async () => {
  const { Module, bytes, url, shared } = runInNewContext(
    `({ Module: new WebAssembly.Module(Uint8Array.from(wasm)), bytes: Uint8Array.from(wasm).buffer, url,
      shared: (() => { const all = new Uint8Array(new SharedArrayBuffer(wasm.length)); all.set(wasm); return all; })() })`,
    { wasm, url: new URL(`${origin}/good.wasm`) },
  );
  for (const source of [Module, bytes, url, shared, shared.buffer]) {
    assert.equal((await init({ wasm: source })).add(1, 2).item(), 3);
  }
});

/**
 * What init() throws while something of the platform is replaced.
 * @param {Record<string, unknown>} replaced Of WebAssembly, or of globalThis.
 * @param {object} [holder]
 */
const initWith = async (replaced, holder = WebAssembly) => {
  const before = Object.keys(replaced).map((name) => [
    name,
    Object.getOwnPropertyDescriptor(holder, name),
  ]);
  for (const [name, value] of Object.entries(replaced)) {
    if (value === undefined) Reflect.deleteProperty(holder, name);
    else Object.defineProperty(holder, name, { value, configurable: true, writable: true });
  }
  try {
    return await init({ wasm }).catch((e) => e);
  } finally {
    for (const [name, descriptor] of before) {
      if (descriptor)
        Object.defineProperty(
          holder,
          /** @type {string} */ (name),
          /** @type {any} */ (descriptor),
        );
    }
  }
};

/** @param {Error} error */
const failing = (error) => () => Promise.reject(error);

/** What engines say, word for word. */
/** @type {[what: string, replaced: Record<string, unknown>, message: RegExp][]} */
const ENGINES = [
  [
    'CSP in Chrome',
    {
      compile: failing(
        new WebAssembly.CompileError(
          "WebAssembly.compile(): Refused to compile or instantiate WebAssembly module because 'unsafe-eval' is not an " +
            'allowed source of script in the following Content Security Policy directive: "script-src \'self\'"',
        ),
      ),
    },
    /'wasm-unsafe-eval'/,
  ],
  [
    'CSP in Firefox',
    {
      compile: failing(
        new WebAssembly.CompileError('call to WebAssembly.compile() blocked by CSP'),
      ),
    },
    /'wasm-unsafe-eval'/,
  ],
  [
    'too many instances in V8',
    {
      instantiate: failing(
        new RangeError(
          'WebAssembly.instantiate(): Out of memory: Cannot allocate Wasm memory for new instance',
        ),
      ),
    },
    /dispose\(\) instances you no longer use/,
  ],
  [
    'too many instances in Firefox',
    { instantiate: failing(new Error('out of memory')) },
    /dispose\(\) instances you no longer use/,
  ],
  ['no SIMD', { validate: () => false }, /needs WebAssembly with 128-bit SIMD.*Safari 16.4/],
];

for (const [what, replaced, message] of ENGINES) {
  test(`${what} is a LoadError that says what to do, and init() works afterwards`, async () => {
    const error = await initWith(replaced);
    assert.ok(error instanceof LoadError, String(error));
    assert.match(error.message, message);
    assert.equal((await init({ wasm })).add(1, 1).item(), 2);
  });
}

for (const name of ['WebAssembly', 'WeakRef', 'FinalizationRegistry']) {
  test(`init() says that ${name} is missing`, async () => {
    const error = await initWith({ [name]: undefined }, globalThis);
    assert.ok(error instanceof LoadError, String(error));
    assert.match(error.message, new RegExp(`needs .*${name}.* which this platform lacks`));
    assert.equal((await init({ wasm })).add(1, 1).item(), 2);
  });
}

test('an instance that was disposed gives its memory back, though its objects are still held', async () => {
  const kept = [];
  for (let i = 0; i < 300; i++) {
    const g = await init();
    kept.push(g, g.variable([1, 2]));
    g.dispose();
  }
  assert.equal(kept.length, 600); // V8 has room for about a hundred memories at once
});
