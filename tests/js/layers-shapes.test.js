/* Tier: all. Precisions: f32, f64. */
/* Shapes of layers are formulas (docs/decisions/0049). Three things hold them: what Keras states
 * for open sizes (layers-shapes.json); the shape of what really comes out, for every case of the
 * golden files and sizes drawn at random; and, with sizes hidden as null in every way, that each
 * size that is stated is the one that comes out, and that each null depends on a hidden size. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { GradlockError, init, ShapeError } from 'gradlock';
import { layers } from 'gradlock/layers';
import { drawer } from '../fuzz/draw.js';
import { readGolden } from '../golden/golden.js';

/** @typedef {(number | null)[]} Shape */

const SEED = 20261124;
const FOLDER = new URL('../golden/', import.meta.url);
const FILES = readdirSync(FOLDER).filter((name) => /^layers-(?!fit|shapes).*\.json$/.test(name));

/**
 * A layer of Keras's JSON.
 * @param {any} nn
 * @param {any} json
 */
const read = (nn, json) =>
  nn.modelFromJSON({ class_name: 'Sequential', config: { layers: [json] } }).layers[0];

/** @param {any} shape @returns {any} */
const listOf = (shape) => (Array.isArray(shape?.[0]) ? shape : [shape]);

/**
 * What is stated, or null where it is refused by an error that names the layer.
 * @param {any} layer
 * @param {any} shape
 * @param {any} [options]
 * @returns {Shape[] | null}
 */
const stated = (layer, shape, options) => {
  try {
    return listOf(layer.computeOutputShape(shape, options));
  } catch (error) {
    assert.ok(error instanceof ShapeError, `${layer.label} of ${JSON.stringify(shape)}: ${error}`);
    assert.match(error.message, new RegExp(`${layer.name} \\(|layer \\w+_inner`), error.message);
    return null;
  }
};

/** @param {Record<string, any>} options In Keras's spelling. */
const camel = (options) =>
  Object.fromEntries(
    Object.entries(options).map(([key, value]) => [
      key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
      value,
    ]),
  );

/**
 * Where an open size meets a known one that it must equal, Keras takes it for open (Concatenate) or
 * refuses it (Dot). gradlock states the known one.
 */
const MEETING = ['Concatenate', 'Dot'];

test('layers state the shapes that Keras states, with open sizes, large windows and strides', async () => {
  const nn = layers(await init());
  const { cases = [] } = readGolden('layers-shapes.json');
  assert.ok(cases.length > 100);
  for (const { layer: json, shapes } of cases) {
    for (const [shape, outputs] of shapes) {
      const layer = read(nn, json);
      const what = `${json.class_name} ${JSON.stringify(json.config)} of ${JSON.stringify(shape)}`;
      const found = stated(layer, shape);
      const isOpen = shape.flat().filter((/** @type {any} */ size) => size === null).length > 2;
      if (MEETING.includes(json.class_name) && isOpen) {
        const isKnown = (/** @type {Shape} */ sizes, /** @type {number} */ i) =>
          sizes.every((size, axis) => size === null || size === found?.[i]?.[axis]);
        assert.ok(!outputs || outputs.every(isKnown), `${what}: ${JSON.stringify(found)}`);
      } else {
        assert.deepEqual(found, outputs, what);
      }
    }
  }
});

/**
 * Sizes of a case, drawn anew: equal ones stay equal, so that inputs go on to fit.
 * @param {any} row
 * @param {(count: number) => number} draw
 */
const drawSizes = (row, draw) => {
  const delta = new Map();
  return row.shapes.map((/** @type {Shape} */ shape) =>
    shape.map((size, axis) => {
      const key = axis === 0 ? `batch${size}` : size;
      if (!delta.has(key)) delta.set(key, draw(3) === 0 ? 0 : draw(5));
      if (axis === 0) return size ?? 1 + delta.get(key);
      if (size === 1) return 1;
      return (size ?? 4) + delta.get(key);
    }),
  );
};

/**
 * Other sizes in some dimensions.
 * @param {number[][]} shapes
 * @param {[input: number, axis: number][]} dimensions
 * @returns {number[][][]}
 */
