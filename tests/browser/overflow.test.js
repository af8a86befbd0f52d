/** Text has the room that it needs: in charts, in lists, on paper, in low windows, and next to Play. */

import assert from 'node:assert/strict';
import { demoTest } from './harness.js';

/** Keeps the texts that canvases of the page cut off, since their room was last known, in `cut`. */
const RECORD = `
  window.cut = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, ...given) {
    const { actualBoundingBoxLeft: left, actualBoundingBoxRight: right } = this.measureText(text);
    const { a, e } = this.getTransform();
    const [from, to] = [a * (x - left) + e, a * (x + right) + e];
    if (from < -1 || to > this.canvas.width + 1) cut.push([text, from, to, this.canvas.width].join());
    return write.call(this, text, x, ...given);
  };`;

for (const [what, lang, hash, width] of /** @type {[string, string, string, number][]} */ ([
  ['a title', 'de', 'scene=freeze', 320],
  ['a step count of six digits', 'en', 'scene=two-by-two&step=100000', 1366],
  ['a step count of six digits', 'de', 'scene=two-by-two&step=150000', 320],
])) {
  demoTest(
    `no plot cuts off ${what}, at ${width} px`,
    async (demo) => {
      await demo.page.addInitScript(RECORD);
      await demo.page.reload();
      await demo.ready();
      await demo.page.evaluate('cut.length = 0');
      await demo.steps(1);
      assert.deepEqual(await demo.page.evaluate('cut'), []);
    },
    { viewport: { width, height: 700 } },
    `?lang=${lang}#${hash}`,
  );
}

for (const [lang, width] of /** @type {[string, number][]} */ ([
  ['en', 1366],
  ['de', 1366],
  ['de', 320],
])) {
  demoTest(
    `every choice of a list fits it, at ${width} px in ${lang}`,
    async (demo) => {
      for (const scene of ['two-by-two', 'picture', 'kernels', 'freeze', 'own']) {
        await demo.change({ scene });
        await demo.settled();
        const cut = await demo.page.evaluate(() => {
          const pen = document.createElement('canvas').getContext('2d');
          return [...document.querySelectorAll('select')]
            .filter((list) => list.checkVisibility())
            .flatMap((list) => {
              const { fontSize, fontFamily, paddingLeft, paddingRight } = getComputedStyle(list);
              if (pen) pen.font = `${fontSize} ${fontFamily}`;
              const room = list.clientWidth - Number.parseFloat(paddingLeft);
              return [...list.options]
                .map(({ text }) => [text, pen?.measureText(text).width ?? Infinity])
                .filter(([, need]) => Number(need) > room - Number.parseFloat(paddingRight));
            });
        });
        assert.deepEqual(cut, [], scene);
      }
    },
    { viewport: { width, height: 700 } },
    `?lang=${lang}#scene=two-by-two`,
  );
}

demoTest(
  'on paper neither the question nor its outcome covers the page',
  async (demo) => {
    const { page } = demo;
    await page.emulateMedia({ media: 'print' });
    const positions = () =>
      page.evaluate(`['guess', 'outcome'].map((id) =>
        getComputedStyle(document.getElementById(id)).position)`);
    assert.ok(!(await positions()).includes('fixed'));
    await page.locator('#guess .tools button').first().click();
    await demo.steps(40);
    assert.ok(await page.locator('#outcome').isVisible());
    assert.ok(!(await positions()).includes('fixed'));
  },
  { viewport: { width: 718, height: 1040 } },
);

for (const [width, height] of [
  [683, 384],
  [844, 390],
]) {
  demoTest(
    `in a window of ${width} × ${height} px the question is folded, and opens`,
    async (demo) => {
      const top = () => demo.page.evaluate("document.querySelector('#guess').offsetTop");
      assert.ok(Number(await top()) > 0.6 * height);
      assert.equal(await demo.page.locator('.guess-question').isVisible(), false);
      await demo.button('Guess first').click();
      await demo.page.locator('.guess-question').waitFor();
    },
    { viewport: { width, height } },
  );
}

for (const [lang, width] of /** @type {[string, number][]} */ ([
  ['en', 320],
  ['de', 320],
  ['de', 390],
])) {
  demoTest(
    `next to Play at ${width} px an earlier step takes no more room, in ${lang}`,
    async (demo) => {
      const { page } = demo;
      const room = () => page.evaluate("document.querySelector('#run').offsetHeight");
      const before = await room();
      await page.locator('#scrubber input').focus();
      await page.keyboard.press('ArrowLeft');
      await demo.until("document.querySelector('[data-status=looking]')");
      await demo.settled();
      assert.equal(await room(), before);
    },
    { viewport: { width, height: 640 } },
    `?lang=${lang}#scene=two-by-two&step=40`,
  );
}
