/** Moments of a run: what a frame shows of it, and what is kept to go back to. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Loop, reachOfMap } from '../../web/engine/loop.js';
import { marksOf } from '../../web/engine/session.js';
import { Snapshots } from '../../web/engine/snapshots.js';
import { packMask } from '../../web/state/codec.js';
import { fromFile, toFile } from '../../web/state/file.js';
import { rules } from '../../web/state/rules.js';
import { besides, openingState, validate } from '../../web/state/state.js';
import { openSession, sceneOf } from './runs.js';

/** @typedef {import('../../web/state/history.js').Act} Act */

/** @param {string} id @param {Record<string, unknown>} [patch] @param {import('./runs.js').Checkpoint | null} [checkpoint] */
const open = (id, patch = {}, checkpoint) =>
  openSession(validate(patch, openingState(sceneOf(id))).state, checkpoint);

test('an opened run has snapshots from its start, by a link and by a file', () => {
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
    assert.equal(one.snapshots.after(9), undefined);
    one.rewind(0);
    assert.deepEqual(one.main.values(), one.problem.start);
    assert.equal(one.main.loss(), one.snapshots.at(0).loss);
  }
});

test('a loss that is a function of the step goes on from a file, and back, at its step', () => {
  const [straight, session] = [open('picture', { step: 30 }), open('picture', { step: 20 })];
  const there = open('picture', { step: 20 }, session.checkpoint());
  session.advance(5);
  session.rewind(20);
  for (const one of [session, there]) {
    one.advance(10);
    assert.equal(one.main.digest(), straight.main.digest());
  }
});

for (const beside of /** @type {const} */ (['none', 'mask', 'rule'])) {
  test(`beside ${beside}: a run within bounds goes on from its file to the same bits`, () => {
    const session = open('peaks', { beside });
    session.advance(2);
    session.advance(1);
    const index = session.main.mask.indexOf(0);
    const max = session.main.values()[index] + 0.001;
    session.do({ do: 'bound', index: index + 1, min: null, max: -0 });
    session.do({ do: 'bound', index, min: null, max: max + 1 });
    session.advance(1);
    session.do({ do: 'bound', index, min: null, max });
    session.advance(5);
    const state = { ...openingState(session.problem.scene), beside, ...session.recipe() };
    const file = fromFile(toFile(state, session.checkpoint()));
    const there = open('peaks', file?.candidate, file?.checkpoint);
    assert.deepEqual(there.main.bounds.list(), session.main.bounds.list());
    assert.deepEqual(there.main.sides(), session.main.sides());
    session.fromCache(session.toCache());
    assert.deepEqual(session.main.bounds.list(), there.main.bounds.list());
    for (const one of [session, there]) one.advance(9);
    assert.ok(there.main.values()[index] <= Math.fround(max));
    assert.equal(there.main.digest(), session.main.digest());
    assert.equal(there.rival?.digest(), session.rival?.digest());
    // Nothing of them is left before they were set.
    session.rewind(2);
    there.replay(2);
    const before = open('peaks', { beside, step: 2 });
    for (const one of [session, there, before]) {
      one.advance(9);
      assert.equal(one.main.digest(), session.main.digest());
      assert.equal(one.rival?.digest(), session.rival?.digest());
    }
  });
}

test('steps give the chart the losses before the last of them, and of a rival’s, if there is one', () => {
  for (const beside of /** @type {const} */ (['none', 'mask', 'rule'])) {
    const session = open('leak-lab', { beside });
    session.advance(1);
    session.takeTrace();
    const { main, rival, step } = session;
    const losses = [main.loss(), rival?.loss() ?? Number.NaN];
    session.advance(1);
    assert.deepEqual(session.takeTrace().slice(0, 4), [step, ...losses, Number.NaN], beside);
  }
});

