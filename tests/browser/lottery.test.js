/** The lottery ticket, and by it what a study is on a page: in Chromium, in Firefox and in Node.js the same bits. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { init } from 'gradlock';
import { Study } from '../../web/engine/study.js';
import { lottery } from '../../web/scenes/lottery.js';
import { openingState, setupOf } from '../../web/state/state.js';
import { launchFirefox } from './firefox.js';
import { demoTest, site } from './harness.js';
import { trainRuns } from '../web/lottery-runs.js';
import { until } from './until.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */
/** @typedef {{ key: string, at: number, score: number, digest: string }} End */

const COUNT = 41;
/** The smallest of its networks, for what is not about numbers. */
const SMALL = 'scene=lottery&size=8x8';

/** What a study has found out, in short. @type {string} */
const ENDS = `JSON.stringify(gradlockDemo.study().runs.map(({ recipe, points, digest }) => ({
  key: recipe.key, at: recipe.at, score: points.at(-1)?.readings.testScore[0], digest,
})))`;

/** @param {DemoPage} demo @returns {Promise<End[]>} */
const ends = async (demo) => JSON.parse(await demo.page.evaluate(ENDS));

/** Open it, all anew. @param {DemoPage} demo @param {string} [hash] */
async function open(demo, hash = SMALL) {
  await demo.page.goto('about:blank');
  await demo.page.goto(`${site.url}#${hash}`);
  await demo.ready();
}

/** @param {DemoPage} demo */
async function drawCurve(demo) {
  await demo.button('Draw the curve').click();
  await demo.until(`gradlockDemo.study()?.runs.length === ${COUNT}`);
  await demo.until('!gradlockDemo.study().isRunning');
  await demo.settled();
}

/** @param {DemoPage} demo @param {string} text */
const mark = (demo, text) => demo.page.locator(`.study-point[aria-label^="${text}"]`);

/** The same without a page. @param {number} rows @returns {Promise<End[]>} */
async function endsInNode(rows) {
  const g = await init();
  const setup = setupOf({ ...openingState(lottery), rows, cols: rows });
  const study = new Study(g, lottery, setup, lottery.optimizer);
  study.advance(Infinity);
  /** @type {any[]} */
  const found = [];
  for (const entry of /** @type {any[]} */ (study.log)) {
    if (entry.recipe) found.push({ key: entry.recipe.key, at: entry.recipe.at });
    else Object.assign(found.at(-1), { score: entry.readings.testScore[0], digest: entry.digest });
  }
  g.dispose();
  return found;
}

demoTest('each run of the curve opens to the same bits, and Undo leads back', async (demo) => {
  await open(demo);
  await demo.train(17);
  const before = await demo.snapshot();
  await drawCurve(demo);
  assert.equal((await demo.snapshot()).digest, before.digest, 'the live run stood still');
  const all = await ends(demo);
  assert.deepEqual(all, await endsInNode(8), 'the bits of Node.js');
  for (const [text, key, at] of /** @type {[string, string, number][]} */ ([
    ['Ticket, 100 %', 'ticket', 100],
    ['Ticket, 33 %', 'ticket', 33],
    ['Random, 33 %', 'random', 33],
    ['Ticket, 11 %', 'ticket', 11],
  ])) {
    await mark(demo, text).first().focus();
    await demo.page.keyboard.press('Enter');
    await demo.until('gradlockDemo.frame()?.step === 1500');
    await demo.settled();
    const { digest, locks, values, step } = await demo.snapshot();
    assert.equal(step, 1500);
    assert.equal(digest, all.find((end) => end.key === key && end.at === at)?.digest, text);
    assert.ok(
      locks.every((bit, i) => !bit || values[i] === 0),
      'what is locked is 0',
    );
    assert.deepEqual(await ends(demo), all, 'the curve stays');
    // Who walks on: the mark takes the focus as soon as it is drawn.
    await demo.until(
      `document.activeElement.getAttribute('aria-label')?.startsWith(${JSON.stringify(text)})`,
    );
    await demo.page.keyboard.press('Control+z');
    await demo.until('gradlockDemo.frame()?.step === 17');
    await demo.settled(); // The marks are drawn anew, so the next one can take the focus.
    assert.equal((await demo.snapshot()).digest, before.digest, 'Undo leads back');
  }
});

