/* Tier: all. */
/**
 * Guess first: a scene asks, an answer starts the run, and the outcome stays until it is closed, or
 * until its locks or its run change.
 */

import assert from 'node:assert/strict';
import { findScene, scenes } from '../../web/scenes/index.js';
import { strings } from '../../web/strings/index.js';
import { demoTest, site } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

const words = strings.guess;

/** @param {string} id */
const guessOf = (id) =>
  /** @type {NonNullable<import('../../web/scenes/scene.js').SceneWords['guess']>} */ (
    strings.scenes[id].guess
  );

/** @param {string} id */
const askedOf = (id) =>
  /** @type {import('../../web/scenes/scene.js').Asked} */ (findScene(id)?.guess);

/** @param {DemoPage} demo */
const line = (demo) => demo.page.locator('#guessed');

/** @param {DemoPage} demo */
const told = async (demo) => (await line(demo).textContent()) ?? '';

/** @param {DemoPage} demo */
const close = (demo) => demo.page.locator('#outcome').getByRole('button', { name: strings.close });

/** @param {DemoPage} demo @param {string} id */
async function open(demo, id) {
  await demo.change({ scene: id });
  await demo.settled();
}

/** Guesses the first answer. @param {DemoPage} demo @param {string} id */
async function guess(demo, id) {
  const [answer] = guessOf(id).answers;
  const more = demo.page.locator('.guess-more');
  if (await more.isVisible()) await more.click();
  await demo.page.locator('#guess').getByRole('button', { name: answer, exact: true }).click();
  await demo.settled();
  return words.made(answer);
}

demoTest(
  'every scene asks, and tells the outcome in the place of the guess until it is closed',
  async (demo) => {
    await demo.change({ scene: 'kernels', seed: 2, choices: { kernels: 'fixed' } });
    await demo.settled();
    assert.equal(await demo.page.locator('#guess').isVisible(), false, 'of other kernels');
    for (const { id } of scenes) {
      await open(demo, id);
      if (id === 'picture') {
        assert.equal(await demo.page.locator('#guess').isVisible(), false, 'no cell is held');
        await demo.page.evaluate('gradlockDemo.toggle(0)');
        await demo.page.locator('#guess').waitFor();
      }
      assert.equal(await demo.page.locator('#guess-question').textContent(), guessOf(id).question);
      const made = await guess(demo, id);
      const { after, of } = askedOf(id);
      assert.equal(await told(demo), made, id);
      if (id === 'lottery') {
        await demo.steps(1500);
        await demo.button('Cut 4 of 5, train again').click();
        await demo.button('Pause').waitFor();
      }
      if (of === 'mask') {
        await demo.page.locator('.hold-switch label', { hasText: 'Mask' }).click();
        await demo.until('gradlockDemo.frame()?.isMasked');
      }
      await demo.steps(after);
      const outcome = await told(demo);
      assert.match(outcome, /^(Right|Not quite)\. .{20}/);
      assert.doesNotMatch(outcome, /NaN|undefined/);
      if (id === 'kernels') {
        await demo.button('Now random ones: locked, then free').click();
        const name = /by hand, 8 locked: 7\d\s%; random, 8 locked: 4\d\s%; random, free: 6\d\s%/;
        await demo.page.getByRole('img', { name }).waitFor();
        continue;
      }
      await close(demo).click();
      const edge = "getComputedStyle(document.querySelector('.scenes-next')).borderTopColor";
      assert.notEqual(await demo.page.evaluate(edge), 'rgba(0, 0, 0, 0)', `${id}: what is next`);
      await demo.steps(1);
      assert.equal(await line(demo).isVisible(), false, `${id}: what is closed stays closed`);
      assert.equal(await demo.page.locator('#guess').isVisible(), false, `${id}: it is asked once`);
    }
  },
);

/** What a person may do between guess and outcome. @type {Record<string, (demo: DemoPage) => Promise<unknown>>} */
const MEANWHILE = {
  'locks another cell': (demo) => demo.page.evaluate('gradlockDemo.toggle(0)'),
  'switches the optimizer': (demo) =>
    demo.page.getByLabel('Optimizer', { exact: true }).selectOption('SGD'),
  'resets the run': (demo) => demo.button('Reset').click(),
  'goes to another scene and back': async (demo) => {
    await open(demo, 'membrane');
    await open(demo, 'leak-lab');
  },
};

