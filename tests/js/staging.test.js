/* Tier: test. */
/* Arguments of any length lie in memory that a call stages: no call writes behind what it asked
 * for. Here a mark lies behind each, and every line of src/js that stages is met. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { findWrong, readExamples } from './doc-examples.js';
import { init } from '../../src/js/external.js';
import * as formats from '../../src/js/formats.js';
import { layers } from '../../src/js/layers.js';
import { Bridge } from '../../src/js/wasm/bridge.js';
import { wasmBytes } from './support.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const MARK = 0xa5;
const MARKS = 64;

/** Where `stage` is called: file and line. */
const lines = readdirSync(`${ROOT}src/js`, { recursive: true })
  .map(String)
  .filter((file) => file.endsWith('.js') && !file.endsWith('bridge.js'))
  .flatMap((file) =>
    readFileSync(`${ROOT}src/js/${file}`, 'utf8')
      .split('\n')
      .flatMap((line, i) => (/\.stage\(/.test(line) ? [`${file}:${i + 1}`] : [])),
  );

/** @type {Set<string>} */
const met = new Set();
/** @type {string[]} */
const overrun = [];
/** @type {{ bridge: Bridge, address: number, end: number, line: string }[]} */
const staged = [];
/** The last one that staged. @type {Bridge} */
let bridge;

Bridge.prototype.stage = function stage(bytes) {
  const [, , caller = ''] = String(new Error().stack).split('\n');
  const line = caller.match(/src\/js\/(.*?:\d+):\d+/)?.[1] ?? caller;
  met.add(line);
  bridge = this;
  const address = this.reserve(bytes + MARKS);
  const end = address + bytes;
  this.u8.fill(MARK, end, end + MARKS);
  staged.push({ bridge: this, address, end, line });
  return address;
};

Bridge.prototype.unstage = function unstage(address) {
  const at = staged.findIndex((one) => one.bridge === this && one.address === address);
  const [{ end, line } = { end: 0, line: 'nowhere' }] = staged.splice(at, 1);
  if (!this.u8.subarray(end, end + MARKS).every((byte) => byte === MARK)) overrun.push(line);
  this.x.glk_bind_free(address);
};

test('nothing is written behind memory that was staged, at any line that stages', async () => {
  const begin = async () => /** @type {any} */ (await init({ wasm: wasmBytes() }));
  const examples = await readExamples(ROOT);
  assert.deepEqual(await findWrong(examples, begin, /** @type {any} */ (layers), formats), []);
  const g = await begin();
  const x = g.variable(new Float32Array(4));
  // The longest name that a holder may have.
  x.locks.holder('n'.repeat(63)).policy({ at: [0, 2, 4], lock: ['all', [0, 1], [0]] });
  const learningRate = g.schedules.cosineDecay({ initialLearningRate: 0.1, decaySteps: 9 });
  assert.ok(g.optimizers.sgd({ learningRate }).schedule);
  const front = () => bridge.u32[bridge.out / 4 - 1];
  const before = front();
  g.tensor(new Float32Array(20_000));
  assert.equal(front(), before, 'nothing is written in front of what C writes to');
  g.dispose();
  assert.deepEqual(overrun, []);
  assert.deepEqual(staged, [], 'what was staged is given back');
  assert.deepEqual(
    lines.filter((line) => !met.has(line)),
    [],
  );
});
