/* Engines: all, because each has its own pointers, focus, shadow roots, canvases and workers. What is the
 * same code in every engine is in tests/browser/grid.test.js. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ENGINES } from '../browser/browsers.js';
import { inEach, newPage, root, served } from '../browser/grid-harness.js';
import { click, middleOf, NAMED } from '../browser/grid-kit.js';
import { serveFolder } from '../browser/site.js';

/** @typedef {import('../browser/visit.js').Page} Page */

inEach('a click, keys and a drag lock and free; a listener may refuse', async (page, run) => {
  await run(`
    window.x = g.variable(new Float32Array(16), { shape: [4, 4], name: 'x' });
    window.events = [];
    window.grid = make({ variable: x });
    for (const type of ['lockschange', 'cellselect']) {
      grid.addEventListener(type, ({ detail }) => events.push([type, detail]));
    }`);
  const at = (/** @type {number} */ index) => run(middleOf('grid', index, 4, 4));
  const [x, y] = await at(5);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
  assert.deepEqual(await run('return [[...x.locks.toIndices()], grid.selected, events];'), [
    [5],
    5,
    [
      ['lockschange', { indices: [5], locked: true, continued: false }],
      ['cellselect', { index: 5, row: 1, col: 1 }],
    ],
  ]);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press(' ');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  assert.deepEqual(await run('return [...x.locks.toIndices()];'), [5, 6, 7]);
  // Down the first column.
  for (const [i, index] of [0, 4, 8, 12].entries()) {
    const [left, top] = await at(index);
    await page.mouse.move(left, top);
    if (i === 0) await page.mouse.down();
  }
  await page.mouse.up();
  assert.deepEqual(await run('return [...x.locks.toIndices()];'), [0, 4, 5, 6, 7, 8, 12]);
  // A brush of three, cut off at the border; the parts of a stroke are told apart from others.
  await run('x.unlock("all"); grid.brush = 3; events.length = 0;');
  for (const [i, index] of [1, 3].entries()) {
    const [left, top] = await at(index);
    await page.mouse.move(left, top);
    if (i === 0) await page.mouse.down();
    if (i === 0) assert.deepEqual(await run('return [...x.locks.toIndices()];'), [1], 'a click');
  }
  await page.mouse.up();
  assert.deepEqual(await run('return [...x.locks.toIndices()];'), [0, 1, 2, 3, 4, 5, 6, 7]);
  const parts = `events.flatMap(([, { continued }]) => (continued === undefined ? [] : continued))`;
  assert.deepEqual(await run(`grid.brush = 2; return [grid.brush, ${parts}];`), [1, [false, true]]);
  // A rectangle grows with Shift, and shrinks again.
  await run('x.unlock("all").lock([0]); grid.selected = 0; grid.focus();');
  await page.keyboard.down('Shift');
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowRight', 'ArrowLeft']) {
    await page.keyboard.press(key);
  }
  await page.keyboard.up('Shift');
  assert.deepEqual(await run('return [...x.locks.toIndices()];'), [0, 1, 4, 5]);
  await run(`grid.addEventListener('lockschange', (event) => event.preventDefault());`);
  await page.keyboard.press(' ');
  assert.deepEqual(await run('return [[...x.locks.toIndices()], pressed(grid)];'), [
    [0, 1, 4, 5],
    '1100110000000000',
  ]);
  await run(`grid.readonly = true; events.length = 0; grid.focus();`);
  await page.keyboard.press(' ');
  assert.deepEqual(await run('return events;'), []);
});

inEach(
  'a value is typed where the grid is editable, and a locked cell refuses kindly',
  async (page, run) => {
    await run(`
    window.x = g.variable([[1, 2]], { name: 'x' }).lock([1]);
    window.grid = make({ variable: x });
    grid.focus();`);
    await page.keyboard.press('7');
    assert.equal(await run(`return inside(grid, 'input').length;`), 0);
    await run('grid.editable = true;');
    for (const key of ['7', '.', '5', 'Enter']) await page.keyboard.press(key);
    assert.deepEqual(await run('return [[...x.data()], texts(grid)];'), [
      [7.5, 2],
      ['7.50', '2.00'],
    ]);
    for (const key of ['ArrowRight', '3', 'Enter']) await page.keyboard.press(key);
    assert.deepEqual(await run(`return [[...x.data()], inside(grid, '.note')[0].textContent];`), [
      [7.5, 2],
      'Row 1, column 2 is locked.',
    ]);
    await run(`
    grid.addEventListener('valuechange', (event) => event.preventDefault());
    grid.selected = 0;`);
    for (const key of ['9', 'Enter']) await page.keyboard.press(key);
    assert.deepEqual(await run('return [...x.data()];'), [7.5, 2]);
  },
);

