/** Guess first: each scene asks, the outcome comes whatever a person does meanwhile, and stays until it is closed. */

import assert from 'node:assert/strict';
import { guesses } from '../../web/scenes/guesses.js';
import { scenes } from '../../web/scenes/index.js';
import { strings } from '../../web/strings/index.js';
import { demoTest } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

const words = strings.guess;

/** @param {string} id */
const guessOf = (id) =>
  /** @type {import('../../web/strings/en.js').GuessStrings} */ (strings.scenes[id].guess);

/** @param {DemoPage} demo */
const line = (demo) => demo.page.locator('#guessed');

/** @param {DemoPage} demo */
const close = (demo) => demo.page.locator('#outcome').getByRole('button', { name: words.close });

/** Opens a scene, as a link does. @param {DemoPage} demo @param {string} id */
async function open(demo, id) {
  await demo.change({ scene: id });
  await demo.settled();
}

/** Guesses the first answer. @param {DemoPage} demo @param {string} id */
async function guess(demo, id) {
  const [answer] = guessOf(id).answers;
  await demo.page.locator('#guess').getByRole('button', { name: answer, exact: true }).click();
  await demo.settled();
  return words.made(answer);
}

demoTest(
  'every scene asks, and tells the outcome beside the guess until it is closed',
  async (demo) => {
    for (const { id } of scenes) {
      await open(demo, id);
      assert.ok(await demo.page.locator('#guess').isVisible(), id);
      assert.equal(await demo.page.locator('#guess-question').textContent(), guessOf(id).question);
      const made = await guess(demo, id);
      const { after, of } = guesses[id];
      if (after > 0) {
        assert.equal(await line(demo).textContent(), made, id);
        assert.equal(await close(demo).isVisible(), false, `${id}: there is no outcome to close`);
      }
      if (of === 'mask') await demo.page.locator('.hold-switch label', { hasText: 'Mask' }).click();
      if (of === 'mask') await demo.until('gradlockDemo.frame()?.isMasked');
      await demo.steps(after);
      const told = (await line(demo).textContent()) ?? '';
      assert.ok(told.startsWith(`${made} `) && told.length > made.length + 20, `${id}: ${told}`);
      assert.doesNotMatch(told, /NaN|undefined/);
      await demo.button('Reset').click();
      await demo.settled();
      assert.equal(await line(demo).textContent(), told, `${id}: it stays after Reset`);
      await close(demo).click();
      assert.equal(await line(demo).isVisible(), false);
      await demo.steps(1);
      assert.equal(await line(demo).isVisible(), false, `${id}: what is closed stays closed`);
      assert.equal(await demo.page.locator('#guess').isVisible(), false, `${id}: it is asked once`);
    }
  },
);

/** What a person may do between guess and outcome. @type {Record<string, (demo: DemoPage) => Promise<unknown>>} */
const MEANWHILE = {
  'locks another cell': (demo) => demo.page.evaluate('gradlockDemo.toggle(0)'),
  'frees all cells': (demo) => demo.button('Free all').click(),
  'switches the optimizer': (demo) =>
    demo.page.getByLabel('Optimizer', { exact: true }).selectOption('SGD'),
  'looks at something else beside': (demo) => demo.change({ beside: 'gradient' }),
  'resets the run': (demo) => demo.button('Reset').click(),
  'plays and pauses': async (demo) => {
    await demo.page.locator('.play').click();
    await demo.until('gradlockDemo.frame().step > 12');
    await demo.page.locator('.play').click();
  },
  'goes to another scene and back': async (demo) => {
    const { scene } = await demo.snapshot();
    await open(demo, 'membrane');
    await open(demo, scene);
  },
};

for (const id of ['two-by-two', 'leak-lab', 'words', 'graph', 'picture']) {
  demoTest(`${id}: the outcome comes, whatever a person does meanwhile`, async (demo) => {
    for (const [what, act] of Object.entries(MEANWHILE)) {
      // Another page: each asks once.
      const url = new URL(demo.page.url());
      await demo.page.goto('about:blank');
      await demo.page.goto(`${url.origin}${url.pathname}#scene=${id}`);
      await demo.ready();
      const made = await guess(demo, id);
      await demo.steps(2);
      await act(demo);
      await demo.settled();
      await demo.steps(id === 'picture' ? 400 : guesses[id].after);
      const told = (await line(demo).textContent()) ?? '';
      assert.match(told.slice(made.length), /\d|optimizer/, `${what}: ${told}`);
      assert.ok(await close(demo).isVisible(), what);
      await act(demo);
      await demo.settled();
      assert.equal(await line(demo).textContent(), told, `it stays when one ${what} again`);
    }
  });
}

