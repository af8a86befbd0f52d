/** The three browsers by their names, for tests that drive each in the same way. */

import assert from 'node:assert/strict';
import { launchChromium } from './chromium.js';
import { launchFirefox } from './firefox.js';
import { PATIENCE } from './lease.js';
import { launchWebKit } from './webkit.js';

/**
 * Launch a browser whose pages share what they store.
 * @type {Record<'Chromium' | 'Firefox' | 'WebKit', () => Promise<{ newPage: () => Promise<any>, close: () => Promise<unknown> }>>}
 */
export const BROWSERS = {
  async Chromium() {
    const browser = await launchChromium();
    // In Playwright, each page outside of a context has a store of its own.
    const context = await browser.newContext();
    return { newPage: () => context.newPage(), close: () => browser.close() };
  },
  Firefox: launchFirefox,
  WebKit: launchWebKit,
};

/** Until an expression is true; while a page goes and another comes, none is. @param {{ evaluate: (script: string) => any }} page @param {string} expression */
export async function until(page, expression) {
  const end = performance.now() + PATIENCE;
  while (!(await Promise.resolve(page.evaluate(expression)).catch(() => false))) {
    assert.ok(performance.now() < end, `in time: ${expression}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}
