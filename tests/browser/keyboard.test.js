/** Matrices by keyboard: arrows lead from one to the next, and names lock all of theirs. */

import assert from 'node:assert/strict';
import { demoTest } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** Where the focus is: a grid by its number and a cell or a heading, or the name of a matrix. */
const FOCUSED = `(() => {
  const { activeElement } = document;
  const at = [...document.querySelectorAll('gradlock-grid')].indexOf(activeElement);
  if (at < 0) return activeElement.textContent;
  const inner = activeElement.shadowRoot.activeElement;
  const isName = /-name$/.test(inner.className);
  return at + ' ' + (isName ? inner.getAttribute('aria-label') : activeElement.selected);
})()`;

/**
 * Presses keys, and compares where each leads.
 * @param {DemoPage} demo @param {string} from  a grid and a cell @param {[key: string, to: string][]} steps
 */
async function walk(demo, from, steps) {
  const [grid, cell] = from.split(' ').map(Number);
  await demo.page.evaluate(`(() => {
    const grid = document.querySelectorAll('gradlock-grid')[${grid}];
    grid.selected = ${cell};
    grid.focus();
  })()`);
  for (const [i, [key, to]] of steps.entries()) {
    await demo.page.keyboard.press(key);
    assert.equal(await demo.page.evaluate(FOCUSED), to, `${from}, ${i + 1}. ${key}`);
  }
}

demoTest('arrows move from layer to layer, at the height where one leaves', async (demo) => {
  await demo.openScene('Weights');
  await walk(demo, '0 7', [['ArrowRight', '1 0']]);
  await demo.settled();
  assert.equal(await demo.page.evaluate('gradlockDemo.frame().cell?.index'), 24, 'the selection');
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

demoTest(
  'the name of a matrix locks or frees all of it, and Undo takes it back at once',
  async (demo) => {
    await demo.openScene('Weights');
    const name = demo.page.getByRole('button', { name: 'Layer 1 to layer 2: lock all' });
    /** Locks of the three matrices, and what the name says. */
    const state = async () => {
      await demo.settled();
      const locks = (await demo.snapshot()).locks.join('');
      const parts = [locks.slice(0, 24), locks.slice(24, 96), locks.slice(96)];
      return [
        ...parts.map((part) => [...new Set(part)].join('')),
        await name.getAttribute('aria-pressed'),
      ];
    };
    assert.deepEqual(await state(), ['0', '0', '10', 'false']);
    await name.click();
    assert.deepEqual(await state(), ['0', '1', '10', 'true']);
    await demo.page.locator('gradlock-grid').nth(1).locator('.cell').nth(9).click();
    assert.equal((await state())[3], 'mixed');
    await name.click();
    assert.deepEqual(await state(), ['0', '1', '10', 'true']);
    await name.click();
    assert.deepEqual(await state(), ['0', '0', '10', 'false']);
    await demo.button('Undo').click();
    assert.deepEqual(await state(), ['0', '1', '10', 'true']);
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
    assert.deepEqual((await state()).slice(0, 3), ['1', '0', '10']);
  },
);
