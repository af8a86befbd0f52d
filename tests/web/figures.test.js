/**
 * Figures: what they draw on a canvas, where their labels are, and a drawing as an image of a
 * digit.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageOf } from '../../web/scenes/shared/digitize.js';
import { overlap, placeLabels } from '../../web/scenes/words/labels.js';
import { ready } from '../../web/engine/problem.js';
import { reachOf, scenes } from '../../web/scenes/index.js';
import { noise } from '../../web/scenes/shared/noise.js';
import { samplesFrom } from '../../web/scenes/shared/samples.js';
import { packMask } from '../../web/state/codec.js';
import { openingState } from '../../web/state/state.js';
import { tables } from '../../web/strings/index.js';
import { openSession, sceneOf } from './runs.js';

/** The index of a call's coordinates: x and y, and for some width and height. @type {Record<string, number>} */
const FROM = { drawImage: 1, fillText: 1, strokeText: 1, moveTo: 0, lineTo: 0, arc: 0, rect: 0 };
Object.assign(FROM, { fillRect: 0, strokeRect: 0, bezierCurveTo: 0 });

/** What a figure gets of a session. @param {import('../../web/engine/session.js').Session} session @param {number} [lit] @param {number} [step] */
function modelOf({ main, problem: { scene, setup, layout } }, lit = -1, step = 5) {
  const parts = (/** @type {any} */ row) =>
    Object.fromEntries(
      layout.map(({ name, rows, cols, offset }) => [name, row.slice(offset, offset + rows * cols)]),
    );
  return /** @type {any} */ ({
    ...{ shown: scene.shown?.(setup), layout, readings: main.readings(), lit, step },
    ...{ values: parts(main.values()), locks: parts(main.mask), fit: null, recorded: [] },
    reach: reachOf(scene, setup),
  });
}

/** What a figure draws at a width: its calls, each with the pen's style. @param {import('../../web/scenes/shared/figure.js').Drawn} figure @param {import('../../web/engine/session.js').Session} session @param {number} [width] @param {number} [lit] @param {object} [patch] of the model */
function drawn(figure, session, width = 600, lit = -1, patch = {}) {
  const { scene } = session.problem;
  const model = { ...modelOf(session, lit), ...patch };
  const { aspect } = figure;
  const height = width / (typeof aspect === 'function' ? aspect(width) : aspect);
  /** @type {any[]} */
  const calls = [];
  const measureText = (/** @type {string} */ { length }) => ({ width: 5 * length });
  const pen = new Proxy(/** @type {any} */ ({ measureText }), {
    get: (own, name) =>
      own[name] ?? ((/** @type {any[]} */ ...given) => calls.push({ ...own, name, given })),
  });
  const words = Reflect.get(tables.en.scenes[scene.id].figures ?? {}, figure.id);
  const stage = /** @type {any} */ ({
    ...{ pen, width, height, words, ink: String, colour: String, name: String, memory: {} },
    image: (/** @type {Float32Array} */ { length }, /** @type {number} */ cols) =>
      assert.equal(length, cols * Math.round(Math.sqrt(length)), `${length} in ${cols} columns`),
  });
  figure.draw(stage, model);
  assert.notEqual(figure.describe(words, model), '');
  const of = (/** @type {string} */ wanted) => calls.filter(({ name }) => name === wanted);
  return { calls, height, of };
}

for (const scene of scenes) {
  for (const figure of scene.figures ?? []) {
    if (!('draw' in figure)) continue;
    test(`${scene.id}: ${figure.id} draws in its stage alone, images of whole rows, wherever one points`, async () => {
      await ready(scene);
      const session = openSession(openingState(scene));
      session.advance(5);
      for (const width of [280, 600, 1100]) {
        for (const lit of [-1, 0, session.cells - 1]) {
          const { calls, height, of } = drawn(figure, session, width, lit);
          for (const { name, given, textAlign } of calls) {
            const what = `${name} ${given}, ${width} × ${height}`;
            const [x = 0, y = 0] = given.slice(FROM[name] ?? Infinity);
            assert.ok(x >= -1 && x <= width + 1 && y >= -1 && y <= height + 1, what);
            // Its images are square.
            if (name === 'drawImage') assert.ok(Math.abs(given[3] - given[4]) < 1e-6);
            if (name !== 'fillText') continue;
            const left = { left: 0, center: 0.5, right: 1 }[String(textAlign)] ?? Number.NaN;
            const start = x - left * 5 * given[0].length;
            assert.ok(start >= -1 && start + 5 * given[0].length <= width + 1, what);
          }
          const texts = of('fillText').map(({ given }) => given[0]);
          for (const { given } of of('strokeText')) assert.ok(texts.includes(given[0]), given[0]);
          assert.ok(calls.length > (figure.id === 'features' ? 0 : 6));
        }
      }
    });
  }
}

