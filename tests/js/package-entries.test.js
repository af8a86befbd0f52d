/* Tier: test. */
/* The ways into the package: import, require, both in one process, classic scripts, realms that
 * lack half of a platform, hosts that compile no bytes; and the message for each wrong entry. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import vm from 'node:vm';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'esbuild';
import * as gradlock from 'gradlock';
import { fitting } from 'gradlock/fit';
import { layers } from 'gradlock/layers';
import { tfjs } from 'gradlock/tfjs';
import { findBun } from './bun.js';
import { wasmBytes } from './support.js';
import { STEADY } from './steady.js';

const { GradlockError, init, LoadError, version } = gradlock;

/** Types have no default export: it is there for those who have no types. @type {any} */
const library = /** @type {any} */ (gradlock).default;

const root = fileURLToPath(new URL('../../', import.meta.url));
const built = join(root, 'build/npm');
const bun = findBun();
const { exports, engines } = JSON.parse(await readFile(join(built, 'package.json'), 'utf8'));
const entries = Object.keys(exports).filter((path) => exports[path].require);

/** Trains, fits, saves and loads with every entry; `load(name)` gives its exports. */
const USE = `async (load) => {
  const { init, LockedElementError } = await load('gradlock');
  const { layers } = await load('gradlock/layers');
  const { saveModel, loadModel } = await load('gradlock/formats');
  const { tfjs } = await load('gradlock/tfjs');
  const { fitting } = await load('gradlock/fit');
  const g = await init();
  const x = g.variable([[1, 2], [3, 4]], { name: 'größer' }).lock([[0, 1]]);
  const adam = g.optimizers.adam();
  adam.minimize(g.compile(() => g.sum(g.square(x))), { variables: [x], steps: 20 });
  adam.setState(adam.toBytes({ variables: [x] }), { variables: [x] });
  const nn = layers(g);
  const net = nn.sequential([nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' })]);
  net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  const { rows } = await net.pressure([[2]], [[0]], { learningRate: 0.5 });
  await net.fit([[2]], [[0]], { epochs: 2, yieldEvery: 'batch' });
  const copy = await loadModel(nn, saveModel(net));
  const line = fitting(g).curve((x, { a }) => g.mul(x, a), { x: [1, 2], y: [2, 4], parameters: { a: 1 } });
  let refused = false;
  try {
    x.assign(0, { force: false });
  } catch (error) {
    refused = error instanceof LockedElementError || error.name;
  }
  return JSON.stringify([
    x.digest(), rows[0].firstOrder, copy.layers.length, typeof tfjs, line.values.a, x.locks.holder('ä').count, refused,
  ]);
}`;

/** What it gives here. */
const expected = await vm.runInThisContext(`(${USE})`)(
  (/** @type {string} */ name) => import(name),
);

/**
 * A new process that has `load`, by require and by import.
 * @param {string} body
 * @param {readonly string[]} [flags]
 */
const run = async (body, flags = []) => {
  const code = `(async () => { const use = ${USE}; ${body} })();`;
  const args = [...flags, '--input-type=commonjs', '-e', code];
  const { stdout } = await promisify(execFile)(process.execPath, [...STEADY, ...args], {
    cwd: built,
  });
  return stdout.trim();
};

/** Node.js below 20.19 and 22.12, which requires no ES modules. */
const OLD = ['--no-experimental-require-module'];

