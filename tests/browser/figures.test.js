/** What scenes show beside their cells, as a person sees it and points at it, in Chromium and in Firefox. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenes } from '../../web/scenes/index.js';
import { launchFirefox } from './firefox.js';
import { demoTest, site } from './harness.js';
import { until } from './until.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** A canvas's pixels, in short. @param {DemoPage} demo @param {string} selector @returns {Promise<string>} */
const pixels = (demo, selector) =>
  demo.page.evaluate(`document.querySelector('${selector}').toDataURL()`);

/** Point along a vertical line of the network until an edge is met. @param {DemoPage} demo @param {number} across 0..1 */
async function findEdge(demo, across) {
  const canvas = demo.page.locator('.is-net canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = await canvas.boundingBox();
  assert.ok(box);
  for (let y = 0.2; y < 0.95; y += 0.02) {
    await demo.page.mouse.move(box.x + across * box.width, box.y + y * box.height);
    if (await demo.page.locator('.cell-ring:visible').count()) return;
  }
  assert.fail('no edge was met');
}

for (const width of [390, 1366]) {
  demoTest(
    `at ${width} px figures have their own proportions, and lists show all of their text`,
    async (demo) => {
      for (const { id } of scenes) {
        await demo.change({ scene: id });
        await demo.settled();
        const stretched = await demo.page.evaluate(`
          [...document.querySelectorAll('.figure-canvas')].flatMap((canvas) => {
            const { width, height, clientWidth, clientHeight } = canvas;
            const stretch = (height / width) * (clientWidth / clientHeight);
            return clientHeight && Math.abs(stretch - 1) > 0.02 ? [stretch] : [];
          })`);
        assert.deepEqual(stretched, [], id);
        const cut = await demo.page.evaluate(`(() => {
          const pen = document.createElement('canvas').getContext('2d');
          return [...document.querySelectorAll('#settings select')].flatMap((list) => {
            const { font, paddingLeft, paddingRight } = getComputedStyle(list);
            pen.font = font;
            const room = list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
            const long = [...list.options].filter(({ text }) => pen.measureText(text).width > room);
            return list.checkVisibility() ? long.map(({ text }) => text) : [];
          });
        })()`);
        assert.deepEqual(cut, [], id);
      }
    },
    { viewport: { width, height: 800 } },
  );
}

demoTest(
  'pointing at an edge rings its cell, and a click locks it; Ctrl+Z frees it',
  async (demo) => {
    await demo.openScene('Weights');
    const before = await demo.snapshot();
    await findEdge(demo, 0.8);
    const ring = demo.page.locator('.cell-ring:visible');
    assert.equal(await ring.count(), 1);
    const at = await ring.boundingBox();
    const cells = demo.page.locator('.grid-unit').nth(2).locator('.cell');
    const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()));
    const index = boxes.findIndex((box) => Math.abs((box?.y ?? 0) - (at?.y ?? 0)) < 2);
    assert.ok(index >= 0, 'the ring is round a cell of the last matrix');
    await demo.page.mouse.down();
    await demo.page.mouse.up();
    await demo.settled();
    const after = await demo.snapshot();
    const locked = after.locks.flatMap((bit, i) => (bit ? [i] : []));
    assert.deepEqual(locked, [before.locks.length - boxes.length + index]);
    await demo.page.keyboard.press('Control+z');
    await demo.settled();
    assert.deepEqual((await demo.snapshot()).locks, before.locks);
    await demo.page.mouse.move(5, 5);
    assert.equal(await ring.count(), 0);
  },
);

demoTest(
  'pointing at a cell lifts its edge out of the others, and leaving lets it go',
  async (demo) => {
    await demo.openScene('Weights');
    await demo.steps(50);
    await demo.page.mouse.move(5, 5);
    const calm = await pixels(demo, '.is-net canvas');
    const seen = new Set([calm]);
    for (const [grid, cell] of [
      [0, 0],
      [0, 9],
      [1, 17],
      [2, 3],
    ]) {
      await demo.page.locator('.grid-unit').nth(grid).locator('.cell').nth(cell).hover();
      seen.add(await pixels(demo, '.is-net canvas'));
    }
    assert.equal(seen.size, 5, 'each cell has another edge');
    await demo.page.mouse.move(5, 5);
    assert.equal(await pixels(demo, '.is-net canvas'), calm);
    await demo.page.locator('.grid-unit').nth(1).locator('.cell').nth(0).focus();
    for (const key of ['ArrowRight', 'ArrowDown']) {
      await demo.page.keyboard.press(key);
      seen.add(await pixels(demo, '.is-net canvas'));
    }
    assert.equal(seen.size, 7, 'the same by keyboard');
    await demo.button('Play').focus();
    assert.equal(await pixels(demo, '.is-net canvas'), calm);
  },
);

