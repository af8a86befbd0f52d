/** The demo in a real browser: what a person does to locks and runs, and what must hold to the bit whatever they do. */

import assert from 'node:assert/strict';
import { demoTest } from './harness.js';
import { compare } from './page.js';

demoTest(
  'a cell locked by click and one by keyboard keep their bits, the rest learns',
  async (demo) => {
    await demo.button('Free all').click();
    await demo.cell(1, 2).click();
    await demo.page.keyboard.press('ArrowDown');
    await demo.page.keyboard.press('ArrowLeft');
    await demo.page.keyboard.press('Space');
    const start = await demo.snapshot();
    assert.deepEqual(start.locks, [0, 1, 1, 0]);
    await demo.shoot('two-by-two-start');

    await demo.train(50);
    const end = await demo.snapshot();
    assert.equal(end.step, 50);
    assert.deepEqual(compare(start, end), { locked: 2, free: 2, lockedMoved: 0, freeMoved: 2 });
    assert.ok(end.loss < start.loss, `loss ${end.loss} is below ${start.loss}`);
    assert.equal(await demo.cell(1, 2).getAttribute('aria-pressed'), 'true');
    assert.equal(await demo.cell(1, 1).getAttribute('aria-pressed'), 'false');
    assert.match(
      (await demo.page.locator('.lock-count').textContent()) ?? '',
      /^2 of 4 .* none has moved/,
    );
    await demo.shoot('two-by-two');
  },
);

for (const [scene, side] of /** @type {[string, number][]} */ ([
  ['Picture', 8],
  ['Picture', 32],
  ['Picture', 256],
  ['Membrane', 16],
  ['Membrane', 64],
  ['Membrane', 256],
])) {
  demoTest(`${scene} at ${side} × ${side} starts, learns and holds its locks`, async (demo) => {
    await demo.openScene(scene);
    await demo.page.getByLabel('Grid', { exact: true }).selectOption(`${side} × ${side}`);
    await demo.settled();
    const start = await demo.snapshot();
    assert.equal(start.values.length, side * side);
    await demo.train(50);
    const end = await demo.snapshot();
    const { locked, free, lockedMoved, freeMoved } = compare(start, end);
    assert.ok(locked > 0 && free > 0);
    assert.equal(lockedMoved, 0);
    assert.ok(freeMoved > 0.9 * free, `${freeMoved} of ${free} free cells moved`);
    assert.ok(end.loss < 0.9 * start.loss, `loss ${end.loss} is well below ${start.loss}`);
    await demo.shoot(`${scene.toLowerCase()}-${side}`);
  });
}

