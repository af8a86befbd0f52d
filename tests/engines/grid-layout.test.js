/* The grid wherever pages put it: right to left, enlarged, off the page, in a scroller, beside other
 * fields; and sources that change under a hand. */
import assert from 'node:assert/strict';
import { both } from '../browser/grid-harness.js';

/** @typedef {import('../browser/visit.js').Page} Page */

/** Click the middle of a cell, or, as a share of its size, elsewhere. @param {Page} page @param {(script: string) => Promise<any>} run @param {number} index @param {string} [grid] */
async function click(page, run, index, grid = 'grid') {
  const [x, y] = await run(`
    const { left, top, width, height } = inside(${grid}, '.cell')[${index}].getBoundingClientRect();
    return [left + width / 2, top + height / 2];`);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
}

both(
  'right to left, columns run as in the variable, and a click locks its cell',
  async (page, run) => {
    await run(`
    document.documentElement.dir = 'rtl';
    window.x = g.variable([[1, 2, 3], [4, 5, 6]], { name: 'x' });
    window.grid = make({ variable: x }, { editable: '' });
    await frames(4);`);
    for (const index of [0, 5]) await click(page, run, index);
    assert.deepEqual(await run('return [...x.locks.toIndices()];'), [0, 5]);
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('F2');
    const [field, cell] =
      await run(`return [...inside(grid, '.editor'), inside(grid, '.cell')[4]].map(
    (part) => part.getBoundingClientRect()).map(({ left, width }) => left + width / 2);`);
    assert.ok(Math.abs(field - cell) < 60, `${field} is over ${cell}`);
  },
);

both('on enlarged pages a click locks the cell that is seen there', async (page, run) => {
  for (const [name, value] of [
    ['transform', 'scale(1.5)'],
    ['transform', 'scale(0.5)'],
    ['zoom', '1.5'],
  ]) {
    await run(`
      window.frame ??= document.createElement('div');
      frame.style = '';
      Object.assign(frame.style, { width: '300px', transformOrigin: '0 0', '${name}': '${value}' });
      document.querySelector('main').append(frame);
      window.x = g.variable(new Float32Array(16), { shape: [4, 4], name: 'x' });
      window.grid?.remove();
      window.grid = make({ variable: x });
      frame.append(grid);
      await frames(4);`);
    for (const index of [5, 10, 15]) await click(page, run, index);
    assert.deepEqual(await run('return [...x.locks.toIndices()];'), [5, 10, 15], value);
  }
});

both('who leaves the field for a value stays where they went', async (page, run) => {
  await run(`
    window.x = g.variable([[1, 2]], { name: 'x' });
    window.grid = make({ variable: x }, { editable: '' });
    window.other = Object.assign(document.createElement('input'), { ariaLabel: 'other' });
    document.querySelector('main').append(other);
    window.changes = [];
    grid.addEventListener('valuechange', ({ detail }) => changes.push(detail.text));
    await frames(4);
    grid.focus();`);
  const clickOther = async () => {
    const [x, y] = await run(`
      const { left, top } = other.getBoundingClientRect();
      return [left + 10, top + 10];`);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.up();
  };
  await page.keyboard.press('F2');
  await clickOther();
  await page.keyboard.press('5');
  assert.deepEqual(await run('return [other.value, [...x.data()], changes];'), ['5', [1, 2], []]);
  await run(`
    other.value = '';
    grid.focus();`);
  await page.keyboard.press('7');
  await clickOther();
  await page.keyboard.press('6');
  const end = await run(
    'return [other.value, [...x.data()], changes, document.activeElement === other];',
  );
  assert.deepEqual(end, ['6', [7, 2], ['7'], true]);
});

