/* Tier: all. */
/** Recorded runs on a page: a curve whose marks open as runs, and what is forgotten without a lock. */

import assert from 'node:assert/strict';
import { demoTest } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

const COUNT = 41;
/** The smallest of its networks, for what is not about numbers. */
const SMALL = '#scene=lottery&size=8x8';

/** The recorded runs, in short. @param {DemoPage} demo @returns {Promise<{ key: string, at: number, digest: string }[]>} */
const ends = async (demo) =>
  JSON.parse(
    await demo.page.evaluate(`JSON.stringify(gradlockDemo.recorded().map(({ key, at, digest }) =>
      ({ key, at, digest })))`),
  );

/** @param {DemoPage} demo @param {string} text */
const mark = (demo, text) => demo.page.locator(`.runs-point[aria-label^="${text}"]`).first();

/** @param {DemoPage} demo */
const caption = async (demo) =>
  (await demo.page.locator('.is-lottery figcaption').textContent()) ?? '';

/** Trains all lines, then the largest fifth from its start. @param {DemoPage} demo */
async function trainFifth(demo) {
  await demo.button('Yes, almost as well as all').click();
  await demo.steps(1500);
  await demo.button('Cut 4 of 5, train again').click();
  await demo.button('Pause').waitFor();
  await demo.steps(1500);
}

/** Opens the random fifth, which comes with its result. @param {DemoPage} demo */
async function openOther(demo) {
  await demo.button('Try a random fifth').click();
  await demo.button('Try the largest fifth').waitFor();
  await demo.until('gradlockDemo.frame()?.step === 1500');
  await demo.settled();
}

demoTest(
  'the curves are there once both tickets have trained; each mark opens its run, and Undo leads back',
  async (demo) => {
    await trainFifth(demo);
    assert.equal(await demo.page.locator('.runs-point.is-random').count(), 0, 'not yet seen');
    await openOther(demo);
    await demo.page.keyboard.press('Control+z');
    await demo.button('Try a random fifth').waitFor();
    await demo.settled();
    await demo.page.keyboard.press('Control+z'); // before the cut
    await demo.button('Cut 4 of 5, train again').waitFor();
    await demo.button('Reset').click();
    await demo.until('gradlockDemo.frame()?.step === 0');
    await demo.settled();
    await demo.train(17);
    const before = await demo.snapshot();
    assert.equal(await demo.page.locator('.runs-point').count(), COUNT);
    assert.match(await caption(demo), /41 runs were trained beforehand/);
    const kept = await ends(demo);
    for (const [text, key, at] of /** @type {[string, string, number][]} */ ([
      ['Largest, 100 %', 'ticket', 100],
      ['Random, 33 %', 'random', 33],
      ['Largest, 11 %', 'ticket', 11],
    ])) {
      await mark(demo, text).focus();
      await demo.page.keyboard.press('Enter');
      await demo.until('gradlockDemo.frame()?.step === 1500');
      await demo.settled();
      const { digest, locks, values } = await demo.snapshot();
      assert.equal(digest, kept.find((end) => end.key === key && end.at === at)?.digest, text);
      assert.ok(
        locks.every((bit, i) => !bit || values[i] === 0),
        'what is locked is 0',
      );
      // The mark takes the focus as soon as it is drawn.
      await demo.until(
        `document.activeElement.getAttribute('aria-label')?.startsWith(${JSON.stringify(text)})`,
      );
      await demo.page.keyboard.press('Control+z');
      await demo.until('gradlockDemo.frame()?.step === 17');
      await demo.settled(); // The marks are drawn anew, so the next one can take the focus.
      assert.equal((await demo.snapshot()).digest, before.digest, 'Undo leads back');
    }
    await demo.change({ seed: 7 });
    await demo.settled();
    await demo.page.locator('.is-tickets').getByText('No recorded runs here.').waitFor();
  },
  undefined,
  '#scene=lottery',
);

demoTest(
  'arrows lead from mark to mark, a pointer need only come near, and each says its numbers',
  async (demo) => {
    const marks = demo.page.locator('.runs-point');
    assert.equal(await marks.count(), 0, 'the curves answer the question');
    await trainFifth(demo);
    assert.ok((await marks.count()) > 0, 'the curve that was seen');
    await openOther(demo);
    assert.equal(await marks.count(), COUNT);
    assert.equal(await demo.page.locator('.runs-point[tabindex="0"]').count(), 1, 'one tab stop');
    await demo.page.locator('.runs-point[tabindex="0"]').focus();
    const told = demo.page.locator('.runs-told');
    const seen = async () => {
      const label = String(
        await demo.page.evaluate("document.activeElement.getAttribute('aria-label')"),
      );
      assert.ok((await told.textContent())?.startsWith(label), `it is told: ${label}`);
      return label;
    };
    const walk = async (/** @type {string} */ key) => {
      const labels = [];
      for (let i = 0; i < COUNT; i++) {
        labels.push(await seen());
        await demo.page.keyboard.press(key);
      }
      return labels;
    };
    const there = await walk('ArrowRight');
    assert.match(`${there[0]} ${there[COUNT - 1]}`, /Random.*Largest/, 'both curves');
    assert.deepEqual((await walk('ArrowDown')).reverse(), there);
    const point = mark(demo, 'Largest, 100 %');
    await point.scrollIntoViewIfNeeded();
    const box = await point.boundingBox();
    assert.ok(box);
    await demo.page.mouse.move(box.x + box.width / 2 - 9, box.y + box.height / 2 + 12);
    assert.match((await told.textContent()) ?? '', /^Largest, 100 % kept \(\d+ of \d+\)/);
  },
  undefined,
  '#scene=lottery',
);

