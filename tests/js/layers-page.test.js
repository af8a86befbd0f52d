/* What docs/layers.md, docs/from-tensorflow-js.md and docs/from-pytorch.md show, run as it stands
 * there, each page from its first block to its last. The worker runs in
 * tests/engines/layers.test.js. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { init } from 'gradlock';
import * as formats from 'gradlock/formats';
import { layers } from 'gradlock/layers';

/** @param {string} page */
const blocksOf = async (page) => {
  const text = await readFile(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  return Array.from(text.matchAll(/```js\n([\s\S]*?)```/g), ([, code]) => String(code));
};

const AsyncFunction = /** @type {FunctionConstructor} */ ((async () => {}).constructor);

/**
 * Run blocks, one after the other, in one scope.
 * @param {string[]} blocks
 * @param {Record<string, unknown>} given What they take for granted.
 * @param {string} result What they lead to, as an expression.
 */
const run = (blocks, given, result) => {
  const code = blocks.join('\n').replace(/^import .*;\n/gm, '');
  const names = ['init', 'layers', ...Object.keys(given)];
  return new AsyncFunction(...names, `${code}\nreturn ${result};`)(
    init,
    layers,
    ...Object.values(given),
  );
};

/** Draws for both pages. @param {number} samples */
const makeData = async (samples) => {
  const g = await init();
  return {
    g,
    images: /** @type {any} */ (g.randomNormal([samples, 28, 28, 1], 0, 1, 1).array()),
    classes: Array.from({ length: samples }, (_, i) => i % 10),
  };
};

test('every block of docs/layers.md does what it says', async (t) => {
  const blocks = await blocksOf('layers.md');
  const [worker, page] = blocks.splice(-2);
  assert.match(String(worker), /^\/\/ worker\.js/);
  assert.match(String(page), /^\/\/ the page/);
  assert.equal(blocks.length, 10);
  const samples = 64;
  const { images, classes } = await makeData(samples);
  /** @type {string[]} */
  const lines = [];
  /** @type {string[]} */
  const tables = [];
  // Values become tensors of the page's own instance.
  const start = `const xs = g.tensor(images), ys = g.tensor(classes);
    const hints = g.broadcastTo(1, [${samples}, 4]);\n`;
  t.mock.method(console, 'log', (/** @type {string} */ text) => void tables.push(text));
  const [first = '', ...others] = blocks;
  const found = await run(
    [first.replace('const net', `${start}const net`), ...others],
    { images, classes, log: (/** @type {string} */ line) => void lines.push(line) },
    `{ net, history, digits, result, kernel, fitted, logs, lifting,
       model, again, picture, json, probabilities, size, xs, hints, scaled }`,
  );
  const logs = ['loss', 'accuracy', 'val_loss', 'val_accuracy'];
  assert.deepEqual(Object.keys(found.history), logs);
  assert.equal(found.history.loss.length, 2);
  // 80 + 32 of the frozen layers, half of the head's kernel.
  assert.deepEqual(found.result.audit, { watched: 80 + 32 + 1352 * 5, changed: 0 });
  assert.equal(found.fitted.stopped, 'signal');
  assert.deepEqual([found.fitted.epoch, lines.length], [[0], 1]);
  assert.equal(found.fitted.unfinished.epoch, 1);
  assert.deepEqual(Object.keys(found.logs), ['loss', 'accuracy']);
  const lifted = found.lifting.lifted.map((/** @type {{ layer: string }} */ row) => row.layer);
  assert.equal(lifted.length, 2);
  for (const layer of found.net.layers) {
    if (layer.weights.length > 0) assert.equal(layer.trainable, lifted.includes(layer.name));
  }
  assert.equal(found.kernel.locks.count, lifted.includes('head') ? 0 : found.kernel.size);
  assert.equal(tables.length, 2);
  assert.match(String(tables[0]), /gains of a step/);
  assert.match(String(tables[1]), /class.*Dense/);
  assert.deepEqual(
    found.lifting.lifted.map((/** @type {{ epoch: number }} */ { epoch }) => epoch),
    [0, 1],
  );
  assert.match(found.picture, /^<svg/);
  assert.deepEqual(
    [found.probabilities.shape, found.size.shape],
    [
      [64, 10],
      [64, 1],
    ],
  );
  const [before] = found.again.apply([found.xs, found.hints]);
  assert.deepEqual(before.data(), found.probabilities.data());
  assert.equal(JSON.stringify(found.again), found.json);
  assert.equal(found.scaled.layers[1].factor.locks.count, 1);
});

test('the list in docs/layers.md has every layer, and no other', async () => {
  const page = await readFile(new URL('../../docs/layers.md', import.meta.url), 'utf8');
  const [, list = ''] = page.match(/^## List of layers\n([\s\S]*?)(?=^## )/m) ?? [];
  const rows = list.split('\n').filter((line) => line.startsWith('|'));
  let last = '';
  // `…2d` is the name before it, of two axes.
  const listed = [...rows.join('').matchAll(/`(…?)(\w+)`/g)].map(([, isShort, name = '']) => {
    last = isShort ? last.replace(/\dd$/, name) : name;
    return last;
  });
  const g = await init();
  // Other names of layers in the list.
  const isAlias = (/** @type {string} */ name) => /^(avg|\w+Pool\dd$)|^cropping2D$/.test(name);
  const names = ['lambda', ...Object.keys(layers(g)).filter((name) => !isAlias(name))].sort();
  assert.deepEqual(listed.sort(), names, 'name each layer in the list of docs/layers.md');
  g.dispose();
});

test('the example of docs/from-tensorflow-js.md trains, and what is frozen stays', async () => {
  const blocks = await blocksOf('from-tensorflow-js.md');
  assert.equal(blocks.length, 1);
  const { images, classes } = await makeData(32);
  const model = await run(blocks, { images, labels: classes }, 'model');
  assert.equal(model.layers[0].kernel.locks.count, 72);
  assert.equal(model.layers[3].kernel.locks.count, 1352);
});

/**
 * Three steps of PyTorch's Adam (torch.optim.Adam, defaults but for the rate) on the gradient 2 x.
 * @param {{ x: number[], m: number[], v: number[] }} from
 * @param {number} step Steps taken before.
 */
const adamOfPytorch = ({ x, m, v }, step) =>
  x.map((start, i) => {
    let [at, first, second] = [start, Number(m[i]), Number(v[i])];
    for (let t = step + 1; t <= step + 3; t++) {
      first = 0.9 * first + 0.1 * 2 * at;
      second = 0.999 * second + 0.001 * (2 * at) ** 2;
      const root = Math.sqrt(second / (1 - 0.999 ** t)) + 1e-8;
      at -= (1e-3 * first) / (1 - 0.9 ** t) / root;
    }
    return at;
  });

test('every line of docs/from-pytorch.md runs: its blocks, the calls of its tables, and the moments of Adam go on', async () => {
  const page = await readFile(new URL('../../docs/from-pytorch.md', import.meta.url), 'utf8');
  const [build = '', moments = '', ...more] = await blocksOf('from-pytorch.md');
  assert.deepEqual(more, []);
  const [names, defaults] = page
    .split('## Defaults')
    .map((part) =>
      (part.match(/^\| .*`.*$/gm) ?? []).map((row) => row.split('|').map((cell) => cell.trim())),
    );
  const codeOf = (/** @type {string} */ cell) => [...cell.matchAll(/`([^`]+)`/g)].map((m) => m[1]);
  const calls = names.flatMap((row) => codeOf(row[2]));
  assert.ok(calls.length >= 30 && defaults.length >= 6, `${calls.length}, ${defaults.length}`);
  /** @param {readonly number[]} shape */
  const entry = (shape) => ({
    shape,
    data: Float32Array.from({ length: shape.reduce((a, b) => a * b) }, (_, i) => i),
  });
  const file = formats.writeSafetensors({
    ...{
      '0.weight': entry([8, 4]),
      '0.bias': entry([8]),
      '4.weight': entry([3, 8]),
      '4.bias': entry([3]),
    },
    ...Object.fromEntries(
      ['weight', 'bias', 'running_mean', 'running_var'].map((name) => [`2.${name}`, entry([8])]),
    ),
  });
  const given = {
    ...{ ...formats, file, step: 40 },
    x: Array.from({ length: 6 }, (_, i) => [0, 1, 2, 3].map((k) => Math.sin(7 * i + k))),
    y: [0, 1, 2, 0, 1, 2],
  };
  const moved = { x: [0.5, -2], m: [0.3, -0.1], v: [0.2, 0.05] };
  const found = await run(
    [
      build,
      ...calls.map((call) => `(${call});`),
      `const kernel = net.getLayer('base').kernel.data();
       const shown = [${defaults.map((row) => codeOf(row[1])[0])}];`,
      `{
        const w = g.variable(${JSON.stringify(moved.x)}, { name: 'moved' });
        const exp_avg = ${JSON.stringify(moved.m)}, exp_avg_sq = ${JSON.stringify(moved.v)};
        ${moments}
        adam.minimize(() => g.sum(g.square(w)), { steps: 3 });
        var [end, clock] = [w.data(), adam.clock(w)];
      }`,
    ],
    given,
    '{ kernel, shown, end, clock, iterations: optimizer.iterations }',
  );
  assert.deepEqual([...found.kernel].slice(0, 3), [0, 4, 8], 'transposed');
  assert.deepEqual(
    found.shown.map(String),
    defaults.map((row) => String(Number(row[3]) || row[3])),
  );
  assert.deepEqual([...found.clock], [43, 43]);
  for (const [i, value] of adamOfPytorch(moved, 40).entries()) {
    assert.ok(Math.abs(found.end[i] - value) < 1e-6, `${found.end[i]}, PyTorch ${value}`);
  }
});
