/* Parts of gradlock/grid: headings that lock what they name, the editor, sources that are handed on, and
 * sizes that change. */
import assert from 'node:assert/strict';
import { objections } from './axe.js';
import { inChromium } from './grid-harness.js';
import { click, NAMED } from './grid-kit.js';

inChromium(
  'a heading locks its row or column, and frees it when all of it is locked',
  async (_, run) => {
    await run(NAMED);
    const press = (/** @type {number} */ head) =>
      run(`heads()[${head}].click(); return [locked(), states()];`);
    assert.deepEqual(await press(4), ['000111', 'mixed mixed mixed false true']);
    assert.deepEqual(await press(1), ['010111', 'mixed true mixed mixed true']);
    assert.deepEqual(await press(4), ['010000', 'false mixed false mixed false']);
    // What is locked in part becomes locked whole, and only what changes is told.
    assert.deepEqual(await press(3), ['111000', 'mixed mixed mixed true false']);
    assert.deepEqual(
      await run(
        `return told.filter(([type]) => type === 'lockschange').map(([, detail]) => detail);`,
      ),
      [
        { indices: [3, 4, 5], locked: true, continued: false },
        { indices: [1], locked: true, continued: false },
        { indices: [3, 4, 5], locked: false, continued: false },
        { indices: [0, 2], locked: true, continued: false },
      ],
    );
  },
);

inChromium(
  'a listener may refuse what a heading does, and a grid to look at does nothing',
  async (_, run) => {
    await run(`${NAMED}
    grid.addEventListener('lockschange', (event) => event.preventDefault(), { once: true });
    heads()[0].click();`);
    assert.deepEqual(await run('return [locked(), states()];'), [
      '000000',
      'false false false false false',
    ]);
    await run('heads()[0].click(); grid.readonly = true; heads()[4].click();');
    assert.equal(await run('return locked();'), '100100');
  },
);

inChromium('headings follow locks that another sets, in the words of the page', async (_, run) => {
  await run(`${NAMED}
    source.locks.fill(1);
    grid.refresh();`);
  assert.equal(await run('return states();'), 'true true true true true');
  const labels = await run(`
    grid.lang = 'de';
    grid.rowNames = ['w'];
    return heads().map((head) => head.getAttribute('aria-label'));`);
  assert.deepEqual(labels, [
    ...['a', 'b', 'c'].map((name) => `Spalte ${name}: alle sperren`),
    'Zeile w: alle sperren',
    // A row without a name is called by its number.
    'Zeile 2: alle sperren',
  ]);
});

inChromium(
  'axe finds nothing wrong with headings, and screen readers know what they name',
  async (page, run) => {
    await run(`${NAMED} heads()[0].click();`);
    assert.deepEqual(await objections(page), []);
    assert.deepEqual(
      await run(`return inside(grid, '[role$=header]').map((head) =>
      [head.getAttribute('role'), head.getAttribute('aria-label')].join(' '));`),
      ['columnheader a', 'columnheader b', 'columnheader c', 'rowheader w', 'rowheader bias'],
    );
  },
);

inChromium('a value that is left as it was keeps every bit', async (page, run) => {
  const bits = 'return [...new Uint32Array(x.data().buffer)];';
  await run(`
    window.x = g.variable([-0, 1e-40, 16777217, 0.123456789], { name: 'x' });
    window.grid = make({ variable: x }, { editable: '' });
    grid.focus();`);
  const before = await run(bits);
  for (let i = 0; i < 4; i++) {
    for (const key of ['F2', 'Enter', 'ArrowRight']) await page.keyboard.press(key);
  }
  assert.deepEqual(await run(bits), before);
});

