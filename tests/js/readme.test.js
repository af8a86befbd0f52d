/* What the guide says, run as it stands there. The README's example is run from the packed tarball,
 * in package.test.js. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';

const guide = await readFile(new URL('../../docs/guide.md', import.meta.url), 'utf8');
const [changing, tape, fitting, bounding, state, ...more] = [
  ...guide.matchAll(/```js\n([\s\S]*?)```/g),
].map(([, code]) => code);

/**
 * Run an example.
 * @param {string} code
 * @param {Record<string, unknown>} given What it takes for granted.
 * @param {string} result What it leads to, as an expression.
 */
const run = (code, given, result) =>
  new Function(...Object.keys(given), `${code}\nreturn ${result};`)(...Object.values(given));

test('README has five examples: of locks, tapes, fits, bounds and states', () => {
  assert.match(changing, /^x\.toggle/);
  assert.match(tape, /^const tape = /);
  assert.match(fitting, /^const peaks = /);
  assert.match(bounding, /^fit\.setBounds/);
  assert.match(state, /^const bytes = /);
  assert.deepEqual(more, []);
});

test('the example of a tape gives the gradient in its comment', async () => {
  const g = await init();
  const x = g.variable([1, -3]);
  assert.deepEqual(run(tape, { g, x }, 'dx').array(), [2, -6]);
});

test('the examples of a fit find the peaks, with their widths locked, and what a bound stops', async () => {
  const g = await init();
  const truth = [
    [4, 2.5, 0.4],
    [2, 5, 0.6],
  ];
  const points = Array.from({ length: 60 }, (_, i) => i / 8);
  const bell = (/** @type {number} */ t, /** @type {number[]} */ [a, c, w]) =>
    a * Math.exp(-(((t - c) / w) ** 2));
  const at = g.tensor(points.map((t) => [t]));
  const seen = g.tensor(points.map((t) => bell(t, truth[0]) + bell(t, truth[1])));
  const [peaks, fit, residuals] = run(fitting, { g, at, seen }, '[peaks, fit, residuals]');
  for (const [i, value] of truth.flat().entries()) {
    assert.ok(Math.abs(peaks.data()[i] - value) < 1e-4, `${i}: ${peaks.data()[i]}`);
  }
  assert.deepEqual([peaks.data()[2], peaks.data()[5]], [0.4, 0.6].map(Math.fround));
  assert.notEqual(fit.stopReason, 'steps');
  peaks.assign([3, 2.2, 0.4, 3, 5.3, 0.6]);
  const held = bounding.replace('peaks.locks', 'const held = peaks.locks');
  assert.deepEqual([...run(held, { fit, peaks, residuals }, 'held')], [1]);
  assert.equal(peaks.data()[1], Math.fround(2.4));
});

test('the example of a state leads back to it', async () => {
  const g = await init();
  const x = g.variable([1, -3]);
  const adam = g.optimizers.adam();
  const loss = g.compile(() => g.sum(g.square(g.dropout(x, 0.5, 3))));
  adam.minimize(loss, { steps: 3 });
  const before = adam.toBytes({ also: [loss] });
  assert.deepEqual(run(state, { adam, loss }, 'bytes'), before);
  assert.deepEqual(adam.toBytes({ also: [loss] }), before);
});

test('the guide is right in its lines on audits, pressure, listeners and saving', async () => {
  const g = await init();
  const x = g.variable([1, 2, 3]);
  x.lock([0]);
  assert.equal(x.locks.watch().audit().changed, 0);
  const loss = g.compile(() => g.sum(g.square(x)));
  assert.deepEqual(g.pressure(loss, [x])[0].array(), [2, 0, 0]);
  let heard = 0;
  const bytes = x.locks.toBytes();
  x.locks.onChange(() => heard++);
  x.unlock('all');
  assert.equal(heard, 1);
  x.lock(g.locksFrom(bytes));
  assert.deepEqual(Array.from(x.locks.toMask()), [1, 0, 0]);
  const adam = g.optimizers.adam();
  const { grads } = g.valueAndGrad(loss, [x]);
  adam.applyGradients([[grads[0], x]]);
  assert.deepEqual(
    x.data().map((value, i) => Number(value === i + 1)),
    Float32Array.of(1, 0, 0),
  );
});

test('each line of the guide on changing locks does what its comment says', async () => {
  const lines = changing.split('\n').filter((line) => line.startsWith('x.'));
  assert.equal(lines.length, 7);
  const g = await init();
  // As the first example leaves it.
  const x = g.variable([
    [1, 0],
    [0, 4],
  ]);
  x.lock([
    [0, 1],
    [1, 0],
  ]);
  const locksAfter = [];
  for (const line of lines) {
    const take = () => run(line, { x }, 'x');
    if (line.includes('LockedElementError')) {
      const before = x.digest();
      assert.throws(take, LockedElementError);
      assert.equal(x.digest(), before);
    } else {
      take();
    }
    locksAfter.push(Array.from(x.locks.toMask()).join(''));
  }
  assert.deepEqual(locksAfter, ['1110', '1111', '0110', '0110', '0110', '0111', '0111']);
  assert.deepEqual(x.array(), [
    [1, 2],
    [0, 4],
  ]);
});