/** A figure of a scene as it opens, and its run. @param {string} id @param {string} figure */
async function opened(id, figure) {
  const scene = sceneOf(id);
  await ready(scene);
  const found = scene.figures?.find((one) => one.id === figure);
  return { session: openSession(openingState(scene)), drawing: /** @type {any} */ (found) };
}

test('a network is an image a node and a line a cell, but for biases', async () => {
  const { session, drawing } = await opened('lottery', 'net');
  const { cells } = session;
  session.advance(1);
  session.do({ do: 'locks', mask: packMask(new Uint8Array(cells).fill(1, 0, 9)) });
  session.do({ do: 'prune', fraction: 0.5 });
  const [mask, values] = [session.main.mask, session.main.values()];
  const layers = session.problem.layout.map(({ offset, rows, cols }) =>
    Array.from({ length: (rows - 1) * cols }, (_, i) => offset + i),
  );
  // Under a locked line is its outline, but for a cut one.
  const lines = layers.flat().reduce((sum, i) => sum + (mask[i] && values[i] ? 2 : 1), 0);
  const { of } = drawn(drawing, session);
  assert.equal(of('bezierCurveTo').length, lines);
  const texts = of('fillText').map(({ given }) => given[0]);
  const counts = session.problem.layout.map(({ offset, rows, cols }) =>
    mask.subarray(offset, offset + rows * cols).reduce((sum, bit) => sum + bit, 0),
  );
  for (const count of counts) assert.ok(texts.includes(`${count}`), 'one padlock');
  const nodes = session.problem.layout.reduce((sum, { cols }) => sum + cols, 2);
  assert.equal(of('drawImage').length, nodes);
});

test('Weights says what is right with the last two numbers of locked cells, the shown run’s among them', async () => {
  const { session, drawing } = await opened('network', 'shares');
  const words = Reflect.get(tables.en.scenes.network.figures ?? {}, 'shares');
  const headline = { textContent: '' };
  const figure = drawing.build({ append() {} }, { words, h: () => headline });
  const said = (/** @type {number} */ locked, /** @type {number} */ score, patch = {}) => {
    const locks = { w1: new Uint8Array(24).fill(1, 0, locked) };
    const model = modelOf(session, -1, 9);
    const rightOf = (/** @type {number[]} */ [, , label]) => (label > 0 ? score : 1 - score);
    const readings = { right: model.shown.points.map(rightOf) };
    figure.draw({ ...model, locks, readings, ...patch });
    return headline.textContent.replaceAll('\u00a0', ' ').split('\n');
  };
  assert.deepEqual(said(8, 0.2, { step: 0 }), [''], 'nothing before the first step');
  const eight = '8 locked: 100 % of blue dots right';
  assert.deepEqual(said(8, 1), [eight]);
  assert.deepEqual(said(8, 0.5, { isPast: true }), [eight], 'nor of an earlier step');
  assert.deepEqual(said(7, 0.9), [eight, '7 locked: 90 % of blue dots right']);
  const [, six] = said(6, 0.8);
  assert.deepEqual([six, ...said(8, 1)], ['6 locked: 80 % of blue dots right', six, eight]);
});

test('Peaks fills the bell of each peak', async () => {
  const { session, drawing } = await opened('peaks', 'curves');
  session.advance(1);
  assert.equal(drawn(drawing, session).of('fill').length, 4);
});

