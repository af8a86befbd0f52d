/* Pages with a grid, for tests of gradlock/grid: a claim on a fresh page, under a strict policy. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ENGINES, launchEngine } from './browsers.js';
import { KIT, POLICY } from './grid-kit.js';
import { serveFolder } from './site.js';

/** @typedef {import('./visit.js').Page} Page */
/** @typedef {(page: Page, run: (script: string) => Promise<any>) => Promise<void>} Body */

export const root = new URL('../../', import.meta.url);

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
export let served;
/** @type {Partial<Record<import('./browsers.js').Engine, ReturnType<typeof launchEngine>>>} */
const browsers = {};
before(async () => {
  served = await serveFolder(root, POLICY);
});
after(async () => {
  for (const browser of Object.values(browsers)) await (await browser).close();
  served.close();
});

/** @typedef {import('playwright-core').BrowserContextOptions} Options */

/** @param {import('./browsers.js').Engine} engine @param {Options} [options] */
export async function newPage(engine, options) {
  browsers[engine] ??= launchEngine(engine);
  return (await browsers[engine]).newPage(options);
}

/** @param {import('./browsers.js').Engine} engine @param {string} claim @param {Body} body @param {Options} [options] */
const onPage = (engine, claim, body, options) =>
  test(claim, async () => {
    const page = await newPage(engine, options);
    const run = (/** @type {string} */ script) => page.evaluate(`(async () => {${script}})()`);
    await page.goto(`${served.url}tests/browser/blank.html`);
    await run(KIT(served.url));
    await body(page, run);
    assert.deepEqual(await run('return problems;'), [], 'nothing was refused or thrown');
    await page.close();
  });

/** @param {string} claim @param {Body} body @param {Options} [options] of the page, which is then Playwright's */
export const inChromium = (claim, body, options) => onPage('Chromium', claim, body, options);

/** In each engine of this run. @param {string} claim @param {Body} body */
export const inEach = (claim, body) => {
  for (const engine of ENGINES) onPage(engine, `${engine}: ${claim}`, body);
};
