/**
 * Locks, values and settings on the page: what a person does to them, and which input is refused.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { browser, demoTest, site } from './harness.js';
import { compare } from './page.js';

demoTest('buttons lock all cells, none, or the others, and the page counts them', async (demo) => {
  await demo.button('Free all').click();
  await demo.cell(1, 2).click();
  assert.equal(await demo.cell(1, 2).getAttribute('aria-pressed'), 'true');
  await demo.train(12);
  assert.equal((await demo.snapshot()).step, 12);
  assert.match(
    (await demo.page.locator('.lock-count').textContent()) ?? '',
    /^1 of 4 .* training moved none of them/,
  );
  await demo.button('Invert').click();
  assert.deepEqual((await demo.snapshot()).locks, [1, 0, 1, 1]);
  await demo.button('Lock all').click();
  assert.deepEqual((await demo.snapshot()).locks, [1, 1, 1, 1]);
});

demoTest(
  'a phone shows lock and mask side by side, with figures one by a switch; half of a cell that the mask lets move is as it was',
  async (demo) => {
    await demo.change({ scene: 'leak-lab' });
    const panes = demo.page.locator('.pane:visible');
    const drift = panes.locator('.proof-number, .is-words .figure-headline');
    const bars = panes.locator('.next-steps:visible');
    const halves = panes.locator('.cell.has-drifted');
    await demo.steps(60);
    assert.deepEqual(await drift.allTextContents(), ['0 moved', '40 moved']);
    assert.deepEqual([await bars.count(), await halves.count()], [1, 40]);
    await demo.change({ scene: 'words' });
    await demo.steps(60);
    assert.deepEqual(await drift.allTextContents(), ['72 moved', '0 of 9 old words in place']);
    await demo.page.locator('.pane-switch label').first().click();
    assert.deepEqual(await drift.allTextContents(), ['0 moved', '9 of 9 old words in place']);
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);

demoTest('a run that has paused itself resumes when a lock changes', async (demo) => {
  await demo.change({ speed: 0 });
  await demo.button('Play').click();
  await demo.until('!gradlockDemo.frame().isPlaying && gradlockDemo.frame().step > 100');
  const { step } = await demo.snapshot();
  await demo.page.locator('.cell[aria-pressed=true]').first().click();
  await demo.until(`gradlockDemo.frame().step > ${step + 5}`);
});

demoTest('a rule and a rate that are chosen at once are both taken', async (demo) => {
  // In one task: the engine has answered neither when the other is chosen.
  await demo.page.evaluate(`(() => {
    const labels = [...document.querySelectorAll('#settings label')];
    const fieldOf = (name) => labels.find(({ textContent }) => textContent.startsWith(name)).control;
    for (const [name, value] of [['Optimizer', 'sgd'], ['Learning rate', '0.5']]) {
      const field = Object.assign(fieldOf(name), { value });
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
  })()`);
  await demo.settled();
  const { rule, learningRate } = (await demo.snapshot()).optimizer;
  assert.deepEqual([rule, learningRate], ['sgd', 0.5]);
  assert.equal(await demo.page.getByLabel('Learning rate', { exact: true }).inputValue(), '0.5');
});

demoTest('a rate that is being typed stays when the engine answers', async (demo) => {
  const rate = demo.page.getByLabel('Learning rate', { exact: true });
  await rate.fill('0.5');
  // The page shows all settings anew after each answer.
  await demo.change({ beside: 'mask' });
  await demo.settled();
  assert.equal(await rate.inputValue(), '0.5');
  await rate.press('Enter');
  assert.equal((await demo.snapshot()).optimizer.learningRate, 0.5);
  await rate.fill('0.25');
  await demo.change({ optimizer: { learningRate: 0.125 } });
  await demo.settled();
  await rate.fill('0.5');
  await rate.blur();
  assert.equal(await rate.inputValue(), '0.125', 'what is typed back to what it was is no change');
});

demoTest('a learning rate that is none is refused, and the run stays as it was', async (demo) => {
  await demo.train(10);
  const before = await demo.snapshot();
  const field = demo.page.getByLabel('Learning rate', { exact: true });
  for (const given of ['NaN', '-1', 'fast', '']) {
    await field.fill(given);
    await field.press('Enter');
    const told = (await demo.message().textContent()) ?? '';
    assert.match(told, /not a learning rate.*a number from 0 up/);
    assert.deepEqual(await demo.snapshot(), before);
    assert.equal(await field.inputValue(), '0.02', 'the field shows what is');
  }
  await field.fill('0.1');
  await field.press('Enter');
  assert.equal((await demo.snapshot()).optimizer.learningRate, 0.1);
  assert.equal(await demo.message().count(), 0);
  await demo.change({ rows: 1e9, cols: -2 });
  assert.match((await demo.message().textContent()) ?? '', /Nothing has changed/);
  assert.equal((await demo.snapshot()).values.length, 4);
});

demoTest(
  'a cell that is dragged is pulled, also if it is locked, and one Undo leads back',
  async (demo) => {
    const start = await demo.snapshot();
    const { mouse } = demo.page;
    const pull = async (/** @type {[row: number, col: number, side: number]} */ ...cell) => {
      const { x, y } = await demo.pointOf(...cell);
      await mouse.move(x, y);
      await mouse.down();
      await mouse.move(x, y - 40, { steps: 4 });
      await mouse.up();
      await demo.settled();
    };
    for (const row of [1, 2]) await pull(row, 2, 2);
    const pulled = await demo.snapshot();
    assert.deepEqual(pulled.locks, start.locks);
    const moved = pulled.values.map((value, i) => Math.round(100 * (value - start.values[i])));
    assert.deepEqual(moved, [0, 40, 0, 40]);
    await demo.train(10);
    const { values, bits } = await demo.snapshot();
    assert.equal(bits[1], pulled.bits[1], 'the lock holds the new value');
    assert.notEqual(values[3], pulled.values[3]);
    for (let edits = 0; edits < 2; edits++) await demo.page.keyboard.press('Control+z');
    await demo.settled();
    assert.equal((await demo.snapshot()).bits[1], start.bits[1]);
    await demo.change({ scene: 'membrane' });
    await pull(9, 9, 32);
    assert.equal((await demo.snapshot()).locks[8 * 33], 1, 'Membrane locks what is pulled');
  },
);

