/** Your own: numbers and images as people have them, from anywhere on the page; and errors about the right thing. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNumbers } from '../../web/state/own.js';
import { rateFor } from '../../web/state/rules.js';
import { demoTest } from './harness.js';
import { textOf } from './page.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** Drop a file somewhere. @param {DemoPage} demo @param {string} selector @param {{ name: string, type: string, text?: string, png?: number[] }} file */
const drop = (demo, selector, file) =>
  demo.page.evaluate(
    async ({ selector, file }) => {
      const data = new DataTransfer();
      let content = /** @type {Blob} */ (new Blob([file.text ?? '']));
      if (file.png) {
        // A row of grey pixels, twice.
        const canvas = new OffscreenCanvas(file.png.length, 2);
        const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
        file.png.forEach((grey, i) => {
          pen.fillStyle = `rgb(${grey} ${grey} ${grey})`;
          pen.fillRect(i, 0, 1, 2);
        });
        content = await canvas.convertToBlob();
      }
      data.items.add(new File([content], file.name, { type: file.type }));
      const target = document.querySelector(selector);
      const options = { bubbles: true, cancelable: true, dataTransfer: data };
      target?.dispatchEvent(new DragEvent('dragover', options));
      const isShown = document.querySelector('.drop-here')?.checkVisibility();
      target?.dispatchEvent(new DragEvent('drop', options));
      return isShown;
    },
    { selector, file },
  );

/** @param {DemoPage} demo @param {string} text */
async function bring(demo, text) {
  const field = demo.page.getByLabel(/^Numbers, one row per line/);
  if (!(await field.isVisible()))
    await demo.page.getByText('Paste a table', { exact: true }).click();
  await field.fill(text);
  await demo.button('Use these numbers').click();
  await demo.settled();
}

/** @param {DemoPage} demo @param {string} name what the free cells should do */
async function ask(demo, name) {
  await demo.page.locator('.asks label', { hasText: name }).click();
  await demo.settled();
}

const note = async (/** @type {DemoPage} */ demo) =>
  (await demo.page.locator('.own-note').textContent()) ?? '';

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
    ['1e-9 2e-9\n0 0', { own: [2, 2, 0.5, 1, 0, 0], divisor: 2e-9 }],
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
    ['[[1, 2],\n[3, 4]', { problem: 'json', line: 2 }],
    ['[[1, 2],\n[x, 4],\n[5, 6]]', { problem: 'json', line: 2 }],
    ['[[1, 2],\n[3 4],\n[5, 6]]', { problem: 'json', line: 2 }],
    ['[[1, 2],\n[3,, 4],\n[5, 6]]', { problem: 'json', line: 2 }],
    ['[[1, 2],\n[3, 4,],\n[5, 6]]', { problem: 'json', line: 2 }],
    ['[[1, 2],\n[3, 04],\n[5, 6]]', { problem: 'json', line: 2 }],
    ['[[1, 2],\r\n[3, 4}],\r\n[5, 6]]', { problem: 'json', line: 2 }],
    ['[[1, 2],\n[3, 4]]\n[5, 6]\n', { problem: 'json', line: 3 }],
    ['{\n"a": "x\\n", "b": {},\n7: [],\n"values": []}', { problem: 'json', line: 3 }],
    ['{\n"a": 1,\n"b" 2,\n"values": []}', { problem: 'json', line: 3 }],
    ['{"values": [\n[1, 0x10],\n[3, 4]]}', { problem: 'json', line: 2 }],
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

demoTest('an image that is dropped anywhere opens as itself, some of it erased', async (demo) => {
  const isAsked = await drop(demo, '#inspector', {
    ...{ name: 'a.png', type: 'image/png' },
    png: [0, 51, 102, 255],
  });
  assert.equal(isAsked, true, 'the page says that it may be dropped');
  await demo.until("gradlockDemo.snapshot().then(({ scene }) => scene === 'own')");
  await demo.settled();
  const greys = [0, 51, 102, 255].map((grey) => Math.fround(grey / 127.5 - 1));
  const image = [...greys, ...greys];
  const { values, locks } = await demo.snapshot();
  assert.equal(locks.filter(Boolean).length, 4);
  assert.deepEqual(
    values.map((value, i) => value === image[i]),
    locks.map(Boolean),
  );
  assert.match(await note(demo), /2 rows and 4 columns.* Some cells are erased for a trial/);
  await ask(demo, 'Mirror it');
  const start = await demo.snapshot();
  assert.deepEqual(start.values, image);
  assert.doesNotMatch(await note(demo), /erased/);
  await demo.steps(150);
  const end = await demo.snapshot();
  assert.ok(end.loss < 0.2 * start.loss, 'it becomes its mirror image');
});

