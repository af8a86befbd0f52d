/** Figures on a canvas: a pen checks each call that it gets. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ready } from '../../web/engine/networks.js';
import { reachOf, scenes } from '../../web/scenes/index.js';
import { openingState } from '../../web/state/state.js';
import { en } from '../../web/strings/en.js';
import { openSession } from './runs.js';

/** Where the numbers of a call are places: x and y, and for some width and height. @type {Record<string, number>} */
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
        ...{ values: parts(main.values()), locks: parts(main.mask), fit: null, study: null },
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
              const places = given.slice(FROM[String(name)] ?? Infinity);
              for (const [i, place] of places.slice(0, 2).entries()) {
                const what = `${String(name)} ${given}, ${width} × ${height}`;
                assert.ok(place >= -1 && place <= (i ? height : width) + 1, what);
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
