/* Fingers on a grid: the page scrolls and pinches under them, and locks change only where a person
 * means them to. Chromium's own gestures, by touch events of its DevTools protocol. */
import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { inChromium } from './grid-harness.js';
import { middleOf } from './grid-kit.js';
import { PATIENCE } from './lease.js';

/** @typedef {[x: number, y: number]} Point */

/** @param {number} ms */
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * A phone with a grid of 8 × 8 on a long page, and hands.
 * @param {string} claim
 * @param {Record<string, string>} attributes
 * @param {(phone: any) => Promise<void>} body
 */
const onPhone = (claim, attributes, body) =>
  inChromium(
    claim,
    async (/** @type {any} */ page, run) => {
      await run(`
      const view = document.createElement('meta');
      Object.assign(view, { name: 'viewport', content: 'width=device-width, initial-scale=1' });
      document.head.append(view);
      document.body.style.minHeight = '4000px';
      window.x = g.variable(new Float32Array(64), { shape: [8, 8], name: 'x' });
      window.grid = make({ variable: x }, ${JSON.stringify(attributes)});
      // A finger has pressed for long when the test says so, however busy the machine is.
      const { setTimeout } = window;
      window.presses = [];
      window.setTimeout = (then, ms) => (ms < 400 ? setTimeout(then, ms) : void presses.push(then));
      /** Whether a menu would pop up. Not every system asks for one by a long press. */
      window.asksForMenu = () => inside(grid, '.cell')[0].dispatchEvent(
        new MouseEvent('contextmenu', { bubbles: true, cancelable: true, composed: true }));
      await frames();`);
      const session = await page.context().newCDPSession(page);
      /** A finger rests for as long as it must, and then for as long as a menu takes to pop up. */
      const press = async () => {
        await run('presses.at(-1)();');
        await wait(900);
      };
      const touch = (/** @type {string} */ type, /** @type {Point[]} */ ...points) =>
        session.send('Input.dispatchTouchEvent', {
          type: /** @type {any} */ (`touch${type}`),
          touchPoints: points.map(([x, y], id) => ({ x, y, id })),
        });
      const cell = async (/** @type {number} */ index) =>
        /** @type {Point} */ (await run(middleOf('grid', index, 8, 8)));
      /** Along a line, as fingers go. */
      const move = async (/** @type {Point} */ from, /** @type {Point} */ to, steps = 12) => {
        for (let i = 1; i <= steps; i++) {
          const at = (/** @type {0 | 1} */ k) => from[k] + ((to[k] - from[k]) * i) / steps;
          await touch('Move', [at(0), at(1)]);
          await wait(16);
        }
      };
      /** What comes of it, and what does not come after a while. */
      const becomes = async (/** @type {unknown} */ expected) => {
        await wait(300);
        const found = () =>
          run(`return { locks: [...x.locks.toIndices()], scrolled: Math.round(scrollY) > 20,
          zoomed: visualViewport.scale > 1.1 };`);
        const end = performance.now() + PATIENCE;
        while (!isDeepStrictEqual(await found(), expected)) {
          if (performance.now() > end) assert.deepEqual(await found(), expected);
          await wait(30);
        }
      };
      await body({ touch, press, cell, move, becomes, run });
    },
    { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true },
  );

const STILL = { scrolled: false, zoomed: false };
/** From the middle of the first row to that of the last. */
const COLUMN = [3, 11, 19, 27, 35, 43, 51, 59];

onPhone('a swipe scrolls the page and changes no lock', {}, async (phone) => {
  const { touch, cell, move, becomes } = phone;
  const [from, to] = [await cell(59), await cell(3)];
  await touch('Start', from);
  await move(from, to);
  await touch('End');
  await becomes({ locks: [], scrolled: true, zoomed: false });
});

for (const attributes of /** @type {Record<string, string>[]} */ ([{}, { draw: '' }])) {
  const where = 'draw' in attributes ? 'with draw' : 'without draw';
  onPhone(`a tap toggles a lock, ${where}`, attributes, async ({ touch, cell, becomes, run }) => {
    for (const locks of [[10], []]) {
      await touch('Start', await cell(10));
      await touch('End');
      await becomes({ ...STILL, locks });
      assert.equal(await run('return grid.selected;'), 10);
    }
  });
  onPhone(`two fingers pinch the page and change no lock, ${where}`, attributes, async (phone) => {
    const { touch, cell, becomes } = phone;
    const [[x, y], [, other]] = [await cell(19), await cell(43)];
    await touch('Start', [x, y]);
    await touch('Start', [x, y], [x, other]);
    for (let i = 1; i <= 12; i++) {
      await touch('Move', [x, y - 5 * i], [x, other + 5 * i]);
      await wait(16);
    }
    await touch('End');
    await becomes({ locks: [], scrolled: false, zoomed: true });
  });
}

onPhone('a long press draws: no scrolling, no menu', {}, async (phone) => {
  const { touch, press, cell, move, becomes, run } = phone;
  const [from, to] = [await cell(59), await cell(3)];
  await touch('Start', from);
  await press();
  await becomes({ ...STILL, locks: [59] });
  assert.equal(await run('return asksForMenu();'), false);
  await move(from, to, 24);
  await touch('End');
  await becomes({ ...STILL, locks: COLUMN });
  // Some systems ask when the finger leaves.
  assert.equal(await run('return asksForMenu();'), false);
  // The next swipe scrolls again.
  await touch('Start', from);
  await move(from, to);
  await touch('End');
  await becomes({ locks: COLUMN, scrolled: true, zoomed: false });
});

onPhone(
  'with pull a long press pulls a value, two fingers none: no scrolling',
  { pull: '' },
  async (phone) => {
    const { touch, press, cell, move, becomes, run } = phone;
    const [from, to] = [await cell(59), await cell(3)];
    await touch('Start', from);
    await press();
    await move(from, to);
    await touch('End');
    await becomes({ ...STILL, locks: [] });
    const values = /** @type {number[]} */ (await run('return [...(await x.data())];'));
    assert.deepEqual([values[59] > 0.5, values.filter((value) => value).length], [true, 1]);
    const [x, y] = to;
    await touch('Start', to);
    await press();
    await touch('Start', to, from);
    await touch('Move', [x, y - 60], from);
    await touch('End');
    assert.equal(await run('return (await x.data())[3];'), 0, 'two fingers pull nothing');
  },
);

onPhone(
  'where locks can only be looked at, a long press draws none',
  { readonly: '' },
  async (phone) => {
    const { touch, press, cell, move, run } = phone;
    const [from, to] = [await cell(59), await cell(3)];
    await touch('Start', from);
    await press();
    await move(from, to);
    await touch('End');
    assert.equal(await run('return asksForMenu();'), true);
    await wait(300);
    assert.deepEqual(await run('return [...x.locks.toIndices()];'), []);
  },
);

onPhone('with draw a swipe draws and does not scroll', { draw: '' }, async (phone) => {
  const { touch, cell, move, becomes } = phone;
  const [from, to] = [await cell(59), await cell(3)];
  await touch('Start', from);
  await move(from, to, 24);
  await touch('End');
  await becomes({ ...STILL, locks: COLUMN });
});
