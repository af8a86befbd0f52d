/** Links, files and code: each leads to the same bits at the same step, in the other browsers too; bad ones do no harm. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { scenes } from '../../web/scenes/index.js';
import { cellsOf, layoutOf } from '../../web/scenes/layout.js';
import { fromLink, toLink } from '../../web/state/link.js';
import { firstState, openingState, validate } from '../../web/state/state.js';
import { strings } from '../../web/strings/index.js';
import { launchFirefox } from './firefox.js';
import { demoTest, site } from './harness.js';
import { textOf } from './page.js';
import { LISTEN, serveSite } from './site.js';
import { until } from './until.js';
import { snapshotOf } from './visit.js';
import { launchWebKit } from './webkit.js';
import { STEADY } from '../js/steady.js';

const root = pathToFileURL(join(import.meta.dirname, '../../')).href;

/** A run with everything in it: locks, rates and rules that change on the way, a value set by hand. @param {import('./page.js').DemoPage} demo */
async function live(demo) {
  await demo.steps(7);
  await demo.button('Invert').click();
  await demo.steps(5);
  await demo.page.getByLabel('Optimizer', { exact: true }).selectOption('Momentum');
  await demo.page.getByLabel('Learning rate', { exact: true }).fill('0.013');
  await demo.page.keyboard.press('Enter');
  await demo.steps(6);
  await demo.button('Free all').click();
  await demo.page.locator('.cell, .cursor').first().focus();
  await demo.page.keyboard.type('0.3');
  await demo.page.keyboard.press('Enter');
  await demo.steps(8);
  return demo.snapshot();
}

demoTest(
  'a link opened in Firefox and in WebKit leads to the same digests, for every scene',
  async (demo) => {
    const firefox = await launchFirefox();
    const webkit = await launchWebKit();
    const listening = await serveSite(LISTEN);
    try {
      const page = await firefox.newPage();
      const third = await webkit.newPage();
      for (const { id } of scenes) {
        await demo.page.goto(`${site.url}#scene=${id}`);
        await demo.ready();
        const end = await live(demo);
        const link = /** @type {string} */ (await demo.page.evaluate('gradlockDemo.link()'));
        for (const there of [page, third]) {
          await there.goto('about:blank');
          await there.goto(there === third ? listening.url + new URL(link).hash : link);
          await there.waitForSelector('>>> .cell, >>> .cursor');
          const opened = await snapshotOf(there);
          assert.equal(opened.step, end.step, id);
          assert.equal(opened.digest, end.digest, id);
          assert.equal(opened.rivalDigest, end.rivalDigest, id);
          assert.deepEqual(opened.locks, end.locks, id);
        }
        await demo.steps(9);
        await third.evaluate('gradlockDemo.step(9)');
        assert.equal((await snapshotOf(third)).digest, (await demo.snapshot()).digest, id);
        assert.deepEqual(await third.evaluate('complaints'), [], id);
      }
    } finally {
      listening.close();
      await Promise.all([firefox.close(), webkit.close()]);
    }
  },
);

