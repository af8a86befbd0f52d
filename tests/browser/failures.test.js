/* Tier: all. */
/**
 * Failures that must not cost a run: drawing that throws, edits that meet another run, a network
 * that goes.
 */

import assert from 'node:assert/strict';
import { demoTest, site } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** @param {DemoPage} demo @param {string} hash */
async function visit({ page, ...demo }, hash) {
  await page.goto('about:blank');
  await page.goto(`${site.url}#${hash}`);
  return demo;
}

/** The page draws whatever step the run is at. @param {DemoPage} demo */
async function drawsOn(demo) {
  const { step } = await demo.snapshot();
  await demo.page.evaluate('void gradlockDemo.step(1)');
  await demo.until(`gradlockDemo.frame().step === ${step + 1}`);
  await demo.until(
    `document.querySelector('.step-count').textContent.replace(/\\D/g, '') === '${step + 1}'`,
  );
}

/** @param {DemoPage} demo */
const told = async (demo) => (await demo.message().textContent()) ?? '';

demoTest('a figure that throws is reported once, and the page draws on', async (demo) => {
  await visit(demo, 'scene=network');
  await demo.ready();
  await demo.page.evaluate(
    "CanvasRenderingContext2D.prototype.bezierCurveTo = () => { throw new Error('no ink') }",
  );
  for (let i = 0; i < 5; i++) await drawsOn(demo);
  const caption = demo.page.locator('.figure.is-net .figure-score');
  assert.match((await caption.textContent()) ?? '', /could not be drawn. The run continues/);
  assert.deepEqual(demo.complaints.splice(0), ['Error: no ink']);
});

demoTest('an error while a frame is drawn is reported once, and frames continue', async (demo) => {
  let message = '';
  await demo.page.evaluate(`
    window.thrown = 0;
    const add = DOMTokenList.prototype.toggle;
    DOMTokenList.prototype.toggle = function (name, ...rest) {
      if (name === 'is-peeking') throw new Error('no class ' + thrown++ * 0);
      return add.call(this, name, ...rest);
    };`);
  for (let i = 1; i <= 5; i++) {
    await demo.page.evaluate('void gradlockDemo.step(1)');
    await demo.until(`gradlockDemo.frame().step === ${i} && thrown >= ${i}`);
    if (i === 1) message = await told(demo);
  }
  assert.match(message, /could not be drawn. The run continues.*no class 0/);
  assert.deepEqual(demo.complaints.splice(0), ['Error: no class 0']);
  await demo.page.evaluate('delete DOMTokenList.prototype.toggle');
});

demoTest(
  'an edit of a run that was left does not change the new one, whose locks are counted',
  async (demo) => {
    const { page } = demo;
    await visit(demo, 'scene=membrane&size=512x512');
    await demo.ready();
    await demo.steps(20);
    const { digest } = await demo.snapshot();
    await page.locator('.scenes-all').click();
    await page.locator('.card[data-scene=two-by-two]').click();
    await page.keyboard.press('Control+z');
    // While one run goes and the other comes, whatever cell is in sight is clicked again and again.
    await page.evaluate(`(async () => {
    for (let i = 0; i < 30; i++) {
      const grid = document.querySelector('gradlock-grid');
      const { left, top, width, height } = grid.getBoundingClientRect();
      const where = { clientX: left + width / 4, clientY: top + height / 4, bubbles: true, composed: true };
      const target = grid.shadowRoot.elementFromPoint(where.clientX, where.clientY) ?? grid;
      if (document.querySelector('.lock-count').textContent.includes('of 4 '))
        for (const type of ['pointerdown', 'pointerup'])
          target.dispatchEvent(new PointerEvent(type, { pointerId: 1, isPrimary: true, button: 0, ...where }));
      await new Promise(requestAnimationFrame);
    }
  })()`);
    await demo.until(
      `gradlockDemo.snapshot().then(({ scene, digest }) => scene === 'membrane' && digest === '${digest}')`,
    );
    await demo.settled();
    assert.equal(await demo.message().count(), 0);
    const { locks } = await demo.snapshot();
    const count = locks.filter((bit) => bit === 1).length.toLocaleString('en');
    assert.match(
      (await page.locator('.lock-count').textContent()) ?? '',
      new RegExp(`^${count} of 262,144 cells`),
    );
    await drawsOn(demo);
  },
);

demoTest(
  'a value that is being typed when another run opens is written to neither',
  async (demo) => {
    await demo.openScene('Membrane');
    await demo.page.locator('.cell, .cursor').first().focus();
    await demo.page.keyboard.type('0.7');
    await demo.page.evaluate("gradlockDemo.change({ scene: 'two-by-two' })");
    await demo.until("gradlockDemo.snapshot().then(({ scene }) => scene === 'two-by-two')");
    await demo.settled();
    assert.ok(!(await demo.snapshot()).values.includes(Math.fround(0.7)));
    assert.equal(await demo.message().count(), 0);
  },
);

demoTest('a value too large for the loss is reported, after a reload too', async (demo) => {
  await demo.button('Free all').click();
  await demo.page.locator('gradlock-grid .cell').nth(1).focus();
  await demo.page.keyboard.type('1e38');
  await demo.page.keyboard.press('Enter');
  await demo.message().waitFor();
  assert.match(await told(demo), /so large that the loss does not fit into a 32-bit number/);
  await demo.steps(2);
  assert.doesNotMatch(await told(demo), /learning rate/);
  await demo.written();
  await demo.page.reload();
  await demo.ready();
  await demo.message().waitFor();
  assert.match(await told(demo), /so large that the loss/);
});

demoTest(
  'without a network the page says so, and once it is back the scene opens',
  async (demo) => {
    const { page } = demo;
    await demo.steps(5);
    const { digest } = await demo.snapshot();
    await page.context().setOffline(true);
    await page.locator('.scenes-all').click();
    await page.locator('.card[data-scene=digits]').click();
    await demo.message().waitFor();
    assert.match(
      await told(demo),
      /not loaded yet, and the server cannot be reached. Nothing has changed/,
    );
    assert.equal((await demo.snapshot()).digest, digest);
    await drawsOn(demo);
    await page.context().setOffline(false);
    // What the browser says of the failed request is its own.
    demo.complaints.splice(0);
    await page.reload();
    await demo.ready();
    await demo.openScene('Digits');
    assert.equal(await demo.message().count(), 0);
  },
);
