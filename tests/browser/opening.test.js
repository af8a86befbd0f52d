/**
 * The opening: a picture that plays until a person acts, the switch to a mask, its drift, the bars
 * of its steps, and a name that is locked in.
 */

import assert from 'node:assert/strict';
import { cellsOfName } from '../../web/scenes/picture/lettering.js';
import { strings, tables } from '../../web/strings/index.js';
import { formatNumber } from '../../web/view/format.js';
import { demoTest, site } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** A test of the page without a link. @param {string} claim @param {(demo: DemoPage) => Promise<void>} body @param {import('playwright-core').BrowserContextOptions} [options] */
const openingTest = (claim, body, options) => demoTest(claim, body, options, '');

/** @param {string} name @param {number} [side] */
const lettersOf = (name, side = 32) => /** @type {number[]} */ (cellsOfName(name, side, side));

/** @param {number[]} locks */
const locked = (locks) => locks.flatMap((bit, i) => (bit ? [i] : []));

/** @param {DemoPage} demo @param {'Lock' | 'Mask'} way */
async function switchTo(demo, way) {
  await demo.page.locator('.hold-switch label', { hasText: way }).click();
  await demo.until(`gradlockDemo.frame()?.isMasked === ${way === 'Mask'}`);
  await demo.settled();
}

/** @param {DemoPage} demo @param {string} name */
async function write(demo, name) {
  await demo.page.getByLabel('Your name', { exact: true }).fill(name);
  await demo.button('Lock it in').click();
  await demo.settled();
}

const told = async (/** @type {DemoPage} */ demo) =>
  (await demo.page.locator('.hold-told .hold-count').textContent())?.replace('· ', '');

/** What is said of the other way's picture, and the colour of its cell 8, 8; null without one. @param {DemoPage} demo */
const otherWay = (demo) =>
  demo.page.evaluate(`(() => {
    const canvas = document.querySelector('.other-way canvas');
    if (!canvas.checkVisibility({ visibilityProperty: true })) return null;
    const [at, pen] = [(8.5 / 32) * canvas.width, new OffscreenCanvas(1, 1).getContext('2d')];
    pen.drawImage(canvas, -at, -at);
    return [canvas.previousSibling.textContent, String(pen.getImageData(0, 0, 1, 1).data)];
  })()`);

openingTest(
  'the picture plays by itself, on when a cell is locked, which then stands still, and as a next scene',
  async (demo) => {
    await demo.until('gradlockDemo.frame()?.step > 3');
    assert.deepEqual(locked((await demo.snapshot()).locks), []);
    await demo.page.reload();
    await demo.until('gradlockDemo.frame()?.step > 12');
    assert.equal(await demo.page.evaluate('location.hash'), '');
    const { x, y } = await demo.pointOf(9, 9, 32);
    await demo.page.mouse.click(x, y);
    await demo.until('gradlockDemo.snapshot().then(({ locks }) => locks.includes(1))');
    const { step, bits, locks } = await demo.snapshot();
    assert.deepEqual(locked(locks), [8 * 32 + 8]);
    await demo.until(`gradlockDemo.frame()?.step > ${step + 3}`);
    const [, before] = /** @type {any[]} */ (await otherWay(demo));
    await demo.button('Pause').click();
    await demo.written();
    const end = await demo.snapshot();
    assert.equal(end.bits[8 * 32 + 8], bits[8 * 32 + 8]);
    assert.notEqual(end.bits[0], bits[0]);
    await demo.steps(200);
    const [mask, after] = /** @type {any[]} */ (await otherWay(demo));
    assert.match(
      mask,
      /^Usual trick, a mask: it fades\.Drifted by 0\.[0-9]+· 1 of 1 held cellThe mask .*shrinks every number\.$/,
    );
    assert.notEqual(after, before, 'which leaks');
    const [was, stays, fades] = await demo.page
      .locator('.hold-crops canvas')
      .evaluateAll((all) => all.map((one) => /** @type {any} */ (one).toDataURL()));
    assert.equal(stays, was, 'the held cells as they were held, and now under the lock');
    assert.notEqual(fades, was, 'and under the mask');
    await demo.page.getByLabel('Optimizer', { exact: true }).selectOption('Adam');
    await demo.settled();
    const [cause] = /** @type {any[]} */ (await otherWay(demo));
    assert.match(cause, /the optimizer remembers earlier ones\.$/);
    await demo.change({ scene: 'own' });
    await demo.button('Next: Picture').click();
    await demo.until('gradlockDemo.frame()?.step > 3');
    await demo.page.goto(`${site.url}?#scene=picture`);
    await demo.until('gradlockDemo.frame()?.step > 3');
  },
  { reducedMotion: 'no-preference' },
);

