/**
 * The reference in a browser: its search, its look beside the demo's, and that everyone can use it.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, test } from 'node:test';
import { launchChromium } from './chromium.js';
import { serveSite } from './site.js';
import { until } from './until.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const [browser, site] = await Promise.all([launchChromium(), serveSite()]);
after(async () => {
  await browser.close();
  site.close();
});

/**
 * A page of the site, in which no script may fail.
 * @param {string} path
 * @param {(page: import('playwright-core').Page) => Promise<void>} body
 * @param {import('playwright-core').BrowserContextOptions} [options]
 */
const visit = async (path, body, options) => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  /** @type {string[]} */
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await page.goto(site.url + path);
  await body(page);
  assert.deepEqual(errors, [], path);
  await context.close();
};

test('the search leads to an op, to an option and to a function of C, under the strictest policy', async () => {
  for (const [words, url] of [
    ['clipByValue', 'docs/ops/compare.html#clipbyvalue'],
    ['labelSmoothing', 'docs/js/CrossentropyOptions.html'],
    ['glk_locks_watch', 'docs/c/locks.html#glk_locks_watch'],
  ]) {
    await visit('docs/guide/guide.html', async (page) => {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.locator('#tsd-search-input').fill(words);
      await page.locator('#tsd-search-results a').first().click();
      await page.waitForURL(site.url + url);
    });
  }
});

test('one goes from the demo to the reference and back', async () => {
  await visit('index.html', async (page) => {
    await page.getByRole('link', { name: 'Reference' }).click();
    await page.waitForURL(`${site.url}docs/index.html`);
    await page.getByRole('link', { name: 'Demo', exact: true }).click();
    // Once a run is there, its address says which.
    await page.waitForURL(({ href }) => href.startsWith(`${site.url}index.html`));
    await page.waitForSelector('.cell, .cursor');
  });
});

test('on the page of why frozen weights move, each scene is alive, and shows its whole height', async () => {
  await visit('docs/guide/from-tensorflow.html', async (page) => {
    const frames = page.locator('iframe.scene');
    assert.equal(await frames.count(), 2);
    for (const id of ['leak-lab', 'words']) {
      const frame = page.locator(`iframe[src*="scene=${id}"]`);
      await frame.scrollIntoViewIfNeeded();
      const inside = frame.contentFrame();
      await inside.locator('.cell, .cursor').first().waitFor();
      await inside.getByRole('button', { name: 'Play' }).waitFor();
      // One more is rounding.
      await until(
        page,
        `(({ contentDocument, clientHeight }) =>
        contentDocument.documentElement.scrollHeight <= clientHeight + 1
      )(document.querySelector('iframe[src*="scene=${id}"]'))`,
      );
    }
  });
});

/** What tells the look of a page: its ground, its ink and its type. */
const LOOK = `(({ backgroundColor, color, fontFamily, fontSize, lineHeight }) => ({
  backgroundColor, color, fontFamily, fontSize, lineHeight }))(getComputedStyle(document.body))`;

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  test(`in the ${colorScheme} the reference has the demo's type and colours`, async () => {
    /** @type {unknown[]} */
    const looks = [];
    for (const path of ['index.html', 'docs/guide/guide.html', 'docs/c/status.html']) {
      const look = async (/** @type {import('playwright-core').Page} */ page) => {
        await page.waitForSelector('.cell, .cursor, #tsd-nav-container details');
        looks.push(await page.evaluate(LOOK));
      };
      await visit(path, look, { colorScheme });
    }
    for (const look of looks) assert.deepEqual(look, looks[0]);
  });
}

for (const [colorScheme, width, paths] of /** @type {['light' | 'dark', number, string[]][]} */ ([
  ['light', 390, ['guide/laws.html', 'js/Gradlock.html']],
  ['dark', 1280, ['ops/reduce.html', 'c/locks.html', 'guide/from-tensorflow.html']],
])) {
  test(`axe finds nothing wrong at ${width} px in the ${colorScheme}, and no page is wider`, async () => {
    for (const path of paths) {
      const check = async (/** @type {import('playwright-core').Page} */ page) => {
        await page.waitForSelector('#tsd-nav-container details', { state: 'attached' });
        await page.evaluate(axe);
        const found = await page.evaluate(`axe.run().then(({ violations }) => violations.map(
          ({ id, nodes }) => id + ': ' + nodes.slice(0, 2).map(({ html }) => html).join(' and ')))`);
        assert.deepEqual(found, [], path);
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok(Number(wide) <= 0, `${path} is ${wide} px wider than the window`);
      };
      await visit(`docs/${path}`, check, { colorScheme, viewport: { width, height: 900 } });
    }
  });
}

test('the button makes it dark, and it stays so on the next page', async () => {
  await visit('docs/index.html', async (page) => {
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await ground();
    await page.getByRole('button', { name: 'Light or dark' }).click();
    const dark = await ground();
    assert.notEqual(dark, light);
    await page.getByRole('link', { name: 'Guide', exact: true }).first().click();
    await page.waitForURL(/guide\.html/);
    assert.equal(await ground(), dark);
  });
});
