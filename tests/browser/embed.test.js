/* Tier: all. */
/**
 * Embedded pages: what is seen in frames of any height, frames that follow their content, and
 * many frames.
 */

import assert from 'node:assert/strict';
import { scenes } from '../../web/scenes/index.js';
import { demoTest, site } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

const HEIGHTS = [300, 500, 800];

/** Replaces the page's content with a frame. @param {DemoPage} demo @param {string} scene @param {number} width @param {number} height */
async function embed({ page }, scene, width, height) {
  await page.evaluate(
    ([src, style]) => {
      const frame = document.createElement('iframe');
      Object.assign(frame, { src });
      frame.style.cssText = style;
      document.body.replaceChildren(frame);
    },
    [
      `${site.url}?embed=1&lang=en#scene=${scene}`,
      `display: block; border: 0; width: ${width}px; height: ${height}px`,
    ],
  );
  await page
    .frameLocator('iframe')
    .locator('.cell, .cursor')
    .first()
    .waitFor({ state: 'attached' });
}

/** An expression about the frame's page. @param {string} text */
const inside = (text) => `(() => {
  const { contentWindow: window } = document.querySelector('iframe');
  return ((document, gradlockDemo, innerHeight) => (${text}))(
    window.document, window.gradlockDemo, window.innerHeight);
})()`;

/** The edges of the verdict, Play, and the first view of the cells; undefined where it is not shown. */
const RECTS = inside(`Object.fromEntries([
  ['play', '.play'],
  ['verdict', '.hold-told, .lock-count'],
  ['cells', '.pane .figure, .pane .grid-host'],
].map(([name, part]) => {
  const shown = [...document.querySelectorAll(part)].find((one) => one.checkVisibility());
  const { top, bottom, left, right } = shown.getBoundingClientRect();
  return [name, { top, bottom, left, right }];
}))`);

/** Until the frame's page has been drawn again. */
const FRAMES = inside(`(async () => {
  for (let i = 0; i < 3; i++) await new Promise(document.defaultView.requestAnimationFrame);
})()`);

demoTest(
  'frames of any height show Play, the verdict and the cells of every scene',
  async (demo) => {
    const width = 640;
    await embed(demo, 'two-by-two', width, HEIGHTS[0]);
    assert.equal(
      await demo.page.evaluate(inside("document.querySelector('#scenes').checkVisibility()")),
      false,
    );
    for (const { id } of scenes) {
      await demo.page.evaluate(inside(`gradlockDemo.change({ scene: '${id}' })`));
      await demo.page.evaluate(inside('gradlockDemo.shown()'));
      for (const height of HEIGHTS) {
        await demo.page.evaluate(`document.querySelector('iframe').style.height = '${height}px'`);
        await demo.until(
          inside(`innerHeight === ${height} &&
          document.documentElement.style.getPropertyValue('--room') === '${height}px'`),
        );
        // Figures and grids hear of their new size in a frame, and take it in the next.
        await demo.page.evaluate(FRAMES);
        const where = `${id}, ${width} × ${height}`;
        const { play, verdict, cells } = /** @type {Record<string, DOMRect>} */ (
          await demo.page.evaluate(RECTS)
        );
        for (const [name, box] of Object.entries({ play, verdict })) {
          assert.ok(
            box.top >= 0 && box.bottom <= height,
            `${where}: ${name} ends at ${box.bottom}`,
          );
          assert.ok(box.left >= 0 && box.right <= width, `${where}: ${name}`);
        }
        const seen = Math.min(cells.bottom, height) - cells.top;
        const least = Math.min(cells.bottom - cells.top, 0.4 * height);
        assert.ok(seen >= least, `${where}: ${seen} px of the cells are seen`);
        const isOver = (/** @type {DOMRect} */ a, /** @type {DOMRect} */ b) =>
          a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        assert.ok(!isOver(play, cells) && !isOver(verdict, cells), `${where}: nothing overlaps`);
        const wide = await demo.page.evaluate(
          inside('document.documentElement.scrollWidth - window.innerWidth'),
        );
        assert.equal(wide, 0, `${where}: nothing sticks out`);
      }
    }
  },
);

