/* Tier: all. */
/** Engines: all, because each shares memory with workers in its own way. init({ threads }) in pages: the same bits on several threads where a page is cross-origin isolated, and one thread, with the
 *  reason, where it is not or a policy forbids workers from blob: addresses. */

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { runAll } from '../js/threads-runs.js';
import { launchChromium } from '../browser/chromium.js';
import { inEachEngine, inEngine } from '../browser/browsers.js';
import { ISOLATED, serveFolder } from '../browser/site.js';

/** @typedef {Awaited<ReturnType<typeof serveFolder>>} Served */

const root = new URL('../../', import.meta.url);
const STRICT = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const WITH_BLOBS = `${STRICT}; worker-src 'self' blob:`;
/** @type {Record<'isolated' | 'strict' | 'plain', Served>} */
let served;
before(async () => {
  served = {
    isolated: await serveFolder(root, WITH_BLOBS, '', ISOLATED),
    strict: await serveFolder(root, STRICT, '', ISOLATED),
    plain: await serveFolder(root, WITH_BLOBS),
  };
});
after(() => {
  for (const { close } of Object.values(served)) close();
});

inEachEngine(
  'threads end on the bits of one thread, or one thread says why it is alone',
  async (page, _, name) => {
    const alone = await runAll(await init(), layers);
    /** @param {Served} site @param {string} options @param {string} [entry] */
    const run = async (site, options, entry = 'index.js') => {
      await page.goto(`${site.url}tests/browser/blank.html`);
      const found = await page.evaluate(`(async () => {
          const at = (path) => '${site.url}' + path;
          const { runAll } = await import(at('tests/js/threads-runs.js'));
          const { init } = await import(at('build/npm/${entry}'));
          const { layers } = await import(at('build/npm/layers.js'));
          const g = await init({ shareNs: 0, ...${options} });
          const { threads, threadsReason } = g;
          const digests = await runAll(g, layers);
          g.dispose();
          return { isolated: crossOriginIsolated, threads, threadsReason, digests };
        })()`);
      const { digests, ...rest } = /** @type {any} */ (found);
      assert.deepEqual(digests, alone, options);
      return rest;
    };
    const worker = "worker: () => new Worker(at('build/npm/thread.js'))";
    const isModule = "worker: () => new Worker(at('build/npm/thread.js'), { type: 'module' })";
    /** @param {{ threads: number, threadsReason: string | null }} found @param {number} wanted */
    const assertThreads = ({ threads, threadsReason }, wanted) => {
      // WebKitGTK says that the page is isolated, and yet gives workers no shared memory.
      if (name === 'WebKit' && threads === 1) assert.match(String(threadsReason), /be cloned/);
      else assert.deepEqual([threads, threadsReason], [wanted, null]);
    };
    for (const options of ['{ threads: 3 }', `{ threads: 3, ${worker} }`]) {
      const found = await run(served.isolated, options);
      assert.ok(found.isolated);
      assertThreads(found, 3);
    }
    for (const options of [`{ threads: 2, ${worker} }`, `{ threads: 2, ${isModule} }`]) {
      assertThreads(await run(served.strict, options, 'external.js'), 2);
    }
    const blocked = await run(served.strict, '{ threads: 3 }');
    assert.equal(blocked.threads, 1);
    assert.match(blocked.threadsReason, /^a worker did not start: /);
    const plain = await run(served.plain, "{ threads: 'auto' }");
    assert.deepEqual([plain.isolated, plain.threads], [false, 1]);
    const { threadsReason } = await run(served.plain, '{ threads: 2 }', 'external.js');
    assert.match(threadsReason, /is not cross-origin isolated \(send Cross-Origin-Opener-Policy/);
  },
);

inEngine(
  'Chromium',
  'one document of a page that is not isolated has threads, by Document-Isolation-Policy',
  async () => {
    const alone = await runAll(await init(), layers);
    const policy = { 'document-isolation-policy': 'isolate-and-credentialless' };
    const own = await serveFolder(root, WITH_BLOBS, '', policy);
    const around = await serveFolder(root, 'frame-src http:');
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      const blank = 'tests/browser/blank.html';
      await page.goto(around.url + blank);
      await page.setContent(`<iframe src="${own.url}${blank}"></iframe>`);
      const frame = page.frame({ url: own.url + blank });
      assert.ok(frame);
      assert.equal(await page.evaluate('crossOriginIsolated'), false, 'the page around it');
      const { digests, ...rest } = await frame.evaluate(async (at) => {
        const { runAll } = await import(`${at}tests/js/threads-runs.js`);
        const { init } = await import(`${at}build/npm/index.js`);
        const { layers } = await import(`${at}build/npm/layers.js`);
        const g = await init({ shareNs: 0, threads: 2 });
        const { threads, threadsReason } = g;
        const digests = await runAll(g, layers);
        g.dispose();
        return { isolated: crossOriginIsolated, threads, threadsReason, digests };
      }, own.url);
      assert.deepEqual(rest, { isolated: true, threads: 2, threadsReason: null });
      assert.deepEqual(digests, alone);
    } finally {
      await browser.close();
      own.close();
      around.close();
    }
  },
);
