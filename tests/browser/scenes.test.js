/* Tier: all. */
/**
 * Every scene on a page: it learns and holds its locks, by keys and for screen readers too, and
 * fits phones.
 */

import assert from 'node:assert/strict';
import { scenes } from '../../web/scenes/index.js';
import { strings } from '../../web/strings/index.js';
import { objections } from './axe.js';
import { demoTest, site } from './harness.js';
import { compare } from './page.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** Locks a dozen cells by keys, if the scene opens without locks. @param {DemoPage} demo */
async function lockSome(demo) {
  const { locks } = await demo.snapshot();
  if (locks.some(Boolean)) return;
  await demo.page.locator('.cell, .cursor').first().focus();
  await demo.page.keyboard.press('Space');
  await demo.page.keyboard.down('Shift');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await demo.page.keyboard.press(key);
  }
  await demo.page.keyboard.up('Shift');
}

/** Runs in the page: its figures' sizes and pixels. */
function pictures() {
  return [...document.querySelectorAll('.figure canvas')].map((one) => {
    const canvas = /** @type {HTMLCanvasElement} */ (one);
    return { size: [canvas.width, canvas.height], url: canvas.toDataURL() };
  });
}

/** Figures get no room, a dot of it, and their own again. @param {DemoPage} demo */
async function squeeze(demo) {
  const before = await demo.page.evaluate(pictures);
  for (const css of ['display: none', 'width: 1px', 'width: 0px', 'width: 40px', '']) {
    await demo.page.evaluate(`document.querySelector('#page').style.cssText = '${css}'`);
    // A frame comes in any room.
    await demo.page.evaluate(`void gradlockDemo.change({ selected: ${css ? 1 : 0} })`);
    await demo.settled();
  }
  const after = await demo.page.evaluate(pictures);
  const sizes = (/** @type {typeof after} */ all) => all.map(({ size }) => size);
  assert.deepEqual(sizes(after), sizes(before));
  assert.ok(
    after.every(({ url }, i) => url === before[i].url),
    'pixels as before',
  );
}

/** Runs in the page: tab stops of each grid, and cells that arrows do not lead to. */
const KEYS = `[...document.querySelectorAll('gradlock-grid')].map((grid) => {
  const { rows, cols } = grid.source;
  const press = (key, ctrlKey = false) =>
    grid.shadowRoot.activeElement.dispatchEvent(
      new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true, composed: true }));
  const stops = grid.shadowRoot.querySelectorAll('[tabindex="0"]').length;
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
  return [stops, rows * cols - seen.size].join();
})`;

/** Runs in the page: what is cut off, stretched, too small for a finger, or sticks out. @param {boolean} isTouched */
function misfits(isTouched) {
  // A file's field is within its label, which is what is touched.
  const CONTROLS =
    'button, select, textarea, summary, input:not(.button > .cover), .check, label.button';
  const found = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} px wide`);
  for (const control of isTouched ? document.querySelectorAll(CONTROLS) : []) {
    const { width, height } = control.getBoundingClientRect();
    const isElsewhere = control.closest('.grid, .check') && !control.matches('.check');
    if (!width || isElsewhere) continue;
    if (width < 44 || height < 44) found.push(`${control.outerHTML}: ${width} × ${height}`);
  }
  for (const one of document.querySelectorAll('.figure-canvas')) {
    const { width, height, clientWidth, clientHeight } = /** @type {HTMLCanvasElement} */ (one);
    const stretch = (height / width) * (clientWidth / clientHeight);
    if (clientHeight && Math.abs(stretch - 1) > 0.02)
      found.push(`a figure is stretched: ${stretch}`);
  }
  const pen = /** @type {CanvasRenderingContext2D} */ (
    document.createElement('canvas').getContext('2d')
  );
  for (const list of document.querySelectorAll('select')) {
    if (!list.checkVisibility()) continue;
    const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(list);
    pen.font = `${fontSize} ${fontFamily}`;
    const room =
      list.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    // A phone shows all choices in a list of its own.
    for (const { text } of isTouched ? list.selectedOptions : list.options)
      if (pen.measureText(text).width > room)
        found.push(`${text} is ${pen.measureText(text).width} px wide of ${room}`);
  }
  return found;
}

demoTest(
  'every scene learns and holds its locks, is reached by keys, and axe finds nothing wrong',
  async (demo, t) => {
    for (const { id, recorded } of scenes) {
      await t.test(id, async () => {
        await demo.openScene(strings.scenes[id].name);
        if (recorded) await demo.until('gradlockDemo.recorded().length > 0');
        // The first frame has come, but a pad asks for the readings of its digit with it.
        await demo.settled();
        await squeeze(demo);
        await lockSome(demo);
        const start = await demo.snapshot();
        assert.equal(start.scene, id);
        await demo.train(40);
        const end = await demo.snapshot();
        const { locked, lockedMoved, free, freeMoved } = compare(start, end);
        assert.ok(locked > 0 && free > 0);
        assert.equal(lockedMoved, 0, 'no locked cell has moved by a bit');
        assert.ok(freeMoved > 0.6 * free, `${freeMoved} of ${free} free cells moved`);
        assert.ok(end.loss < start.loss, `loss ${end.loss} is below ${start.loss}`);
        assert.deepEqual(await demo.page.evaluate(misfits, false), []);
        const keys = /** @type {string[]} */ (await demo.page.evaluate(KEYS));
        assert.deepEqual(new Set(keys), new Set(['1,0']), 'one tab stop, and all of its cells');
        assert.deepEqual(await objections(demo.page), []);
        assert.equal(await demo.message().count(), 0);
      });
    }
  },
  { viewport: { width: 1366, height: 768 } },
);

demoTest(
  'every scene fits a phone in German, simple and full, with targets for fingers',
  async (demo) => {
    for (const view of ['full', 'simple']) {
      await demo.page.goto(`${site.url}?lang=de&view=${view}#scene=two-by-two`);
      await demo.ready();
      for (const { id } of scenes) {
        await demo.change({ scene: id });
        await demo.steps(10);
        assert.deepEqual(await demo.page.evaluate(misfits, true), [], `${id}, ${view}`);
      }
    }
  },
  { viewport: { width: 320, height: 640 }, hasTouch: true, deviceScaleFactor: 2 },
);

demoTest(
  'the line above the cells follows: what to do, what is seen, what an act does, that nothing is locked',
  async (demo) => {
    const said = () => demo.page.locator('#lede').textContent();
    const words = /** @type {Record<string, any>} */ (strings.scenes);
    await demo.change({ scene: 'two-by-two' });
    await demo.settled();
    assert.equal(await said(), words['two-by-two'].lede);
    await demo.steps(1);
    assert.equal(await said(), words['two-by-two'].ledeLater);
    await demo.page.locator('.cell[aria-pressed=true]').first().click();
    await demo.settled();
    assert.equal(await said(), words['two-by-two'].ledeActed);
    await demo.button('Free all').click();
    await demo.settled();
    assert.equal(await said(), words['two-by-two'].ledeFree);
    await demo.change({ scene: 'membrane' });
    await demo.settled();
    await demo.button('Free all').click();
    await demo.settled();
    assert.equal(await said(), strings.lede.free);
  },
);
