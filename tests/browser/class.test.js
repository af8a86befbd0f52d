/** What a class shares without a server: challenges that a link proves, guesses as codes, films of a run. */

import '../web/raw.js';
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { init } from 'gradlock';
import { ready } from '../../web/engine/networks.js';
import { proofOf } from '../../web/engine/proof.js';
import { Session } from '../../web/engine/session.js';
import { challenges, findChallenge } from '../../web/scenes/challenges.js';
import { freeze } from '../../web/scenes/freeze.js';
import { findScene, scenes } from '../../web/scenes/index.js';
import { packMask } from '../../web/state/codec.js';
import { judge } from '../../web/state/judge.js';
import { openingState, setupOf, validate } from '../../web/state/state.js';
import { de } from '../../web/strings/de.js';
import { en } from '../../web/strings/en.js';
import { judgementText } from '../../web/view/judgement.js';
import { browser, demoTest, site } from './harness.js';

/** @typedef {import('../../web/state/history.js').Act} Act */
/** @typedef {number | Act} Move  steps to train, or an act */

/** @type {import('gradlock').Gradlock} */
let g;
before(async () => {
  g = await init();
});
after(() => g.dispose());

/** Judges a run of a challenge's scene. @param {string} id @param {Move[]} moves @param {Record<string, unknown>} [patch] of the state */
async function judged(id, moves, patch = {}) {
  const challenge = /** @type {import('../../web/scenes/challenges.js').Challenge} */ (
    findChallenge(id)
  );
  const scene = /** @type {import('../../web/scenes/scene.js').Scene} */ (
    findScene(String(patch.scene ?? challenge.scene))
  );
  await ready(scene);
  const { state, problems } = validate(patch, openingState(scene));
  assert.deepEqual(problems, []);
  const { optimizer, beside, rival, locks, zeros } = state;
  const session = new Session(g, scene, setupOf(state), {
    ...{ optimizer, locks, zeros, events: [], look: { beside, rival } },
  });
  session.replay(session.warm);
  for (const move of moves) {
    if (typeof move === 'number') session.advance(move);
    else session.do(move);
  }
  const judgement = judge(challenge, { ...state, ...session.recipe() }, proofOf(session));
  session.dispose();
  return judgement;
}

/** @param {number[]} mask @returns {Act} */
const lock = (mask) => ({ do: 'locks', mask: packMask(Uint8Array.from(mask)) });
/** @param {number} learningRate @returns {Act} */
const sgd = (learningRate) => ({
  ...{ do: 'optimizer' },
  settings: { rule: 'sgd', learningRate, momentum: 0.9, weightDecay: 0 },
});
const LAST = lock([0, 0, 0, 1]);