demoTest('another optimizer or rate goes on with the run', async (demo) => {
  await demo.openScene('Membrane');
  const start = await demo.snapshot();
  let steps = 0;
  for (const rule of ['SGD', 'Nesterov', 'Adam', 'AdamW', 'Momentum']) {
    await demo.train(10);
    steps += 10;
    const before = await demo.snapshot();
    await demo.page.getByLabel('Optimizer', { exact: true }).selectOption(rule);
    await demo.page.getByLabel('Learning rate', { exact: true }).fill('0.02');
    await demo.page.keyboard.press('Enter');
    const after = await demo.snapshot();
    assert.equal(after.step, steps, 'the step count goes on');
    assert.deepEqual(after.bits, before.bits, 'nothing has moved');
    assert.equal(after.optimizer.rule.toLowerCase(), rule.toLowerCase());
    assert.equal(after.optimizer.learningRate, 0.02);
  }
  const end = await demo.snapshot();
  assert.equal(compare(start, end).lockedMoved, 0);
  assert.ok(end.loss < start.loss);
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

demoTest('what is being typed stays when the engine answers', async (demo) => {
  const rate = demo.page.getByLabel('Learning rate', { exact: true });
  await rate.fill('0.5');
  // The page shows all settings anew after each answer.
  await demo.change({ beside: 'mask' });
  await demo.settled();
  assert.equal(await rate.inputValue(), '0.5');
  await rate.press('Enter');
  assert.equal((await demo.snapshot()).optimizer.learningRate, 0.5);
  await rate.fill('none');
  await rate.press('Enter');
  await demo.message().waitFor();
  assert.equal(await rate.inputValue(), '0.5', 'what is refused goes');
  await rate.fill('0.25');
  await demo.change({ optimizer: { learningRate: 0.125 } });
  await demo.settled();
  await rate.fill('0.5');
  await rate.blur();
  assert.equal(await rate.inputValue(), '0.125', 'what is typed back to what it was is no change');
});

demoTest('locks changed while it plays hold from then on, and Reset keeps them', async (demo) => {
  const start = await demo.snapshot();
  await demo.button('Play').click();
  await demo.until('gradlockDemo.snapshot().then(({ step }) => step > 5)');
  await demo.cell(1, 1).click();
  const held = await demo.snapshot();
  assert.deepEqual(held.locks, [1, 1, 1, 0]);
  await demo.until(`gradlockDemo.snapshot().then(({ step }) => step > ${held.step + 10})`);
  await demo.button('Pause').click();
  const paused = await demo.snapshot();
  assert.deepEqual(compare(held, paused), { locked: 3, free: 1, lockedMoved: 0, freeMoved: 1 });
  assert.equal((await demo.snapshot()).step, paused.step, 'a paused run stands still');

  await demo.button('Reset').click();
  const reset = await demo.snapshot();
  assert.equal(reset.step, 0);
  assert.deepEqual(reset.bits, start.bits);
  assert.deepEqual(reset.locks, held.locks);
});

demoTest('with all locked nothing moves, and inverting frees all', async (demo) => {
  const start = await demo.snapshot();
  await demo.button('Lock all').click();
  await demo.train(10);
  assert.equal(compare({ ...start, locks: [1, 1, 1, 1] }, await demo.snapshot()).lockedMoved, 0);
  await demo.button('Invert').click();
  assert.deepEqual((await demo.snapshot()).locks, [0, 0, 0, 0]);
});

for (const side of [8, 64]) {
  demoTest(`a drag paints what its first cell became, on ${side} × ${side} cells`, async (demo) => {
    await demo.openScene('Picture');
    await demo.page.getByLabel('Grid', { exact: true }).selectOption(`${side} × ${side}`);
    await demo.settled();
    await demo.button('Free all').click();
    const { mouse, keyboard } = demo.page;
    /** @param {number} row @param {number} col */
    const to = async (row, col) => {
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
    assert.equal(await locked(), 4, 'from a locked cell it frees');

    await to(2, 7);
    await keyboard.down('Shift');
    await to(2, 2);
    await mouse.down();
    await mouse.up();
    assert.equal(await locked(), 2, 'Shift extends the state of the cell it starts from: free');
    await keyboard.up('Shift');

    for (let edits = 0; edits < 2; edits++) await keyboard.press('Control+z');
    assert.equal(await locked(), 6, 'a stroke is one edit to undo');
    await keyboard.press('Control+z');
    assert.equal(await locked(), 0);
    await keyboard.press('Control+y');
    assert.equal(await locked(), 6);
  });
}

demoTest('a large grid is one tab stop and obeys the keyboard', async (demo) => {
  await demo.openScene('Membrane');
  await demo.page.getByLabel('Grid', { exact: true }).selectOption('64 × 64');
  await demo.settled();
  await demo.button('Free all').click();
  const cursor = demo.page.locator('.cursor');
  await cursor.focus();
  const { keyboard } = demo.page;
  await keyboard.press('Control+Home');
  await keyboard.press('PageDown');
  await keyboard.press('ArrowRight');
  await keyboard.press('Enter');
  const index = 10 * 64 + 1;
  assert.deepEqual(indices(await demo.snapshot()), [index]);
  assert.match(
    (await cursor.getAttribute('aria-label')) ?? '',
    /^Row 11, column 2, value .*, locked$/,
  );

  await keyboard.down('Shift');
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowDown');
  await keyboard.press('ArrowUp');
  await keyboard.up('Shift');
  assert.deepEqual(indices(await demo.snapshot()), [index, index + 1, index + 64, index + 65]);
  await keyboard.press('End');
  await keyboard.press('Space');
  assert.equal((await demo.snapshot()).locks[11 * 64 + 63], 1);
});

/** @param {import('./page.js').Snapshot} snapshot */
const indices = ({ locks }) => locks.flatMap((bit, index) => (bit ? [index] : []));

demoTest('undo takes back the latest of locks and values, and redo does it again', async (demo) => {
  const { keyboard } = demo.page;
  const start = await demo.snapshot();
  await demo.cell(1, 1).focus();
  await keyboard.type('0.25');
  await keyboard.press('Enter');
  await demo.until('gradlockDemo.snapshot().then(({ values }) => values[0] === 0.25)');
  await keyboard.press('Space');
  await keyboard.press('Space');
  await demo.settled();
  /** @param {string} key */
  const press = async (key) => {
    await keyboard.press(key);
    await demo.settled();
    const { values, locks } = await demo.snapshot();
    return [values[0], locks[0]];
  };
  assert.deepEqual(await press('Control+z'), [0.25, 1]);
  assert.deepEqual(await press('Control+z'), [0.25, 0]);
  assert.deepEqual(await press('Control+z'), [start.values[0], 0]);
  assert.deepEqual(await press('Control+z'), [start.values[0], 0], 'there is no more');
  assert.deepEqual(await press('Control+y'), [0.25, 0]);
  assert.deepEqual(await press('Control+y'), [0.25, 1]);
});
