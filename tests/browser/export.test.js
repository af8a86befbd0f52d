/* Tier: all. */
/**
 * Pictures and films of a run: what is written is read again, and shows the run's numbers,
 * colours and locks.
 */

import assert from 'node:assert/strict';
import { buffer as readAll } from 'node:stream/consumers';
import { formatValue, LEVELS, levelOf, makePalette } from 'gradlock/grid';
import { findScene, reachOf } from '../../web/scenes/index.js';
import { layoutOf } from '../../web/scenes/layout.js';
import { openingState, setupOf } from '../../web/state/state.js';
import { strings as en } from '../../web/strings/index.js';
import { demoTest } from './harness.js';

/** @typedef {import('./page.js').DemoPage} DemoPage */

const palette = makePalette(false);

/** What the scene's grids have, and how they are coloured. @param {string} id */
function gridsOf(id) {
  const scene = /** @type {import('../../web/scenes/scene.js').Scene} */ (findScene(id));
  const setup = setupOf(openingState(scene));
  return { layout: layoutOf(scene, setup), reach: reachOf(scene, setup) };
}

/** The bytes that a click saves. @param {DemoPage} demo @param {string} name of the button @param {string} file its name */
async function saved(demo, name, file) {
  const waiting = demo.page.waitForEvent('download');
  await demo.button(name).click();
  const download = await waiting;
  assert.equal(download.suggestedFilename(), file);
  return readAll(await download.createReadStream());
}

/** Decodes a picture or a film by the browser's own reader. @param {import('playwright-core').Page} page @param {Buffer} bytes @param {string} [type] @returns {Promise<{ width: number, height: number, time: number, pixels: Buffer }[]>} pixels of the first and the last frame: red, green, blue, alpha */
async function decoded(page, bytes, type = 'image/gif') {
  const frames = await page.evaluate(
    async ({ text, type }) => {
      const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const decoder = new ImageDecoder({ data, type });
      await decoder.tracks.ready;
      await decoder.completed;
      const frames = [];
      const count = decoder.tracks.selectedTrack?.frameCount ?? 0;
      for (let i = 0; i < count; i++) {
        const { image } = await decoder.decode({ frameIndex: i });
        const { displayWidth: width, displayHeight: height } = image;
        const canvas = new OffscreenCanvas(width, height);
        const pen = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext('2d'));
        pen.drawImage(image, 0, 0);
        const { data: colours } = pen.getImageData(0, 0, width, height);
        let letters = '';
        const isWanted = i === 0 || i === count - 1;
        for (let at = 0; isWanted && at < colours.length; at += 10_000)
          letters += String.fromCharCode(...colours.subarray(at, at + 10_000));
        const pixels = btoa(letters);
        frames.push({ width, height, time: (image.duration ?? 0) / 1000, pixels });
        image.close();
      }
      return frames;
    },
    { text: bytes.toString('base64'), type },
  );
  return frames.map((frame) => ({ ...frame, pixels: Buffer.from(frame.pixels, 'base64') }));
}

/** The colours in a square of a picture. @param {number} width of the picture @param {Buffer} pixels @param {number} left @param {number} top @param {number} side */
function coloursIn(width, pixels, left, top, side) {
  /** @type {Set<string>} */
  const seen = new Set();
  for (let n = 0; n < side * side; n++) {
    const from = 4 * ((top + Math.floor(n / side)) * width + left + (n % side));
    seen.add(`rgb(${pixels.subarray(from, from + 3).join(' ')})`);
  }
  return seen;
}

/** Reads an SVG. @param {DemoPage} demo @param {string} text */
const readSvg = (demo, text) =>
  demo.page.evaluate((source) => {
    const file = new DOMParser().parseFromString(source, 'application/xml');
    const textOf = (/** @type {ParentNode} */ one, /** @type {string} */ selector) =>
      one.querySelector(selector)?.textContent ?? '';
    return {
      broken: textOf(file, 'parsererror'),
      title: textOf(file, 'svg > title'),
      description: textOf(file, 'svg > desc'),
      names: [...file.querySelectorAll('svg > text')].map((name) => name.textContent),
      missing: [...file.querySelectorAll('[href]')].filter(
        (use) => !file.querySelector(use.getAttribute('href') ?? ''),
      ).length,
      grids: [...file.querySelectorAll('svg > g')].map((grid) => ({
        cells: [...grid.querySelectorAll('.locked, .free')].map((cell) => ({
          fill: cell.querySelector('rect')?.getAttribute('fill'),
          shown: textOf(cell, 'text'),
          told: textOf(cell, 'title'),
          isLocked: cell.querySelector('use') !== null,
        })),
        sides: grid.querySelector('.outline path')?.getAttribute('d')?.match(/M/g)?.length ?? 0,
        paths: Object.fromEntries(
          [...grid.children]
            .filter(({ tagName }) => tagName === 'path')
            .map((path) => [path.getAttribute('fill'), path.getAttribute('d')?.split('M').length]),
        ),
      })),
    };
  }, text);