demoTest(
  'nothing plays by itself with reduced motion, in a frame, in a tour, or from the link of a run',
  async (demo) => {
    for (const address of ['?embed=1', '#scene=picture&step=0', '?lesson=picture', '?embed=0']) {
      const reducedMotion = address.endsWith('0') ? 'reduce' : 'no-preference';
      await demo.page.emulateMedia({ reducedMotion });
      await demo.page.goto(`${site.url}${address}`);
      await demo.ready();
      await demo.button('Play').waitFor();
      assert.equal((await demo.snapshot()).step, 0, address);
    }
  },
);

openingTest(
  'drift goes on from what the mask did, and a name is held the same way',
  async (demo) => {
    await write(demo, 'HOLD');
    const name = lettersOf('HOLD');
    const farthest = () => demo.page.locator('.hold-told .proof-number').textContent();
    await demo.button('No, they drift').click();
    await demo.steps(80);
    assert.equal(await otherWay(demo), null, 'a question is not answered before');
    await switchTo(demo, 'Mask');
    await demo.steps(30);
    const [count, drift] = [await told(demo), await farthest()];
    assert.equal(count, `${name.length} of ${name.length} held cells`);
    const [kept] = /** @type {any[]} */ (await otherWay(demo));
    assert.match(kept, /^A lock: as you held it\.Drifted by 0· 0 of .* held cells$/);
    assert.ok(Number(drift) > 0.1, String(drift));
    const below = await demo.page.locator('#above').textContent();
    assert.equal(below, `Above, ${count} moved, by up to ${drift}.`);
    await switchTo(demo, 'Lock');
    await demo.steps(20);
    const why = () => demo.page.locator('.hold-told .hold-why').textContent();
    const since = [
      'since the lock',
      '0',
      `Before, under the mask: ${count} moved, by up to ${drift}.`,
    ];
    assert.deepEqual([await told(demo), await farthest(), await why()], since);
    assert.deepEqual((await otherWay(demo))?.[0], kept, 'what was held is still beside it');
    assert.equal(await demo.page.locator('#lede').textContent(), strings.lede.again);
    // A reload has the same count.
    await demo.written();
    await demo.page.reload();
    await demo.ready();
    assert.deepEqual([await told(demo), await farthest(), await why()], since);
    await demo.page.evaluate('gradlockDemo.toggle(0)');
    await demo.settled();
    assert.match(String(await why()), RegExp(`: ${name.length} of ${name.length + 1} held cells`));
    await demo.button('Reset').click();
    await demo.settled();
    assert.match(String(await told(demo)), /^0 of /);
  },
);

openingTest(
  'under the lock the name keeps every bit, under the mask it drifts, and Undo brings it back',
  async (demo) => {
    await write(demo, 'HOLD');
    const name = lettersOf('HOLD');
    const start = await demo.snapshot();
    assert.deepEqual([start.scene, start.step], ['picture', 0]);
    assert.deepEqual(locked(start.locks), name);
    assert.ok(name.every((cell) => start.values[cell] === -1));
    await demo.steps(100);
    const held = await demo.snapshot();
    assert.ok(held.loss < 0.5 * start.loss, `${held.loss}: the picture has grown`);
    assert.ok(name.every((cell) => held.bits[cell] === start.bits[cell]));
    assert.equal(await told(demo), `0 of ${name.length} held cells`);

    await switchTo(demo, 'Mask');
    await demo.steps(100);
    const text = `${name.length} of ${name.length} held cells moved, by up to 0.3`;
    await demo.page.locator('#speech', { hasText: text }).waitFor();
    await demo.page.keyboard.press('Control+z');
    await demo.until(`gradlockDemo.snapshot().then((now) => now.digest === '${held.digest}')`);
    await demo.settled();
    assert.equal(await demo.page.getByLabel('Lock', { exact: true }).isChecked(), true);
    await demo.steps(300);
    const lede = await demo.page.locator('#lede').textContent();
    assert.equal(lede, Reflect.get(tables.en.scenes.picture, 'ledeDrifted'));
  },
);

