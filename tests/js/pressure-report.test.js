/* Precisions: f32, f64. */
/* What a measurement of pressure says, what it refuses, and that training goes on as without. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OptionError } from 'gradlock';
import { sortRows } from '../../src/js/layers/pressure/report.js';
import { caseOf, draw, make, measure } from './pressure-cases.js';
import { bitsOf } from './support.js';

/** @typedef {import('gradlock/layers').Dense} Dense */

test('dropout and shuffling draw the same, whether pressure was measured in between or not', async () => {
  const train = async (/** @type {boolean} */ measures) => {
    const { g, nn } = await make();
    const net = nn.sequential([
      nn.dense({ units: 8, activation: 'relu', inputShape: [4] }),
      nn.dropout({ rate: 0.5 }),
      nn.dense({ units: 1 }),
    ]);
    net.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
    const [xs, ys] = [draw(g, [20, 4], 1), draw(g, [20, 1], 2)];
    const onEpochEnd = async () => void (measures && (await net.pressure(xs, ys)));
    await net.fit(xs, ys, { epochs: 3, batchSize: 8, callbacks: { onEpochEnd } });
    if (measures) await net.pressure(xs, ys);
    await net.fit(xs, ys, { epochs: 1, batchSize: 8 });
    return net.weights.map((w) => [...bitsOf(w.data())]);
  };
  assert.deepEqual(await train(true), await train(false));
});

test('a NaN is shown first, and lifts nothing', async () => {
  const { nn } = await make();
  const net = nn.sequential([
    nn.dense({ units: 2, inputShape: [2], name: 'low' }),
    nn.dense({ units: 1, useBias: false, name: 'high' }),
  ]);
  net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  /** @type {Dense} */ (net.getLayer('low')).kernel.assign([
    [1, 1],
    [1, 1],
  ]);
  /** @type {Dense} */ (net.getLayer('high')).kernel.assign([[2], [Number.NaN]]);
  net.trainable = false;
  const found = await net.pressure([[1, 1]], [[1]]);
  assert.ok(Number.isNaN(found.loss));
  for (const row of found.rows) {
    for (const key of /** @type {const} */ (['firstOrder', 'secondOrder', 'optimal', 'curvature']))
      assert.ok(Number.isNaN(row[key]), `${row.name} ${key}`);
  }
  assert.match(found.text, /loss NaN[\s\S]*low[^\n]*NaN/);
  assert.match(found.svg, /NaN locked/);
  assert.deepEqual(found.lift(5), []);
  /** @type {Dense} */ (net.getLayer('high')).kernel.assign([[2], [0]], { force: true });
  const fine = await net.pressure([[1, Number.NaN]], [[1]], { by: 'weight' });
  assert.ok(Number.isNaN(fine.rows[0]?.firstOrder), 'a row of data that is no number');
});

test('a single layer with NaN comes first, and the next one is lifted', async () => {
  const { g, nn } = await make();
  const net = nn.sequential([
    nn.dense({ units: 2, inputShape: [2], kernelInitializer: 'zeros', name: 'low' }),
    nn.lambda((x) => g.sqrt(g.square(x))),
    nn.dense({ units: 1, name: 'high' }),
  ]);
  net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  net.trainable = false;
  const found = await net.pressure([[1, 1]], [[1]]);
  assert.deepEqual(
    found.rows.map(({ name, firstOrder }) => [name, Number.isNaN(firstOrder)]),
    [
      ['low', true],
      ['high', false],
    ],
  );
  assert.deepEqual(
    found.lift().map(({ name }) => name),
    ['high'],
  );
});

test('a loss that is straight has no curvature; a gradient of 0 gains nothing', async () => {
  const { nn, g } = await make();
  const net = nn.sequential([nn.dense({ units: 1, inputShape: [2], name: 'line' })]);
  net.compile({ optimizer: 'sgd', loss: (_, p) => g.reshape(p, [p.shape[0] ?? 0]) });
  const { rows } = await net.pressure([[1, 2]], [[0]], { learningRate: 0.5 });
  const [row] = rows;
  assert.deepEqual(
    [row?.curvature, row?.firstOrder, row?.secondOrder, row?.optimal],
    [0, 3, 3, Infinity],
  );
  const none = await net.pressure([[0, 0]], [[0]], { by: 'weight' });
  const kernel = none.rows.find(({ weight }) => weight === 'line/kernel');
  assert.deepEqual(
    [kernel?.relativeNorm, kernel?.firstOrder, kernel?.curvature, kernel?.optimal],
    [0, 0, 0, 0],
  );
});

