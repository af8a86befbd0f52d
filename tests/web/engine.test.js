/* Tier: all. */
/**
 * The demo's engine: histories replay to the bit, any pace walks the same path, memory stays
 * flat.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { App } from '../../web/app/app.js';
import { Runs } from '../../web/app/runs.js';
import { Loop } from '../../web/engine/loop.js';
import { scenes } from '../../web/scenes/index.js';
import { packMask } from '../../web/state/codec.js';
import { besides } from '../../web/state/state.js';
import { g, openRun } from './runs.js';

/** @typedef {import('../../web/engine/session.js').Session} Session */

/** A run of a small grid. @param {import('./runs.js').Scene} scene @param {import('../../web/state/state.js').Beside} [beside] */
function open({ id, sizes }, beside = 'mask') {
  const [rows, cols] = sizes.find(([side]) => side <= 16) ?? sizes[0];
  return openRun(id, { rows, cols, beside });
}

/** Something of everything, at any pace. @param {Session} session @param {number} pace */
function live(session, pace) {
  const start = session.step;
  const to = (/** @type {number} */ end) => {
    while (session.step < start + end) {
      session.advance(Math.min(pace, start + end - session.step));
    }
  };
  to(12);
  const mask = session.main.mask.map((bit, i) => (i % 3 ? bit : 1 - bit));
  session.do({ do: 'locks', mask: packMask(mask) });
  to(20);
  const settings = { rule: /** @type {const} */ ('adamW'), learningRate: 0.01, momentum: 0.9 };
  const weightDecay = 0.1;
  session.do({ do: 'optimizer', settings: { ...settings, weightDecay } });
  to(31);
  session.do({ do: 'prune', fraction: 0.3 });
  const free = session.main.mask.indexOf(0);
  if (free >= 0) session.do({ do: 'assign', index: free, value: 0.25 });
  to(40);
}

for (const scene of scenes) {
  test(`${scene.id}: at any pace the same path, to the bit`, async () => {
    const [one, two] = [await open(scene), await open(scene)];
    live(one, 1);
    live(two, 7);
    const { digest, rival } = { digest: one.main.digest(), rival: one.rival?.digest() };
    assert.equal(two.main.digest(), digest);
    assert.equal(two.rival?.digest(), rival);
    assert.equal(one.main.drift(one.main.values()).audited, 0);
  });

  test(`${scene.id}: every snapshot continues to the same bits`, async () => {
    const session = await open(scene);
    live(session, 1);
    const end = session.toCache();
    const [digest, rival] = [session.main.digest(), session.rival?.digest()];
    const drift = session.rival?.drift(session.rival.values());
    for (let step = session.step; step >= session.warm; step -= 3) {
      session.fromCache(end);
      session.rewind(step);
      assert.equal(session.step, step);
      assert.deepEqual(session.main.values(), end.snapshots.at(step).values);
      session.events = end.events;
      for (const _ of session.replayRemaining(end.now.step));
      assert.equal(session.main.digest(), digest, `from step ${step}`);
      assert.equal(session.rival?.digest(), rival);
      assert.equal(session.main.drift(session.main.values()).audited, 0);
      assert.deepEqual(session.rival?.drift(session.rival.values()), drift);
    }
    session.fromCache(end);
    assert.equal(session.main.digest(), digest);
    session.dispose();
  });

  test(`${scene.id}: a checkpoint that does not fit is ignored, and the run is replayed`, async () => {
    const session = await open(scene);
    live(session, 1);
    const [digest, rival, { step }] = [session.main.digest(), session.rival?.digest(), session];
    const good = session.checkpoint();
    const { mask } = session.main;
    const bytes = good.main.bytes.map((byte, i) => (i === 40 ? byte ^ 1 : byte));
    const forged = [
      { main: { ...good.main, mask: new Uint8Array(3) } },
      { main: { ...good.main, bytes } },
      { main: { ...good.main, bytes: new Uint8Array(0) } },
      { main: { ...good.main, settings: { ...good.main.settings, rule: 'toString' } } },
      { main: { ...good.main, settings: { ...good.main.settings, learningRate: Number.NaN } } },
      { rival: null },
    ];
    for (const [i, part] of forged.entries()) {
      const checkpoint = /** @type {typeof good} */ ({ ...good, ...part });
      for (const _ of session.open(step, checkpoint));
      assert.equal(session.main.digest(), digest, `forged ${i}`);
      assert.deepEqual(session.main.mask, mask);
      assert.equal(session.rival?.digest(), rival);
      assert.equal(session.step, step);
    }
    session.dispose();
  });

  test(`${scene.id}: Undo of a pruning restores the cells of the run and of its rival`, async () => {
    const session = await open(scene);
    session.advance(9);
    const before = [session.main.digest(), session.rival?.digest(), session.main.mask];
    session.do({ do: 'prune', fraction: 0.4 });
    session.do({ do: 'unprune' });
    assert.deepEqual([session.main.digest(), session.rival?.digest(), session.main.mask], before);
    assert.throws(() => session.do({ do: 'unprune' }), /no pruning to undo/);
    session.dispose();
  });

  test(`${scene.id}: no map, rival, frame or replay leaks memory`, async () => {
    const session = await open(scene, 'none');
    const loop = new Loop(session);
    const round = () => {
      for (const beside of besides) {
        session.setView({ beside, rival: session.main.settings });
        for (let frame = 0; frame < 5; frame++) {
          loop.step(2);
          loop.frame();
        }
      }
      session.setView({ beside: 'none', rival: session.main.settings });
      session.rewind(session.warm + 3);
      loop.frame();
    };
    // Tables grow once, by steps of their own.
    for (let rounds = 0; rounds < 3; rounds++) round();
    const { objects, bytes } = g.memory();
    for (let rounds = 0; rounds < 3; rounds++) round();
    assert.deepEqual({ objects: g.memory().objects, bytes: g.memory().bytes }, { objects, bytes });
    session.dispose();
  });
}

test('a frame from before a reset is not drawn after it', () => {
  /** @type {string[]} */
  const drawn = [];
  const views = { trace: (/** @type {string} */ name) => drawn.push(name), restart() {} };
  const runs = { stopWhenStill() {}, follow() {} };
  /** @type {any} */
  const app = { commands: { run: 1 }, scene: {}, views, runs, state: {}, update() {} };
  const frame = (/** @type {string} */ trace) => /** @type {any} */ ({ run: 1, trace });
  const [first, late, after] = ['first', 'late', 'after'].map(frame);
  const { accept, take } = App.prototype;
  for (const one of [first, late]) accept.call(app, one);
  new Runs(app).adopt(/** @type {any} */ ({ isReplayed: true, marks: [] }), app.state);
  take.call(app, late);
  accept.call(app, after);
  take.call(app, after);
  assert.deepEqual(drawn, ['after']);
});
