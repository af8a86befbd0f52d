/** The demo's matrices by keyboard alone: a tab stop each, arrows from one to the next, names that lock all of theirs. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenes } from '../../web/scenes/index.js';
import { de } from '../../web/strings/de.js';
import { distance } from '../../web/view/crossing.js';
import { launchFirefox } from './firefox.js';
import { browser, demoTest, site } from './harness.js';
import { DemoPage } from './page.js';

/** What tests ask of the page, beside what it shows. */
const ASK = `
  window.grids = () => [...document.querySelectorAll('gradlock-grid')];
  /** Where the focus is: a grid by its number and a cell, a heading, or the name of a matrix. */
  window.place = () => {
    const { activeElement } = document;
    const at = grids().indexOf(activeElement);
    if (at < 0) return activeElement.textContent;
    const inner = activeElement.shadowRoot.activeElement;
    const isName = /-name$/.test(inner.className);
    return at + ' ' + (isName ? inner.getAttribute('aria-label') : activeElement.selected);
  };`;

/** @param {DemoPage} demo @param {string} script */
const ask = (demo, script) => demo.page.evaluate(`(() => {${ASK}${script}})()`);

/**
 * Keys, and where each leads.
 * @param {DemoPage} demo @param {string} from  a grid and a cell @param {[key: string, to: string][]} steps
 */
async function walk(demo, from, steps) {
  const [grid, cell] = from.split(' ').map(Number);
  await ask(demo, `grids()[${grid}].selected = ${cell}; grids()[${grid}].focus();`);
  for (const [i, [key, to]] of steps.entries()) {
    await demo.page.keyboard.press(key);
    assert.equal(await ask(demo, 'return place();'), to, `${from}, ${i + 1}. ${key}`);
  }
}

/** The cell of the whole scene that is selected. @param {DemoPage} demo */
const selected = (demo) => demo.page.evaluate('gradlockDemo.frame().cell?.index');

