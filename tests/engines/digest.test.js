/* Tier: all. */
/**
 * Engines: all, because each compiles WebAssembly by itself. The bits are those of
 * tests/js/digest.test.js, under the site's policy.
 */

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { runNatively } from '../js/digest-native.js';
import { inEachEngine } from '../browser/browsers.js';
import { serveFolder } from '../browser/site.js';

/** @type {Awaited<ReturnType<typeof serveFolder>>} */
let served;
before(async () => {
  served = await serveFolder(new URL('../../', import.meta.url));
});
after(() => served.close());

inEachEngine(
  'all modules end on the bytes of the native program, also in a module worker',
  async (page) => {
    const { lines, runs } = await runNatively();
    await page.goto(`${served.url}tests/browser/blank.html`);
    const inDouble = await runNatively('double');
    for (const [module, wanted] of /** @type {const} */ ([
      ['index.js', lines],
      ['external.js', lines],
      ['double.js', inDouble.lines],
    ])) {
      const script = `(async () => {
          const { digest } = await import('${served.url}tests/js/digest-runs.js');
          const { init } = await import('${served.url}build/npm/${module}');
          return digest(await init(), ${JSON.stringify(runs)});
        })()`;
      assert.deepEqual(await page.evaluate(script), wanted, module);
    }
    const script = `new Promise((resolve, reject) => {
        const worker = new Worker('../engines/digest-worker.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
        worker.postMessage({ entry: '${served.url}build/npm/index.js', runs: ${JSON.stringify(runs)} });
      })`;
    assert.deepEqual(await page.evaluate(script), lines, 'in a module worker');
  },
);
