/** The demo's parts that need no browser: state, locks, numbers as text, the thinned trace, scenes as data. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEVELS, levelOf, makePalette } from 'gradlock/grid';
import { reachOf, scenes } from '../../web/scenes/index.js';
import { cellsOf, layoutOf } from '../../web/scenes/layout.js';
import { lessons } from '../../web/scenes/lessons.js';
import { Edits } from '../../web/state/edits.js';
import { LockEditor } from '../../web/state/lock-editor.js';
import { firstState, openingState, validate } from '../../web/state/state.js';
import {
  fromText,
  packMask,
  packValues,
  toText,
  unpackMask,
  unpackValues,
} from '../../web/state/codec.js';
import { readCsv } from '../../web/state/own.js';
import { atan2, cos, exp, sin } from '../../web/scenes/maths.js';
import { noise } from '../../web/scenes/noise.js';
import { de } from '../../web/strings/de.js';
import { en } from '../../web/strings/en.js';
import { strings } from '../../web/strings.js';
import { formatBits, formatNumber, formatValue, parseNumber } from '../../web/view/format.js';
import { LossTrace } from '../../web/view/trace.js';

test('a valid patch changes what it names and nothing else', () => {
  const before = firstState();
  const { state, problems } = validate({ speed: 4, optimizer: { rule: 'sgd' } }, before);
  assert.deepEqual(problems, []);
  assert.deepEqual(state, { ...before, speed: 4, optimizer: { ...before.optimizer, rule: 'sgd' } });
});

test('whatever is not valid is named, and the fallback stands', () => {
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

test('another scene brings its own settings, and keeps the way of looking', () => {
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

/** Every combination of a scene's choices. @param {Record<string, string[]>} choices @returns {Record<string, string>[]} */
const combinations = (choices) =>
  Object.entries(choices).reduce(
    (all, [name, values]) =>
      all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [/** @type {Record<string, string>} */ ({})],
  );

/** Data that comes from a file is the browser's to load. */
const plain = scenes.filter(({ load }) => !load);

test('every scene has words, valid settings, a tour of five steps', () => {
  for (const scene of scenes) {
    const words = strings.scenes[scene.id];
    assert.ok(words, `strings know ${scene.id}`);
    assert.deepEqual(validate({ ...openingState(scene) }, firstState()).problems, []);
    for (const [name, values] of Object.entries(scene.choices)) {
      for (const value of values)
        assert.ok(words.choices?.[name].names[value], `${value} has a name`);
    }
    assert.equal(words.lesson.length, 5, scene.id);
    assert.equal(lessons[scene.id].length, 5, scene.id);
  }
});

test('the same setup gives the same start, which fits its layout and its colours', () => {
  for (const scene of plain) {
    for (const choices of combinations(scene.choices)) {
      for (const [rows, cols] of scene.sizes.filter(([side]) => side <= 64)) {
        const setup = { rows, cols, choices, seed: 7, own: null };
        const count = cellsOf(layoutOf(scene, setup));
        const start = scene.start(setup);
        assert.equal(start.length, count);
        assert.deepEqual(scene.start(setup), start);
        assert.equal(scene.locks(setup).length, count);
        const target = scene.target?.(setup) ?? start;
        assert.equal(target.length, count);
        assert.ok(
          target.every((value) => Math.abs(value) <= reachOf(scene, setup)),
          scene.id,
        );
      }
    }
  }
});

/** @param {number} rows @param {number} cols */
const layout = (rows, cols) => [{ name: 'x', rows, cols, offset: 0 }];

/** @param {Uint8Array} mask @param {number} cols */
const picture = (mask, cols) =>
  [...mask].map((bit, i) => (bit ? '#' : '.') + ((i + 1) % cols ? '' : '\n')).join('');

