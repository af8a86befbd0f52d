/* The browsers for tests of gradlock/grid, and a claim in each of them under a strict policy. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchChromium } from './chromium.js';
import { launchFirefox } from './firefox.js';
import { KIT, POLICY } from './grid-kit.js';
import { serveFolder } from './site.js';
import { launchWebKit } from './webkit.js';

/** @typedef {import('./visit.js').Page} Page */

export const root = new URL('../../', import.meta.url);

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
export let served;
export const NAMES = ['Chromium', 'Firefox', 'WebKit'];
/** @type {Record<string, any>} */
export const browsers = {};
before(async () => {
  served = await serveFolder(root, POLICY);
  browsers.Chromium = await launchChromium();
  browsers.Firefox = await launchFirefox();
  browsers.WebKit = await launchWebKit();
});
after(async () => {
  await Promise.all(Object.values(browsers).map((browser) => browser.close()));
  served.close();
});

/**
 * A claim in every browser, on a fresh page.
 * @param {string} claim
 * @param {(page: Page, run: (script: string) => Promise<any>) => Promise<void>} body
 */
export const both = (claim, body) => {
  for (const name of NAMES) {
    test(`${name}: ${claim}`, async () => {
      const page = /** @type {Page} */ (await browsers[name].newPage());
      const run = (/** @type {string} */ script) => page.evaluate(`(async () => {${script}})()`);
      await page.goto(`${served.url}tests/browser/blank.html`);
      await run(KIT(served.url));
      await body(page, run);
      assert.deepEqual(await run('return problems;'), [], 'nothing was refused or thrown');
      await page.close();
    });
  }
};
