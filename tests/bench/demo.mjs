/**
 * `make bench-demo`: the demo in Chromium, Firefox and, where it is installed, WebKit. Frames for each size, long links,
 * twenty embedded pages, how soon the page answers, and memory. Counted, never asserted: machines differ. Nothing draws on
 * a GPU here, and a frame that the browser has yet to bring to the screen counts by coming late, not by its milliseconds.
 * `PARTS=frames,links` for some of it; `MINUTES=60 PARTS=memory make bench-demo` for an hour of memory in each browser.
 */

import { launchChromium } from '../browser/chromium.js';
import { DemoPage } from '../browser/page.js';
import { serveSite } from '../browser/site.js';
import { embeds } from './demo/embeds.mjs';
import { median, ms } from './demo/engines.mjs';
import { frames } from './demo/frames.mjs';
import { links } from './demo/links.mjs';
import { memory } from './demo/memory.mjs';

/** How soon the page answers, with everything cold. @param {string} site */
async function interactive(site) {
  const browser = await launchChromium();
  /** @type {number[]} */
  const times = [];
  for (let i = 0; i < 5; i++) {
    const first = await DemoPage.open(browser, site);
    const [mark] = await first.page.evaluate(() =>
      performance.getEntriesByName('interactive').map(({ startTime }) => startTime),
    );
    times.push(mark);
    await first.close();
  }
  console.log(
    `\nin Chromium, time to interactive ${ms(median(times))}: from the request to the first frame, with everything cold`,
  );
  await browser.close();
}

const parts = { frames, links, embeds, interactive, memory };
const wanted = process.env.PARTS?.split(',') ?? Object.keys(parts);
const site = await serveSite();
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.includes(name)) await measure(site.url);
}
site.close();