demoTest('a drag locks, along locked cells it frees, and it is one edit to undo', async (demo) => {
  const side = 64;
  await demo.change({ scene: 'picture', rows: side, cols: side, brush: 1 });
  await demo.settled();
  await demo.button('Free all').click();
  const { mouse, keyboard } = demo.page;
  const to = async (/** @type {number} */ row, /** @type {number} */ col) => {
    const { x, y } = await demo.pointOf(row, col, side);
    await mouse.move(x, y);
  };
  const locked = async () => (await demo.snapshot()).locks.filter(Boolean).length;
  await to(2, 2);
  await mouse.down();
  await to(2, 7);
  await mouse.up();
  assert.equal(await locked(), 6, 'a fast stroke leaves no gaps');
  await to(2, 4);
  await mouse.down();
  await to(2, 5);
  await mouse.up();
  assert.equal(await locked(), 4, 'from a locked cell to a locked one it frees');
  await to(2, 7);
  await keyboard.down('Shift');
  await to(2, 2);
  await mouse.down();
  await mouse.up();
  assert.equal(await locked(), 2, 'Shift extends the state of the cell it starts from: free');
  await keyboard.up('Shift');
  for (let edits = 0; edits < 2; edits++) await keyboard.press('Control+z');
  assert.equal(await locked(), 6, 'a stroke is one edit to undo');
  await to(2, 2);
  await mouse.down();
  await to(5, 2);
  await mouse.up();
  assert.equal(await locked(), 9, 'from a locked cell to a free one it goes on locking');
  await to(2, 2);
  await mouse.down();
  await demo.page.evaluate(() => {
    const grid = document.querySelector('gradlock-grid')?.shadowRoot?.querySelector('.grid');
    grid?.dispatchEvent(new PointerEvent('pointercancel', { pointerId: 1 }));
  });
  await mouse.up();
  assert.equal(await locked(), 9, 'a gesture that the browser takes back frees nothing');
  for (let edits = 0; edits < 2; edits++) await keyboard.press('Control+z');
  assert.equal(await locked(), 0);
});