for (const [id, steps] of /** @type {[string, number][]} */ ([
  ['network', 30],
  ['membrane', 10],
])) {
  demoTest(
    `${id} as an SVG: its cells have the run’s values, colours and locks`,
    async (demo) => {
      const { layout, reach } = gridsOf(id);
      await demo.steps(steps);
      const { values, locks } = await demo.snapshot();
      await demo.page.locator('#share summary').click();
      const bytes = await saved(demo, 'Vector picture (SVG)', 'gradlock.svg');
      const file = await readSvg(demo, String(bytes));
      assert.equal(file.broken, '');
      assert.equal(file.missing, 0);
      assert.match(file.title, new RegExp(`^${en.scenes[id].name} at step \\d`));
      assert.match(file.description, /\d of [\d,]+ cells locked/);
      assert.equal(file.grids.length, layout.length);
      for (const [at, { rows, cols, offset }] of layout.entries()) {
        const { cells, paths, sides } = file.grids[at];
        const count = rows * cols;
        const fills = Array.from(
          { length: count },
          (_, i) => palette.css[levelOf(values[offset + i], reach)],
        );
        const held = locks.slice(offset, offset + count);
        const isHeld = (/** @type {number} */ row, /** @type {number} */ col) =>
          col >= 0 && col < cols && held[row * cols + col] === 1;
        const outlined = held.flatMap((bit, i) => {
          const [row, col] = [Math.floor(i / cols), i % cols];
          const near = [isHeld(row - 1, col), isHeld(row + 1, col)];
          return bit ? [...near, isHeld(row, col - 1), isHeld(row, col + 1)] : [];
        });
        assert.equal(sides, outlined.filter((isBeside) => !isBeside).length);
        if (Math.max(rows, cols) > 16) {
          /** @type {Record<string, number>} */
          const wanted = {};
          for (const fill of fills) wanted[fill] = (wanted[fill] ?? 1) + 1;
          assert.deepEqual(paths, wanted);
          continue;
        }
        assert.equal(cells.length, count);
        for (const [i, cell] of cells.entries()) {
          const value = values[offset + i];
          assert.equal(cell.fill, fills[i]);
          assert.equal(cell.shown, formatValue(value, 2));
          assert.equal(cell.isLocked, held[i] === 1);
          const [, row, col, number, state] =
            cell.told.match(/^row (\d+), column (\d+): (\S+), (\w+)$/) ?? [];
          assert.deepEqual([Number(row), Number(col)], [Math.floor(i / cols) + 1, (i % cols) + 1]);
          assert.equal(Math.fround(Number(number)), value, 'the title has every bit of it');
          assert.equal(state, held[i] ? 'Locked' : 'Free');
        }
      }
    },
    {},
    `#scene=${id}`,
  );
}

/** Lets a film take as long as it will. @param {DemoPage} demo */
const long = (demo) =>
  demo.page.getByLabel('Seconds').evaluate((select) => {
    const [first] = /** @type {HTMLSelectElement} */ (select).options;
    first.value = '3600';
    first.selected = true;
  });

/** Films a run until it has taken that many steps, and pauses it. @param {DemoPage} demo @param {number} steps */
async function filmed(demo, steps) {
  await demo.page.locator('#share summary').click();
  await long(demo);
  await demo.button('Record a film (GIF)').click();
  await demo.until(`gradlockDemo.frame().step > ${steps}`);
  await demo.button('Pause').click();
  await demo.settled();
  return saved(demo, 'Stop and save the film', 'gradlock.gif');
}

