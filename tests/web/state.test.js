/** The demo's parts that need no browser: state, locks, numbers as text, the thinned trace, scenes as data. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LEVELS, levelOf, makePalette } from 'gradlock/grid';
import { guesses } from '../../web/scenes/guesses.js';
import { findScene, reachOf, scenes } from '../../web/scenes/index.js';
import { cellsOf, layoutOf } from '../../web/scenes/layout.js';
import { lessons } from '../../web/scenes/lessons.js';
import { Edits } from '../../web/state/edits.js';
import { LockEditor } from '../../web/state/locks.js';
import { firstState, openingState, setupOf, validate } from '../../web/state/state.js';
import {
  fromText,
  isPackedMask,
  packMask,
  packValues,
  toText,
  unpackMask,
  unpackValues,
} from '../../web/state/codec.js';
import { atan2, cos, exp, sin } from '../../web/scenes/maths.js';
import { noise } from '../../web/scenes/noise.js';
import { draw, pictures } from '../../web/scenes/pictures.js';
import { de } from '../../web/strings/de.js';
import { en } from '../../web/strings/en.js';
import { languages, missingWords, strict, strings } from '../../web/strings/index.js';
import { imageOf } from '../../web/figures/ink.js';
import { overlap, placeLabels } from '../../web/figures/labels.js';
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

test('each field takes what its description says, to the limits, and nothing beyond', () => {
  const own = (/** @type {number} */ rows, /** @type {number} */ cols) => ({
    ...{ rows, cols, values: new Float32Array(rows * cols) },
  });
  const before = openingState(
    /** @type {import('../../web/scenes/scene.js').Scene} */ (findScene('own')),
  );
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
    const state = openingState(scene);
    for (const tag of languages) assert.deepEqual(missingWords(scene, setupOf(state), tag), []);
    assert.deepEqual(validate({ ...state }, firstState()).problems, []);
    assert.equal(strings.scenes[scene.id].lesson.length, 5, scene.id);
    const parts = layoutOf(scene, setupOf(state));
    const { study } = scene;
    const planned = /** @type {any} */ (study?.runs(setupOf(state), state.optimizer) ?? []);
    const runs = study?.isAsked ? [] : [...planned];
    if (runs.length) assert.equal(runs.length, study?.count);
    const isGrid = parts.some(({ rows, cols }) => rows === state.rows && cols === state.cols);
    assert.ok(isGrid || state.rows === state.cols, `${scene.id}: it opens with a grid or a square`);
    const sides = scene.sizes.map(([rows]) => rows);
    assert.ok(
      sides.every((side) => side <= 16 || sides.includes(side / 2)),
      'sizes double',
    );
    assert.equal(lessons[scene.id].length, 5, scene.id);
    for (const tag of [en, de]) {
      assert.equal('guess' in tag.scenes[scene.id], scene.id in guesses, `${scene.id}: guess`);
    }
  }
});

test('a step of a tour trains as many steps as its text says, in every language', () => {
  let count = 0;
  for (const words of [en, de]) {
    for (const [id, texts] of Object.entries(words.scenes)) {
      for (const [i, text] of texts.lesson.entries()) {
        const [, said] = /^Train(?:iere)? ([\d.,]+) (?:steps|Schritte)/.exec(text) ?? [];
        if (!said) continue;
        const acts = lessons[id][i].acts ?? [];
        const trained = acts.map((act) => ('train' in act ? act.train : 0));
        assert.deepEqual(trained, [Number(said.replace(/[.,]/, ''))], `${id}: ${text}`);
        count++;
      }
    }
  }
  assert.equal(count, 14);
});