test('the nearest grid is the one ahead; what lies behind or overlaps is none', () => {
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

demoTest('arrows cross from layer to layer, at the height where one leaves', async (demo) => {
  await demo.openScene('Weights');
  await walk(demo, '0 7', [['ArrowRight', '1 0']]);
  await demo.settled();
  assert.equal(await selected(demo), 24, 'the selection goes along');
  // w1 has 3 × 8 cells, w2 9 × 8, w3 9 × 1; w1 ends beside the third row of w2.
  await walk(demo, '0 7', [
    ['ArrowRight', '1 0'],
    ['ArrowLeft', '1 Row 1: lock all'],
    ['ArrowLeft', '0 7'],
    ['ArrowDown', '0 15'],
    ['ArrowRight', '1 8'],
    ['End', '1 15'],
    ['ArrowRight', '2 1'],
    ['ArrowRight', '2 1'],
    ['ArrowLeft', '2 Row 2: lock all'],
    ['ArrowLeft', '1 15'],
  ]);
  // From rows that the neighbour lacks, to the nearest that it has.
  await walk(demo, '1 48', [
    ['ArrowLeft', '1 Row 7: lock all'],
    ['ArrowLeft', '0 23'],
  ]);
});

demoTest('arrows cross among ten images, down and up, and end at the last', async (demo) => {
  await demo.openScene('Digits');
  await walk(demo, '0 63', [
    ['ArrowDown', '5 7'],
    ['ArrowRight', '6 0'],
    ['ArrowLeft', '5 7'],
    // Up is its name first.
    ['ArrowUp', '5'],
    ['ArrowUp', '0 56'],
  ]);
  await walk(demo, '4 15', [['ArrowRight', '4 15']]);
  await walk(demo, '5 56', [
    ['ArrowDown', '5 56'],
    ['ArrowLeft', '5 56'],
  ]);
});

demoTest('arrows cross to the run beside it and back', async (demo) => {
  await demo.openScene('New words');
  await walk(demo, '0 39', [
    ['ArrowRight', '1 32'],
    ['ArrowLeft', '1 Row elephant: lock all'],
    ['ArrowLeft', '0 39'],
  ]);
  await demo.openScene('Two by two');
  await walk(demo, '0 0', [
    ['ArrowUp', '0 0'],
    ['ArrowRight', '0 1'],
    ['ArrowRight', '0 1'],
  ]);
});

demoTest(
  'on a phone, where they are one below the other, arrows cross down and up',
  async (demo) => {
    await demo.openScene('Weights');
    await walk(demo, '0 18', [
      ['ArrowDown', '1 2'],
      ['ArrowUp', '1 Column 3: lock all'],
      ['ArrowUp', 'Layer 1 to layer 2'],
    ]);
    // As far down as leaves the name in sight, and the grid above it out of it.
    await demo.page.evaluate('scrollBy(0, document.activeElement.getBoundingClientRect().top)');
    await demo.page.keyboard.press('ArrowUp');
    assert.match(await ask(demo, 'return place();'), /^0 (16|17|18|19)$/);
    const isSeen = await demo.page.evaluate(`(() => {
    const { top, bottom } = document.activeElement.shadowRoot.activeElement.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  })()`);
    assert.ok(isSeen, 'and the page scrolls along');
  },
  { viewport: { width: 390, height: 600 }, hasTouch: true, isMobile: true },
);

demoTest(
  'the name of a matrix locks or frees all of it, and undo takes it back at once',
  async (demo) => {
    await demo.openScene('Weights');
    const name = demo.page.getByRole('button', { name: 'Layer 1 to layer 2: lock all' });
    const locks = async () => (await demo.snapshot()).locks.join('');
    const rows = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ c) =>
      [
        [24, a],
        [72, b],
        [9, c],
      ]
        .map(([count, bit]) => String(bit).repeat(count))
        .join('');
    const state = () => name.getAttribute('aria-pressed');
    assert.equal(await state(), 'false');
    await name.click();
    assert.deepEqual([await locks(), await state()], [rows(0, 1, 0), 'true']);
    assert.match(`${await name.getAttribute('title')}`, /and its bias/, 'a layer has its bias');
    await demo.page.locator('gradlock-grid').nth(1).locator('.cell').nth(9).click();
    await demo.settled();
    assert.equal(await state(), 'mixed');
    await name.click();
    assert.deepEqual([await locks(), await state()], [rows(0, 1, 0), 'true']);
    await name.click();
    assert.deepEqual([await locks(), await state()], [rows(0, 0, 0), 'false']);
    await demo.button('Undo').click();
    await demo.settled();
    assert.deepEqual([await locks(), await state()], [rows(0, 1, 0), 'true']);
    await demo.button('Redo').click();
    await demo.settled();
    // By keys: up from the first row, over its heading; then along the names.
    await walk(demo, '1 3', [
      ['ArrowUp', '1 Column 4: lock all'],
      ['ArrowUp', 'Layer 1 to layer 2'],
      ['ArrowRight', 'Output'],
      ['ArrowLeft', 'Layer 1 to layer 2'],
      ['ArrowLeft', 'Inputs to layer 1'],
      ['ArrowLeft', 'Inputs to layer 1'],
    ]);
    await demo.page.keyboard.press(' ');
    await demo.settled();
    assert.equal(await locks(), rows(1, 0, 0));
    await demo.page.keyboard.press('ArrowDown');
    assert.match(await ask(demo, 'return place();'), /^0 /);
  },
);

demoTest(
  'a row or a column is locked by its heading, one undo each, and holds its bits',
  async (demo) => {
    await demo.openScene('Weights');
    const heading = (/** @type {number} */ grid, /** @type {string} */ label) =>
      demo.page
        .locator('gradlock-grid')
        .nth(grid)
        .getByRole('button', { name: label, exact: true });
    await heading(1, 'Row bias: lock all').click();
    await heading(1, 'Column 2: lock all').click();
    await demo.settled();
    const before = await demo.snapshot();
    const held = before.locks.flatMap((bit, i) => (bit ? [i - 24] : []));
    assert.deepEqual(held, [1, 9, 17, 25, 33, 41, 49, 57, 64, 65, 66, 67, 68, 69, 70, 71]);
    await demo.train(10);
    const after = await demo.snapshot();
    for (const i of held) assert.equal(after.bits[24 + i], before.bits[24 + i]);
    await demo.button('Undo').click();
    await demo.settled();
    assert.equal((await demo.snapshot()).locks.filter(Boolean).length, 8, 'the row alone');
    await demo.button('Undo').click();
    await demo.settled();
    assert.equal((await demo.snapshot()).locks.filter(Boolean).length, 0);
  },
);

demoTest('in German, too, names say what they do', async (demo) => {
  await demo.page.goto(`${site.url}?lang=de#scene=network`);
  await demo.ready();
  const { w2 } = /** @type {Record<string, string>} */ (de.scenes.network.grids);
  await demo.page.getByRole('button', { name: `${w2}: alle sperren`, exact: true }).click();
  await demo.page
    .getByRole('button', { name: 'Zeile Bias: alle sperren', exact: true })
    .last()
    .click();
  assert.equal((await demo.snapshot()).locks.filter(Boolean).length, 72 + 1);
});

demoTest(
  'on a phone names are as large as a finger',
  async (demo) => {
    for (const scene of ['Weights', 'Digits']) {
      await demo.openScene(scene);
      for (const name of await demo.page.locator('.grid-name').all()) {
        const box = await name.boundingBox();
        assert.ok(
          box && box.width >= 44 && box.height >= 44,
          `${scene}: ${box?.width} × ${box?.height}`,
        );
      }
    }
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);

/**
 * Tab through the page, from its start until it begins anew.
 * @param {{ evaluate(script: string): Promise<any>, keyboard: { press(key: any): Promise<void> } }} page
 * @returns {Promise<(number | string)[]>} grids in the order in which the focus came to them
 */
async function tabThrough(page) {
  await page.evaluate(
    'window.first = null; document.activeElement.blur(); document.body.tabIndex = -1; document.body.focus()',
  );
  /** @type {(number | string)[]} */
  const stops = [];
  for (let tabs = 0; tabs < 120; tabs++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(`(() => {
      const { activeElement } = document;
      const isRound = activeElement === window.first || activeElement === document.body;
      window.first ??= activeElement;
      if (isRound) return -2;
      if (activeElement.matches('.grids :not(gradlock-grid)')) return 'a name';
      return [...document.querySelectorAll('gradlock-grid')].indexOf(activeElement);
    })()`);
    if (at === -2) return stops;
    if (at !== -1) stops.push(at);
  }
  return assert.fail('the page does not end');
}

/** Cells of each grid that arrows lead to from where Tab leads, over every row and along it. */
const SNAKE = `(() => [...document.querySelectorAll('gradlock-grid')].map((grid) => {
  const { rows, cols } = grid.source;
  const press = (key, ctrlKey = false) =>
    grid.shadowRoot.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true, composed: true }));
  grid.focus();
  press('Home', true);
  const seen = new Set([grid.selected]);
  for (let row = 0; row < rows; row++) {
    for (let col = 1; col < cols; col++) {
      press(row % 2 ? 'ArrowLeft' : 'ArrowRight');
      seen.add(grid.selected);
    }
    if (row < rows - 1) press('ArrowDown');
    seen.add(grid.selected);
  }
  return seen.size - rows * cols;
}))()`;

/**
 * @param {{ evaluate(script: string): Promise<any>, keyboard: { press(key: any): Promise<void> } }} page
 * @param {string} id
 */
async function reachAll(page, id) {
  await page.evaluate(`gradlockDemo.change({ scene: '${id}' })`);
  // A grid that had the focus gives it to its successor once that has cells.
  await page.evaluate(`new Promise((done) => {
    const isBuilt = ({ shadowRoot }) => shadowRoot.querySelector('.cell, .cursor');
    const look = () =>
      [...document.querySelectorAll('gradlock-grid')].every(isBuilt)
        ? requestAnimationFrame(() => requestAnimationFrame(() => done(0)))
        : requestAnimationFrame(look);
    look();
  })`);
  const count = Number(await page.evaluate(`document.querySelectorAll('gradlock-grid').length`));
  assert.ok(count > 0);
  assert.deepEqual(
    await tabThrough(page),
    Array.from({ length: count }, (_, i) => i),
    `${id}: one stop a grid, in order`,
  );
  const missed = await page.evaluate(SNAKE);
  assert.deepEqual(missed, Array(count).fill(0), `${id}: every cell`);
}

test('Chromium: in every scene each grid is one tab stop, and every cell is reached by keys', async () => {
  const demo = await DemoPage.open(browser, site.url, {}, 'simple');
  for (const { id } of scenes) await reachAll(demo.page, id);
  await demo.close();
});

test('Firefox: in every scene each grid is one tab stop, and every cell is reached by keys', async () => {
  const firefox = await launchFirefox();
  try {
    const page = await firefox.newPage();
    await page.goto(`${site.url}#scene=two-by-two`);
    await page.waitForSelector('>>> .cell');
    for (const { id } of scenes) await reachAll(page, id);
  } finally {
    await firefox.close();
  }
});
