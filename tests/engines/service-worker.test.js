/* Tier: all. */
/**
 * Engines: all that have service workers. The site without a network: a lesson goes on, and an
 * update never mixes versions.
 */

import assert from 'node:assert/strict';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, sep } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL, fileURLToPath } from 'node:url';
import { writeServiceWorker } from '../../web/build/precache.mjs';
import { scenes } from '../../web/scenes/index.js';
import { inEachEngine, inEngine } from '../browser/browsers.js';
import { launchChromium } from '../browser/chromium.js';
import { PATIENCE } from '../browser/lease.js';
import { serveFolder, TYPES } from '../browser/site.js';
import { until } from '../browser/until.js';

const SITE = fileURLToPath(new URL('../../build/site/', import.meta.url));
const OFFLINE = new URL('../../build/gradlock-demo.html', import.meta.url).href;

/** @type {string[]} */
const folders = [];
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Empties a folder, and puts a version of the site in it: its page and its script have the version's name. @param {string} folder @param {string} version */
function publish(folder, version) {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  cpSync(SITE, folder, { recursive: true, filter: (path) => !path.includes(`${sep}docs`) });
  const page = join(folder, 'index.html');
  const html = readFileSync(page, 'utf8');
  const [, script] = html.match(/src="\.\/assets\/([^"]+)\.js"/) ?? [];
  assert.ok(script);
  const code = readFileSync(join(folder, `assets/${script}.js`), 'utf8');
  rmSync(join(folder, `assets/${script}.js`));
  writeFileSync(
    join(folder, `assets/${script}-${version}.js`),
    `${code}\nwindow.ofScript = '${version}';`,
  );
  writeFileSync(
    page,
    html
      .replace(`${script}.js`, `${script}-${version}.js`)
      .replace('<html ', `<html data-version="${version}" `),
  );
  writeServiceWorker(folder);
}

/** A served copy of the site. @param {string} version */
async function siteOf(version) {
  const folder = mkdtempSync(join(tmpdir(), 'gradlock-site-'));
  folders.push(folder);
  publish(folder, version);
  return { folder, ...(await serveFolder(pathToFileURL(`${folder}/`))) };
}

const IS_KEPT = 'navigator.serviceWorker.ready.then(({ active }) => active.state === "activated")';
const IS_OPEN = '!!window.gradlockDemo?.frame()';
/** The versions that a page is made of. */
const VERSIONS = '[document.documentElement.dataset.version, window.ofScript].join()';

inEachEngine(
  'when the server is gone, the page is loaded again, and every scene opens',
  async (page) => {
    const site = await siteOf('A');
    await page.goto(`${site.url}?lang=en#scene=two-by-two`);
    await until(page, IS_OPEN);
    await until(page, IS_KEPT);
    site.close();
    await page.reload();
    await until(page, IS_OPEN);
    for (const { id } of scenes) {
      await page.evaluate(`gradlockDemo.change({ scene: '${id}' })`);
      await page.evaluate('gradlockDemo.step(3)');
      await until(
        page,
        `gradlockDemo.snapshot().then(({ scene, step }) => scene === '${id}' && step >= 3)`,
      );
    }
    await page.goto(`${site.url}check.html?lang=en`);
    await until(page, '!!document.querySelector("#links")');
  },
  ['Chromium', 'Firefox'],
);

inEngine(
  'Chromium',
  'after an update a page is all of the old version, or all of the new one, and soon of the new',
  async () => {
    const site = await siteOf('A');
    const browser = await launchChromium();
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      const load = async () => {
        await page.goto('about:blank');
        await page.goto(`${site.url}?lang=en#scene=two-by-two`);
        await until(page, IS_OPEN);
        return page.evaluate(VERSIONS);
      };
      assert.equal(await load(), 'A,A');
      await until(page, IS_KEPT);
      // A page that is open during the update goes on with its own version, data and engine included.
      const open = await context.newPage();
      await open.goto(`${site.url}?lang=en#scene=two-by-two`);
      await until(open, IS_OPEN);

      // What a host has while files are uploaded is no version: the page stays with the old one.
      publish(site.folder, 'B');
      const [asset] = readdirSync(join(site.folder, 'assets')).filter((file) =>
        /^digits/.test(file),
      );
      const whole = readFileSync(join(site.folder, 'assets', asset));
      writeFileSync(join(site.folder, 'assets', asset), whole.subarray(0, 1000));
      assert.equal(await load(), 'A,A');
      const update = `navigator.serviceWorker.ready.then((one) => one.update()).then(() => true, () => true)`;
      await page.evaluate(update);
      await until(page, 'navigator.serviceWorker.ready.then((one) => !one.installing)');
      assert.equal(await load(), 'A,A');

      writeFileSync(join(site.folder, 'assets', asset), whole);
      const seen = new Set();
      const end = performance.now() + PATIENCE;
      while (!seen.has('B,B')) {
        await page.evaluate(update);
        seen.add(await load());
        assert.ok(performance.now() < end, 'the new version comes');
      }
      assert.deepEqual(
        [...seen].filter((pair) => pair !== 'A,A' && pair !== 'B,B'),
        [],
      );
      assert.equal(await open.evaluate(VERSIONS), 'A,A');
      await open.evaluate("gradlockDemo.change({ scene: 'digits' })");
      await until(open, "gradlockDemo.snapshot().then(({ scene }) => scene === 'digits')");
      site.close();
      assert.equal(await load(), 'B,B');
    } finally {
      await context.close();
      await browser.close();
      site.close();
    }
  },
);