openingTest(
  'a typed name is in the link, in the next picture and size, and after a reload',
  async (demo) => {
    await write(demo, 'Zoë');
    const name = lettersOf('Zoë');
    assert.deepEqual(locked((await demo.snapshot()).locks), name);
    await demo.steps(9);
    await switchTo(demo, 'Mask');
    await demo.steps(6);
    const { digest } = await demo.snapshot();
    const link = /** @type {string} */ (await demo.page.evaluate('gradlockDemo.link()'));
    await demo.change({ choices: { picture: 'heart' } });
    assert.deepEqual(locked((await demo.snapshot()).locks), name);
    await demo.page.reload();
    await demo.ready();
    assert.equal(await demo.page.getByLabel('Your name', { exact: true }).inputValue(), 'Zoë');
    await demo.change({ rows: 64, cols: 64 });
    const large = await demo.snapshot();
    assert.deepEqual(locked(large.locks), lettersOf('Zoë', 64));
    await demo.page.goto(link.replace('?', '?other&'));
    await demo.ready();
    const opened = await demo.snapshot();
    assert.deepEqual([opened.digest, opened.step, opened.isMasked], [digest, 15, true]);
    assert.equal(await demo.page.getByLabel('Mask', { exact: true }).isChecked(), true);
  },
);

openingTest(
  'a name that cannot be written is refused in words, and changes nothing',
  async (demo) => {
    const { digest } = await demo.snapshot();
    for (const name of ['Вова', '', 'W'.repeat(24)]) {
      await write(demo, name);
      assert.equal(
        await demo.page.locator('.hold-problem').textContent(),
        strings.lockOrMask.unwritable,
        name,
      );
      assert.equal((await demo.snapshot()).digest, digest);
    }
    await write(demo, 'Ana');
    assert.equal(await demo.page.locator('.hold-problem').textContent(), '');
  },
);

openingTest('a small cell that is pointed at says its value, and if it is locked', async (demo) => {
  const { page } = demo;
  const tag = page.locator('.cell-tag:visible');
  const { x, y } = await demo.pointOf(5, 30, 32);
  await page.mouse.move(x, y);
  const { values } = await demo.snapshot();
  assert.equal(await tag.textContent(), formatNumber(values[4 * 32 + 29]));
  assert.equal(await page.locator('.cell-tag.is-locked').count(), 0);
  await page.mouse.click(x, y);
  await page.locator('.cell-tag.is-locked').waitFor();
  await page.mouse.move(x, 5);
  assert.equal(await page.locator('.cell-ring:visible').count(), 0);
  await demo.change({ scene: 'two-by-two' });
  await demo.cell(1, 1).hover();
  await page.locator('.cell-ring:visible').waitFor();
  assert.equal(await tag.count(), 0, 'a cell with a number needs none');
  const fillOf = (/** @type {import('playwright-core').Locator} */ part) =>
    part.evaluate(({ style }) => style.getPropertyValue('--fill'));
  const goal = await fillOf(demo.cell(1, 1).locator('.cell-goal'));
  assert.notEqual(await fillOf(demo.cell(1, 1)), goal);
  await demo.steps(400);
  assert.equal(await fillOf(demo.cell(1, 1)), goal, 'it has come to the colour of its goal');
});

openingTest('the switch is reached by five Tabs at most, and flipped by an arrow', async (demo) => {
  const { keyboard } = demo.page;
  const isThere = () => demo.page.evaluate("document.activeElement.matches('.hold-switch input')");
  let tabs = 0;
  while (!(await isThere())) {
    assert.ok(tabs++ < 5, 'within five Tabs');
    await keyboard.press('Tab');
  }
  await keyboard.press('ArrowRight');
  await demo.until('gradlockDemo.frame()?.isMasked');
  await keyboard.press('ArrowLeft');
  await demo.until('gradlockDemo.frame()?.isMasked === false');
});

demoTest('an address of the picture without a name opens the picture of the page', async (demo) => {
  for (const [address, ...wanted] of [
    ['#size=2x2&seed=1&step=3', 'two-by-two', 2, 3, 'adam'],
    ['#scene=picture&picture=evening', 'picture', 228, 0, 'adamW'],
  ]) {
    await demo.page.goto('about:blank');
    await demo.page.goto(`${site.url}${address}`);
    await demo.ready();
    const { locks, scene, step, optimizer } = await demo.snapshot();
    assert.deepEqual([scene, locked(locks).length, step, optimizer.rule], wanted);
  }
});
