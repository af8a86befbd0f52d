/* Tier: all. */
/** Nodes of a graph that are dragged and pinned, by pointer, finger and keys. */

import assert from 'node:assert/strict';
import { demoTest, site } from './harness.js';

/** @typedef {import('./page.js').DemoPage} Demo */

const NODE = 6;
const CELLS = [10, 11];
const PINS = [0, 1, 6, 7, 24, 25, 30, 31];

/** @param {Demo} demo @param {string} [hash] */
async function open(demo, hash = 'scene=graph') {
  await demo.page.goto(`${site.url}?lang=en#${hash}`);
  await demo.ready();
  await demo.page.locator('.graph-node').first().waitFor();
}

/** @param {Demo} demo @param {number} node from 1 */
const nodeOf = (demo, node) => demo.page.locator('.graph-node').nth(node - 1);

/** The middle of a node on the screen. @param {Demo} demo @param {number} node */
async function middle(demo, node) {
  const box = await nodeOf(demo, node).boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** @param {Demo} demo @param {number[]} [cells] */
const bitsOf = async (demo, cells = CELLS) => {
  const { bits } = await demo.snapshot();
  return cells.map((cell) => bits[cell]);
};

/** @param {Demo} demo */
const locked = async (demo) =>
  (await demo.snapshot()).locks.flatMap((bit, cell) => (bit ? [cell] : []));

/** Waits until the page has sent the drag's position: it does so on a shorter timer, and timers fire in order. */
const TOLD = 'new Promise((done) => setTimeout(done, 100))';

/** Take a node and move it by so many pixels; the button stays down. @param {Demo} demo @param {number} node @param {number} dx @param {number} dy */
async function take(demo, node, dx, dy) {
  const { x, y } = await middle(demo, node);
  await demo.page.mouse.move(x, y);
  await demo.page.mouse.down();
  await demo.page.mouse.move(x + dx, y + dy, { steps: 6 });
  await demo.page.evaluate(TOLD);
  await demo.settled();
}

/** Waits until the run has trained this many more steps. @param {Demo} demo @param {number} steps */
async function waitForSteps(demo, steps) {
  const { step } = await demo.snapshot();
  await demo.until(`gradlockDemo.frame().step >= ${step + steps}`);
}

/** What the page says of drift: nothing. @param {Demo} demo */
async function assertHeld(demo) {
  const { drift } = /** @type {any} */ (await demo.page.evaluate('gradlockDemo.frame()'));
  assert.deepEqual(drift, { moved: 0, farthest: 0, audited: 0 });
}

demoTest(
  'a click pins a node, another frees it; pinned, it stays where it is put',
  async (demo) => {
    await open(demo);
    await demo.steps(100);
    const { x, y } = await middle(demo, NODE);
    await demo.page.mouse.click(x, y);
    await demo.settled();
    const pinned = [...PINS, ...CELLS].sort((a, b) => a - b);
    assert.deepEqual(await locked(demo), pinned);
    assert.equal(await nodeOf(demo, NODE).getAttribute('aria-pressed'), 'true');
    assert.ok(await nodeOf(demo, NODE).locator('.icon').isVisible());
    await take(demo, NODE, 50, 20);
    await demo.page.mouse.up();
    const put = await bitsOf(demo);
    await demo.steps(30);
    assert.deepEqual(await bitsOf(demo), put);
    assert.deepEqual(await locked(demo), pinned);
    await assertHeld(demo);
    await demo.page.mouse.click(x + 50, y + 20);
    await demo.settled();
    assert.deepEqual(await locked(demo), PINS);
    assert.equal(await nodeOf(demo, NODE).getAttribute('aria-pressed'), 'false');
  },
);

demoTest('Ctrl+Z gives a drag’s bits back, whole, and Ctrl+Y takes them again', async (demo) => {
  await open(demo);
  await demo.steps(40);
  const before = await demo.snapshot();
  await take(demo, NODE, 70, 30);
  await demo.page.mouse.up();
  await demo.settled();
  const after = await demo.snapshot();
  assert.notEqual(after.digest, before.digest);
  await demo.page.keyboard.press('Control+z');
  await demo.settled();
  assert.equal((await demo.snapshot()).digest, before.digest);
  await demo.page.keyboard.press('Control+y');
  await demo.settled();
  assert.equal((await demo.snapshot()).digest, after.digest);
  // In the middle of a drag it is the drag that is taken back.
  await take(demo, NODE, 30, 30);
  await demo.page.keyboard.press('Control+z');
  await demo.settled();
  await demo.page.mouse.up();
  await demo.settled();
  assert.equal((await demo.snapshot()).digest, after.digest);
});

demoTest('by keys: one tab stop, arrows drag, Enter ends the drag, Space pins', async (demo) => {
  const { page } = demo;
  await open(demo);
  await demo.steps(120);
  const stops = page.locator('.graph-node[tabindex="0"]');
  assert.equal(await stops.count(), 1);
  await stops.focus();
  for (const [key, node] of /** @type {[string, number][]} */ ([
    ['PageDown', 2],
    ['End', 16],
    ['PageDown', 1],
    ['PageUp', 16],
    ['Home', 1],
  ])) {
    await page.keyboard.press(key);
    const label = await page.evaluate('document.activeElement.getAttribute("aria-label")');
    assert.equal(label, `Pin node ${node}`, key);
    assert.equal(await stops.count(), 1);
  }
  for (let i = 1; i < NODE; i++) await page.keyboard.press('PageDown');
  const [x, y] = CELLS.map((cell) => cell);
  const before = (await demo.snapshot()).values;
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowUp');
  await page.evaluate(TOLD);
  await demo.settled();
  const held = await demo.snapshot();
  assert.ok(Math.abs(held.values[x] - before[x] - 0.02) < 0.005, 'by a step');
  assert.ok(Math.abs(held.values[y] - before[y] - 0.1) < 0.005, 'by five');
  await demo.button('Play').evaluate((button) => /** @type {HTMLElement} */ (button).click());
  await waitForSteps(demo, 15);
  assert.deepEqual(await bitsOf(demo), [held.bits[x], held.bits[y]], 'it is held');
  assert.match((await nodeOf(demo, NODE).getAttribute('aria-label')) ?? '', /in hand$/);
  await page
    .locator('#speech', { hasText: /^Node 6, in hand: x −?0\.\d\d, y 0\.\d\d$/ })
    .waitFor({ state: 'attached' });
  await page.keyboard.press('Enter');
  await waitForSteps(demo, 5);
  assert.notDeepEqual(await bitsOf(demo), [held.bits[x], held.bits[y]], 'it is let go');
  assert.deepEqual(await locked(demo), PINS, 'and not pinned by Enter');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.evaluate(TOLD);
  await demo.settled();
  assert.ok((await locked(demo)).includes(x), 'pinned during the drag');
  const put = await bitsOf(demo);
  await waitForSteps(demo, 10);
  assert.deepEqual(await bitsOf(demo), put, 'and left there');
  assert.doesNotMatch((await nodeOf(demo, NODE).getAttribute('aria-label')) ?? '', /in hand/);
  await assertHeld(demo);
});

demoTest('leaving a node ends its drag by keys; so does Escape', async (demo) => {
  const { page } = demo;
  await open(demo);
  await demo.steps(20);
  for (const leave of ['Tab', 'PageDown', 'Escape']) {
    await nodeOf(demo, NODE).focus();
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.locator('.is-held').count(), 1);
    await page.keyboard.press(leave);
    await demo.settled();
    assert.equal(await page.locator('.is-held').count(), 0, leave);
    const before = await bitsOf(demo);
    await demo.steps(1);
    assert.notDeepEqual(await bitsOf(demo), before, leave);
  }
  await take(demo, NODE, 40, 0);
  await page.keyboard.press('Escape');
  const { x, y } = await middle(demo, 1);
  await page.mouse.move(x, y);
  await demo.settled();
  const before = await bitsOf(demo);
  await demo.steps(1);
  assert.notDeepEqual(await bitsOf(demo), before);
  await page.mouse.up();
  await demo.settled();
  assert.deepEqual(await locked(demo), PINS);
  assert.equal(await demo.message().count(), 0);
});

