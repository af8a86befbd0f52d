/**
 * A person's data as text: tables of cells, points, and the learning rate that fits their size.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNumbers } from '../../web/state/own.js';
import { isPoints, readPoints } from '../../web/state/points.js';
import { rateFor } from '../../web/state/rules.js';
import { openingState, setupOf } from '../../web/state/state.js';
import { sceneOf } from './runs.js';

test('a person’s numbers become cells as they are, from a table or from JSON', () => {
  const read = (
    /** @type {string} */ text,
    /** @type {import('../../web/state/own.js').CellChoice | undefined} */ choice,
  ) => {
    const result = readNumbers(text, choice);
    if ('problem' in result) return result;
    const { own, reading } = result;
    const { rowNames: rows, colNames: cols } = own;
    const names = { ...(rows && { rows }), ...(cols && { cols }) };
    const { divisor } = reading;
    return {
      own: [own.rows, own.cols, ...own.values],
      ...names,
      ...(divisor !== 1 && { divisor }),
    };
  };
  const square = { own: [2, 2, 1, 2, -1, 0] };
  const gaps = { own: [3, 2, 0.5, 0.75, Number.NaN, 1, 0.5, 1] };
  const years = 'YEAR,JAN,FEB\n1950,0.5,0.75\n1951,,1\n1952,0.5,1';
  const months = { cols: ['JAN', 'FEB'] };
  const table = /** @type {[string, object, import('../../web/state/own.js').CellChoice?][]} */ ([
    ['1,2\n-1,0', square],
    [' 1  2 \r\n\r\n −1   0 ', square],
    ['first;1;2\nsecond;-1;0', { ...square, rows: ['first', 'second'] }],
    [years, { ...gaps, ...months, rows: ['1950', '1951', '1952'] }],
    [
      years,
      {
        own: [3, 3, 1950, 0.5, 0.75, 1951, Number.NaN, 1, 1952, 0.5, 1],
        cols: ['YEAR', ...months.cols],
      },
      { names: -1 },
    ],
    [',a,b\n0,1,2\n1,-1,0', { ...square, rows: ['0', '1'], cols: ['a', 'b'] }],
    ['a,b,c\n7,1,2\n8,-1,0', { ...square, rows: ['7', '8'], cols: ['b', 'c'] }, { names: 0 }],
    ['a,b,c\n1,7,2\n-1,8,0', { ...square, rows: ['7', '8'], cols: ['a', 'c'] }, { names: 1 }],
    ['1,2\n1,2\n-1,0', { ...square, cols: ['1', '2'] }, { header: true }],
    ['1;2\n-1;0', square, { decimal: ',' }],
    ['1000 -400\n0 250', { own: [2, 2, 1000, -400, 0, 250] }],
    ['0.25 %,1%\n2%,0%', { own: [2, 2, 0.25, 1, 2, 0] }],
    ['1e20 -2e20\n0 0', { own: [2, 2, 0.5, -1, 0, 0], divisor: 2e20 }],
    ['1e-6 2e-6\n0 0', { own: [2, 2, 0.5, 1, 0, 0], divisor: 2e-6 }],
    ['\n', { problem: 'empty' }],
    ['?,\n,?', { problem: 'empty' }],
    ['1 2\n\n3', { problem: 'ragged', line: 3, count: 1, wanted: 2 }],
    ['1 2\n3 1e99', { problem: 'notANumber', line: 2, column: 2, given: '1e99' }],
    ['a b\n1 2\n\n3 x4', { problem: 'notANumber', line: 4, column: 2, given: 'x4' }],
    ['1;1.200\n4;900', { problem: 'grouped', line: 1, column: 2, given: '1.200' }],
    ['1 2', { problem: 'tooSmall' }],
    ['1 2\n'.repeat(129), { problem: 'tooLarge' }],
    ['PK\0\u0003', { problem: 'binary' }],
    ['{ "values": [1, 2, -1, 0], "width": 2, "height": 2 }', square],
    ['[[1, 2], [-1, 0]]', square],
    ['{ "values": [[1, 2], [-1, 0]], "name": "x" }', square],
    ['{ "values": [1, 2, -1, 0], "rows": 2, "cols": 2 }', square],
    ['{ "data": [1, 2, -1, 0], "shape": [2, 2] }', square],
    ['[[1, null], [0, -1]]', { own: [2, 2, 1, Number.NaN, 0, -1] }],
    ['{"shape": 5, "values": [[1, 2], [-1, 0]]}', square],
    ['{"shape": 5, "values": [1, 2, 3, 4]}', { problem: 'jsonShape' }],
    ['{"shape": 5, "values": [[1, 2, 3]]}', { problem: 'tooSmall' }],
    ['{ "scene": 7 }', { problem: 'jsonShape' }],
    [
      '[[1, 2], [3, true]]',
      { problem: 'notANumber', line: 2, isRow: true, column: 2, given: 'true' },
    ],
    [
      '[\n  [\n    1,\n    2\n  ],\n  [\n    3\n  ]\n]',
      { problem: 'ragged', line: 2, isRow: true, count: 1, wanted: 2 },
    ],
  ]);
  for (const [text, result, choice] of table) {
    assert.deepEqual(read(text, choice), result, JSON.stringify(text));
  }
  const broken = /** @type {any} */ (read('[[1, 2],\n[3 4]]', {}));
  assert.equal(broken.problem, 'json');
  assert.match(broken.given, /JSON/);
});