demoTest('locked edges look locked, and the caption counts them', async (demo) => {
  await demo.openScene('Weights');
  const caption = demo.page.locator('.is-net figcaption');
  assert.match((await caption.textContent()) ?? '', /105 edges, and 0 of them are locked/);
  const free = await pixels(demo, '.is-net canvas');
  await demo.button('Lock all').click();
  await demo.settled();
  assert.match((await caption.textContent()) ?? '', /105 edges, and 105 of them are locked/);
  assert.notEqual(await pixels(demo, '.is-net canvas'), free);
});

demoTest('axes of matrices are named, also where a cell is inspected', async (demo) => {
  await demo.openScene('Weights');
  const units = demo.page.locator('.grid-unit');
  const names = (/** @type {number} */ i, /** @type {string} */ which) =>
    units.nth(i).locator(`.${which}-name`).allTextContents();
  const hidden = ['1', '2', '3', '4', '5', '6', '7', '8'];
  assert.deepEqual((await names(0, 'row')).slice(-3), ['x', 'y', 'bias']);
  assert.deepEqual(await names(0, 'col'), hidden);
  assert.deepEqual((await names(1, 'row')).slice(-9), [...hidden, 'bias']);
  const label = await units.nth(0).locator('.cell').nth(8).getAttribute('aria-label');
  assert.match(label ?? '', /^y, 1: Row 2, column 1/);
  await units.nth(0).locator('.cell').nth(8).focus();
  await demo.page.keyboard.press('ArrowRight');
  await demo.settled();
  assert.equal(await demo.page.locator('.where').textContent(), 'Inputs to layer 1, y, 2');
  await demo.openScene('Peaks');
  const heads = await demo.page.locator('.col-name').allTextContents();
  assert.deepEqual(heads, ['height', 'place', 'width']);
});

demoTest('the loss on unseen points stands beside the loss that falls', async (demo) => {
  const key = demo.page.locator('#test-key');
  assert.equal(await key.isVisible(), false);
  await demo.openScene('Weights');
  assert.equal(await key.isVisible(), true);
  const test = async () => {
    const text = (await demo.page.locator('.is-plane figcaption').textContent()) ?? '';
    return Number(text.match(/loss ([\d.]+)/)?.[1]);
  };
  const first = await test();
  await demo.steps(300);
  const { loss } = await demo.snapshot();
  assert.ok((await test()) < 0.5 * first);
  assert.ok((await test()) > loss, 'what is trained on is known best');
});

demoTest('a fit that is done has a misfit of about 1, in units of the noise', async (demo) => {
  await demo.openScene('Peaks');
  const caption = demo.page.locator('.is-curves figcaption');
  const chi = async () => Number(((await caption.textContent()) ?? '').match(/χ² = ([\d.]+)/)?.[1]);
  assert.ok((await chi()) > 20);
  await demo.steps(200);
  assert.ok((await chi()) > 0.8 && (await chi()) < 1.3, `reduced χ² is ${await chi()}`);
  await demo.change({ choices: { noise: 'clean' } });
  await demo.steps(300);
  assert.match((await caption.textContent()) ?? '', /without noise.*root mean square/);
});

