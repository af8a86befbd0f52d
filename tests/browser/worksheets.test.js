/* Tier: all. */
/**
 * What a worksheet of docs/teachers.md says to do can be done, in its order, by what a student sees:
 * each name in italics is found on the page and used, and training goes as far as it says.
 * tests/web/worksheets.test.js has what is seen then.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { launchChromium } from './chromium.js';
import { DemoPage } from './page.js';
import { serveSite } from './site.js';

/** @typedef {(demo: DemoPage, found: RegExpMatchArray) => Promise<unknown>} Act */

const guide = readFileSync(new URL('../../docs/teachers.md', import.meta.url), 'utf8');
const sheets = Array.from(
  guide.matchAll(
    /### (.*)\n!\[[\s\S]*?\*\*Link\*\*: `(.*)`[\s\S]*?\*\*Do\*\*: ([\s\S]*?)- \*\*Seen\*\*/g,
  ),
  ([, name, link, text]) => ({ name, link, text: text.replace(/\s+/g, ' ') }),
);

/** @param {DemoPage} demo */
const isPlaying = (demo) => demo.page.evaluate('gradlockDemo.frame().isPlaying');

/** Until the run has gone on a little. @param {DemoPage} demo */
async function play(demo) {
  const { step } = await demo.snapshot();
  await demo.button('Play').click();
  await demo.until(`gradlockDemo.frame().step > ${step + 5}`);
}

/** @param {DemoPage} demo @param {number} steps */
async function train(demo, steps) {
  if (await isPlaying(demo)) await demo.button('Pause').click();
  await demo.steps(steps);
}

/** Picks an option of a list that is in sight. @param {DemoPage} demo @param {string} option */
async function pick(demo, option) {
  for (const list of await demo.page.locator('select:visible').all()) {
    if (!(await list.locator('option').allTextContents()).includes(option)) continue;
    return list.selectOption({ label: option });
  }
  return assert.fail(`no list in sight has “${option}”`);
}

/** Uses what has this name: a button, a side of a switch, a reading, or an option of a list. @param {DemoPage} demo @param {string} name */
async function use(demo, name) {
  if (name === 'Play') return play(demo);
  if (await demo.button(name).isVisible()) return demo.button(name).click();
  const side = demo.page.locator('label:visible', { hasText: RegExp(`^\\s*${name}\\s*$`) });
  if (await side.count()) return side.first().click();
  const shown = demo.page.getByText(name, { exact: true }).locator('visible=true');
  if (await shown.count()) return shown.first().isVisible();
  return pick(demo, name.replace(/^.*: /, ''));
}

/** A click into the only grid, by shares of its sides. @param {DemoPage} demo @param {number} x @param {number} y */
async function clickGrid(demo, x, y) {
  const box = await demo.page.locator('gradlock-grid').first().boundingBox();
  assert.ok(box);
  await demo.page.mouse.click(box.x + x * box.width, box.y + y * box.height);
}

/** @param {DemoPage} demo @param {number} node from 1 */
async function middleOf(demo, node) {
  const box = await demo.page
    .locator('.graph-node')
    .nth(node - 1)
    .boundingBox();
  assert.ok(box);
  return /** @type {const} */ ([box.x + box.width / 2, box.y + box.height / 2]);
}

/** @param {DemoPage} demo */
async function dragNode(demo) {
  await demo.page.mouse.move(...(await middleOf(demo, 6)));
  await demo.page.mouse.down();
  await demo.page.mouse.move(...(await middleOf(demo, 16)), { steps: 5 });
  await demo.page.mouse.up();
}

/** @param {DemoPage} demo @param {string[]} found */
async function keep(demo, [, percent]) {
  await demo.page.getByLabel('Weights to keep').fill(percent);
  await demo.button('Prune and rewind').click();
}

/** @param {DemoPage} demo */
async function drawDigit(demo) {
  const box = await demo.page.locator('.pad-sheet').boundingBox();
  assert.ok(box);
  await demo.page.mouse.move(box.x + box.width / 2, box.y + 20);
  await demo.page.mouse.down();
  await demo.page.mouse.move(box.x + box.width / 2, box.y + box.height - 20, { steps: 5 });
  await demo.page.mouse.up();
}

