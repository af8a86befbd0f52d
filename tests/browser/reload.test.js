/**
 * Reloads in Chromium: without storage, and of frames of one page. tests/engines/reload.test.js
 * has the rest.
 */

import assert from 'node:assert/strict';
import { demoTest, site } from './harness.js';

/** A table that is too long for a link, of numbers that need all their bits. */
const LONG = Array.from({ length: 80 }, (_, row) =>
  Array.from({ length: 80 }, (_, col) => Math.sin(row * 80 + col).toFixed(7)).join(','),
).join('\n');

/** Whatever a page does, its storage refuses. */
const NO_STORAGE = `
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { get() { throw new DOMException('no', 'SecurityError'); } });`;

demoTest('without storage another language has the run too, at its very step', async (demo) => {
  const { page } = demo;
  await page.addInitScript(NO_STORAGE);
  for (const [text, steps] of /** @type {[string, number][]} */ ([
    ['1,2\n3,4', 40],
    [LONG, 7],
  ])) {
    await page.goto('about:blank');
    await page.goto(`${site.url}?lang=en&view=full#scene=own`);
    await demo.ready();
    await page.getByText('Paste a table', { exact: true }).click();
    await page.getByLabel(/^Numbers, one row per line/).fill(text);
    await demo.button('Use these numbers').click();
    await demo.settled();
    await demo.steps(steps);
    const { digest, step } = await demo.snapshot();
    assert.equal(step, steps);
    await page.getByText('Deutsch').click();
    await page.waitForURL(/lang=de/);
    await demo.ready();
    const there = await demo.snapshot();
    assert.deepEqual([there.step, there.digest], [step, digest]);
  }
});

demoTest('frames of one page do not take each other’s runs', async (demo) => {
  const { page } = demo;
  await page.evaluate(`(() => {
    document.body.replaceChildren(...['membrane', 'peaks'].map((scene) => {
      const frame = document.createElement('iframe');
      Object.assign(frame, { width: 600, height: 380, src: '?embed=1&scene#scene=' + scene, id: scene });
      return frame;
    }));
  })()`);
  /** @type {Record<string, string>} */
  const digests = {};
  const inside = (/** @type {string} */ id) => `document.querySelector('#${id}').contentWindow`;
  for (const [id, steps] of /** @type {[string, number][]} */ ([
    ['membrane', 9],
    ['peaks', 14],
  ])) {
    await demo.until(`!!${inside(id)}.gradlockDemo?.frame()`);
    await page.evaluate(`${inside(id)}.gradlockDemo.step(${steps})`);
    digests[id] = String(
      await page.evaluate(`${inside(id)}.gradlockDemo.snapshot().then(({ digest }) => digest)`),
    );
  }
  for (const id of Object.keys(digests)) {
    await demo.until(
      `${inside(id)}.gradlockDemo.link().then((link) => link === ${inside(id)}.location.href)`,
    );
  }
  await page.evaluate(`for (const frame of document.querySelectorAll('iframe')) {
    frame.contentWindow.isOld = true;
    frame.contentWindow.location.reload();
  }`);
  for (const [id, digest] of Object.entries(digests)) {
    await demo.until(
      `!${inside(id)}.isOld && !!${inside(id)}.gradlockDemo?.frame() && ${inside(id)}.gradlockDemo.snapshot().then((now) => now.digest === '${digest}')`,
    );
  }
});