demoTest('the gaps of a table are filled in, and its numbers keep every bit', async (demo) => {
  await demo.openScene('Your own');
  await bring(demo, 'a,b,c\n0.5,?,0.7\n,0.5,NA\n0.3,0.5,0.7');
  assert.match(await note(demo), /3 rows and 3 columns.*The 3 gaps are free/);
  const start = await demo.snapshot();
  assert.deepEqual(start.locks, [1, 0, 1, 0, 1, 0, 1, 1, 1]);
  await demo.steps(300);
  const { bits, values } = await demo.snapshot();
  const moved = bits.flatMap((one, i) => (one === start.bits[i] ? [] : [i]));
  assert.deepEqual(moved, [1, 3, 5]);
  for (const [i, mean] of /** @type {const} */ ([
    [1, 1.7 / 3],
    [3, 1.3 / 3],
    [5, 1.9 / 3],
  ])) {
    assert.ok(Math.abs(values[i] - mean) < 0.01, `${values[i]} is the mean of its neighbours`);
  }
});

/** The names at the grid, columns first. @param {DemoPage} demo */
const namesAt = (demo) => demo.page.locator('.col-name, .row-name').allTextContents();

demoTest('a table’s names stand at its rows and columns, wherever its link opens', async (demo) => {
  await demo.openScene('Your own');
  const example = await namesAt(demo);
  await bring(demo, 'Name;Maths;Höhe\nAnna;1;2\nBen;;4\nCleo;5;6');
  const names = ['Maths', 'Höhe', 'Anna', 'Ben', 'Cleo'];
  assert.deepEqual(await namesAt(demo), names);
  await demo.page.locator('.row-name', { hasText: 'Ben' }).click();
  await demo.settled();
  assert.deepEqual((await demo.snapshot()).locks, [1, 1, 1, 1, 1, 1]);
  await demo.page.getByRole('button', { name: /^Ben, Höhe: / }).waitFor();
  await demo.written();
  const address = demo.page.url();
  const file = demo.page.waitForEvent('download');
  await demo.page.getByText('Share and export').click();
  await demo.button('Run (JSON)').click();
  const text = await textOf(await file);

  await bring(demo, 'a,b\n1,2\n,4\n5,6');
  assert.deepEqual(await namesAt(demo), ['a', 'b', '1', '2', '3'], 'the same numbers, renamed');
  await bring(demo, '1,2\n,4\n5,6');
  assert.deepEqual(await namesAt(demo), []);
  await demo.button('Undo').click();
  await demo.page.getByRole('columnheader', { name: 'a', exact: true }).waitFor();

  await drop(demo, '#keys', { name: 'run.json', type: 'application/json', text });
  await demo.page.getByRole('columnheader', { name: 'Maths', exact: true }).waitFor();
  assert.deepEqual(await namesAt(demo), names);

  await demo.openScene('Two by two');
  await demo.page.goto(address);
  await demo.page.getByRole('columnheader', { name: 'Maths', exact: true }).waitFor();
  assert.deepEqual(await namesAt(demo), names);
  await demo.openScene('Two by two');
  await demo.openScene('Your own');
  assert.deepEqual(await namesAt(demo), example);
});

demoTest('a table of many rows is no higher than its numbers need', async (demo) => {
  await demo.openScene('Your own');
  const rows = (/** @type {number} */ count) =>
    Array.from({ length: count }, (_, i) => `Town ${i},${i},,3`).join('\n');
  const heightOf = async () =>
    (await demo.page.locator('#grid .grid').boundingBox())?.height ?? Number.NaN;
  await bring(demo, `City,a,b,c\n${rows(10)}`);
  assert.ok((await heightOf()) < 800, `${await heightOf()} px for 10 rows`);
  const asks = await demo.page.locator('.asks').boundingBox();
  const grid = await demo.page.locator('#grid .grid').boundingBox();
  assert.ok(asks && grid && asks.y >= grid.y + grid.height, 'and it covers nothing');
  await bring(demo, `City,a,b,c\n${rows(20)}`);
  assert.match(await note(demo), /too large for names/);
  const height = await heightOf();
  assert.ok(height > 400 && height < 800, `${height} px for 20 rows`);
});

demoTest('what the free cells should do is asked below them, and each starts so', async (demo) => {
  await demo.openScene('Your own');
  const example = await demo.snapshot();
  const known = example.locks.flatMap((bit, i) => (bit ? [i] : []));
  const isAll = (/** @type {number[]} */ values, /** @type {number[]} */ wanted) =>
    known.every((i) => values[i] === wanted[i]);
  for (const [name, isData] of /** @type {const} */ ([
    ['Learn the data', false],
    ['Mirror it', true],
    ['Invert it', true],
    ['Go to 0', true],
  ])) {
    await ask(demo, name);
    const { values, locks } = await demo.snapshot();
    assert.ok(!locks.includes(1), name);
    assert.equal(isAll(values, example.values), isData, name);
  }
  await demo.page.locator('.cell').first().click();
  await ask(demo, 'Mirror it');
  assert.equal((await demo.snapshot()).locks[0], 1, 'a lock of one’s own stays');
  await ask(demo, 'Fill the gaps');
  const { digest, locks } = await demo.snapshot();
  assert.deepEqual({ digest, locks }, { digest: example.digest, locks: example.locks });
});

