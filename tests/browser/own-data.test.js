/* Tier: all. */
/**
 * A person's data on the page: tables and points, by typing, pasting and files, and what cannot
 * be read.
 */

import assert from 'node:assert/strict';
import { demoTest } from './harness.js';
import { textOf } from './page.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

const OWN = '#scene=own';
const PEAKS = '#scene=peaks';

/** Two peaks, far from the scene's own units. */
const CSV = [
  'wavelength;counts;error',
  ...Array.from({ length: 60 }, (_, i) => {
    const x = 500 + i;
    const y = 1200 * Math.exp(-(((x - 520) / 6) ** 2)) + 700 * Math.exp(-(((x - 541) / 4) ** 2));
    return `${x};${(y + 10 * Math.sin(7 * i)).toFixed(2).replace('.', ',')};14`;
  }),
].join('\n');

/** Drops a file somewhere. @param {DemoPage} demo @param {string} selector @param {{ name: string, type: string, text: string }} file */
const drop = (demo, selector, file) =>
  demo.page.evaluate(
    ({ selector, file }) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([file.text], file.name, { type: file.type }));
      const options = { bubbles: true, cancelable: true, dataTransfer };
      document.querySelector(selector)?.dispatchEvent(new DragEvent('drop', options));
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
  await demo.page.getByLabel('Free cells should').selectOption({ label: name });
  await demo.settled();
}

const note = async (/** @type {DemoPage} */ demo) =>
  (await demo.page.locator('.own-note').textContent()) ?? '';

/** The names at the grid, columns first. @param {DemoPage} demo */
const namesAt = (demo) => demo.page.locator('.col-name, .row-name').allTextContents();

demoTest(
  'a table’s names stand at its rows and columns, also from its link and a dropped file',
  async (demo) => {
    const example = await namesAt(demo);
    const blank = () =>
      demo.page.evaluate(
        "document.querySelector('gradlock-grid').shadowRoot.querySelectorAll('[part~=unknown]').length",
      );
    await bring(demo, 'Name;Maths;Höhe\nAnna;1;2\nBen;;4\nCleo;5;6');
    assert.match(await note(demo), /3 rows and 2 columns.* gap/);
    const names = ['Maths', 'Höhe', 'Anna', 'Ben', 'Cleo'];
    assert.deepEqual(await namesAt(demo), names);
    assert.deepEqual((await demo.snapshot()).locks, [1, 1, 0, 1, 1, 1]);
    await demo.page.getByRole('button', { name: /^Ben, Höhe: / }).waitFor();
    assert.equal(await blank(), 1, 'a gap is drawn as unknown');
    const gap = demo.page.getByRole('button', { name: /^Ben, Maths: / });
    await demo.page.getByRole('button', { name: /^Ben, Maths: .* unknown, free$/ }).focus();
    await demo.page.keyboard.press('F2');
    assert.equal(await demo.page.locator('.editor').inputValue(), '');
    await demo.page.keyboard.type('3');
    await demo.page.keyboard.press('Enter');
    await demo.page.getByRole('button', { name: /^Ben, Maths: .* 3\.00, free$/ }).waitFor();
    assert.equal(await blank(), 0, 'until a person types its value');
    await demo.button('Undo').click();
    await gap.and(demo.page.getByLabel('unknown')).click();
    await demo.settled();
    assert.equal(await blank(), 0, 'or locks it');
    await gap.click();
    await demo.settled();
    assert.equal(await blank(), 1);
    await demo.steps(1);
    assert.equal(await blank(), 0, 'until the first step');
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
  },
  undefined,
  OWN,
);

demoTest(
  'what the free cells should do is a setting, and each starts so',
  async (demo) => {
    const example = await demo.snapshot();
    const known = example.locks.flatMap((bit, i) => (bit ? [i] : []));
    for (const [name, isData] of /** @type {const} */ ([
      ['Learn the data', false],
      ['Mirror it', true],
      ['Invert it', true],
      ['Go to 0', true],
    ])) {
      await ask(demo, name);
      const { values, locks } = await demo.snapshot();
      assert.ok(!locks.includes(1), name);
      assert.equal(
        known.every((i) => values[i] === example.values[i]),
        isData,
        name,
      );
    }
    await demo.page.locator('.cell').first().click();
    await ask(demo, 'Mirror it');
    assert.equal((await demo.snapshot()).locks[0], 1, 'a lock of one’s own stays');
    await ask(demo, 'Fill the gaps');
    const { digest, locks } = await demo.snapshot();
    assert.deepEqual({ digest, locks }, { digest: example.digest, locks: example.locks });
  },
  undefined,
  OWN,
);

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

demoTest(
  'what is ambiguous in a table can be chosen',
  async (demo) => {
    await bring(demo, 'size,JAN,FEB\n1950,0.5,0.7\n1700,,0.8\n1952,0.6,0.9');
    assert.deepEqual(await namesAt(demo), ['size', 'JAN', 'FEB', '1', '2', '3']);
    await demo.page.getByLabel('Names of rows').selectOption({ label: 'size' });
    await demo.settled();
    assert.deepEqual(await namesAt(demo), ['JAN', 'FEB', '1950', '1700', '1952']);
    await bring(demo, '0,1\n7,2.5\n3,4.5');
    await demo.message().filter({ hasText: 'may be names or numbers' }).waitFor();
    await demo.page.getByLabel('The first line has').selectOption({ label: 'numbers' });
    await demo.settled();
    assert.deepEqual((await demo.snapshot()).values.length, 6);
    await bring(demo, '1;1.200\n4;900');
    await demo.message().filter({ hasText: 'a thousand times as much' }).waitFor();
    await demo.page.getByLabel('Decimal mark').selectOption({ label: 'comma' });
    await demo.settled();
    assert.equal((await demo.snapshot()).values.length, 4);
  },
  undefined,
  OWN,
);

