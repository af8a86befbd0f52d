/** The acts of tours: each does what its sentence says, however often, where a person sees it. */

import assert from 'node:assert/strict';
import { lessons } from '../../web/scenes/lessons.js';
import { demoTest } from './harness.js';

/** Goes to a step, from 1. @param {import('./page.js').DemoPage} demo @param {string} scene @param {number} step */
async function goTo(demo, scene, step) {
  await demo.change({ scene });
  await demo.settled();
  await demo.page.locator('#tour').click();
  for (let at = 1; at < step; at++) {
    await demo.page.evaluate("document.querySelectorAll('.lesson button')[2].click()");
  }
  await demo.settled();
}

/** Presses the button of the acts, and waits for their end. @param {import('./page.js').DemoPage} demo @param {number} steps */
async function act(demo, steps) {
  const { step } = await demo.snapshot();
  await demo.page.evaluate("document.querySelector('.lesson .is-accent').click()");
  await demo.until(`gradlockDemo.frame()?.step === ${step + steps}`);
  await demo.settled();
}

demoTest('locks are those of the sentence, however often its act is done', async (demo) => {
  for (const [
    scene,
    step,
    cells,
    lock,
    steps,
  ] of /** @type {[string, number, number[], number, number][]} */ ([
    ['two-by-two', 4, [1], 0, 50],
    ['words', 5, [0, 1, 2, 3, 4, 5, 6, 7], 0, 100],
    ['graph', 4, [10, 11], 1, 0],
    ['peaks', 5, [2], 0, 50],
  ])) {
    await goTo(demo, scene, step);
    const { locks } = await demo.snapshot();
    for (const cell of cells) locks[cell] = lock;
    for (let time = 0; time < 2; time++) {
      await act(demo, steps);
      assert.deepEqual((await demo.snapshot()).locks, locks, `${scene}, time ${time}`);
    }
  }
});

for (const [
  where,
  options,
] of /** @type {[string, import('playwright-core').BrowserContextOptions][]} */ ([
  ['a desktop', { viewport: { width: 1366, height: 768 } }],
  ['a phone', { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true }],
])) {
  demoTest(
    `on ${where}, what an act changes is in sight below the tour`,
    async (demo) => {
      for (const [scene, step, changed] of /** @type {[string, number, string][]} */ ([
        ['two-by-two', 2, 'gradlock-grid'],
        ['digits', 4, '.is-features'],
        ['lottery', 5, '.is-lottery'],
        ['freeze', 4, '.is-accuracy .figure-canvas'],
        ['freeze', 5, '.is-accuracy .figure-canvas'],
        ['words', 3, '.pane:last-child .is-words .figure-canvas'],
        ['graph', 5, '.is-graph'],
      ])) {
        await goTo(demo, scene, step);
        const acts = lessons[scene][step - 1].acts ?? [];
        const anew = acts.some(
          (one) => 'reset' in one || ('state' in one && 'choices' in one.state),
        );
        const [trained = 0] = acts.flatMap((one) => ('train' in one ? one.train : []));
        const { step: before } = await demo.snapshot();
        await act(demo, anew ? trained - before : trained);
        const [top, bottom, from, to] = /** @type {number[]} */ (
          await demo.page.evaluate((selector) => {
            const box = (/** @type {string} */ part) =>
              /** @type {Element} */ (document.querySelector(part)).getBoundingClientRect();
            const run = box('#run');
            const { top, bottom } = box(selector);
            const end = run.bottom === innerHeight ? run.top : innerHeight;
            return [top, bottom, box('.lesson').bottom, end];
          }, changed)
        );
        const seen = Math.min(bottom, to) - Math.max(top, from);
        const said = `${scene}, step ${step}: of ${[top, bottom]} are ${seen} px in ${[from, to]}`;
        assert.ok(top >= from && seen >= Math.min(bottom - top, 180), said);
      }
    },
    { ...options, reducedMotion: 'reduce' },
  );
}