test('each kernel shows what it finds, on one scale, and that of the last one pointed at is framed: a locked one keeps all', async () => {
  const { session, drawing } = await opened('kernels', 'map');
  /** @type {any} */
  const words = Reflect.get(tables.en.scenes.kernels.figures ?? {}, 'map');
  /** @type {any[]} */
  const made = [];
  const h = (/** @type {string} */ _, /** @type {object} */ given) =>
    made[made.push({ textContent: '', ...given }) - 1];
  /** @type {{ map: number[], reach: number }[]} */
  let maps = [];
  const drawImage = (/** @type {typeof maps[0]} */ map) => maps.push(map);
  const image = (/** @type {any[]} */ ...[map, , reach]) => ({ map: [...map], reach });
  const stageOf = () => ({ pen: { drawImage, strokeRect() {} }, width: 80, image, ink: String });
  const marks = Array(8).fill(false);
  const units = marks.map((_, i) => ({
    append() {},
    toggleAttribute: (/** @type {string} */ _, /** @type {boolean} */ is) => (marks[i] = is),
  }));
  /** @type {string[]} */
  const fits = [];
  const style = {
    setProperty: (/** @type {string} */ _, /** @type {string} */ at) => fits.push(at),
  };
  const host = { append() {}, closest: () => ({ style, querySelectorAll: () => units }) };
  const figure = drawing.build(host, { words, stageOf, memory: {}, h });
  const show = (lit = -1) => {
    maps = [];
    figure.draw({ ...modelOf(session), lit });
    assert.equal(new Set(maps.map(({ reach }) => reach)).size, 1, 'one scale');
    return maps.map(({ map }) => map);
  };
  show();
  const [answer, , , , ...canvases] = made;
  assert.equal(answer.textContent, '–');
  figure.draw({ ...modelOf(session), step: 0 });
  assert.equal(answer.textContent, '?', 'before it has learnt');
  assert.equal(canvases[0].ariaLabel, 'Stencil 1 fits nowhere.', 'on an empty pad');
  assert.equal(fits.at(-1), '0% 200% 200% 0%', 'out of sight');
  session.tell('pad', samplesFrom(0).images[0]);
  const first = show();
  const free = new Uint8Array(session.cells).fill(1, 0, 18);
  session.do({ do: 'locks', mask: packMask(free) });
  session.advance(100);
  const later = show();
  assert.match(answer.textContent, /^\d$/);
  assert.deepEqual(later.slice(0, 2), first.slice(0, 2));
  for (let i = 2; i < 8; i++) assert.notDeepEqual(later[i], first[i]);
  for (const lit of [63, -1, 72, 200]) show(lit);
  assert.equal(marks.join(), 'false,false,false,false,false,false,false,true', 'it stays');
  assert.match(canvases[7].ariaLabel, /^Stencil 8 fits best at row \d, column \d.$/);
  canvases[0].onpointerenter();
  const best = later[0].indexOf(Math.max(...later[0]));
  const [row, col] = [Math.floor(best / 8), best % 8];
  assert.equal(canvases[0].ariaLabel, words.label(1, row + 1, col + 1));
  const box = [row - 1, 6 - col, 6 - row, col - 1].map((n) => `${12.5 * Math.max(0, n)}%`);
  assert.equal(fits.at(-1), box.join(' '));
});

test('Kernels has a bar for each choice that was run, and begins anew with another optimizer or seed', async () => {
  const { session, drawing } = await opened('kernels', 'results');
  const { shown, locks } = modelOf(session);
  const random = { ...shown, kind: 'random' };
  const bars = (/** @type {object} */ patch) => {
    const texts = drawn(drawing, session, 200, -1, patch).of('fillText').slice(1);
    const seen = texts.filter(({ given, fillStyle }) => !/%/.test(given[0]) && fillStyle === 'ink');
    return seen.map(({ given }) => given[0]);
  };
  const three = ['by hand', '8 locked', 'random', '8 locked', 'by hand', '7 locked'];
  const four = [...three, 'random', '7 locked'];
  assert.deepEqual(bars({}), three.slice(0, 2));
  assert.deepEqual(bars({ shown: random }), three.slice(0, 4));
  const seven = { ...locks, kernel3: new Uint8Array(9) };
  assert.deepEqual(bars({ locks: seven }), three);
  const other = { shown: random, locks: seven };
  for (const not of ['isPast', 'isMasked'])
    assert.deepEqual(bars({ ...other, [not]: true }), three);
  assert.deepEqual(bars(other), four);
  bars({ locks: { ...seven, kernel4: new Uint8Array(9) } });
  assert.deepEqual(bars({}).slice(6), three.slice(0, 2), 'the shown run has its bar');
  for (const anew of [{ optimizer: { rule: 'sgd' } }, { shown: { ...shown, seed: 2 } }])
    assert.deepEqual(bars(anew), three.slice(0, 2));
});