test('a rectangle may shrink again within its gesture, and is one edit', () => {
  /** @type {import('../../web/state/lock-editor.js').LockEdit[]} */
  const edits = [];
  const editor = new LockEditor((_, edit) => edit && edits.push(edit));
  editor.open(layout(3, 4), new Uint8Array(12));
  editor.toggle(0);
  editor.extend(0, 10);
  editor.extend(0, 5);
  editor.endGesture();
  assert.equal(picture(editor.mask, 4), '##..\n##..\n....\n');
  assert.equal(edits.length, 2);
  assert.equal(picture(edits[1].before, 4), '#...\n....\n....\n');
  assert.deepEqual(edits[1].after, editor.mask);
});

test('a stroke with a brush is cut off at the border, and is one edit', () => {
  /** @type {import('../../web/state/lock-editor.js').LockEdit[]} */
  const edits = [];
  const editor = new LockEditor((_, edit) => edit && edits.push(edit));
  editor.open(layout(4, 6), new Uint8Array(24));
  editor.beginStroke(0, 3);
  editor.continueStroke(3, 3);
  editor.endGesture();
  assert.equal(picture(editor.mask, 6), '#####.\n#####.\n......\n......\n');
  assert.deepEqual(edits, [{ before: new Uint8Array(24), after: editor.mask }]);
});

test('what changes nothing is no edit', () => {
  const editor = new LockEditor(() => assert.fail('no change'));
  editor.open(layout(2, 2), Uint8Array.of(1, 1, 1, 1));
  editor.setAll(true);
  editor.extend(0, 3);
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
  edits.undo();
  edits.undo();
  assert.equal(edits.canUndo, false);
  await edits.redo();
  assert.deepEqual(done, ['undo b', 'undo a', 'redo a']);
  edit('c', 0);
  assert.equal(edits.canRedo, false, 'what was done anew takes the place of what was undone');
});

test('edits are remembered as far as memory is given them, the latest ever', () => {
  const edits = new Edits();
  for (let i = 0; i < 100; i++) edits.push({ undo() {}, redo() {}, bytes: 4 << 20 });
  let count = 0;
  for (; edits.canUndo; count++) edits.undo();
  assert.equal(count, 4);
});

test('numbers read as people write them', () => {
  const table = /** @type {[number, string][]} */ ([
    [0, '0'],
    [-0.5, '−0.5000'],
    [7.5, '7.5000'],
    [327.81, '327.81'],
    [12724.7, '12724.7'],
    [0.00000763, '7.63·10⁻⁶'],
    [1e30, '1.00·10³⁰'],
    [Number.NaN, 'NaN'],
    [-Infinity, '−∞'],
  ]);
  for (const [value, text] of table) assert.equal(formatNumber(value), text);
  assert.equal(formatValue(-0.004, 2), '0.00');
  assert.equal(formatValue(-123456, 2), '−1.2·10⁵');
  assert.equal(formatBits(-0), '80000000');
  assert.equal(parseNumber(' −0,5 '), -0.5);
  for (const text of ['', ' ', '-', 'abc', '1 2', '0.1.2']) {
    assert.ok(Number.isNaN(parseNumber(text)), `"${text}" is no number`);
  }
});

test('a long trace stays short, begins at the start and ends at the end', () => {
  const trace = new LossTrace();
  for (let step = 0; step <= 100_000; step++) trace.add(step, 100_000 - step);
  trace.add(100_000, 0.5);
  assert.ok(trace.steps.length < 1700);
  assert.equal(trace.steps.length, trace.losses.length);
  assert.equal(trace.steps[0], 0);
  assert.equal(trace.last, 100_000);
  assert.equal(trace.losses.at(-1), 0.5);
  assert.ok(trace.steps.every((step, i) => i === 0 || step > trace.steps[i - 1]));
  trace.add(100_001, Number.NaN);
  assert.equal(trace.losses.at(-1), null);
});

