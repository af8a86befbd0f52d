/* The networks of tests/golden/networks.json in TensorFlow.js 4.22: what saveLayersModel writes it
 * loads and predicts alike, or saveLayersModel refuses it by an OptionError that names the layer.
 * And what JSON Keras reads of ours: tests/golden/read_back.json, by tests/golden/read_back.py. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, OptionError } from 'gradlock';
import { saveLayersModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { Draws, readGolden, sample } from '../golden/golden.js';
import { unpooled } from '../golden/networks.js';
import { loadSaved, openTensorFlow } from './tensorflow.js';

const golden = readGolden('networks.json');
const { backend, core } = await openTensorFlow();
/** Sums of a few dozen products, in other orders. */
const ALLOWED = 1e-4;

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((a, b) => a * b, 1);

test('a network is read by TensorFlow.js, which predicts alike, or is refused by name', async () => {
  let saved = 0;
  /** @type {string[]} */
  const wrong = [];
  const rows = sample(golden.networks, 2);
  for (const row of rows) {
    const g = await init();
    const nn = layers(g, { seed: 1 });
    const model = /** @type {any} */ (nn.modelFromJSON(unpooled(golden, row.model)));
    const draws = new Draws(row.seed);
    const values = model.weights.map((/** @type {any} */ { name, size, shape }) => {
      const drawn = draws.array([size]).map((v) => v / 4);
      return g.tensor(/variance$/.test(name) ? drawn.map((v) => Math.abs(v) + 0.75) : drawn, shape);
    });
    // Constraints hold of what initializers make, and of what was trained.
    if (![...model.allLayers].some((/** @type {any} */ layer) => layer.constrained.size > 0))
      model.setWeights(values);
    /** @type {Record<string, any>} */
    let files;
    try {
      files = saveLayersModel(model);
    } catch (error) {
      const { message } = /** @type {Error} */ (error);
      const names = model.allLayers.map((/** @type {any} */ layer) => layer.name);
      const isNamed =
        error instanceof OptionError &&
        names.some((/** @type {string} */ name) => message.includes(name));
      if (!isNamed) wrong.push(`${row.seed}: ${message}`);
      g.dispose();
      continue;
    }
    try {
      const back = await loadSaved(backend, files);
      const xs = model.inputs.map((/** @type {any} */ symbol, /** @type {number} */ i) => {
        const shape = symbol.shape.map((/** @type {number | null} */ size) => size ?? 4);
        const isWords = row.words && i === 0;
        const drawn = draws.array(shape);
        return { shape, data: isWords ? drawn.map((_, at) => at % golden.words) : drawn };
      });
      const ours = [
        model.predict(one(xs.map((/** @type {any} */ { data, shape }) => g.tensor(data, shape)))),
      ].flat();
      const theirs = [
        back.predict(one(xs.map((/** @type {any} */ { data, shape }) => core.tensor(data, shape)))),
      ].flat();
      for (const [i, y] of ours.entries()) {
        const want = theirs[i].dataSync();
        const worst = y
          .data()
          .reduce(
            (/** @type {number} */ most, /** @type {number} */ v, /** @type {number} */ k) =>
              Math.max(most, Math.abs(v - want[k]) / Math.max(1, Math.abs(v))),
            0,
          );
        assert.equal(want.length, sizeOf(y.shape));
        assert.ok(worst <= ALLOWED, `${worst} off`);
      }
      saved++;
    } catch (error) {
      const classes = model.layers.map((/** @type {any} */ layer) => layer.label).join(', ');
      wrong.push(`${row.seed}: ${/** @type {Error} */ (error).message}: ${classes}`);
    }
    g.dispose();
  }
  assert.deepEqual(wrong, []);
  console.log(`${saved} of ${rows.length} networks are read by TensorFlow.js`);
  assert.ok(saved >= rows.length / 20, `${saved} were saved`);
});

/** @template T @param {T[]} list */
function one(list) {
  return list.length === 1 ? list[0] : list;
}
