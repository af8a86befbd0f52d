/**
 * Drags in the demo's engine: a drag has a holder of its own, and replays to the bit.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeDrag } from '../../web/scenes/graph/drag.js';
import { packMask } from '../../web/state/codec.js';
import { fromFile, toFile } from '../../web/state/file.js';
import { MAX_EVENTS, WRITE } from '../../web/state/history.js';
import { fromLink, toLink } from '../../web/state/link.js';
import { openingState, validate } from '../../web/state/state.js';
import { openSession, sceneOf } from './runs.js';

/** @typedef {import('../../web/state/history.js').Event} Event */
/** @typedef {import('../../web/state/history.js').Act} Act */
/** @typedef {import('../../web/engine/session.js').Session} Session */
/** @typedef {import('../../web/state/state.js').State} State */

/** @param {Partial<State>} [patch] */
function open(patch = {}, id = 'graph') {
  const state = { ...openingState(sceneOf(id)), ...patch };
  return { session: openSession(state), state };
}

/** @param {Session} session @param {...Act} acts */
function act(session, ...acts) {
  for (const one of acts) session.do(one);
}

/** A link's whole way, there and back. @param {Session} session @param {State} state */
function linked(session, state) {
  const link = toLink({ ...state, ...session.recipe() });
  const { state: read, problems } = validate(fromLink(link) ?? {}, openingState(sceneOf('graph')));
  assert.deepEqual(problems, []);
  return { read, link };
}

/** All that may differ between two ways to the same run. @param {Session} session */
const all = (session) => ({
  step: session.step,
  digest: session.main.digest(),
  rival: session.rival?.digest(),
  mask: [...session.main.locks()],
  drift: driftOf(session),
});

const HELD = { moved: 0, farthest: 0, audited: 0 };
const NODE = [10, 11];
const PINNED = [0, 1];
const POSITION = [0.125, -0.5];

/** @param {Session} session */
const draggedValues = ({ main }, cells = NODE) => cells.map((cell) => main.values()[cell]);
/** @param {Session} session */
const driftOf = ({ main }) => main.drift(main.values());

/** A drag that goes on while it trains, of a free node and of a pinned one. @param {Session} session */
function drag(session) {
  /** The exact state after each part. */
  const checkpoints = [session.checkpoint()];
  const part = (/** @type {number} */ steps, /** @type {Act[]} */ ...acts) => {
    act(session, ...acts);
    checkpoints.push(session.checkpoint());
    session.advance(steps);
    checkpoints.push(session.checkpoint());
  };
  part(5);
  part(4, { do: 'hold', cells: NODE }, { do: WRITE, values: [0.3, 0.3] });
  part(6, { do: WRITE, values: POSITION }, { do: WRITE, values: [0.4, -0.6] });
  part(3, { do: 'release' });
  part(2, { do: 'hold', cells: PINNED }, { do: WRITE, values: [-0.9, 0.7] });
  part(7, { do: 'release' });
  return checkpoints;
}

for (const beside of /** @type {const} */ (['none', 'mask', 'rule'])) {
  test(`beside ${beside}: training moves all but the dragged node, which then springs back`, () => {
    const { session } = open({ beside });
    session.advance(200);
    const before = session.main.values();
    act(session, { do: 'hold', cells: NODE }, { do: WRITE, values: POSITION });
    session.advance(20);
    for (const run of [session.main, beside === 'rule' ? session.rival : null]) {
      if (!run) continue;
      const now = run.values();
      assert.deepEqual(
        [...NODE].map((cell) => now[cell]),
        POSITION,
      );
      const free = [...now.keys()].filter((cell) => !run.mask[cell] && !NODE.includes(cell));
      assert.ok(free.every((cell) => now[cell] !== before[cell]));
      assert.deepEqual(run.drift(now), HELD);
    }
    act(session, { do: 'release' });
    session.advance(1);
    assert.notEqual(session.main.values()[NODE[0]], POSITION[0]);
    session.advance(300);
    for (const [i, value] of draggedValues(session).entries())
      assert.ok(Math.abs(value - before[NODE[i]]) < 0.02, `${value}`);
    assert.deepEqual(driftOf(session), HELD);
  });
}

