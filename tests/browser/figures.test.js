/* Tier: all. */
/** Figures beside the cells: pointing at one shows the other, and the pad takes a drawing. */

import assert from 'node:assert/strict';
import { demoTest } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** The network's pixels. @param {DemoPage} demo @returns {Promise<string>} */
const pixels = (demo) => demo.page.evaluate("document.querySelector('.is-net canvas').toDataURL()");

/** Points along a vertical line of the network until an edge is met. @param {DemoPage} demo @param {number} across 0..1 */
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

demoTest(
  'pointing at an edge rings its cell, and a click frees or locks it',
  async (demo) => {
    const before = await demo.snapshot();
    const caption = demo.page.locator('.is-net figcaption');
    assert.match((await caption.textContent()) ?? '', /105 edges, and 8 of them are locked/);
    await findEdge(demo, 0.8);
    const ring = demo.page.locator('.cell-ring:visible');
    assert.equal(await ring.count(), 1);
    const at = await ring.boundingBox();
    const cells = demo.page.locator('.grid-unit').nth(2).locator('.cell');
    const boxes = await Promise.all((await cells.all()).map((cell) => cell.boundingBox()));
    const index = boxes.findIndex((box) => Math.abs((box?.y ?? 0) - (at?.y ?? 0)) < 2);
    assert.ok(index >= 0, 'the ring is round a cell of the last matrix');
    const clicked = before.locks.length - boxes.length + index;
    assert.equal(before.locks[clicked], 1);
    for (const [bit, count] of [
      [0, 7],
      [1, 8],
    ]) {
      await demo.page.mouse.down();
      await demo.page.mouse.up();
      await demo.settled();
      const { locks } = await demo.snapshot();
      assert.deepEqual(locks, Object.assign([...before.locks], { [clicked]: bit }));
      assert.match(
        (await caption.textContent()) ?? '',
        new RegExp(`105 edges, and ${count} of them`),
      );
    }
    await demo.page.mouse.move(5, 5);
    assert.equal(await ring.count(), 0);
  },
  undefined,
  '#scene=network',
);

demoTest(
  'pointing at a cell, or its focus, highlights its edge until it is left',
  async (demo) => {
    await demo.steps(50);
    await demo.page.mouse.move(5, 5);
    const calm = await pixels(demo);
    const seen = new Set([calm]);
    const cellOf = (/** @type {number} */ grid, /** @type {number} */ cell) =>
      demo.page.locator('.grid-unit').nth(grid).locator('.cell').nth(cell);
    for (const [grid, cell] of [
      [0, 9],
      [1, 17],
      [2, 3],
    ]) {
      await cellOf(grid, cell).hover();
      seen.add(await pixels(demo));
    }
    assert.equal(seen.size, 4, 'each cell has another edge');
    await demo.page.mouse.move(5, 5);
    assert.equal(await pixels(demo), calm);
    await cellOf(1, 0).focus();
    await demo.page.keyboard.press('ArrowRight');
    assert.ok(!seen.has(await pixels(demo)), 'the same by keyboard');
    await demo.settled();
    assert.equal(await demo.page.locator('.where').textContent(), 'Layer 1 to layer 2, 1, 2');
    await demo.button('Play').focus();
    assert.equal(await pixels(demo), calm);
  },
  undefined,
  '#scene=network',
);

demoTest(
  'a digit is drawn by pointer and by keys, and the network says what it takes it for',
  async (demo) => {
    const { page } = demo;
    const told = page.locator('.is-features figcaption');
    const sheet = page.locator('.pad-sheet');
    await demo.steps(300);
    await demo.button('A 0 by someone else').click();
    await told.getByText('Read as a 0.').waitFor();
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
    await told.getByText('Read as a 1.').waitFor();
    await sheet.focus();
    await page.keyboard.press('Delete');
    await told.getByText('The pad is empty.').waitFor();
    await page.keyboard.press('Space');
    for (let i = 0; i < 5; i++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await told.getByText('Read as a 1.').waitFor();
    // Whatever is shown beside, the drawing stays, and there is one pad.
    await demo.change({ beside: 'mask' });
    await told.first().getByText('Read as a 1.').waitFor();
    assert.equal(await sheet.count(), 1);
  },
  undefined,
  '#scene=digits',
);