inEngine(
  'Chromium',
  'a page that is still opening when a new version takes over begins anew, and opens',
  async () => {
    const site = await siteOf('A');
    const browser = await launchChromium();
    const context = await browser.newContext();
    try {
      const page = await context.newPage();
      await page.goto(`${site.url}?lang=en#scene=two-by-two`);
      await until(page, IS_OPEN);
      await until(page, IS_KEPT);
      // Its engine never comes, as if the old version had been asked for it and had ended.
      await page.addInitScript(`
      if (!sessionStorage.asked) {
        window.Worker = class extends EventTarget { postMessage() {} terminate() {} };
        sessionStorage.asked = 'yes';
      }`);
      await page.reload();
      await until(page, '!!window.gradlockDemo');
      assert.equal(await page.evaluate(VERSIONS), 'A,A');
      assert.equal(await page.evaluate(IS_OPEN), false);
      publish(site.folder, 'B');
      await page
        .evaluate('navigator.serviceWorker.ready.then((one) => void one.update())')
        .catch(() => {}); // It may be loaded anew meanwhile.
      await until(page, IS_OPEN);
      assert.equal(await page.evaluate(VERSIONS), 'B,B');
    } finally {
      await context.close();
      await browser.close();
      site.close();
    }
  },
);

inEngine(
  'Chromium',
  'a host that leads from its pages to shorter addresses: they open without it, too',
  async () => {
    const { folder } = await siteOf('A');
    const server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://host');
      const short = pathname.replace(/(index)?\.html$/, '');
      if (short !== pathname) {
        response.writeHead(301, { location: short }).end();
        return;
      }
      const name = pathname.endsWith('/') ? 'index.html' : pathname.slice(1);
      const file = ['', '.html'].map((end) => join(folder, name + end)).find(existsSync);
      const type = TYPES[extname(file ?? '.html')] ?? 'application/octet-stream';
      response.writeHead(file ? 200 : 404, { 'content-type': type });
      response.end(file && readFileSync(file));
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)));
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    const close = () => {
      server.close();
      server.closeAllConnections();
    };
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${port}/?lang=en#scene=two-by-two`);
      await until(page, IS_OPEN);
      await until(page, IS_KEPT);
      close();
      await page.reload();
      await until(page, IS_OPEN);
      for (const name of ['index.html', 'check.html']) {
        await page.goto(`http://127.0.0.1:${port}/${name}?lang=en`);
        await until(
          page,
          `!!document.querySelector('${name === 'index.html' ? '#grid' : '#links'}')`,
        );
      }
    } finally {
      await browser.close();
      close();
    }
  },
);

test('another service worker or another file is another version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gradlock-site-'));
  folders.push(folder);
  const versionOf = (/** @type {string} */ template) => {
    writeServiceWorker(folder, template);
    return readFileSync(join(folder, 'service-worker.js'), 'utf8').match(/"([^"]+=)";/)?.[1];
  };
  const template = "const FILES = ('FILES'); const VERSION = 'VERSION';";
  const first = versionOf(template);
  assert.match(String(first), /.{44}/);
  assert.equal(versionOf(template), first);
  assert.notEqual(versionOf(`${template} // mended`), first);
  writeFileSync(join(folder, 'new.txt'), '');
  assert.notEqual(versionOf(template), first);
});

test('the list of the service worker has every file of the site, and the offline file has no script', () => {
  const source = readFileSync(join(SITE, 'service-worker.js'), 'utf8');
  for (const entry of readdirSync(SITE, { recursive: true })) {
    const path = String(entry).replaceAll(sep, '/');
    if (!/\.\w+$/.test(path) || path.startsWith('docs/') || path === 'service-worker.js') continue;
    assert.ok(source.includes(`"${path}":"sha256-`), path);
  }
  const html = readFileSync(new URL(OFFLINE), 'utf8');
  assert.doesNotMatch(html.slice(0, html.indexOf('<style>')), /(?:src|href)="(?!data:|#)/);
  assert.doesNotMatch(html, /<script[^>]+src=/);
  assert.match(html, /worker-src blob:;/);
});