test('beside a mask, where nothing carries them on, what is held stays as well', () => {
  const optimizer = { rule: 'sgd', learningRate: 0.001, momentum: 0.9, weightDecay: 0 };
  const { session } = open(/** @type {any} */ ({ beside: 'mask', optimizer }));
  act(session, { do: 'hold', cells: NODE }, { do: WRITE, values: POSITION });
  session.advance(5);
  assert.deepEqual(
    NODE.map((cell) => session.rival?.values()[cell]),
    POSITION,
  );
  act(session, { do: 'release' });
  session.advance(1);
  assert.notEqual(session.rival?.values()[NODE[0]], POSITION[0]);
});

test('a drag never is a lock: the person’s are the same before, during and after it', () => {
  const { session } = open();
  const usual = [...session.main.locks()];
  const during = () => {
    assert.deepEqual([...session.main.locks()], usual);
    assert.deepEqual([...session.main.mask], usual);
    assert.equal(session.recipe().locks, null);
  };
  act(session, { do: 'hold', cells: NODE });
  during();
  act(session, { do: WRITE, values: POSITION });
  session.advance(3);
  during();
  // Locks that are set meanwhile take nothing of the drag with them, and add nothing to it.
  const more = Uint8Array.from(usual, (bit, i) => (i === 20 ? 1 : bit));
  session.do({ do: 'locks', mask: packMask(more) });
  session.do({ do: 'locks', mask: packMask(Uint8Array.from(usual)) });
  during();
  session.advance(3);
  assert.deepEqual(draggedValues(session), POSITION);
  act(session, { do: 'release' });
  during();
});

for (const to of /** @type {const} */ (['mask', 'lock'])) {
  test(`a drag goes on through a switch to ${to}, and ends when it lets go`, () => {
    const optimizer = { rule: 'sgd', learningRate: 0.001, momentum: 0.9, weightDecay: 0 };
    const { session } = open(/** @type {any} */ ({ optimizer }));
    if (to === 'lock') session.do({ do: 'switch', to: 'mask' });
    act(session, { do: 'hold', cells: NODE }, { do: WRITE, values: POSITION });
    session.advance(2);
    session.do({ do: 'switch', to });
    session.advance(2);
    const now = () => NODE.map((cell) => session.main.values()[cell]);
    assert.deepEqual(now(), POSITION);
    act(session, { do: 'release' });
    session.advance(1);
    assert.notDeepEqual(now(), POSITION);
  });
}

test('a node that is pinned before or during its drag stays pinned where the drag ends', () => {
  const { session } = open();
  act(session, { do: 'hold', cells: PINNED }, { do: WRITE, values: POSITION });
  session.advance(4);
  act(session, { do: 'release' });
  session.advance(9);
  assert.deepEqual(draggedValues(session, PINNED), POSITION);
  assert.deepEqual(driftOf(session), HELD);
  act(session, { do: 'hold', cells: NODE }, { do: WRITE, values: [0.5, 0.25] });
  const mask = session.main.mask.map((bit, i) => (NODE.includes(i) ? 1 : bit));
  session.do({ do: 'locks', mask: packMask(mask) });
  act(session, { do: 'release' });
  session.advance(9);
  assert.deepEqual(draggedValues(session), [0.5, 0.25]);
  assert.deepEqual(driftOf(session), HELD);
  // A node that is unpinned during its drag stays held until the drag ends.
  act(session, { do: 'hold', cells: NODE });
  session.do({ do: 'locks', mask: packMask(mask.map((bit, i) => (NODE.includes(i) ? 0 : bit))) });
  session.advance(3);
  assert.deepEqual(draggedValues(session), [0.5, 0.25]);
  act(session, { do: 'release' });
  session.advance(1);
  assert.notEqual(session.main.values()[NODE[0]], 0.5);
});

test('a pinned node that was dragged before the first step starts there after a reset', () => {
  const { session } = open();
  act(session, { do: 'hold', cells: PINNED }, { do: WRITE, values: POSITION }, { do: 'release' });
  session.advance(3);
  session.reset();
  assert.deepEqual([session.step, ...draggedValues(session, PINNED)], [0, ...POSITION]);
});

