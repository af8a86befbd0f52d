/* Tier: all. */
/* Bit identity: training under every rule and method, with varied options and changing locks, and
 * every kind of random draw end on the same bytes natively, under WASI, and through JavaScript in
 * Node.js and Bun, with every built module and every entry of the package.
 * tests/engines/digest.test.js checks the same in browsers. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { init } from 'gradlock';
import * as double from 'gradlock/double';
import * as external from 'gradlock/external';
import { run } from '../c/wasi.js';
import { findBun } from './bun.js';
import { runNatively, runUnderWasi } from './digest-native.js';
import { digest } from './digest-runs.js';

const path = (/** @type {string} */ name) =>
  fileURLToPath(new URL(`../../${name}`, import.meta.url));
const native = runNatively();
native.catch(() => {}); // each test that awaits it fails

test('runs cover every rule and method, with varied options, schedules, constraints and policies', async () => {
  const { lines, runs } = await native;
  const g = await init();
  const words = runs.flatMap((line) => line.split(' ').map((word) => word.split('=')[0]));
  const rules = Object.keys(Object.getOwnPropertyDescriptors(Object.getPrototypeOf(g.optimizers)));
  for (const rule of rules.filter((name) => name !== 'constructor')) {
    const count = words.filter((word) => word === rule).length;
    assert.ok(count >= 2, `${rule} has ${count} runs`);
  }
  const schedules = Object.getOwnPropertyNames(Object.getPrototypeOf(g.schedules));
  const others = [
    ...['nonNegative', 'box', 'maxNorm', 'unitNorm'],
    ...['largest', 'smallest', 'random', 'between', 'timetable', 'dropout'],
    ...['clipNorm', 'globalClipNorm', 'clipValue', 'useEma', 'emaOverwriteFrequency'],
    ...['gradientAccumulationSteps', 'resetOnUnlock', 'weightDecay', 'exclude', 'rate', 'rates'],
  ];
  for (const name of [...schedules, ...others]) {
    if (name !== 'constructor') assert.ok(words.includes(name), `no run has ${name}`);
  }
  const digests = lines.map((line) => line.split(' ').at(-1));
  assert.equal(new Set(digests).size, lines.length, 'each has another digest');
});

test('the WASI program ends on the bytes of the native one', async () => {
  assert.deepEqual(await runUnderWasi(), (await native).lines);
});

const wasm = async (/** @type {string} */ name) => ({
  wasm: await readFile(path(`build/wasm/${name}`)),
});
test('gradlock/double ends on the bytes of the native program in f64', async () => {
  const { lines, runs } = await runNatively('double');
  assert.deepEqual(digest(/** @type {any} */ (await double.init()), runs), lines);
});

for (const [name, make] of /** @type {[string, () => ReturnType<typeof init>][]} */ ([
  ["Emscripten's module", async () => init(await wasm('gradlock.wasm'))],
  ["the WASI SDK's reactor", async () => init(await wasm('gradlock.wasi.wasm'))],
  ['the module inlined in index.js', () => init()],
  ['the separate module of external.js', () => external.init()],
])) {
  test(`Node.js with ${name} ends on the bytes of the native program`, async () => {
    const { lines, runs } = await native;
    assert.deepEqual(digest(await make(), runs), lines);
  });
}

const bun = findBun();
for (const name of ['index.js', 'external.js']) {
  test(`Bun, which runs JavaScriptCore, ends on the bytes of the native program with ${name}`, {
    skip: bun ? false : 'no Bun: npm installs it for Linux on x64; elsewhere set BUN_PATH',
  }, async () => {
    const { lines, runs } = await native;
    const args = [path('tests/js/digest-print.js'), path(`build/npm/${name}`)];
    const { stdout, stderr } = await run(String(bun), { args: [...args, JSON.stringify(runs)] });
    assert.deepEqual(stdout.trim().split('\n'), lines, stderr);
  });
}
