/* Lists that must not drift apart: the header and the exports, C's tables and the methods of
 * JavaScript. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as gradlock from 'gradlock';
import { openBridge, readMethods, readOps, readRules } from './tables.js';

/** @param {string} path */
const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** @param {string} text */
const withoutComments = (text) => text.replace(/\/\*[\s\S]*?\*\//g, '');

const exported = read('src/c/bind/exports.txt')
  .split('\n')
  .map((line) => line.replace(/#.*/, '').trim())
  .filter((line) => line !== '');

/** @param {string} path */
const functionsOf = (path) => {
  const declarations = withoutComments(read(path)).matchAll(/\b(glk_\w+)\s*\([^;{]*\)\s*[;{]/g);
  return [...new Set(Array.from(declarations, ([, name]) => name))].sort();
};

/**
 * Properties that can be set: an optimizer's own and those of its classes.
 * @param {object} optimizer
 */
const optionsOf = (optimizer) => {
  const found = [];
  for (let level = optimizer; level !== Object.prototype; level = Object.getPrototypeOf(level)) {
    for (const [name, { set }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
      if (set && !(/** @type {any} */ (set).isRefusal)) found.push(name);
    }
  }
  return found.sort();
};

test('gradlock.h has the version of package.json, as numbers and as text', () => {
  const { version } = JSON.parse(read('package.json'));
  /** @param {string} name */
  const defined = (name) =>
    read('src/c/include/gradlock.h').match(
      new RegExp(`^#define GLK_VERSION${name} "?([^"\\n]*)"?$`, 'm'),
    )?.[1];
  assert.equal(defined(''), version);
  assert.equal(['_MAJOR', '_MINOR', '_PATCH'].map(defined).join('.'), version);
});

test('kinds.js has each file of layers', () => {
  const text = read('src/js/layers/kinds/kinds.js');
  const missing = readdirSync(new URL('../../src/js/layers/kinds', import.meta.url)).filter(
    (name) =>
      /className/.test(read(`src/js/layers/kinds/${name}`)) && !text.includes(`'./${name}';\n`),
  );
  assert.deepEqual(missing, [], `src/js/layers/kinds/kinds.js lacks ${missing}: add a line for it`);
});

test('exports.txt lists every function of gradlock.h and of the helpers, each once', () => {
  assert.deepEqual(
    [...exported].sort(),
    [
      ...functionsOf('src/c/include/gradlock.h'),
      ...functionsOf('src/c/bind/wasm.c').filter((name) => name.startsWith('glk_bind_')),
    ].sort(),
  );
});

test('JavaScript calls nothing of C that is not exported', () => {
  const called = readdirSync(new URL('../../src/js/', import.meta.url), { recursive: true })
    .filter((path) => String(path).endsWith('.js'))
    .flatMap((path) => read(`src/js/${path}`).match(/(?<=\.)glk_\w+/g) ?? []);
  assert.ok(called.length > 100);
  assert.deepEqual(
    called.filter((name) => !exported.includes(name)),
    [],
  );
});

/** @type {[file: string, imports: string[]][]} */
const MODULES = [
  ['gradlock.wasm', ['function env.emscripten_notify_memory_growth', 'memory env.memory']],
  ['gradlock.wasi.wasm', []],
];

for (const [file, imports] of MODULES) {
  test(`${file} exports that list and imports ${imports.join(' and ') || 'nothing'}`, async () => {
    const module = await WebAssembly.compile(
      readFileSync(new URL(`../../build/wasm/${file}`, import.meta.url)),
    );
    const names = WebAssembly.Module.exports(module).map(({ name }) => name);
    assert.deepEqual(names.filter((name) => name.startsWith('glk_')).sort(), [...exported].sort());
    assert.ok(names.includes('_initialize'));
    assert.equal(names.includes('memory'), imports.length === 0, 'it has or imports a memory');
    const found = WebAssembly.Module.imports(module).map(
      ({ module, name, kind }) => `${kind} ${module}.${name}`,
    );
    assert.deepEqual(found.sort(), imports);
  });
}

/**
 * Methods that compose rows: several outputs, shapes that depend on values, other names. @type
 * {Set<string>}
 */
const COMPOSED = new Set([
  'booleanMask',
  'clip',
  'einsum',
  'eye',
  'linspace',
  'ones',
  'onesLike',
  'outer',
  'shuffle',
  'split',
  'stack',
  'topK',
  'unstack',
  'zeros',
  'zerosLike',
]);

/** Rows whose method is elsewhere, and where. @type {Map<string, string>} */
const ELSEWHERE = new Map(
  [
    'meanSquaredError',
    'meanAbsoluteError',
    'huber',
    'hinge',
    'cosineSimilarity',
    'binaryCrossentropy',
    'categoricalCrossentropy',
    'sparseCategoricalCrossentropy',
  ].map((name) => [name, `losses.${name}`]),
);

test('every public op of the C table is a method, and every method of the ops is one or made of some', async () => {
  const g = await gradlock.init();
  /** @type {Set<string>} */
  const methods = new Set();
  const own = Object.getPrototypeOf(g);
  for (let level = Object.getPrototypeOf(own); level !== Object.prototype; ) {
    for (const name of Object.getOwnPropertyNames(level)) methods.add(name);
    level = Object.getPrototypeOf(level);
  }
  methods.delete('constructor');
  const ops = readOps(await openBridge()).filter(({ isPublic }) => isPublic);
  const rows = new Set(ops.map(({ name }) => name));
  for (const name of rows) {
    const path = ELSEWHERE.get(name);
    if (!path) {
      assert.ok(methods.has(name), `${name} is no method`);
      continue;
    }
    /** @type {any} */
    let found = g;
    for (const step of path.split('.')) found = found[step];
    assert.equal(typeof found, 'function', path);
  }
  for (const name of methods) {
    assert.ok(
      rows.has(name) !== COMPOSED.has(name),
      `${name} is no row, and not known as composed`,
    );
  }
});

test('every rule of C is a method of optimizers, and has its options as live properties', async () => {
  const g = await gradlock.init();
  const rules = readRules(await openBridge());
  const solvers = readMethods(await openBridge());
  for (const [name, { options }] of solvers) {
    const solver = g.optimizers[/** @type {'lbfgs' | 'levenbergMarquardt'} */ (name)]();
    assert.deepEqual(optionsOf(solver), [...options.keys()].sort());
    assert.equal(solver.rule, name);
    for (const { name: option, initial } of options.values()) {
      assert.equal(Reflect.get(solver, option), initial);
    }
  }
  const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(g.optimizers));
  assert.deepEqual(
    methods.filter((name) => name !== 'constructor').sort(),
    [...rules.keys(), ...solvers.keys()].sort(),
  );
  for (const [name, rule] of rules) {
    const optimizer = g.optimizers[/** @type {import('gradlock').RuleName} */ (name)]();
    const options = [...rule.options.keys()].map((o) => (o === 'resetOnUnlock' ? 'onUnlock' : o));
    assert.deepEqual(optionsOf(optimizer), options.sort());
    assert.equal(optimizer.rule, name);
    assert.deepEqual(optimizer.slots, rule.slots);
    for (const { name: option, initial, isFlag } of rule.options.values()) {
      if (option === 'resetOnUnlock') assert.equal(optimizer.onUnlock, initial ? 'reset' : 'hold');
      else assert.equal(Reflect.get(optimizer, option), isFlag ? initial !== 0 : initial);
    }
  }
});

test('every status of C has an error class, but for the three that JavaScript rules out', async () => {
  const bridge = await openBridge();
  const count = bridge.constant('GLK_STATUS_COUNT');
  const codes = Array.from({ length: count }, (_, i) => bridge.text(bridge.x.glk_status_name(i)));
  const { errorFromStatus } = await import('../../src/js/base/status.js');
  const base = codes.filter((code) => errorFromStatus(code, '').name === 'GradlockError');
  // Assigning makes its own LockedElementError, which needs to know the path.
  // Gradient hooks are for C.
  assert.deepEqual(base, ['GLK_OK', 'GLK_ERROR_ARGUMENT', 'GLK_ERROR_LOCKED', 'GLK_ERROR_HOOK']);
  for (const code of codes) assert.equal(errorFromStatus(code, '').code, code);
});

test('gradlock/external and gradlock/double export the names of gradlock', async () => {
  for (const entry of [await import('gradlock/external'), await import('gradlock/double')]) {
    assert.deepEqual(Object.keys(entry).sort(), Object.keys(gradlock).sort());
  }
});

test('the version is that of package.json', () => {
  assert.equal(gradlock.version, JSON.parse(read('package.json')).version);
});

test('docs/formats.md names every function of gradlock/formats', async () => {
  const page = read('docs/formats.md');
  const names = Object.keys(await import('gradlock/formats'));
  assert.ok(names.length >= 10);
  assert.deepEqual(
    names.filter((name) => !page.includes(name)),
    [],
  );
});

test('docs/worker.md names every function and method of gradlock/worker, and every reason of its errors', async () => {
  const page = read('docs/worker.md');
  const errors = Object.keys(await import('../../src/js/base/errors.js'));
  const names = Object.keys(await import('gradlock/worker')).filter((n) => !errors.includes(n));
  assert.deepEqual(names.sort(), ['WorkerError', 'start', 'train', 'transfer']);
  const methods = [...read('src/js/worker/job.js').matchAll(/^ {2}(?:async )?([a-z]\w+)\(/gm)];
  const ours = methods
    .map(([, name = '']) => name)
    .filter((name) => !/^(constructor|open|limitArguments)$/.test(name));
  assert.ok(ours.length > 10);
  const [, reasons = ''] =
    read('src/js/worker/error.js').match(/@typedef \{([^}]+)\} WorkerReason/) ?? [];
  const words = [...reasons.matchAll(/'\w+'/g)].map(String);
  assert.equal(words.length, 4);
  assert.deepEqual(
    [...names, ...ours.map((name) => `${name}(`), ...words].filter((name) => !page.includes(name)),
    [],
  );
});

test('docs/keep.md names every function of gradlock/keep, and every reason of its errors', async () => {
  const page = read('docs/keep.md');
  const names = Object.keys(await import('gradlock/keep'));
  assert.deepEqual(names.sort(), ['KeepError', 'keep', 'list', 'persist', 'remove']);
  const [, reasons = ''] =
    read('src/js/keep/error.js').match(/@typedef \{([^}]+)\} KeepReason/) ?? [];
  const words = [...reasons.matchAll(/'\w+'/g)].map(String);
  assert.equal(words.length, 9);
  assert.deepEqual(
    [...names, ...words].filter((name) => !page.includes(name)),
    [],
  );
});

/** @param {string} name @param {any} Type */
const codeOf = (name, Type) => new Type('', /Locked|Load|Broken/.test(name) ? {} : undefined).code;

test('the guide has the code of every class of errors', () => {
  const rows = Array.from(
    read('docs/guide.md').matchAll(/^\| (`GLK_ERROR_.*?) \| (.*) \|$/gm),
    ([, ...cells]) => cells.map((cell) => cell.match(/\w+Error|GLK_ERROR_\w+/g) ?? []),
  );
  const told = rows.flatMap(([codes = [], classes = []]) =>
    classes.map((name, i) => [name, codes[Math.min(i, codes.length - 1)]]),
  );
  const found = Object.entries(gradlock)
    .filter(([name]) => name.endsWith('Error'))
    .map(([name, Type]) => [name, codeOf(name, Type)]);
  assert.deepEqual(told.sort(), found.sort());
});
