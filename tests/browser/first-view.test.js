/**
 * The first view: a page that fits, stands still, speaks the visitor's language, and is simple.
 */

import assert from 'node:assert/strict';
import { scenes } from '../../web/scenes/index.js';
import { browser, demoTest, site } from './harness.js';
import { until } from './until.js';
import { snapshotOf } from './visit.js';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

/** A page as a first visit sees it. @param {import('playwright-core').BrowserContextOptions} options @param {string} [address] */
async function visit(options, address = '') {
  const context = await browser.newContext({ serviceWorkers: 'block', ...options });
  const page = await context.newPage();
  await page.addInitScript(() => {
    const seen = Object.assign(window, { shift: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { value, hadRecentInput } = /** @type {any} */ (entry);
        if (!hadRecentInput) seen.shift += value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(site.url + address);
  await page.locator('.cell, .cursor').first().waitFor({ state: 'attached' });
  return page;
}

demoTest('no scene moves under the reader: layout shift stays below 0.1', async () => {
  for (const options of [{ viewport: { width: 1366, height: 660 } }, PHONE]) {
    for (const id of ['picture', 'leak-lab', 'network', 'peaks']) {
      const page = await visit(options, `#scene=${id}`);
      await page.evaluate('gradlockDemo.step(40)');
      await page.waitForTimeout(150);
      const shift = Number(await page.evaluate('shift'));
      assert.ok(shift < 0.1, `${id}: ${shift.toFixed(3)} at ${options.viewport.width} px`);
      await page.context().close();
    }
  }
});

/** Controls and words that are in sight, but for cells, nodes and marks, headings of grids and axes. Runs in the page. */
function inSight() {
  const isSeen = (/** @type {DOMRect} */ box) =>
    box.width > 1 && box.height > 1 && box.top < innerHeight && box.bottom > 0;
  const seen = { visibilityProperty: true };
  const controls = [
    ...document.querySelectorAll('button, input, select, textarea, summary, a[href]'),
  ]
    .filter((one) => !one.matches('.grid-name, .graph-node, .runs-point'))
    .filter((one) => one.checkVisibility(seen) && isSeen(one.getBoundingClientRect()));
  /** @type {string[]} */
  const words = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const { parentElement: host } = node;
    const range = document.createRange();
    range.selectNodeContents(node);
    const isRead = host && !host.closest('svg, option, script, noscript, .out-of-sight');
    if (!isRead || !host.checkVisibility(seen) || !isSeen(range.getBoundingClientRect())) continue;
    words.push(
      ...String(node.textContent)
        .split(/\s+/)
        .filter((word) => /\p{L}/u.test(word)),
    );
  }
  return { controls: controls.map(({ outerHTML }) => outerHTML.slice(0, 80)), words };
}

demoTest('the first view of a scene has at most 12 controls and 70 words', async () => {
  const page = await visit({ viewport: { width: 1366, height: 768 } });
  for (const id of ['', ...scenes.map((scene) => scene.id)]) {
    if (id) await page.goto(`${site.url}#scene=${id}`);
    await page.evaluate('gradlockDemo.shown()');
    if (id) assert.equal((await snapshotOf(page)).scene, id);
    const { controls, words } = await page.evaluate(inSight);
    assert.ok(controls.length <= 12, `${id}: ${controls.length} controls\n${controls.join('\n')}`);
    assert.ok(words.length <= 70, `${id}: ${words.length} words: ${words.join(' ')}`);
    if (id === 'lottery') assert.ok(words.includes('again'), 'of Train again, its last stage');
  }
  await page.context().close();
});

demoTest('all other controls are one click away, and remembered', async () => {
  const page = await visit({ viewport: { width: 1280, height: 800 } });
  const isSeen = (/** @type {string} */ label) =>
    page.getByLabel(label, { exact: true }).isVisible();
  const more = page.getByRole('button', { name: 'All controls' });
  const ways = page.locator('.hold-switch');
  assert.equal(await ways.isVisible(), false, 'nothing is held');
  for (const label of ['Optimizer', 'Seed', 'Also show'])
    assert.equal(await isSeen(label), false, label);
  assert.equal(await more.getAttribute('aria-expanded'), 'false');
  // The line of settings opens them, and goes to the first.
  await page.getByRole('button', { name: /AdamW/ }).click();
  for (const label of ['Optimizer', 'Seed', 'Also show']) assert.ok(await isSeen(label), label);
  assert.equal(await page.evaluate('document.activeElement.value'), 'adamW');
  await page.reload();
  await page.getByLabel('Seed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Fewer controls' }).click();
  await page.reload();
  await more.waitFor();
  assert.equal(await isSeen('Seed'), false);
  await page.evaluate('gradlockDemo.toggle(0)');
  await ways.waitFor();
  await page.context().close();
});

demoTest('the language is the browser’s if the page has it, and its links say so', async () => {
  for (const [locale, language, word] of [
    ['de-AT', 'de', 'Bild'],
    ['en-GB', 'en', 'Picture'],
    ['fr-FR', 'en', 'Picture'],
  ]) {
    const page = await visit({ locale });
    assert.equal(await page.evaluate('document.documentElement.lang'), language);
    assert.match(page.url(), new RegExp(`[?&]lang=${language}`));
    assert.equal(await page.locator('.scene-name').textContent(), word);
    await page.context().close();
  }
});

demoTest('at 320 px the page opens with the switch, Play and most of the grid', async () => {
  for (const [lang, height, least] of /** @type {const} */ ([
    ['en', 640, 0.75],
    ['de', 568, 0.4],
  ])) {
    const size = { width: 320, height };
    const still = /** @type {const} */ ({ reducedMotion: 'reduce' });
    const phone = { viewport: size, hasTouch: true, isMobile: true, ...still };
    const page = await visit(phone, `?lang=${lang}`);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320);
    const edge = await page.locator('.play').boundingBox();
    assert.ok(edge);
    /** The share of an element that is in sight, above an edge. @param {string} selector @param {number} [end] */
    const shareOf = async (selector, end = height) => {
      const box = await page.locator(selector).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 320, selector);
      return (Math.min(end, box.y + box.height) - box.y) / box.height;
    };
    assert.equal(await shareOf('.play'), 1);
    assert.equal(await shareOf('.hold-switch', edge.y), 1);
    const share = await shareOf('gradlock-grid', edge.y);
    assert.ok(share > least, `${lang}, ${height} px: ${share.toFixed(2)} of the grid`);
    // Once a cell is held, the question unfolds, with its answers above Play.
    await page.evaluate('gradlockDemo.toggle(0)');
    await page.locator('.guess-more').click();
    const answers = await page.locator('#guess .tools button').last().boundingBox();
    const play = await page.locator('.play').boundingBox();
    assert.ok(answers && play && answers.y > 0 && answers.y + answers.height <= play.y);
    await page.context().close();
  }
});

