/** Bit identity in browsers: what tests/js/digest.test.js claims, in Chromium and Firefox, from a page under the site's policy. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runNatively } from '../js/digest-native.js';
import { launchChromium } from './chromium.js';
import { launchFirefox } from './firefox.js';
import { serveFolder } from './site.js';

/** What Playwright's page and Puppeteer's have in common. @typedef {{ goto(url: string): unknown, evaluate(script: string): unknown }} Page */
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  served = await serveFolder(new URL('../../', import.meta.url));
});
after(() => served.close());

for (const [name, launch] of /** @type {const} */ ([
  ['Chromium', launchChromium],
  ['Firefox', launchFirefox],
])) {
  test(`${name} ends on the bytes of the native program, with both modules that are shipped`, {
    timeout: 120_000,
  }, async () => {
    const { lines, runs } = await runNatively();
    const browser = await launch();
    try {
      const page = /** @type {Page} */ (await browser.newPage());
      await page.goto(`${served.url}tests/browser/blank.html`);
      for (const module of ['index.js', 'external.js']) {
        const script = `(async () => {
          const { digest } = await import('${served.url}tests/js/digest-runs.js');
          const { init } = await import('${served.url}build/npm/${module}');
          return digest(await init(), ${JSON.stringify(runs)});
        })()`;
        assert.deepEqual(await page.evaluate(script), lines, module);
      }
    } finally {
      await browser.close();
    }
  });
}
