/* Tier: test. */
/**
 * The demo's engine as its page has it, by gradlock/worker, here in a worker of Node.js: which
 * call is answered when, and with which error.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { LockedElementError } from 'gradlock';
import { start } from 'gradlock/worker';
import { Engine } from '../../web/engine/client.js';
import { findScene } from '../../web/scenes/index.js';
import { openingState, setupOf } from '../../web/state/state.js';

const urlOf = (/** @type {string} */ path) => new URL(path, import.meta.url).href;
const ENGINE = `import('${urlOf('./raw.js')}').then(() => import('${urlOf('../../web/engine/worker.js')}'))`;

/** What opens a scene at a step. @param {string} name @param {{ run?: number, key?: number, step?: number }} [more] */
function opening(name, more) {
  const scene = findScene(name);
  assert.ok(scene);
  const { run = 1, key, ...patch } = more ?? {};
  return { state: { ...openingState(scene), ...patch }, run, key };
}

/** @param {(job: import('gradlock/worker').Job) => Promise<void>} act */
async function withEngine(act) {
  const job = await start(new Worker(ENGINE, { eval: true }));
  try {
    await act(job);
  } finally {
    job.terminate();
  }
}

test('a replay of ten million steps reports its progress in frames, and Cancel ends it', () =>
  withEngine(async (job) => {
    const { isReplaying } = await job.call('open', opening('membrane', { step: 10_000_000 }));
    assert.equal(isReplaying, true);
    const first = await job.call('frame', { run: 1 });
    for (let { step } = first; step === first.step; ) {
      const { replay, ...now } = await job.call('frame', { run: 1 });
      assert.equal(replay.to, 10_000_000);
      step = now.step;
    }
    // What is asked for during the replay waits for its end.
    const recipe = job.call('recipe', { run: 1 });
    const ended = await job.call('cancel', { run: 1 });
    assert.equal(ended.isReplaying, false);
    const { replay, step } = await job.call('frame', { run: 1 });
    assert.equal(replay, null);
    assert.ok(step > first.step && step < 10_000_000, `cancelled at ${step}`);
    assert.equal((await recipe).recipe.step, step);
  }));

test('another run may be opened in the middle of a replay', () =>
  withEngine(async (job) => {
    await job.call('open', opening('membrane', { step: 10_000_000 }));
    const { isReplaying, left } = await job.call('open', opening('two-by-two', { run: 2 }));
    assert.equal(isReplaying, false);
    assert.ok(left.recipe.step < 10_000_000);
    assert.equal((await job.call('snapshot', {})).scene, 'two-by-two');
  }));

test('a call returns before the frame that shows its change', () =>
  withEngine(async (job) => {
    await job.call('open', opening('two-by-two'));
    await job.call('frame', {});
    for (const [type, given] of /** @type {[string, object][]} */ ([
      ['do', { act: { do: 'assign', index: 0, value: 0.5 } }],
      ['step', { steps: 3 }],
      ['reset', {}],
      ['open', opening('two-by-two', { run: 2 })],
    ])) {
      /** @type {string[]} */
      const heard = [];
      const frame = job.call('frame', {}).then((made) => heard.push(`frame of ${made.run}`));
      // A question changes nothing, so the frame still waits.
      await job.call('recipe', {});
      await job.call(type, given).then(() => heard.push(type));
      await frame;
      assert.deepEqual(heard, [type, `frame of ${type === 'open' ? 2 : 1}`]);
    }
  }));

