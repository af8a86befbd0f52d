/** Frames: one step of Adam each, on the picture scene. */

import { inEach, ms, opened } from './engines.mjs';

/** @typedef {import('./engines.mjs').Page} Page */
/** @typedef {import('./engines.mjs').Engine} Engine */

const SIDES = [64, 256, 512, 1024];
const SECONDS = 5;

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

/** @param {string} site */
export const frames = (site) =>
  inEach(async ({ name, open }) => {
    for (const side of SIDES) {
      const page = await open();
      await page.goto(`${site}#scene=picture&size=${side}x${side}&speed=60`);
      await opened(page);
      if (side === SIDES[0]) {
        const [width, height] = await page.evaluate('[innerWidth, innerHeight]');
        console.log(`\n${name}, a page of ${width} × ${height}, times are means`);
        console.log('   cells    frames/s      engine    drawing   steps per frame');
      }
      await page.click('.play');
      await watch(page, 1);
      const { engine, drawing, elapsed, steps } = await watch(page, SECONDS);
      const rate = (1000 * engine.length) / elapsed;
      console.log(
        `${String(side).padStart(5)}²  ${rate.toFixed(1).padStart(9)}  ${ms(mean(engine))} ${ms(mean(drawing))}   ${(steps / engine.length).toFixed(2).padStart(8)}`,
      );
      await page.close();
    }
  });
