/* Memory that ends at the first, the second, the n-th allocation of a call, and stays away until the call has failed: the error
 * is an OutOfMemoryError, and what follows is as if nothing had been called: names, weights, locks, and the bits of training.
 * The library is linked with an allocator that a test can stop (scarce.c). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init, OutOfMemoryError } from 'gradlock/external';
import * as formats from 'gradlock/formats';
import {
  digestOfNext,
  OF_FORMATS,
  OF_MODELS,
  open,
  trained,
  trainOn,
  writeFiles,
} from './layers-cases.js';

/** @typedef {any} Any */

/** What the module exports, which init keeps to itself. @type {Any} */
let exports;
const { instantiate } = WebAssembly;
WebAssembly.instantiate = /** @type {Any} */ (
  async (/** @type {Any} */ ...args) => {
    const found = /** @type {Any} */ (await /** @type {Any} */ (instantiate)(...args));
    exports = (found.instance ?? found).exports;
    return found;
  }
);
const wasm = readFileSync(new URL('../../build/tests/scarce.wasm', import.meta.url));
const g = await init({ wasm });
const files = writeFiles(g);
const ALL = 0xffffffff;

/** What a call made and trained. @type {Any} */
let made = null;
/** Freshly made, so that the call has to build it. @param {Any} nn */
const unbuilt = (nn) => {
  const net = nn.sequential({
    name: 'net',
    layers: [
      nn.dense({ units: 3, name: 'a' }),
      nn.dropout({ rate: 0.5, name: 'b' }),
      nn.dense({ units: 2, name: 'c' }),
    ],
  });
  net.compile({ optimizer: 'sgd', loss: 'mse', metrics: ['mae'] });
  made = net;
  return net;
};
const X = [
  [1, 2],
  [3, 4],
  [5, 7],
];
const Z = [
  [1, 0],
  [0, 1],
  [1, 1],
];

/** Calls of other things than methods. @type {Record<string, (nn: Any, net: Any) => unknown>} */
const OTHERS = {
  'trainable = false': (_, net) => {
    net.trainable = false;
  },
  'trainable = true': (_, net) => {
    net.trainable = true;
  },
  'a dense layer with an input': (nn) =>
    nn.sequential({
      name: 'stack',
      layers: [nn.dense({ units: 2, inputShape: [3], name: 'given' })],
    }),
  'a model from JSON': (nn) => nn.modelFromJSON(files.json),
  'the first batch of a model': (nn) => unbuilt(nn).trainOnBatch(X, Z),
  'the first fit of a model': (nn) =>
    unbuilt(nn).fit(X, Z, { batchSize: 2, validationData: [X, Z] }),
  'a batch with metrics': (_, net) => net.trainOnBatch(X, [0, 1, 1]),
  'a fit with metrics': (_, net) => net.fit(X, [0, 1, 1], { batchSize: 3, yieldEvery: 'never' }),
};

/** @type {[name: string, call: (nn: Any, net: Any) => Any][]} */
const CALLS = [
  ...Object.entries(OF_MODELS).map(
    ([name, base]) =>
      /** @type {Any} */ ([
        name,
        (/** @type {Any} */ nn, /** @type {Any} */ net) => {
          const args = base(nn, net, files);
          return () => net[name](...args);
        },
      ]),
  ),
  ...Object.entries(OF_FORMATS).map(
    ([name, base]) =>
      /** @type {Any} */ ([
        name,
        (/** @type {Any} */ nn, /** @type {Any} */ net) => {
          const args = base(nn, net, files);
          return () => /** @type {Any} */ (formats)[name](...args);
        },
      ]),
  ),
  ...Object.entries(OTHERS).map(
    ([name, call]) =>
      /** @type {Any} */ ([
        name,
        (/** @type {Any} */ nn, /** @type {Any} */ net) => () => call(nn, net),
      ]),
  ),
];

const MOST = 3000;

for (const [name, prepare] of CALLS) {
  test(`${name}: whichever allocation fails, the call fails whole`, async () => {
    /** @type {string | undefined} */
    let expected;
    for (let allowed = 0; ; allowed++) {
      assert.ok(allowed < MOST, 'it never has enough');
      const nn = open(g);
      const net = trained(nn);
      if (name === 'trainable = true') net.trainable = false;
      if (expected === undefined) {
        const calm = open(g);
        const other = trained(calm);
        if (name === 'trainable = true') other.trainable = false;
        expected = `${trainOn(other)} ${other.trainable} ${digestOfNext(calm)}`;
        other.dispose();
      }
      made = null;
      const call = prepare(nn, net);
      const taken = net.optimizer.iterations;
      let error;
      exports.glk_test_allow(allowed);
      try {
        await call();
      } catch (thrown) {
        error = thrown;
      } finally {
        exports.glk_test_allow(ALL);
      }
      if (!error) break;
      const where = `${name}, ${allowed} allocations allowed`;
      // A fit that was under way.
      if (net.optimizer.iterations !== taken || made?.optimizer.iterations > 0) continue;
      assert.ok(error instanceof OutOfMemoryError, `${where}: ${/** @type {Any} */ (error).stack}`);
      assert.equal(`${trainOn(net)} ${net.trainable} ${digestOfNext(nn)}`, expected, where);
      net.optimizer.dispose();
      net.dispose();
    }
  });
}