test('each answer has the run’s current state, and a run that was left is restored to the bit', () =>
  withEngine(async (job) => {
    const { isReplaying: _, ...first } = await job.call('open', opening('leak-lab'));
    const scene = /** @type {any} */ (findScene('leak-lab'));
    const { warm, optimizer } = scene;
    const target = scene.target(setupOf(openingState(scene)));
    const seen = async () => /** @type {any} */ (await job.call('snapshot', {}));
    await job.call('step', { steps: 40 - warm });
    const [run, saved] = [await seen(), await job.call('saved', {})];
    assert.deepEqual(first, {
      ...{ locks: Uint8Array.from(run.locks), optimizer, marks: [], target },
      ...{ figure: null, isReplayed: true, left: null },
    });
    assert.deepEqual([run.step, run.isPlaying, run.isMasked], [40, false, false]);
    assert.match(await job.call('code', {}), new RegExp(`// ${run.digest}\n$`));
    assert.equal((await job.call('proof', {})).proof.digest, run.digest);
    await job.call('play', { speed: 0 });
    assert.equal((await seen()).isPlaying, true);
    await job.call('pause', {});
    assert.equal((await seen()).isPlaying, false);
    // Looking back changes nothing, going back leaves the run where it was.
    const peeked = await job.call('peek', { step: 30 });
    const later = await job.call('peek', { step: 30, isNext: true });
    assert.deepEqual([peeked.step, later.step], [30, 31]);
    assert.equal(await job.call('peek', { step: 40 }), null);
    assert.deepEqual(await job.call('saved', {}), saved);
    const { left } = await job.call('rewind', { step: 30 });
    assert.deepEqual(left.recipe, saved.recipe);
    const now = await seen();
    assert.deepEqual([now.step, now.values], [peeked.step, [...peeked.values]]);
    const reset = await job.call('reset', {});
    assert.equal(reset.left.recipe.step, now.step);
    assert.equal((await job.call('reset', {})).left, null, 'nothing is lost');
    const back = await job.call('open', opening('leak-lab', { run: 2, key: left.key }));
    assert.deepEqual([back.isReplayed, back.left.recipe.step], [true, warm]);
    assert.deepEqual(await job.call('saved', {}), saved);
    // A rival is replayed from the start, and the run stays.
    const view = { beside: 'rule', rival: { ...optimizer, rule: 'sgd' } };
    const beside = await job.call('view', { view });
    assert.deepEqual([beside.isReplayed, beside.left.recipe], [true, saved.recipe]);
    assert.deepEqual({ ...(await seen()), rivalDigest: null }, { ...run, rivalDigest: null });
    assert.notEqual((await seen()).rivalDigest, run.rivalDigest);
    const switched = await job.call('do', { act: { do: 'switch', to: 'mask' } });
    assert.deepEqual([switched.marks, switched.isReplayed], [[40], false]);
    assert.equal((await seen()).isMasked, true);
    const { wasm, library } = await job.call('memory', {});
    assert.ok(wasm > library && library > 0);
  }));

test('a call for a run that is not open is refused as late, and does nothing', () =>
  withEngine(async (job) => {
    await job.call('open', opening('two-by-two', { run: 7 }));
    const before = await job.call('snapshot', {});
    await assert.rejects(job.call('step', { steps: 3, run: 6 }), { name: 'LateError' });
    assert.deepEqual(await job.call('snapshot', { run: 7 }), before);
  }));

test('what the library refuses is its own error in the page, and the run stays as it was', () =>
  withEngine(async (job) => {
    const { locks } = await job.call('open', opening('two-by-two'));
    const index = locks.indexOf(1);
    const before = await job.call('snapshot', {});
    await assert.rejects(
      job.call('do', { act: { do: 'assign', index, value: 0.5 } }),
      (error) => error instanceof LockedElementError && Array.isArray(error.index),
    );
    assert.deepEqual(await job.call('snapshot', {}), before);
  }));

test('a closed engine answers nothing, not even pending calls', async () => {
  let end = async () => 0;
  // It lives on, so its replies do come.
  class Undying extends Worker {
    constructor() {
      super(ENGINE, { eval: true });
      end = () => super.terminate();
    }
    /** @override */
    terminate = async () => 0;
  }
  Object.assign(globalThis, { Worker: Undying });
  const engine = new Engine(assert.fail);
  try {
    await engine.send({ type: 'open', ...opening('two-by-two') });
    const frame = engine.send({ type: 'frame' });
    engine.close();
    await assert.rejects(frame, { reason: 'ended' });
  } finally {
    await end();
  }
});