for (const [
  claim,
  id,
  moves,
  patch,
  wanted,
] of /** @type {[string, string, Move[], Record<string, unknown>, object][]} */ ([
  ['one step of SGD does it', 'three-cells', [LAST, sgd(0.5), 1], {}, { score: 1 }],
  ['Adam takes longer', 'three-cells', [LAST, 200], {}, { score: 200 }],
  ['four free cells are too many', 'three-cells', [lock([0, 0, 0, 0]), 100], {}, { found: 4 }],
  ['the wrong three end too high', 'three-cells', [lock([0, 1, 0, 0]), 200], {}, { found: 1 }],
  ['a lock after the first step', 'three-cells', [50, LAST, 100], {}, { act: 'locks' }],
  [
    'a typed value',
    'three-cells',
    [LAST, { do: 'assign', index: 0, value: 1 }, 50],
    {},
    { act: 'assign' },
  ],
  [
    'a mask instead of locks',
    'three-cells',
    [LAST, { do: 'switch', to: 'mask' }, 100],
    {},
    { broken: 'mask' },
  ],
  ['too many steps', 'three-cells', [LAST, 2001], {}, { broken: 'steps' }],
  ['another scene', 'three-cells', [10], { scene: 'peaks' }, { broken: 'scene' }],
  ['a third pruned', 'few-weights', [500, { do: 'prune', fraction: 0.3 }, 500], {}, { score: 73 }],
  ['nothing trained', 'few-weights', [], {}, { missed: { of: 'score', atLeast: 0.95 } }],
  ['other data', 'few-weights', [500], { choices: { data: 'xor' } }, { broken: 'setup' }],
  ['other layers', 'few-weights', [500], { rows: 4, cols: 4 }, { broken: 'setup' }],
  ['another seed', 'few-weights', [500], { seed: 2 }, { broken: 'setup' }],
  ['the locks of the scene', 'old-digits', [400], {}, { score: 457 }],
  [
    'nothing locked',
    'old-digits',
    [lock(Array(542).fill(0)), 400],
    {},
    { missed: { of: 'old', atLeast: 0.9 } },
  ],
  [
    'another optimizer from the start',
    'old-digits',
    [400],
    { optimizer: { rule: 'sgd', learningRate: 0.01, momentum: 0, weightDecay: 0 } },
    { broken: 'setup' },
  ],
  [
    'an option that its rule does not use',
    'old-digits',
    [399],
    { optimizer: { ...freeze.optimizer, momentum: 0.123 } },
    { found: 399 },
  ],
  [
    'another optimizer where it is free',
    'three-cells',
    [LAST, 1],
    { optimizer: { rule: 'sgd', learningRate: 0.5, momentum: 0, weightDecay: 0 } },
    { score: 1 },
  ],
  ['too early', 'old-digits', [399], {}, { found: 399 }],
])) {
  test(`challenge ${id}: ${claim}`, async () => {
    const found = /** @type {any} */ (await judged(id, moves, patch));
    for (const [name, value] of Object.entries(wanted)) {
      const given = typeof value === 'number' ? Math.round(found[name]) : found[name];
      assert.deepEqual(given, value, JSON.stringify(found));
    }
  });
}

test('what is missing is said in counts, in percent, or as a loss', () => {
  for (const [id, missed, found, says] of /** @type {[string, any, number, RegExp][]} */ ([
    ['three-cells', { of: 'unlocked', atMost: 3 }, 4, /Free cells: 4\..* at most 3\./],
    ['old-digits', { of: 'step', atLeast: 400 }, 399, /Steps: 399\..* at least 400\./],
    ['old-digits', { of: 'step', atLeast: 4000 }, 1234, /Steps: 1,234\..* at least 4,000\./],
    ['few-weights', { of: 'score', atLeast: 0.95 }, 0.6128, /side: 61\.3\s%\..* at least 95\s%\./],
    ['three-cells', { of: 'loss', atMost: 0.3 }, 7.5, /Loss: 7\.5000\..* at most 0\.3\./],
  ]))
    assert.match(judgementText(id, { missed, found }), says);
});

test('each challenge is of its own scene, and has words in both languages', () => {
  for (const { id, scene, goals } of challenges) {
    assert.ok(findScene(scene));
    assert.equal(challenges.filter((one) => one.scene === scene).length, 1, scene);
    for (const { challenges: words } of [en, de]) {
      assert.ok(words.of[id].task);
      for (const { of } of goals) assert.ok(words.goals[of], of);
    }
  }
});

