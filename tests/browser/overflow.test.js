/** Overflow: text is not cut off in charts, on paper, in low windows, and next to Play. */

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
