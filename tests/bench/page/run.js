// The rows that a page can run, by name: `gradlockBench(name, threads)` gives a row's heading and results.
import adam from '../rows/adam.mjs';
import calls from '../rows/calls.mjs';
import cnn from '../rows/cnn.mjs';
import conv from '../rows/conv.mjs';
import locks from '../rows/locks.mjs';
import matmul from '../rows/matmul.mjs';
import ops from '../rows/ops.mjs';
import training from '../rows/training.mjs';
import twoByTwo from '../rows/two-by-two.mjs';
import { threadsOfPeers } from './peers.js';
import threads from './threads.js';

/** @type {Record<string, import('../harness.mjs').Row>} */
const rows = {
  threads,
  adam,
  matmul,
  ops,
  calls,
  training,
  conv,
  cnn,
  locks,
  'two-by-two': twoByTwo,
};

Object.assign(globalThis, {
  gradlockRows: Object.keys(rows),
  gradlockPeers: threadsOfPeers,
  gradlockBench: async (/** @type {string} */ name, /** @type {number} */ count) => {
    Object.assign(globalThis, { gradlockThreads: count });
    return { about: rows[name].about, results: await rows[name].run() };
  },
});
