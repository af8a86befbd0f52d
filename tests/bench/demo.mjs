/**
 * `make bench-demo`: the demo in Chromium, Firefox and, where it is installed, WebKit, one step of Adam per frame on the
 * picture scene. For each size: how many frames come, and what one takes, of the engine (in its worker) and of the main
 * thread (colours, canvas, readouts). Then, in Chromium, how soon the page answers, and what memory does over many frames.
 * Frames are counted, never asserted: machines differ. Nothing draws on a GPU here, and a frame that the browser has yet to
 * bring to the screen counts by coming late, not by its milliseconds.
 * `FRAMES=10000 make bench-demo` for memory over 10,000 frames (the default is 600).
 */

import { launchChromium } from '../browser/chromium.js';
import { launchFirefox } from '../browser/firefox.js';
import { DemoPage } from '../browser/page.js';
import { serveSite } from '../browser/site.js';
import { findWebKit, launchWebKit } from '../browser/webkit.js';

const SIDES = [64, 256, 512, 1024];
const FRAMES = Number(process.env.FRAMES ?? 600);
const SECONDS = 5;

const SCREEN = { width: 1280, height: 800 };

/**
 * What every driver's page has.
 * @typedef {object} Page
 * @property {(url: string) => unknown} goto
 * @property {(script: string) => any} evaluate
 * @property {(selector: string) => unknown} click
 * @property {() => unknown} close
 */
/** How to get a page, and how to end its browser. @typedef {{ open: () => Promise<Page>, close: () => Promise<void> }} Engine */

/** @type {[string, () => Promise<Engine>][]} */
const ENGINES = [
  [
    'Chromium',
    async () => {
      const browser = await launchChromium();
      return {
        open: async () => /** @type {Page} */ (await browser.newPage({ viewport: SCREEN })),
        close: () => browser.close(),
      };
    },
  ],
  [
    'Firefox',
    async () => {
      // Its clocks show whole milliseconds otherwise.
      const browser = await launchFirefox({ 'privacy.reduceTimerPrecision': false });
      return {
        async open() {
          const page = await browser.newPage();
          await page.setViewport(SCREEN);
          return page;
        },
        close: () => browser.close(),
      };
    },
  ],
  [
    'WebKit',
    async () => {
      const browser = await launchWebKit();
      return { open: () => browser.newPage(), close: () => browser.close() };
    },
  ],
];

const site = await serveSite();

/** @param {number[]} numbers */
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
const ms = (/** @type {number} */ time) => `${time.toFixed(2)} ms`.padStart(10);

/** Of times on a clock that shows whole milliseconds, as WebKit's does, the mean is still right. @param {number[]} numbers */
const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

/** Frames, and the main thread's time for each, while it plays. @param {Page} page @param {number} seconds */
const watch = (page, seconds) =>
  page.evaluate(`new Promise((done) => {
    const engine = [];
    const drawing = [];
    const began = performance.now();
    let seen = gradlockDemo.frame();
    const first = seen.step;
    const look = () => {
      const frame = gradlockDemo.frame();
      if (frame !== seen) {
        seen = frame;
        engine.push(frame.engineTime);
        drawing.push(gradlockDemo.drawTime());
      }
      const elapsed = performance.now() - began;
      if (elapsed < ${seconds * 1000}) requestAnimationFrame(look);
      else done({ engine, drawing, elapsed, steps: frame.step - first });
    };
    look();
  })`);

/** Until a scene is open. @param {Page} page */
async function opened(page) {
  const end = performance.now() + 30_000;
  while (!(await page.evaluate('Boolean(globalThis.gradlockDemo?.frame())'))) {
    if (performance.now() > end) throw new Error('no scene within 30 s');
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  await page.evaluate('gradlockDemo.snapshot().then(() => 0)');
}

/** The table of one engine. @param {string} name @param {Engine} engine */
async function tabulate(name, engine) {
  for (const side of SIDES) {
    const page = await engine.open();
    await page.goto(`${site.url}#scene=picture&size=${side}x${side}&speed=60`);
    await opened(page);
    if (side === SIDES[0]) {
      const [width, height] = await page.evaluate('[innerWidth, innerHeight]');
      console.log(`\n${name}, a page of ${width} × ${height}, times are means`);
      console.log('   cells    frames/s      engine    drawing   steps per frame');
    }
    await page.click('.play');
    await watch(page, 1);
    const { engine: computing, drawing, elapsed, steps } = await watch(page, SECONDS);
    const rate = (1000 * computing.length) / elapsed;
    console.log(
      `${String(side).padStart(5)}²  ${rate.toFixed(1).padStart(9)}  ${ms(mean(computing))} ${ms(mean(drawing))}   ${(steps / computing.length).toFixed(2).padStart(8)}`,
    );
    await page.close();
  }
}

for (const [name, launch] of ENGINES) {
  if (name === 'WebKit') {
    try {
      findWebKit();
    } catch (error) {
      console.log(`\nnot in WebKit: ${/** @type {Error} */ (error).message}`);
      continue;
    }
  }
  const engine = await launch();
  try {
    await tabulate(name, engine);
  } finally {
    await engine.close();
  }
}

const browser = await launchChromium();
/** @type {number[]} */
const times = [];
for (let i = 0; i < 5; i++) {
  const first = await DemoPage.open(browser, site.url);
  const [mark] = await first.page.evaluate(() =>
    performance.getEntriesByName('interactive').map(({ startTime }) => startTime),
  );
  times.push(mark);
  await first.close();
}
console.log(
  `\nin Chromium, time to interactive ${ms(median(times))}: from the request to the first frame, with everything cold`,
);

const demo = await DemoPage.open(browser, `${site.url}#scene=membrane&size=64x64&speed=60`);
await demo.page.evaluate("gradlockDemo.change({ beside: 'gradient' })");
const client = await demo.page.context().newCDPSession(demo.page);
const heap = async () => {
  await client.send('HeapProfiler.collectGarbage');
  const { usedSize } = await client.send('Runtime.getHeapUsage');
  return usedSize / 2 ** 20;
};
await demo.button('Play').click();
/** @param {number} frames */
const pass = (frames) =>
  demo.page.evaluate(
    (count) =>
      new Promise((done) => {
        const next = () => (count-- > 0 ? requestAnimationFrame(next) : done(0));
        next();
      }),
    frames,
  );
await pass(120);
const before = await heap();
await pass(FRAMES);
const after = await heap();
console.log(
  `heap of the page after 120 frames ${before.toFixed(2)} MB, after ${FRAMES} more ${after.toFixed(2)} MB`,
);
await browser.close();
site.close();