demoTest('a mark has the focus again after a long replay, and after its Cancel', async (demo) => {
  await open(demo);
  await drawCurve(demo);
  const hasFocus =
    "document.activeElement.getAttribute('aria-label')?.startsWith('Ticket, 33 %') ?? false";
  for (const [steps, leave] of /** @type {[number, () => unknown][]} */ ([
    [3e6, () => demo.button('Cancel').click()],
    [2e5, () => demo.until('gradlockDemo.frame()?.step === 200000')],
  ])) {
    await mark(demo, 'Ticket, 33 %').first().focus();
    await demo.page.evaluate(`(() => {
      window.focused = [];
      addEventListener('focusin', ({ target }) => focused.push(target.textContent));
      location.hash = '#${SMALL}&step=${steps}';
    })()`);
    // A fast replay may be over before anybody looks.
    await demo.until("focused.includes('Cancel')");
    await leave();
    await demo.until(hasFocus);
  }
});

demoTest('who draws the curve is asked no longer, and sees it', async (demo) => {
  await open(demo);
  const question = demo.page.locator('#guess');
  assert.equal(await question.isVisible(), true);
  await drawCurve(demo);
  assert.equal(await question.isVisible(), false);
  assert.equal(await mark(demo, 'Ticket, 33 %').first().isVisible(), true);
  await demo.page.locator('.is-lottery :focus').waitFor();
});

demoTest(
  'one seed gives one curve, another seed another, whatever runs meanwhile',
  async (demo) => {
    await open(demo);
    await demo.steps(60);
    const { digest } = await demo.snapshot();
    await open(demo);
    await demo.button('Draw the curve').click();
    await demo.until('gradlockDemo.study()?.runs.length > 2');
    await demo.steps(60);
    assert.equal((await demo.snapshot()).digest, digest, 'a live run with a study beside it');
    assert.equal(await demo.page.evaluate('gradlockDemo.study().isRunning'), true);
    await demo.until(
      `gradlockDemo.study().runs.length === ${COUNT} && !gradlockDemo.study().isRunning`,
    );
    assert.deepEqual(await ends(demo), await endsInNode(8));
    await demo.change({ seed: 2 });
    await demo.settled();
    assert.equal(await demo.page.evaluate('gradlockDemo.study()'), null, 'of another start');
    assert.equal(await demo.page.locator('.study-point').count(), 0);
  },
);

demoTest('a study that is left has stopped; one that is stopped keeps its runs', async (demo) => {
  await open(demo);
  await demo.button('Draw the curve').click();
  await demo.until('gradlockDemo.study()?.runs.length > 3');
  assert.match(
    (await demo.page.locator('.is-lottery figcaption').textContent()) ?? '',
    /Run \d+ of 41/,
  );
  assert.ok(
    Number(
      await demo.page.locator('.study-progress').evaluate((bar) => Reflect.get(bar, 'value')),
    ) > 0,
  );
  await demo.button('Stop').click();
  await demo.until('!gradlockDemo.study().isRunning');
  await demo.settled();
  const marks = await demo.page.locator('.study-point').count();
  assert.ok(marks > 1 && marks < COUNT);
  await demo.page.waitForTimeout(300);
  assert.equal(await demo.page.locator('.study-point').count(), marks);
  await demo.button('Draw it again').click();
  await demo.until('gradlockDemo.study().isRunning');
  await demo.openScene('Two by two');
  assert.equal(await demo.page.evaluate('gradlockDemo.study()'), null);
  await demo.openScene('Lottery ticket');
  // Of what was drawn nothing is left; as it opens, the scene has runs of its own.
  await demo.until('gradlockDemo.study()?.isKept');
});

test('the runs that the scene brings along are those that the engine trains', async () => {
  const file = new URL('../../web/scenes/lottery-runs.txt', import.meta.url);
  const kept = readFileSync(file, 'utf8').trim().split('\n');
  assert.equal(kept.length, COUNT);
  let at = 0;
  for await (const line of trainRuns()) assert.equal(kept[at++], line);
  assert.equal(at, COUNT);
});

demoTest('as it opens, the curve is there, and drawn again it has the same bits', async (demo) => {
  await open(demo, 'scene=lottery');
  await demo.until('gradlockDemo.study()?.isKept');
  await demo.button('Just show me').click();
  await demo.settled();
  assert.equal(await demo.page.locator('.study-point').count(), COUNT);
  const caption = demo.page.locator('.is-lottery figcaption');
  assert.match((await caption.textContent()) ?? '', /41 runs were trained beforehand/);
  const kept = await ends(demo);
  await mark(demo, 'Ticket, 21 %').first().focus();
  await demo.page.keyboard.press('Enter');
  await demo.until('gradlockDemo.frame()?.step === 1500');
  await demo.settled();
  const { digest } = await demo.snapshot();
  assert.equal(digest, kept.find(({ key, at }) => key === 'ticket' && at === 21)?.digest);
  await demo.button('Draw it again').click();
  await demo.until('gradlockDemo.study().isRunning');
  await demo.until('!gradlockDemo.study().isRunning');
  assert.deepEqual(await ends(demo), kept);
  assert.match((await caption.textContent()) ?? '', /All 41 runs are drawn/);
});

