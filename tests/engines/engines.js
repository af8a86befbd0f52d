/** Claims about the demo that hold in each engine of a run, by one visit each. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ENGINES } from '../browser/browsers.js';
import { findChromium, launchChromium } from '../browser/chromium.js';
import { launchFirefox } from '../browser/firefox.js';
import { serveSite } from '../browser/site.js';
import { FIRST, Visit } from '../browser/visit.js';
import { launchWebKit } from '../browser/webkit.js';

/** @typedef {import('../browser/visit.js').Page} Page */
/** @typedef {Record<string, (visit: Visit) => Promise<void>>} Claims */

const SMALL = { width: 1366, height: 660 };

/** @type {Record<string, (isWhole: boolean) => Promise<{ page: Page, close: () => Promise<void> }>>} */
const LAUNCHES = {
  async Chromium(isWhole) {
    const browser = await launchChromium([], isWhole ? findChromium() : undefined);
    const page = await browser.newPage({ viewport: SMALL });
    const setViewport = (/** @type {typeof SMALL} */ size) => page.setViewportSize(size);
    return { page: Object.assign(page, { setViewport }), close: () => browser.close() };
  },
  async Firefox() {
    const browser = await launchFirefox();
    const page = /** @type {any} */ (await browser.newPage());
    await page.setViewport(SMALL);
    return { page, close: () => browser.close() };
  },
  async WebKit() {
    const browser = await launchWebKit();
    const page = await browser.newPage();
    await page.setViewport(SMALL);
    return { page, close: () => browser.close() };
  },
};

/** @param {Claims} claims @param {boolean} [isWhole] True for a Chromium with its window, where pages may copy. */
export function inEngines(claims, isWhole = false) {
  /** @type {Awaited<ReturnType<typeof serveSite>>} */
  let site;
  before(async () => {
    site = await serveSite(FIRST);
  });
  after(() => site.close());
  describe('the demo', { concurrency: 3 }, () => {
    for (const engine of ENGINES) {
      test(engine, async (t) => {
        const { page, close } = await LAUNCHES[engine](isWhole);
        try {
          const visit = new Visit(page, site.url);
          for (const [claim, body] of Object.entries(claims)) {
            await t.test(`${engine}: ${claim}`, async () => {
              await body(visit);
              assert.deepEqual(await visit.evaluate('complaints'), [], 'nobody complains');
            });
          }
        } finally {
          await close();
        }
      });
    }
  });
}