test('a run that is opened between its edits has those before, and none of those after', () => {
  const value = 0.25;
  const acts = [1, 4, 9].map((step) => ({ do: 'assign', index: 0, value, step }));
  const session = open('two-by-two', { events: acts, step: 4 });
  assert.deepEqual(session.recipe().events, acts.slice(0, 2));
  const other = open('two-by-two', { events: acts.slice(0, 2), step: 4 });
  for (const one of [session, other]) one.advance(9);
  assert.equal(session.main.digest(), other.main.digest());
});

test('a replay gives the chart each kept step once, with its losses and its drift', () => {
  const session = open('leak-lab', { beside: 'mask', step: 40 });
  const trace = session.takeTrace();
  assert.deepEqual(trace, session.snapshots.trace());
  assert.deepEqual([session.takeTrace(), trace[0]], [[], session.warm]);
  const { main, rival } = session;
  const drift = rival?.drift(rival.values()).farthest;
  assert.deepEqual(trace.slice(-4), [40, main.loss(), rival?.loss(), drift]);
  assert.ok(Number(drift) > 0);
});

test('a run that is rewound, or comes from the cache, gives the chart its steps again, and has its events', () => {
  const session = open('leak-lab', { beside: 'mask' });
  const to = (/** @type {number} */ step) => {
    while (session.step < step) session.advance(1);
  };
  to(20);
  session.do({ do: 'assign', index: session.main.mask.indexOf(0), value: 0.25 });
  to(30);
  const [cached, { events }, trace] = [session.toCache(), session, session.snapshots.trace()];
  assert.equal(events.length, 1);
  session.rewind(19);
  const end = trace.indexOf(20);
  assert.deepEqual([session.takeTrace(), session.events], [trace.slice(0, end), []]);
  session.fromCache(cached);
  assert.deepEqual([session.takeTrace(), session.recipe().events], [trace, events]);
});

test('a reset leads to the start, and keeps locks, settings and pruned zeros; no snapshot is left', () => {
  const session = open('picture', { rows: 8, cols: 8, step: 40 });
  const settings = { ...session.main.settings, learningRate: 0.001 };
  session.do({ do: 'optimizer', settings });
  const was = session.main.values();
  session.advance(1);
  assert.ok(session.main.values().every((value, i) => Math.abs(value - was[i]) < 0.002));
  const before = session.main.mask;
  session.do({ do: 'prune', fraction: 0.5 });
  const { mask } = session.main;
  const values = session.main.values();
  values[mask.findIndex((bit, i) => bit > before[i])] = 1e-9;
  assert.equal(session.main.drift(values).moved, 1, 'the drift check covers what was pruned');
  session.reset();
  assert.deepEqual([session.main.mask, session.main.settings], [mask, settings]);
  const { zeros, ...now } = session.recipe();
  assert.deepEqual(now, { optimizer: settings, locks: mask, events: [], step: 0 });
  const { start } = session.problem;
  const wanted = start.map((value, i) => (zeros?.[i] ? 0 : value));
  assert.deepEqual(session.main.values(), wanted);
  assert.notDeepEqual(wanted, start);
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
    assert.deepEqual([reports[5].clock, reports[3].clock], [8, 5]);
    for (const beside of besides.slice(1, -2)) {
      assert.equal(session.setView({ beside, rival: settings }), false, 'it needs no replay');
      const shown = new Loop(session).frame().beside;
      assert.deepEqual([...(shown?.values ?? [])], [...mask.keys()].map(wanted[beside]), beside);
    }
  });
}

test('a map’s colours reach to 1, 2 or 5 times a power of ten, at or above its largest number', () => {
  const plain = { 0: 1, 1: 1, '-1.1': 2, 2.1: 5, '-5.1': 10, 0.03: 0.05, '1e-31': 1, 300: 500 };
  for (const [largest, reach] of Object.entries({ ...plain, Infinity: 1, NaN: 1 }))
    assert.ok(Math.abs(reachOfMap(Float32Array.of(0, +largest, 0)) / reach - 1) < 1e-9, largest);
});

