/* Tier: all. */
/** A class without a server, on the page: challenges, codes of guesses, and presenter mode. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenes } from '../../web/scenes/index.js';
import { browser, demoTest, site } from './harness.js';

demoTest(
  'a challenge says on request what the run scores, and its link carries it',
  async (demo) => {
    const panel = demo.page.locator('#challenge');
    await panel.locator('summary').click();
    await demo.button('Check my run').click();
    const told = panel.locator('.share-note');
    await told
      .filter({ hasText: 'Not yet. Loss: 7.5000. The challenge asks for at most 0.3.' })
      .waitFor();
    await demo.page.evaluate(
      '(gradlockDemo.toggle(1), gradlockDemo.toggle(2), gradlockDemo.toggle(3))',
    );
    await demo.settled();
    await demo.steps(200);
    await demo.button('Check my run').click();
    await told.filter({ hasText: 'You did it: 200 steps.' }).waitFor();
    // A verdict goes with what it was about.
    const edits = /** @type {[string, () => Promise<unknown>][]} */ ([
      ['a step', () => demo.button('Step').click()],
      ['a lock', () => demo.cell(1, 1).click()],
      ['Undo', () => demo.button('Undo').click()],
      ['Play', () => demo.button('Play').click()],
      ['Reset', () => demo.button('Reset').click()],
    ]);
    for (const [what, edit] of edits) {
      await demo.button('Check my run').click();
      await told.filter({ hasText: /./ }).waitFor();
      await edit();
      await demo.until("document.querySelector('#challenge .share-note').textContent === ''");
      assert.equal(await told.textContent(), '', what);
      await demo.settled();
    }
    // It is about one moment, so it pauses a run that plays.
    await demo.button('Play').click();
    await demo.button('Check my run').click();
    await told.filter({ hasText: /./ }).waitFor();
    await demo.button('Play').waitFor();
    await demo.openScene('Peaks');
    assert.equal(await panel.isVisible(), false);
  },
);

demoTest(
  'a guess has a code, as text and as a picture that opens in view, and another guess another',
  async (demo) => {
    /** @type {string[]} */
    const codes = [];
    for (let visit = 0; visit < 2; visit++) {
      await demo.button('Keep every bit').click();
      const ballot = demo.page.locator('#ballot');
      await ballot.locator('summary').click();
      const code = (await ballot.locator('.ballot-code').textContent()) ?? '';
      assert.match(code, /^TWO-BY-TWO-B-[2-9A-Z]{5}$/);
      assert.equal(await ballot.locator('svg').getAttribute('aria-label'), `QR code of ${code}`);
      await demo.until(`(() => {
        const { top, bottom } = document.querySelector('.ballot-picture').getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      })()`);
      codes.push(code);
      await demo.openScene('Peaks');
      assert.equal(await ballot.isVisible(), false);
      await demo.openScene('Two by two');
      assert.equal(
        await ballot.locator('.ballot-code').textContent(),
        code,
        'one vote has one code',
      );
      assert.equal(await ballot.isVisible(), true);
      await demo.page.reload();
      await demo.ready();
    }
    assert.notEqual(codes[0], codes[1]);
  },
);

test('in presenter mode, at 1920 × 1080, what matters in each scene is at least 24 px high', async () => {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    viewport: { width: 1920, height: 1080 },
  });
  const page = await context.newPage();
  await page.goto(`${site.url}?lang=en&present=1`);
  await page.locator('.cell, .cursor').first().waitFor();
  for (const { id } of scenes) {
    await page.evaluate(`gradlockDemo.change({ scene: '${id}' })`);
    await page.evaluate('gradlockDemo.step(40)');
    await page.evaluate('gradlockDemo.shown()');
    const sizes = await page.evaluate(() => {
      const parts = ['#lede', '.play', '.loss', '.lock-count, #locks p', '#grid .pane'];
      const isSeen = (/** @type {Element} */ one) =>
        one.checkVisibility({ visibilityProperty: true });
      /** @type {(root: ParentNode) => Element[]} */
      const below = (root) =>
        [...root.querySelectorAll('*')].flatMap((one) => [
          one,
          ...(one.shadowRoot ? below(one.shadowRoot) : []),
        ]);
      return parts.map((part) => {
        const found = [...document.querySelectorAll(part)].filter(isSeen);
        const texts = found
          .flatMap((one) => [one, ...below(one)])
          .filter((one) => !(one instanceof SVGElement) && isSeen(one))
          .filter((one) =>
            [...one.childNodes].some((node) => node instanceof Text && node.data.trim()),
          )
          .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent]);
        return { part, texts };
      });
    });
    for (const { part, texts } of sizes) {
      // A canvas shows no numbers.
      if (!part.startsWith('#grid')) assert.ok(texts.length > 0, `${id}: ${part} is in sight`);
      for (const [size, text] of texts)
        assert.ok(Number(size) >= 24, `${id}: ${text} has ${size} px`);
    }
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 1920, id);
  }
  await page.getByRole('button', { name: 'Leave presenter mode' }).click();
  await page.getByRole('button', { name: 'Presenter mode', exact: true }).waitFor();
  await context.close();
});