demoTest(
  'kept runs are those of the opening alone, and another optimizer makes them old',
  async (demo) => {
    await open(demo, 'scene=lottery&seed=7');
    assert.equal(await demo.page.evaluate('gradlockDemo.study()'), null);
    await open(demo, 'scene=lottery');
    await demo.until('gradlockDemo.study()?.isKept');
    await demo.page.getByLabel('Optimizer', { exact: true }).selectOption('SGD');
    await demo.settled();
    const caption = demo.page.locator('.is-lottery figcaption');
    assert.match((await caption.textContent()) ?? '', /another optimizer/);
    await demo.change({ choices: { data: 'xor' } });
    await demo.settled();
    assert.equal(await demo.page.evaluate('gradlockDemo.study()'), null);
  },
);

demoTest('a curve of another optimizer says so, until it is drawn again', async (demo) => {
  await open(demo);
  await drawCurve(demo);
  const caption = demo.page.locator('.is-lottery figcaption');
  assert.doesNotMatch((await caption.textContent()) ?? '', /another optimizer/);
  const rate = demo.page.getByLabel('Learning rate', { exact: true });
  await rate.fill('0.05');
  await rate.press('Enter');
  await demo.settled();
  assert.match((await caption.textContent()) ?? '', /another optimizer/);
  const before = await ends(demo);
  await demo.button('Draw it again').click();
  await demo.until('gradlockDemo.study().runs.length < 9');
  await demo.until(
    `gradlockDemo.study().runs.length === ${COUNT} && !gradlockDemo.study().isRunning`,
  );
  await demo.settled();
  assert.doesNotMatch((await caption.textContent()) ?? '', /another optimizer/);
  assert.notDeepEqual(await ends(demo), before);
});

demoTest('arrows lead from mark to mark, and each says its numbers', async (demo) => {
  await open(demo);
  await drawCurve(demo);
  assert.equal(await demo.page.locator('.study-point[tabindex="0"]').count(), 1, 'one tab stop');
  await demo.button('Draw it again').focus();
  await demo.page.keyboard.press('Tab');
  const told = demo.page.locator('.study-told');
  const seen = async () => {
    const label = String(
      await demo.page.evaluate("document.activeElement.getAttribute('aria-label')"),
    );
    assert.ok((await told.textContent())?.startsWith(label), `it is told: ${label}`);
    return label;
  };
  await demo.page.keyboard.press('Home');
  const first = await seen();
  const kind = first.split(',')[0];
  /** @type {[key: string, wanted: RegExp][]} */
  const ways = [
    ['ArrowRight', /, (64|80) %/],
    ['End', /, 11 %/],
    ['ArrowLeft', /, 13 %/],
    ...[...Array(3).fill('ArrowUp'), ...Array(3).fill('ArrowDown')].map(
      (key) => /** @type {[string, RegExp]} */ ([key, /, 13 %/]),
    ),
  ];
  const labels = new Set([first]);
  for (const [key, wanted] of ways) {
    await demo.page.keyboard.press(key);
    assert.match(await seen(), wanted, key);
    labels.add(await seen());
  }
  assert.ok(
    [...labels].some((label) => !label.startsWith(kind)),
    'up and down lead to the other curve',
  );
  assert.equal(await demo.page.locator('.study-point[tabindex="0"]').count(), 1);
});

demoTest('a pointer need only come near a mark; a click opens its run', async (demo) => {
  await open(demo);
  await drawCurve(demo);
  const point = mark(demo, 'Ticket, 100 %');
  await point.scrollIntoViewIfNeeded();
  const box = await point.boundingBox();
  assert.ok(box);
  const [x, y] = [box.x + box.width / 2 - 9, box.y + box.height / 2 + 12];
  await demo.page.mouse.move(x, y);
  assert.match(
    (await demo.page.locator('.study-told').textContent()) ?? '',
    /^Ticket, 100 % kept \(105 of 105\)/,
  );
  await demo.page.mouse.click(x, y);
  await demo.until('gradlockDemo.frame()?.step === 1500');
  const [{ digest }] = await ends(demo);
  assert.equal((await demo.snapshot()).digest, digest);
});