test('every entry can be imported and required, whether or not Node.js requires ES modules', async () => {
  assert.match(expected, /^\["[0-9a-f]{16}",40,1,"function",2,0,/);
  assert.equal(engines.node, '>=20');
  for (const flags of [[], OLD]) {
    const told = await run(
      'console.log(await use((name) => import(name))); console.log(await use(require));',
      flags,
    );
    assert.deepEqual(told.split('\n'), [expected, expected], String(flags));
  }
});

/** Says of every export of every entry whether both ways give the same. */
const COMPARE = `
  for (const name of ${JSON.stringify(entries)}) {
    const required = require(name.replace('.', 'gradlock'));
    const imported = await import(name.replace('.', 'gradlock'));
    for (const key of Object.keys(imported)) console.log(required[key] === imported[key]);
  }`;

test('Bun: require and import give one library in one process', {
  skip: bun ? false : 'no Bun: npm installs it for Linux on x64; elsewhere set BUN_PATH',
}, async () => {
  const args = ['-e', `(async () => {${COMPARE}})();`];
  const { stdout } = await promisify(execFile)(String(bun), args, { cwd: built });
  assert.match(stdout, /^(true\n){30,}$/);
});

test('Bun trains in a worker to the bits of Node.js', {
  skip: bun ? false : 'no Bun: npm installs it for Linux on x64; elsewhere set BUN_PATH',
}, async () => {
  const file = 'tests/js/worker-anywhere.js';
  const { stdout } = await promisify(execFile)(String(bun), [file], { cwd: root });
  const here = `globalThis.Worker = require('node:worker_threads').Worker; import('./${file}');`;
  const node = await promisify(execFile)(process.execPath, [...STEADY, '-e', here], { cwd: root });
  assert.equal(stdout, node.stdout);
  assert.match(stdout, /^\[500,/);
});

test('Bun goes on with what Node.js kept, and Node.js with what Bun did', {
  skip: bun ? false : 'no Bun: npm installs it for Linux on x64; elsewhere set BUN_PATH',
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gradlock-keep-bun-'));
  try {
    const code = `(async () => {
      const { keep } = await import('gradlock/keep');
      const run = await keep('x', { folder: ${JSON.stringify(folder)} });
      const saved = await run.save(Uint8Array.of(1, (run.found?.state[1] ?? 0) + 1), 'ü');
      console.log(JSON.stringify([run.found && { ...run.found, state: [...run.found.state] }, saved]));
    })();`;
    const told = [await run(code)];
    const { stdout } = await promisify(execFile)(String(bun), ['-e', code], { cwd: root });
    told.push(stdout, await run(code));
    assert.deepEqual(
      told.map((line) => JSON.parse(line)),
      [
        [null, true],
        [{ sequence: 1, note: 'ü', state: [1, 1] }, true],
        [{ sequence: 2, note: 'ü', state: [1, 2] }, true],
      ],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('require and import give one library in one process', async () => {
  const told = await run(COMPARE);
  assert.deepEqual(new Set(told.split('\n')), new Set(['true']));
  assert.ok(told.split('\n').length > 30);
});

test('entries that cannot share call objects of the other copy so, and layers stand on either', async () => {
  const told = await run(
    `const [one, other] = [await require('gradlock').init(), await (await import('gradlock')).init()];
    const x = one.variable([1, 2]);
    try { other.add(x, 1); } catch (error) { console.log(error.name, error.message); }
    const { LockedElementError } = require('gradlock');
    try { other.variable([1]).lock('all').assign([2]); } catch (error) {
      console.log(error instanceof LockedElementError);
    }
    for (const { layers } of [require('gradlock/layers'), await import('gradlock/layers')]) {
      for (const g of [one, other]) {
        console.log(layers(g).sequential([layers(g).dense({ units: 1, inputShape: [2] })]).countParams());
      }
    }`,
    OLD,
  );
  assert.match(told, /^HandleError .*a Variable of another copy of gradlock.*\ntrue\n3\n3\n3\n3$/);
});

/** What any JavaScript engine's host has, and Jest's jsdom. */
const FEW = { setTimeout, performance, queueMicrotask, atob, btoa, URL };

/** @param {string} name */
const umd = (name) => readFile(join(built, 'umd', name), 'utf8');

test('classic scripts make one global, gradlock, of all entries, in any order', async () => {
  const { TextDecoder, TextEncoder, DecompressionStream, Blob, Response, MessageChannel } =
    globalThis;
  const names = [
    'gradlock.js',
    'layers.js',
    'formats.js',
    'tfjs.js',
    'fit.js',
    'grid.js',
    'keep.js',
    'worker.js',
  ];
  for (const order of [names, [...names].reverse()]) {
    const page = vm.createContext({
      TextDecoder,
      TextEncoder,
      DecompressionStream,
      Blob,
      Response,
      MessageChannel,
      ...FEW,
    });
    const before = Object.keys(page);
    for (const name of order) vm.runInContext(await umd(name), page);
    assert.deepEqual(
      Object.keys(page).filter((name) => !before.includes(name)),
      ['gradlock'],
    );
    assert.equal(await vm.runInContext(`(${USE})(async () => gradlock)`, page), expected);
  }
});

/**
 * A realm of CommonJS with hardly anything, as Jest's jsdom is one; it has no import() either.
 * @param {object} process
 */
const bareRealm = async (process) => {
  const require = createRequire(import.meta.url);
  const realm = vm.createContext({ ...FEW, Buffer, process });
  /** @type {Record<string, object>} */
  const loaded = {};
  for (const path of entries) {
    const { default: file } = exports[path].require;
    const filename = join(built, file);
    const wrapper = vm.runInContext(
      `((module, exports) => {${await readFile(filename, 'utf8')}\n})`,
      realm,
    );
    const module = { exports: {}, require, filename };
    wrapper(module, module.exports);
    loaded[path.replace('.', 'gradlock')] = module.exports;
  }
  return { realm, loaded };
};

for (const [what, host] of /** @type {const} */ ([
  ['with getBuiltinModule', process],
  ['without it, as up to Node.js 20.15', { versions: process.versions, cwd: process.cwd }],
])) {
  test(`a realm without TextDecoder, fetch, streams and import() is enough: ${what}`, async () => {
    const { realm, loaded } = await bareRealm(host);
    const use = vm.runInContext(`(${USE})`, realm);
    assert.equal(await use((/** @type {string} */ name) => loaded[name]), expected);
    const { init } = /** @type {typeof import('gradlock/external')} */ (
      loaded['gradlock/external']
    );
    assert.equal((await init()).add(1, 2).item(), 3);
  });
}

/** workerd.js as a bundler for workerd makes it: what is imported as wasm is there, compiled. */
const bundleForWorkerd = async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { default } from 'gradlock'; export * from 'gradlock';
        export { init as initExternal } from 'gradlock/external';`,
      resolveDir: built,
    },
    bundle: true,
    write: false,
    conditions: ['workerd'],
    format: 'iife',
    globalName: 'built',
    logLevel: 'error',
    logOverride: { 'empty-import-meta': 'silent' },
    plugins: [
      {
        name: 'wasm',
        setup({ onLoad }) {
          onLoad({ filter: /gradlock\.wasm$/ }, () => ({ contents: 'export default compiled;' }));
        },
      },
    ],
  });
  return outputFiles[0]?.text ?? '';
};

test('an imported module serves where no bytes may be compiled, as in workerd, and overflows are thrown before C', async () => {
  const compiled = new WebAssembly.Module(wasmBytes());
  const realm = vm.createContext(
    { ...FEW, compiled, wasm: wasmBytes() },
    { codeGeneration: { strings: true, wasm: false } },
  );
  vm.runInContext(`${await bundleForWorkerd()}; globalThis.built = built;`, realm);
  const sums = await vm.runInContext(
    `(async () => {
      const sums = [];
      for (const init of [built.init, built.initExternal, built.default.init]) {
        for (const options of [undefined, {}, { wasm: undefined }, { wasm: compiled }]) {
          sums.push((await init(options)).add(1, 2).item());
        }
      }
      return new Set(sums);
    })()`,
    realm,
  );
  assert.deepEqual([...sums], [3]);
  const errors = await vm.runInContext(
    `(async () => {
      const errors = [];
      for (const options of [null, 5, { misspelt: 1 }, { wasm }]) {
        errors.push(await built.init(options).catch((error) => String(error)));
      }
      return errors;
    })()`,
    realm,
  );
  assert.match(errors[0], /^TypeError: init options must be an object/);
  assert.match(errors[1], /^TypeError: init options must be an object/);
  assert.match(errors[2], /^TypeError: init options have no 'misspelt'/);
  assert.match(errors[3], /^LoadError: .*import gradlock.wasm as a module: init\(\{ wasm \}\)/);
  const after = await vm.runInContext(
    `(async () => {
      const g = await built.init();
      const names = new Set();
      const near = () => {
        try {
          near();
        } catch {
          try {
            g.add([1], 1).dispose();
          } catch (error) {
            names.add(error.name);
            throw error;
          }
        }
      };
      for (let i = 0; i < 20; i++) try { near(); } catch {}
      return [...names, g.add(1, 2).item()].join();
    })()`,
    realm,
  );
  assert.equal(after, 'RangeError,3');
});

/** @type {any} */
const promise = init();

/** @type {[what: string, use: () => unknown, message: RegExp][]} */
const TOO_SOON = [
  ['layers of the promise', () => layers(promise), /layers takes the result of await init\(\)/],
  ['fitting of the promise', () => fitting(promise), /fitting takes the result of await init\(\)/],
  [
    'tfjs of the promise',
    () => tfjs(promise, /** @type {any} */ ({})),
    /tfjs takes the result of await init\(\)/,
  ],
];

for (const [what, use, message] of TOO_SOON) {
  test(`${what} says that an instance is awaited`, () => {
    assert.throws(use, (error) => {
      assert.ok(error instanceof GradlockError || error instanceof TypeError);
      assert.match(/** @type {Error} */ (error).message, message);
      return true;
    });
  });
}

test('the default import has init and version', async () => {
  assert.equal((await library.init()).add(1, 2).item(), 3);
  assert.equal(library.version, version);
  await assert.rejects(init(/** @type {any} */ ({ wasm: 5 })), TypeError);
});

test('gradlock/external says what to do where a bundler took its address away', async () => {
  const { outputFiles } = await build({
    stdin: { contents: "export { init } from 'gradlock/external'", resolveDir: root },
    bundle: true,
    write: false,
    format: 'iife',
    globalName: 'built',
    logLevel: 'error',
    logOverride: { 'empty-import-meta': 'silent' },
  });
  const realm = vm.createContext({ ...FEW, TextDecoder, TextEncoder });
  vm.runInContext(outputFiles[0]?.text ?? '', realm);
  const error = await vm.runInContext('built.init().catch((error) => error)', realm);
  assert.ok(error instanceof LoadError);
  assert.match(error.message, /Invalid URL/);
  for (const remedy of [
    /serve gradlock.wasm next to/,
    /init\(\{ wasm: url \}\)/,
    /import gradlock,/,
  ]) {
    assert.match(error.message, remedy);
  }
});

test("gradlock/external names optimizeDeps.exclude where Vite's page answers for gradlock.wasm", async () => {
  const address = 'http://127.0.0.1/node_modules/.vite/deps/gradlock_external.js';
  const code = (await readFile(join(built, 'external.js'), 'utf8')).replaceAll(
    'import.meta.url',
    JSON.stringify(address),
  );
  for (const answer of [new Response('<!doctype html>'), new Response('', { status: 404 })]) {
    const realm = vm.createContext({ ...FEW, fetch: async () => answer });
    const body = code.replace(/^export default /gm, 'void ').replace(/^export /gm, '');
    const error = await vm.runInContext(
      `(() => {${body}\nreturn init()})().catch((e) => e)`,
      realm,
    );
    assert.ok(error instanceof LoadError);
    assert.match(error.message, /optimizeDeps: \{ exclude: \['gradlock'\] \}/);
    assert.ok(error.cause instanceof LoadError);
  }
});

for (const [side, name, most] of /** @type {[string, string, number][]} */ ([
  ['page', 'start', 4600],
  ['worker', 'train', 5500],
])) {
  test(`the ${side} takes at most ${most} bytes of brotli of gradlock/worker`, async () => {
    const { outputFiles } = await build({
      stdin: { contents: `export { ${name} } from 'gradlock/worker'`, resolveDir: root },
      ...{ bundle: true, minify: true, write: false, format: 'esm', logLevel: 'error' },
    });
    const { length } = brotliCompressSync(outputFiles[0]?.contents ?? '');
    assert.ok(length > 1000 && length <= most, `${length} bytes`);
  });
}
