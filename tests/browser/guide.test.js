/* Tier: all. */
/**
 * docs/scenes.md, followed to the letter in a copy of web/: what it shows is a scene, in Node.js
 * and in Chromium.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'vite';
import { launchChromium } from './chromium.js';
import { compare, DemoPage } from './page.js';
import { serveFolder } from './site.js';
import { missingWords } from '../web/missing-words.js';
import { STEADY } from '../js/steady.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const copy = join(root, 'build/guide');
const guide = readFileSync(join(root, 'docs/scenes.md'), 'utf8');

/** The files of the guide's diffs, with their lines. */
const files = [...guide.matchAll(/```diff\n([\s\S]*?)```/g)].flatMap(([, body]) =>
  body
    .split(/^\+\+\+ /m)
    .slice(1)
    .map((part) => {
      const [path, ...lines] = part.trimEnd().split('\n');
      return { path, lines };
    }),
);

/** A figure of elements, as the guide says that one may be: it takes something in, and sets and lights a cell. */
const PAD = `
export const pad = {
  id: 'pad',
  build(host, { words, name, intents, stageOf }) {
    const button = document.createElement('button');
    const canvas = document.createElement('canvas');
    button.textContent = words.draw;
    button.onclick = () => {
      intents.tell('drawing', Float32Array.of(1, 2, 3, 4));
      intents.assign(63, 0.25);
      intents.light(62);
    };
    host.append(button, canvas);
    return {
      draw({ readings, locks, lit }) {
        const { pen, width, ink } = stageOf(canvas, 4);
        pen.fillStyle = ink('accent');
        pen.fillRect(0, 0, width, 5);
        canvas.dataset.seen = [readings.sum[0], locks.x[0], lit, name('a')].join();
      },
    };
  },
};
`;

/** In the copy, the guide's scene gets that figure, too. @param {string} path @param {[string, string][]} changes */
function edit(path, changes) {
  const file = join(copy, path);
  let text = readFileSync(file, 'utf8');
  for (const [from, to] of changes) {
    assert.ok(text.includes(from), `${path} has: ${from}`);
    text = text.replace(from, to);
  }
  writeFileSync(file, text);
}

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let site;
/** @type {import('playwright-core').Browser} */
let browser;

before(async () => {
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(root, 'web'), join(copy, 'web'), { recursive: true });
  // The copy takes the library from where web/ does.
  for (const name of ['build', 'node_modules', 'src', 'LICENSE'])
    symlinkSync(join(root, name), join(copy, name));
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  mkdirSync(join(copy, 'web/scenes/checkers'));
  for (const { path, lines } of files) {
    assert.ok(lines.every((line) => line.startsWith('+')));
    writeFileSync(join(copy, path), `${lines.map((line) => line.slice(1)).join('\n')}\n`);
  }
  writeFileSync(join(copy, 'web/scenes/checkers/pad.js'), PAD);
  edit('web/scenes/checkers/scene.js', [
    ['import { contrast }', "import { pad } from './pad.js';\nimport { contrast }"],
    ['figures: [contrast],', 'figures: [contrast, pad], inputs: () => ({ drawing: [2, 2] }),'],
    ['(g, { x }) => ({ size', '(g, { x, drawing }) => ({ sum: g.sum(drawing), size'],
  ]);
  const words = 'web/scenes/checkers/words.js';
  const text = readFileSync(join(copy, words), 'utf8');
  const draw = "figures: { pad: { draw: 'Draw' }, contrast";
  writeFileSync(join(copy, words), text.replaceAll('figures: { contrast', draw));
  const outDir = join(copy, 'site');
  await build({
    root: join(copy, 'web'),
    configFile: join(copy, 'web/vite.config.js'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  });
  browser = await launchChromium();
  site = await serveFolder(pathToFileURL(`${outDir}/`));
});

after(async () => {
  await browser?.close();
  site?.close();
  rmSync(copy, { recursive: true, force: true });
});

test('its scene has all its words, in every language', async () => {
  const at = (/** @type {string} */ path) => import(pathToFileURL(join(copy, path)).href);
  const { tables } = await at('web/strings/index.js');
  const { findScene } = await at('web/scenes/index.js');
  const { openingState, setupOf } = await at('web/state/state.js');
  const scene = findScene('checkers');
  const setup = setupOf(openingState(scene));
  for (const words of Object.values(tables))
    assert.deepEqual(missingWords(scene, setup, words.scenes.checkers), []);
  assert.equal(scene.tour.length, 5);
});

test('a figure of elements sets an input, sets a cell, and highlights another', async () => {
  const demo = await DemoPage.open(browser, site.url);
  await demo.openScene('Checkers');
  const canvas = demo.page.locator('.is-pad canvas');
  const seen = () => canvas.getAttribute('data-seen');
  assert.equal(await seen(), '0,1,-1,a');
  await demo.page.getByRole('button', { name: 'Draw' }).click();
  await demo.until("document.querySelector('.is-pad canvas').dataset.seen === '10,1,62,a'");
  assert.equal((await demo.snapshot()).values[63], 0.25);
  const [ring, cell] = await Promise.all([
    demo.page.locator('.cell-ring').boundingBox(),
    demo.page.locator('.cell').nth(62).boundingBox(),
  ]);
  assert.deepEqual(ring, cell);
  // A drawing is no part of the run.
  await demo.steps(10);
  const { digest } = await demo.snapshot();
  await demo.page.goto(/** @type {string} */ (await demo.page.evaluate('gradlockDemo.link()')));
  await demo.page.reload();
  await demo.ready();
  assert.equal((await demo.snapshot()).digest, digest);
  assert.match((await seen()) ?? '', /^0,/);
  await demo.close();
});

test('its scene opens, learns, holds its locks, and draws its figure', async () => {
  const demo = await DemoPage.open(browser, site.url);
  await demo.openScene('Checkers');
  const start = await demo.snapshot();
  const heads = await demo.page.locator('.col-name').allTextContents();
  assert.deepEqual(heads, [...'abcdefgh']);
  const bar = demo.page.getByRole('img', { name: /of the contrast is reached/ });
  const before = await bar.getAttribute('aria-label');
  await demo.steps(60);
  const end = await demo.snapshot();
  const { locked, lockedMoved, free, freeMoved } = compare(start, end);
  assert.equal(locked, 8);
  assert.equal(lockedMoved, 0);
  assert.equal(freeMoved, free);
  assert.ok(end.loss < 0.3 * start.loss, `${end.loss} is far below ${start.loss}`);
  assert.notEqual(await bar.getAttribute('aria-label'), before);
  assert.equal(await demo.page.locator('.figure.is-contrast').count(), 1);

  const code = /** @type {string} */ (await demo.page.evaluate('gradlockDemo.code()'));
  assert.match(code, /g\.mul\(weight, g\.sum\(g\.square\(g\.sub\(x, targets\.x\)\)\)\)/);
  const file = join(copy, 'run.mjs');
  writeFileSync(file, code);
  const printed = execFileSync(process.execPath, [...STEADY, file], { encoding: 'utf8' }).trim();
  assert.equal(printed, end.digest, 'its code gives the same bits');

  await demo.page.goto(`${site.url}?lang=de#scene=checkers`);
  await demo.ready();
  assert.match((await demo.page.locator('#lede').textContent()) ?? '', /Schachbrett/);
  await demo.close();
});
