/**
 * What the demo promises, line by line, in Chromium, Firefox and WebKit alike. Tests of one topic, in
 * Chromium, go deeper; links.test.js and keyboard.test.js hold every scene to the other engines.
 */

import assert from 'node:assert/strict';
import { assertSame, everywhere } from './engines.js';
import { button, first } from '../browser/visit.js';

/** @typedef {import('../browser/visit.js').Visit} Visit */

const PHONE = { width: 390, height: 700 };
const SCRUBBER = first('#scrubber input');
const LONG = 400_008;

/** @param {Visit} visit */
const digestOf = async (visit) => (await visit.snapshot()).digest;

/** @param {Visit} visit */
const shownStep = async (visit) => Number((await visit.text('.step-count')).replace(/\D/g, ''));

/** @type {import('./engines.js').Claims} */
const CLAIMS = {
  async 'the scrubber looks, by pointer and keys, and cuts nothing'(visit) {
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
    assertSame('leak-lab after 60 steps', [end.digest, end.rivalDigest]);
  },

  async 'Step goes on from where one looks, and Undo brings the future back'(visit) {
    await visit.open('scene=two-by-two');
    await visit.steps(30);
    const end = await visit.snapshot();
    await visit.evaluate(`${SCRUBBER}.focus()`);
    await visit.press('Home');
    await visit.click(button('Step'));
    assert.equal((await visit.snapshot()).step, end.step - 29);
    await visit.press('z', 'Control');
    await visit.until(`gradlockDemo.snapshot().then(({ digest }) => digest === '${end.digest}')`);
  },

  async 'pruning is one edit: Undo gives values and locks back'(visit) {
    await visit.open('scene=network');
    await visit.steps(20);
    const before = await visit.snapshot();
    await visit.click(button('Prune'));
    const pruned = await visit.snapshot();
    const zeros = pruned.locks.flatMap((bit, i) => (bit ? [i] : []));
    assert.ok(zeros.length > 20 && zeros.every((i) => pruned.values[i] === 0));
    await visit.press('z', 'Control');
    const back = await visit.snapshot();
    assert.deepEqual([back.digest, back.locks], [before.digest, before.locks]);
  },

  async 'a long link shows its scene while it replays, and ends on the same bits'(visit) {
    await visit.open('scene=leak-lab&beside=mask');
    await visit.evaluate(`gradlockDemo.step(${LONG - 8})`);
    const end = await visit.snapshot();
    assert.equal(end.step, LONG);
    await visit.open(`scene=leak-lab&beside=mask&step=${LONG}`);
    await visit.until(`gradlockDemo.frame().step >= ${LONG}`);
    await visit.until("!document.querySelector('#progress').checkVisibility()");
    const there = await visit.snapshot();
    assert.deepEqual(
      [there.step, there.digest, there.rivalDigest],
      [LONG, end.digest, end.rivalDigest],
    );
    assert.ok(await visit.evaluate('hasWaited'), 'it was in sight before it was there');
    assertSame('leak-lab after 400,000 steps', there.digest);
  },

  async 'each matrix is one tab stop, arrows lead on to the next, and names lock theirs'(visit) {
    await visit.open('scene=network');
    const grids = "[...document.querySelectorAll('gradlock-grid')]";
    const stops = `${grids}.map(({ shadowRoot }) => shadowRoot.querySelectorAll('[tabindex="0"]').length)`;
    assert.deepEqual(await visit.evaluate(stops), [1, 1, 1]);
    const at = () => visit.evaluate(`${grids}.indexOf(document.activeElement)`);
    await visit.evaluate(`${grids}[0].focus()`);
    for (const next of [1, 2]) {
      await visit.press('End');
      await visit.press('ArrowRight');
      assert.equal(await at(), next);
    }
    // Rows of the last have names, before which there is a matrix.
    await visit.press('ArrowLeft');
    const name = `${grids}[2].shadowRoot.activeElement.className`;
    assert.equal(await visit.evaluate(name), 'row-name');
    const before = await visit.snapshot();
    await visit.press(' ');
    const { locks } = await visit.snapshot();
    assert.equal(locks.filter((bit, i) => bit !== before.locks[i]).length, 1, 'its only cell');
    await visit.press('ArrowLeft');
    assert.equal(await at(), 1);
  },

  async 'speech is one sentence in five seconds, and none while nothing happens'(visit) {
    await visit.open('scene=two-by-two', 'full&fast');
    // When a sentence was written: a process may wait for its turn before an observer hears of it.
    await visit.evaluate(`(() => {
      const written = new WeakMap();
      const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent');
      Object.defineProperty(Node.prototype, 'textContent', {
        ...text,
        set(value) {
          written.set(this, performance.now());
          text.set.call(this, value);
        },
      });
      window.heard = [];
      const listen = new MutationObserver(([{ target }]) => {
        heard.push(written.get(target) ?? performance.now());
      });
      for (const live of document.querySelectorAll('[aria-live], [role=status], output'))
        listen.observe(live, { childList: true, characterData: true, subtree: true });
    })()`);
    await visit.click(first('.play'));
    for (let i = 0; i < 8; i++) {
      await visit.click(
        "document.querySelector('gradlock-grid').shadowRoot.querySelector('.cell')",
      );
    }
    await visit.click(first('.play'));
    // What was to be said still is; a page that went on talking would never be silent for as long.
    await visit.until('heard.length > 0 && performance.now() - heard.at(-1) > 6000');
    const heard = /** @type {number[]} */ (await visit.evaluate('heard'));
    heard.forEach((at, i) => {
      // Timers may fire a millisecond early, ten of this page's clock.
      assert.ok(i === 0 || at - heard[i - 1] > 4950, `${at - heard[i - 1]} ms apart`);
    });
  },

  async 'at 1366 × 660 the first scenes are seen whole, with their counts and charts'(visit) {
    for (const [hash, ...parts] of [
      ['', '#hold', '.hold-count', '.hold-form', '#legend', '#run', '#chart'],
      ['scene=two-by-two', '#legend', '.lock-count', '#chart', '#run', '#settings'],
    ]) {
      await visit.open(hash, 'simple');
      assert.deepEqual(await visit.evaluate('[innerWidth, innerHeight]'), [1366, 660]);
      for (const part of ['#grid', ...parts]) {
        const edge = await visit.evaluate(`${first(part)}.getBoundingClientRect().bottom`);
        assert.ok(edge <= 660, `${hash}: ${part} ends at ${edge}`);
      }
    }
  },

  async 'nothing moves under the reader while a run opens and learns'(visit) {
    // What Chromium calls layout shift other engines do not tell, so places are compared.
    const places = `['#lede', '#grid', '#run', '#chart', '#settings'].map((part) => {
      const { left, top } = document.querySelector(part).getBoundingClientRect();
      return [Math.round(left), Math.round(top)];
    })`;
    const stays = async (/** @type {string} */ what) => {
      const before = await visit.evaluate(places);
      await visit.steps(40);
      assert.deepEqual(await visit.evaluate(places), before, what);
    };
    for (const scene of ['leak-lab', 'network']) {
      await visit.open(`scene=${scene}`, 'simple');
      await stays(scene);
    }
    await visit.openFramed(PHONE, 'lang=en', 'scene=two-by-two');
    await stays('on a phone');
  },

  async 'at 320 px nothing sticks out, in German'(visit) {
    for (const scene of ['two-by-two', 'network', 'kernels']) {
      await visit.openFramed({ width: 320, height: 700 }, 'full&lang=de', `scene=${scene}`);
      assert.equal(await visit.evaluate('document.documentElement.lang'), 'de');
      const width = await visit.evaluate('document.documentElement.scrollWidth - innerWidth');
      assert.ok(width <= 0, `${scene}: by ${width} px`);
    }
  },

  async 'an embedded page is simple and says how high it is'(visit) {
    await visit.open('scene=two-by-two');
    await visit.evaluate(`(() => {
      window.heights = [];
      const frame = document.createElement('iframe');
      frame.style.width = '800px';
      addEventListener('message', ({ data, source }) => {
        if (source === frame.contentWindow && data?.type === 'gradlock-height') heights.push(data.height);
      });
      frame.src = location.pathname + '?embed=1&lang=en#scene=membrane';
      document.body.replaceChildren(frame);
    })()`);
    await visit.until('heights.at(-1) > 400');
    const inside = "document.querySelector('iframe').contentDocument";
    assert.equal(
      await visit.evaluate(`${inside}.querySelector('#inspector').checkVisibility()`),
      false,
    );
    const height = await visit.evaluate('heights.at(-1)');
    await visit.evaluate(
      `[...${inside}.querySelectorAll('button')].find((one) => one.textContent.trim() === 'All controls').click()`,
    );
    await visit.until(`heights.at(-1) > ${height} + 100`);
  },

  async 'a guess is asked before the first step, kept in sight, and answered'(visit) {
    await visit.open('scene=leak-lab', 'simple');
    await visit.click(button('A few'));
    assert.equal(await visit.text('#guessed'), 'Your guess: “A few”.');
    await visit.steps(70);
    assert.match(await visit.text('#guessed'), /Under the mask, 28 of 28 held cells have moved/);
  },

  async 'drift is charted: 0 for the lock, climbing for the mask'(visit) {
    await visit.open('scene=leak-lab');
    let before = 0;
    for (const steps of [5, 10, 20]) {
      await visit.steps(steps);
      const label = /** @type {string} */ (
        await visit.evaluate(`${first('#chart')}.getAttribute('aria-label')`)
      );
      const [, lock, mask] = label.match(/: (\S+) under the true lock, (\S+) under the mask/) ?? [];
      assert.equal(Number(lock), 0);
      assert.ok(Number(mask) > before, `${mask} is above ${before}`);
      before = Number(mask);
    }
    assertSame('the drift that is told', before);
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
    // The hand tells its place on a shorter timer, and a page's timers come in order.
    await visit.evaluate('new Promise((done) => setTimeout(done, 100))');
    await visit.settled();
    const bits = async () => (await visit.snapshot()).bits.slice(10, 12);
    const held = await bits();
    await visit.steps(20);
    assert.deepEqual(await bits(), held, 'what a hand holds stays');
    await mouse.up();
    await visit.steps(20);
    assert.notDeepEqual(await bits(), held, 'what it let go moves');
  },
};

everywhere(CLAIMS);