demoTest(
  'what cannot be read is reported by line and cell, and nothing is lost',
  async (demo) => {
    await bring(demo, '1 2\n3 4');
    const before = await demo.snapshot();
    for (const [text, told] of /** @type {[string, RegExp][]} */ ([
      ['a,b\n1,2\n3,x4', /Line 3, cell 2: “x4” is not a number/],
      ['1,2\n\n3', /Line 3 has 1 cell, but the first has 2/],
      ['[[1, 2],\n[3, 4', /not valid JSON\./],
      [`${'1 '.repeat(200)}\n`.repeat(2), /too large/],
      ['', /no numbers in the field yet/],
    ])) {
      await bring(demo, text);
      const message = (await demo.message().textContent()) ?? '';
      assert.match(message, told);
      assert.match(message, /The earlier run is still there/);
      assert.equal((await demo.snapshot()).digest, before.digest);
    }
    await drop(demo, '#grid', { name: 'a.bin', type: '', text: 'PK\0\u0001' });
    await demo.message().filter({ hasText: 'neither text' }).waitFor();
    const file = demo.page.locator('#own input[type=file]');
    const image = { name: 'x.png', mimeType: 'image/png' };
    await file.setInputFiles({ ...image, buffer: Buffer.from('no image') });
    await demo.message().filter({ hasText: 'cannot read this file as an image' }).waitFor();
    const large = await demo.page.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 6000, height: 3000 });
      return canvas.toDataURL('image/png').split(',')[1];
    });
    await file.setInputFiles({ ...image, buffer: Buffer.from(large, 'base64') });
    await demo.until(
      'gradlockDemo.snapshot().then(({ rows, cols }) => rows === 32 && cols === 64)',
    );
  },
  undefined,
  OWN,
);

demoTest(
  'the report of a fit gives errors, takes a bound, and moves the cells to the fit; Undo leads back',
  async (demo) => {
    const { page } = demo;
    const found = async (/** @type {string} */ name) =>
      page
        .getByRole('row', { name: new RegExp(`^${name} `) })
        .locator('td')
        .first()
        .textContent();
    await demo.steps(100);
    await page.getByText('Report of the fit').click();
    await demo.until("document.querySelector('.fit-found')?.textContent.startsWith('0.8')");
    assert.match((await found('height A')) ?? '', /^0\.8\d+ ± 0\.01\d$/);
    assert.equal(await found('height C'), '0.4 (locked: exact)');
    const caption = await page.locator('.is-curves figcaption').textContent();
    assert.doesNotMatch(String(caption), /band/, 'the fit misses the points');
    const told = (await page.locator('#fit p').first().textContent()) ?? '';
    assert.match(told, /has converged.*χ² = \d+/);
    const before = await demo.snapshot();
    await page.getByLabel('height A: Max').fill('0.7');
    await page.getByLabel('height A: Max').press('Enter');
    await demo.until("document.querySelector('.bound-mark.is-max') !== null");
    await demo.until(
      "document.querySelector('.fit-found').textContent.includes('held at its max')",
    );
    await demo.button('Move the cells to this fit').click();
    await demo.settled();
    const moved = await demo.snapshot();
    assert.equal(moved.values[0], Math.fround(0.7));
    assert.equal(moved.bits[6], before.bits[6], 'a locked cell keeps its bits');
    for (const name of ['height A: Min', 'height A: Max']) {
      const kept = await page.getByLabel(name).inputValue();
      await page.getByLabel(name).fill(name.endsWith('Min') ? '3' : 'high');
      await page.getByLabel(name).press('Enter');
      await demo.message().filter({ hasText: 'no bounds for height A' }).waitFor();
      assert.equal(await page.getByLabel(name).inputValue(), kept);
    }
    await demo.button('Undo').click();
    await demo.button('Undo').click();
    await demo.until(`gradlockDemo.snapshot().then(({ digest }) => digest === '${before.digest}')`);
    await demo.until("document.querySelector('.bound-mark') === null");
  },
  undefined,
  PEAKS,
);

demoTest(
  'a person’s points open as a fit, errors change nothing, and the example comes back',
  async (demo) => {
    const { page } = demo;
    const bringPoints = async (/** @type {string} */ text) => {
      await page.getByLabel(/^Columns x, y/).fill(text);
      await demo.button('Use these points').click();
      await demo.settled();
    };
    await page.getByText('Your own points').click();
    await bringPoints(CSV);
    await demo.until('gradlockDemo.snapshot().then(({ rows }) => rows === 2)');
    assert.match(
      await note(demo),
      /^60 points\. x, y and sigma come from the columns wavelength, counts, error\./,
    );
    await page.getByText('Report of the fit').click();
    await demo.until(
      "/^12\\d\\d\\.\\d ± |^119\\d\\.\\d ± /.test(document.querySelector('.fit-found').textContent)",
    );
    const { digest } = await demo.snapshot();
    await bringPoints(CSV.replace('505;', 'five;'));
    await demo.message().filter({ hasText: 'Line 7, cell 1: “five” is not a number' }).waitFor();
    assert.equal((await demo.snapshot()).digest, digest);
    await demo.button('Back to the example').click();
    await demo.until('gradlockDemo.snapshot().then(({ rows }) => rows === 4)');
  },
  undefined,
  PEAKS,
);
