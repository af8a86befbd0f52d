/** The demo for everyone: axe finds nothing, the keyboard alone suffices, a screen reader finds its way. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { scenes } from '../../web/scenes/index.js';
import { strings } from '../../web/strings/index.js';
import { demoTest, site } from './harness.js';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of axe whose verdict depends on colours. */
const COLOURS = ['color-contrast', 'link-in-text-block'];

/** What axe objects to, in short. @param {import('./page.js').DemoPage} demo @param {string[]} [runOnly] @returns {Promise<string[]>} */
async function objections(demo, runOnly) {
  await demo.page.evaluate(axe);
  return demo.page.evaluate(`axe.run(${JSON.stringify({ runOnly })}).then(({ violations }) => violations.map(
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
      const rules = colorScheme === 'dark' ? COLOURS : undefined;
      for (const { id } of scenes.filter((scene) => isWhole || most.includes(scene.id))) {
        await demo.openScene(strings.scenes[id].name);
        await demo.steps(20);
        assert.deepEqual(await objections(demo, rules), [], id);
      }
      await demo.page.getByText('Share and export').click();
      await demo.button('Take the tour').click();
      await demo.change({ scene: 'membrane', beside: 'pressure' });
      await demo.settled();
      assert.deepEqual(await objections(demo, rules), []);
    },
    { viewport: { width, height: 900 }, colorScheme },
  );
}

demoTest(
  'axe finds nothing wrong with what is seen for a while: a guess, a replay, a drop, a complaint',
  async (demo) => {
    const { page } = demo;
    for (const lang of ['en', 'de']) {
      await page.goto('about:blank');
      await page.evaluate("localStorage.removeItem('gradlock-view')").catch(() => {});
      await page.goto(`${site.url}?lang=${lang}#scene=leak-lab`);
      await demo.ready();
      assert.ok(await page.locator('#guess').isVisible());
      assert.deepEqual(await objections(demo), [], `${lang}: a guess`);
      await page.goto(`${site.url}?lang=${lang}&long#scene=network&step=10000000`);
      await page.locator('#progress progress').waitFor();
      assert.deepEqual(await objections(demo), [], `${lang}: a replay`);
      assert.ok(await page.locator('#progress').isVisible(), 'it was under way');
      await page.locator('#progress button').click();
      await demo.settled();
      await page.evaluate(`(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['PK'], 'x.zip'));
        const over = new DragEvent('dragover', { bubbles: true, cancelable: true, dataTransfer });
        document.body.dispatchEvent(over);
      })()`);
      assert.ok(await page.locator('.drop-here').isVisible());
      assert.deepEqual(await objections(demo), [], `${lang}: a drop`);
      await page.evaluate("document.querySelector('.drop-here').hidden = true");
      await page.locator('.scenes-all').click();
      await demo.until("document.querySelector('.card-picture').dataset.frame !== undefined");
      assert.deepEqual(await objections(demo), [], `${lang}: the cards`);
      await page.keyboard.press('Escape');
      await page.goto(`${site.url}?lang=${lang}&bad#scene=two-by-two&log=3a0,1e999`);
      await demo.message().waitFor();
      assert.deepEqual(await objections(demo), [], `${lang}: a complaint`);
    }
    await page.emulateMedia({ forcedColors: 'active' });
    assert.deepEqual(await objections(demo), [], 'forced colours');
    await page.locator('.scenes-all').click();
    assert.deepEqual(await objections(demo), [], 'forced colours, the cards');
    await page.emulateMedia({ forcedColors: 'none', colorScheme: 'dark' });
    assert.deepEqual(await objections(demo, COLOURS), [], 'the cards in the dark');
  },
);

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
  // By keys: while the page scrolls to what a step is about, a mouse may lose a button.
  const press = (/** @type {string} */ name) => demo.button(name).press('Enter');
  for (const { id } of scenes) {
    await demo.openScene(strings.scenes[id].name);
    await press('Take the tour');
    for (let step = 0; step < 5; step++) {
      if (await demo.button('Do it').isVisible()) {
        await press('Do it');
        await demo.settled();
      }
      await press(step < 4 ? 'Next' : 'Done');
    }
    assert.equal(await demo.message().count(), 0, id);
    await press('Take the tour');
    await press('Skip the tour');
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