demoTest(
  'the outcome comes whatever one does meanwhile, and goes with its locks or its run',
  async (demo) => {
    for (const [what, act] of Object.entries(MEANWHILE)) {
      // Another page: each asks once.
      const address = demo.page.url().replace(/#.*/, '#scene=leak-lab');
      await demo.page.goto('about:blank');
      await demo.page.emulateMedia({ reducedMotion: 'reduce' }); // an answer plays nothing
      await demo.page.goto(address);
      await demo.ready();
      await guess(demo, 'leak-lab');
      await demo.steps(2);
      await act(demo);
      await demo.settled();
      await demo.steps(askedOf('leak-lab').after);
      const outcome = await told(demo);
      assert.match(outcome, /\d|optimizer/, `${what}: ${outcome}`);
      await act(demo);
      await demo.settled();
      const isOther = /locks|resets/.test(what);
      assert.equal(await told(demo), isOther ? '' : outcome, `when one ${what} again`);
    }
  },
);

demoTest('a guess is judged only by a run that has what was asked about', async (demo) => {
  await open(demo, 'leak-lab');
  const made = await guess(demo, 'leak-lab');
  await demo.change({ beside: 'none' });
  await demo.steps(40);
  assert.equal(await told(demo), made);
  await demo.change({ beside: 'mask' });
  await demo.settled();
  assert.match(await told(demo), /^Not quite\. Under the mask, 40 of 40 rolled on/);
  await demo.button('Again without momentum').click();
  await demo.page.getByText('Optimizer: SGD').waitFor();
  assert.equal(await line(demo).isVisible(), false);
  await open(demo, 'membrane');
  await guess(demo, 'membrane');
  await demo.steps(askedOf('membrane').after);
  await demo.button('Lift the middle').click();
  await demo.until('gradlockDemo.snapshot().then(({ locks }) => locks[16 * 33])');
  assert.equal((await demo.snapshot()).bits[16 * 33], 0x3f800000, 'the locked middle is 1');
  // One Undo lowers and frees it, one Redo lifts it again.
  await demo.button('Undo').click();
  await demo.until('gradlockDemo.snapshot().then(({ locks }) => !locks[16 * 33])');
  assert.notEqual((await demo.snapshot()).bits[16 * 33], 0x3f800000);
  await demo.button('Redo').click();
  await demo.until('gradlockDemo.snapshot().then(({ locks }) => locks[16 * 33])');
  assert.equal((await demo.snapshot()).bits[16 * 33], 0x3f800000);
  await open(demo, 'two-by-two');
  await guess(demo, 'two-by-two');
  await demo.steps(150);
  assert.match(await told(demo), /^Not quite\. Locked numbers stayed/);
  await open(demo, 'peaks');
  await guess(demo, 'peaks');
  await demo.page.locator('.cell[aria-pressed=true]').click();
  await demo.steps(askedOf('peaks').after);
  assert.equal(await line(demo).isVisible(), false, 'a guess is about its own locks');
  await open(demo, 'digits');
  await guess(demo, 'digits');
  await demo.steps(askedOf('digits').after);
  assert.match(await told(demo), /of 30 new sixes are read/);
  await demo.page.locator('.pad-sheet').click();
  await demo.settled();
  const drawn = await demo.page.evaluate('gradlockDemo.frame().readings.pad.join()');
  await demo.button('Lock the 9, too').click();
  await demo.steps(askedOf('digits').after);
  await demo.page.getByText('Two blank ones').waitFor();
  const pad = await demo.page.evaluate('gradlockDemo.frame().readings.pad.join()');
  assert.equal(pad, drawn, 'a drawing stays');
});

demoTest('an answer starts the run, and so does none, but not within a tour', async (demo) => {
  await demo.page.emulateMedia({ reducedMotion: 'no-preference' });
  for (const scene of ['membrane', 'leak-lab']) {
    await demo.page.goto('about:blank');
    await demo.page.goto(`${site.url}#scene=${scene}`);
    await demo.ready();
    const start = await demo.page.evaluate('gradlockDemo.frame().step');
    if (scene === 'membrane') await demo.button(words.pass).click();
    else await guess(demo, scene);
    await demo.until(`gradlockDemo.frame().step > ${start}`);
    await demo.button('Pause').click();
  }
  await demo.page.goto(`${site.url}?lesson=two-by-two`);
  await demo.ready();
  await guess(demo, 'two-by-two');
  await demo.settled();
  assert.ok(await demo.button('Play').isVisible());
});

demoTest(
  'who does not guess is told the outcome without a verdict, and not asked again',
  async (demo) => {
    await demo.button(words.pass).click();
    assert.equal(await line(demo).isVisible(), false);
    await demo.steps(askedOf('two-by-two').after);
    assert.match(await told(demo), /^Locked numbers stayed/);
    await close(demo).click();
    await demo.openScene('Membrane');
    await demo.openScene('Two by two');
    assert.equal(await demo.page.locator('#guess').isVisible(), false);
    assert.equal(await line(demo).isVisible(), false);
  },
);

demoTest(
  'on a phone question and outcome are seen above Play, wherever the page is',
  async (demo) => {
    for (const id of ['leak-lab', 'words', 'own']) {
      await open(demo, id);
      for (const part of ['#guess', '#outcome']) {
        for (const at of [0, 500, 99999]) {
          await demo.page.evaluate(`scrollTo(0, ${at})`);
          await demo.settled();
          // In one call: between two the page may move.
          const [box, run] = /** @type {DOMRect[]} */ (
            await demo.page.evaluate(`['${part}', '.play'].map((one) =>
              document.querySelector(one).getBoundingClientRect().toJSON())`)
          );
          assert.ok(box.y > 100 && box.y + box.height <= run.y, `${id}: ${part} at ${box.y}`);
        }
        const cut = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('${part}'))`;
        assert.equal(await demo.page.evaluate(cut), 0, `${id}: all of ${part} is seen`);
        if (part === '#guess') await guess(demo, id);
        await demo.steps(askedOf(id).after);
      }
    }
  },
  { viewport: { width: 390, height: 640 }, hasTouch: true, isMobile: true },
);

demoTest(
  'on a phone each focused element is seen above the question',
  async (demo) => {
    const hidden = `(() => {
      const { activeElement: one } = document;
      const [box, bar] = [one, document.querySelector('#guess')].map((each) => each.getBoundingClientRect());
      const isSeen = one.closest('#run, #guess, .skip') || (box.bottom <= bar.top + 1 && box.bottom > 0);
      return one === document.body ? 'end' : isSeen ? '' : one.outerHTML.slice(0, 80);
    })()`;
    let count = 0;
    for (; count < 150; count++) {
      await demo.page.keyboard.press('Tab');
      await demo.settled();
      const now = await demo.page.evaluate(hidden);
      if (now === 'end') break;
      assert.equal(now, '', `after ${count + 1} tabs`);
    }
    assert.ok(count > 20, `${count} stops`);
  },
  { viewport: { width: 683, height: 384 }, hasTouch: true, isMobile: true },
);
