/** A browser and a served site for the tests of one file, and a fresh page for each test. */

import { after, before, test } from 'node:test';
import { launchChromium } from './chromium.js';
import { DemoPage } from './page.js';
import { serveSite } from './site.js';

/** @type {Awaited<ReturnType<typeof serveSite>>} */
export let site;
/** @type {import('playwright-core').Browser} */
export let browser;

before(async () => {
  browser = await launchChromium();
  site = await serveSite();
});

after(async () => {
  await browser?.close();
  site?.close();
});

/** Two by two, the small scene that most claims are about. */
const SMALL = '#scene=two-by-two';

/**
 * A test on a fresh page, which fails if the console shows an error.
 * @param {string} claim
 * @param {(demo: DemoPage, t: import('node:test').TestContext) => Promise<void>} body
 * @param {import('playwright-core').BrowserContextOptions} [options]
 * @param {string} [address] after the site's; '' is the page as a visitor opens it
 */
export function demoTest(claim, body, options, address = SMALL) {
  test(claim, async (t) => {
    const demo = await DemoPage.open(browser, site.url + address, options);
    await body(demo, t);
    await demo.close();
  });
}
