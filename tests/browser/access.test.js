/* Tier: all. */
/**
 * Access: axe on what is seen for a while, screen readers, what is spoken, and what teachers
 * hide.
 */

import assert from 'node:assert/strict';
import { COLOURS, objections } from './axe.js';
import { demoTest, site } from './harness.js';

/** States of the page, and how it comes to each. @type {[string, (demo: import('./page.js').DemoPage) => Promise<unknown>][]} */
const STATES = [
  [
    'a node in hand and one pinned, beside a mask',
    async (demo) => {
      await demo.change({ scene: 'graph', beside: 'mask' });
      await demo.steps(5);
      await demo.page.locator('.graph-node:visible').nth(5).focus();
      for (const key of ['Space', 'ArrowUp']) await demo.page.keyboard.press(key);
      await demo.page.locator('.is-held').first().waitFor();
    },
  ],
  [
    'a curve',
    async (demo) => {
      await demo.change({ scene: 'lottery' });
      await demo.until('gradlockDemo.recorded().length > 0');
      await demo.settled();
    },
  ],
  [
    'a replay',
    async (demo) => {
      await demo.page.evaluate("location.hash = '#scene=network&step=10000000'");
      await demo.page.locator('#progress progress').waitFor();
    },
  ],
  [
    'a drop',
    async (demo) => {
      await demo.page.locator('#progress button').click();
      await demo.settled();
      await demo.page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['PK'], 'x.zip'));
        const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer });
        document.body.dispatchEvent(over);
      })()`);
      assert.ok(await demo.page.locator('.drop-here').isVisible());
    },
  ],
  [
    'the cards',
    async (demo) => {
      await demo.page.evaluate("document.querySelector('.drop-here').hidden = true");
      await demo.page.locator('.scenes-all').click();
      await demo.until(
        "[...document.querySelectorAll('.card-picture')].some(({ dataset }) => dataset.frame)",
      );
    },
  ],
  [
    'a complaint, a tour, and all that can be shared',
    async (demo) => {
      await demo.page.keyboard.press('Escape');
      await demo.page.evaluate("location.hash = '#scene=two-by-two&log=3a0,1e999'");
      await demo.message().waitFor();
      await demo.page.getByText('Share and export').click();
      await demo.button('Tour').click();
    },
  ],
];

for (const [width, colorScheme, rules] of /** @type {[number, 'light' | 'dark', string[]?][]} */ ([
  [320, 'light'],
  [1920, 'dark', COLOURS],
])) {
  demoTest(
    `axe finds nothing wrong at ${width} px in the ${colorScheme}, whatever is seen for a while`,
    async (demo) => {
      assert.deepEqual(await objections(demo.page, rules), [], 'a guess');
      for (const [what, come] of STATES) {
        await come(demo);
        assert.deepEqual(await objections(demo.page, rules), [], what);
      }
      if (colorScheme === 'dark') return;
      await demo.page.emulateMedia({ forcedColors: 'active' });
      assert.deepEqual(await objections(demo.page), [], 'forced colours');
    },
    { viewport: { width, height: 900 }, colorScheme },
    '#scene=leak-lab',
  );
}

demoTest('a screen reader finds a grid of toggle buttons, rows and their locks', async (demo) => {
  const tree = await demo.page.locator('.grid').ariaSnapshot();
  const cell = (/** @type {string} */ name) => [
    `    - gridcell "${name}":`,
    `      - button "${name}"${name.endsWith('locked') ? ' [pressed]' : ''}: ${name.match(/value (.*),/)?.[1].replace(',', '')}`,
  ];
  const names = [
    'Row 1, column 1, value −1.00, goal 1.00, free',
    'Row 1, column 2, value −0.50, goal 0.50, locked',
    'Row 2, column 1, value −0.75, goal 0.75, locked',
    'Row 2, column 2, value −0.25, goal 0.25, free',
  ];
  assert.deepEqual(tree.split('\n'), [
    '- grid "Two by two, 2 rows by 2 columns. Press to lock or free.":',
    `  - row "${names[0]} ${names[1]}":`,
    ...[names[0], names[1]].flatMap(cell),
    `  - row "${names[2]} ${names[3]}":`,
    ...[names[2], names[3]].flatMap(cell),
  ]);
});

demoTest('speech is one sentence in five seconds, and none while nothing happens', async (demo) => {
  const { page } = demo;
  await page.clock.install();
  await page.evaluate(`(() => {
    window.heard = [];
    const listen = new MutationObserver(() => heard.push(performance.now()));
    for (const live of document.querySelectorAll('[aria-live], [role=status], output'))
      listen.observe(live, { childList: true, characterData: true, subtree: true });
  })()`);
  for (let i = 0; i < 8; i++) {
    await page.evaluate('void gradlockDemo.step(1)');
    await demo.until(`gradlockDemo.frame().step === ${i + 1}`);
    await demo.cell(1, 1).evaluate((cell) => /** @type {HTMLElement} */ (cell).click());
    await page.clock.runFor(1000);
  }
  await page.clock.runFor(10_000);
  const heard = /** @type {number[]} */ (await page.evaluate('heard'));
  assert.ok(heard.length > 1, 'it is read again');
  for (const [i, at] of heard.entries())
    assert.ok(i === 0 || at - heard[i - 1] >= 4990, `${at - heard[i - 1]} ms apart`);
  await page.clock.runFor(20_000);
  assert.equal(await page.evaluate('heard.length'), heard.length);
  const message = page.locator('[aria-live=polite]', {
    hasText: /Step 8, loss [\d.]+, 2 of 4 cells/,
  });
  assert.equal(await message.count(), 1);
});

demoTest('teachers hide parts, embed, and choose the language', async (demo) => {
  const { page } = demo;
  await page.goto(`${site.url}?lang=de&embed=1&hide=settings,inspector,chart#scene=membrane`);
  await demo.ready();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  for (const id of ['top', 'scenes', 'settings', 'inspector', 'chart-panel', 'keys', 'share']) {
    assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
  }
  for (const id of ['grid', 'run', 'locks']) {
    assert.equal(await page.locator(`#${id}`).isVisible(), true, id);
  }
});