const others = (shapes, dimensions) => {
  const change = (/** @type {[number, number][]} */ some, /** @type {number} */ by) =>
    shapes.map((shape, i) =>
      shape.map((size, axis) =>
        some.some(([input, at]) => input === i && at === axis) ? size + by : size,
      ),
    );
  const ways = dimensions.flatMap((one, i) => dimensions.slice(i).map((other) => [one, other]));
  ways.push(dimensions);
  // Inputs must often go on to agree, in a size or along an axis.
  for (const axis of [0, 1, 2]) ways.push(dimensions.filter((dimension) => dimension[1] === axis));
  for (const size of new Set(shapes.flat()))
    ways.push(dimensions.filter(([input, axis]) => shapes[input]?.[axis] === size));
  return ways.flatMap((some) => [1, 2, 3, 4, 6, 12, 35, 60].map((by) => change(some, by)));
};

for (const file of FILES) {
  test(`${file}: what layers state is what comes out, whatever sizes are hidden`, async () => {
    const g = await init();
    const nn = layers(g);
    const draw = drawer(SEED);
    const { cases = [] } = readGolden(file);
    let refused = 0;
    let taken = 0;
    for (const row of cases) {
      const what = `${row.layer.class_name}, case ${row.seed} of ${file}`;
      const options = camel(row.call ?? {});
      /** @param {any} shapes */
      const one = (shapes) => (row.isList ? shapes : shapes[0]);
      for (let turn = 0; turn < 3; turn++) {
        /** @type {number[][]} */
        const sizes = turn === 0 ? drawSizes(row, () => 0) : drawSizes(row, draw);
        const fresh = read(nn, row.layer);
        const found = stated(fresh, one(sizes), options);
        const layer = read(nn, row.layer);
        const apply = () => {
          layer.ensureBuilt(one(sizes));
          const inputs = sizes.map((shape) => g.broadcastTo(0, shape));
          return toList(layer.apply(one(inputs), options)).map((y) => [...y.shape]);
        };
        if (found === null) {
          refused++;
          assert.throws(apply, GradlockError, `${what} of ${JSON.stringify(sizes)}`);
          continue;
        }
        taken++;
        /** @type {number[][]} */
        let real;
        try {
          real = apply();
        } catch (error) {
          // Options that do not go with these channels, such as groups, are no matter of shapes.
          if (turn > 0 && error instanceof GradlockError && !(error instanceof ShapeError))
            continue;
          throw error;
        }
        assert.deepEqual(found, real, `${what} of ${JSON.stringify(sizes)}`);
        const dimensions = sizes.flatMap((shape, i) =>
          shape.map((_, axis) => /** @type {[number, number]} */ ([i, axis])),
        );
        const isSmall = dimensions.length <= 5;
        const count = isSmall ? 2 ** dimensions.length : 24;
        for (let k = 1; k < count; k++) {
          const hidden = dimensions.filter((_, at) => (isSmall ? k & (1 << at) : draw(2) === 0));
          const open = sizes.map((shape, i) =>
            shape.map((size, axis) =>
              hidden.some(([input, at]) => input === i && at === axis) ? null : size,
            ),
          );
          const about = `${what} of ${JSON.stringify(open)}`;
          for (const which of [fresh, layer]) {
            const shapes = stated(which, one(open), options);
            assert.ok(shapes, about);
            assert.equal(shapes.length, real.length, about);
            const unknown = shapes.flatMap((shape, i) => {
              assert.equal(shape.length, real[i]?.length, about);
              return shape.flatMap((size, axis) => {
                if (size === null) return [[i, axis]];
                assert.equal(size, real[i]?.[axis], `${about}: axis ${axis} of output ${i}`);
                return [];
              });
            });
            // A built layer knows some of the hidden sizes by its weights.
            if (which === layer) continue;
            for (const [i = 0, axis = 0] of unknown) {
              const varies = others(sizes, hidden).some((other) => {
                const shapes = stated(fresh, one(other), options);
                return shapes && shapes[i]?.[axis] !== real[i]?.[axis];
              });
              assert.ok(
                varies,
                `${about}: axis ${axis} of output ${i} is ${real[i]?.[axis]} always`,
              );
            }
          }
        }
      }
    }
    assert.ok(taken > refused, `${refused} of ${taken + refused} were refused`);
    g.dispose();
  });
}

/** @param {any} value @returns {any[]} */
const toList = (value) => (Array.isArray(value) ? value : [value]);
