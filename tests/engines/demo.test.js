/**
 * Engines: all, because each has its own pointers, focus, fingers and compiler. The compact test of the demo: tests/browser
 * goes deeper in Chromium, tests/web without a browser.
 */

import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { inEngine } from '../browser/browsers.js';
import { LISTEN, serveSite } from '../browser/site.js';
import { first } from '../browser/visit.js';
import { launchWebKit } from '../browser/webkit.js';
import { scenes } from '../../web/scenes/index.js';
import { oldLinks } from '../web/old-links.js';
import { inEngines } from './engines.js';

/** @typedef {import('../browser/visit.js').Visit} Visit */

const FILE = pathToFileURL(join(import.meta.dirname, '../../build/gradlock-demo.html')).href;
const SCRUBBER = first('#scrubber input');
const CELL = "document.querySelector('gradlock-grid').shadowRoot.querySelector('.cell')";

/** @param {Visit} visit */
const digestOf = async (visit) => (await visit.snapshot()).digest;

/** @param {Visit} visit */
const shownStep = async (visit) => Number((await visit.text('.step-count')).replace(/\D/g, ''));

/** @param {Visit} visit */
async function lockAndPlay(visit) {
  await visit.click(CELL);
  for (const key of ['ArrowRight', ' ']) await visit.press(key);
  const before = await visit.snapshot();
  assert.deepEqual(before.locks, [1, 0, 1, 0]);
  await visit.click(first('.play'));
  await visit.until('gradlockDemo.frame().step > 20');
  await visit.click(first('.play'));
  const after = await visit.snapshot();
  const moved = after.bits.map((bits, i) => bits !== before.bits[i]);
  assert.deepEqual(moved, [false, true, false, true]);
  assert.ok(after.loss < before.loss);
}

/** The scene's old link leads to its digests. @param {Visit} visit @param {string} id */
async function assertEnds(visit, id) {
  const { link, digest, rival } = oldLinks[id];
  const step = Number(link.match(/step=(\d+)/)?.[1]);
  await visit.until(
    `gradlockDemo.snapshot().then(({ scene, step }) => scene === '${id}' && step === ${step})`,
  );
  const there = await visit.snapshot();
  assert.deepEqual([there.digest, there.rivalDigest], [digest, rival ?? null], id);
}

inEngines({
  async 'cells are locked by click and by keys, and hold their bits while a run plays'(visit) {
    await visit.open('scene=two-by-two');
    await lockAndPlay(visit);
  },

  async 'the old link of every scene ends on its digests'(visit) {
    await visit.open('scene=two-by-two&step=1');
    for (const { id } of scenes) {
      await visit.evaluate(`void (location.hash = ${JSON.stringify(oldLinks[id].link)})`);
      await assertEnds(visit, id);
    }
  },

  async 'the scrubber shows earlier steps, by pointer and keys, and cuts nothing'(visit) {
    await visit.open('scene=leak-lab&beside=mask');
    await visit.steps(60);
    const end = await visit.snapshot();
    await visit.click(SCRUBBER);
    const middle = await shownStep(visit);
    assert.ok(middle > 5 && middle < end.step - 5, `it shows step ${middle}`);
    await visit.evaluate(`${SCRUBBER}.focus()`);
    for (const [key, step] of /** @type {const} */ ([
      ['ArrowLeft', middle - 1],
      ['ArrowRight', middle],
      ['Home', end.step - 60],
      ['End', end.step],
    ])) {
      await visit.press(key);
      assert.equal(await shownStep(visit), step, key);
      assert.equal(await digestOf(visit), end.digest, `${key} only looks`);
    }
  },

  async 'a finger scrolls, unless Draw is on; a tap locks'(visit) {
    await visit.open('scene=picture');
    const before = await visit.snapshot();
    const inside = "document.querySelector('gradlock-grid').shadowRoot";
    /** What a browser makes of a finger: all of it, or its beginning where it scrolls. @param {string[]} types @param {number} down from 0, the top, to 1 */
    const touch = (types, down = 0.5) =>
      visit.evaluate(`(async () => {
        const surface = ${inside}.querySelector('.grid');
        const { left, top, width, height } = surface.getBoundingClientRect();
        surface.setPointerCapture = () => {};
        ${JSON.stringify(types)}.forEach((type, i) => {
          const at = { clientX: left + width * (0.2 + 0.1 * i), clientY: top + height * ${down} };
          surface.dispatchEvent(new PointerEvent(type, { ...at, pointerId: 7, pointerType: 'touch',
            isPrimary: true, button: 0, bubbles: true, cancelable: true, composed: true }));
        });
      })()`);
    const action = () =>
      visit.evaluate(`getComputedStyle(${inside}.querySelector('.grid')).touchAction`);
    const changed = async () => {
      await visit.settled();
      const { locks } = await visit.snapshot();
      return locks.filter((bit, i) => bit !== before.locks[i]).length;
    };
    assert.match(await action(), /pan-y|manipulation/);
    await touch(['pointerdown', 'pointermove', 'pointercancel']);
    assert.equal(await changed(), 0, 'what scrolls locks nothing');
    await touch(['pointerdown', 'pointerup']);
    assert.equal(await changed(), 1);
    // The switch is there where pointers are fingers.
    await visit.evaluate("document.querySelector('gradlock-grid').toggleAttribute('draw', true)");
    assert.doesNotMatch(await action(), /pan|manipulation/);
    await touch(['pointerdown', 'pointermove', 'pointermove', 'pointerup'], 0.05);
    assert.ok((await changed()) > 3);
  },

  async 'a node is dragged, held while it trains, and let go'(visit) {
    await visit.open('scene=graph');
    await visit.steps(100);
    const [x, y] = await visit.evaluate(`(() => {
      const node = document.querySelectorAll('.graph-node')[5];
      node.scrollIntoView({ block: 'center' });
      const { left, top, width, height } = node.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    })()`);
    const { mouse } = visit.page;
    await mouse.move(x, y);
    await mouse.down();
    for (let part = 1; part <= 6; part++) await mouse.move(x - 10 * part, y + 5 * part);
    // The drag sends its position on a shorter timer, and a page's timers come in order.
    await visit.evaluate('new Promise((done) => setTimeout(done, 100))');
    await visit.settled();
    const bits = async () => (await visit.snapshot()).bits.slice(10, 12);
    const held = await bits();
    await visit.steps(20);
    assert.deepEqual(await bits(), held, 'what a drag holds stays');
    await mouse.up();
    await visit.steps(20);
    assert.notDeepEqual(await bits(), held, 'what it let go moves');
  },

  async 'the offline file runs from a disk, to the same digest'(visit) {
    await visit.page.goto(`${FILE}?lang=en#${oldLinks.digits.link}`);
    await visit.until('window.gradlockDemo?.frame()');
    await assertEnds(visit, 'digits');
    await visit.open('scene=two-by-two');
  },
});

inEngine(
  'WebKit',
  'a language that is no language tag is English, without a complaint',
  async () => {
    const webkit = await launchWebKit({ locale: 'C.UTF-8' });
    const site = await serveSite(`${LISTEN} window.language = navigator.language;`);
    try {
      const page = await webkit.newPage();
      await page.goto(`${site.url}#scene=two-by-two`);
      await page.waitForSelector('>>> .cell');
      assert.equal(await page.evaluate('language'), 'C');
      assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
      assert.deepEqual(await page.evaluate('complaints'), []);
    } finally {
      site.close();
      await webkit.close();
    }
  },
);
