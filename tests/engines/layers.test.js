/* Tier: all. */
/**
 * Engines: all, because each draws and schedules by itself. `fit` lets pages draw, and runs in
 * workers.
 */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { after, before } from 'node:test';
import { inEachEngine } from '../browser/browsers.js';
import { serveFolder } from '../browser/site.js';

const root = new URL('../../', import.meta.url);
/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  served = await serveFolder(root);
});
after(() => served.close());

/**
 * In each engine, what a script makes of the library in a fresh page.
 * @param {string} claim
 * @param {(run: (body: string) => Promise<any>) => Promise<void>} use
 */
const inPage = (claim, use) =>
  inEachEngine(claim, async (page) => {
    await page.goto(`${served.url}tests/browser/blank.html`);
    await use((body) =>
      page.evaluate(`(async () => {
        const { init } = await import('${served.url}build/npm/index.js');
        const { layers } = await import('${served.url}build/npm/layers.js');
        const run = await import('${served.url}tests/engines/layers-run.js');
        const g = await init();
        ${body}
      })()`),
    );
  });

inPage(
  'a page draws while fit trains on its thread, and draws nothing while it never yields',
  async (run) => {
    const [fitting, never] = await run(`
        const made = run.endless(g, layers);
        return [
          await run.watchFit(made, 'auto', { frames: 20 }),
          await run.watchFit(made, 'never', { batches: 300 }),
        ];`);
    assert.ok(fitting.batches > 0 && fitting.frames >= 20, JSON.stringify(fitting));
    assert.deepEqual(never, { frames: 0, batches: 300, stopped: 'signal' });
  },
);

inPage(
  'the worker of docs/layers.md trains, reports, stops when told to, and gives the weights',
  async (run) => {
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
  },
);