test('drift is looked at less often than the loss, and is not lost between', () => {
  const trace = new LossTrace();
  for (let step = 0; step <= 20_000; step++) {
    trace.add(step, 1, 2);
    if (step % 100 === 0) trace.add(step, 1, 2, step / 20_000);
  }
  assert.equal(trace.drifts.length, trace.steps.length);
  const seen = trace.drifts.flatMap((drift, i) =>
    drift === null ? [] : [[trace.steps[i], drift]],
  );
  assert.ok(seen.length > 50);
  for (const [step, drift] of seen) assert.ok(Math.abs(drift - step / 20_000) < 0.01);
});

test('numbers on cells have a contrast of at least 4.5 : 1, light and dark', () => {
  for (const isDark of [false, true]) {
    const palette = makePalette(isDark);
    palette.css.forEach((css, level) => {
      const rgb = /** @type {number[]} */ (css.match(/\d+/g)?.map(Number));
      const linear = rgb.map((c) =>
        c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4,
      );
      const light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
      const contrast = palette.isDark[level] ? 1.05 / (light + 0.05) : (light + 0.05) / 0.05;
      assert.ok(contrast >= 4.5, `level ${level}: ${contrast.toFixed(2)}`);
    });
  }
});

test('every value has a level of the scale, and what is no number its own', () => {
  assert.equal(levelOf(0, 1), (LEVELS - 1) / 2);
  assert.equal(levelOf(-9, 1), 0);
  assert.equal(levelOf(Infinity, 1), LEVELS - 1);
  assert.equal(levelOf(Number.NaN, 1), LEVELS);
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
  assert.equal(unpackMask(Uint8Array.of(255, 255, 255, 255, 127), 4), null);
});

test('a table of numbers is read as people write them', () => {
  const values = (/** @type {string} */ text) => {
    const result = readCsv(text);
    return 'own' in result ? [...result.own.values] : result.problem;
  };
  assert.deepEqual(values('1,2\n3,4'), [1, 2, 3, 4]);
  assert.deepEqual(values(' 1  2 \r\n\r\n 3\t4 '), [1, 2, 3, 4]);
  assert.deepEqual(values('1 2\n3'), 'ragged');
  assert.deepEqual(values('1,5;2\n3;−4'), [1.5, 2, 3, -4]);
  assert.deepEqual(values('1,\n2,3'), 'notANumber');
  assert.deepEqual(values('1 2\n3 Infinity'), 'notANumber');
  assert.deepEqual(values('\n'), 'empty');
});

test('sines, exponentials and angles of our own are those of mathematics', () => {
  for (const x of noise(500, 3, 30)) {
    assert.ok(Math.abs(sin(x) - Math.sin(x)) < 1e-12, `sin ${x}`);
    assert.ok(Math.abs(cos(x) - Math.cos(x)) < 1e-12, `cos ${x}`);
    assert.ok(Math.abs(exp(x) / Math.exp(x) - 1) < 1e-12, `exp ${x}`);
    const y = sin(7 * x);
    assert.ok(Math.abs(atan2(y, x / 9) - Math.atan2(y, x / 9)) < 1e-12, `atan2 ${y}, ${x / 9}`);
  }
  for (const [y, x] of [
    [0, 1],
    [0, -1],
    [1, 0],
    [-1, 0],
    [0, 0],
  ]) {
    assert.ok(Math.abs(atan2(y, x) - Math.atan2(y, x)) < 1e-12);
  }
});

test('every language has every word', () => {
  /** @param {unknown} a @param {unknown} b @param {string} path */
  const compare = (a, b, path) => {
    assert.equal(typeof b, typeof a, path);
    if (typeof a !== 'object' || a === null) return;
    const keys = Object.keys(a);
    assert.deepEqual(Object.keys(/** @type {object} */ (b)), keys, path);
    for (const key of keys)
      compare(Reflect.get(a, key), Reflect.get(/** @type {object} */ (b), key), `${path}.${key}`);
  };
  compare(en, de, 'strings');
});
