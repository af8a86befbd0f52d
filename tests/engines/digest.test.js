/** Bit identity in browsers: what tests/js/digest.test.js claims, in Chromium, Firefox and WebKit, from a page under the site's policy. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { runNatively } from '../js/digest-native.js';
import { launchChromium } from '../browser/chromium.js';
import { launchFirefox } from '../browser/firefox.js';
import { serveFolder } from '../browser/site.js';
import { launchWebKit } from '../browser/webkit.js';

/** What their pages have in common. @typedef {{ goto(url: string): unknown, evaluate(script: string): unknown }} Page */
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  served = await serveFolder(new URL('../../', import.meta.url));
});
after(() => served.close());

for (const [name, launch] of /** @type {const} */ ([
  ['Chromium', launchChromium],
  ['Firefox', launchFirefox],
  ['WebKit', launchWebKit],
])) {
  test(`${name} ends on the bytes of the native program, with all modules that are shipped, and in a module worker`, async () => {
    const { lines, runs } = await runNatively();
    const browser = await launch();
    try {
      const page = /** @type {Page} */ (await browser.newPage());
      await page.goto(`${served.url}tests/browser/blank.html`);
      const inDouble = await runNatively('double');
      for (const [module, wanted] of /** @type {const} */ ([
        ['index.js', lines],
        ['external.js', lines],
        ['double.js', inDouble.lines],
      ])) {
        const script = `(async () => {
          const { digest } = await import('${served.url}tests/js/digest-runs.js');
          const { init } = await import('${served.url}build/npm/${module}');
          return digest(await init(), ${JSON.stringify(runs)});
        })()`;
        assert.deepEqual(await page.evaluate(script), wanted, module);
      }
      const script = `new Promise((resolve, reject) => {
        const worker = new Worker('../engines/digest-worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage({ entry: '${served.url}build/npm/index.js', runs: ${JSON.stringify(runs)} });
      })`;
      assert.deepEqual(await page.evaluate(script), lines, 'in a module worker');
    } finally {
      await browser.close();
    }
  });
}
