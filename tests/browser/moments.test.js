/** Moments of a run in the demo's engine, without a browser: what a frame shows of it, and what is kept to go back to. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { init } from 'gradlock';
import { Loop } from '../../web/engine/loop.js';
import { reachOfMap } from '../../web/engine/maps.js';
import { marksOf } from '../../web/engine/session.js';
import { Hand } from '../../web/figures/hand.js';
import { findScene } from '../../web/scenes/index.js';
import { packMask } from '../../web/state/codec.js';
import { fromFile, toFile } from '../../web/state/file.js';
import { rules } from '../../web/state/rules.js';
import { besides, openingState, validate } from '../../web/state/state.js';
import { openSession } from './old-links.js';

/** @type {import('gradlock').Gradlock} */
let g;
before(async () => {
  g = await init();
});
after(() => g.dispose());

/** @param {string} id @param {Record<string, unknown>} [patch] @param {import('../../web/engine/session.js').Checkpoint | null} [checkpoint] */
function open(id, patch = {}, checkpoint) {
  const scene = /** @type {import('../../web/scenes/scene.js').Scene} */ (findScene(id));
  return openSession(g, validate(patch, openingState(scene)).state, checkpoint);
}

test('a run that is opened can be looked back at from its start, by a link and by a file', () => {
  const session = open('peaks', { step: 9 });
  const file = session.checkpoint();
  for (const one of [session, open('peaks', { step: 9 }, file)]) {
    one.advance(1);
    one.do({ do: 'bound', index: one.main.mask.indexOf(0), min: null, max: 5 });
    one.do({ do: 'locks', mask: packMask(one.main.mask.map((bit) => 1 - bit)) });
    one.advance(5);
    assert.equal(one.snapshots.at(9).step, 9);
    one.rewind(9);
    assert.deepEqual(one.checkpoint(), file);
    one.rewind(0);
    assert.deepEqual(one.main.values(), one.problem.start);
    assert.equal(one.main.loss(), one.snapshots.at(0).loss);
  }
});

for (const beside of /** @type {const} */ (['none', 'mask', 'rule'])) {
  test(`beside ${beside}: a run within bounds goes on from its file to the same bits`, () => {
    const session = open('peaks', { beside });
    session.advance(3);
    const index = session.main.mask.indexOf(0);
    const max = session.main.values()[index] + 0.001;
    session.do({ do: 'bound', index, min: null, max: max + 1 });
    session.do({ do: 'bound', index: index + 1, min: null, max: -0 });
    session.advance(1);
    session.do({ do: 'bound', index, min: null, max });
    session.advance(5);
    const state = { ...openingState(session.problem.scene), beside, ...session.recipe() };
    const file = fromFile(toFile(state, session.checkpoint()));
    const there = open('peaks', file?.candidate, file?.checkpoint);
    assert.deepEqual(there.main.ranges(), session.main.ranges());
    assert.deepEqual(there.main.sides(), session.main.sides());
    for (const one of [session, there]) one.advance(9);
    assert.ok(there.main.values()[index] <= Math.fround(max));
    assert.equal(there.main.digest(), session.main.digest());
    assert.equal(there.rival?.digest(), session.rival?.digest());
  });
}

test('a replay tells the chart each kept step once, with its losses and its drift', () => {
  const session = open('leak-lab', { beside: 'mask', step: 40 });
  const trace = session.takeTrace();
  assert.deepEqual(trace, session.snapshots.trace());
  assert.deepEqual([session.takeTrace(), trace[0]], [[], session.warm]);
  const { main, rival } = session;
  const drift = rival?.drift(rival.values()).farthest;
  assert.deepEqual(trace.slice(-4), [40, main.loss(), rival?.loss(), drift]);
  assert.ok(Number(drift) > 0);
});

test('a run that is reset has no moment but its start, on the chart too', () => {
  const session = open('leak-lab', { step: 40 });
  session.reset();
  assert.deepEqual([session.step, session.snapshots.at(40).step], [session.warm, session.warm]);
  assert.deepEqual(session.takeTrace(), session.snapshots.trace());
  assert.equal(session.snapshots.after(session.warm), undefined);
});