test('the drift check finds a pinned node that no drag moved', () => {
  const { session } = open();
  act(session, { do: 'hold', cells: NODE }, { do: WRITE, values: POSITION });
  const values = session.main.values();
  values[PINNED[0]] += 0.5;
  assert.equal(session.main.drift(values).moved, 1);
  // Under a mask, momentum moves nodes that are pinned later; a drag of another changes no count.
  const { session: leaking } = open({ beside: 'mask' });
  leaking.advance(5);
  const lock = () => leaking.do({ do: 'locks', mask: packMask(new Uint8Array(32).fill(1)) });
  lock();
  leaking.advance(5);
  const moved = () => leaking.rival?.drift(leaking.rival.values()).moved ?? 0;
  const before = moved();
  assert.ok(before > 2);
  lock();
  assert.equal(moved(), before, 'locks that come later forget nothing');
  act(leaking, { do: 'hold', cells: NODE }, { do: WRITE, values: POSITION });
  assert.equal(moved(), before - 2);
});

for (const beside of /** @type {const} */ (['none', 'mask', 'rule'])) {
  test(`beside ${beside}: replay, link and file lead to the same bits, from every checkpoint of a drag`, () => {
    const { session, state } = open({ beside });
    const checkpoints = drag(session);
    const end = all(session);
    const { events, step } = session;
    const moved = session.rival?.drift(session.rival.values()).moved;
    session.replay(step);
    assert.deepEqual(all(session), end, 'replay');
    const { read } = linked(session, state);
    const there = open(read).session;
    assert.deepEqual(all(there), end, 'link');
    for (const [i, checkpoint] of checkpoints.entries()) {
      const file = fromFile(toFile({ ...state, ...session.recipe() }, checkpoint));
      assert.ok(file?.checkpoint);
      there.events = events;
      // What comes before that checkpoint cannot be done again: only the state leads to the end.
      const first = there.problem.start.fill(0);
      for (const _ of there.open(step, file.checkpoint));
      first.set(session.problem.start);
      assert.deepEqual(all(there), end, `file, checkpoint ${i}`);
      assert.equal(there.rival?.drift(there.rival.values()).moved, moved, `checkpoint ${i}`);
    }
  });
}

test('a drag that is taken back gives the bits back, and those after it', () => {
  const [one, two] = [open({ beside: 'mask' }).session, open({ beside: 'mask' }).session];
  for (const session of [one, two]) session.advance(8);
  const before = one.main.values();
  act(one, { do: 'hold', cells: NODE }, { do: WRITE, values: POSITION }, { do: 'release' });
  assert.notEqual(one.main.digest(), two.main.digest());
  const values = NODE.map((cell) => before[cell]);
  act(one, { do: 'hold', cells: NODE }, { do: WRITE, values }, { do: 'release' });
  assert.deepEqual(all(one), all(two));
  for (const session of [one, two]) session.advance(8);
  assert.equal(one.main.digest(), two.main.digest());
});

test('of positions at one step only the last is kept, and a release of nothing is not', () => {
  const { session, state } = open();
  act(session, { do: 'release' }, { do: 'hold', cells: NODE });
  for (let i = 0; i < 100; i++) act(session, { do: WRITE, values: [i / 100, 0.5] });
  session.advance(1);
  act(session, { do: WRITE, values: [0.25, 0.5] }, { do: 'release' }, { do: 'release' });
  assert.match(linked(session, state).link, /log=0h10,11~0m0.99,0.5~1m0.25,0.5~1r$/);
});

