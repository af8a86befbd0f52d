/** The demo's page in a real browser: kind refusals, every width and theme, its pace, and where it cannot run at all. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenes } from '../../web/scenes/index.js';
import { strings } from '../../web/strings/index.js';
import { browser, demoTest, site } from './harness.js';
import { compare } from './page.js';

demoTest('a number typed on a free cell is taken, on a locked one kindly refused', async (demo) => {
  const { keyboard } = demo.page;
  await demo.cell(1, 1).focus();
  await keyboard.type('0.25');
  await keyboard.press('Enter');
  await demo.until('gradlockDemo.snapshot().then(({ values }) => values[0] === 0.25)');
  assert.equal(await demo.message().count(), 0);

  const before = await demo.snapshot();
  await keyboard.press('ArrowRight');
  await keyboard.type('7');
  await keyboard.press('Enter');
  await demo.message().waitFor();
  const words = (await demo.message().textContent()) ?? '';
  assert.match(words, /Row 1, column 2 is locked/);
  assert.match(words, /LockedElementError/);
  await demo.shoot('refused');
  assert.deepEqual((await demo.snapshot()).bits, before.bits);

  await keyboard.press('ArrowLeft');
  await keyboard.type('-');
  await keyboard.press('Enter');
  assert.match((await demo.message().textContent()) ?? '', /“-” is not a number/);
});

demoTest('a learning rate that is none is refused, and the run before stays', async (demo) => {
  await demo.train(10);
  const before = await demo.snapshot();
  const field = demo.page.getByLabel('Learning rate', { exact: true });
  for (const given of ['NaN', '-1', 'fast', '', 'Infinity']) {
    await field.fill(given);
    await field.press('Enter');
    assert.match(
      (await demo.message().textContent()) ?? '',
      /not a learning rate.*a number from 0 up/,
    );
    assert.deepEqual(await demo.snapshot(), before);
  }
  await field.blur();
  assert.equal(await field.inputValue(), '0.02', 'the field shows what is');
  await field.fill('0.1');
  await field.press('Enter');
  assert.equal((await demo.snapshot()).optimizer.learningRate, 0.1);
  assert.equal(await demo.message().count(), 0);
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
  await demo.shoot('diverged');
  await demo.button('Reset').click();
  assert.deepEqual((await demo.snapshot()).bits, start.bits);
  assert.equal(await demo.message().count(), 0);
});

demoTest('another size or picture opens it anew and the page goes on', async (demo) => {
  await demo.openScene('Picture');
  await demo.change({ rows: 5, cols: 9 });
  await demo.train(10);
  assert.equal((await demo.snapshot()).values.length, 45);
  await demo.page.getByLabel('Picture', { exact: true }).selectOption('Heart');
  // A step that is asked for while another run is being opened is of neither.
  await demo.settled();
  await demo.train(10);
  assert.equal((await demo.snapshot()).step, 10);
  await demo.change({ rows: 1e9, cols: -2 });
  assert.match((await demo.message().textContent()) ?? '', /Nothing has changed/);
  assert.equal((await demo.snapshot()).values.length, 45);
});

demoTest('256 × 256 cells play with Adam', async (demo, t) => {
  await demo.openScene('Membrane');
  await demo.change({ rows: 256, cols: 256 });
  await demo.page.getByLabel('Optimizer', { exact: true }).selectOption('Adam');
  await demo.page.evaluate(`window.frames256 = 0;
    (function count() { frames256++; requestAnimationFrame(count); })();`);
  await demo.button('Play').click();
  await demo.until('gradlockDemo.frame().step > 20');
  const frames = await demo.page.evaluate('frames256');
  await demo.button('Pause').click();
  const { step } = await demo.snapshot();
  t.diagnostic(`${step} steps, ${frames} frames`);
});

demoTest('a page says that it shows what the engine did only once it does', async (demo) => {
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
  // A run that is replayed is shown at its end.
  await demo.page.evaluate("location.hash = '#scene=network&step=60000'");
  await demo.until('gradlockDemo.frame()?.replay');
  await demo.page.evaluate('gradlockDemo.shown()');
  assert.equal(await demo.page.locator('.step-count').textContent(), '60,000');
  assert.equal(await demo.page.locator('#progress').isVisible(), false);
});

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  demoTest(
    `a phone of 320 px shows everything, with targets to touch, in the ${colorScheme}`,
    async (demo) => {
      for (const { id } of scenes) {
        await demo.openScene(strings.scenes[id].name);
        await demo.train(10);
        assert.deepEqual(await demo.page.evaluate(misfits), [], id);
      }
    },
    { viewport: { width: 320, height: 640 }, colorScheme, hasTouch: true, deviceScaleFactor: 2 },
  );
}

/** Runs in the page: controls below 44 px, and what sticks out sideways. @returns {string[]} */
function misfits() {
  // A file's field lies within its label, which is what is touched.
  const CONTROLS = 'button, select, textarea, summary, input:not(.file), .check, label.button';
  const found = [];
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth} px wide`);
  for (const control of document.querySelectorAll(CONTROLS)) {
    const { width, height } = control.getBoundingClientRect();
    const isElsewhere = control.closest('.grid, .check') && !control.matches('.check');
    if (!width || isElsewhere) continue;
    if (width < 44 || height < 44) found.push(`${control.outerHTML}: ${width} × ${height}`);
  }
  return found;
}

demoTest(
  'a dark page is dark, and can be made light',
  async (demo) => {
    assert.equal(await demo.page.evaluate('document.documentElement.dataset.theme'), 'dark');
    await demo.button('Light').click();
    assert.equal(await demo.page.evaluate('document.documentElement.dataset.theme'), 'light');
  },
  { colorScheme: 'dark' },
);

demoTest(
  'with reduced motion it trains all the same',
  async (demo) => {
    await demo.button('Play').click();
    await demo.until('gradlockDemo.snapshot().then(({ step }) => step > 10)');
    await demo.button('Pause').click();
  },
  { reducedMotion: 'reduce' },
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