demoTest(
  'prune and rewind: the first values for what is left, and one Undo leads back',
  async (demo) => {
    await open(demo);
    const first = await demo.snapshot();
    const slider = demo.page.getByLabel(/^Weights to keep/);
    await demo.train(30);
    const before = await demo.snapshot();
    await slider.focus();
    await demo.page.keyboard.press('End');
    for (let i = 0; i < 62; i++) await demo.page.keyboard.press('ArrowLeft');
    assert.equal(await slider.getAttribute('aria-valuetext'), '33 %: 35 of 105');
    await demo.button('Prune and rewind').focus();
    await demo.page.keyboard.press('Enter');
    await demo.until('gradlockDemo.frame()?.step === 0');
    await demo.settled();
    const { locks, values, step } = await demo.snapshot();
    assert.equal(step, 0);
    assert.equal(locks.filter(Boolean).length, 70);
    values.forEach((value, i) => {
      assert.equal(value, locks[i] ? 0 : first.values[i]);
    });
    const smallest = Math.min(...before.values.filter((_, i) => !locks[i]).map(Math.abs));
    assert.ok(smallest > 0);
    assert.equal(
      await demo.button('Prune and rewind').getAttribute('aria-disabled'),
      'true',
      'no more to prune',
    );
    await demo.page.keyboard.press('Control+z');
    await demo.until('gradlockDemo.frame()?.step === 30');
    assert.equal(
      await demo.page.evaluate('document.activeElement.textContent'),
      'Prune and rewind',
      'the focus stays',
    );
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /^33 %/, 'and the slider');
    const { digest, locks: after } = await demo.snapshot();
    assert.deepEqual([digest, after], [before.digest, before.locks]);
  },
);

for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
  demoTest(
    `axe finds nothing wrong with a curve in the ${colorScheme}, and nothing scrolls sideways`,
    async (demo) => {
      const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
      await open(demo);
      await drawCurve(demo);
      await demo.page.evaluate(readFileSync(axe, 'utf8'));
      const found = await demo.page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id }) => id))',
      );
      assert.deepEqual(found, []);
      assert.equal(await demo.page.evaluate('document.documentElement.scrollWidth'), 320);
    },
    { viewport: { width: 320, height: 900 }, colorScheme },
  );
}

test('in Firefox the curve has the same bits, and opens', async () => {
  const firefox = await launchFirefox();
  try {
    const page = await firefox.newPage();
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(`${site.url}#${SMALL}`);
    await page.waitForSelector('.is-lottery .button');
    await until(page, 'gradlockDemo.frame()');
    await page.$$eval('.is-lottery .button', (buttons) =>
      /** @type {HTMLElement} */ (buttons[1]).click(),
    );
    await until(
      page,
      `gradlockDemo.study()?.runs.length === ${COUNT} && !gradlockDemo.study().isRunning`,
    );
    const found = JSON.parse(/** @type {string} */ (await page.evaluate(ENDS)));
    assert.deepEqual(found, await endsInNode(8));
    await page.evaluate(
      `document.querySelector('.study-point[aria-label^="Random, 26 %"]').focus()`,
    );
    await page.keyboard.press('Enter');
    await until(page, 'gradlockDemo.frame()?.step === 1500');
    const { digest } = /** @type {{ digest: string }} */ (
      await page.evaluate('gradlockDemo.snapshot()')
    );
    assert.equal(digest, found.find(({ key, at }) => key === 'random' && at === 26)?.digest);
  } finally {
    await firefox.close();
  }
});

test('what the worksheet says was seen is what is measured', async () => {
  const guide = readFileSync(new URL('../../docs/teachers.md', import.meta.url), 'utf8');
  const [, sheet] = guide.split('### Lottery ticket');
  const rows = [
    ...sheet.split('\n### ')[0].matchAll(/^ +\| (\d+) % \| ([\d.]+) % \| ([\d.]+) % \|/gm),
  ];
  assert.ok(rows.length > 5);
  const all = await endsInNode(14);
  const of = (/** @type {string} */ key, /** @type {number} */ at) =>
    all.filter((end) => end.key === key && end.at === at).map(({ score }) => score);
  for (const [, kept, ticket, lots] of rows) {
    const mean = of('random', Number(kept)).reduce((sum, score) => sum + score, 0) / 3;
    assert.equal((100 * of('ticket', Number(kept))[0]).toFixed(1), ticket, `${kept} %`);
    assert.equal((100 * mean).toFixed(1), lots, `${kept} %`);
  }
});
