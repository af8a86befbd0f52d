/* Tier: all. */
/* Engines: all, because some give workers no files. Large states that workers keep are in files. Workers that halt in each call of a save are ended;
 * what is found then is whole, and no file is left over. */
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { inEachEngine, inEngine } from '../browser/browsers.js';
import { launchChromium } from '../browser/chromium.js';
import { launchFirefox } from '../browser/firefox.js';
import { whereKilled } from '../browser/killable.js';
import { serveFolder } from '../browser/site.js';
import { until } from '../browser/until.js';

/** @typedef {any} Page What the drivers of all browsers have. */

/** The engines that give workers files. @type {import('../browser/browsers.js').Engine[]} */
const WITH_FILES = ['Chromium', 'Firefox'];
/** Calls of a save, and whether its state is found when the worker ends there. */
const CALLS = { truncate: 0, write: 0, flush: 0, close: 0, put: 0, removeEntry: 1 };

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  served = await serveFolder(new URL('../../', import.meta.url));
});
after(() => served.close());

/** What the page runs first. @param {string} url */
const kit = (url) => `(async () => {
  const { keep, list, remove } = await import('${url}build/npm/keep.js');
  /** Saves states with these notes in a worker, and ends it when it is done or halts in
   *  a call, unless it goes on. */
  const work = async (name, notes, call, goesOn) => {
    const worker = new Worker('${url}tests/engines/keep-files-worker.js', { type: 'module' });
    const reply = await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage({ name, notes, call });
    });
    if (!goesOn) worker.terminate();
    return reply;
  };
  const find = async (name, options = { wait: true }) => {
    const problems = [];
    const run = await keep(name, { ...options, onError: ({ reason }) => problems.push(reason) });
    const { state, note } = run.found;
    await run.close();
    return [note, state.length, state.every((byte) => byte === note), problems];
  };
  const folder = async () =>
    (await navigator.storage.getDirectory()).getDirectoryHandle('gradlock-keep');
  const files = async () => {
    const names = [];
    for await (const name of (await folder()).keys()) names.push(name);
    return names.sort();
  };
  Object.assign(window, { kit: { keep, list, remove, work, find, folder, files } });
})()`;

/** @param {Page} page */
const arrive = async (page) => {
  await page.goto(`${served.url}tests/browser/blank.html`);
  await page.evaluate(kit(served.url));
  return page;
};

/** @param {number} note @param {string[]} [problems] */
const whole = (note, problems = []) => [note, 3_000_000, true, problems];

inEachEngine(
  'a worker that ends in any call of a large save leaves a whole state, and no other file',
  async (page) => {
    await arrive(page);
    for (const [call, counts] of Object.entries(CALLS)) {
      assert.equal(await page.evaluate(`kit.work('x', [1, 2, 3, 4, 5], '${call}')`), 'halted');
      assert.deepEqual(await page.evaluate(`kit.find('x')`), whole(4 + counts), call);
      const next = await page.evaluate(`kit.work('x', [6, 7])`);
      assert.deepEqual(next, { saved: [true, true], problems: [] }, call);
      // A browser lets go of a worker's file some time after it ended the worker.
      await until(page, `kit.find('x').then(kit.files).then(({ length }) => length === 2)`);
      assert.deepEqual(await page.evaluate(`kit.find('x')`), whole(7), call);
      await page.evaluate(`kit.remove('x')`);
      assert.deepEqual(await page.evaluate('kit.files()'), [], call);
    }
  },
  WITH_FILES,
);

inEachEngine(
  'a page reads what a worker keeps, and goes on; a file that is gone counts as damage',
  async (page) => {
    await arrive(page);
    await page.evaluate(`kit.work('y', [1, 2])`);
    const other = await page.evaluate(`kit.keep('y').then(async (run) => {
        const seen = await kit.find('y', {});
        const saved = await run.save(new Uint8Array(2e6).fill(3), 3);
        await run.close();
        return [seen, saved];
      })`);
    assert.deepEqual(other, [whole(2, ['busy']), true]);
    assert.deepEqual(await page.evaluate(`kit.find('y')`), [3, 2_000_000, true, []]);
    assert.deepEqual(await page.evaluate('kit.list()'), ['y']);
    assert.deepEqual(await page.evaluate(`kit.work('z', [1, 2]).then(kit.files)`), [
      'y.1.gradlock.0',
      'z.0.gradlock.0',
      'z.1.gradlock.0',
    ]);
    await page.evaluate(`kit.folder().then((folder) => folder.removeEntry('z.1.gradlock.0'))`);
    assert.deepEqual(await page.evaluate(`kit.find('z')`), whole(1, ['damaged']));
  },
  WITH_FILES,
);

inEngine(
  'Chromium',
  'killed whole in any call of a large save, the next browser finds a whole state',
  async () => {
    await whereKilled(async (first, restart) => {
      let page = await arrive(first);
      for (const [i, [call, counts]] of Object.entries(CALLS).entries()) {
        const halted = await page.evaluate(`kit.work('run ${i}', [1, 2, 3], '${call}', true)`);
        assert.equal(halted, 'halted');
        page = await arrive(await restart());
        assert.deepEqual(await page.evaluate(`kit.find('run ${i}')`), whole(2 + counts), call);
      }
      assert.equal(await page.evaluate('kit.files().then(({ length }) => length)'), 2 * 6);
    });
  },
);

inEngine(
  'Chromium',
  'a quota that a large state of a worker does not fit in is told, and leaves the files as they were',
  async () => {
    const browser = await launchChromium();
    try {
      const context = await browser.newContext();
      const page = await arrive(await context.newPage());
      const session = await context.newCDPSession(page);
      const { origin } = new URL(served.url);
      // Before the first save: Chromium keeps in mind for a while how much room there was.
      await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 5_000_000 });
      await page.evaluate(`kit.work('full', [1])`);
      assert.deepEqual(await page.evaluate(`kit.work('full', [2])`), {
        saved: [false],
        problems: ['full'],
      });
      await session.send('Storage.overrideQuotaForOrigin', { origin });
      assert.deepEqual(await page.evaluate(`kit.find('full')`), whole(1));
      assert.deepEqual(await page.evaluate('kit.files()'), ['full.0.gradlock.0']);
    } finally {
      await browser.close();
    }
  },
);

/** @param {Page} page @param {string} refusal How the browser says that it has no files. */
async function keepWithoutFiles(page, refusal) {
  await arrive(page);
  const reply = await page.evaluate(`kit.work('none', [1, 2])`);
  assert.deepEqual(reply, { saved: [true, true], problems: [] });
  assert.deepEqual(await page.evaluate(`kit.find('none')`), whole(2));
  assert.equal(await page.evaluate('kit.files().catch(({ name }) => name)'), refusal);
}

inEachEngine(
  'without files, a worker keeps large states in the database',
  (page) => keepWithoutFiles(page, 'TypeError'),
  ['WebKit'],
);

inEngine('Firefox', 'in a private window a worker keeps large states in the database', async () => {
  const browser = await launchFirefox({ 'browser.privatebrowsing.autostart': true });
  try {
    await keepWithoutFiles(await browser.newPage(), 'SecurityError');
  } finally {
    await browser.close();
  }
});
