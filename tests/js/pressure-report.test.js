/* What a measurement of pressure says, what it refuses, and that training goes on as without. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, OptionError, ShapeError } from 'gradlock';
import { caseOf, draw, everything, make, measure } from './pressure-cases.js';
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

test('what is no number is shown, first, and lifts nothing', async () => {
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

test('where only one layer has no number, it comes first, and the next one is lifted', async () => {
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

test('what cannot be measured is refused, and nothing has changed', async () => {
  const made = await make();
  const found = caseOf(made, 'a layer that is applied twice');
  const { net, xs, ys } = found;
  const { nn } = made;
  const before = everything(net);
  const { objects } = made.g.memory();
  const line = () => nn.sequential([nn.dense({ units: 1, inputShape: [4] })]);
  /** @type {[() => Promise<unknown> | unknown, any, RegExp][]} */
  const refused = [
    [() => line().pressure(xs, ys), GradlockError, /compile the model/],
    [() => net.pressure(xs, ys, { by: 'row' }), OptionError, /by/],
    [() => net.pressure(xs, ys, { sortBy: 'norm' }), OptionError, /sortBy/],
    [() => net.pressure(xs, ys, { maxRows: 0 }), OptionError, /maxRows/],
    [() => net.pressure(xs, ys, { learningRate: -1 }), OptionError, /learningRate/],
    [() => net.pressure(xs, ys, { learningRate: Number.NaN }), OptionError, /learningRate/],
    [() => net.pressure(xs, ys, { rate: 1 }), TypeError, /no 'rate'/],
    [
      () => net.pressure(xs, ys, { sortBy: 'optimal', secondOrder: false }),
      OptionError,
      /needs \{ secondOrder: true \}/,
    ],
    [() => net.pressure(xs, [[1]]), ShapeError, /rows/],
    [() => nn.callbacks.liftPressure(/** @type {any} */ ({})), TypeError, /data/],
    [() => nn.callbacks.liftPressure({ data: [xs] }), TypeError, /data/],
    [() => nn.callbacks.liftPressure({ data: [xs, ys], every: 0 }), OptionError, /every/],
  ];
  for (const [call, Class, message] of refused) {
    await assert.rejects(
      async () => call(),
      (/** @type {any} */ error) => error instanceof Class && message.test(error.message),
      String(call),
    );
  }
  assert.equal(everything(net), before);
  assert.equal(made.g.memory().objects - objects, 2, 'the weights of the other model');
  const { lift } = await net.pressure(xs, ys);
  assert.ok(lift);
  const pressure = await net.pressure(xs, ys);
  assert.throws(() => pressure.lift(-1), /lift/);
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