test('the table and the picture say what is locked, and the rows go into JSON', async () => {
  const made = await make();
  const found = caseOf(made, 'convolutions and batch normalisation');
  const pressure = await measure(found, { by: 'weight', sortBy: 'secondOrder', maxRows: 4 });
  const lines = pressure.text.split('\n');
  assert.equal(lines.length, 1 + 3 + 4 + 1 + 1);
  assert.match(String(lines[0]), /^loss [\d.]+, gains of a step of rate 0.1$/);
  assert.match(String(lines.at(-1)), /^\d more$/);
  for (const line of lines.slice(4, 8))
    assert.match(
      line,
      /^│ \S+ +│ (locked|free {2}) │( +\S+ │){5}$/,
      'words to the left, numbers right',
    );
  assert.equal(`${pressure}`, pressure.text);
  const shown = pressure.rows.slice(0, 4);
  const gains = shown.map(({ secondOrder }) => Number(secondOrder));
  assert.deepEqual(
    [...gains].sort((a, b) => b - a),
    gains,
  );
  assert.ok(pressure.rows.slice(4).every(({ curvature }) => curvature === null));
  assert.match(pressure.svg, /^<svg [^>]*role="img"[^>]*>\n<title>[^<]+<\/title>/);
  assert.doesNotMatch(pressure.svg, /NaN|undefined|Infinity/);
  const bars = pressure.svg.match(/<rect [^>]*>/g) ?? [];
  assert.equal(bars.length, 4);
  assert.deepEqual(
    bars.map((bar) => bar.includes('url(#gradlock-pressure)')),
    shown.map(({ locked }) => locked),
  );
  const layered = await measure(found);
  assert.match(layered.text, /┘$/, 'no rows are left out');
  assert.deepEqual(JSON.parse(JSON.stringify(layered)).rows, layered.rows);
  const steep = await measure(found, { learningRate: 50, sortBy: 'secondOrder' });
  const [second, first] = /** @type {const} */ (['secondOrder', 'firstOrder']).map((key) =>
    steep.rows.map((row) => Number(row[key])),
  );
  assert.deepEqual(
    second,
    [...(second ?? [])].sort((a, b) => b - a),
  );
  assert.notDeepEqual(
    first,
    [...(first ?? [])].sort((a, b) => b - a),
    'another order',
  );
  assert.ok(Number(second?.at(-1)) < 0);
  assert.doesNotMatch(steep.svg, /width="-/, 'losses are bars to the left');
  const ends = Array.from(
    steep.svg.matchAll(/<rect x="([\d.]+)" [^>]*?width="([\d.]+)"/g),
    ([, x, width]) => [Number(x), Number(x) + Number(width)],
  );
  assert.equal(ends.length, steep.rows.length);
  const zero = Math.max(...ends.map(([from = 0], i) => (Number(second?.[i]) > 0 ? from : 0)));
  for (const [i, [from = 0, to = 0]] of ends.entries()) {
    const middle = Number(second?.[i]) > 0 ? from : to;
    assert.ok(zero === 0 || Math.abs(middle - zero) < 1e-6, `${from} to ${to}, of ${zero}`);
    assert.ok(from >= 199.99 && to <= 500.01, `${from} to ${to}`);
  }
});

test('rows are sorted from the largest on, NaN before all and what is missing behind', () => {
  const values = [-1, null, 2, Number.NaN, Infinity, -Infinity, null, 0];
  const rows = values.map((optimal) => /** @type {any} */ ({ optimal }));
  assert.deepEqual(
    sortRows(rows, 'optimal').map(({ optimal }) => optimal),
    [Number.NaN, Infinity, 2, 0, -1, -Infinity, null, null],
  );
});

test('a measurement has the rows of every unit; those that are not shown may lack curvature', async () => {
  const found = caseOf(await make(), 'convolutions and batch normalisation');
  const { layers, weights, filters } = await measure(found);
  for (const [by, rows] of Object.entries({ layer: layers, weight: weights, filter: filters })) {
    const values = (/** @type {any[]} */ list) =>
      list.map(({ name, locked, elements, firstOrder }) => [name, locked, elements, firstOrder]);
    assert.deepEqual(
      values(rows),
      values((await measure(found, { by: /** @type {any} */ (by) })).rows),
      by,
    );
  }
});

test('bars are within the picture, one below the other; an infinite one is as long as the longest', async () => {
  const found = caseOf(await make(), 'convolutions and batch normalisation');
  const { svg, rows } = await measure(found, { by: 'weight', sortBy: 'relativeNorm' });
  const [, width, height] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
  const bars = Array.from(
    svg.matchAll(/<rect x="(\S+)" y="(\S+)" width="(\S+)" height="(\S+)"/g),
    (match) => match.slice(1).map(Number),
  );
  assert.equal(bars.length, rows.length);
  let bottom = 20; // of the title
  for (const [x, y, wide, high] of bars) {
    assert.ok(y >= bottom && x >= 0 && x + wide <= width, `${[x, y, wide, high]}`);
    bottom = y + high;
  }
  assert.ok(bottom <= height);
  const lengths = (/** @type {boolean} */ isKnown) =>
    bars.flatMap(([, , wide], i) =>
      Number.isFinite(rows[i]?.relativeNorm) === isKnown ? [wide] : [],
    );
  const longest = Math.max(...lengths(true));
  assert.ok(longest > 0 && lengths(false).length > 0);
  for (const wide of lengths(false)) assert.ok(Math.abs(wide - longest) < 1e-9, `${wide}`);
});

test('a stateful layer, and weights that change meanwhile, are refused', async () => {
  const { g, nn } = await make();
  const stateful = nn.sequential([
    nn.gru({ units: 1, stateful: true, batchInputShape: [2, 3, 1] }),
  ]);
  stateful.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  const steps = draw(g, [2, 3, 1], 1);
  await assert.rejects(stateful.pressure(steps, [[0], [0]], { batchSize: 2 }), OptionError);

  const net = nn.sequential([nn.dense({ units: 1, inputShape: [2] })]);
  net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  const rows = Array.from({ length: 6 }, (_, i) => [i, 1]);
  const { objects } = g.memory();
  const asked = net.pressure(
    rows,
    rows.map(() => [1]),
    { batchSize: 2, yieldEvery: 'batch' },
  );
  setImmediate(() => /** @type {Dense} */ (net.getLayer(0)).bias.assign([2]));
  await assert.rejects(asked, /changed while their pressure was measured/);
  assert.equal(g.memory().objects, objects);
});
