/** Your own: numbers and images as people have them, from anywhere on the page; and errors about the right thing. */

import assert from 'node:assert/strict';
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
  await demo.page.getByLabel(/^Numbers, one row per line/).fill(text);
  await demo.button('Use these numbers').click();
  await demo.settled();
}

demoTest('an image that is dropped anywhere opens, and starts as the image', async (demo) => {
  const isAsked = await drop(demo, '#inspector', {
    ...{ name: 'a.png', type: 'image/png' },
    png: [0, 51, 102, 255],
  });
  assert.equal(isAsked, true, 'the page says that it may be dropped');
  await demo.until("gradlockDemo.snapshot().then(({ scene }) => scene === 'own')");
  await demo.settled();
  const start = await demo.snapshot();
  const greys = [0, 51, 102, 255].map((grey) => Math.fround(grey / 127.5 - 1));
  assert.deepEqual(start.values, [...greys, ...greys]);
  assert.match((await demo.page.locator('.own-note').textContent()) ?? '', /2 rows and 4 columns/);
  await demo.steps(150);
  const end = await demo.snapshot();
  assert.ok(end.loss < 0.2 * start.loss, 'it becomes its mirror image');
});

demoTest('large and small numbers are scaled, which is said, and learn visibly', async (demo) => {
  await demo.openScene('Your own');
  for (const [factor, told] of /** @type {[number, RegExp | null][]} */ ([
    [1000, /divided by 5000/],
    [0.001, /divided by 0.005/],
    [0.2, null],
  ])) {
    const rows = [
      [1, -2],
      [3, 4.5],
    ].map((row) => row.map((value) => Number((value * factor).toPrecision(6))).join(','));
    await bring(demo, `a,b\n${rows.join('\n')}`);
    const note = (await demo.page.locator('.own-note').textContent()) ?? '';
    if (told) assert.match(note, told);
    else assert.doesNotMatch(note, /divided/);
    assert.match(note, /Left out: the header/);
    const start = await demo.snapshot();
    await demo.train(100);
    const { loss } = await demo.snapshot();
    assert.ok(loss < 0.05 * start.loss, `×${factor}: ${loss} is far below ${start.loss}`);
  }
});

demoTest('what cannot be read is told by line and cell, and nothing is lost', async (demo) => {
  await demo.openScene('Your own');
  await bring(demo, '1 2\n3 4');
  const before = await demo.snapshot();
  for (const [text, told] of /** @type {[string, RegExp][]} */ ([
    ['a,b\n1,2\n3,x4', /Line 3, cell 2: “x4” is not a number/],
    ['1,2\n\n3', /Line 3 has 1 cell, but the first has 2/],
    ['1,,2\n3,4,5', /Line 1, cell 2 is empty/],
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
