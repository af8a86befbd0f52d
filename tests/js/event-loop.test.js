/** When training pauses, by a clock that the test moves: how long it works, and how pages rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { Yielder } from '../../src/js/layers/fit/event-loop.js';

const clock = { now: 1000 };

/** The clock instead of `performance.now`. @param {import('node:test').TestContext} t */
const useClock = (t) => {
  t.mock.method(performance, 'now', () => clock.now);
};

/**
 * The batches between pauses of an epoch of 40 batches, each of which takes `ms` by the clock.
 * @param {import('node:test').TestContext} t
 * @param {any} yieldEvery
 * @param {number} ms
 */
async function tasksOf(t, yieldEvery, ms) {
  useClock(t);
  const g = await init();
  const nn = layers(g, { seed: 1 });
  const model = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
  model.compile({ optimizer: 'sgd', loss: 'mse' });
  const tasks = [0];
  await model.fit(g.zeros([40, 1]), g.zeros([40, 1]), {
    batchSize: 1,
    yieldEvery,
    callbacks: {
      onBatchEnd: () => {
        clock.now += ms;
        tasks.push(Number(tasks.pop()) + 1);
      },
      onYield: () => void tasks.push(0),
    },
  });
  t.mock.restoreAll();
  return tasks;
}

test('fit works for 9 ms at a time by itself, or for as long as yieldEvery says, and never begins a batch that would end later', async (t) => {
  for (const [yieldEvery, ms, expected] of /** @type {const} */ ([
    ['auto', 1, 9],
    ['auto', 3, 3],
    ['auto', 4.5, 2],
    ['auto', 4.6, 1],
    ['auto', 100, 1],
    [20, 5, 4],
    [0, 1, 1],
    ['batch', 1, 1],
    ['epoch', 100, 40],
    ['never', 100, 40],
  ])) {
    const tasks = await tasksOf(t, yieldEvery, ms);
    assert.deepEqual(
      [tasks[0], Math.max(...tasks), tasks.reduce((sum, batches) => sum + batches)],
      [expected, expected, 40],
      `${yieldEvery}, ${ms} ms`,
    );
  }
});

test('a page that is seen rests by a timer once a frame, so that it draws; a hidden page and Node.js never do', async (t) => {
  const rests = async (/** @type {any} */ document) => {
    useClock(t);
    let timers = 0;
    t.mock.method(globalThis, 'setTimeout', (/** @type {() => void} */ then) => {
      timers++;
      queueMicrotask(then);
    });
    Object.assign(globalThis, { document });
    try {
      const yielder = new Yielder('auto');
      /** @type {number[]} */
      const found = [];
      for (const ms of [20, 14, 1, 14, 1, 20]) {
        clock.now += ms;
        timers = 0;
        await yielder.pause();
        found.push(timers);
      }
      return found;
    } finally {
      Reflect.deleteProperty(globalThis, 'document');
      t.mock.restoreAll();
    }
  };
  assert.deepEqual(await rests({ hidden: false }), [1, 0, 1, 0, 1, 1]);
  assert.deepEqual(await rests({ hidden: true }), [0, 0, 0, 0, 0, 0]);
  assert.deepEqual(await rests(undefined), [0, 0, 0, 0, 0, 0]);
});
