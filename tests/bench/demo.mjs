/**
 * `make bench-demo`: the demo in Chromium, one step of Adam per frame on the picture scene. For each size: what a frame
 * takes, and of it the engine's part (in its worker) and the main thread's (colours, canvas, readouts), then how soon
 * the page answers, and what memory does over many frames. Frames are counted, never asserted: machines differ.
 * `FRAMES=10000 make bench-demo` for memory over 10,000 frames (the default is 600).
 */

import { launchChromium } from '../browser/chromium.js';
import { DemoPage } from '../browser/page.js';
import { serveSite } from '../browser/site.js';

const SIDES = [64, 256, 512, 1024];
const FRAMES = Number(process.env.FRAMES ?? 600);
const SECONDS = 5;

const browser = await launchChromium();
const site = await serveSite();

/** @param {number[]} numbers */
const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
const ms = (/** @type {number} */ time) => `${time.toFixed(2)} ms`.padStart(10);

/** Frames, and the main thread's time for each, while it plays. @param {DemoPage} demo @param {number} seconds */
const watch = (demo, seconds) =>
  demo.page.evaluate(
    (duration) =>
      new Promise((done) => {
        /** @type {number[]} */
        const engine = [];
        /** @type {number[]} */
        const drawing = [];
        const began = performance.now();
        const { gradlockDemo } = /** @type {any} */ (window);
        let seen = gradlockDemo.frame();
        const first = gradlockDemo.frame().step;
        const look = () => {
          const frame = gradlockDemo.frame();
          if (frame !== seen) {
            seen = frame;
            engine.push(frame.engineTime);
            drawing.push(gradlockDemo.drawTime());
          }
          const elapsed = performance.now() - began;
          if (elapsed < duration) requestAnimationFrame(look);
          else done({ engine, drawing, elapsed, steps: frame.step - first });
        };
        look();
      }),
    seconds * 1000,
  );

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
  `time to interactive ${ms(median(times))}: from the request to the first frame, with everything cold`,
);

console.log('\n   cells    frames/s      engine    drawing   steps per frame');
for (const side of SIDES) {
  const demo = await DemoPage.open(
    browser,
    `${site.url}#scene=picture&size=${side}x${side}&speed=60`,
  );
  await demo.button('Play').click();
  await watch(demo, 1);
  const { engine, drawing, elapsed, steps } = /** @type {any} */ (await watch(demo, SECONDS));
  const rate = (1000 * engine.length) / elapsed;
  console.log(
    `${String(side).padStart(5)}²  ${rate.toFixed(1).padStart(9)}  ${ms(median(engine))} ${ms(median(drawing))}   ${(steps / engine.length).toFixed(2).padStart(8)}`,
  );
  await demo.close();
}

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
  `\nheap of the page after 120 frames ${before.toFixed(2)} MB, after ${FRAMES} more ${after.toFixed(2)} MB`,
);
await browser.close();
site.close();
