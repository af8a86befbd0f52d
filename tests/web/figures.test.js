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
import { openingState } from '../../web/state/state.js';
import { strings as en } from '../../web/strings/index.js';
import { openSession } from './runs.js';

/** The index of a call's coordinates: x and y, and for some width and height. @type {Record<string, number>} */
const FROM = { drawImage: 1, fillText: 1, strokeText: 1, moveTo: 0, lineTo: 0, arc: 0, rect: 0 };
Object.assign(FROM, { fillRect: 0, strokeRect: 0, bezierCurveTo: 0 });

for (const scene of scenes) {
  for (const figure of scene.figures ?? []) {
    if (!('draw' in figure)) continue;
    test(`${scene.id}: ${figure.id} draws in its stage alone, images of whole rows, wherever one points`, async () => {
      await ready(scene);
      const session = openSession(openingState(scene));
      session.advance(5);
      const { main, problem } = session;
      const { layout, setup } = problem;
      const parts = (/** @type {any} */ row) =>
        Object.fromEntries(
          layout.map(({ name, rows, cols, offset }) => [
            name,
            row.slice(offset, offset + rows * cols),
          ]),
        );
      const shown = scene.shown?.(setup);
      const model = /** @type {any} */ ({
        ...{ shown, layout, readings: main.readings(), reach: reachOf(scene, setup), step: 5 },
        ...{ values: parts(main.values()), locks: parts(main.mask), fit: null, recorded: [] },
      });
      for (const width of [280, 600, 1100]) {
        const { aspect } = figure;
        const ratio = typeof aspect === 'function' ? aspect(width, model) : aspect;
        const height = width / ratio;
        let count = 0;
        const pen = new Proxy(/** @type {any} */ ({ measureText: () => ({ width: 20 }) }), {
          get: (own, name) =>
            own[name] ??
            ((/** @type {any[]} */ ...given) => {
              const coordinates = given.slice(FROM[String(name)] ?? Infinity);
              for (const [i, value] of coordinates.slice(0, 2).entries()) {
                const what = `${String(name)} ${given}, ${width} × ${height}`;
                assert.ok(value >= -1 && value <= (i ? height : width) + 1, what);
                count++;
              }
              // Its images are square.
              if (name === 'drawImage') assert.ok(Math.abs(given[3] - given[4]) < 1e-6);
            }),
        });
        const stage = /** @type {any} */ ({
          ...{ pen, width, height, ink: String, colour: String, name: String, memory: {} },
          words: Reflect.get(en.scenes[scene.id].figures ?? {}, figure.id),
          image(/** @type {Float32Array} */ { length }, /** @type {number} */ cols) {
            assert.equal(
              length,
              cols * Math.round(Math.sqrt(length)),
              `${length} in ${cols} columns`,
            );
          },
        });
        for (const lit of [-1, 0, main.cells - 1]) figure.draw(stage, { ...model, lit });
        assert.ok(count > 20);
      }
      assert.notEqual(
        figure.describe(Reflect.get(en.scenes[scene.id].figures ?? {}, figure.id), model),
        '',
      );
    });
  }
}

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
  for (const [scale, by] of [
    [0.5, 0.25],
    [0.75, 0],
  ]) {
    const moved = [0.1, 0.1, 0.5, 0.1, 0.3, 0.9].map((value) => value * scale + by);
    assert.deepEqual(rows([moved]), rows([[0.1, 0.1, 0.5, 0.1, 0.3, 0.9]]), `${scale}`);
    assert.ok(imageOf([moved]).every((value) => Number.isInteger(16 * value)));
  }
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