test('a word that is missing is an error that names its key and its file', () => {
  const words = strict({ scenes: { checkers: { name: 'Checkers', lesson: ['One'] } } }, 'de');
  const checkers = /** @type {any} */ (words.scenes.checkers);
  assert.equal(checkers.name, 'Checkers');
  assert.deepEqual([...checkers.lesson], ['One']);
  assert.equal('lede' in checkers, false);
  assert.throws(() => checkers.lede, /No words for scenes\.checkers\.lede: web\/strings\/de\.js/);
  assert.throws(() => checkers.lesson[1], /scenes\.checkers\.lesson\.1/);
  assert.throws(() => /** @type {any} */ (words.scenes).chess, /scenes\.chess/);
  assert.throws(() => /** @type {any} */ (strings.run).stop, /No words for run\.stop/);
  const [scene] = scenes.filter(({ id }) => id === 'network');
  const other = { ...scene, id: 'peaks', choices: { data: ['star'] } };
  assert.deepEqual(missingWords(other, setupOf(openingState(scene)), 'en'), [
    'scenes.peaks.choices.data.label',
    'scenes.peaks.choices.data.names.star',
    ...['w1', 'w2', 'w3'].map((name) => `scenes.peaks.grids.${name}`),
    ...['net', 'plane'].map((id) => `scenes.peaks.figures.${id}`),
  ]);
  const [peaks] = scenes.filter(({ id }) => id === 'peaks');
  assert.deepEqual(missingWords(peaks, setupOf(openingState(peaks)), 'de'), []);
  const wordsOfPeaks = /** @type {any} */ (de.scenes.peaks);
  const { guess } = wordsOfPeaks;
  wordsOfPeaks.guess = {};
  const missing = missingWords(peaks, setupOf(openingState(peaks)), 'de');
  wordsOfPeaks.guess = guess;
  const wanted = ['question', 'answers', 'told'].map((key) => `scenes.peaks.guess.${key}`);
  assert.deepEqual(missing, wanted);
});

test('labels lie on nothing, on no other label, and on the plot, wherever the points are', () => {
  for (let seed = 0; seed < 40; seed++) {
    const draws = noise(28, seed, 1);
    const room = { x: 0, y: 0, width: 300, height: 260 };
    // Fourteen points, all over the plot or all in a heap; some at its very border.
    const spread = seed % 2 ? 1 : 0.15;
    const points = Array.from({ length: 14 }, (_, i) => ({
      x: 150 + 142 * spread * draws[2 * i],
      y: 130 + 122 * spread * draws[2 * i + 1],
      radius: 3,
    }));
    const sizes = points.map((_, i) => ({ width: 20 + 4 * (i % 9), height: 14 }));
    const taken = [{ x: 130, y: 0, width: 40, height: 14 }];
    const boxes = placeLabels(points, sizes, room, taken);
    const again = placeLabels(points, sizes, room, taken, boxes);
    assert.deepEqual(again, boxes, `seed ${seed}: what lies well stays`);
    boxes.forEach((box, i) => {
      const where = `seed ${seed}, label ${i}`;
      assert.ok(overlap(box, room) > box.width * box.height - 1e-6, `${where} is on the plot`);
      const others = [
        ...boxes.filter((_, k) => k !== i),
        ...taken,
        ...points.map(({ x, y }) => ({ x: x - 3, y: y - 3, width: 6, height: 6 })),
      ];
      assert.ok(
        others.every((other) => overlap(box, other) < 1e-6),
        `${where} lies on nothing`,
      );
    });
  }
});

test('a label alone stands to the right of its point, as close as it may', () => {
  const point = { x: 50, y: 50, radius: 3 };
  const size = { width: 20, height: 14 };
  const room = { x: 0, y: 0, width: 100, height: 100 };
  assert.deepEqual(placeLabels([point], [size], room, []), [{ x: 57, y: 43, ...size }]);
});

test('an edge of a graph joins two of its nodes, and each node has one', () => {
  const graph = /** @type {any} */ (findScene('graph'));
  for (const choices of combinations(graph.choices)) {
    /** @type {{ edges: [number, number][], names: string[] }} */
    const { edges, names } = graph.shown({ ...setupOf(openingState(graph)), choices });
    assert.ok(edges.every(([from, to]) => from !== to));
    const joined = new Set(edges.flat());
    assert.deepEqual(
      [...joined].sort((a, b) => a - b),
      [...names.keys()],
    );
  }
});

