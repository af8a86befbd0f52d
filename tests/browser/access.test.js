/** The demo for everyone: axe finds nothing, the keyboard alone suffices, a screen reader finds its way. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { scenes } from '../../web/scenes/index.js';
import { strings } from '../../web/strings.js';
import { demoTest, site } from './harness.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe objects to, in short. @param {import('./page.js').DemoPage} demo @returns {Promise<string[]>} */
async function objections(demo) {
  await demo.page.evaluate(axe);
  return demo.page.evaluate(`axe.run().then(({ violations }) => violations.map(
    ({ id, nodes }) => id + ': ' + nodes.slice(0, 2).map(({ html }) => html).join(' and ')))`);
}

for (const [width, colorScheme] of /** @type {[number, 'light' | 'dark'][]} */ ([
  [320, 'light'],
  [320, 'dark'],
  [1920, 'light'],
  [1920, 'dark'],
])) {
  demoTest(
    `axe finds nothing wrong at ${width} px in the ${colorScheme}`,
    async (demo) => {
      // All scenes at the smallest; elsewhere those with the most parts.
      const isWhole = width === 320 && colorScheme === 'light';
      const most = ['leak-lab', 'network', 'lottery', 'own'];
      for (const { id } of scenes.filter((scene) => isWhole || most.includes(scene.id))) {
        await demo.openScene(strings.scenes[id].name);
        await demo.steps(20);
        assert.deepEqual(await objections(demo), [], id);
      }
      await demo.page.getByText('Share and export').click();
      await demo.button('Take the tour').click();
      await demo.change({ scene: 'membrane', beside: 'pressure' });
      await demo.settled();
      assert.deepEqual(await objections(demo), []);
    },
    { viewport: { width, height: 900 }, colorScheme },
  );
}

demoTest('a whole tour is taken without a pointer', async (demo) => {
  const { page } = demo;
  await page.goto(`${site.url}?lesson=leak-lab`);
  await demo.ready();
  assert.equal((await demo.snapshot()).scene, 'leak-lab');
  const count = page.locator('.lesson-count');
  /** By Tab alone, to the button of this name. @param {string} name */
  const press = async (name) => {
    for (let tabs = 0; tabs < 60; tabs++) {
      await page.keyboard.press('Tab');
      const text = await page.evaluate('document.activeElement.textContent');
      if (text === name) {
        await page.keyboard.press('Enter');
        return;
      }
    }
    assert.fail(`no button ${name}`);
  };
  for (let step = 1; step <= 5; step++) {
    assert.equal(await count.textContent(), `${step} of 5`);
    // The scene's guess is part of its tour.
    const guess = step === 1 ? ` ${strings.lesson.guess}` : '';
    assert.equal(
      await page.locator('.lesson-text').textContent(),
      strings.scenes['leak-lab'].lesson[step - 1] + guess,
    );
    assert.equal(await page.locator('.is-pointed-at').count(), 1);
    assert.equal(await page.locator('#guess.is-pointed-at').count(), step === 1 ? 1 : 0);
    if (step > 1) await press('Do it');
    await demo.settled();
    await press(step < 5 ? 'Next' : 'Done');
  }
  assert.equal(await page.locator('.lesson').isVisible(), false);
  assert.equal((await demo.snapshot()).optimizer.rule, 'adamW');
});

demoTest('every tour can be taken to its end, and left at any step', async (demo) => {
  for (const { id } of scenes) {
    await demo.openScene(strings.scenes[id].name);
    await demo.button('Take the tour').click();
    for (let step = 0; step < 5; step++) {
      const act = demo.button('Do it');
      if (await act.isVisible()) {
        await act.click();
        await demo.settled();
      }
      await demo.button(step < 4 ? 'Next' : 'Done').click();
    }
    assert.equal(await demo.message().count(), 0, id);
    await demo.button('Take the tour').click();
    await demo.button('Skip the tour').click();
    assert.equal(await demo.page.locator('.lesson').isVisible(), false);
  }
});

demoTest(
  'a screen reader finds a grid of toggle buttons, rows and what is locked',
  async (demo) => {
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
    await demo.train(10);
    await demo.page
      .locator('[aria-live=polite]', { hasText: /Step 10, loss [\d.]+, 2 of 4 cells locked/ })
      .waitFor({ state: 'attached' });
  },
);