demoTest(
  'of two runs both are in SVG, PNG and film, by name, with dots in what a mask let move',
  async (demo) => {
    const gif = await filmed(demo, 30);
    const svg = String(await saved(demo, 'Vector picture (SVG)', 'gradlock.svg'));
    const png = await saved(demo, 'Picture (PNG)', 'gradlock.png');
    /** @type {number[][]} */
    const runs = await demo.page.evaluate(`(() => {
      const { values, beside } = gradlockDemo.frame();
      return [[...values], [...beside.values]];
    })()`);
    const { locks } = await demo.snapshot();
    const { layout, reach } = gridsOf('leak-lab');
    const [{ rows, cols }] = layout;
    const moved = runs.map((run) => run.map((value, i) => locks[i] === 1 && value !== runs[0][i]));
    assert.ok(moved[1].some(Boolean));
    const fills = runs.map((run) => run.map((value) => palette.css[levelOf(value, reach)]));

    const file = await readSvg(demo, svg);
    assert.deepEqual(file.names, ['Lock', 'Usual trick: mask']);
    for (const [n, { cells }] of file.grids.entries()) {
      assert.deepEqual(
        cells.map(({ fill }) => fill),
        fills[n],
      );
      const told = cells.map((cell) => cell.told.endsWith(en.legend.drifted));
      assert.deepEqual(told, moved[n]);
    }
    assert.equal(file.grids.length, 2);

    const last = (await decoded(demo.page, gif)).at(-1);
    assert.ok(last);
    for (const [{ width, pixels }, gap, frame] of /** @type {const} */ ([
      [(await decoded(demo.page, png, 'image/png'))[0], 24, 'rgb(122 46 99)'],
      [last, 11, null],
    ])) {
      const cell = (width - gap) / 2 / cols;
      const top = pixels.length / 4 / width - rows * cell;
      for (const [n, run] of runs.entries()) {
        for (const i of run.keys()) {
          const [left, high] = [n * (cols * cell + gap) + (i % cols) * cell, Math.floor(i / cols)];
          const seen = coloursIn(width, pixels, left, top + high * cell, cell);
          const level = levelOf(run[i], reach);
          // A film has one colour for the two levels at each end of the scale.
          const shown = frame ? level : Math.max(1, Math.min(LEVELS - 2, level));
          assert.ok(seen.has(palette.css[shown]), `run ${n}, cell ${i}`);
          if (frame) assert.equal(seen.has(frame), moved[n][i], `run ${n}, cell ${i}`);
        }
      }
    }
  },
  {},
  '?lang=en#scene=leak-lab',
);

demoTest('a film’s colours are the grid’s, from the first frame to the last', async (demo) => {
  const first = await demo.snapshot();
  const bytes = await filmed(demo, 20);
  const last = await demo.snapshot();
  await demo.button('Record a film (GIF)').waitFor();
  const frames = await decoded(demo.page, bytes);
  assert.ok(frames.length >= 3, `${frames.length} frames`);
  const { layout, reach } = gridsOf('two-by-two');
  const [{ rows, cols }] = layout;
  const locked = [];
  for (const [at, { values, locks }] of /** @type {const} */ ([
    [0, first],
    [frames.length - 1, last],
  ])) {
    const { width, height, pixels } = frames[at];
    const cell = width / cols;
    assert.equal(height, rows * cell);
    for (let i = 0; i < rows * cols; i++) {
      const [left, top] = [(i % cols) * cell, Math.floor(i / cols) * cell];
      // The two levels at each end of the scale share a colour.
      const level = Math.max(1, Math.min(LEVELS - 2, levelOf(values[i], reach)));
      // Outlines are as wide on both sides of the edge.
      const seen = coloursIn(width, pixels, left + 4, top + 4, cell - 8);
      const lock = ['rgb(27 29 33)', 'rgb(255 255 255)'];
      // The edges of a padlock have colours in between.
      const wanted = [palette.css[level], ...(locks[i] ? lock : [])];
      for (const colour of wanted) assert.ok(seen.has(colour), `frame ${at}, cell ${i}`);
      if (!locks[i]) assert.equal(seen.size, 1, `frame ${at}, cell ${i}`);
      if (locks[i]) locked.push(i);
    }
  }
  assert.equal(locked.length, 4, 'two locked cells in both frames');
  assert.notDeepEqual(frames[0].pixels, frames.at(-1)?.pixels);
});

demoTest(
  'a film ends by itself, and where another scene or a second run is opened',
  async (demo) => {
    await demo.page.locator('#share summary').click();
    await demo.page.getByLabel('Seconds').selectOption('3');
    const own = await saved(demo, 'Record a film (GIF)', 'gradlock.gif');
    assert.ok((await decoded(demo.page, own)).length > 1);
    await long(demo);
    const waiting = demo.page.waitForEvent('download');
    await demo.button('Record a film (GIF)').click();
    await demo.openScene('Peaks');
    const cut = await readAll(await (await waiting).createReadStream());
    const [{ width, height }] = await decoded(demo.page, cut);
    assert.equal(width, height, 'only what was there at its start is on it');
    const again = demo.page.waitForEvent('download');
    await demo.button('Record a film (GIF)').click();
    await demo.change({ beside: 'mask' });
    await again;
    await demo.button('Record a film (GIF)').waitFor();
  },
);
