/* Names of rows and columns as headings that lock what they name, without another tab stop. In
 * Chromium, Firefox and WebKit. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { both } from '../browser/grid-harness.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Two rows of three, with names, and what is told of it. */
const NAMED = `
  window.source = { rows: 2, cols: 3, values: [1, 2, 3, 4, 5, 6], locks: new Uint8Array(6) };
  window.grid = make({ source, rowNames: ['w', 'bias'], colNames: ['a', 'b', 'c'] });
  window.told = [];
  for (const type of ['lockschange', 'cellgesture', 'cellselect', 'cellleave']) {
    grid.addEventListener(type, ({ detail }) => told.push([type, detail]));
  }
  window.heads = () => inside(grid, '.row-name, .col-name');
  window.at = () => grid.shadowRoot.activeElement?.getAttribute('aria-label');
  window.locked = () => [...source.locks].join('');
  window.states = () => heads().map((head) => head.getAttribute('aria-pressed')).join(' ');`;

both('a heading locks its row or column, and frees it when all of it is locked', async (_, run) => {
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
      { indices: [3, 4, 5], locked: true },
      { indices: [1], locked: true },
      { indices: [3, 4, 5], locked: false },
      { indices: [0, 2], locked: true },
    ],
  );
  assert.deepEqual(
    await run(`return told.filter(([type]) => type === 'cellgesture').map(([, d]) => d);`),
    [
      { type: 'toggle', index: 5, from: 3 },
      { type: 'toggle', index: 4, from: 1 },
      { type: 'toggle', index: 5, from: 3 },
      { type: 'toggle', index: 2, from: 0 },
    ],
  );
});

both('a pointer on a heading locks what it names, and no cell beside it', async (page, run) => {
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

both(
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

both(
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
    window.place = () => document.activeElement === grid ? at() : document.activeElement.id;
    before.focus();`);
    const seen = async (/** @type {string[]} */ ...keys) => {
      const places = [];
      for (const key of keys) {
        await page.keyboard.press(key);
        places.push((await run('return place();')).split(',')[0]);
      }
      return places;
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

both(
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

both('headings follow locks that another sets, in the words of the page', async (_, run) => {
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

both(
  'axe finds nothing wrong with headings, and screen readers know what they name',
  async (_, run) => {
    await run(`${NAMED} heads()[0].click();`);
    await run(axe);
    const violations = await run(`
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => id + ': ' + nodes[0].html);`);
    assert.deepEqual(violations, []);
    assert.deepEqual(
      await run(`return inside(grid, '[role$=header]').map((head) =>
      [head.getAttribute('role'), head.getAttribute('aria-label')].join(' '));`),
      ['columnheader a', 'columnheader b', 'columnheader c', 'rowheader w', 'rowheader bias'],
    );
  },
);