both('a value that is left as it was keeps every bit', async (page, run) => {
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

both('what is being typed goes to no other variable', async (page, run) => {
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

both(
  'the keyboard is followed by what scrolls, and Alt leads through the history',
  async (page, run) => {
    await run(`
    const scroller = document.createElement('div');
    Object.assign(scroller.style, { height: '200px', overflow: 'auto', width: '400px' });
    document.querySelector('main').append(scroller);
    window.grid = make({ source: { rows: 16, cols: 4, values: new Float32Array(64) } });
    grid.rowNames = [...'abcdefghijklmnop'];
    grid.style.setProperty('--gradlock-max-height', 'none');
    scroller.append(grid);
    await frames(4);
    window.canvas = make({ source: { rows: 400, cols: 20, values: new Float32Array(8000) } });
    canvas.style.setProperty('--gradlock-max-height', 'none');
    scroller.append(canvas);
    await frames(4);
    grid.focus();
    /** How far the focus is outside of what is seen. */
    window.outside = (one) => {
      const box = scroller.getBoundingClientRect();
      const { top, bottom } = one.shadowRoot.activeElement.getBoundingClientRect();
      return Math.max(0, box.top - top, bottom - box.bottom);
    };`);
    for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowDown');
    assert.ok((await run('return outside(grid);')) < 2);
    assert.equal(await run('return grid.selected;'), 48);
    await run('canvas.focus();');
    for (let i = 0; i < 8; i++) await page.keyboard.press('PageDown');
    assert.ok((await run('return outside(canvas);')) < 2);
    const isTaken = await run(`
    const left = new KeyboardEvent('keydown', { key: 'ArrowLeft', altKey: true, bubbles: true, cancelable: true, composed: true });
    grid.selected = 5;
    inside(grid, '.cell')[5].dispatchEvent(left);
    return [left.defaultPrevented, grid.selected];`);
    assert.deepEqual(isTaken, [false, 5]);
  },
);

both('a grid with names changes its size without an error of the window', async (_, run) => {
  await run(`
    const grid = make({ source: { rows: 6, cols: 6, values: new Float32Array(36) } });
    grid.rowNames = [...'abcdef'];
    for (const width of [600, 250, 120, 400]) {
      grid.style.width = width + 'px';
      await frames(4);
    }`);
});

both('a number is never cut: it has fewer decimals, or is left to its colour', async (_, run) => {
  const found = await run(`
    const cut = [];
    const seen = new Set();
    const numbers = [-123.4, -999, 1234, -56789, 12.345, -0.5, 1e-7, -1e20, Infinity, 99.996];
    for (const side of [2, 4, 8, 12, 16]) {
      const values = Float32Array.from({ length: side * side }, (_, i) => numbers[i % numbers.length]);
      const grid = make({ source: { rows: side, cols: side, values, locks: values.map((_, i) => i % 2) } });
      for (const width of [300, 420, 540, 700]) {
        grid.style.width = width + 'px';
        await frames(4);
        inside(grid, '.cell-value').forEach((value, i) => {
          const cell = value.parentNode.getBoundingClientRect();
          const range = document.createRange();
          range.selectNodeContents(value);
          const { left, right } = range.getBoundingClientRect();
          if (!value.textContent) return;
          seen.add(value.textContent);
          if (left < cell.left - 0.5 || right > cell.right + 0.5)
            cut.push(value.textContent + ' in ' + Math.round(cell.width));
        });
      }
      grid.remove();
    }
    return [[...new Set(cut)], [...seen]];`);
  assert.deepEqual(found[0], []);
  for (const text of ['12.35', '12.3', '−0.50', '∞', '−999.0', '−6·10⁴', '−1·10²⁰', '1.2·10³']) {
    assert.ok(found[1].includes(text), `${text} is shown: ${found[1]}`);
  }
});

both(
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

both('off the page a cell can be chosen, and sizes may change', async (_, run) => {
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

both(
  'gaps in any unit, names that are too few, pointers of tools, and a scale for each source',
  async (_, run) => {
    const found = await run(`
    const grid = make({ source: { rows: 2, cols: 3, values: new Float32Array(6) } });
    grid.style.setProperty('--gradlock-cell-gap', '0.75rem');
    grid.colNames = ['a'];
    await frames(4);
    const boxes = inside(grid, '.cell').map((cell) => cell.getBoundingClientRect());
    const [head] = inside(grid, '.col-name').map((name) => name.getBoundingClientRect());
    const gap = Math.round(boxes[1].left - boxes[0].right);
    inside(grid, '.cell')[4].dispatchEvent(new PointerEvent('pointerdown', { clientX: boxes[4].left + 3,
      clientY: boxes[4].top + 3, pointerId: 99, bubbles: true, composed: true, cancelable: true }));
    const fill = () => inside(grid, '.cell')[0].style.getPropertyValue('--fill');
    const shades = [0.25, 1, 0.25].map((value) => {
      grid.source = { rows: 1, cols: 2, values: [value, 0] };
      return fill();
    });
    return [gap, Math.abs(head.left - boxes[0].left) < 2, shades[0] === shades[2]];`);
    assert.deepEqual(found, [12, true, true]);
  },
);
