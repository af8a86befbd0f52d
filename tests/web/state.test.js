/** The demo's state: what is valid, edits of locks, undo and redo, and masks as text. */

import assert from 'node:assert/strict';
import { cellsOf, layoutOf } from '../../web/scenes/layout.js';
import { test } from 'node:test';
import { CellEdits } from '../../web/app/cell-edits.js';
import { noise } from '../../web/scenes/shared/noise.js';
import { scenes } from '../../web/scenes/index.js';
import {
  fromText,
  isPackedMask,
  packMask,
  packValues,
  toText,
  unpackMask,
  unpackValues,
} from '../../web/state/codec.js';
import { Edits } from '../../web/state/edits.js';
import { firstState, isSameSetup, openingState, setupOf, validate } from '../../web/state/state.js';
import { update } from '../../web/state/update.js';
import { sceneOf } from './runs.js';

test('a valid patch changes what it names and nothing else', () => {
  const before = firstState();
  const { state, problems } = validate({ speed: 4, optimizer: { rule: 'sgd' } }, before);
  assert.deepEqual(problems, []);
  assert.deepEqual(state, { ...before, speed: 4, optimizer: { ...before.optimizer, rule: 'sgd' } });
  assert.ok(isSameSetup(before, state) && !isSameSetup(before, { ...before, seed: 2 }));
});

test('each invalid field is named, and keeps its fallback', () => {
  const before = firstState();
  const nonsense = {
    scene: '__proto__',
    choices: 7,
    rows: 2 ** 32,
    cols: 2.5,
    seed: -1,
    speed: 61,
    locks: [0, 1],
    selected: 4,
    brush: 2,
    logLoss: 1,
    theme: 'pink',
    beside: 'toString',
    rival: 'sgd',
    own: { rows: 1, cols: 1, values: [] },
    events: [{ do: 'dance', step: 0 }],
    step: -1,
  };
  const bad = [Number.NaN, -1, Infinity, '0.1', null, {}];
  for (const learningRate of bad) {
    const { state, problems } = validate({ ...nonsense, optimizer: { learningRate } }, before);
    assert.deepEqual(state, before);
    const fields = problems.map(({ field }) => field).sort();
    assert.deepEqual(fields, [...Object.keys(nonsense), 'learningRate'].sort());
  }
  for (const optimizer of [null, 'adam', { rule: 'toString' }, { momentum: 1 }]) {
    const { state, problems } = validate({ optimizer }, before);
    assert.deepEqual(state, before);
    assert.equal(problems.length, 1);
  }
});

test('each field takes what its description says, to the limits, and nothing beyond', () => {
  const own = (/** @type {number} */ rows, /** @type {number} */ cols) => ({
    ...{ rows, cols, values: new Float32Array(rows * cols) },
  });
  const before = openingState(sceneOf('own'));
  const cells = before.rows * before.cols;
  for (const [field, good, bad] of /** @type {[string, unknown[], unknown[]][]} */ ([
    ['version', [1], [0, 2]],
    ['rows', [2, 1024], [1, 1025]],
    ['cols', [2, 1024], [1, 1025]],
    ['seed', [0, 2 ** 32 - 1], [-1, 2 ** 32]],
    ['selected', [0, cells - 1], [-1, cells]],
    ['step', [0, 1e7], [-1, 1e7 + 1]],
    ['speed', [0, 4, 240], [1, 241]],
    ['brush', [1, 25], [0, 2]],
    ['own', [null, own(2, 128), own(128, 2)], [own(1, 2), own(2, 1), own(129, 2), own(2, 129)]],
    ['locks', [null, new Uint8Array(cells)], [new Uint8Array(cells + 1), [0]]],
  ])) {
    for (const value of [...good, ...bad]) {
      const { state, problems } = validate({ [field]: value }, before);
      const wanted = good.includes(value) ? [] : [{ field, given: value }];
      assert.deepEqual(problems, wanted, `${field}: ${value}`);
      assert.deepEqual(
        Reflect.get(state, field),
        wanted.length ? Reflect.get(before, field) : value,
      );
    }
  }
  for (const [name, high] of /** @type {const} */ ([
    ['learningRate', 1e6],
    ['momentum', 1],
    ['weightDecay', 1e3],
  ])) {
    for (const [value, count] of [
      [0, 0],
      [high * 0.999, 0],
      [high, 1],
      [-1e-9, 1],
    ])
      assert.equal(validate({ optimizer: { [name]: value } }, before).problems.length, count, name);
  }
});

