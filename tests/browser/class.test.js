/* Tier: all. */
/** A class without a server, on the page: challenges, codes of guesses, and presenter mode. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scenes } from '../../web/scenes/index.js';
import { tables } from '../../web/strings/index.js';
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
      await demo.button('Two').click();
      const panel = demo.page.locator('#guess-code');
      await panel.locator('summary').click();
      const code = (await panel.locator('.guess-code-text').textContent()) ?? '';
      assert.match(code, /^TWO-BY-TWO-B-[2-9A-Z]{5}$/);
      assert.equal(await panel.getByRole('img').getAttribute('aria-label'), `QR code of ${code}`);
      await demo.until(`(() => {
        const { top, bottom } = document.querySelector('.guess-code-picture').getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      })()`);
      codes.push(code);
      await demo.openScene('Peaks');
      assert.equal(await panel.isVisible(), false);
      await demo.openScene('Two by two');
      assert.equal(
        await panel.locator('.guess-code-text').textContent(),
        code,
        'one vote has one code',
      );
      assert.equal(await panel.isVisible(), true);
      await demo.page.reload();
      await demo.ready();
    }
    assert.notEqual(codes[0], codes[1]);
  },
);

/** Notes each text that a canvas draws, and its size in CSS pixels. In the page, before it starts. */
function noteTexts() {
  const drawn = /** @type {{ canvas: HTMLCanvasElement, text: string, size: number }[]} */ ([]);
  const { fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...position) {
    const { canvas } = this;
    const dots = Math.max(canvas.width / canvas.clientWidth, canvas.height / canvas.clientHeight);
    const size =
      (parseFloat(this.font.match(/[\d.]+(?=px)/)?.[0] ?? '') * this.getTransform().a) / dots;
    if (canvas.isConnected && canvas.clientWidth) drawn.push({ canvas, text, size });
    fillText.call(this, text, ...position);
  };
  Object.assign(window, { drawn });
}

/** What is too small or cut off in what is seen of the page. In the page. @param {number} least in CSS pixels */
function faults(least) {
  const isSeen = (/** @type {Element} */ one) =>
    one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  /** @type {(root: ParentNode) => Element[]} */
  const below = (root) =>
    [...root.querySelectorAll('*')].flatMap((one) => [
      one,
      ...(one.shadowRoot ? below(one.shadowRoot) : []),
    ]);
  /** @type {string[]} */
  const found = [];
  const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (
    new OffscreenCanvas(1, 1).getContext('2d')
  );
  /** @param {string} text @param {Element} one @param {number} left @param {number} right */
  const cut = (text, one, left, right) => {
    for (let at = one; at; at = at.parentElement ?? /** @type {any} */ (at.getRootNode()).host) {
      const { overflowX } = getComputedStyle(at);
      const box = at.getBoundingClientRect();
      if (overflowX !== 'visible' && (left < box.left - 1 || right > box.right + 1))
        found.push(`${text} is cut off by ${at.tagName}.${at.className}`);
    }
    if (right > innerWidth) found.push(`${text} is beyond the screen`);
  };
  for (const one of below(document.body).filter(isSeen)) {
    const style = getComputedStyle(one);
    const { left, right, bottom, width } = one.getBoundingClientRect();
    // What only screen readers meet.
    if (bottom <= 0 || width <= 1 || one.closest('.out-of-sight, option')) continue;
    const field = one.matches('input[type=text], select') && /** @type {any} */ (one);
    const text = field
      ? (field.selectedOptions?.[0]?.text ?? field.value)
      : [...one.childNodes]
          .map((node) => (node instanceof Text ? node.data : ''))
          .join('')
          .trim();
    if (!text) continue;
    const scale = one instanceof SVGGraphicsElement ? (one.getScreenCTM()?.a ?? 1) : 1;
    const size = parseFloat(style.fontSize) * scale;
    if (size < least - 0.01) found.push(`${text} has ${size} px`);
    if (field) {
      pen.font = style.font;
      const room =
        right - left - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 2;
      if (pen.measureText(text).width > room + 1) found.push(`${text} is cut off by its field`);
      continue;
    }
    const range = document.createRange();
    range.selectNodeContents(one);
    const box = range.getBoundingClientRect();
    cut(text, one, box.left, box.right);
  }
  for (const { canvas, text, size } of /** @type {any} */ (window).drawn.splice(0))
    if (text && isSeen(canvas) && size < least - 0.01) found.push(`${text}, drawn, has ${size} px`);
  return [...new Set(found)];
}

test('in presenter mode, at 1920 × 1080, all text is at least 24 px high and none is cut off', async () => {
  const context = await browser.newContext({
    serviceWorkers: 'block',
    viewport: { width: 1920, height: 1080 },
  });
  await context.addInitScript(noteTexts);
  for (const lang of ['en', 'de']) {
    const page = await context.newPage();
    await page.goto(`${site.url}?lang=${lang}&present=1&view=simple`);
    await page.locator('.cell, .cursor').first().waitFor({ state: 'attached' });
    for (const { id } of scenes) {
      await page.evaluate(`gradlockDemo.change({ scene: '${id}' })`);
      for (const steps of [0, 40]) {
        if (steps) await page.evaluate(`gradlockDemo.step(${steps})`);
        await page.evaluate('gradlockDemo.shown()');
        assert.deepEqual(await page.evaluate(faults, 24), [], `${lang}, ${id}, step ${steps}`);
      }
    }
    const { on, off } = tables[lang].presenter;
    await page.getByRole('button', { name: tables[lang].simpleOrFull.more }).click();
    await page.getByRole('button', { name: off }).click();
    await page.getByRole('button', { name: on, exact: true }).waitFor();
    assert.ok((await page.evaluate(faults, 24)).length > 0, 'other texts are smaller');
    await page.getByRole('button', { name: on, exact: true }).click();
    await page.getByRole('button', { name: off }).click();
    const { fewer } = tables[lang].simpleOrFull;
    await page.getByRole('button', { name: fewer }).waitFor(); // as before presenter mode
  }
  await context.close();
});
