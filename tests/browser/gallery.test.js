/* Tier: all. */
/**
 * The ways to the scenes: cards with small pictures in groups, the next one by a key; and the way
 * to Play.
 */

import assert from 'node:assert/strict';
import { groupedScenes, sceneAfter, scenes } from '../../web/scenes/index.js';
import { strings } from '../../web/strings/index.js';
import { demoTest } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

const words = strings.gallery;
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** @param {DemoPage} demo */
const dialog = (demo) => demo.page.getByRole('dialog', { name: words.all });

/** @param {DemoPage} demo */
async function openAll(demo) {
  await demo.page.locator('.scenes-all').click();
  await demo.until("document.querySelector('.card-picture').dataset.frame !== undefined");
}

/** @param {DemoPage} demo */
const sceneOf = async (demo) => (await demo.snapshot()).scene;

demoTest('cards have the scenes in four groups, in the order of the list', async (demo) => {
  await openAll(demo);
  for (const { group, scenes } of groupedScenes) {
    const names = scenes.map(({ id }) => strings.scenes[id].name);
    const section = dialog(demo).getByRole('region', { name: words.groups[group] });
    assert.deepEqual(await section.locator('.card-name').allTextContents(), names);
  }
  const all = groupedScenes.flatMap((group) => group.scenes);
  assert.deepEqual(all, scenes, 'which is that of the list');
});

demoTest('each card has a name, and one sentence; pointed at, its picture moves', async (demo) => {
  await demo.page.emulateMedia({ reducedMotion: 'no-preference' });
  await openAll(demo);
  for (const { id } of scenes) {
    const { name, card } = strings.scenes[id];
    const button = dialog(demo).getByRole('button', { name: `${name} ${card}`, exact: true });
    await button.hover();
    const canvas = `document.querySelector('.card[data-scene="${id}"] canvas')`;
    await demo.until(`${canvas}.dataset.frame !== undefined`);
    const first = await demo.page.evaluate(`${canvas}.toDataURL()`);
    await demo.until(`${canvas}.toDataURL() !== ${JSON.stringify(first)}`);
  }
});

demoTest('where motion is not wanted, the pictures are still, and show the end', async (demo) => {
  await demo.page.emulateMedia({ reducedMotion: 'reduce' });
  await demo.page.evaluate(`window.frames = []; new MutationObserver((changes) => {
    for (const { target } of changes) window.frames.push(target.dataset.frame);
  }).observe(document.querySelector('.gallery'), { subtree: true, attributeFilter: ['data-frame'] })`);
  await openAll(demo);
  for (const { id } of scenes) {
    await dialog(demo).locator(`[data-scene="${id}"]`).scrollIntoViewIfNeeded();
    await demo.until(
      `document.querySelector('.card[data-scene="${id}"] canvas').dataset.frame === '11'`,
    );
  }
  // Each is drawn once.
  assert.deepEqual(
    await demo.page.evaluate('window.frames'),
    scenes.map(() => '11'),
  );
  const look = "document.querySelector('.card-picture').toDataURL()";
  const light = await demo.page.evaluate(look);
  await demo.page.emulateMedia({ colorScheme: 'dark' });
  await demo.until(`${look} !== ${JSON.stringify(light)}`);
});

demoTest(
  'a card opens its scene; Back leads to the one before, Escape only closes',
  async (demo) => {
    await openAll(demo);
    const focused = 'document.activeElement.dataset.scene';
    assert.equal(await demo.page.evaluate(focused), 'two-by-two', 'it begins at the open scene');
    await dialog(demo).getByRole('button', { name: 'Membrane' }).click();
    await demo.until("document.querySelector('.page').dataset.scene === 'membrane'");
    await dialog(demo).waitFor({ state: 'hidden' });
    await demo.settled();
    assert.equal(await sceneOf(demo), 'membrane');
    await demo.page.goBack();
    await demo.until("gradlockDemo.snapshot().then(({ scene }) => scene === 'two-by-two')");
    await openAll(demo);
    await demo.page.keyboard.press('Escape');
    await dialog(demo).waitFor({ state: 'hidden' });
    assert.equal(await sceneOf(demo), 'two-by-two');
  },
);

demoTest('N leads from scene to scene, and from the last to the first', async (demo) => {
  const { keyboard } = demo.page;
  let scene = await sceneOf(demo);
  for (let i = 0; i < scenes.length; i++) {
    await keyboard.press('n');
    scene = sceneAfter(scene).id;
    await demo.until(`document.querySelector('.page').dataset.scene === '${scene}'`);
    await demo.settled();
    assert.equal(await sceneOf(demo), scene);
  }
  assert.equal(scene, 'two-by-two');
  const next = strings.scenes[sceneAfter(scene).id].name;
  await demo.button(words.next(next)).click();
  await demo.until("document.querySelector('.page').dataset.scene === 'membrane'");
  // The page is at its top, and so is the focus.
  assert.equal(await demo.page.evaluate('scrollY'), 0);
  await demo.until("document.activeElement.matches('.play')");
  // Forms that a browser fills in send events without a key.
  await demo.page.evaluate("document.dispatchEvent(new Event('keydown', { bubbles: true }))");
});

demoTest(
  'in a field, with Ctrl, and in the dialog N is a letter; it can be switched off',
  async (demo) => {
    const { page } = demo;
    const stays = async (/** @type {string} */ where) => {
      await page.keyboard.press('n');
      await demo.settled();
      assert.equal(await sceneOf(demo), 'two-by-two', where);
    };
    await page.getByLabel('Learning rate', { exact: true }).focus();
    await stays('in a field');
    await page.getByLabel('Optimizer', { exact: true }).focus();
    await stays('in a list');
    // The cell's field is in the grid's own tree.
    await demo.cell(1, 1).focus();
    await page.keyboard.press('5');
    await stays('in a cell');
    await page.keyboard.press('Escape');
    await demo.button('Play').focus();
    await page.keyboard.down('Control');
    await stays('with Ctrl');
    await page.keyboard.up('Control');
    await openAll(demo);
    await stays('in the dialog');
    await page.keyboard.press('Escape');
    await page.getByLabel(words.key).uncheck();
    await stays('switched off');
    await page.reload();
    await demo.ready();
    await stays('and remembered');
    await page.getByLabel(words.key).check();
    await demo.button('Play').focus();
    await page.keyboard.press('n');
    await demo.until("document.querySelector('.page').dataset.scene === 'membrane'");
  },
);

demoTest(
  'Play is reached within five Tabs, and by the skip link, which leaves the address',
  async (demo) => {
    const { page } = demo;
    const isAtPlay = () => page.evaluate("document.activeElement.matches('.play')");
    await demo.written();
    const hash = await page.evaluate('location.hash');
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name: strings.skip });
    assert.equal(await link.evaluate((one) => one === document.activeElement), true);
    const box = await link.boundingBox();
    assert.ok(box && box.y >= 0 && box.height >= 44, 'it is seen while it has the focus');
    await page.keyboard.press('Enter');
    assert.equal(await isAtPlay(), true);
    assert.equal(await page.evaluate('location.hash'), hash, 'the address is the run’s');
    await page.reload();
    await demo.ready();
    let tabs = 0;
    for (; tabs < 6 && !(await isAtPlay()); tabs++) await page.keyboard.press('Tab');
    assert.ok(tabs <= 5, 'within five Tabs');
  },
  PHONE,
);
