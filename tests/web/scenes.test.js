/** Scenes as data: their words, their starts, their names, and the mathematics of their own. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { reachOf, scenes } from '../../web/scenes/index.js';
import { cellsOf, layoutOf } from '../../web/scenes/layout.js';
import { cellsOfName } from '../../web/scenes/picture/lettering.js';
import { atan2, cos, exp, sin } from '../../web/scenes/shared/maths.js';
import { noise } from '../../web/scenes/shared/noise.js';
import { draw, pictures } from '../../web/scenes/shared/pictures.js';
import { firstState, openingState, setupOf, validate } from '../../web/state/state.js';
import { strings, tables } from '../../web/strings/index.js';
import { missingWords } from './missing-words.js';
import { sceneOf } from './runs.js';

const { en, de } = tables;

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
    for (const { scenes: words } of [en, de])
      assert.deepEqual(missingWords(scene, setupOf(state), words[scene.id]), []);
    const acted = [en, de].map((tag) => String(tag.scenes[scene.id].ledeActed));
    assert.ok(acted[0] === 'undefined' || acted[0] !== acted[1], `${scene.id}: said in German`);
    assert.deepEqual(validate({ ...state }, firstState()).problems, []);
    assert.equal(strings.scenes[scene.id].lesson.length, 5, scene.id);
    const parts = layoutOf(scene, setupOf(state));
    const isGrid = parts.some(({ rows, cols }) => rows === state.rows && cols === state.cols);
    assert.ok(isGrid || state.rows === state.cols, `${scene.id}: it opens with a grid or a square`);
    const sides = scene.sizes.map(([rows]) => rows);
    assert.ok(
      sides.every((side) => side <= 16 || sides.includes(side / 2)),
      'sizes double',
    );
    assert.equal(scene.tour.length, 5, scene.id);
    for (const tag of [en, de]) {
      assert.equal('guess' in tag.scenes[scene.id], 'guess' in scene, `${scene.id}: guess`);
    }
  }
});

test('a step of a tour trains as many steps as its text says, in every language', () => {
  let count = 0;
  for (const words of [en, de]) {
    for (const [id, texts] of Object.entries(words.scenes)) {
      for (const [i, text] of texts.lesson.entries()) {
        const [, word] = /^Train(?:iere)? ([\d.,]+) (?:steps|Schritte)/.exec(text) ?? [];
        if (!word) continue;
        const actions = sceneOf(id).tour[i].actions ?? [];
        const trained = actions.map((one) => ('train' in one ? one.train : 0));
        assert.deepEqual(trained, [Number(word.replace(/[.,]/, ''))], `${id}: ${text}`);
        count++;
      }
    }
  }
  assert.equal(count, 14);
});

test('what the words of a scene lack is found', () => {
  const scene = { ...sceneOf('network'), choices: { data: ['star'] } };
  const setup = setupOf(openingState(sceneOf('network')));
  assert.deepEqual(missingWords(scene, setup, { ...de.scenes.peaks, guess: {} }), [
    ...['choices.data.label', 'choices.data.names.star'],
    ...['w1', 'w2', 'w3'].map((name) => `grids.${name}`),
    ...['shares', 'net', 'plane'].map((id) => `figures.${id}`),
    ...['question', 'answers', 'told'].map((key) => `guess.${key}`),
    ...['name', 'task', 'score'].map((key) => `challenge.${key}`),
  ]);
});

test('each scene has its answers in the guide for teachers, with its link', () => {
  const text = readFileSync(new URL('../../docs/teachers.md', import.meta.url), 'utf8');
  const sheets = text.split(/^### /m).slice(1);
  assert.deepEqual(
    sheets.map((sheet) => sheet.split('\n')[0]),
    scenes.map(({ id }) => strings.scenes[id].name),
  );
  for (const [i, { id }] of scenes.entries()) assert.ok(sheets[i].includes(`\n\`#scene=${id}\``));
});

test('an edge of a graph joins two of its nodes, and each node has one', () => {
  const graph = /** @type {any} */ (sceneOf('graph'));
  for (const choices of combinations(graph.choices)) {
    /** @type {{ edges: [number, number][], names: string[] }} */
    const { edges, names } = graph.shown({ ...setupOf(openingState(graph)), choices });
    assert.ok(edges.every(([from, to]) => from !== to));
    const joined = new Set(edges.flat());
    assert.deepEqual(
      [...joined].sort((a, b) => a - b),
      [...names.keys()],
    );
    // Zachary's table 1: how many each member met.
    const met = '16 9 10 6 3 4 4 4 5 2 3 1 2 5 2 2 2 2 2 3 2 2 2 5 3 3 2 4 3 4 4 6 12 17';
    const degrees = names.map((_, node) => edges.filter((edge) => edge.includes(node)).length);
    if (choices.graph === 'club') assert.equal(degrees.join(' '), met);
  }
});

test('a word of New words is new if its row is free', () => {
  const scene = sceneOf('words');
  const setup = setupOf(openingState(scene));
  const { isNew } = /** @type {any} */ (scene).shown(setup);
  const [{ cols }] = layoutOf(scene, setup);
  const held = scene.locks(setup).filter((_, cell) => cell % cols === 0);
  assert.deepEqual(
    Array.from(held, Boolean),
    isNew.map((/** @type {boolean} */ is) => !is),
  );
});

test('a name on several lines is within the picture, each cell once', () => {
  for (const name of ['Maximiliane', 'Zoë Ängström', 'A B C D E F G H I J K L']) {
    const cells = cellsOfName(name, 32, 32) ?? [];
    assert.ok(cells.length > 40 && cells[0] >= 0 && cells[cells.length - 1] < 1024, name);
    assert.equal(new Set(cells).size, cells.length, name);
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
  const own = sceneOf('own');
  const [days, hours] = [own.rowNames, own.colNames].map(
    (of) => of?.(setupOf(openingState(own))).x,
  );
  const ends = [days?.[0], days?.at(-1), hours?.[0], hours?.at(-1)];
  assert.deepEqual(ends, ['day 1', 'day 10', '8h', '17h']);
});

test('sines, exponentials and angles of our own are those of mathematics', () => {
  for (const x of noise(500, 3, 30)) {
    assert.ok(Math.abs(sin(x) - Math.sin(x)) < 1e-12, `sin ${x}`);
    assert.ok(Math.abs(cos(x) - Math.cos(x)) < 1e-12, `cos ${x}`);
    assert.ok(Math.abs(exp(x) / Math.exp(x) - 1) < 1e-12, `exp ${x}`);
    const y = sin(7 * x);
    assert.ok(Math.abs(atan2(y, x / 9) - Math.atan2(y, x / 9)) < 1e-12, `atan2 ${y}, ${x / 9}`);
  }
  for (let i = 0; i < 9; i++) {
    const [y, x] = [Math.floor(i / 3) - 1, (i % 3) - 1];
    assert.ok(Math.abs(atan2(y, x) - Math.atan2(y, x)) < 1e-12);
  }
});

test('a digit that is read has its article', () => {
  const { pad, features } = /** @type {any} */ (en.scenes.digits.figures);
  assert.match(features.read(8, 7) + pad.sample(8), /an 8 or a 7\.An 8 by/);
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
