/* Tier: test. Precisions: f32, f64. */
/* Pressure of a model (law 21): what each lock costs, held against gradients written by hand,
 * against finite differences, and against the step that follows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CASES,
  caseOf,
  compiled,
  everything,
  lossOf,
  make,
  measure,
  moved,
  near,
  weightsOf,
} from './pressure-cases.js';
import { bitsOf } from './support.js';

test('pressure of a line has the gradient, gains and best step found by hand', async () => {
  const { g, nn } = await make();
  const net = nn.sequential([nn.dense({ units: 2, inputShape: [2], name: 'line' })]);
  net.compile({ optimizer: g.optimizers.sgd({ learningRate: 0.5 }), loss: 'meanSquaredError' });
  const { kernel, bias } = /** @type {import('gradlock/layers').Dense} */ (net.getLayer('line'));
  kernel.assign([
    [1, 2],
    [3, 4],
  ]);
  kernel.lock({ cols: [1] });
  const xs = [
    [1, 0],
    [0, 2],
    [1, 1],
  ];
  const ys = [
    [0, 0],
    [0, 2],
    [1, 2],
  ];
  // p = [1 2; 6 8; 4 6], r = p − y = [1 2; 6 6; 3 4], L = Σ r² / 6,
  // dL/dk = xᵀr / 3, dL/db = Σr / 3.
  const found = await net.pressure(xs, ys, { by: 'weight', batchSize: 2 });
  near(found.loss, (1 + 4 + 36 + 36 + 9 + 16) / 6, 1e-6, 'loss');
  assert.equal(found.learningRate, 0.5);
  const gradient = { free: [4 / 3, 5], locked: [2, 16 / 3], bias: [10 / 3, 4] };
  /** @type {[string, boolean, number[], number[], (slope: number[]) => number][]} */
  const expected = [
    // A column u of the kernel: gᵀHg = Σ (x·u)² / 3.
    [
      'line/kernel',
      true,
      gradient.locked,
      [2, 4],
      ([a = 0, b = 0]) => a * a + 4 * b * b + (a + b) ** 2,
    ],
    [
      'line/kernel',
      false,
      gradient.free,
      [1, 3],
      ([a = 0, b = 0]) => a * a + 4 * b * b + (a + b) ** 2,
    ],
    ['line/bias', false, gradient.bias, [0, 0], ([a = 0, b = 0]) => 3 * (a * a + b * b)],
  ];
  for (const [name, locked, slope, values, bent] of expected) {
    const row = found.rows.find((r) => r.name === name && r.locked === locked);
    assert.ok(row, name);
    const gg = Math.hypot(...slope) ** 2;
    const gHg = bent(slope) / 3;
    near(row.gradientNorm, Math.sqrt(gg), 1e-6, `${name} gradientNorm`);
    near(row.weightNorm, Math.hypot(...values), 1e-6, `${name} weightNorm`);
    const relative = Math.sqrt(gg) / Math.hypot(...values);
    if (name === 'line/bias') assert.equal(row.relativeNorm, Infinity);
    else near(row.relativeNorm, relative, 1e-6, `${name} relativeNorm`);
    near(row.firstOrder, 0.5 * gg, 1e-6, `${name} firstOrder`);
    near(row.curvature ?? NaN, gHg / gg, 1e-6, `${name} curvature`);
    near(row.secondOrder ?? NaN, 0.5 * gg - 0.125 * gHg, 1e-6, `${name} secondOrder`);
    near(row.optimal ?? NaN, gg ** 2 / (2 * gHg), 1e-6, `${name} optimal`);
    assert.equal(row.elements, 2);
  }
  assert.ok(
    found.rows.every((row, i, rows) => i === 0 || rows[i - 1].firstOrder >= row.firstOrder),
  );
  bias.assign([1, 1]);
});

