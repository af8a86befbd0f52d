/** Every scene in a real browser: it starts, learns, holds its locks to the bit, and survives resize, reload and back. */

import assert from 'node:assert/strict';
import { scenes } from '../../web/scenes/index.js';
import { strings } from '../../web/strings/index.js';
import { demoTest } from './harness.js';
import { compare } from './page.js';

/** What opens in a scene without locks is locked by hand: the first dozen cells. @param {import('./page.js').DemoPage} demo */
async function lockSome(demo) {
  const { locks } = await demo.snapshot();
  if (locks.some(Boolean)) return;
  await demo.page.locator('.cell').first().focus();
  await demo.page.keyboard.press('Space');
  await demo.page.keyboard.down('Shift');
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'ArrowRight']) {
    await demo.page.keyboard.press(key);
  }
  await demo.page.keyboard.up('Shift');
}

for (const { id } of scenes) {
  const { name } = strings.scenes[id];
  demoTest(`${name}: learns, holds its locks, survives resize, reload and back`, async (demo) => {
    await demo.page.goto(`${demo.page.url().split('#')[0]}#scene=two-by-two`);
    await demo.openScene(name);
    await lockSome(demo);
    const start = await demo.snapshot();
    assert.equal(start.scene, id);
    await demo.train(30);
    await demo.page.setViewportSize({ width: 700, height: 500 });
    await demo.settled();
    await demo.train(10);
    const end = await demo.snapshot();
    const { locked, lockedMoved, free, freeMoved } = compare(start, end);
    assert.ok(locked > 0 && free > 0);
    assert.equal(lockedMoved, 0, 'no locked cell has moved by a bit');
    assert.ok(freeMoved > 0.6 * free, `${freeMoved} of ${free} free cells moved`);
    assert.ok(end.loss < start.loss, `loss ${end.loss} is below ${start.loss}`);

    await demo.written();
    await demo.page.reload();
    await demo.ready();
    assert.deepEqual(await demo.snapshot(), end, 'a reload replays the run');

    const other = id === 'two-by-two' ? 'Picture' : 'Two by two';
    await demo.openScene(other);
    await demo.written();
    await demo.page.goBack();
    await demo.until(`gradlockDemo.snapshot().then(({ digest }) => digest === '${end.digest}')`);
  });
}

demoTest('the leak lab tells when a mask leaks, and the lock never does', async (demo) => {
  await demo.openScene('Leak lab');
  const proofs = demo.page.locator('.proof');
  const drift = async () => {
    const numbers = await proofs.locator('.proof-number').allTextContents();
    return numbers.map((text) => Number(text.replace('−', '-')));
  };
  for (const [rule, leaks] of /** @type {[string, boolean][]} */ ([
    ['SGD', false],
    ['Momentum', true],
    ['Adam', true],
    ['AdamW', true],
  ])) {
    await demo.page.getByLabel('Optimizer', { exact: true }).selectOption(rule);
    await demo.settled();
    await demo.train(40);
    const [lock, mask] = await drift();
    assert.equal(lock, 0, `${rule}: the lock holds`);
    assert.equal(mask > 0.01, leaks, `${rule}: the mask's drift is ${mask}`);
    const [, verdict] = await proofs.locator('.proof-verdict').allTextContents();
    assert.match(
      verdict,
      leaks ? /28 held cells have changed/ : /every held cell has kept its bits/,
    );
    assert.equal(await demo.page.locator('.cell.has-drifted').count(), leaks ? 28 : 0);
  }
});

demoTest('with locks from the start, only AdamW leaks through a mask', async (demo) => {
  await demo.openScene('Picture');
  await demo.change({ rows: 8, cols: 8, beside: 'mask' });
  for (const [rule, leaks] of /** @type {[string, boolean][]} */ ([
    ['momentum', false],
    ['adam', false],
    ['adamW', true],
  ])) {
    await demo.change({ seed: rule.length });
    await demo.page.getByLabel('Optimizer', { exact: true }).selectOption({ value: rule });
    await demo.train(30);
    assert.equal((await demo.page.locator('.cell.has-drifted').count()) > 0, leaks, rule);
  }
});

demoTest('every map can be looked at beside the cells, and none changes the run', async (demo) => {
  await demo.openScene('Membrane');
  await demo.change({ rows: 8, cols: 8 });
  const options = demo.page.getByLabel('Also show', { exact: true });
  await demo.train(20);
  const { digest } = await demo.snapshot();
  for (const rule of ['Adam', 'SGD']) {
    await demo.page.getByLabel('Optimizer', { exact: true }).selectOption(rule);
    await demo.settled();
    const names = await options.locator('option').allTextContents();
    assert.equal(names.includes('Second moment'), rule === 'Adam');
    for (const name of names) {
      await options.selectOption(name);
      await demo.settled();
      assert.equal(await demo.page.locator('.pane').count(), name === 'Nothing' ? 1 : 2, name);
      assert.equal((await demo.snapshot()).digest, digest, name);
    }
  }
});

demoTest('pruned weights are 0, locked, and stay 0 while the rest learns on', async (demo) => {
  await demo.openScene('Weights');
  await demo.train(60);
  await demo.page.getByLabel('Prune the smallest').selectOption('50 %');
  await demo.button('Prune').click();
  const pruned = await demo.snapshot();
  const held = pruned.locks.filter(Boolean).length;
  assert.ok(held >= 50 && held <= 54, `${held} of ${pruned.locks.length}`);
  const zeros = (/** @type {import('./page.js').Snapshot} */ { bits, locks }) =>
    bits.filter((word, i) => locks[i] && word << 1 === 0).length;
  assert.equal(zeros(pruned), held);
  await demo.train(60);
  const end = await demo.snapshot();
  assert.equal(zeros(end), held);
  assert.ok(end.loss < pruned.loss);
});

demoTest(
  'beside a mask the chart is drift: 0 for the lock, climbing for the mask; the loss comes second',
  async (demo) => {
    await demo.openScene('Leak lab');
    const chart = demo.page.locator('#chart');
    const drift = async () => {
      const label = (await chart.getAttribute('aria-label')) ?? '';
      const [, lock, mask] = label.match(/: (\S+) under the true lock, (\S+) under the mask/) ?? [];
      return [Number(lock), Number(mask)];
    };
    let before = 0;
    for (const steps of [5, 10, 20]) {
      await demo.steps(steps);
      const [lock, mask] = await drift();
      assert.equal(lock, 0);
      assert.ok(mask > before, `${mask} is above ${before}`);
      before = mask;
    }
    assert.match(
      (await demo.page.locator('#why').textContent()) ?? '',
      /does not prove that a lock works/,
    );
    await demo.page.locator('.segments').getByRole('button', { name: 'Loss' }).click();
    assert.match((await chart.getAttribute('aria-label')) ?? '', /loss/i);
    await demo.openScene('Membrane');
    assert.equal(await demo.page.locator('.segments').isVisible(), false);
  },
);