demoTest(
  'on a phone Draw lets fingers draw on the grid, which scroll the page at first',
  async (demo) => {
    const draws = "document.querySelector('gradlock-grid').draw";
    assert.equal(await demo.page.evaluate(draws), false);
    await demo.button('Draw locks').click();
    assert.equal(await demo.page.evaluate(draws), true);
  },
  PHONE,
  '#scene=picture',
);

demoTest(
  'in forced colours what is chosen stands out, and can be read',
  async (demo) => {
    for (const [scene, chosen] of [
      ['two-by-two', '.lock-toggle[aria-pressed=true]'],
      ['picture', '.hold-switch label:has(:checked)'],
      ['leak-lab', '#loss .button[aria-pressed=true]'],
    ]) {
      await demo.change({ scene, selected: 1 });
      await demo.settled();
      const [is, wanted] = await demo.page.evaluate((selector) => {
        const probe = document.createElement('span');
        Object.assign(probe.style, { background: 'Highlight', color: 'HighlightText' });
        probe.style.forcedColorAdjust = 'none';
        document.body.append(probe);
        const both = [document.querySelector(selector) ?? document.body, probe].map((element) => {
          const { backgroundColor, color } = getComputedStyle(element);
          return [backgroundColor, color];
        });
        probe.remove();
        return both;
      }, chosen);
      assert.deepEqual(is, wanted, chosen);
    }
    const ground = await demo.page.evaluate(
      "getComputedStyle(document.querySelector('.legend-bar')).backgroundImage",
    );
    assert.match(String(ground), /gradient/, 'the scale keeps its colours');
  },
  { forcedColors: 'active', hasTouch: true },
);

demoTest('the head of the page is seen before any of its scripts has come', async () => {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const context = await browser.newContext({ colorScheme });
    const page = await context.newPage();
    // They never come.
    await page.route('**/assets/*.js', () => {});
    await page.goto(site.url, { waitUntil: 'commit' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    // The page is parsed before its style has come.
    const paper = colorScheme === 'dark' ? 'rgb(22, 24, 27)' : 'rgb(253, 252, 250)';
    await until(page, `getComputedStyle(document.body).backgroundColor === '${paper}'`);
    await page.locator('main').waitFor({ state: 'attached' });
    await page.locator('main').waitFor({ state: 'hidden' });
    await context.close();
  }
});