demoTest('a frame that follows its content settles, and grows with all controls', async (demo) => {
  for (const [id, first] of /** @type {[string, number][]} */ ([
    ['membrane', 150],
    ['leak-lab', 500],
    ['network', 900],
  ])) {
    await demo.page.evaluate(`window.heights = []; window.onmessage = ({ data }) => {
      if (data?.type !== 'gradlock-height') return;
      heights.push(data.height);
      document.querySelector('iframe').style.height = data.height + 'px';
    }`);
    await embed(demo, id, 720, first);
    await demo.until(
      inside(`document.documentElement.style.getPropertyValue('--room') === '' &&
        Math.ceil(document.body.getBoundingClientRect().height) === innerHeight`),
    );
    const frame = demo.page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Step' }).first().click();
    await demo.until(inside('gradlockDemo.frame()?.step > 0'));
    const heights = /** @type {number[]} */ (await demo.page.evaluate('heights'));
    // A slow page lays out in more steps; heights that make each other grow have no end.
    assert.ok(heights.length <= 12, `${id}: ${heights}`);
    // Nothing is cut off, once the page has heard of the new height.
    await demo.until(inside('document.documentElement.scrollHeight === innerHeight'));
    await frame.getByRole('button', { name: 'All controls' }).click();
    await demo.until(`heights.at(-1) > ${heights.at(-1)} + 100`);
  }
});

for (const id of ['leak-lab', 'graph']) {
  demoTest(`${id}: in a tab that is shown later the scene is alive`, async (demo) => {
    const { page } = demo;
    await page.evaluate((src) => {
      const tab = document.createElement('div');
      tab.hidden = true;
      const frame = document.createElement('iframe');
      frame.src = src;
      frame.style.cssText = 'display: block; border: 0; width: 720px; height: 600px';
      tab.append(frame);
      document.body.replaceChildren(tab);
    }, `${site.url}?embed=1&lang=en#scene=${id}`);
    await demo.until(inside('window.gradlockDemo !== undefined'));
    const show = (/** @type {boolean} */ isShown) =>
      page.evaluate(`document.querySelector('iframe').parentNode.hidden = ${!isShown}`);
    const step = inside('gradlockDemo.frame()?.step ?? -1');
    await show(true);
    await page.frameLocator('iframe').getByRole('button', { name: 'Play' }).click();
    await demo.until(`${step} > 20`);
    await show(false);
    await show(true);
    const now = Number(await page.evaluate(step));
    await demo.until(`${step} > ${now + 20}`);
    const grid = inside(`document.querySelector('gradlock-grid').getBoundingClientRect().width`);
    await demo.until(`${grid} > 20`);
  });
}

demoTest(
  'of many embedded pages those in sight train, the others wait until they are',
  async (demo) => {
    const { page } = demo;
    const COUNT = 6;
    await page.evaluate(
      ([url, count]) => {
        document.body.replaceChildren(
          ...Array.from({ length: Number(count) }, () => {
            const frame = document.createElement('iframe');
            frame.src = String(url);
            frame.style.cssText = 'display:block;width:700px;height:600px;border:0';
            return frame;
          }),
        );
      },
      [`${site.url}?embed=1#scene=membrane`, COUNT],
    );
    const frameOf = (/** @type {number} */ i) =>
      `document.querySelectorAll('iframe')[${i}].contentWindow`;
    const stepOf = (/** @type {number} */ i) => `(${frameOf(i)}.gradlockDemo?.frame()?.step ?? -1)`;
    await demo.until(`${stepOf(0)} === 0`);
    await page.frameLocator('iframe').first().getByRole('button', { name: 'Play' }).click();
    await demo.until(`${stepOf(0)} > 20`);
    // The page inside has an observer of its own, which is older and hears of it first.
    await page.evaluate(`(() => {
    const inner = ${frameOf(0)};
    inner.isInSight = true;
    new inner.IntersectionObserver((entries) => {
      inner.isInSight = entries.at(-1).isIntersecting;
    }).observe(inner.document.body);
  })()`);
    const scrollTo = (/** @type {number} */ i) =>
      page.locator('iframe').nth(i).scrollIntoViewIfNeeded();
    await scrollTo(COUNT - 1);
    await demo.until(`${stepOf(COUNT - 1)} === 0`);
    await demo.until(`${frameOf(0)}.isInSight === false`);
    const out = Number(await page.evaluate(stepOf(0)));
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(stepOf(0)), out, 'out of sight it stands still');
    await scrollTo(0);
    await demo.until(`${stepOf(0)} > ${out + 10}`);
  },
);