/** What sentences mean, the longest first. @type {[RegExp, Act][]} */
const ACTS = [
  [
    /for each optimizer \*Reset\*, choose it, and train (\d+) steps/,
    async (demo, [, steps]) => {
      for (const rule of ['SGD', 'Momentum', 'Adam', 'AdamW']) {
        await demo.button('Reset').click();
        await pick(demo, rule);
        await train(demo, Number(steps));
      }
    },
  ],
  [/\*Prune and rewind\* to (\d+) %/, keep],
  [
    /\*Undo\* and repeat with (\d+) %/,
    async (demo, found) => {
      await demo.button('Undo').click();
      await demo.settled();
      await keep(demo, found);
    },
  ],
  [
    /\*Prune\* (\d+) %/,
    async (demo, [, share]) => {
      await pick(demo, `${share} %`);
      await demo.button('Prune').click();
    },
  ],
  [/draw locks of your own|lock some cells in the middle/, (demo) => clickGrid(demo, 0.5, 0.52)],
  [/choose (AdamW?)(?: with)?/, (demo, [, rule]) => pick(demo, rule)],
  [
    /a weight decay of ([\d.]+)/,
    async (demo, [, decay]) => {
      await demo.page.getByLabel('Weight decay', { exact: true }).first().fill(decay);
      await demo.page.keyboard.press('Enter');
    },
  ],
  [
    /free the cell at the top right/,
    async (demo) => {
      await demo.cell(1, 2).click();
      assert.equal((await demo.snapshot()).locks[1], 0);
    },
  ],
  [
    /type a value into a locked cell/,
    async (demo) => {
      await demo.cell(2, 1).focus();
      await demo.page.keyboard.type('7');
      await demo.page.keyboard.press('Enter');
      await demo.message().waitFor();
    },
  ],
  [/and again\./, (demo) => train(demo, 200)],
  [/start again/, (demo) => demo.button('Reset').click()],
  [
    /click \*width\* above the grid to free them/,
    (demo) => demo.page.locator('.col-name', { hasText: /^width$/ }).click(),
  ],
  [/digit on the pad|digits on the pad/, (demo) => demo.button('An 8 by someone else').click()],
  [/draw your own/, drawDigit],
  [/drag node 6 into the corner of node 16|drag it again/, dragNode],
  [/Pin it \(click\)/, async (demo) => demo.page.mouse.click(...(await middleOf(demo, 6)))],
  [
    /open some of its marks/,
    async (demo) => {
      await demo.page.locator('.study-point[aria-label^="Ticket, 33 %"]').first().focus();
      await demo.page.keyboard.press('Enter');
    },
  ],
  [
    /bring numbers/,
    async (demo) => {
      await demo.page.getByText('Paste a table', { exact: true }).click();
      await demo.page.locator('textarea:visible').fill('1,2,3\n4,,6');
      await demo.button('Use these numbers').click();
    },
  ],
  [/lock what you want to keep/, (demo) => demo.cell(1, 1).click()],
  [/\*([^*]+)\*/, (demo, [, name]) => use(demo, name)],
  [
    /(?:train (?:another )?|for |, )(\d[\d,]*)(?: steps| more| again|[.;])|(\d[\d,]*) more/,
    (demo, [, steps, more]) => train(demo, Number((steps ?? more).replaceAll(',', ''))),
  ],
];

/** @type {Awaited<ReturnType<typeof serveSite>>} */
let site;
/** @type {Awaited<ReturnType<typeof launchChromium>>} */
let browser;
before(async () => {
  site = await serveSite();
  browser = await launchChromium();
});
after(async () => {
  await browser.close();
  site.close();
});

test('each scene has a worksheet', () => assert.equal(sheets.length, 13));

for (const { name, link, text } of sheets) {
  test(`${name}: its worksheet is done by what is in sight`, async () => {
    const demo = await DemoPage.open(browser, site.url + link, {}, 'simple');
    await demo.button('Skip the tour').press('Enter');
    const opened = await demo.snapshot();
    let rest = text;
    let acts = 0;
    for (;;) {
      const [found, act] = ACTS.map(([what, act]) => /** @type {const} */ ([rest.match(what), act]))
        .filter(([found]) => found)
        .toSorted(([a], [b]) => Number(a?.index) - Number(b?.index))[0] ?? [null];
      if (!found || !act) break;
      await act(demo, found);
      await demo.settled();
      rest = rest.slice(Number(found.index) + found[0].length);
      acts++;
    }
    assert.ok(acts > 1, `${acts} acts`);
    if (await isPlaying(demo)) await demo.button('Pause').click();
    await demo.settled();
    const ended = await demo.snapshot();
    assert.ok(ended.digest !== opened.digest, 'something has come of it');
    await demo.close();
  });
}