demoTest('where held cells have moved is marked on grids of pixels, too', async (demo) => {
  await demo.openScene('Picture');
  await demo.change({ beside: 'mask' });
  await demo.page.getByLabel('Optimizer', { exact: true }).selectOption('AdamW');
  /** Cells with a dot of the accent's colour, of a pane's grid. */
  const marked = (/** @type {number} */ pane) =>
    demo.page.locator(`.pane:nth-child(${pane}) .grid-locks`).evaluate((element, [rows, cols]) => {
      const canvas = /** @type {HTMLCanvasElement} */ (element);
      const { width, height } = canvas;
      // Who reads the grid's own canvas again and again is told by the console to say so first.
      const copy = Object.assign(document.createElement('canvas'), { width, height });
      const pen = /** @type {CanvasRenderingContext2D} */ (
        copy.getContext('2d', { willReadFrequently: true })
      );
      pen.drawImage(canvas, 0, 0);
      const { data } = pen.getImageData(0, 0, width, height);
      const at = (/** @type {number} */ x, /** @type {number} */ y) =>
        [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4)].join();
      pen.fillStyle = getComputedStyle(canvas).getPropertyValue('--accent');
      const [r, g, b] = [1, 3, 5].map((i) =>
        Number.parseInt(String(pen.fillStyle).slice(i, i + 2), 16),
      );
      let count = 0;
      for (let i = 0; i < rows * cols; i++) {
        const [x, y] = [(i % cols) + 0.5, Math.floor(i / cols) + 0.5];
        const place = [(x * width) / cols, (y * height) / rows].map(Math.floor);
        if (at(place[0], place[1]) === `${r},${g},${b},255`) count++;
      }
      return count;
    }, size);
  const size = await demo.page.evaluate(() => {
    const { source } = /** @type {any} */ (document.querySelector('gradlock-grid'));
    return [source.rows, source.cols];
  });
  assert.equal(await marked(2), 0);
  await demo.train(30);
  assert.equal(await marked(1), 0, 'none under the lock');
  const told = (await demo.page.locator('.proof-verdict').nth(1).textContent()) ?? '';
  assert.equal(await marked(2), Number(told.match(/\d+/)?.[0]));
});

demoTest('what starts at 0 has colours that start there, in the legend as well', async (demo) => {
  await demo.openScene('Membrane');
  await demo.change({ rows: 8, cols: 8 });
  await demo.page.getByLabel('Optimizer', { exact: true }).selectOption('Adam');
  await demo.train(20);
  const select = demo.page.getByLabel('Also show', { exact: true });
  const grid = demo.page.locator('.pane:nth-child(2) gradlock-grid');
  const ends = demo.page.locator('.pane:nth-child(2) .legend-ends span');
  for (const [name, scale] of [
    ['Second moment', 'sequential'],
    ['Steps taken', 'sequential'],
    ['Gradient', 'diverging'],
  ]) {
    await select.selectOption(name);
    await demo.settled();
    assert.equal(await grid.evaluate((element) => Reflect.get(element, 'scale')), scale, name);
    const [low, , high] = await ends.allTextContents();
    assert.equal(low === '0', scale === 'sequential', name);
    if (scale === 'diverging') assert.equal(low, high.replace('+', '−'));
  }
});

test('in Firefox, an edge is pointed at and its cell is ringed', async () => {
  const firefox = await launchFirefox();
  try {
    const page = await firefox.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(`${site.url}#scene=network&step=50`);
    await page.waitForSelector('>>> .cell');
    await until(page, 'gradlockDemo.frame()?.step === 50');
    const box = await (await page.$('.is-net canvas'))?.boundingBox();
    assert.ok(box);
    let isRinged = false;
    for (let y = 0.2; y < 0.95 && !isRinged; y += 0.02) {
      await page.mouse.move(box.x + 0.8 * box.width, box.y + y * box.height);
      isRinged = (await page.$('.cell-ring:not([hidden])')) !== null;
    }
    assert.ok(isRinged);
    const shown = await page.$eval('.is-net canvas', (canvas) => canvas.getAttribute('aria-label'));
    assert.match(shown ?? '', /105 edges/);
  } finally {
    await firefox.close();
  }
});

