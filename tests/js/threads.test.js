/* Tier: test. */
/* init({ threads }): the same bits for any number of threads, in Node.js and Bun; why there are
 * fewer than asked for; and that threads end. tests/engines/threads.test.js is about pages. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { init } from 'gradlock';
import * as external from 'gradlock/external';
import { layers } from 'gradlock/layers';
import { run } from '../c/wasi.js';
import { findBun } from './bun.js';
import { wasmBytes } from './support.js';
import { runAll } from './threads-runs.js';
import { STEADY } from './steady.js';

/** Every job is shared, and many more than in use. */
const ALL = { shareNs: 0 };
const alone = init().then((g) => runAll(g, layers));

/** Runs a function and collects what it prints by console.warn. @param {() => unknown} body */
const warningsOf = async (body) => {
  const { warn } = console;
  /** @type {string[]} */
  const heard = [];
  console.warn = (...parts) => heard.push(parts.join(' '));
  try {
    await body();
  } finally {
    console.warn = warn;
  }
  return heard;
};

/** A script in Node.js or Bun, which prints. @param {string} program @param {string} code */
const print = async (program, code) => {
  const steady = program === process.execPath ? STEADY : [];
  const args = [...steady, '--eval', `(async () => { ${code} })()`];
  const { code: status, stdout, stderr } = await run(program, { args });
  assert.equal(status, 0, stderr);
  return stdout.trim();
};

for (const threads of [2, 3, 8, 16]) {
  test(`training ends on the same bits on ${threads} threads as on one, while each job is shared`, async () => {
    const g = await init({ threads, ...ALL });
    assert.equal(g.threads, threads);
    assert.equal(g.threadsReason, null);
    assert.deepEqual(await runAll(g, layers), await alone);
    g.dispose();
  });
}

test('gradlock/external has threads, too, and shares by estimate by default', async () => {
  const g = await external.init({ threads: 2 });
  assert.equal(g.threads, 2);
  assert.deepEqual(await runAll(g, layers), await alone);
  g.dispose();
});

test('the bytes of gradlock.wasm, its address and a Response serve threads', async () => {
  const url = new URL('../../build/wasm/gradlock.wasm', import.meta.url);
  const headers = { 'content-type': 'application/wasm' };
  for (const wasm of [wasmBytes(), url, new Response(wasmBytes(), { headers })]) {
    const g = await init({ wasm, threads: 2, ...ALL });
    assert.equal(g.threads, 2);
    assert.equal(g.sum(g.ones([1000])).item(), 1000);
    g.dispose();
  }
});

test('the default is one thread, on memory that is not shared', async () => {
  for (const options of [{}, { threads: 1 }]) {
    const g = await init(options);
    assert.equal(g.threads, 1);
    assert.equal(g.threadsReason, null);
    assert.ok(g.tensor([1]).view().buffer instanceof ArrayBuffer);
  }
});

test("'auto' takes what the machine has, less one from four processors on, and never warns", async () => {
  const warnings = await warningsOf(async () => {
    const g = await init({ threads: 'auto' });
    const { availableParallelism } = await import('node:os');
    const cores = availableParallelism();
    assert.equal(g.threads, Math.min(cores < 4 ? cores : cores - 1, 64));
    assert.equal(g.threadsReason, null);
    g.dispose();
  });
  assert.deepEqual(warnings, []);
});

test('memory grows while threads live, and they reach what is new', async () => {
  const g = await init({ threads: 3, ...ALL });
  const before = g.memory().wasmBytes;
  const kept = [];
  for (let i = 1; i <= 40; i++) {
    const x = g.mul(g.ones([1 << 18]), i);
    kept.push(x);
    const y = g.add(x, 0.5);
    assert.equal(y.view()[0], i + 0.5);
    assert.equal(y.view()[(1 << 18) - 1], i + 0.5);
    assert.equal(g.sum(x).item(), i * 2 ** 18);
    y.dispose();
  }
  assert.ok(g.memory().wasmBytes > before);
  kept.forEach((x, i) => {
    assert.equal(x.data()[12345], i + 1);
  });
  g.dispose();
});

test('instances with threads work beside each other', async () => {
  const all = await Promise.all([2, 3, 1, 2].map((threads) => init({ threads, ...ALL })));
  const ends = await Promise.all(all.map((g) => runAll(g, layers)));
  for (const end of ends) assert.deepEqual(end, await alone);
  for (const g of all) g.dispose();
});