test('points without a peak start with low ones, evenly placed', () => {
  const peaks = /** @type {import('../../web/scenes/scene.js').Scene} */ (findScene('peaks'));
  const own = { rows: 4, cols: 2, values: Float32Array.of(0, -1, 1, -2, 2, -1, 3, -3) };
  const start = peaks.start({ ...setupOf(openingState(peaks)), own, rows: 2 });
  assert.deepEqual([...start], [0.1, -0.5, 1, 0.1, 0.5, 1].map(Math.fround));
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

test('a cell of a picture is the mean of 16 samples, on finer grids of 4, on the finest it is one', () => {
  for (const [side, samples] of [
    [8, 16],
    [64, 16],
    [65, 4],
    [256, 4],
    [257, 1],
  ]) {
    let count = 0;
    Object.assign(pictures, { counted: () => (count++ % samples ? 0.25 : 0.5) });
    const [first] = draw('counted', side, side);
    assert.equal(count, samples * side * side);
    assert.equal(first, 0.25 + 0.25 / samples);
  }
  Reflect.deleteProperty(pictures, 'counted');
});

test('each row and each column that has a name has one of its own', () => {
  for (const scene of scenes) {
    for (const choices of combinations(scene.choices)) {
      const setup = { ...setupOf(openingState(scene)), choices };
      for (const { name, rows, cols } of layoutOf(scene, setup)) {
        for (const [given, count] of /** @type {const} */ ([
          [scene.rowNames?.(setup)[name], rows],
          [scene.colNames?.(setup)[name], cols],
        ])) {
          if (given) assert.equal(new Set(given).size, count, `${scene.id}, ${name}`);
        }
      }
    }
  }
  const own = /** @type {import('../../web/scenes/scene.js').Scene} */ (findScene('own'));
  const [days, hours] = [own.rowNames, own.colNames].map(
    (of) => of?.(setupOf(openingState(own))).x,
  );
  assert.deepEqual([days?.[0], days?.at(-1), hours?.[0], hours?.at(-1)], ['1', '10', '8', '17']);
});

test('a drawn digit is centred, enlarged to eight rows and counted in blocks, as UCI’s were', () => {
  const rows = (/** @type {number[][]} */ strokes) =>
    Array.from({ length: 8 }, (_, row) => [...imageOf(strokes).subarray(8 * row, 8 * row + 8)]);
  assert.deepEqual(rows([]), rows([[]]));
  assert.equal(imageOf([]).length, 64);
  assert.ok(imageOf([]).every((value) => value === 0));
  const line = rows([[0.5, 0.2, 0.5, 0.8]]);
  for (const row of line.slice(1, -1)) assert.deepEqual(row, [0, 0, 0, 0.5, 0.5, 0, 0, 0]);
  for (const row of [line[0], line[7]]) assert.ok(row[3] > 0.25 && row[3] < 0.5 && row[2] === 0);
  // Half of it, elsewhere, in two strokes.
  assert.deepEqual(
    rows([
      [0.125, 0.5, 0.125, 0.625],
      [0.125, 0.75, 0.125, 0.625],
    ]),
    line,
  );
  assert.deepEqual(line, line.map((row) => row.toReversed()).reverse());
  const dot = rows([[0.25, 0.75]]).flatMap((row, y) =>
    row.flatMap((ink, x) => (ink ? [[x, y]] : [])),
  );
  assert.deepEqual(dot, [
    [3, 3],
    [4, 3],
    [3, 4],
    [4, 4],
  ]);
});

/** @param {number} rows @param {number} cols */
const layout = (rows, cols) => [{ name: 'x', of: 'x', view: null, rows, cols, offset: 0 }];

/** @param {Uint8Array} mask @param {number} cols */
const picture = (mask, cols) =>
  [...mask].map((bit, i) => (bit ? '#' : '.') + ((i + 1) % cols ? '' : '\n')).join('');

test('a rectangle may shrink again within its gesture, and is one edit', () => {
  /** @type {import('../../web/state/locks.js').LockEdit[]} */
  const edits = [];
  const editor = new LockEditor((_, edit) => edit && edits.push(edit));
  editor.open(layout(3, 4), new Uint8Array(12));
  editor.toggle(0);
  editor.extend(10, 0);
  editor.extend(5, 0);
  editor.end();
  assert.equal(picture(editor.mask, 4), '##..\n##..\n....\n');
  assert.equal(edits.length, 2);
  assert.equal(picture(edits[1].before, 4), '#...\n....\n....\n');
  assert.deepEqual(edits[1].after, editor.mask);
});

test('a stroke with a brush is cut off at the border, and is one edit', () => {
  /** @type {import('../../web/state/locks.js').LockEdit[]} */
  const edits = [];
  const editor = new LockEditor(
    (_, edit) => edit && edits.push(edit),
    () => 3,
  );
  editor.open(layout(4, 6), new Uint8Array(24));
  editor.begin(0);
  editor.continue(3);
  editor.continue(21);
  editor.end();
  assert.equal(picture(editor.mask, 6), '#####.\n#####.\n..###.\n..###.\n');
  assert.deepEqual(edits, [{ before: new Uint8Array(24), after: editor.mask }]);
});

test('a stroke ends when it lets go, and when other locks or another scene come', () => {
  const none = new Uint8Array(4);
  for (const end of /** @type {((editor: LockEditor) => void)[]} */ ([
    (editor) => editor.end(),
    (editor) => editor.adopt(none),
    (editor) => editor.open(layout(2, 2), none),
  ])) {
    const editor = new LockEditor(() => {});
    editor.open(layout(2, 2), none);
    editor.begin(0);
    end(editor);
    const { mask } = editor;
    editor.continue(3);
    assert.equal(editor.mask, mask);
  }
});

test('what changes nothing is no edit', () => {
  const editor = new LockEditor(() => assert.fail('no change'));
  editor.open(layout(2, 2), Uint8Array.of(1, 1, 1, 1));
  editor.setAll(true);
  editor.extend(3, 0);
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

test('an undo that fails is told of, and those after it are done', async () => {
  /** @type {string[]} */
  const done = [];
  const edits = new Edits();
  edits.push({ undo: () => void done.push('first'), redo() {} });
  const undo = () => Promise.reject(new Error('no'));
  edits.push({ undo, redo() {} });
  await assert.rejects(edits.undo(), /no/);
  await edits.settled;
  await edits.undo();
  assert.deepEqual(done, ['first']);
});

test('an undo that says false has not happened, and may be asked for again', async () => {
  let isDone = false;
  const edits = new Edits();
  const act = () => isDone;
  edits.push({ undo: act, redo: act });
  await edits.undo();
  assert.deepEqual([edits.canUndo, edits.canRedo], [true, false]);
  isDone = true;
  await edits.undo();
  assert.deepEqual([edits.canUndo, edits.canRedo], [false, true]);
  isDone = false;
  await edits.redo();
  assert.deepEqual([edits.canUndo, edits.canRedo], [false, true]);
});

test('edits are remembered as far as memory is given them, the latest ever', () => {
  const edits = new Edits();
  for (let i = 0; i < 100; i++) edits.push({ undo() {}, redo() {}, bytes: 4 << 20 });
  let count = 0;
  for (; edits.canUndo; count++) edits.undo();
  assert.equal(count, 16);
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
  assert.equal(parseNumber('0,125'), 0.125);
  for (const text of ['', ' ', '-', 'abc', '1 2', '0.1.2', '1,000', '-12,345', '999,000,000']) {
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
  for (const row of [trace.losses, trace.rivals, trace.tests, trace.drifts])
    assert.equal(row.length, trace.steps.length);
  assert.ok(trace.rivals.every((loss) => loss === 2));
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
  for (const damaged of [[255, 255, 255, 255, 127], [4, 128], [128, 4, 0, 1], []]) {
    assert.equal(unpackMask(Uint8Array.from(damaged), 4), null, `${damaged}`);
    assert.equal(isPackedMask(Uint8Array.from(damaged), 4), false, `${damaged}`);
  }
  assert.ok(isPackedMask(Uint8Array.of(0, 3, 1), 4));
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
    // Names that a language lacks are the keys themselves.
    const keysOf = (/** @type {object} */ table) =>
      Object.keys(table).filter((key) => key !== 'names' || !/scenes\.\w+$/.test(path));
    const keys = keysOf(a);
    assert.deepEqual(keysOf(/** @type {object} */ (b)), keys, path);
    for (const key of keys)
      compare(Reflect.get(a, key), Reflect.get(/** @type {object} */ (b), key), `${path}.${key}`);
  };
  compare(en, de, 'strings');
});
