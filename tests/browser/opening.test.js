/** The page as a visitor opens it: a name that is locked into a picture, the switch to a mask, and the arrows of its steps. */

import assert from 'node:assert/strict';
import { cellsOfName } from '../../web/scenes/lettering.js';
import { scenes } from '../../web/scenes/index.js';
import { de } from '../../web/strings/de.js';
import { strings } from '../../web/strings/index.js';
import { demoTest } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

/** A test of the page without a link. @param {string} claim @param {(demo: DemoPage) => Promise<void>} body @param {import('playwright-core').BrowserContextOptions} [options] */
const openingTest = (claim, body, options) => demoTest(claim, body, options, '');

/** @param {string} name @param {number} [side] */
const lettersOf = (name, side = 32) => /** @type {number[]} */ (cellsOfName(name, side, side));

/** @param {number[]} locks */
const locked = (locks) => locks.flatMap((bit, i) => (bit ? [i] : []));

/** The bits of some cells. @param {DemoPage} demo @param {number[]} cells */
const bitsOf = async (demo, cells) => {
  const { bits } = await demo.snapshot();
  return cells.map((cell) => bits[cell]);
};

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

/** The number of panes with arrows. @param {DemoPage} demo */
const arrows = (demo) => demo.page.locator('.arrows:visible').count();

const told = (/** @type {DemoPage} */ demo) => demo.page.locator('.hold-told').textContent();

openingTest(
  'under the lock the name keeps every bit, under the mask it drifts, and Undo brings it back',
  async (demo) => {
    const name = lettersOf('HOLD');
    const start = await demo.snapshot();
    assert.deepEqual([start.scene, start.step], ['picture', 0]);
    assert.deepEqual(locked(start.locks), name);
    assert.ok(name.every((cell) => start.values[cell] === -1));
    await demo.steps(100);
    const held = await demo.snapshot();
    assert.ok(held.loss < 0.5 * start.loss, `${held.loss}: the picture has grown`);
    assert.ok(name.every((cell) => held.bits[cell] === start.bits[cell]));
    assert.equal(await told(demo), `0 of ${name.length} held cells have drifted`);
    assert.equal(await arrows(demo), 0);

    await switchTo(demo, 'Mask');
    assert.equal((await demo.snapshot()).step, 100);
    assert.equal(await arrows(demo), 1);
    await demo.steps(100);
    const leaked = await demo.snapshot();
    for (const cell of name) assert.ok(Math.abs(leaked.values[cell]) < 0.7, `${cell}`);
    assert.match(
      String(await told(demo)),
      new RegExp(`^${name.length} of ${name.length} .* by up to 0.3`),
    );
    await demo.page.keyboard.press('Control+z');
    await demo.until(`gradlockDemo.snapshot().then((now) => now.digest === '${held.digest}')`);
    await demo.settled();
    assert.equal(await demo.page.getByLabel('Lock', { exact: true }).isChecked(), true);
    assert.deepEqual(
      await bitsOf(demo, name),
      name.map((cell) => start.bits[cell]),
    );
    assert.equal(await arrows(demo), 0);
  },
);

openingTest('switched back, the lock holds what is left, to the bit', async (demo) => {
  const name = lettersOf('HOLD');
  await switchTo(demo, 'Mask');
  await demo.steps(20);
  await switchTo(demo, 'Lock');
  const bits = await bitsOf(demo, name);
  await demo.steps(20);
  assert.deepEqual(await bitsOf(demo, name), bits);
  assert.equal(await told(demo), `0 of ${name.length} held cells have drifted`);
});

openingTest(
  'a typed name is in the link, in the next picture and size, and after Reset',
  async (demo) => {
    await write(demo, 'Zoë');
    const name = lettersOf('Zoë');
    assert.deepEqual(locked((await demo.snapshot()).locks), name);
    await demo.steps(9);
    await switchTo(demo, 'Mask');
    await demo.steps(6);
    const { digest } = await demo.snapshot();
    const link = /** @type {string} */ (await demo.page.evaluate('gradlockDemo.link()'));
    await demo.button('Reset').click();
    await demo.settled();
    const again = await demo.snapshot();
    assert.ok(name.every((cell) => again.values[cell] === -1));
    assert.equal(again.isMasked, true, 'Reset keeps settings');
    await demo.change({ choices: { picture: 'heart' } });
    assert.deepEqual(locked((await demo.snapshot()).locks), name);
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
        strings.hold.unwritable,
        name,
      );
      assert.equal((await demo.snapshot()).digest, digest);
    }
    await write(demo, 'Ana');
    assert.equal(await demo.page.locator('.hold-problem').textContent(), '');
  },
);

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

openingTest('the scenes are one tab stop, and arrows lead from one to the next', async (demo) => {
  const { keyboard } = demo.page;
  const at = () => demo.page.evaluate('document.activeElement.textContent');
  await demo.button('Picture').focus();
  for (const [key, name] of [
    ['ArrowLeft', 'All scenes'],
    ['ArrowLeft', 'Your own'],
    ['ArrowRight', 'All scenes'],
    ['ArrowRight', 'Picture'],
    ['ArrowRight', 'Two by two'],
    ['End', 'Your own'],
    ['Home', 'All scenes'],
  ]) {
    await keyboard.press(key);
    assert.equal(await at(), name, key);
  }
  const stops = await demo.page.locator('#scenes [tabindex="0"]').allTextContents();
  assert.deepEqual(stops, ['Picture']);
});