test('calls that take no shared memory, as of texts and names, work with threads', async () => {
  const g = await init({ threads: 2, ...ALL });
  const x = g.variable([1, 2, 3, 4], { name: 'grün' }).lock([1]);
  assert.equal(x.name, 'grün');
  assert.throws(() => g.reshape(x, [3]), /3/);
  assert.deepEqual([...x.locks.toMask()], [0, 1, 0, 0]);
  assert.deepEqual(JSON.parse(JSON.stringify(x)).values, [1, 2, 3, 4]);
  const saved = g.tensor(x.view());
  assert.deepEqual(saved.array(), [1, 2, 3, 4]);
  g.dispose();
  assert.throws(() => x.data(), { name: 'DisposedError' });
});

const wasi = readFileSync(new URL('../../build/wasm/gradlock.wasi.wasm', import.meta.url));
const makeMute = () => new Worker('setInterval(() => {}, 1000)', { eval: true });
const onlyOne =
  (made = 0) =>
  () => {
    if (made++ > 0) throw new Error('no more workers');
    return makeMute();
  };
/** @type {[what: string, options: () => any, reason: RegExp][]} */
const FEWER = [
  ['a compiled module', () => ({ wasm: new WebAssembly.Module(wasmBytes()) }), /give the bytes/],
  ['a module without threads', () => ({ wasm: wasi }), /this build has no threads/],
  ['a worker that throws', () => ({ worker: () => new Worker('oh', { eval: true }) }), /oh/],
  ['a worker that ends', () => ({ worker: () => new Worker('', { eval: true }) }), /did not start/],
  ['a function that makes no worker', () => ({ worker: () => 3 }), /did not start/],
  ['a function that throws the second time', () => ({ worker: onlyOne() }), /no more workers/],
];

for (const [what, options, reason] of FEWER) {
  test(`${what} means one thread, the same bits, the reason and one warning`, async () => {
    const warnings = await warningsOf(async () => {
      const g = await init({ threads: 3, ...ALL, ...options() });
      assert.equal(g.threads, 1);
      assert.match(String(g.threadsReason), reason);
      assert.deepEqual(await runAll(g, layers), await alone);
      g.dispose();
    });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /gradlock runs on one thread: /);
  });
}

test('workers have 20 seconds each to answer; where one says nothing, one thread computes', async () => {
  const { setTimeout, clearTimeout } = globalThis;
  /** @type {{ act: () => void, isOver: boolean }[]} */
  const waits = [];
  globalThis.setTimeout = /** @type {any} */ (
    (/** @type {any} */ act, /** @type {number} */ ms, /** @type {any[]} */ ...given) =>
      ms === 20_000
        ? waits[waits.push({ act: () => act(...given), isOver: false }) - 1]
        : setTimeout(act, ms, ...given)
  );
  globalThis.clearTimeout = (/** @type {any} */ wait) => {
    if (waits.includes(wait)) wait.isOver = true;
    else clearTimeout(wait);
  };
  /** @type {(() => void)[]} */
  const answers = [];
  const worker = () => ({
    on: (/** @type {string} */ kind, /** @type {() => void} */ hear) =>
      kind === 'message' && answers.push(hear),
    postMessage() {},
    terminate() {},
  });
  /** @param {() => boolean} isSo */
  const until = async (isSo) => {
    while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
  };
  try {
    const warnings = await warningsOf(async () => {
      const starting = init({ threads: 3, ...ALL, worker });
      await until(() => answers.length === 2);
      assert.deepEqual([waits.length, waits[0].isOver], [1, false]);
      answers[0]();
      await until(() => waits.length === 2);
      assert.deepEqual([waits[0].isOver, waits[1].isOver], [true, false]);
      waits[1].act();
      const g = await starting;
      assert.equal(g.threads, 1);
      assert.match(String(g.threadsReason), /no answer within 20 s/);
      answers[1](); // too late
      assert.deepEqual(await runAll(g, layers), await alone);
      assert.equal(waits.length, 2);
      g.dispose();
    });
    assert.equal(warnings.length, 1);
  } finally {
    Object.assign(globalThis, { setTimeout, clearTimeout });
  }
});

test('one thread computes where there is no room for shared memory', async () => {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    /** @param {WebAssembly.MemoryDescriptor} descriptor */
    constructor(descriptor) {
      if (descriptor.shared) throw new RangeError('could not allocate memory');
      super(descriptor);
    }
  };
  try {
    const warnings = await warningsOf(async () => {
      const g = await init({ threads: 'auto' });
      assert.equal(g.threads, 1);
    });
    assert.deepEqual(warnings, []);
    await warningsOf(async () => {
      const g = await init({ threads: 2 });
      assert.equal(g.threads, 1);
      assert.match(String(g.threadsReason), /no room for shared memory/);
    });
  } finally {
    WebAssembly.Memory = Memory;
  }
});