demoTest(
  'a finger drags a node and pins it by a tap; beside nodes it scrolls',
  async (demo) => {
    await open(demo);
    await demo.steps(120);
    const { page } = demo;
    const session = await page.context().newCDPSession(page);
    const touch = (
      /** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type,
      /** @type {{ x: number, y: number }[]} */ ...points
    ) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await nodeOf(demo, NODE).scrollIntoViewIfNeeded();
    const { x, y } = await middle(demo, NODE);
    const top = await page.evaluate('scrollY');
    const before = await bitsOf(demo);
    await touch('touchStart', { x, y });
    for (let i = 1; i <= 8; i++) await touch('touchMove', { x, y: y + 6 * i });
    await page.evaluate(TOLD);
    await demo.settled();
    assert.notDeepEqual(await bitsOf(demo), before);
    const now = await middle(demo, NODE);
    assert.ok(Math.abs(now.y - y - 48) < 2, 'it follows the finger');
    await touch('touchEnd');
    assert.equal(await page.evaluate('scrollY'), top, 'the page stays');
    await demo.settled();
    await page.touchscreen.tap(now.x, now.y);
    // The browser says that it took a finger before the page hears of it.
    const count = PINS.length + CELLS.length;
    await demo.until(`gradlockDemo.snapshot()
      .then(({ locks }) => locks.filter(Boolean).length === ${count})`);
    assert.deepEqual(
      await locked(demo),
      [...PINS, ...CELLS].sort((a, b) => a - b),
    );
    const touches = await page.evaluate(
      "['.graph-nodes', '.graph-node'].map((name) => getComputedStyle(document.querySelector(name)).touchAction)",
    );
    assert.deepEqual(touches, ['auto', 'none']);
    const { width, height } = (await nodeOf(demo, 1).boundingBox()) ?? { width: 0, height: 0 };
    assert.ok(width >= 44 && height >= 44);
  },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
);

