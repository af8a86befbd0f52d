/** Claims about the demo that are held in Chromium, Firefox and WebKit alike, by one visit each. */

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findChromium, launchChromium } from '../browser/chromium.js';
import { launchFirefox } from '../browser/firefox.js';
import { serveSite } from '../browser/site.js';
import { FIRST, Visit } from '../browser/visit.js';
import { launchWebKit } from '../browser/webkit.js';

/** @typedef {import('../browser/visit.js').Page} Page */
/** @typedef {Record<string, (visit: Visit) => Promise<void>>} Claims */

const SMALL = { width: 1366, height: 660 };

/** What an engine came to, which the next must come to as well. @type {Record<string, unknown>} */
const known = {};

/** @param {string} what @param {unknown} is */
export function assertSame(what, is) {
  known[what] ??= is;
  assert.deepEqual(is, known[what], `${what}, as in the other browsers`);
}

/** @type {Record<string, (isWhole: boolean) => Promise<{ page: Page, close: () => Promise<void> }>>} */
const BROWSERS = {
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
export function everywhere(claims, isWhole = false) {
  /** @type {Awaited<ReturnType<typeof serveSite>>} */
  let site;
  before(async () => {
    site = await serveSite(FIRST);
  });
  after(() => site.close());
  describe('the demo', { concurrency: 3 }, () => {
    for (const [name, launch] of Object.entries(BROWSERS)) {
      test(name, async (t) => {
        const { page, close } = await launch(isWhole);
        try {
          const visit = new Visit(page, site.url);
          for (const [claim, body] of Object.entries(claims)) {
            await t.test(`${name}: ${claim}`, async () => {
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