demoTest('the code for npm prints the same digest', async (demo) => {
  const folder = mkdtempSync(join(tmpdir(), 'gradlock-code-'));
  try {
    for (const { id } of scenes) {
      await demo.page.goto(`${site.url}#scene=${id}`);
      await demo.ready();
      const small = id === 'picture' || id === 'membrane' || id === 'own';
      if (small) await demo.change({ rows: 8, cols: 8 });
      const { digest } = await live(demo);
      const code = /** @type {string} */ (await demo.page.evaluate('gradlockDemo.code()'));
      const file = join(folder, `${id}.mjs`);
      const local = code.replace("'gradlock'", `'${root}build/npm/index.js'`);
      writeFileSync(file, local.replace("'gradlock/layers'", `'${root}build/npm/layers.js'`));
      const printed = execFileSync(process.execPath, [...STEADY, file], {
        encoding: 'utf8',
      }).trim();
      assert.equal(printed, digest, id);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

demoTest(
  'the code on the page follows the run, and saved as a page it runs in both browsers, from a disk',
  async (demo) => {
    const { page } = demo;
    const folder = mkdtempSync(join(tmpdir(), 'gradlock-page-'));
    const firefox = await launchFirefox();
    try {
      // The second is a network of gradlock/layers.
      for (const scene of ['Peaks', 'Kernels']) {
        await demo.openScene(scene);
        const code = page.locator('pre.code');
        if (scene === 'Peaks') await page.getByText('Code of this run').click();
        await demo.steps(12);
        await code.getByText('to step 12').waitFor();
        const { digest } = await live(demo);
        // Of long programs the panel shows the beginning.
        if (scene === 'Peaks') await code.getByText(`// ${digest}`).waitFor();
        else await code.getByText('nn.conv2d').waitFor();
        const waiting = page.waitForEvent('download');
        await demo.button('Save as a page that runs').click();
        const file = join(folder, `${scene}.html`);
        await (await waiting).saveAs(file);
        const there = await firefox.newPage();
        const address = pathToFileURL(file).href;
        const here = await page.context().newPage();
        await here.goto(address);
        await here.locator('gradlock-grid .cell').first().waitFor();
        assert.equal((await here.locator('#printed').textContent())?.trim(), digest);
        await here.close();
        await there.goto(address);
        await there.waitForSelector('>>> .cell');
        const printed = await there.evaluate(
          "document.getElementById('printed').textContent.trim()",
        );
        assert.equal(printed, digest);
      }
    } finally {
      await firefox.close();
      rmSync(folder, { recursive: true });
    }
  },
);

demoTest(
  'every worksheet has its picture, and a link that opens its scene with its tour',
  async (demo) => {
    const text = readFileSync(new URL('../../docs/teachers.md', import.meta.url), 'utf8');
    const sheets = text.split(/^### /m).slice(1);
    assert.deepEqual(
      sheets.map((sheet) => sheet.split('\n')[0]),
      scenes.map(({ id }) => strings.scenes[id].name),
    );
    for (const [i, sheet] of sheets.entries()) {
      const [, picture] = sheet.match(/!\[.*\]\((.*)\)/) ?? [];
      assert.ok(existsSync(new URL(`../../docs/${picture}`, import.meta.url)), picture);
      for (const part of ['Question', 'Guess', 'Do', 'Seen', 'Why']) {
        assert.match(sheet, new RegExp(`\\*\\*${part}\\*\\*`), sheet.slice(0, 30));
      }
      const [, link] = sheet.match(/\*\*Link\*\*: `(.*)`/) ?? [];
      await demo.page.goto('about:blank');
      await demo.page.goto(site.url + link);
      await demo.ready();
      assert.equal((await demo.snapshot()).scene, scenes[i].id);
      assert.ok(await demo.page.locator('#lesson').isVisible());
      assert.equal(await demo.message().count(), 0);
    }
  },
);

demoTest('a link that is no link says so kindly, and a run opens all the same', async (demo) => {
  const bad = [
    '#',
    '#nonsense',
    '#scene=__proto__&step=1e99',
    '#scene=picture&size=1000000x2&seed=-1&optimizer=adam,NaN,2,x&step=12',
    '#scene=two-by-two&locks=!!!!&log=5l%%%~9o~3a',
    '#scene=own&own=9999x9999xfAAAA',
    `#scene=membrane&log=${'5p2~'.repeat(3000)}`,
    '#scene=two-by-two&log=3a0,1e999',
  ];
  for (const hash of bad) {
    await demo.page.goto('about:blank');
    await demo.page.goto(site.url + hash);
    await demo.ready();
    const { values } = await demo.snapshot();
    assert.ok(values.length >= 4 && values.every(Number.isFinite), hash);
    const isSaid = await demo.message().count();
    assert.equal(isSaid, hash.length > 1 ? 1 : 0, hash);
    const said = /^#(nonsense|scene=__proto__)/.test(hash) ? /names no scene/ : /could not be read/;
    if (isSaid) assert.match((await demo.message().textContent()) ?? '', said);
  }
});

demoTest(
  'a link typed over a run replaces it; a log the library refuses does not',
  async (demo) => {
    await demo.steps(20);
    const before = await demo.snapshot();
    await demo.written();
    // The log sets a locked cell, which the library refuses.
    await demo.page.evaluate("location.hash = '#scene=two-by-two&step=30&log=5a1,7'");
    await demo.message().waitFor();
    assert.match((await demo.message().textContent()) ?? '', /LockedElementError/);
    assert.equal((await demo.snapshot()).digest, before.digest);
    await demo.page.evaluate("location.hash = '#scene=leak-lab&step=30'");
    await demo.until(
      "gradlockDemo.snapshot().then(({ scene, step }) => scene === 'leak-lab' && step === 30)",
    );
  },
);

demoTest('a run saved as a file opens again; what is no run is refused', async (demo) => {
  await demo.openScene('Membrane');
  await demo.steps(30);
  const { digest } = await demo.snapshot();
  await demo.page.getByText('Share and export').click();
  const waiting = demo.page.waitForEvent('download');
  await demo.button('Run (JSON)').click();
  const saved = await textOf(await waiting);
  await demo.openScene('Two by two');
  const file = demo.page.getByLabel('Open a run (JSON)').first();
  await file.setInputFiles({ name: 'x.json', mimeType: '', buffer: Buffer.from('[1, {') });
  assert.match((await demo.message().textContent()) ?? '', /contains no run/);
  assert.equal((await demo.snapshot()).scene, 'two-by-two');
  await file.setInputFiles({ name: 'run.json', mimeType: '', buffer: Buffer.from(saved) });
  await demo.until(`gradlockDemo.snapshot().then((now) => now.digest === '${digest}')`);
  for (const [button, name] of [
    ['Picture (PNG)', 'gradlock.png'],
    ['Values (CSV)', 'gradlock.csv'],
    ['Code (npm)', 'run.mjs'],
  ]) {
    const download = demo.page.waitForEvent('download');
    await demo.button(button).click();
    assert.equal((await download).suggestedFilename(), name);
  }
});

test('a state that goes through a link comes back the same', () => {
  for (const scene of scenes) {
    const state = {
      ...openingState(scene),
      seed: 12345,
      beside: /** @type {const} */ ('rule'),
      logLoss: false,
      step: 77,
      optimizer: {
        rule: /** @type {const} */ ('adamW'),
        learningRate: 1 / 3,
        momentum: 0.1,
        weightDecay: 5e-7,
      },
      events: /** @type {import('../../web/state/history.js').Event[]} */ ([
        { step: 3, do: 'assign', index: 2, value: Math.fround(0.1) },
        { step: 3, do: 'prune', fraction: 0.5 },
      ]),
    };
    const cells = cellsOf(layoutOf(scene, state));
    const maskOf = (/** @type {(i: number) => boolean} */ is) =>
      Uint8Array.from({ length: cells }, (_, i) => Number(is(i)));
    // Locks of none, all, the first, the last, every third cell; zeros in reverse order.
    const masks = [
      ...[null, maskOf(() => false), maskOf(() => true), maskOf((i) => i === 0)],
      ...[maskOf((i) => i === cells - 1), maskOf((i) => i % 3 === 1)],
    ];
    for (const [i, locks] of masks.entries()) {
      const whole = { ...state, locks, zeros: masks[masks.length - 1 - i] };
      const { state: back, problems } = validate(fromLink(toLink(whole)) ?? {}, firstState());
      assert.deepEqual(problems, []);
      assert.deepEqual(back, whole);
    }
  }
});

test('in Firefox, keys and clicks lock, a run plays, and locked cells hold their bits', async () => {
  const firefox = await launchFirefox({ 'ui.prefersReducedMotion': 1 });
  try {
    const page = await firefox.newPage();
    await page.goto(`${site.url}#scene=two-by-two`);
    await lockAndPlay(page);
  } finally {
    await firefox.close();
  }
});

test('in WebKit too, whose language is no language tag under this locale, and without a complaint', async () => {
  const webkit = await launchWebKit({ locale: 'C.UTF-8' });
  const listening = await serveSite(`${LISTEN} window.language = navigator.language;`);
  try {
    const page = await webkit.newPage();
    await page.goto(`${listening.url}#scene=two-by-two`);
    await lockAndPlay(page);
    assert.equal(await page.evaluate('language'), 'C');
    assert.deepEqual(await page.evaluate('complaints'), []);
  } finally {
    listening.close();
    await webkit.close();
  }
});

/** @param {import('puppeteer-core').Page | import('./webkit-page.js').WebKitPage} page */
async function lockAndPlay(page) {
  await page.waitForSelector('>>> .cell');
  await page.click('>>> .cell');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press(' ');
  const before = await snapshotOf(page);
  assert.deepEqual(before.locks, [1, 0, 1, 0]);
  await page.click('.play');
  await until(page, 'gradlockDemo.frame().step > 20');
  await page.click('.play');
  const after = await snapshotOf(page);
  assert.equal(after.bits[0], before.bits[0]);
  assert.equal(after.bits[2], before.bits[2]);
  assert.notEqual(after.bits[1], before.bits[1]);
  assert.ok(after.loss < before.loss);
}