test('locks before the first step are how a run starts, and later ones, or after an edit, are edits', () => {
  const session = open('two-by-two');
  const locks = (/** @type {number[]} */ ...mask) =>
    session.do({ do: 'locks', mask: packMask(Uint8Array.from(mask)) });
  locks(1, 0, 0, 0);
  assert.deepEqual(session.recipe().locks, Uint8Array.of(1, 0, 0, 0));
  assert.deepEqual(session.events, []);
  session.do({ do: 'assign', index: 1, value: 0.5 });
  locks(1, 1, 0, 0);
  locks(1, 1, 1, 0);
  session.advance(1);
  locks(0, 0, 0, 0);
  assert.deepEqual(session.recipe().locks, Uint8Array.of(1, 0, 0, 0));
  assert.deepEqual(
    session.events.map(({ do: what, step }) => [what, step]),
    [
      ['assign', 0],
      ['locks', 0],
      ['locks', 1],
    ],
  );
});

test('each cell of several grids can be set, to the first and the last', () => {
  const session = open('network', { locks: null });
  const { layout } = session.problem;
  const ends = layout.flatMap(({ offset, rows, cols }) => [offset, offset + rows * cols - 1]);
  for (const [i, index] of ends.entries()) session.do({ do: 'assign', index, value: i });
  const values = session.main.values();
  assert.deepEqual(
    ends.map((index) => values[index]),
    [0, 1, 2, 3, 4, 5],
  );
});

test('a small run with the switch has a shadow while it has locks: what a mask makes of them since the first', async () => {
  const session = open('picture', { beside: 'mask' });
  const lock = (/** @type {number[]} */ ...cells) => {
    const mask = Uint8Array.from(session.main.mask, (_, i) => Number(cells.includes(i)));
    session.do({ do: 'locks', mask: packMask(mask) });
  };
  const isShadow = (/** @type {Float32Array} */ values) =>
    assert.deepEqual(session.shadow?.values(), values);
  session.advance(3);
  assert.equal(session.shadow, null);
  for (const cells of [
    [5, 400],
    [400, 401],
  ]) {
    lock(...cells);
    session.advance(9);
    isShadow(/** @type {any} */ (session.rival).values());
  }
  assert.notEqual(session.main.values()[400], session.rival?.values()[400], 'which leaks');
  for (const act of [() => session.rewind(12), () => session.do({ do: 'switch', to: 'lock' })]) {
    act();
    isShadow(session.main.values());
    session.advance(1);
    session.do({ do: 'switch', to: 'mask' });
    assert.equal(session.shadow, null);
  }
  session.do({ do: 'switch', to: 'lock' });
  lock();
  assert.equal(session.shadow, null);
  const locks = new Uint8Array(128 * 128).fill(1);
  assert.equal(open('picture', { rows: 128, cols: 128, locks }).shadow, null);
  assert.equal(open('leak-lab').shadow, null);
});