for (const [name, build] of Object.entries(CASES)) {
  test(`${name}: filters add up to weights, weights to layers, for locked and free apart`, async () => {
    const made = await make();
    const found = build(made);
    const { layers: all, weights, filters } = await measure(found, { secondOrder: false });
    assert.ok(all.some(({ locked }) => locked) && all.some(({ locked }) => !locked));
    /** @param {any[]} rows @param {any} of @param {'layer' | 'weight'} key */
    const sum = (rows, of, key) =>
      rows
        .filter((row) => row[key] === of[key] && row.locked === of.locked)
        .reduce(
          ([n, gg, ww, gain], row) => [
            n + row.elements,
            gg + row.gradientNorm ** 2,
            ww + row.weightNorm ** 2,
            gain + row.firstOrder,
          ],
          [0, 0, 0, 0],
        );
    for (const [wholes, parts, key] of /** @type {any[]} */ ([
      [weights, filters, 'weight'],
      [all, weights, 'layer'],
    ])) {
      for (const row of wholes) {
        const [n, gg, ww, gain] = sum(parts, row, key);
        assert.equal(n, row.elements);
        near(Math.sqrt(gg), row.gradientNorm, 1e-12, row.name);
        near(Math.sqrt(ww), row.weightNorm, 1e-12, row.name);
        near(gain, row.firstOrder, 1e-12, row.name);
      }
    }
    const sizes = found.net.weights.filter((/** @type {any} */ w) => w.trainable);
    const total = sizes.reduce((/** @type {number} */ n, /** @type {any} */ w) => n + w.size, 0);
    assert.equal(
      all.reduce((n, { elements }) => n + elements, 0),
      total,
    );
  });

  test(`${name}: gains and curvatures are those of finite differences`, async () => {
    const made = await make();
    const found = build(made);
    const { net } = found;
    for (const by of /** @type {const} */ (['layer', 'weight'])) {
      const { rows, loss } = await measure(found, { by });
      near(loss, await lossOf(found), 1e-5, 'loss');
      for (const row of rows) {
        // A gradient of its own: the difference quotient of each element, in f32.
        const weights = weightsOf(net, row);
        const step = 2 ** -6;
        const along = weights.map((/** @type {any} */ w) => new Float64Array(w.size));
        let gg = 0;
        for (const [i, weight] of weights.entries()) {
          const mask = weight.locks.toMask();
          for (let k = 0; k < weight.size; k++) {
            if (mask[k] !== Number(row.locked)) continue;
            const one = weights.map((/** @type {any} */ w) => new Float64Array(w.size));
            one[i][k] = 1;
            const up = await moved(weights, one, step, () => lossOf(found));
            const down = await moved(weights, one, -step, () => lossOf(found));
            along[i][k] = (up - down) / (2 * step);
            gg += along[i][k] ** 2;
          }
        }
        near(row.gradientNorm, Math.sqrt(gg), 2e-2, `${row.name} gradientNorm`);
        const unit = along.map((/** @type {Float64Array} */ v) => v.map((x) => x / Math.sqrt(gg)));
        const by = 0.125;
        const [up, middle, down] = [
          await moved(weights, unit, by, () => lossOf(found)),
          await lossOf(found),
          await moved(weights, unit, -by, () => lossOf(found)),
        ];
        const curvature = (up - 2 * middle + down) / by ** 2;
        assert.ok(
          Math.abs(Number(row.curvature) - curvature) < 0.02 + 0.05 * Math.abs(curvature),
          `${row.name} ${row.locked}: ${row.curvature}, differences say ${curvature}`,
        );
      }
    }
  });

  test(`${name}: measuring moves nothing, and gives back what it took`, async () => {
    const made = await make();
    const found = build(made);
    const { net, xs, ys } = found;
    // So that the optimizer has state.
    net.trainOnBatch(xs, ys);
    // Twice, since C keeps small blocks of memory.
    for (let i = 0; i < 2; i++) await measure(found, { by: 'filter', maxRows: 3 });
    const state = () => [...net.optimizer.toBytes()];
    const [before, slots] = [everything(net), state()];
    const { bytes, objects } = made.g.memory();
    for (let i = 0; i < 3; i++) await measure(found, { by: 'filter', maxRows: 3 });
    assert.equal(everything(net), before);
    assert.deepEqual(state(), slots);
    const after = made.g.memory();
    assert.deepEqual([after.bytes, after.objects], [bytes, objects]);
  });

  test(`${name}: one step after a lift gains what was predicted, to O(rate³)`, async () => {
    /** Of a rate: how far the loss after one step is from the prediction. @param {number} rate */
    const missed = async (rate) => {
      const made = await make();
      const found = build(made);
      const { net } = found;
      for (const layer of net.allLayers) layer.trainable = false;
      const pressure = await measure(found, { learningRate: rate });
      assert.ok(pressure.rows.every(({ locked }) => locked));
      const [lifted] = pressure.lift();
      const gradient = weightsOf(net, lifted);
      const before = await lossOf(found);
      const held = net.weights.filter((/** @type {any} */ w) => !gradient.includes(w));
      const bits = held.map((/** @type {any} */ w) => [...bitsOf(w.data())]);
      net.compile({
        ...compiled(found),
        optimizer: made.g.optimizers.sgd({ learningRate: rate }),
      });
      // In training mode nothing else is lifted: batch normalisation is frozen but where it is it.
      await net.fit(found.xs, found.ys, {
        sampleWeight: found.sampleWeight,
        batchSize: 64,
        shuffle: false,
      });
      assert.deepEqual(
        held.map((/** @type {any} */ w) => [...bitsOf(w.data())]),
        bits,
      );
      const gain = before - (await lossOf(found));
      return { off: Math.abs(gain - Number(lifted.secondOrder)), gain, lifted };
    };
    const [large, small] = [await missed(0.4), await missed(0.1)];
    assert.ok(large.gain > 0 && small.gain > 0, `${large.gain} ${small.gain}`);
    const ratio = large.off / Math.max(small.off, 1e-7);
    assert.ok(small.off < 0.02 * small.gain + 1e-6, `${small.off} of ${small.gain}`);
    assert.ok(ratio > 20 || large.off < 1e-6, `${large.off} / ${small.off}: 64 is O(rate³)`);
  });
}