inEach(
  'a large grid is a canvas with one tab stop, which keys and pointer lead',
  async (page, run) => {
    await run(`
    window.x = g.variable(Float32Array.from({ length: 1024 }, (_, i) => i), { shape: [32, 32] });
    window.grid = make({ variable: x });
    window.before = pixels(grid);
    grid.focus();`);
    for (const key of ['ArrowDown', 'PageDown', 'End', ' ']) await page.keyboard.press(key);
    assert.deepEqual(
      await run(`return [labels(grid), [...x.locks.toIndices()],
      inside(grid, '[tabindex="0"], button, input').length];`),
      [['Row 12, column 32, value 383.00, locked'], [383], 1],
    );
    const [left, top] = await run(middleOf('grid', 33, 32, 32));
    await page.mouse.move(left, top);
    await page.mouse.down();
    await page.mouse.up();
    assert.deepEqual(await run('return [...x.locks.toIndices()];'), [33, 383]);
    const changed = await run(`
    x.assign(new Float32Array(1024).fill(3), { force: true });
    await frames();
    return pixels(grid) !== before;`);
    assert.ok(changed);
  },
);

inEach(
  'a module worker trains, shows its pictures, and takes what is locked',
  async (page, run) => {
    await run(`
    window.worker = new Worker('${served.url}tests/engines/grid-worker.js', { type: 'module' });
    window.grid = make({ source: { rows: 2, cols: 2, values: new Float32Array(4) } });
    grid.addEventListener('lockschange', ({ detail }) => worker.postMessage(detail));
    window.shown = () => new Promise((resolve, reject) => {
      worker.onerror = ({ message }) => reject(new Error(message || 'the worker does not start'));
      worker.onmessage = ({ data }) => {
        grid.show(data.values, data.locks);
        resolve([texts(grid), pressed(grid)]);
      };
    });
    await shown();
    grid.selected = 1;
    grid.focus();
    window.next = shown();`);
    await page.keyboard.press(' ');
    const found = await run(`
    const locked = await next;
    const trained = shown();
    worker.postMessage({ steps: 100 });
    return [locked, await trained, grid.told];`);
    assert.deepEqual(found, [
      [['0.00', '0.00', '0.00', '0.00'], '0100'],
      [['1.00', '0.00', '3.00', '4.00'], '0100'],
      [],
    ]);
    await run('worker.terminate();');
  },
);

inEach('a pointer on a heading locks what it names, and no cell beside it', async (page, run) => {
  await run(NAMED);
  for (const [head, locks] of /** @type {[number, string][]} */ ([
    [0, '100100'],
    [4, '100111'],
  ])) {
    const [x, y] = await run(`
      const { left, top, width, height } = heads()[${head}].getBoundingClientRect();
      return [left + width / 2, top + height / 2];`);
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.up();
    assert.equal(await run('return locked();'), locks);
  }
  assert.equal(await run('return grid.selected;'), 0, 'and the selected cell stays');
});