demoTest('a table that is pasted anywhere opens, but not into a field', async (demo) => {
  const paste = async (/** @type {string} */ selector) => {
    await demo.page.evaluate((at) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', '1\t0.5\n0.5\t');
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, composed: true });
      document.querySelector(at)?.dispatchEvent(event);
    }, selector);
    await demo.settled();
    return (await demo.snapshot()).locks.join('');
  };
  const { locks: two } = await demo.snapshot();
  assert.equal(await paste('.play'), two.join(''), 'Two by two takes no data');
  await demo.openScene('Your own');
  const { locks } = await demo.snapshot();
  assert.equal(await paste('#own-numbers'), locks.join(''));
  assert.equal(await paste('.play'), '1110');
});

demoTest('large and small numbers stay as they were brought, and learn visibly', async (demo) => {
  await demo.openScene('Your own');
  await ask(demo, 'Learn the data');
  for (const factor of [1000, 0.001, 0.2]) {
    const rows = [
      [1, -2],
      [3, 4.5],
    ].map((row) => row.map((value) => Number((value * factor).toPrecision(6))));
    await ask(demo, 'Mirror it');
    await bring(demo, `a,b\n${rows.map((row) => row.join(',')).join('\n')}`);
    assert.deepEqual((await demo.snapshot()).values, rows.flat().map(Math.fround));
    await ask(demo, 'Learn the data');
    for (const rule of ['adam', 'sgd']) {
      await demo.page.getByLabel('Optimizer', { exact: true }).selectOption(rule);
      await demo.settled();
      await demo.button('Reset').click();
      await demo.settled();
      const start = await demo.snapshot();
      await demo.train(100);
      const { loss } = await demo.snapshot();
      assert.ok(loss < 0.1 * start.loss, `×${factor}, ${rule}: ${loss} is far below ${start.loss}`);
    }
  }
});

demoTest('what a column or the first line of a table is can be chosen', async (demo) => {
  await demo.openScene('Your own');
  const name = demo.page.getByLabel('Names of rows');
  const head = demo.page.getByLabel('The first line has');
  await bring(demo, 'size,JAN,FEB\n1950,0.5,0.7\n1700,,0.8\n1952,0.6,0.9');
  assert.deepEqual(await namesAt(demo), ['size', 'JAN', 'FEB', '1', '2', '3']);
  await name.selectOption({ label: 'size' });
  await demo.settled();
  assert.deepEqual(await namesAt(demo), ['JAN', 'FEB', '1950', '1700', '1952']);
  assert.deepEqual((await demo.snapshot()).locks, [1, 1, 0, 1, 1, 1]);
  await bring(demo, '0,1\n7,2.5\n3,4.5');
  await demo.message().filter({ hasText: 'may be names or numbers' }).waitFor();
  await head.selectOption({ label: 'numbers' });
  await demo.settled();
  assert.deepEqual((await demo.snapshot()).values.length, 6);
  await bring(demo, '1;1.200\n4;900');
  await demo.message().filter({ hasText: 'a thousand times as much' }).waitFor();
  await demo.page.getByLabel('Decimal mark').selectOption({ label: 'comma' });
  await demo.settled();
  const { values, locks } = await demo.snapshot();
  assert.deepEqual(
    locks
      .map((bit, i) => (bit ? values[i] : 0))
      .filter(Boolean)
      .every((one) => [1, 1200, 4, 900].includes(one)),
    true,
  );
});

demoTest('what cannot be read is told by line and cell, and nothing is lost', async (demo) => {
  await demo.openScene('Your own');
  await bring(demo, '1 2\n3 4');
  const before = await demo.snapshot();
  for (const [text, told] of /** @type {[string, RegExp][]} */ ([
    ['a,b\n1,2\n3,x4', /Line 3, cell 2: “x4” is not a number/],
    ['1,2\n\n3', /Line 3 has 1 cell, but the first has 2/],
    ['?,\n,?', /no numbers in the field yet/],
    ['[[1, 2],\n[3, 4', /not valid JSON: see line 2/],
    ['{"a": 1}', /contains no table/],
    ['', /no numbers in the field yet/],
  ])) {
    await bring(demo, text);
    const message = (await demo.message().textContent()) ?? '';
    assert.match(message, told);
    assert.match(message, /The earlier run is still there/);
    assert.equal((await demo.snapshot()).digest, before.digest);
  }
  const binary = { name: 'a.bin', type: 'application/octet-stream', text: 'PK\0\u0001' };
  await drop(demo, '#grid', binary);
  await demo.until("document.querySelector('.message-text').textContent.includes('neither text')");
});

demoTest('a run that was saved opens wherever it is dropped', async (demo) => {
  await demo.openScene('Membrane');
  await demo.steps(12);
  const { digest } = await demo.snapshot();
  await demo.page.getByText('Share and export').click();
  const waiting = demo.page.waitForEvent('download');
  await demo.button('Run (JSON)').click();
  const text = await textOf(await waiting);
  await demo.openScene('Two by two');
  await drop(demo, '#keys', { name: 'run.json', type: 'application/json', text });
  await demo.until(`gradlockDemo.snapshot().then((now) => now.digest === '${digest}')`);
});
