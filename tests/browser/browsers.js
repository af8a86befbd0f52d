/** The three browsers by their names, for tests that drive each in the same way. */

import { launchChromium } from './chromium.js';
import { launchFirefox } from './firefox.js';
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
