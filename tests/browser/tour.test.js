/* Tier: all. */
/** Tours: each is taken to its end by keys, in sight, and its actions do what their sentences say. */

import assert from 'node:assert/strict';
import { findScene, scenes } from '../../web/scenes/index.js';
import { strings } from '../../web/strings/index.js';
import { demoTest, site } from './harness.js';

const PHONE = /** @type {import('playwright-core').BrowserContextOptions} */ ({
  ...{ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  reducedMotion: 'reduce',
});

/** Runs in the page: what is wrong with the position of a tour's step. @returns {string} */
function unseen() {
  const box = (/** @type {string} */ part) =>
    /** @type {Element} */ (document.querySelector(part)).getBoundingClientRect();
  const run = /** @type {Element} */ (document.querySelector('#run'));
  // On a phone the run bar covers the screen's lower edge, unless it is scrolled to.
  const isBar = box('#run').bottom === innerHeight && !run.matches('.is-pointed-at');
  const end = isBar ? box('#run').top : innerHeight;
  const next = [...document.querySelectorAll('.lesson button')][2].getBoundingClientRect();
  for (const [name, { top, bottom }] of Object.entries({ text: box('.lesson-text'), next }))
    if (top < 0 || bottom > end) return `${name} is at ${top} to ${bottom} of ${end}`;
  const { top, bottom } = box('.is-pointed-at');
  const seen = Math.min(bottom, end) - Math.max(top, box('.lesson').bottom);
  return seen >= Math.min(bottom - top, 100) ? '' : `${seen} px of what it is about are seen`;
}

demoTest(
  'every tour is taken to its end by keys, and no step of it leaves a phone’s screen',
  async (demo) => {
    const press = (/** @type {string} */ name) => demo.button(name).press('Enter');
    for (const { id } of scenes) {
      await demo.change({ scene: id });
      await demo.settled();
      await press('Tour');
      for (let step = 0; step < 5; step++) {
        await demo.until(
          "document.querySelector('.is-pointed-at').getBoundingClientRect().height > 0",
        );
        await demo.settled();
        assert.equal(await demo.page.evaluate(unseen), '', `${id}, step ${step + 1}`);
        if (await demo.button('Do it').isVisible()) {
          await press('Do it');
          await demo.settled();
        }
        await press(step < 4 ? 'Next' : 'Done');
      }
      assert.equal(await demo.page.locator('.lesson').isVisible(), false);
      assert.equal(await demo.message().count(), 0, id);
    }
    await press('Tour');
    await press('Skip the tour');
    assert.equal(await demo.page.locator('.lesson').isVisible(), false);
  },
  PHONE,
);

demoTest('a tour begins with its scene’s guess, and is reached by Tab alone', async (demo) => {
  const { page } = demo;
  await page.goto(`${site.url}?lang=en&lesson=leak-lab`);
  await demo.ready();
  const press = async (/** @type {string} */ name) => {
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate('document.activeElement.textContent')) !== name) continue;
      await page.keyboard.press('Enter');
      return;
    }
    assert.fail(`no button ${name}`);
  };
  const { lesson } = strings.scenes['leak-lab'];
  const text = page.locator('.lesson-text');
  assert.equal(await page.locator('.lesson-count').textContent(), '1 of 5');
  assert.equal(await text.textContent(), `${lesson[0]} ${strings.lesson.guess}`);
  assert.equal(await page.locator('#guess.is-pointed-at').count(), 1);
  await page.locator('#guess').getByRole('button', { name: 'A few' }).click();
  assert.equal(await page.locator('#grid.is-pointed-at').count(), 1, 'it is asked no more');
  await press('Next');
  assert.equal(await text.textContent(), lesson[1]);
  await press('Do it');
  await demo.settled();
  assert.ok((await demo.snapshot()).step > 8);
});

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

/** Presses the button of the actions, and waits for their end. @param {import('./page.js').DemoPage} demo @param {number} steps */
async function act(demo, steps) {
  const { step } = await demo.snapshot();
  await demo.page.evaluate("document.querySelector('.lesson .is-accent').click()");
  await demo.until(`gradlockDemo.frame()?.step === ${step + steps}`);
  await demo.settled();
}

demoTest('locks are those of the sentence, however often its action is done', async (demo) => {
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
    ['peaks', 5, [6], 0, 50],
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

demoTest(
  'on a phone, what an action changes is in sight below the tour',
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
      const actions = findScene(scene)?.tour[step - 1].actions ?? [];
      const isReset = actions.some(
        (one) => 'reset' in one || ('state' in one && 'choices' in one.state),
      );
      const [trained = 0] = actions.flatMap((one) => ('train' in one ? one.train : []));
      const { step: before } = await demo.snapshot();
      await act(demo, isReset ? trained - before : trained);
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
      const text = `${scene}, step ${step}: of ${[top, bottom]} are ${seen} px in ${[from, to]}`;
      assert.ok(top >= from && seen >= Math.min(bottom - top, 180), text);
    }
  },
  PHONE,
);