test('bounds of cells are edits of scenes that take them, and of no other', () => {
  const events = [{ do: 'bound', index: 0, min: -1, max: 1, step: 0 }];
  for (const scene of scenes) {
    const { state, problems } = validate({ events }, openingState(scene));
    assert.deepEqual(state.events, scene.takesBounds ? events : [], scene.id);
    assert.equal(problems.length, scene.takesBounds ? 0 : 1, scene.id);
  }
  assert.equal(scenes.filter(({ takesBounds }) => takesBounds).length, 1);
});

test('another scene has its own settings, and keeps the display settings', () => {
  const before = { ...firstState(), logLoss: false, theme: /** @type {const} */ ('dark') };
  const { state } = validate({ scene: 'membrane' }, before);
  assert.equal(state.optimizer.rule, 'momentum');
  assert.equal(state.rows, 32);
  assert.equal(state.logLoss, false);
  assert.equal(state.theme, 'dark');
});

test('locks belong to a grid: another size drops them', () => {
  const locks = Uint8Array.of(1, 0, 0, 1);
  const held = validate({ locks }, firstState()).state;
  assert.equal(held.locks, locks);
  assert.equal(validate({ rows: 3 }, held).state.locks, null);
});

test('a choice makes the next state and its commands; another run leaves the state as it is', () => {
  const state = { ...firstState(), locks: Uint8Array.of(1, 0, 0, 0) };
  const change = (/** @type {Record<string, unknown>} */ patch, keepsLocks = true) =>
    update(state, { type: 'change', patch, keepsLocks });
  for (const [patch, commands] of /** @type {[Record<string, unknown>, unknown[]][]} */ ([
    [{ theme: 'dark', choices: { ...state.choices } }, []],
    [{ selected: 0 }, [{ type: 'select', index: 0 }]],
    [{ speed: 4 }, [{ type: 'play', speed: 4 }]],
    [{ beside: 'mask' }, [{ type: 'view', view: { beside: 'mask', rival: state.rival } }]],
  ]))
    assert.deepEqual(change(patch), {
      state: { ...state, ...patch },
      commands,
      problem: undefined,
    });
  for (const locks of [state.locks, null]) {
    const next = { ...state, seed: 2, locks };
    const commands = [{ type: 'open', state: next }];
    assert.deepEqual(change({ seed: 2 }, locks !== null), { state, commands, problem: undefined });
  }
  const [other] = /** @type {any[]} */ (change({ scene: 'digits' }, false).commands);
  assert.deepEqual(other.state, openingState(sceneOf('digits')));
});

test('a scene that opens with locks has them in each of its sizes and choices', () => {
  for (const [id, patch, count] of /** @type {[string, Record<string, any>, number][]} */ ([
    ['network', { rows: 4, cols: 4 }, 4],
    ['peaks', { choices: { noise: 'clean' } }, 1],
  ])) {
    const message = /** @type {const} */ ({ type: 'change', patch, keepsLocks: false });
    const [{ state }] = /** @type {any[]} */ (update(openingState(sceneOf(id)), message).commands);
    assert.equal(state.locks.length, cellsOf(layoutOf(sceneOf(id), setupOf(state))), id);
    assert.equal(state.locks.filter(Boolean).length, count, id);
  }
});

test('settings add to those on their way, and are the state’s once the engine has them', () => {
  const state = firstState();
  const coming = { ...state.optimizer, momentum: 0.5 };
  const patch = { weightDecay: 0.25 };
  const settings = { ...coming, ...patch };
  const asked = update(state, { type: 'optimizer', patch, coming });
  assert.deepEqual(asked, {
    state,
    commands: [{ type: 'do', act: { do: 'optimizer', settings } }],
  });
  const wrong = update(state, { type: 'optimizer', patch: { momentum: 1 }, coming });
  assert.deepEqual([wrong.state, wrong.commands], [state, []]);
  const opened = /** @type {any} */ ({ optimizer: settings, locks: Uint8Array.of(0, 1, 0, 0) });
  const later = { ...state, step: 7 };
  assert.deepEqual(update(later, { type: 'opened', opened }).state, {
    ...state,
    optimizer: settings,
  });
  const other = update(state, { type: 'opened', opened, asked: { ...later, seed: 5 } }).state;
  assert.deepEqual(other, { ...state, seed: 5, locks: opened.locks, optimizer: settings });
});

/** A person's edits of cells, the list of those that can be undone, and the state. @param {number[]} mask */
function editorOf(...mask) {
  /** @type {import('../../web/state/edits.js').Edit[]} */
  const edits = [];
  const anything = new Proxy({}, { get: () => async () => true });
  const state = { locks: Uint8Array.from(mask) };
  const update = (/** @type {object} */ message) => Object.assign(state, message);
  const app = { update, commands: anything, runs: anything, views: anything, edits };
  const editor = new CellEdits(/** @type {any} */ (app));
  editor.adopt(Uint8Array.from(mask));
  return { editor, edits, state };
}