demoTest(
  'locks that a scene gave are its own to change, those that a person chose stay',
  async (demo) => {
    await demo.openScene('Membrane');
    const locked = async () => (await demo.snapshot()).locks.reduce((sum, bit) => sum + bit, 0);
    const rim = await locked();
    await demo.change({ choices: { frame: 'photo' } });
    const photo = await locked();
    assert.notEqual(photo, rim);
    await demo.change({ choices: { frame: 'saddle' } });
    assert.equal(await locked(), rim);
    await demo.button('Invert').click();
    await demo.settled();
    const own = await locked();
    assert.notEqual(own, rim);
    await demo.change({ choices: { frame: 'photo' } });
    assert.equal(await locked(), own);
  },
);

demoTest(
  'Digits reads what is on the pad, and a locked image keeps every bit while the others learn',
  async (demo) => {
    await demo.openScene('Digits');
    const told = demo.page.locator('.is-features figcaption');
    const heading = demo.page.locator('.grid-name', { hasText: /^6$/ });
    await heading.click();
    await demo.steps(60);
    for (const digit of [0, 1, 4, 7]) {
      await demo.button('Clear').click();
      await told.getByText('The pad is empty.').waitFor();
      await demo.button(`A ${digit} by someone else`).click();
      await told.getByText(`It is read as a ${digit}.`).waitFor();
    }
    const { values, locks } = await demo.snapshot();
    for (let digit = 0; digit < 10; digit++) {
      const of = (/** @type {number[]} */ cells) => cells.slice(64 * digit, 64 * digit + 64);
      assert.equal(of(locks).every(Boolean), digit === 6);
      assert.equal(
        of(values).every((value) => Object.is(value, 0)),
        digit === 6,
      );
    }
  },
);

demoTest(
  'a digit is drawn by pointer and by keys, and the network says what it takes it for',
  async (demo) => {
    await demo.openScene('Kernels');
    const { page } = demo;
    const told = page.locator('.is-features figcaption');
    const sheet = page.locator('.pad-sheet');
    const drawn = () =>
      sheet.evaluate((canvas) => /** @type {HTMLCanvasElement} */ (canvas).toDataURL());
    await demo.steps(300);
    await demo.button('A 0 by someone else').click();
    await told.getByText('The network reads a 0.').waitFor();
    await demo.button('Clear').click();
    await told.getByText('The pad is empty.').waitFor();
    const box = await sheet.boundingBox();
    assert.ok(box);
    const { x, y, width, height } = box;
    const { mouse } = page;
    await mouse.move(x + 0.5 * width, y + 0.2 * height);
    await mouse.down();
    await mouse.move(x + 0.5 * width, y + 0.8 * height, { steps: 8 });
    await mouse.up();
    await told.getByText('The network reads a 1.').waitFor();

    await sheet.focus();
    await page.keyboard.press('Delete');
    await told.getByText('The pad is empty.').waitFor();
    await page.keyboard.press('Space');
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await told.getByText('The network reads a 1.').waitFor();
    const before = await drawn();
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await drawn(), before, 'the pen has moved');
    assert.match((await told.textContent()) ?? '', /reads a 1\./);
    // Whatever is shown beside, the drawing stays, and there is one pad.
    await demo.change({ beside: 'mask' });
    await told.first().getByText('The network reads a 1.').waitFor();
    assert.equal(await sheet.count(), 1);
  },
);

demoTest(
  'frozen, a network keeps every bit of its old answers; free, it forgets them',
  async (demo) => {
    await demo.openScene('Freeze the base');
    const told = demo.page.locator('.is-accuracy figcaption');
    await demo.steps(400);
    await told.getByText('without locks').waitFor();
    const text = (await told.textContent()) ?? '';
    const shares = (/** @type {string} */ name) =>
      (text.match(new RegExp(`${name} (\\d+)\\s% and (\\d+)\\s%`)) ?? []).slice(1).map(Number);
    const [lock, free] = [shares('with the lock'), shares('without locks')];
    assert.match(text, new RegExp(`digits, ${lock[0]}\\s% and ${lock[1]}\\s% are read correctly`));
    assert.ok(lock[0] > 85 && lock[1] > 40, `lock: ${lock}`);
    assert.ok(free[0] < 10 && free[1] > 80, `free: ${free}`);
    assert.match(text, /All 100 old answers that the page checks keep every bit\.$/);
    await demo.button('Free all').click();
    await demo.steps(1);
    await told.getByText(/\d+ of 100 old answers have changed/).waitFor();
  },
);