inChromium('what is being typed goes to no other variable', async (page, run) => {
  await run(`
    [window.x, window.y] = [1, 2].map((value) => g.variable([[value, value]], { name: 'x' }));
    window.grid = make({ variable: x }, { editable: '' });
    grid.focus();`);
  await page.keyboard.press('7');
  await run('grid.variable = y;');
  await page.keyboard.press('Enter');
  assert.deepEqual(await run('return [x, y].map((one) => [...one.data()]);'), [
    [1, 1],
    [2, 2],
  ]);
  await page.keyboard.press('8');
  await run(`
    window.values = [1, 2, 3, 4];
    grid.source = { rows: 2, cols: 2, values };`);
  await page.keyboard.press('Enter');
  await run('await frames();');
  assert.deepEqual(await run('return [values, [...y.data()], grid.told];'), [
    [1, 2, 3, 4],
    [2, 2],
    [],
  ]);
});

inChromium(
  'what is shown may be handed on, its source stays, and what is newer is seen',
  async (page, run) => {
    await run(`
    class Model {
      got = [];
      get rows() { return 2; }
      get cols() { return 2; }
      values() { return [1, 2, 3, 4]; }
      setLocks(...given) { this.got.push(given); }
    }
    window.model = new Model();
    window.grid = make({ source: model });
    window.buffer = new Float32Array([9, 8, 7, 6]);
    grid.show(buffer);
    structuredClone(buffer.buffer, { transfer: [buffer.buffer] });
    await frames();`);
    await click(page, run, 2);
    assert.deepEqual(
      await run('return [texts(grid), model.got, grid.source === model, grid.told];'),
      [['9.00', '8.00', '7.00', '6.00'], [[[2], true]], true, []],
    );
    await run(`
    window.plain = { rows: 1, cols: 2, values: new Float32Array(2) };
    grid.source = plain;
    const [values, locks] = [new Float32Array([1, 2]), new Uint8Array([0, 1])];
    grid.show(values, locks);
    structuredClone([values, locks], { transfer: [values.buffer, locks.buffer] });
    await frames();`);
    await click(page, run, 0);
    assert.deepEqual(await run('return [texts(grid), pressed(grid), grid.told];'), [
      ['1.00', '2.00'],
      '11',
      [],
    ]);
    await run('grid.show([3, 4]); await frames();');
    assert.deepEqual(await run('return [texts(grid), pressed(grid)];'), [['3.00', '4.00'], '11']);
    const follows = await run(`
    const x = g.variable([[1, 2]], { name: 'x' });
    grid.variable = x;
    grid.show([7, 8]);
    const shown = texts(grid);
    x.assign([[3, 4]]);
    await frames();
    return [shown, texts(grid)];`);
    assert.deepEqual(follows, [
      ['7.00', '8.00'],
      ['3.00', '4.00'],
    ]);
  },
);

inChromium('off the page a cell can be chosen, and sizes may change', async (_, run) => {
  const found = await run(`
    const small = { rows: 2, cols: 2, values: [1, 2, 3, 4] };
    const grid = make({ source: small });
    await frames();
    grid.remove();
    grid.source = { rows: 4, cols: 4, values: new Float32Array(16) };
    grid.selected = 10;
    document.querySelector('main').append(grid);
    await frames();
    const stops = () => inside(grid, '.cell').findIndex(({ tabIndex }) => tabIndex === 0);
    const large = [grid.selected, stops()];
    grid.remove();
    grid.source = small;
    document.querySelector('main').append(grid);
    await frames();
    const back = [grid.selected, stops()];
    grid.remove();
    grid.selected = 3;
    document.querySelector('main').append(grid);
    await frames();
    return [large, back, [grid.selected, stops()]];`);
  assert.deepEqual(found, [
    [10, 10],
    [0, 0],
    [3, 3],
  ]);
});

inChromium('a grid with names changes its size without an error of the window', async (_, run) => {
  await run(`
    const grid = make({ source: { rows: 6, cols: 6, values: new Float32Array(36) } });
    grid.rowNames = [...'abcdef'];
    for (const width of [600, 250, 120, 400]) {
      grid.style.width = width + 'px';
      await frames(4);
    }`);
});