demoTest('where targets overlap, the nearest node is meant', async (demo) => {
  await open(demo, 'scene=graph&graph=club');
  const positions = await Promise.all(Array.from({ length: 34 }, (_, i) => middle(demo, i + 1)));
  let overlapping = 0;
  for (const [i, { x, y }] of positions.entries()) {
    const nearest = Math.min(
      ...positions.map((other, j) => (i === j ? 99 : Math.hypot(other.x - x, other.y - y))),
    );
    if (nearest < 22) overlapping++;
    await demo.page.mouse.click(x, y);
    await demo.settled();
    const { locks } = await demo.snapshot();
    assert.equal(locks[2 * i], i === 0 || i === 33 ? 0 : 1, `node ${i + 1}`);
    const focused = await demo.page.evaluate('document.activeElement.getAttribute("aria-label")');
    assert.equal(focused, `Pin node ${i + 1}`);
  }
  assert.ok(overlapping > 10, 'middles lie under other targets');
});

demoTest('another run opens during a drag: nothing is refused, no cell is held', async (demo) => {
  await open(demo);
  for (const act of [
    () => demo.page.evaluate('document.querySelector(\'[title*="step 0"]\').click()'),
    () => demo.change({ choices: { graph: 'tree' } }),
    () => demo.change({ beside: 'mask' }),
    () => demo.change({ scene: 'peaks' }),
  ]) {
    if (await demo.page.locator('.graph-node').count()) {
      await demo.steps(5);
      await take(demo, NODE, 30, 10);
    }
    await act();
    await demo.settled();
    await demo.page.mouse.move(300, 300, { steps: 3 });
    await demo.page.evaluate(TOLD);
    await demo.settled();
    assert.deepEqual(await demo.message().allTextContents(), []);
    await demo.page.mouse.up();
    await demo.settled();
    assert.deepEqual(await demo.message().allTextContents(), []);
    assert.equal(await demo.page.locator('.is-held').count(), 0);
  }
});

demoTest('a run that has paused itself resumes when a node is dragged', async (demo) => {
  await open(demo);
  await demo.change({ speed: 0 });
  await demo.button('Play').click();
  await demo.until('!gradlockDemo.frame().isPlaying && gradlockDemo.frame().step > 100');
  await take(demo, NODE, 30, 30);
  await waitForSteps(demo, 5);
  await demo.page.mouse.up();
});

demoTest('a node dragged at an earlier step moves, and then is free', async (demo) => {
  await open(demo);
  await demo.steps(30);
  await demo.page.getByLabel('Step shown', { exact: true }).focus();
  await demo.page.keyboard.press('Home');
  await demo.settled();
  const before = await bitsOf(demo);
  await take(demo, NODE, 40, 20);
  await demo.page.mouse.up();
  await demo.settled();
  const moved = await bitsOf(demo);
  assert.notDeepEqual(moved, before);
  await demo.steps(1);
  assert.notDeepEqual(await bitsOf(demo), moved);
});
