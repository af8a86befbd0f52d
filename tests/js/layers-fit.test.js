/* Precisions: f32, f64. */
/* Whole runs of fit beside Keras 3.15, epoch by epoch, with layers frozen and freed, compiled again
 * midway, and elements held: fit.json, written by tests/golden/fit.py.
 *
 * Keras computed in f64. What its own f32 differs by from that, at most, is the measure: here it
 * may be 8 times as much, or 16 roundings of the largest of a weight, whichever is more. Keras
 * takes Adam's betas through f32 even then, which makes up to 1.3e-4 of the length of each step
 * (golden-driver.test.js derives it): that is added. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { Draws, floats, printTable, readGolden, UNIT } from '../golden/golden.js';

const golden = readGolden('fit.json');
const MOST = 8;
const OF_STEP = 1.3e-4;

/** @param {any} model @param {string} name @returns {any} */
const findLayer = (model, name) => {
  for (const layer of model.layers) {
    if (layer.name === name) return layer;
    const inner = layer.layers ? findLayer(layer, name) : null;
    if (inner) return inner;
  }
  return null;
};

/** As draw_inputs, draw_labels and draw_weights of fit.py. */
const draw = (/** @type {any} */ g, /** @type {any} */ model, /** @type {any} */ run) => {
  const draws = new Draws(run.seed);
  const { samples } = golden;
  const classes = (/** @type {number} */ n, count = samples) =>
    Float32Array.from({ length: count }, () => (draws.next() >>> 8) % n);
  const embedding = model.layers.find(
    (/** @type {any} */ l) => l.constructor.className === 'Embedding',
  );
  const xs = model.inputs.map((/** @type {any} */ { shape }) => {
    const dims = [samples, ...shape.slice(1)];
    const count = dims.reduce((a, b) => a * b, 1);
    return g.tensor(
      embedding ? classes(embedding.config.inputDim, count) : draws.array(dims),
      dims,
    );
  });
  const out = model.outputs[0].shape;
  const [kind, width] = Array.isArray(run.labels) ? run.labels : [run.labels];
  /** @type {any[]} */
  let ys;
  if (kind === 'class') ys = [g.tensor(classes(out[1]))];
  else if (kind === 'binary') ys = [g.tensor(classes(2), [samples, 1])];
  else if (kind === 'two') {
    const number = g.tensor(draws.array([samples, 1]), [samples, 1]);
    ys = [number, g.oneHot(classes(3), 3)];
  } else {
    const values = draws.array([samples, width]);
    ys = [
      g.tensor(kind === 'unit' ? values.map((v) => Math.abs(v) / 2) : values, [samples, width]),
    ];
  }
  const weights = model.weights.map((/** @type {any} */ { name, shape, size }) => {
    const values = draws.array([size]).map((v) => v / 4);
    const isScale = /\/(gamma|moving_variance)$/.test(name);
    return g.tensor(isScale ? values.map((v) => Math.abs(v) + 0.75) : values, shape);
  });
  return { xs, ys, weights };
};

/** @type {string[][]} */
const table = [];

for (const run of golden.runs) {
  test(`${run.name}: losses, metrics and weights of four fits follow Keras, whatever is frozen or held`, async () => {
    const g = await init();
    const nn = layers(g);
    const model = nn.modelFromJSON(run.model);
    const { xs, ys, weights } = draw(g, model, run);
    model.setWeights(weights);
    const compile = () =>
      model.compile({ optimizer: run.optimizer, loss: run.loss, metrics: run.metrics });
    compile();
    const { class_name: rule, config } = run.optimizer;
    const ofStep = rule.startsWith('Adam') ? OF_STEP * config.learning_rate : 0;
    let path = 0;
    let worst = 0;
    let own = 0;
    for (const { how, epochs, history, weights: wanted, apart, historyApart } of run.phases) {
      for (const name of how.freeze ?? []) findLayer(model, name).trainable = false;
      for (const name of how.unfreeze ?? []) findLayer(model, name).trainable = true;
      if (how.compile) compile();
      if (how.release) for (const weight of model.weights) weight.unlock('all');
      const before = model.weights.map((w) => w.data());
      for (const [index, indices] of Object.entries(how.hold ?? {})) {
        model.weights[Number(index)]?.lock(indices);
      }
      const title = JSON.stringify(how).slice(0, 40);
      const result = await model.fit(xs.length === 1 ? xs[0] : xs, ys.length === 1 ? ys[0] : ys, {
        epochs,
        batchSize: golden.batchSize,
        shuffle: false,
      });
      assert.equal(result.audit?.changed, 0);
      path += epochs * Math.ceil(golden.samples / golden.batchSize) * ofStep;
      const keys = Object.keys(history);
      if (!how.hold) assert.deepEqual(Object.keys(result.history).sort(), keys.sort());
      for (const key of keys) {
        const [got, want] = [result.history[key] ?? [], floats(history[key])];
        const limit = MOST * Math.max(historyApart[key], UNIT * 4 * Math.max(1, ...want)) + path;
        for (const [epoch, value] of want.entries()) {
          const off = Math.abs(Number(got[epoch]) - value);
          assert.ok(
            off <= limit,
            `${title}: ${key} of epoch ${epoch} is ${got[epoch]}, Keras ${value} ± ${limit}`,
          );
        }
      }
      const measure = Math.max(...apart);
      own = Math.max(own, measure);
      model.weights.forEach((weight, i) => {
        const [got, want] = [weight.data(), floats(wanted[i])];
        const largest = want.reduce((a, b) => Math.max(a, Math.abs(b)), 0);
        const limit = MOST * Math.max(measure, UNIT * 2 * largest) + path;
        for (const [k, value] of want.entries()) {
          const off = Math.abs(Number(got[k]) - value);
          worst = Math.max(worst, off);
          assert.ok(
            off <= limit,
            `${title}: ${weight.name}[${k}] is ${got[k]}, Keras ${value} ± ${limit}`,
          );
        }
        for (const k of weight.locks.toIndices()) {
          assert.ok(Object.is(got[k], before[i]?.[k]), `${weight.name}[${k}] is locked and moved`);
        }
      });
    }
    table.push([run.name, worst.toExponential(1), own.toExponential(1)]);
    g.dispose();
  });
}

after(() => {
  const headings = ['model', 'here', "Keras's own f32"];
  printTable('Largest distance of a weight from Keras in f64', headings, table);
});