test('Lottery pauses at the end of its first run, once', async () => {
  const { session, drawing } = await opened('lottery', 'tickets');
  const h = () => ({ style: { setProperty() {} }, classList: { toggle() {} } });
  let pauses = 0;
  const words = Reflect.get(tables.en.scenes.lottery.figures ?? {}, 'tickets');
  const intents = { pause: () => pauses++ };
  const tools = { words, intents, h, icon: () => null, memory: {} };
  const figure = drawing.build({ append() {} }, tools);
  const recorded = [{ key: 'ticket', at: 21, locks: [] }];
  for (const step of [0, 1499, 1510, 1520])
    figure.draw({ ...modelOf(session, -1, step), recorded });
  assert.equal(pauses, 1);
});

test('a line leads from a word to its label only if that is more than 14 pixels away', async () => {
  const { session, drawing } = await opened('words', 'words');
  const { calls } = drawn(drawing, session, 120);
  const thin = [...calls.keys()].filter(
    (i) => calls[i].name === 'stroke' && calls[i].lineWidth < 1,
  );
  const ends = thin.map((i) => [calls[i - 2].given, calls[i - 1].given]);
  assert.ok(ends.length > 5);
  assert.ok(ends.every(([[x, y], [left, top]]) => Math.hypot(left - x, top - y) > 14));
});

test('labels overlap nothing and stay on the plot, wherever the points are', () => {
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
    boxes.forEach((box, i) => {
      const where = `seed ${seed}, label ${i}`;
      assert.ok(overlap(box, room) > box.width * box.height - 1e-6, `${where} is on the plot`);
      const others = [
        ...boxes.filter((_, k) => k !== i),
        ...taken,
        ...points.map(({ x, y }) => ({ x: x - 3, y: y - 3, width: 6, height: 6 })),
      ];
      const isFree = others.every((other) => overlap(box, other) < 1e-6);
      assert.ok(isFree, `${where} lies on nothing`);
    });
  }
});

test('a label alone stands beside its point, outwards, as close as it may', () => {
  const point = { x: 50, y: 50, radius: 3 };
  const size = { width: 20, height: 14 };
  // Where no place is better, the first is taken.
  for (const side of [100, 0]) {
    const room = { x: 0, y: 0, width: side, height: side };
    assert.deepEqual(placeLabels([point], [size], room, []), [{ x: 57, y: 43, ...size }]);
  }
  const wide = { x: 0, y: 0, width: 101, height: 100 };
  assert.deepEqual(placeLabels([point], [size], wide, []), [{ x: 23, y: 43, ...size }]);
});

test('a drawn digit is centred, enlarged to eight rows and counted in blocks, as UCI’s were', () => {
  const rows = (/** @type {number[][]} */ strokes) =>
    Array.from({ length: 8 }, (_, row) => [...imageOf(strokes).subarray(8 * row, 8 * row + 8)]);
  assert.deepEqual(rows([]), rows([[]]));
  assert.deepEqual([...imageOf([])], Array(64).fill(0));
  const line = rows([[0.5, 0.2, 0.5, 0.8]]);
  for (const row of line.slice(1, -1)) assert.deepEqual(row, [0, 0, 0, 0.5, 0.5, 0, 0, 0]);
  for (const row of [line[0], line[7]]) assert.ok(row[3] > 0.25 && row[3] < 0.5 && row[2] === 0);
  // Half of it, elsewhere, in two strokes.
  assert.deepEqual(rows([0.5, 0.75].map((y) => [0.125, y, 0.125, 0.625])), line);
  for (const scale of [0.5, 0.75]) {
    const by = scale < 0.75 ? 0.25 : 0;
    const moved = [0.1, 0.1, 0.5, 0.1, 0.3, 0.9].map((value) => value * scale + by);
    assert.deepEqual(rows([moved]), rows([[0.1, 0.1, 0.5, 0.1, 0.3, 0.9]]), `${scale}`);
    assert.ok(imageOf([moved]).every((value) => Number.isInteger(16 * value)));
  }
  assert.deepEqual(line, line.map((row) => row.toReversed()).reverse());
  const dot = rows([[0.25, 0.75]]).flatMap((row, y) =>
    row.flatMap((ink, x) => (ink ? [[x, y]] : [])),
  );
  assert.equal(dot.join(' '), '3,3 4,3 3,4 4,4');
});