demoTest(
  'of a run that lost what was asked about, the outcome is that of the opening',
  async (demo) => {
    await open(demo, 'leak-lab');
    await guess(demo, 'leak-lab');
    await demo.change({ beside: 'none' });
    await demo.steps(40);
    const told = (await line(demo).textContent()) ?? '';
    assert.match(
      told,
      /In the run as the scene opens it: Under the mask, 28 of 28 .* by up to 0\.43/,
    );
    await open(demo, 'two-by-two');
    await guess(demo, 'two-by-two');
    await demo.page.locator('.cell[aria-pressed=true]').first().click();
    await demo.steps(40);
    assert.match((await line(demo).textContent()) ?? '', /None of the 1 locked cells has moved/);
  },
);

demoTest('who does not guess is not asked again', async (demo) => {
  assert.ok(await demo.page.locator('#guess').isVisible());
  await demo.button(words.pass).click();
  await demo.openScene('Membrane');
  await demo.openScene('Two by two');
  assert.equal(await demo.page.locator('#guess').isVisible(), false);
  assert.equal(await line(demo).isVisible(), false);
});

demoTest(
  'before the guess Lottery ticket has empty axes: its curves would answer it',
  async (demo) => {
    await open(demo, 'lottery');
    await demo.until('gradlockDemo.study()?.isKept');
    const seen = () =>
      demo.page.evaluate(`['axes text', 'line', 'point', 'told'].map((part) =>
      document.querySelector('.study-' + part).checkVisibility({ visibilityProperty: true }))`);
    assert.deepEqual(await seen(), [true, false, false, false]);
    await guess(demo, 'lottery');
    assert.deepEqual(await seen(), [true, true, true, true]);
  },
);

for (const height of [640, 844]) {
  demoTest(
    `on a phone of ${height} px question and outcome are seen above Play, wherever the page is`,
    async (demo) => {
      for (const { id } of scenes) {
        await open(demo, id);
        for (const part of ['#guess', '#outcome']) {
          for (const at of [0, 200, 500, 99999]) {
            await demo.page.evaluate(`scrollTo(0, ${at})`);
            await demo.settled();
            // In one call: between two the page may move.
            const [box, run] = /** @type {DOMRect[]} */ (
              await demo.page.evaluate(`['${part}', '.play'].map((one) =>
                document.querySelector(one).getBoundingClientRect().toJSON())`)
            );
            assert.ok(box.y > 100 && box.y + box.height <= run.y, `${id}: ${part} at ${box.y}`);
          }
          const shown = demo.page.locator(part);
          const cut = await shown.evaluate((one) => one.scrollHeight - one.clientHeight);
          assert.equal(cut, 0, `${id}: all of ${part} is seen`);
          if (part === '#guess') await guess(demo, id);
          await demo.steps(id === 'picture' ? 400 : guesses[id].after);
        }
      }
    },
    { viewport: { width: 390, height }, hasTouch: true, isMobile: true },
  );
}

for (const [over, steps, size] of /** @type {const} */ ([
  ['#run', 0, { width: 390, height: 844 }],
  ['#guess', -1, { width: 390, height: 844 }],
  ['#guess', -1, { width: 683, height: 384 }],
  ['#outcome', 40, { width: 390, height: 844 }],
])) {
  demoTest(
    `at ${size.width} × ${size.height} px whatever Tab comes to is seen above ${over}`,
    async (demo) => {
      if (steps >= 0) await guess(demo, 'two-by-two');
      if (steps > 0) await demo.steps(steps);
      const hidden = `(() => {
      const { activeElement: one } = document;
      const [box, bar] = [one, document.querySelector('${over}')].map((each) => each.getBoundingClientRect());
      const isSeen = one.closest('#run, #guess, #outcome, .skip') || (box.bottom <= bar.top + 1 && box.bottom > 0);
      return { end: one === document.body, hidden: isSeen ? '' : one.outerHTML.slice(0, 80) };
    })()`;
      let count = 0;
      for (; ; count++) {
        await demo.page.keyboard.press('Tab');
        await demo.settled();
        const now = /** @type {{ end: boolean, hidden: string }} */ (
          await demo.page.evaluate(hidden)
        );
        if (now.end || count > 150) break;
        assert.equal(now.hidden, '', `after ${count + 1} tabs`);
      }
      assert.ok(count > 20, `${count} stops`);
    },
    { viewport: size, hasTouch: true, isMobile: true },
  );
}