test('the learning rate follows the size of the numbers where a rule’s steps do not', () => {
  const settings = { rule: 'adam', learningRate: 0.02, momentum: 0.9, weightDecay: 0 };
  for (const [
    from,
    to,
    rule,
    next,
    expected,
  ] of /** @type {[number, number, import('../../web/state/rules.js').Rule, import('../../web/state/rules.js').Rule, number][]} */ ([
    [1, 500, 'adam', 'adam', 10],
    [500, 1, 'adamW', 'adamW', 4e-5],
    [500, 500, 'adam', 'sgd', 4e-5],
    [500, 500, 'sgd', 'adam', 10],
    [1, 500, 'momentum', 'nesterov', 0.02],
    [1e-5, 1e7, 'adam', 'adam', 1e5],
  ])) {
    assert.equal(rateFor({ ...settings, rule }, next, from, to), expected, `${rule}, ${next}`);
  }
});

test('points are of the columns that are called x, y and sigma, else of the first two of numbers', () => {
  const rows = '1;2;3;9\n2;3;3;9\n3;4;3;8\n4;5;3;7';
  const [both, third, fourth] = [
    [1, 2, 2, 3, 3, 4, 4, 5],
    [1, 2, 3, 2, 3, 3, 3, 4, 3, 4, 5, 3],
    [1, 2, 9, 2, 3, 9, 3, 4, 8, 4, 5, 7],
  ];
  for (const [
    text,
    values,
    taken,
    choice,
  ] of /** @type {[string, number[], number[], import('../../web/state/points.js').PointsChoice?][]} */ ([
    ['x,y\n3,1\n1,2\n2,0\n4,5', [1, 2, 2, 0, 3, 1, 4, 5], [0, 1]],
    ['y,x\n1,3\n2,1\n0,2\n5,4', [1, 2, 2, 0, 3, 1, 4, 5], [1, 0]],
    [rows, both, [0, 1]],
    [`time;temp;s;light\n${rows}`, both, [0, 1]],
    ...['sigma', 'σ', 'y_err', 'Std. dev', 'SE', '± (mV)', 'Error, V'].map((name) => [
      `t;n;${name};x0\n${rows}`,
      third,
      [0, 1, 2],
    ]),
    [`t;n;shift;x0\n${rows}`, fourth, [0, 1, 3], { sigma: 3 }],
    [`t;n;sigma;x0\n${rows}`, both, [0, 1], { sigma: -1 }],
    [`no;time;temp;run\n${rows}`, [2, 3, 3, 3, 4, 3, 5, 3], [1, 2]],
    [`no;time;temp;run\n${rows}`, both, [0, 1], { x: 0, y: 1 }],
    ['1,5;2\n2;3\n3;4\n4;5', [1.5, 2, 2, 3, 3, 4, 4, 5], [0, 1]],
  ])) {
    const read = readPoints(text, choice);
    assert.ok('own' in read, `${text}: ${JSON.stringify(read)}`);
    assert.deepEqual([...read.own.values], values, text);
    assert.deepEqual(read.reading.taken, taken, text);
    assert.ok(isPoints(read.own));
  }
});

test('what is no table of points is an error that names the line and the column', () => {
  for (const [text, problem] of /** @type {[string, Record<string, unknown>][]} */ ([
    ['', { problem: 'empty' }],
    ['x\n1\n2\n3\n4', { problem: 'oneColumn' }],
    ['x,y\n1,2\n2,3\n3,4', { problem: 'fewPoints', count: 3 }],
    ['x,y\n1,2\n2,a\n3,4\n4,5', { problem: 'notANumber', line: 3, column: 2, given: 'a' }],
    ['x,y\n1,2\n2,\n3,4\n4,5', { problem: 'noCell', line: 3, column: 2, given: '' }],
    ['x,y\n1,2\n2,1e99\n3,4\n4,5', { problem: 'notANumber', line: 3, column: 2, given: '1e99' }],
    ['x,y\n1,2\n2\n3,4\n4,5', { problem: 'ragged', line: 3, count: 1, wanted: 2 }],
    ['x,y,sd\n1,1,1\n2,1,1\n3,1,0\n4,1,1', { problem: 'sigma', line: 4, column: 3, given: '0' }],
    ['5,1\n5,2\n5,3\n5,4', { problem: 'oneX' }],
    [Array(2001).fill('1,2').join('\n'), { problem: 'manyPoints', count: 2001 }],
    ['PK\0', { problem: 'binary' }],
  ])) {
    assert.deepEqual(readPoints(text), problem, text.slice(0, 40));
  }
});

test('points without a peak start with low ones, evenly placed', () => {
  const peaks = sceneOf('peaks');
  const own = { rows: 4, cols: 2, values: Float32Array.of(0, -1, 1, -2, 2, -1, 3, -3) };
  const start = peaks.start({ ...setupOf(openingState(peaks)), own, rows: 2 });
  assert.deepEqual([...start], [0.1, -0.5, 1, 0.1, 0.5, 1].map(Math.fround));
});