test('the parts of a gesture are one edit, until other locks come or another gesture begins', () => {
  const { editor, edits, state } = editorOf(0, 0, 0, 0);
  editor.lock([0], true);
  editor.lock([1, 2], true, true);
  editor.lock([2], false, true);
  editor.adopt(Uint8Array.of(0, 0, 0, 1));
  editor.lock([0], true, true);
  editor.toggle(0, 2);
  editor.toggle(0, 2);
  const masks = edits.map(({ undo, redo }) => {
    undo();
    const before = state.locks.join('');
    redo();
    return `${before} ${state.locks.join('')}`;
  });
  assert.deepEqual(masks, ['0000 1100', '0001 1001', '1001 1101', '1101 0001']);
});

test('what changes no lock is no edit', () => {
  const { editor, edits } = editorOf(1, 1, 1, 1);
  editor.lockAll(true);
  editor.lock([0, 3], true);
  editor.isOpen = false;
  editor.invert();
  assert.deepEqual([edits, editor.mask.join('')], [[], '1111']);
});

test('undo and redo go one thing at a time, in order, however long each takes', async () => {
  /** @type {string[]} */
  const done = [];
  const edits = new Edits();
  const edit = (/** @type {string} */ name, /** @type {number} */ time) => {
    const act = (/** @type {string} */ what) => async () => {
      await new Promise((end) => setTimeout(end, time));
      done.push(`${what} ${name}`);
    };
    edits.push({ undo: act('undo'), redo: act('redo') });
  };
  edit('a', 0);
  edit('b', 30);
  edits.move('undo');
  edits.move('undo');
  assert.equal(edits.canUndo, false);
  await edits.move('redo');
  assert.deepEqual(done, ['undo b', 'undo a', 'redo a']);
  edit('c', 0);
  assert.equal(edits.canRedo, false, 'a new edit replaces the edit that was undone');
});

test('an undo that fails is reported, and those after it are done', async () => {
  /** @type {string[]} */
  const done = [];
  const edits = new Edits();
  edits.push({ undo: () => void done.push('first'), redo() {} });
  const undo = () => Promise.reject(new Error('no'));
  edits.push({ undo, redo() {} });
  await assert.rejects(edits.move('undo'), /no/);
  await edits.settled;
  await edits.move('undo');
  assert.deepEqual(done, ['first']);
});

test('an undo that returns false has not happened, and can be repeated', async () => {
  let isDone = false;
  const edits = new Edits();
  const act = () => isDone;
  edits.push({ undo: act, redo: act });
  await edits.move('undo');
  assert.deepEqual([edits.canUndo, edits.canRedo], [true, false]);
  isDone = true;
  await edits.move('undo');
  assert.deepEqual([edits.canUndo, edits.canRedo], [false, true]);
  isDone = false;
  await edits.move('redo');
  assert.deepEqual([edits.canUndo, edits.canRedo], [false, true]);
});

test('edits are kept within a limit of memory, the latest always', () => {
  for (const size of [4, 40, 99]) {
    const edits = new Edits();
    for (let i = 0; i < 100; i++) edits.push({ undo() {}, redo() {}, bytes: size << 20 });
    let count = 0;
    for (; edits.canUndo; count++) edits.move('undo');
    assert.equal(count, size > 4 ? 1 : 16, `${size} MiB each`);
  }
});

test('masks, bytes and numbers come back from text as they were; other text is refused', () => {
  for (let size = 0; size < 40; size++) {
    const draws = noise(size, size, 1);
    const mask = Uint8Array.from(draws, (value) => (value > 0.2 ? 1 : 0));
    const packed = packMask(mask);
    assert.deepEqual(fromText(toText(packed)), packed);
    assert.deepEqual(unpackMask(packed, size), mask);
    assert.equal(unpackMask(packed, size + 1), null);
    assert.deepEqual(unpackValues(packValues(draws)), draws);
  }
  const large = new Uint8Array(1 << 20).fill(1, 1000, 900_000);
  assert.ok(packMask(large).length < 12);
  assert.deepEqual(unpackMask(packMask(large), large.length), large);
  assert.equal(fromText('a b'), null);
  assert.equal(unpackValues('AAA'), null);
  for (const damaged of [[255, 255, 255, 255, 127], [4, 128], [128, 4, 0, 1], []]) {
    assert.equal(unpackMask(Uint8Array.from(damaged), 4), null, `${damaged}`);
    assert.equal(isPackedMask(Uint8Array.from(damaged), 4), false, `${damaged}`);
  }
  assert.ok(isPackedMask(Uint8Array.of(0, 3, 1), 4));
});
