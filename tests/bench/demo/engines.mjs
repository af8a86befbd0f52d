/** The browsers that the demo is measured in, and what is alike in all of them. */

import { readdirSync, readFileSync } from 'node:fs';
import { launchChromium } from '../../browser/chromium.js';
import { launchFirefox } from '../../browser/firefox.js';
import { findWebKit, launchWebKit } from '../../browser/webkit.js';

const SCREEN = { width: 1280, height: 800 };

/**
 * What every driver's page has.
 * @typedef {object} Page
 * @property {(url: string) => unknown} goto
 * @property {(script: string) => any} evaluate
 * @property {(selector: string) => unknown} click
 * @property {() => unknown} close
 */
/** How to get a page, and how to end its browser. @typedef {{ name: string, open: () => Promise<Page>, close: () => Promise<void> }} Engine */

/** @type {Record<string, () => Promise<Engine>>} */
const launchers = {
  async Chromium() {
    const browser = await launchChromium();
    return {
      name: 'Chromium',
      open: async () => /** @type {Page} */ (await browser.newPage({ viewport: SCREEN })),
      close: () => browser.close(),
    };
  },
  async Firefox() {
    // Its clocks show whole milliseconds otherwise.
    const browser = await launchFirefox({ 'privacy.reduceTimerPrecision': false });
    return {
      name: 'Firefox',
      async open() {
        const page = await browser.newPage();
        await page.setViewport(SCREEN);
        return page;
      },
      close: () => browser.close(),
    };
  },
  async WebKit() {
    findWebKit();
    const browser = await launchWebKit();
    return { name: 'WebKit', open: () => browser.newPage(), close: () => browser.close() };
  },
};

/** In each that is installed, one after the other. @param {(engine: Engine) => Promise<void>} measure @param {string[]} [names] */
export async function inEach(measure, names = Object.keys(launchers)) {
  for (const name of names) {
    /** @type {Engine} */
    let engine;
    try {
      engine = await launchers[name]();
    } catch (error) {
      console.log(`\nnot in ${name}: ${/** @type {Error} */ (error).message}`);
      continue;
    }
    try {
      await measure(engine);
    } finally {
      await engine.close();
    }
  }
}

/** Until a scene is open. @param {Page} page */
export async function opened(page) {
  const end = performance.now() + 30_000;
  while (!(await page.evaluate('Boolean(globalThis.gradlockDemo?.frame())'))) {
    if (performance.now() > end) throw new Error('no scene within 30 s');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await page.evaluate('gradlockDemo.snapshot().then(() => 0)');
}

/** @param {number[]} numbers */
export const median = (numbers) =>
  [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
export const ms = (/** @type {number} */ time) => `${time.toFixed(2)} ms`.padStart(10);

/** What all processes hold that this one has started, and those that they have, in MB; NaN where /proc does not say. */
export function residentMegabytes() {
  /** @type {Map<number, { parent: number, pages: number }>} */
  const processes = new Map();
  try {
    for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        // A program's name may have spaces and parentheses.
        const stat = readFileSync(`/proc/${id}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        processes.set(Number(id), { parent: Number(stat[1]), pages: Number(stat[21]) });
      } catch {
        // It has just ended.
      }
    }
  } catch {
    return Number.NaN;
  }
  const isOurs = (/** @type {number} */ id) => {
    for (let at = processes.get(id)?.parent ?? 0; at > 1; at = processes.get(at)?.parent ?? 0) {
      if (at === process.pid) return true;
    }
    return false;
  };
  let pages = 0;
  for (const [id, one] of processes) if (isOurs(id)) pages += one.pages;
  return pages / 256;
}