test('no drag goes on in a run that is opened, rewound or restored', () => {
  const { session, state } = open();
  session.advance(2);
  act(session, { do: 'hold', cells: NODE }, { do: WRITE, values: POSITION });
  session.advance(2);
  const { digest } = all(session);
  session.replay(session.step);
  assert.equal(session.main.digest(), digest, 'a replay begins without one');
  const { read } = linked(session, state);
  const cached = session.toCache();
  const moves = (/** @type {Session} */ one) => {
    const at = one.main.values()[NODE[0]];
    assert.equal(at, POSITION[0]);
    one.advance(1);
    return one.main.values()[NODE[0]] !== at;
  };
  assert.ok(!moves(session), 'it is held as long as the drag lasts');
  session.fromCache(cached);
  assert.equal(session.main.digest(), digest);
  assert.ok(moves(session), 'cached');
  session.fromCache(cached);
  session.rewind(3);
  assert.ok(moves(session), 'rewound');
  const { session: there, state: same } = open(read);
  assert.equal(there.main.digest(), digest);
  assert.ok(moves(there), 'opened');
  assert.deepEqual(linked(there, same).read.events.at(-1), { step: 4, do: 'release' });
});

/** What a link or a caller may not ask for. @type {[string, string, Act[]][]} */
const refused = [
  ['a cell that is none', '0h9999', [{ do: 'hold', cells: [9999] }]],
  ['a cell below 0', '0h-1', [{ do: 'hold', cells: [-1] }]],
  ['half a cell', '0h1.5', [{ do: 'hold', cells: [1.5] }]],
  ['a cell twice', '0h3,3', [{ do: 'hold', cells: [3, 3] }]],
  ['cells in no order', '0h4,3', [{ do: 'hold', cells: [4, 3] }]],
  ['no cells', '0h', [{ do: 'hold', cells: [] }]],
  ['a position without a hold', '0m1,1', [{ do: WRITE, values: [1, 1] }]],
  ['one number without a hold', '0m1', [{ do: WRITE, values: [1] }]],
  ['no number', '0h3,4~0m1,x', [{ do: WRITE, values: [1, Number.NaN] }]],
  ['no finite number', '0h3,4~0mInfinity,1', [{ do: WRITE, values: [Infinity, 1] }]],
  ['what a float cannot hold', '0h3,4~0m1e300,1', [{ do: WRITE, values: [1e300, 1] }]],
  ['too few numbers', '0h3,4~0m1', [{ do: WRITE, values: [1] }]],
  ['too many', '0h3,4~0m1,1,1', [{ do: WRITE, values: [1, 1, 1] }]],
  ['a position after the release', '0h3,4~0r~0m1,1', [{ do: WRITE, values: [1, 1] }]],
];

for (const [what, log, acts] of refused) {
  test(`${what} is refused: a link tells of it and opens without it, a call changes nothing`, () => {
    const candidate = fromLink(`scene=graph&step=4&log=${log}`) ?? {};
    const { state, problems } = validate(candidate, openingState(sceneOf('graph')));
    assert.deepEqual(
      problems.map(({ field }) => field),
      ['events'],
    );
    // What comes before it stays.
    const good = log.split('~').slice(0, -1).join('~');
    const kept = good ? fromLink(`scene=graph&step=4&log=${good}`)?.events : [];
    assert.deepEqual(state.events, kept);
    const { session } = open({ beside: 'mask' });
    if (log.startsWith('0h3,4') && !log.includes('r')) act(session, { do: 'hold', cells: [3, 4] });
    const before = [all(session), session.events];
    assert.throws(() => act(session, ...acts), RangeError);
    assert.deepEqual([all(session), session.events], before);
  });
}

test('a file whose drag is damaged opens by its fields, and one from before drags by its state', () => {
  const { session, state } = open();
  drag(session);
  act(session, { do: 'hold', cells: NODE });
  const text = toFile({ ...state, ...session.recipe() }, session.checkpoint());
  assert.deepEqual(fromFile(text)?.checkpoint?.dragged, NODE);
  const json = JSON.parse(text);
  for (const dragged of [[9999], [1, 0], 'all', { length: 2 }, [Number.NaN], 7, null]) {
    const run = fromFile(JSON.stringify({ ...json, checkpoint: { ...json.checkpoint, dragged } }));
    assert.ok(run?.candidate, String(dragged));
    assert.equal(run.checkpoint, null, String(dragged));
  }
  const { dragged, ...older } = json.checkpoint;
  assert.ok(dragged);
  assert.deepEqual(
    fromFile(JSON.stringify({ ...json, checkpoint: older }))?.checkpoint?.dragged,
    [],
  );
});