for (const rule of rules) {
  test(`${rule}: a map beside the cells shows of each what the inspector says of it`, () => {
    const settings = { rule, learningRate: 0.01, momentum: 0.9, weightDecay: 0.1 };
    const session = open('picture', { rows: 8, cols: 8, optimizer: settings, step: 5 });
    const { main, problem } = session;
    const mask = Uint8Array.from({ length: 64 }, (_, i) => (i % 3 ? 0 : 1));
    session.do({ do: 'locks', mask: packMask(mask) });
    session.advance(3);
    const [values, reports] = [main.values(), [...mask.keys()].map((cell) => main.report(cell))];
    /** @type {Record<string, (at: number) => number | undefined>} */
    const wanted = {
      gradient: (at) => reports[at].gradient,
      pressure: (at) => (mask[at] ? reports[at].gradient : 0),
      slot0: (at) => reports[at].slots[0]?.value ?? 0,
      slot1: (at) => reports[at].slots[1]?.value ?? 0,
      change: (at) => Math.fround(values[at] - problem.start[at]),
      target: (at) => problem.target?.[at],
      clock: (at) => reports[at].clock,
    };
    const count = { sgd: 0, momentum: 1, nesterov: 1, adam: 2, adamW: 2 }[rule];
    assert.equal(reports[5].slots.length, count);
    assert.deepEqual([reports[5].value, reports[5].clock, reports[3].clock], [values[5], 8, 5]);
    for (const beside of besides.slice(1, -2)) {
      session.look({ beside, rival: settings });
      const shown = new Loop(session).frame().beside;
      assert.deepEqual([...(shown?.values ?? [])], [...mask.keys()].map(wanted[beside]), beside);
    }
  });
}

test('a map’s colours reach to 1, 2 or 5 times a power of ten, at or above its largest number', () => {
  for (const [largest, reach] of [
    ...[
      [0, 1],
      [1, 1],
      [-1.1, 2],
      [2.1, 5],
      [-5.1, 10],
      [0.03, 0.05],
      [1e-31, 1],
      [300, 500],
    ],
    ...[
      [Infinity, 1],
      [Number.NaN, 1],
    ],
  ])
    assert.ok(
      Math.abs(reachOfMap(Float32Array.of(0, largest, 0)) / reach - 1) < 1e-9,
      `${largest}`,
    );
});

test('the steps at which locks changed are marked, those of other edits are not', () => {
  const session = open('two-by-two');
  session.advance(1);
  const mask = packMask(Uint8Array.of(0, 0, 0, 1));
  for (const act of /** @type {import('../../web/state/history.js').Act[]} */ ([
    { do: 'locks', mask },
    { do: 'assign', index: 0, value: 0.5 },
    { do: 'prune', fraction: 0.5 },
    { do: 'unprune' },
    { do: 'switch', to: 'mask' },
    { do: 'hold', cells: [0] },
    { do: 'release' },
  ])) {
    session.do(act);
    session.advance(1);
  }
  assert.deepEqual(marksOf(session.events), [1, 3, 4, 5]);
});

test('a run is settled once no cell moves, and not before, and not after an edit', () => {
  const session = open('two-by-two');
  const loop = new Loop(session);
  const isSettled = () => loop.frame().isSettled;
  assert.equal(loop.frame().isPlaying, false);
  assert.equal(isSettled(), false);
  loop.step(3);
  assert.equal(isSettled(), false);
  session.do({ do: 'locks', mask: packMask(Uint8Array.of(1, 1, 1, 1)) });
  loop.step(3);
  assert.equal(isSettled(), false, 'an edit');
  loop.step(3);
  assert.equal(isSettled(), true);
  assert.equal(session.step, 9);
});

test('a frame says that a run is lost, and that a person’s value was too large for it', () => {
  const session = open('two-by-two');
  const loop = new Loop(session);
  /** @param {boolean} isLost */
  const assertLost = (isLost) => {
    const frame = loop.frame();
    assert.deepEqual([frame.isFinite, frame.isTooLarge], [!isLost, isLost]);
  };
  assertLost(false);
  session.do({ do: 'assign', index: session.main.mask.indexOf(0), value: 3e38 });
  assertLost(true);
});

for (const [side, isOwnLoss] of /** @type {const} */ ([
  [64, true],
  [65, false],
])) {
  test(`${side} × ${side} cells that play show the loss ${isOwnLoss ? 'of their values' : 'before their last step'}`, () => {
    // At this rate, every step changes the loss.
    const optimizer = { learningRate: 1e-5 };
    const session = open('picture', { rows: side, cols: side, optimizer });
    const loop = new Loop(session);
    const values = new Float32Array(side * side);
    loop.play(0);
    const before = performance.now();
    const frame = loop.frame(values);
    assert.ok(frame.engineTime >= 0 && frame.engineTime <= performance.now() - before);
    assert.ok(frame.isPlaying && frame.step > 0);
    assert.equal(frame.values, values, 'an array of an earlier frame is filled again');
    assert.deepEqual(values, session.main.values());
    assert.equal(frame.loss, isOwnLoss ? session.main.loss() : session.lastLoss);
    assert.notEqual(session.main.loss(), session.lastLoss);
    assert.equal(loop.frame(new Float32Array(3)).values.length, side * side);
  });
}

test('a hand tells its place while it moves, not only when it lets go', async () => {
  /** @type {unknown[]} */
  const told = [];
  const place = new Promise((resolve) => {
    const hand = new Hand({ hold: () => told.push('hold'), place: resolve, release: assert.fail });
    hand.take(0, [0, 0]);
    hand.move([0.25, 0.5]);
    hand.move([0.5, 0.5]);
  });
  assert.deepEqual(await place, [0.5, 0.5]);
  assert.deepEqual(told, ['hold']);
});