demoTest(
  'Prune and rewind gives what is left its first values, and one Undo leads back',
  async (demo) => {
    const first = await demo.snapshot();
    await demo.train(30);
    const before = await demo.snapshot();
    await demo.page.getByLabel('Prune the smallest').selectOption('67');
    await demo.button('Prune and rewind').focus();
    await demo.page.keyboard.press('Enter');
    await demo.until('gradlockDemo.frame()?.step === 0');
    await demo.settled();
    const { locks, values } = await demo.snapshot();
    assert.equal(locks.filter(Boolean).length, 70);
    values.forEach((value, i) => {
      assert.equal(value, locks[i] ? 0 : first.values[i]);
    });
    await demo.page.keyboard.press('Control+z');
    await demo.until('gradlockDemo.frame()?.step === 30');
    const focused = await demo.page.evaluate('document.activeElement.textContent');
    assert.equal(focused, 'Prune and rewind', 'the focus stays');
    const { digest, locks: after } = await demo.snapshot();
    assert.deepEqual([digest, after], [before.digest, before.locks]);
  },
  undefined,
  SMALL,
);

demoTest(
  'Lottery ticket trains, and by its button locks most at 0 and trains; it pauses at its results',
  async (demo) => {
    const headline = demo.page.locator('.is-tickets .figure-headline');
    await demo.page.emulateMedia({ reducedMotion: 'no-preference' });
    await demo.page.reload();
    await demo.ready();
    await demo.until('gradlockDemo.recorded().length > 0');
    assert.equal(await demo.page.locator('.is-tickets button').isVisible(), false, 'one question');
    await demo.button('Yes, almost as well as all').click();
    const stage = demo.page.locator('.stages > [aria-current="step"]');
    await headline.getByText(/^All 267 lines: 99\s% right\.\s+Are all of them needed\?$/).waitFor();
    await demo.button('Play').waitFor();
    assert.equal(await stage.textContent(), 'Train');
    await demo.button('Cut 4 of 5, train again').click();
    await headline.getByText(/^The largest 56 learn: \d+\s% right.$/).waitFor();
    await demo.until('gradlockDemo.frame()?.step >= 1500');
    await demo.button('Play').waitFor();
    await demo.settled();
    const one = /^All 267: 99\s% right.\nThe largest 56: 99\s% right.$/;
    assert.match((await headline.textContent()) ?? '', one);
    assert.match((await demo.page.locator('#guessed').textContent()) ?? '', /Right/);
    await openOther(demo);
    assert.equal(await demo.page.locator('#guessed').isVisible(), false, 'it was of the other');
    const both = /^The largest 56 suffice: 99\s% right.\nA random 56 do not: 52\s%.$/;
    assert.match((await headline.textContent()) ?? '', both);
    await demo.page.evaluate("document.documentElement.dataset.view = 'simple'");
    await demo.page.locator('#tour').click();
    await demo.page.locator('#grid .grid-name').first().waitFor(); // its cells were folded
  },
  undefined,
  '#scene=lottery',
);

demoTest(
  'Freeze the base says what is read under the lock, and without it once that was seen',
  async (demo) => {
    const headline = demo.page.locator('.is-accuracy .figure-headline');
    await demo.button('Just show me').click();
    await demo.steps(400);
    const told = async () => (await headline.textContent()) ?? '';
    assert.match(await told(), /^Locked: old 9\d\s%, new \d+\s%$/);
    await demo.button('Unlock what it knows').click();
    await demo.settled();
    await demo.steps(100);
    const numbers = (await told()).match(
      /^Locked: old (\d+)\s%, new (\d+)\s%\nUnlocked: old (\d+)\s%, new (\d+)\s%$/,
    );
    const [old, fresh, oldFree, freshFree] = numbers?.slice(1).map(Number) ?? [];
    assert.ok(old >= 90 && oldFree <= 5 && fresh < freshFree, await told());
    // What is forgotten stays so, and is not told of the lock.
    await demo.page.evaluate('gradlockDemo.toggle(2)');
    await demo.settled();
    await demo.steps(1);
    assert.match(await told(), new RegExp(`^Locked: old ${old}\\s%.*\nUnlocked: old \\d\\s%`));
    await demo.written();
    await demo.page.reload();
    await demo.ready();
    assert.match(await told(), /^Unlocked: old \d\s%, new \d+\s%$/);
    await demo.button('Reset').click();
    await demo.settled();
    await demo.steps(20);
    assert.match(await told(), /^Partly free: old \d+\s%, .*\nUnlocked/);
    await demo.page.evaluate("document.documentElement.dataset.view = 'simple'");
    assert.equal(await demo.page.locator('#chart').isVisible(), false, 'one chart, its own');
  },
  {},
  '#scene=freeze',
);
