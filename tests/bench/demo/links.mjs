/** Links to long runs: how soon something is to be seen, and how soon all of it. */

import { inEach, opened } from './engines.mjs';

const STEPS = [10_000, 200_000, 3_000_000];
const LONGEST = 300_000;

/** @param {string} site */
export const links = (site) =>
  inEach(async ({ name, open }) => {
    console.log(`\n${name}, a link to so many steps of “Two by two”`);
    console.log('     steps   something is seen   the very step is there');
    for (const steps of STEPS) {
      const page = await open();
      // A page that was there before: what counts is the link, not the browser's start.
      await page.goto(site);
      await opened(page);
      await page.goto('about:blank');
      const began = performance.now();
      await page.goto(`${site}#v=1&scene=two-by-two&optimizer=adam,0.01,0.9,0&step=${steps}`);
      await opened(page);
      const seen = performance.now() - began;
      let step = 0;
      while (step !== steps && performance.now() - began < LONGEST) {
        step = await page.evaluate('gradlockDemo.frame()?.step ?? 0');
        if (step !== steps) await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const there = performance.now() - began;
      const text = step === steps ? `${(there / 1000).toFixed(2)} s` : `only ${step}`;
      console.log(
        `${String(steps).padStart(10)}   ${`${(seen / 1000).toFixed(2)} s`.padStart(17)}   ${text.padStart(22)}`,
      );
      await page.close();
    }
  });