test('a drag sends its last position, rounded, before it ends, and nothing if nothing moved', () => {
  /** @type {unknown[]} */
  const told = [];
  const nodeDrag = new NodeDrag({
    hold: (cells) => told.push(['hold', ...cells]),
    writeDragged: (values) => told.push(['write', ...values]),
    release: () => told.push(['release']),
  });
  nodeDrag.move([1, 1]);
  nodeDrag.end();
  assert.deepEqual(told, [], 'no drag');
  nodeDrag.start(3, [0.25, 0.5]);
  nodeDrag.move([0.2500001, 0.5]);
  nodeDrag.end();
  nodeDrag.start(3, [0.25, 0.5]);
  for (let i = 1; i <= 10; i++) nodeDrag.move([i / 30, -i / 70]);
  nodeDrag.start(3, [9, 9]);
  nodeDrag.start(4, [0, 0]);
  nodeDrag.end();
  assert.deepEqual(told, [
    ...[['hold', 6, 7], ['release']],
    ...[['hold', 6, 7], ['write', 0.333, -0.143], ['release']],
    ...[['hold', 8, 9], ['release']],
  ]);
});

test('a drag sends its positions 40 ms apart, and the last at once when it ends', (t) => {
  let now = 1000;
  t.mock.method(performance, 'now', () => now);
  /** @type {Map<number, { due: number, call: () => void }>} */
  const timers = new Map();
  let count = 0;
  t.mock.method(
    globalThis,
    'setTimeout',
    (/** @type {() => void} */ call, /** @type {number} */ time) => {
      timers.set(++count, { due: now + time, call });
      return count;
    },
  );
  t.mock.method(globalThis, 'clearTimeout', (/** @type {number} */ id) => timers.delete(id));
  const wait = (/** @type {number} */ time) => {
    for (const end = now + time; now < end; now++)
      for (const [id, { due, call }] of timers) if (due <= now && timers.delete(id)) call();
  };
  /** @type {unknown[]} */
  const told = [];
  const writeDragged = (/** @type {readonly number[]} */ [x]) => told.push([x, now - 1000]);
  const nodeDrag = new NodeDrag({ hold() {}, writeDragged, release() {} });
  nodeDrag.start(0, [0, 0]);
  for (const x of [1, 2, 3]) {
    nodeDrag.move([x, 0]);
    wait(10);
  }
  nodeDrag.end();
  nodeDrag.start(1, [0, 0]);
  nodeDrag.move([4, 0]);
  wait(100);
  assert.deepEqual(told, [
    [1, 0],
    [3, 30],
    [4, 70],
  ]);
});

test('another graph opens with its own pins, whatever was locked in the last', () => {
  const scene = sceneOf('graph');
  const locks = new Uint8Array(32).fill(1);
  const { state } = validate({ choices: { graph: 'club' } }, { ...openingState(scene), locks });
  assert.equal(state.locks, null);
  assert.equal(validate({ seed: 2 }, { ...openingState(scene), locks }).state.locks, locks);
});

test('a run takes no more edits than a link or a file may hold, and a drag ends even then', () => {
  const { session, state } = open();
  act(session, { do: 'hold', cells: [0, 1] });
  session.advance(1);
  const write = /** @type {Event} */ ({ do: WRITE, values: [0.5, 0.5], step: session.step });
  session.events = [...session.events, ...new Array(MAX_EVENTS - 2).fill(write)];
  session.advance(1);
  const before = all(session);
  assert.throws(
    () => act(session, { do: WRITE, values: [0.25, 0.25] }),
    /RangeError: a run keeps 100,000 edits at most; reset it/,
  );
  assert.deepEqual(all(session), before, 'nothing has changed');
  act(session, { do: 'release' });
  assert.equal(session.events.length, MAX_EVENTS);
  const { problems } = validate({ ...state, ...session.recipe() }, openingState(sceneOf('graph')));
  assert.deepEqual(problems, []);
});
