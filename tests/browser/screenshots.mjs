/**
 * Pictures of every scene into build/screenshots: empty, running and converged; on a laptop, a phone and a projector, in
 * the light and in the dark. `make screenshots`, or `node tests/browser/screenshots.mjs laptop leak-lab` for some.
 */

import { scenes } from '../../web/scenes/index.js';
import { launchChromium } from './chromium.js';
import { DemoPage } from './page.js';
import { serveSite } from './site.js';

/** @type {Record<string, import('playwright-core').BrowserContextOptions>} */
const devices = {
  laptop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 320, height: 640 }, hasTouch: true, deviceScaleFactor: 2 },
  projector: { viewport: { width: 1920, height: 1080 } },
};
const wanted = process.argv.slice(2);
/** @param {string} name @param {string[]} all */
const isWanted = (name, all) => !wanted.some((word) => all.includes(word)) || wanted.includes(name);

const browser = await launchChromium();
const site = await serveSite();
const ids = scenes.map(({ id }) => id);
const themes = /** @type {const} */ (['light', 'dark']);
for (const [device, options] of Object.entries(devices)) {
  if (!isWanted(device, Object.keys(devices))) continue;
  for (const colorScheme of themes) {
    if (!isWanted(colorScheme, [...themes])) continue;
    for (const id of ids) {
      if (!isWanted(id, ids)) continue;
      const url = `${site.url}#scene=${id}`;
      const demo = await DemoPage.open(browser, url, { ...options, colorScheme });
      await demo.settled();
      const name = `${id}-${device}-${colorScheme}`;
      if (colorScheme === 'light') await demo.shoot(`${name}-start`);
      await demo.page.evaluate('gradlockDemo.step(150)');
      await demo.settled();
      await demo.shoot(name);
      await demo.close();
      console.log(name);
    }
  }
}
await browser.close();
site.close();