inEach(
  'arrows lead to the headings and back, keys press them, and beyond them is the border',
  async (page, run) => {
    await run(`${NAMED} grid.selected = 1; grid.focus();`);
    /** Where each key leads: the label, in short, or the direction in which it leaves. */
    const steps = /** @type {[string, string][]} */ ([
      ['ArrowUp', 'Column b: lock all'],
      ['ArrowUp', 'leaves up'],
      ['ArrowRight', 'Column c: lock all'],
      ['ArrowRight', 'leaves right'],
      ['Home', 'Column a: lock all'],
      ['ArrowLeft', 'leaves left'],
      ['PageUp', 'Column a: lock all'],
      ['ArrowDown', 'w, a: Row 1, column 1'],
      ['ArrowLeft', 'Row w: lock all'],
      ['ArrowUp', 'leaves up'],
      ['ArrowDown', 'Row bias: lock all'],
      ['ArrowDown', 'leaves down'],
      ['ArrowLeft', 'leaves left'],
      ['End', 'bias, c: Row 2, column 3'],
      ['ArrowDown', 'leaves down'],
    ]);
    for (const [i, [key, there]] of steps.entries()) {
      await run('told.length = 0;');
      await page.keyboard.press(key);
      const found = await run(`
      const left = told.find(([type]) => type === 'cellleave');
      return left ? 'leaves ' + left[1].direction : at();`);
      assert.ok(found.startsWith(there), `${i + 1}. ${key}: ${found}`);
    }
    await run('grid.selected = 2;');
    for (const key of ['ArrowUp', ' ']) await page.keyboard.press(key);
    assert.deepEqual(await run('return [locked(), at()];'), ['001001', 'Column c: lock all']);
    await page.keyboard.press('Enter');
    assert.equal(await run('return locked();'), '000000');
    // A page that says again what is selected does not take the focus from a heading.
    await run('grid.selected = grid.selected;');
    assert.equal(await run('return at();'), 'Column c: lock all');
    // A name takes no value, and a rectangle stays among the cells.
    await run('grid.editable = true;');
    await page.keyboard.press('7');
    assert.equal(await run(`return inside(grid, 'input').length;`), 0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.down('Shift');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.up('Shift');
    assert.match(await run('return at();'), /Row 1, column 3/);
  },
);

inEach(
  'with headings, too, a grid is one tab stop, the last that had the focus',
  async (page, run) => {
    await run(`
    const before = document.createElement('button');
    before.id = 'before';
    before.textContent = 'before';
    const after = before.cloneNode(true);
    after.id = 'after';
    document.querySelector('main').append(before);
    ${NAMED}
    document.querySelector('main').append(after);
    window.position = () => document.activeElement === grid ? at() : document.activeElement.id;
    before.focus();`);
    const seen = async (/** @type {string[]} */ ...keys) => {
      const positions = [];
      for (const key of keys) {
        await page.keyboard.press(key);
        positions.push((await run('return position();')).split(',')[0]);
      }
      return positions;
    };
    assert.deepEqual(await seen('Tab', 'Tab'), ['w', 'after']);
    await run(`grid.focus();`);
    assert.deepEqual(await seen('ArrowUp', 'Tab'), ['Column a: lock all', 'after']);
    await run(`document.querySelector('#before').focus();`);
    assert.deepEqual(await seen('Tab', 'Tab'), ['Column a: lock all', 'after']);
    // Whoever selects a cell by script makes it the stop.
    await run(`grid.selected = 5; document.querySelector('#before').focus();`);
    assert.deepEqual(await seen('Tab', 'Tab'), ['bias', 'after']);
    assert.equal(await run(`return inside(grid, '[tabindex="0"]').length;`), 1);
  },
);

inEach(
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

inEach('on enlarged pages a click locks the cell that is seen there', async (page, run) => {
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

inEach('who leaves the field for a value stays where they went', async (page, run) => {
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

inEach(
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

inEach('a number is never cut: it has fewer decimals, or is left to its colour', async (_, run) => {
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

test('the pages of docs/grid.md, of modules and of classic scripts, show their values and locks', async () => {
  const text = await readFile(new URL('docs/grid.md', root), 'utf8');
  const pages = [...text.matchAll(/```html\n([\s\S]*?)```/g)].map(([, html = '']) => html);
  assert.equal(pages.length, 2);
  const script = pages[0].match(/<script type="module">\n([\s\S]*?)<\/script>/)?.[1] ?? '';
  assert.ok(script.trim().split('\n').length <= 10, 'ten lines');
  const folder = await mkdtemp(fileURLToPath(new URL('build/grid-page-', root)));
  for (const [i, html] of pages.entries()) {
    await writeFile(
      join(folder, `${i}.html`),
      html.replaceAll('https://cdn.jsdelivr.net/npm/gradlock/', '../npm/'),
    );
  }
  const policy = "default-src 'none'; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval'";
  const site = await serveFolder(new URL('build/', root), policy);
  try {
    for (const [name, i] of ENGINES.flatMap((name) =>
      pages.map((_, i) => /** @type {const} */ ([name, i])),
    )) {
      const page = /** @type {import('./engines.js').Page} */ (await newPage(name));
      await page.goto(`${site.url}${folder.split('/').at(-1)}/${i}.html`);
      const [texts, locks] = await page.evaluate(`new Promise((resolve) => {
        const look = () => {
          const { shadowRoot, variable } = document.querySelector('gradlock-grid');
          const texts = [...shadowRoot?.querySelectorAll('.cell-value') ?? []].map((e) => e.textContent);
          if (texts[0] > '0.50') resolve([texts, [...variable.locks.toIndices()]]);
          else setTimeout(look, 50);
        };
        look();
      })`);
      assert.equal(texts[1], '0.00', name);
      assert.equal(texts.length, 4);
      assert.deepEqual(locks, [1]);
      await page.close();
    }
  } finally {
    site.close();
    await rm(folder, { recursive: true });
  }
});