test('an engine that refuses a large shared memory gives a smaller one', async () => {
  const { Memory } = WebAssembly;
  WebAssembly.Memory = class extends Memory {
    /** @param {WebAssembly.MemoryDescriptor} descriptor */
    constructor(descriptor) {
      if (Number(descriptor.maximum) > 4096) throw new RangeError('could not allocate memory');
      super(descriptor);
    }
  };
  try {
    const g = await init({ threads: 2, ...ALL });
    assert.equal(g.threads, 2);
    assert.equal(g.sum(g.ones([70000])).item(), 70000);
    g.dispose();
  } finally {
    WebAssembly.Memory = Memory;
  }
});

test('the limit on threads and the stack are those of C', () => {
  const read = (/** @type {string} */ path) =>
    readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const source = read('src/js/wasm/threads.js');
  const most = read('src/c/include/gradlock.h').match(/GLK_MAX_THREADS (\d+)/)?.[1];
  assert.equal(source.match(/MOST_THREADS = (\d+)/)?.[1], most);
  assert.equal(
    source.match(/STACK_BYTES = (\d+)/)?.[1],
    read('Makefile').match(/STACK_BYTES := (\d+)/)?.[1],
  );
});

test('workers started by the user, from the file of gradlock/thread, do the work', async () => {
  const file = new URL(import.meta.resolve('gradlock/thread'));
  let made = 0;
  const worker = () => {
    made++;
    return new Worker(file);
  };
  const g = await init({ threads: 3, worker, ...ALL });
  assert.equal(g.threadsReason, null);
  assert.equal(made, 2);
  assert.deepEqual(await runAll(g, layers), await alone);
  g.dispose();
});

test('dispose ends the workers', async () => {
  /** @type {Promise<number>[]} */
  const ends = [];
  const worker = () => {
    const made = new Worker(new URL(import.meta.resolve('gradlock/thread')));
    ends.push(new Promise((resolve) => made.once('exit', resolve)));
    return made;
  };
  const g = await init({ threads: 3, worker, ...ALL });
  g.sum(g.ones([100_000])).item();
  g.dispose();
  g.dispose();
  assert.equal((await Promise.all(ends)).length, 2);
  const next = await init({ threads: 2, ...ALL });
  assert.deepEqual(await runAll(next, layers), await alone);
  next.dispose();
});

const entry = JSON.stringify(import.meta.resolve('gradlock'));
const bun = findBun();
for (const [name, program] of /** @type {[string, string | null | undefined][]} */ ([
  ['Node.js', process.execPath],
  ['Bun', bun],
])) {
  const skip = program ? false : 'no Bun: npm installs it for Linux on x64; elsewhere set BUN_PATH';
  test(`${name} ends by itself while workers sleep`, { skip }, async () => {
    const code = `const { init } = await import(${entry});
      const g = await init({ threads: 3, shareNs: 0 });
      console.log(g.threads, g.sum(g.ones([5000])).item());`;
    assert.equal(await print(String(program), code), '3 5000');
  });

  test(`${name} ends by itself after dispose`, { skip }, async () => {
    const code = `const { init } = await import(${entry});
      const g = await init({ threads: 3, shareNs: 0 });
      g.dispose();
      console.log(g.threads);`;
    assert.equal(await print(String(program), code), '3');
  });

  test(`${name} ends on the same bits on three threads as on one`, { skip }, async () => {
    const here = (/** @type {string} */ path) => JSON.stringify(import.meta.resolve(path));
    const code = `const { init } = await import(${entry});
      const { layers } = await import(${here('gradlock/layers')});
      const { runAll } = await import(${here('./threads-runs.js')});
      console.log(JSON.stringify(await runAll(await init({ threads: 3, shareNs: 0 }), layers)));`;
    assert.deepEqual(JSON.parse(await print(String(program), code)), await alone);
  });
}

test('CommonJS has threads and the address of their worker', async () => {
  const code = `const { createRequire } = await import('node:module');
    const find = createRequire(${JSON.stringify(fileURLToPath(import.meta.url))});
    const { Worker } = find('node:worker_threads');
    const { init } = find('gradlock');
    const own = await init({ threads: 2 });
    const given = await init({ threads: 2, worker: () => new Worker(find.resolve('gradlock/thread')) });
    console.log(own.threads, given.threads);`;
  assert.equal(await print(process.execPath, code), '2 2');
});
