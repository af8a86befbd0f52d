/**
 * The browsers by their engines, for tests that drive each in the same way. ENGINES=Chromium, or a list with commas, says in
 * which of them tests/engines run; all three if it is not set.
 */

import { test } from 'node:test';
import { launchChromium } from './chromium.js';
import { launchFirefox } from './firefox.js';
import { launchWebKit } from './webkit.js';

/** @typedef {'Chromium' | 'Firefox' | 'WebKit'} Engine */
/** @typedef {{ newPage: (options?: any) => Promise<any>, close: () => Promise<unknown> }} Browser */

/** Launch a browser whose pages share what they store. @type {Record<Engine, () => Promise<Browser>>} */
const LAUNCHES = {
  async Chromium() {
    const browser = await launchChromium();
    // In Playwright, each page outside of a context has a store of its own.
    const context = await browser.newContext();
    return {
      newPage: (options) => (options ? browser.newPage(options) : context.newPage()),
      close: () => browser.close(),
    };
  },
  Firefox: launchFirefox,
  WebKit: launchWebKit,
};

/** The engines of this run. */
export const ENGINES = /** @type {Engine[]} */ (
  (process.env.ENGINES ?? Object.keys(LAUNCHES).join()).split(',')
);
for (const engine of ENGINES) {
  if (!Object.hasOwn(LAUNCHES, engine))
    throw new Error(`unknown engine "${engine}" in ENGINES; known: ${Object.keys(LAUNCHES)}`);
}

/** @param {Engine} engine */
export const launchEngine = (engine) => LAUNCHES[engine]();

/**
 * A test in each engine of this run, on a page of its own.
 * @param {string} claim
 * @param {(page: any, browser: Browser, engine: Engine) => Promise<void>} body
 * @param {Engine[]} [among] The engines that can do this.
 */
export function inEachEngine(claim, body, among = ENGINES) {
  for (const engine of ENGINES.filter((one) => among.includes(one))) {
    test(`${engine}: ${claim}`, async () => {
      const browser = await launchEngine(engine);
      try {
        await body(await browser.newPage(), browser, engine);
      } finally {
        await browser.close();
      }
    });
  }
}

/** A test of what one engine alone has, if it is in this run. @param {Engine} engine @param {string} claim @param {() => Promise<void>} body */
export function inEngine(engine, claim, body) {
  if (ENGINES.includes(engine)) test(`${engine}: ${claim}`, body);
}