demoTest(
  'a challenge says on request what the run scores, and its link carries it',
  async (demo) => {
    const panel = demo.page.locator('#challenge');
    await panel.locator('summary').click();
    await demo.button('Check my run').click();
    const told = panel.locator('.share-note');
    await told
      .filter({ hasText: 'Not yet. Loss: 7.5000. The challenge asks for at most 0.3.' })
      .waitFor();
    await demo.page.evaluate(
      '(gradlockDemo.toggle(1), gradlockDemo.toggle(2), gradlockDemo.toggle(3))',
    );
    await demo.settled();
    await demo.steps(200);
    await demo.button('Check my run').click();
    await told.filter({ hasText: 'You did it: 200 steps.' }).waitFor();
    // A verdict goes with what it was about.
    const edits = /** @type {[string, () => Promise<unknown>][]} */ ([
      ['a step', () => demo.button('Step').click()],
      ['a lock', () => demo.cell(1, 1).click()],
      ['Undo', () => demo.button('Undo').click()],
      ['Play', () => demo.button('Play').click()],
      ['Reset', () => demo.button('Reset').click()],
    ]);
    for (const [what, edit] of edits) {
      await demo.button('Check my run').click();
      await told.filter({ hasText: /./ }).waitFor();
      await edit();
      await demo.until("document.querySelector('#challenge .share-note').textContent === ''");
      assert.equal(await told.textContent(), '', what);
      await demo.settled();
    }
    // It is about one moment, so it pauses a run that plays.
    await demo.button('Play').click();
    await demo.button('Check my run').click();
    await told.filter({ hasText: /./ }).waitFor();
    await demo.button('Play').waitFor();
    await demo.openScene('Peaks');
    assert.equal(await panel.isVisible(), false);
  },
);

demoTest(
  'a guess has a code, as text and as a picture, and another guess another',
  async (demo) => {
    /** @type {string[]} */
    const codes = [];
    for (let visit = 0; visit < 2; visit++) {
      await demo.button('Keep every bit').click();
      const ballot = demo.page.locator('#ballot');
      await ballot.locator('summary').click();
      const code = (await ballot.locator('.ballot-code').textContent()) ?? '';
      assert.match(code, /^TWO-BY-TWO-B-[2-9A-Z]{4}$/);
      assert.equal(await ballot.locator('svg').getAttribute('aria-label'), `QR code of ${code}`);
      codes.push(code);
      await demo.openScene('Peaks');
      assert.equal(await ballot.isVisible(), false);
      await demo.openScene('Two by two');
      assert.equal(
        await ballot.locator('.ballot-code').textContent(),
        code,
        'one vote has one code',
      );
      assert.equal(await ballot.isVisible(), true);
      await demo.page.reload();
      await demo.ready();
    }
    assert.notEqual(codes[0], codes[1]);
  },
);

test('in presenter mode, at 1920 × 1080, what matters in each scene is at least 24 px high', async () => {
  const context = await browser.newContext({ viewport: { width: 1920, height: 1080 } });
  const page = await context.newPage();
  for (const { id } of scenes) {
    await page.goto(`${site.url}?lang=en&present=1&of=${id}#scene=${id}`);
    await page.locator('.cell, .cursor').first().waitFor();
    await page.evaluate('gradlockDemo.step(40)');
    const sizes = await page.evaluate(() => {
      const parts = ['#lede', '.play', '.loss', '.lock-count, #locks p', '#grid .pane'];
      const isSeen = (/** @type {Element} */ one) =>
        one.checkVisibility({ visibilityProperty: true });
      /** @type {(root: ParentNode) => Element[]} */
      const below = (root) =>
        [...root.querySelectorAll('*')].flatMap((one) => [
          one,
          ...(one.shadowRoot ? below(one.shadowRoot) : []),
        ]);
      return parts.map((part) => {
        const found = [...document.querySelectorAll(part)].filter(isSeen);
        const texts = found
          .flatMap((one) => [one, ...below(one)])
          .filter((one) => !(one instanceof SVGElement) && isSeen(one))
          .filter((one) =>
            [...one.childNodes].some((node) => node instanceof Text && node.data.trim()),
          )
          .map((one) => [parseFloat(getComputedStyle(one).fontSize), one.textContent]);
        return { part, texts };
      });
    });
    for (const { part, texts } of sizes) {
      // A canvas shows no numbers.
      if (!part.startsWith('#grid')) assert.ok(texts.length > 0, `${id}: ${part} is in sight`);
      for (const [size, text] of texts)
        assert.ok(Number(size) >= 24, `${id}: ${text} has ${size} px`);
    }
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 1920, id);
  }
  await page.getByRole('button', { name: 'Leave presenter mode' }).click();
  await page.getByRole('button', { name: 'Presenter mode', exact: true }).waitFor();
  await context.close();
});
