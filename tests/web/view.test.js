/** Views without a page: numbers as text, the chart's points, colours, and positions of grids. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makePalette } from 'gradlock/grid';
import { distance } from '../../web/view/arrow-navigation.js';
import { arrange } from '../../web/view/export.js';
import { formatBits, formatNumber, formatValue, parseNumber } from '../../web/view/format.js';
import { LossTrace } from '../../web/view/trace.js';

test('numbers read as people write them', () => {
  const table = /** @type {[number, string][]} */ ([
    [0, '0'],
    [-0.5, '−0.5000'],
    [7.5, '7.5000'],
    [327.81, '327.81'],
    [12724.7, '12724.7'],
    [0.00000763, '7.63·10⁻⁶'],
    [1e30, '1.00·10³⁰'],
    [Number.NaN, 'NaN'],
    [-Infinity, '−∞'],
  ]);
  for (const [value, text] of table) assert.equal(formatNumber(value), text);
  assert.equal(formatValue(-0.004, 2), '0.00');
  assert.equal(formatValue(-123456, 2), '−1.2·10⁵');
  assert.equal(formatBits(-0), '80000000');
  assert.equal(parseNumber(' −0,5 '), -0.5);
  assert.equal(parseNumber('0,125'), 0.125);
  for (const text of ['', ' ', '-', 'abc', '1 2', '0.1.2', '1,000', '-12,345', '999,000,000']) {
    assert.ok(Number.isNaN(parseNumber(text)), `"${text}" is no number`);
  }
});

test('a long trace stays short, begins at the start and ends at the end', () => {
  const trace = new LossTrace();
  for (let step = 0; step <= 100_000; step++) trace.add(step, 100_000 - step);
  trace.add(100_000, 0.5);
  assert.ok(trace.steps.length < 1700);
  assert.equal(trace.steps.length, trace.losses.length);
  assert.equal(trace.steps[0], 0);
  assert.equal(trace.last, 100_000);
  assert.equal(trace.losses.at(-1), 0.5);
  assert.ok(trace.steps.every((step, i) => i === 0 || step > trace.steps[i - 1]));
  trace.add(100_001, Number.NaN);
  assert.equal(trace.losses.at(-1), null);
});

test('a trace is narrow until its largest loss is ten times its smallest, the rival’s included', () => {
  const trace = new LossTrace();
  trace.add(0, 7);
  trace.add(1, 3, Number.NaN);
  assert.ok(trace.isNarrow);
  trace.add(2, 3, 0.7);
  assert.ok(!trace.isNarrow);
});

test('drift is measured less often than the loss, and stays in between', () => {
  const trace = new LossTrace();
  for (let step = 0; step <= 20_000; step++) {
    trace.add(step, 1, 2);
    if (step % 100 === 0) trace.add(step, 1, 2, step / 20_000);
  }
  for (const row of [trace.losses, trace.rivals, trace.drifts])
    assert.equal(row.length, trace.steps.length);
  assert.ok(trace.rivals.every((loss) => loss === 2));
  const seen = trace.drifts.flatMap((drift, i) =>
    drift === null ? [] : [[trace.steps[i], drift]],
  );
  assert.ok(seen.length > 50);
  for (const [step, drift] of seen) assert.ok(Math.abs(drift - step / 20_000) < 0.01);
});

test('numbers on cells have a contrast of at least 4.5 : 1, light and dark', () => {
  for (const isDark of [false, true]) {
    const palette = makePalette(isDark);
    palette.css.forEach((css, level) => {
      const rgb = /** @type {number[]} */ (css.match(/\d+/g)?.map(Number));
      const linear = rgb.map((c) =>
        c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4,
      );
      const light = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
      const contrast = palette.isDark[level] ? 1.05 / (light + 0.05) : (light + 0.05) / 0.05;
      assert.ok(contrast >= 4.5, `level ${level}: ${contrast.toFixed(2)}`);
    });
  }
});

test('the nearest grid is the one ahead; grids behind or overlapping are not', () => {
  const box = (/** @type {number} */ left, /** @type {number} */ top) => ({
    ...{ left, top, right: left + 10, bottom: top + 10 },
  });
  const from = box(100, 100);
  const far = (/** @type {number} */ left, /** @type {number} */ top) =>
    distance(from, box(left, top), 'right');
  assert.equal(far(120, 100), 10);
  assert.equal(far(120, 105), 10, 'what is partly ahead is ahead');
  assert.ok(far(140, 100) < far(120, 130), 'ahead is nearer than aside');
  assert.equal(far(109.5, 100), 0, 'neighbours may touch');
  assert.equal(far(95, 100), Infinity);
  assert.equal(far(80, 100), Infinity);
  assert.equal(distance(from, box(80, 100), 'left'), 10);
  assert.equal(distance(from, box(100, 80), 'up'), 10);
  assert.equal(distance(from, box(100, 120), 'down'), 10);
});

test('grids are laid out in rows on about a square, in order, without overlap', () => {
  const [one, flat, thin] = [
    { width: 100, height: 100 },
    { width: 100, height: 20 },
    { width: 10, height: 100 },
  ];
  const ten = '0,0 104,0 208,0 312,0 0,104 104,104 208,104 312,104 0,208 104,208';
  for (const [sizes, where, room] of /** @type {[typeof one[], string, string][]} */ ([
    [[one], '0,0', '100,100'],
    [[one, one], '0,0 0,104', '100,204'],
    [[flat, one, thin], '0,0 0,24 104,24', '114,124'],
    [[flat, flat, flat], '0,0 0,24 0,48', '100,68'],
    [Array(5).fill(one), '0,0 104,0 0,104 104,104 0,208', '204,308'],
    [Array(10).fill(one), ten, '412,308'],
  ])) {
    const { positions, width, height } = arrange(sizes, 4);
    assert.equal(positions.map(({ left, top }) => `${left},${top}`).join(' '), where);
    assert.equal(`${width},${height}`, room);
  }
});
