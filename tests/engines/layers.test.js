/** Training in pages: `fit` lets them draw and answer, stops when told to, runs in workers, and ends on Node's bits. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { launchChromium } from '../browser/chromium.js';
import { launchFirefox } from '../browser/firefox.js';
import { fitEverything } from './layers-run.js';
import { serveFolder } from '../browser/site.js';

/** What Playwright's page and Puppeteer's have in common. @typedef {{ goto(url: string): unknown, evaluate(script: string): unknown }} Page */

const root = new URL('../../', import.meta.url);
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  served = await serveFolder(root);
});
after(() => served.close());

for (const [name, launch] of /** @type {const} */ ([
  ['Chromium', launchChromium],
  ['Firefox', launchFirefox],
])) {
  /**
   * What a script makes of the library in a fresh page.
   * @param {(run: (body: string) => Promise<any>) => Promise<void>} use
   */
  const inPage = async (use) => {
    const browser = await launch();
    try {
      const page = /** @type {Page} */ (await browser.newPage());
      await page.goto(`${served.url}tests/browser/blank.html`);
      await use(
        (body) =>
          /** @type {Promise<any>} */ (
            page.evaluate(`(async () => {
            const { init } = await import('${served.url}build/npm/index.js');
            const { layers } = await import('${served.url}build/npm/layers.js');
            const run = await import('${served.url}tests/engines/layers-run.js');
            const g = await init();
            ${body}
          })()`)
          ),
      );
    } finally {
      await browser.close();
    }
  };

  test(`${name}: a page draws while fit trains on its thread, and draws nothing while it never yields`, async () => {
    await inPage(async (run) => {
      const [fitting, never] = await run(`
        const made = run.endless(g, layers);
        return [
          await run.watchFit(made, 'auto', { frames: 20 }),
          await run.watchFit(made, 'never', { batches: 300 }),
        ];`);
      assert.ok(fitting.batches > 0 && fitting.frames >= 20, JSON.stringify(fitting));
      assert.deepEqual(never, { frames: 0, batches: 300, stopped: 'signal' });
    });
  });

  test(`${name}: an AbortSignal ends fit before another batch begins`, async () => {
    await inPage(async (run) => {
      const [byTimer, inBatch] = await run('return run.stopFit(run.endless(g, layers));');
      assert.equal(byTimer.stopped, 'signal');
      assert.ok(byTimer.batches > 0);
      assert.equal(byTimer.batches, byTimer.asked, 'batches after it was told to stop');
      assert.deepEqual(inBatch, { stopped: 'signal', asked: 3, batches: 4 });
    });
  });

  test(`${name}: fit ends on the bits that it ends on in Node.js`, async () => {
    const expected = await fitEverything(await init(), layers);
    await inPage(async (run) => {
      assert.deepEqual(await run('return run.fitEverything(g, layers);'), expected);
    });
  });

  test(`${name}: the worker of docs/layers.md trains, reports, stops when told to, and gives the weights`, async () => {
    const guide = readFileSync(new URL('docs/layers.md', root), 'utf8');
    const [code] = Array.from(
      guide.matchAll(/```js\n(\/\/ worker\.js\n[\s\S]*?)```/g),
      ([, block]) => block,
    );
    assert.ok(code);
    const folder = new URL('build/tests/browser/', root);
    mkdirSync(folder, { recursive: true });
    const entry = (/** @type {string} */ file) => `'${served.url}build/npm/${file}'`;
    writeFileSync(
      new URL('worker.js', folder),
      code
        .replace(`'gradlock'`, entry('index.js'))
        .replace(`'gradlock/layers'`, entry('layers.js'))
        .replace(`'gradlock/worker'`, entry('worker.js')),
    );
    await inPage(async (run) => {
      const found = await run(`
        const { start } = await import(${entry('worker.js')});
        const ask = async (data, isToStop = false) => {
          const worker = new Worker('${served.url}build/tests/browser/worker.js', { type: 'module' });
          const job = await start(worker, data);
          let reports = 0;
          for await (const report of job.progress) if (++reports === 1 && isToStop) await job.stop();
          const result = await job.result;
          const all = await Promise.all(job.variables.map((_, i) => job.read(i)));
          job.terminate();
          return { reports, result, sizes: all.map(({ values }) => values.length) };
        };
        const x = Float32Array.from({ length: 400 * 4 }, (_, i) => Math.sin(i));
        const y = Float32Array.from({ length: 400 }, (_, i) => i % 3);
        const whole = await ask({ x, y, epochs: 3 });
        const broken = await ask({ x, y, epochs: 100000 }, true);
        return { whole, broken };`);
      assert.equal(found.whole.result.stopped, null);
      assert.equal(found.whole.result.history.loss.length, 3);
      assert.deepEqual(found.whole.sizes, [64, 16, 48, 3]);
      assert.ok(found.whole.reports > 0);
      assert.equal(found.broken.result.stopped, 'signal');
      assert.ok(found.broken.result.epoch.length < 100_000);
    });
  });
}
