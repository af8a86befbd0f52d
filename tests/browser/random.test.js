/* Tier: all. */
/**
 * Random clicks, keys and values, by a seed: none may end in an error, and the page draws on. Each act is asked for without
 * waiting for the one before. ROUNDS=12 tries more seeds.
 */

import assert from 'node:assert/strict';
import { demoTest, site } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

const ROUNDS = Number(process.env.ROUNDS ?? 4);
const ACTS = 70;

/** Acts in the page: one a frame or several, as the seed says. @param {DemoPage} demo @param {number} seed @returns {Promise<string[]>} what was done */
const actAtRandom = (demo, seed) =>
  demo.page.evaluate(
    async ({ seed, acts }) => {
      let state = seed;
      const random = () => {
        state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
        return state / 2 ** 32;
      };
      const below = (/** @type {number} */ n) => Math.floor(random() * n);
      /** @template T @param {T[]} list */
      const one = (list) => list[below(list.length)];
      const frames = async (/** @type {number} */ count) => {
        for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
      };
      /** @param {string} selector @returns {any[]} */
      const seen = (selector) =>
        [...document.querySelectorAll(selector)].filter((element) => element.checkVisibility());
      /** @type {string[]} */
      const done = [];
      const key = (/** @type {EventTarget} */ at, /** @type {KeyboardEventInit} */ init) =>
        at.dispatchEvent(
          new KeyboardEvent('keydown', {
            bubbles: true,
            composed: true,
            cancelable: true,
            ...init,
          }),
        );
      /** @param {Element} at @param {number} x @param {number} y 0 to 1 */
      const press = (at, x, y) => {
        const { left, top, width, height } = at.getBoundingClientRect();
        const where = { clientX: left + x * width, clientY: top + y * height };
        const init = { bubbles: true, composed: true, cancelable: true, button: 0, ...where };
        const target = at.shadowRoot?.elementFromPoint(where.clientX, where.clientY) ?? at;
        for (const type of ['pointerdown', 'pointermove', 'pointerup']) {
          target.dispatchEvent(new PointerEvent(type, { pointerId: 1, isPrimary: true, ...init }));
        }
        target.dispatchEvent(new MouseEvent('click', { detail: 1, ...init }));
      };
      /** @type {[name: string, weight: number, act: () => unknown][]} */
      const all = [
        [
          'scene',
          4,
          () =>
            /** @type {HTMLElement | undefined} */ (
              one([...document.querySelectorAll('.card')])
            )?.click(),
        ],
        ['undo or redo', 5, () => key(document.body, { key: one(['z', 'z', 'y']), ctrlKey: true })],
        [
          'cell',
          6,
          () => {
            const grid = one(seen('gradlock-grid'));
            grid?.scrollIntoView({ block: 'center', behavior: 'instant' });
            if (grid) press(grid, random(), random());
          },
        ],
        [
          'key',
          4,
          () => {
            const grid = one(seen('gradlock-grid'));
            grid?.focus();
            const at = grid?.shadowRoot.activeElement ?? grid;
            const pressed = one(['ArrowLeft', 'ArrowDown', ' ', 'End', '7', 'Enter', 'Escape']);
            if (at) key(at, { key: pressed });
          },
        ],
        [
          'value',
          2,
          () => {
            const grid = one(seen('gradlock-grid'));
            const text = one(['0.5', '-0', '1,000', '1e400', 'x', '3']);
            const init = { bubbles: true, composed: true, cancelable: true };
            const detail = { index: 0, value: Number(text), text };
            grid?.dispatchEvent(new CustomEvent('valuechange', { ...init, detail }));
          },
        ],
        [
          'button',
          8,
          () => {
            // What leaves the page, or saves a file, is not for here.
            const away = '#share button, #code button, #theme button, .share button';
            one(seen('button').filter((button) => !button.matches(away)))?.click();
          },
        ],
        [
          'select',
          3,
          () => {
            const select = one(seen('select'));
            if (!select) return;
            select.selectedIndex = below(select.options.length);
            // The largest take minutes of a small machine.
            if (/512|1024/.test(select.value)) select.selectedIndex = 0;
            select.dispatchEvent(new Event('change', { bubbles: true }));
          },
        ],
        [
          'slider',
          3,
          () => {
            const slider = one(seen('input[type=range]'));
            if (!slider) return;
            slider.value = String(Number(slider.min) + random() * (slider.max - slider.min));
            for (const type of ['input', 'change']) {
              slider.dispatchEvent(new Event(type, { bubbles: true }));
            }
          },
        ],
        ['back', 1, () => history.back()],
        ['forward', 1, () => history.forward()],
      ];
      const names = all.flatMap(([name, weight]) => new Array(weight).fill(name));
      for (let i = 0; i < acts; i++) {
        const name = one(names);
        done.push(name);
        all.find(([own]) => own === name)?.[2]();
        await frames(below(6));
      }
      return done;
    },
    { seed, acts: ACTS },
  );

const REFUSED = /refused|abgelehnt|could not be drawn/;

for (let seed = 1; seed <= ROUNDS; seed++) {
  demoTest(
    `whatever is clicked is met with no error, and the page draws on (seed ${seed})`,
    async (demo) => {
      const { page } = demo;
      await page.evaluate(`
      window.told = [];
      new MutationObserver(() => {
        const box = document.querySelector('.message');
        if (box && !box.hidden) told.push(box.textContent);
      }).observe(document.querySelector('#messages'), { subtree: true, childList: true, characterData: true, attributes: true });`);
      // Another address than the page has, so that there is one to go back to.
      const start = seed % 3 ? 'two-by-two&seed=2' : 'membrane&size=128x128';
      await page.evaluate(`location.hash = '#scene=${start}'`);
      const acts = await actAtRandom(demo, seed);
      // Going back beyond the first entry would leave the page.
      assert.ok(page.url().startsWith(site.url), page.url());
      await demo.settled();
      const told = /** @type {string[]} */ (await page.evaluate('told'));
      assert.deepEqual(
        told.filter((text) => REFUSED.test(text)),
        [],
        acts.join(', '),
      );
      // A run that is replayed, or that diverged, draws on as well.
      const before = await demo.snapshot();
      await demo.page.evaluate('void gradlockDemo.step(1)');
      await demo.until(
        `gradlockDemo.snapshot().then(({ step }) => step > ${before.step} && gradlockDemo.frame()?.step === step)`,
      );
      const shown = await page.evaluate(
        "Number(document.querySelector('.step-count').textContent.replace(/\\D/g, ''))",
      );
      const now = await demo.snapshot();
      assert.equal(shown, now.step, 'the step that is shown is the run’s');
      assert.equal(
        Number(
          (await page.locator('.lock-count').textContent())?.replace(/,/g, '').match(/\d+/)?.[0],
        ),
        now.locks.filter((bit) => bit === 1).length,
        'the locks that are counted are the run’s',
      );
    },
  );
}