test('the steps at which locks changed are marked, those of other edits are not', () => {
  const session = open('two-by-two');
  session.advance(1);
  const mask = packMask(Uint8Array.of(0, 0, 0, 1));
  for (const act of /** @type {Act[]} */ ([
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
  session.reset();
  assert.equal(isSettled(), false, 'a reset');
});

test('a frame has the locks if more than steps came since the last one, and not otherwise', () => {
  const session = open('two-by-two');
  const loop = new Loop(session);
  const mask = packMask(Uint8Array.of(0, 0, 0, 1));
  for (const [what, change, isNew] of /** @type {[string, () => void, boolean][]} */ ([
    ['the first', () => {}, true],
    ['the next', () => {}, false],
    ['a step', () => loop.step(1), false],
    ['an edit', () => session.do({ do: 'locks', mask }), true],
    ['a pruning', () => session.do({ do: 'prune', fraction: 0.5 }), true],
    ['its undoing', () => session.do({ do: 'unprune' }), true],
    ['going back', () => session.rewind(0), true],
    ['a replay', () => session.replay(1), true],
    [
      'a map beside',
      () => session.setView({ beside: 'change', rival: session.main.settings }),
      true,
    ],
  ])) {
    change();
    assert.deepEqual(loop.frame().locks, isNew ? session.main.locks() : null, what);
  }
});

test('a run that moves slowly is not settled, however many steps it took', () => {
  const optimizer = { rule: 'adam', learningRate: 1e-5 };
  const loop = new Loop(open('picture', { rows: 8, cols: 8, optimizer, step: 2000 }));
  for (const steps of [0, 1, 50]) {
    loop.step(steps);
    assert.equal(loop.frame().isSettled, false);
  }
});

test('a run that plays takes the steps that are due, and of a long pause those of 300 ms', (t) => {
  let now = 5000;
  t.mock.method(performance, 'now', () => now);
  const loop = new Loop(open('two-by-two'));
  /** @param {number} time in ms */
  const stepsIn = (time) => {
    const before = loop.frame().step;
    now += time;
    return loop.frame().step - before;
  };
  assert.equal(stepsIn(50), 0);
  loop.play(1000);
  assert.deepEqual([stepsIn(7), stepsIn(40), stepsIn(5000)], [7, 40, 300]);
  loop.play(60);
  assert.deepEqual([stepsIn(10), stepsIn(10), stepsIn(10), stepsIn(100)], [0, 1, 0, 6]);
  loop.pause();
  assert.equal(stepsIn(50), 0);
});

test('of a long run the start and at most 240 snapshots are kept, evenly; of a large one a few', () => {
  for (const [bytes, most, least] of [
    [4, 240, 120],
    [40 << 20, 4, 2],
  ]) {
    let snapshots = new Snapshots();
    const row = { byteLength: bytes };
    for (let step = 0; step <= 5000; step++) {
      // A run that was left goes on.
      if (step === 3000) snapshots = snapshots.copy();
      if (!snapshots.wants(step)) continue;
      const moment = { step, loss: 0, values: row, main: { mask: row, bytes: row } };
      snapshots.keep(/** @type {any} */ (moment));
    }
    const steps = snapshots.trace().filter((_, i) => i % 4 === 0);
    assert.ok(steps.length < most && steps.length >= least, `${steps.length}`);
    assert.equal(snapshots.bytes, 3 * bytes * steps.length);
    assert.equal(steps[0], 0);
    assert.ok(steps.every((step, i) => step === i * steps[1]));
  }
});

test('a frame says that a run has diverged, and that a person’s value was too large for it', () => {
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

for (const [side, isSmall] of /** @type {const} */ ([
  [64, true],
  [65, false],
])) {
  test(`${side} × ${side} cells that play show ${isSmall ? 'their loss and next steps' : 'the loss before their last step alone'}`, () => {
    // At this rate, every step changes the loss.
    const optimizer = { learningRate: 1e-5 };
    const session = open('picture', { rows: side, cols: side, optimizer, beside: 'mask' });
    const loop = new Loop(session);
    const values = new Float32Array(side * side);
    loop.play(0);
    const before = performance.now();
    const frame = loop.frame(values);
    assert.ok(frame.engineTime >= 0 && frame.engineTime <= performance.now() - before);
    assert.ok(frame.isPlaying && frame.step > 0);
    assert.equal(frame.values, values, 'an array of an earlier frame is filled again');
    assert.deepEqual(values, session.main.values());
    assert.equal(frame.loss, isSmall ? session.main.loss() : session.lastLoss);
    assert.equal(frame.next?.length, isSmall ? side * side : undefined);
    assert.notEqual(session.main.loss(), session.lastLoss);
    loop.pause();
    const paused = loop.frame(new Float32Array(3));
    assert.deepEqual([paused.values.length, paused.loss], [side * side, session.main.loss()]);
  });
}