test('curvatures are differences of gradients along the gradient, of layers, weights and filters', async () => {
  for (const name of ['a layer that is applied twice', 'a model inside of a model']) {
    const made = await make();
    const found = caseOf(made, name);
    const { net, xs, ys } = found;
    const { g } = made;
    for (const by of /** @type {const} */ (['layer', 'weight', 'filter'])) {
      const { rows } = await measure(found, { by, maxRows: 100 });
      for (const row of rows) {
        const weights = weightsOf(net, row);
        const slope = () =>
          g.tidy(() => {
            const loss = () => g.losses.meanSquaredError(ys, net.apply(xs));
            const { grads } = g.valueAndGrad(loss, weights);
            // Filters of dense layers are columns.
            const isIn = (/** @type {number} */ i, /** @type {number} */ k) =>
              row.filter === null || k % weights[i].shape.at(-1) === row.filter;
            return grads.map((grad, i) => grad.data().map((v, k) => (isIn(i, k) ? v : 0)));
          });
        const gradient = slope();
        const dot = (/** @type {Float32Array[]} */ other) =>
          gradient.reduce(
            (n, a, i) => n + a.reduce((m, v, k) => m + v * Number(other[i]?.[k]), 0),
            0,
          ) / row.gradientNorm;
        const unit = gradient.map((a) => a.map((v) => v / row.gradientNorm));
        const step = 2 ** -7;
        const up = dot(await moved(weights, unit, step, async () => slope()));
        const down = dot(await moved(weights, unit, -step, async () => slope()));
        near(dot(gradient), row.gradientNorm, 1e-5, row.name);
        const quotient = (up - down) / (2 * step);
        assert.ok(
          Math.abs(quotient - Number(row.curvature)) < 2e-4 + 1e-3 * Math.abs(quotient),
          `${row.name}: ${row.curvature}, differences say ${quotient}`,
        );
      }
    }
  }
});

test('an element has the same gradient locked and free, whatever the batches are', async () => {
  for (const build of Object.values(CASES)) {
    const made = await make();
    const found = build(made);
    const { net } = found;
    for (const layer of net.allLayers) layer.trainable = true;
    net.unlock(() => true);
    const free = await measure(found, { by: 'filter', secondOrder: false, batchSize: 1 });
    net.trainable = false;
    const locked = await measure(found, { by: 'filter', secondOrder: false, batchSize: 64 });
    assert.ok(locked.rows.every((row) => row.locked) && free.rows.every((row) => !row.locked));
    assert.equal(locked.rows.length, free.rows.length);
    for (const row of locked.rows) {
      const other = free.rows.find(({ name }) => name === row.name);
      assert.ok(Math.abs(Number(other?.gradientNorm) - row.gradientNorm) < 1e-5, row.name);
    }
  }
});