openingTest(
  'in German the word is German, and the first sentence says what a lock does',
  async (demo) => {
    assert.deepEqual(locked((await demo.snapshot()).locks), lettersOf('HALT'));
    assert.match(
      String(await demo.page.locator('#lede').textContent()),
      /^Eine gesperrte Zelle behält ihren Wert genau/,
    );
    assert.equal(await demo.page.getByLabel(de.hold.name, { exact: true }).inputValue(), 'HALT');
  },
  { locale: 'de' },
);

for (const [address, scene, cells] of /** @type {[string, string, number][]} */ ([
  ['#size=2x2&seed=1&step=3', 'two-by-two', 2],
  ['#scene=picture', 'picture', 228],
  ['?lesson=picture', 'picture', 228],
])) {
  demoTest(
    `${address} means what it meant before the page opened with a name`,
    async (demo) => {
      const { locks, scene: shown, step, optimizer } = await demo.snapshot();
      assert.deepEqual([shown, locked(locks).length], [scene, cells]);
      assert.deepEqual([step, optimizer.rule], [scene === 'picture' ? 0 : 3, 'adam']);
    },
    {},
    address,
  );
}

demoTest(
  'a state without a scene, typed over the picture, is of Two by two, too',
  async (demo) => {
    await demo.page.evaluate("location.hash = '#size=2x2&step=3'");
    await demo.until(
      "gradlockDemo.snapshot().then(({ scene, step }) => scene === 'two-by-two' && step === 3)",
    );
  },
  {},
  '',
);

demoTest(
  'in Leak lab the mask has arrows and the lock has none, and the inspector names their parts',
  async (demo) => {
    await demo.openScene('Leak lab');
    await demo.change({ selected: 14 });
    await demo.page.getByLabel('Optimizer', { exact: true }).selectOption('AdamW');
    await demo.steps(3);
    assert.deepEqual(
      await Promise.all(
        [1, 2].map((pane) => demo.page.locator(`.pane:nth-child(${pane}) .arrows:visible`).count()),
      ),
      [0, 1],
    );
    const facts = await demo.page.locator('.fact').allTextContents();
    const { next, memory, decay } = strings.inspector;
    for (const name of [next, memory, decay]) {
      assert.ok(
        facts.some((fact) => fact.startsWith(name) && !fact.endsWith(`${name}0`)),
        name,
      );
    }
    await demo.page.getByLabel('Optimizer', { exact: true }).selectOption('SGD');
    await demo.settled();
    assert.equal(await arrows(demo), 0, 'plain SGD takes no step without a gradient');
  },
);

demoTest('in Kernels, too, what the mask holds late has arrows', async (demo) => {
  await demo.openScene('Kernels');
  await demo.change({ choices: { kernels: 'random' }, beside: 'mask' });
  await demo.steps(3);
  assert.equal(await arrows(demo), 0);
  await demo.page.evaluate('gradlockDemo.toggle(0)');
  await demo.settled();
  assert.equal(await arrows(demo), 1);
});

for (const options of /** @type {import('playwright-core').BrowserContextOptions[]} */ ([
  { viewport: { width: 1366, height: 660 } },
  { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
])) {
  demoTest(
    `at ${options.viewport?.width} px no step of any tour leaves the screen, nor does Next`,
    async (demo) => {
      for (const { id } of scenes) {
        await demo.change({ scene: id });
        await demo.settled();
        await demo.page.locator('#tour').click();
        for (let step = 0; step < 5; step++) {
          const height = "document.querySelector('.is-pointed-at').getBoundingClientRect().height";
          await demo.until(`${height} > 0`);
          await demo.settled();
          const places = await demo.page.evaluate(() => {
            const run = /** @type {Element} */ (document.querySelector('#run'));
            // On a phone the run bar covers the screen's lower edge, unless it is scrolled to.
            const { top, bottom } = run.getBoundingClientRect();
            const isBar = bottom === innerHeight && !run.matches('.is-pointed-at');
            const end = isBar ? top : innerHeight;
            const box = (/** @type {string} */ part) => {
              const { top, bottom } = /** @type {Element} */ (
                document.querySelector(part)
              ).getBoundingClientRect();
              return { top, bottom };
            };
            const next = [
              ...document.querySelectorAll('.lesson button'),
            ][2].getBoundingClientRect();
            return {
              end,
              text: box('.lesson-text'),
              next: { top: next.top, bottom: next.bottom },
              lesson: box('.lesson'),
              area: box('.is-pointed-at'),
            };
          });
          const where = `${id}, step ${step + 1}: ${JSON.stringify(places)}`;
          for (const part of [places.text, places.next]) {
            assert.ok(part.top >= 0 && part.bottom <= places.end, where);
          }
          const { top, bottom } = places.area;
          const seen = Math.min(bottom, places.end) - Math.max(top, places.lesson.bottom);
          assert.ok(seen >= Math.min(bottom - top, 100), `${seen} px are seen; ${where}`);
          await demo.page.evaluate("document.querySelectorAll('.lesson button')[2].click()");
        }
      }
    },
    { ...options, reducedMotion: 'reduce' },
  );
}