demoTest('Undo takes back the latest of locks and values, and Redo does it again', async (demo) => {
  const { keyboard } = demo.page;
  const start = await demo.snapshot();
  await demo.cell(1, 1).focus();
  await keyboard.type('0.25');
  await keyboard.press('Enter');
  await demo.until('gradlockDemo.snapshot().then(({ values }) => values[0] === 0.25)');
  await keyboard.press('Space');
  await keyboard.press('Space');
  await demo.settled();
  for (const [key, wanted] of /** @type {[string, number[]][]} */ ([
    ['Control+z', [0.25, 1]],
    ['Control+z', [0.25, 0]],
    ['Control+z', [start.values[0], 0]],
    ['Control+z', [start.values[0], 0]],
    ['Control+y', [0.25, 0]],
    ['Control+y', [0.25, 1]],
  ])) {
    await keyboard.press(key);
    await demo.settled();
    const { values, locks } = await demo.snapshot();
    assert.deepEqual([values[0], locks[0]], wanted);
  }
});

demoTest('a value is typed into a free cell; what no cell can hold is refused', async (demo) => {
  const type = async (/** @type {number} */ cell, /** @type {string} */ text) => {
    await demo.page.locator('gradlock-grid .cell').nth(cell).focus();
    await demo.page.keyboard.type(text);
    await demo.page.keyboard.press('Enter');
    await demo.settled();
  };
  const before = await demo.snapshot();
  for (const [cell, text, says] of /** @type {[number, string, RegExp][]} */ ([
    [1, '7', /Row 1, column 2 is locked.*LockedElementError/s],
    [0, '1e400', /too large for a 32-bit number.*keeps.*up to 3\.4e38/],
    [0, '1,000', /one number or a thousand times as much.*without a comma/],
    [0, '3x', /“3x” is not a number/],
  ])) {
    await type(cell, text);
    assert.match((await demo.message().textContent()) ?? '', says);
    assert.equal((await demo.snapshot()).digest, before.digest, text);
  }
  await type(0, '0,5');
  assert.equal((await demo.snapshot()).values[0], 0.5);
  await type(0, '-0');
  assert.equal(await demo.message().count(), 0);
  assert.equal((await demo.snapshot()).bits[0], 0x80000000, 'minus zero');
});

demoTest('a run that diverges says so, and locked cells hold even then', async (demo) => {
  await demo.openScene('Membrane');
  const start = await demo.snapshot();
  await demo.page.getByLabel('Learning rate', { exact: true }).fill('1000');
  await demo.page.keyboard.press('Enter');
  await demo.train(100);
  await demo.message().waitFor();
  assert.match((await demo.message().textContent()) ?? '', /learning rate is too large/);
  assert.equal(compare(start, await demo.snapshot()).lockedMoved, 0);
  await demo.button('Reset').click();
  assert.deepEqual((await demo.snapshot()).bits, start.bits);
  assert.equal(await demo.message().count(), 0);
});

demoTest('the page says that it shows what the engine did only once it does', async (demo) => {
  for (const beside of ['none', 'mask']) {
    await demo.change({ beside });
    const shown = await demo.page.evaluate(`(async () => {
      // A screen that is slow: the engine is done long before.
      const request = window.requestAnimationFrame;
      window.requestAnimationFrame = (then) => setTimeout(() => request(then), 300);
      await gradlockDemo.step(7);
      await gradlockDemo.shown();
      window.requestAnimationFrame = request;
      return [document.querySelector('.step-count').textContent, gradlockDemo.frame().step];
    })()`);
    const { step } = await demo.snapshot();
    assert.deepEqual(shown, [String(step), step], beside);
  }
});

demoTest(
  'a dark page is dark, and can be made light',
  async (demo) => {
    assert.equal(await demo.page.evaluate('document.documentElement.dataset.theme'), 'dark');
    await demo.button('Light').click();
    assert.equal(await demo.page.evaluate('document.documentElement.dataset.theme'), 'light');
  },
  { colorScheme: 'dark' },
);

test('where the engine cannot run, the page says what it needs', async () => {
  const page = await browser.newPage();
  await page.route('**/worker*', (route) => route.abort());
  await page.goto(site.url);
  const message = page.locator('.message:visible');
  await message.waitFor();
  assert.match((await message.textContent()) ?? '', /needs a browser.*WebAssembly SIMD/);
  await page.close();
});