demoTest('speech is one sentence in five seconds, and none while nothing happens', async (demo) => {
  const { page } = demo;
  await page.evaluate(() => {
    /** @type {number[]} */
    const heard = [];
    Object.assign(window, { heard });
    const listen = new MutationObserver(() => heard.push(performance.now()));
    for (const live of document.querySelectorAll('[aria-live], [role=status], output')) {
      listen.observe(live, { childList: true, characterData: true, subtree: true });
    }
  });
  await demo.button('Play').click();
  for (let i = 0; i < 6; i++) {
    await demo.cell(1, 1).click();
    await page.waitForTimeout(900);
  }
  await demo.button('Pause').click();
  await page.waitForTimeout(5500);
  const heard = /** @type {number[]} */ (await page.evaluate('heard'));
  assert.ok(heard.length >= 1 && heard.length <= 3, `heard ${heard.length} sentences in 11 s`);
  heard.forEach((at, i) => {
    assert.ok(i === 0 || at - heard[i - 1] > 4900, `${at - heard[i - 1]} ms apart`);
  });
  await page.waitForTimeout(3000);
  assert.equal(await page.evaluate('heard.length'), heard.length, 'silence');
});

demoTest('teachers hide parts, embed, and choose the language', async (demo) => {
  const { page } = demo;
  await page.goto(`${site.url}?embed=1&hide=settings,inspector,chart#scene=membrane`);
  await demo.ready();
  for (const id of ['top', 'scenes', 'settings', 'inspector', 'chart-panel', 'keys', 'share']) {
    assert.equal(await page.locator(`#${id}`).isVisible(), false, id);
  }
  for (const id of ['grid', 'run', 'locks']) {
    assert.equal(await page.locator(`#${id}`).isVisible(), true, id);
  }
  await page.goto('about:blank');
  await page.goto(`${site.url}?lang=de&lesson=picture`);
  await demo.ready();
  assert.equal(await page.evaluate('document.documentElement.lang'), 'de');
  await page.getByRole('button', { name: 'Rundgang beenden' }).click();
  assert.equal(await page.getByRole('button', { name: 'Starten' }).isVisible(), true);
  assert.deepEqual(await objections(demo), []);
});

demoTest(
  'arrows lead from matrix to matrix until all have been reached, a Tab each',
  async (demo) => {
    const { page } = demo;
    for (const name of ['Weights', 'Digits', 'Kernels', 'Freeze the base']) {
      await demo.openScene(name);
      const count = await page.locator('gradlock-grid').count();
      const stops = await page.evaluate(() =>
        [...document.querySelectorAll('gradlock-grid')].map(
          ({ shadowRoot }) => shadowRoot?.querySelectorAll('[tabindex="0"], .cursor').length,
        ),
      );
      assert.deepEqual(stops, new Array(count).fill(1), name);
      /** Which grid has the focus. */
      const focused = () =>
        page.evaluate(() => {
          const grids = [...document.querySelectorAll('gradlock-grid')];
          return grids.indexOf(/** @type {any} */ (document.activeElement));
        });
      const reached = new Set([0]);
      for (const from of reached) {
        // From the corners.
        for (const [key, isRight, isLow] of /** @type {const} */ ([
          ['ArrowRight', 1, 0],
          ['ArrowRight', 1, 1],
          ['ArrowDown', 0, 1],
          ['ArrowDown', 1, 1],
          ['ArrowLeft', 0, 0],
          ['ArrowLeft', 0, 1],
          ['ArrowUp', 0, 0],
          ['ArrowUp', 1, 0],
        ])) {
          await page.evaluate(
            ([at, right, low]) => {
              const grid = /** @type {any} */ (document.querySelectorAll('gradlock-grid')[at]);
              const { rows, cols } = grid.source;
              grid.selected = low * (rows - 1) * cols + right * (cols - 1);
              grid.focus();
            },
            /** @type {const} */ ([from, isRight, isLow]),
          );
          await page.keyboard.press(key);
          reached.add(await focused());
        }
      }
      assert.deepEqual(
        [...reached].sort((a, b) => a - b),
        [...Array(count).keys()],
        name,
      );
    }
  },
);

demoTest(
  'a matrix is locked and freed by its name, a row and a column by theirs, one edit each',
  async (demo) => {
    await demo.openScene('Weights');
    const { page } = demo;
    const locked = async () => (await demo.snapshot()).locks.reduce((sum, bit) => sum + bit, 0);
    const undo = async () => {
      await page.keyboard.press('Control+z');
      await demo.settled();
      return locked();
    };
    const press = async (/** @type {string} */ name) => {
      await page.getByRole('button', { name, exact: true }).first().click();
      await demo.settled();
      return locked();
    };
    // A layer is its matrix: its biases are its last row.
    assert.equal(await press('Layer 1 to layer 2'), 72);
    assert.equal(await press('Layer 1 to layer 2'), 0);
    assert.equal(await undo(), 72);
    assert.equal(await undo(), 0);
    assert.equal(await press('bias'), 8, 'of the first matrix');
    assert.equal(await undo(), 0);
    await page.locator('gradlock-grid .cell').first().focus();
    await page.keyboard.press('Control+Space');
    await demo.settled();
    assert.equal(await locked(), 3);
    await page.keyboard.press('Control+a');
    await demo.settled();
    assert.equal(await locked(), 24);
  },
);
