/* Tier: all. */
/**
 * Engines: all, because each stops hidden pages in its own way. A hidden page takes no steps and
 * asks for no frames.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { ENGINES } from '../browser/browsers.js';
import { launchTabs } from '../browser/chromium.js';
import { launchFirefox } from '../browser/firefox.js';
import { serveSite } from '../browser/site.js';
import { until } from '../browser/until.js';
import { launchWebKit } from '../browser/webkit.js';

/** What the page asks of its engine and of the screen, counted before any of its scripts runs. */
const COUNT = `
  window.asked = { frames: 0, unseen: 0, screens: 0 };
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (message, ...rest) {
    if (message?.name === 'call' && message.values[0] === 'frame') {
      asked.frames++;
      if (document.hidden) asked.unseen++;
    }
    return post.call(this, message, ...rest);
  };
  const request = window.requestAnimationFrame;
  window.requestAnimationFrame = (then) => {
    asked.screens++;
    return request.call(window, then);
  };`;

/** A page behind another tab. @param {import('puppeteer-core').Browser} browser */
async function tabOf(browser) {
  const page = await browser.newPage();
  return {
    page,
    hide: async () => (await browser.newPage()).bringToFront(),
    show: () => page.bringToFront(),
    close: () => browser.close(),
  };
}

/** @type {Record<string, () => Promise<{ page: any, hide: () => Promise<unknown>, show: () => Promise<unknown>, close: () => Promise<void> }>>} */
const launches = {
  Chromium: async () => tabOf(await launchTabs()),
  Firefox: async () => tabOf(await launchFirefox()),
  async WebKit() {
    const browser = await launchWebKit();
    const page = await browser.newPage();
    return {
      page,
      hide: () => page.minimize(),
      show: () => page.setViewport({ width: 1200, height: 800 }),
      close: () => browser.close(),
    };
  },
};

for (const engine of ENGINES) {
  test(`${engine}: where nobody sees it a run stands still and asks for nothing, and goes on after`, async () => {
    const site = await serveSite(COUNT);
    const { page, hide, show, close } = await launches[engine]();
    try {
      await page.goto(`${site.url}#scene=two-by-two`);
      await page.waitForSelector('>>> .cell');
      const state = async () => {
        const [seen, asked, step] =
          /** @type {[string, { frames: number, unseen: number, screens: number }, number]} */ (
            await page.evaluate(
              `gradlockDemo.snapshot().then(({ step }) => [document.visibilityState, { ...asked }, step])`,
            )
          );
        return { seen, asked, step };
      };
      await page.click('.play');
      await until(page, 'gradlockDemo.frame().step > 20 && asked.frames > 10');
      await hide();
      // What was under way when the page was hidden comes to its end; a run that went on would not.
      const stillness = async () => {
        for (let before = await state(); ; ) {
          await new Promise((done) => setTimeout(done, 1000));
          const now = await state();
          if (now.seen === 'hidden' && isDeepStrictEqual(now, before)) return now;
          before = now;
        }
      };
      const hidden = await stillness();
      assert.equal(hidden.seen, 'hidden');
      assert.ok(hidden.asked.frames > 10, 'it had asked before');
      await new Promise((done) => setTimeout(done, 2000));
      assert.deepEqual(await state(), hidden);
      assert.equal(hidden.asked.unseen, 0);
      await show();
      await until(page, `gradlockDemo.frame().step > ${hidden.step} + 20`);
      const after = await state();
      assert.equal(after.seen, 'visible');
      // Time that nobody saw is not made up for.
      assert.ok(after.step < hidden.step + 1000, `${after.step - hidden.step} steps since`);
    } finally {
      await close();
      site.close();
    }
  });
}
