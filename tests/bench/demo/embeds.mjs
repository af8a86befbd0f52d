/** Twenty embedded pages in one: frames of those in sight, of all others, and how long the page around them waits. */

import { inEach, median, ms } from './engines.mjs';

const COUNT = 20;
const SECONDS = 5;

/** @param {string} site */
export const embeds = (site) =>
  inEach(async ({ name, open }) => {
    const page = await open();
    await page.goto(new URL('teachers-page-that-is-not-there', site).href);
    const { seen, unseen, gaps } = await page.evaluate(`(async () => {
      document.body.replaceChildren(...Array.from({ length: ${COUNT} }, () => {
        const frame = document.createElement('iframe');
        frame.src = ${JSON.stringify(`${site}?embed=1#scene=membrane&size=32x32&speed=60`)};
        frame.style = 'display: block; width: 700px; height: 420px';
        return frame;
      }));
      const pages = () => [...document.querySelectorAll('iframe')].map((one) => one.contentWindow);
      const isThere = (one) => Boolean(one.gradlockDemo?.frame());
      const until = performance.now() + 60_000;
      while (!isThere(pages()[0]) && performance.now() < until) await new Promise((f) => setTimeout(f, 50));
      await new Promise((f) => setTimeout(f, 3000));
      for (const one of pages()) one.document.querySelector('.play')?.click();
      await new Promise((f) => setTimeout(f, 1000));
      const steps = () => pages().map((one) => one.gradlockDemo?.frame()?.step ?? 0);
      const before = steps();
      const gaps = [];
      const began = performance.now();
      let last = began;
      while (last - began < ${SECONDS * 1000}) {
        await new Promise(requestAnimationFrame);
        const now = performance.now();
        gaps.push(now - last);
        last = now;
      }
      const rates = steps().map((step, i) => (step - before[i]) / ${SECONDS});
      const isSeen = [...document.querySelectorAll('iframe')].map(
        (one) => one.getBoundingClientRect().top < innerHeight,
      );
      return {
        gaps,
        seen: rates.filter((_, i) => isSeen[i]),
        unseen: rates.filter((_, i) => !isSeen[i]),
      };
    })()`);
    const list = (/** @type {number[]} */ rates) => rates.map((rate) => rate.toFixed(0)).join(', ');
    console.log(
      `\n${name}, ${COUNT} embedded pages of 32², all played: in sight ${list(seen)} steps/s (60 asked), out of sight ${Math.max(...unseen).toFixed(0)} at most; between frames of the page around ${ms(median(gaps)).trim()}, at most ${ms(Math.max(...gaps)).trim()}`,
    );
    await page.close();
  });
