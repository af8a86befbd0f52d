/**
 * Pictures of every scene into build/screenshots: before, running and after; on a laptop, a phone and a projector, in
 * the light, in the dark and in forced colours. `make screenshots`, or `node tests/browser/screenshots.mjs laptop
 * leak-lab` for some. With `docs` those of docs/from-tensorflow.md and README.md.
 */

import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { scenes } from '../../web/scenes/index.js';
import { launchChromium } from './chromium.js';
import { DemoPage } from './page.js';
import { serveSite } from './site.js';

/** @typedef {import('playwright-core').BrowserContextOptions} Options */

/** @type {Record<string, Options>} */
const devices = {
  laptop: { viewport: { width: 1366, height: 768 } },
  phone: {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  },
  projector: { viewport: { width: 1920, height: 1080 } },
};
/** @type {Record<string, Options>} */
const looks = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { forcedColors: 'active' },
};
const DOCS = fileURLToPath(new URL('../../docs/scenes/', import.meta.url));
const FRONT = fileURLToPath(new URL('../../docs/demo.png', import.meta.url));

const wanted = process.argv.slice(2);
const ids = scenes.map(({ id }) => id);
/** @param {string} name @param {string[]} all */
const isWanted = (name, all) => !wanted.some((word) => all.includes(word)) || wanted.includes(name);

const browser = await launchChromium();
const site = await serveSite();

/** @param {string} id @param {Options} options */
const open = (id, options) => DemoPage.open(browser, `${site.url}#scene=${id}`, options, 'simple');

/** @param {string} device @param {string} look @param {string} id */
async function shoot(device, look, id) {
  const demo = await open(id, { ...devices[device], ...looks[look] });
  const name = `${id}-${device}-${look}`;
  await demo.shoot(`${name}-before`);
  await demo.page.locator('.play').click();
  await demo.page.waitForTimeout(700);
  await demo.shoot(`${name}-running`);
  await demo.page.locator('.play').click();
  await demo.page.evaluate('gradlockDemo.step(300)');
  await demo.settled();
  await demo.shoot(`${name}-after`);
  await demo.close();
  console.log(name);
}

/** The scenes in docs/from-tensorflow.md. */
const SHOWN = ['leak-lab', 'words'];

/** @param {string} id */
async function shootForDocs(id) {
  mkdirSync(DOCS, { recursive: true });
  const demo = await open(id, { viewport: { width: 1100, height: 620 }, colorScheme: 'light' });
  await demo.page.evaluate('gradlockDemo.step(60)');
  await demo.settled();
  const [top, bottom] = /** @type {[number, number]} */ (
    await demo.page.evaluate(`[
      document.querySelector('.stage').getBoundingClientRect().top,
      Math.max(...['#grid', '#legend'].map((part) =>
        document.querySelector(part).getBoundingClientRect().bottom)),
    ]`)
  );
  // As high as the scene is, with all its grids and the legend.
  await demo.page.screenshot({
    path: `${DOCS}${id}.png`,
    clip: { x: 0, y: top - 12, width: 1100, height: bottom - top + 18 },
    fullPage: true,
  });
  await demo.close();
  console.log(`docs/scenes/${id}.png`);
}

/** The page as README.md shows it. */
async function shootFront() {
  const demo = await open('leak-lab', { viewport: { width: 1280, height: 800 } });
  await demo.page.evaluate('gradlockDemo.step(60)');
  await demo.settled();
  await demo.page.screenshot({ path: FRONT });
  await demo.close();
  console.log('docs/demo.png');
}

if (wanted.includes('docs') && isWanted('leak-lab', ids)) await shootFront();
for (const id of ids.filter((one) => isWanted(one, ids))) {
  if (wanted.includes('docs')) {
    if (SHOWN.includes(id)) await shootForDocs(id);
    continue;
  }
  for (const device of Object.keys(devices)) {
    if (!isWanted(device, Object.keys(devices))) continue;
    for (const look of Object.keys(looks)) {
      if (isWanted(look, Object.keys(looks))) await shoot(device, look, id);
    }
  }
}
await browser.close();
site.close();
