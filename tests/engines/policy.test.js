/* Tier: all. */
/**
 * Engines: all, because each enforces policies by itself. The built page's own policy, its
 * licences, and sandboxes.
 */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { inEachEngine } from '../browser/browsers.js';
import { until } from '../browser/until.js';

const SITE = fileURLToPath(new URL('../../build/site/', import.meta.url));
const FILE = new URL('../../build/gradlock-demo.html', import.meta.url);
const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
]);

/** A page round the demo. */
const FRAMED = `<!doctype html><style>iframe { width: 900px; height: 700px }</style>
  <iframe src="/index.html?embed=1#scene=network"></iframe>`;
/** What a frame with sandbox="allow-scripts" is, as a page, which all drivers can look into. */
const BOXED = { 'content-security-policy': 'sandbox allow-scripts' };

/** A host that sends no policy of its own; whether it lets other origins read its files. @param {boolean} isOpen */
async function hostOf(isOpen) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    const isFramed = pathname === '/framed';
    const body = isFramed ? FRAMED : await readFile(join(SITE, pathname)).catch(() => null);
    const type = TYPES.get(extname(pathname)) ?? 'text/html; charset=utf-8';
    const given = {
      ...(isOpen ? { 'access-control-allow-origin': '*' } : {}),
      ...(searchParams.has('boxed') ? BOXED : {}),
    };
    response.writeHead(body ? 200 : 404, { 'content-type': type, ...given }).end(body ?? '');
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, server };
}

/** @type {Awaited<ReturnType<typeof hostOf>>} */
let closed;
/** @type {Awaited<ReturnType<typeof hostOf>>} */
let open;
before(async () => {
  [closed, open] = await Promise.all([hostOf(false), hostOf(true)]);
});
after(() => {
  for (const { server } of [closed, open]) {
    server.close();
    server.closeAllConnections();
  }
});

/** @param {string} html */
const policyOf = (html) =>
  html.match(/<meta http-equiv="Content-Security-Policy" content="([^"]*)">/)?.[1] ?? '';

test('the site and the offline file have a policy without inline or foreign scripts', async () => {
  const site = await readFile(join(SITE, 'index.html'), 'utf8');
  const file = await readFile(FILE, 'utf8');
  for (const html of [site, file]) {
    const policy = policyOf(html);
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)|https?:|\*/);
    assert.doesNotMatch(html, /\son\w+="/);
    // Only the notice that the page could not start comes before it.
    const before = html.slice(0, html.indexOf('Content-Security-Policy'));
    assert.deepEqual(
      before.match(/<(?:script|style|link)[^>]*>/g) ?? [],
      html === site ? ['<script src="./unstarted.js">'] : [],
    );
  }
  assert.doesNotMatch(site, /<style|<script(?![^>]*src)/);
  assert.match(policyOf(file), /script-src 'sha256-[^']+' 'wasm-unsafe-eval'; style-src 'sha256-/);
});

test('the licences of all that was built in are there, in full', async () => {
  const text = await readFile(join(SITE, 'licences.txt'), 'utf8');
  const file = (await readFile(FILE, 'utf8')).replace(/&lt;/g, '<').replace(/&amp;/g, '&');
  for (const folder of ['.', 'node_modules/uplot', 'node_modules/d3-scale-chromatic']) {
    const licence = await readFile(new URL(`../../${folder}/LICENSE`, import.meta.url), 'utf8');
    assert.ok(text.includes(licence.trim()), folder);
    assert.ok(file.includes(licence.trim()), folder);
  }
  for (const words of [/emmalloc, of Emscripten/, /musl/, /compiler-rt/]) {
    assert.match(text, words);
    assert.match(file, words);
  }
});

inEachEngine('under its own policy the page trains, framed and from a disk', async (page) => {
  const inside = "document.querySelector('iframe').contentWindow";
  await page.goto(`${closed.url}/framed`);
  await until(page, `!!${inside}.gradlockDemo?.frame()`);
  await page.evaluate(
    `${inside}.eval === undefined || (${inside}.violations = [], ${inside}.addEventListener('securitypolicyviolation', (event) => ${inside}.violations.push(event.violatedDirective)))`,
  );
  await page.evaluate(`${inside}.gradlockDemo.step(5)`);
  await until(page, `${inside}.gradlockDemo.frame().step >= 5`);
  // What is not its own does not run.
  await page.evaluate(`(() => {
        const script = ${inside}.document.createElement('script');
        script.textContent = 'window.isBroken = true';
        ${inside}.document.body.append(script);
      })()`);
  assert.notEqual(await page.evaluate(`${inside}.isBroken`), true);
  await until(page, `${inside}.violations.join().startsWith('script-src')`);
  await page.goto(pathToFileURL(fileURLToPath(FILE)).href);
  await until(page, '!!window.gradlockDemo?.frame()');
  await page.evaluate('gradlockDemo.step(5)');
  await until(page, 'gradlockDemo.frame().step >= 5');
  assert.equal(await page.evaluate('getComputedStyle(document.body).margin'), '0px', 'styled');
});

inEachEngine('in a sandbox without an origin it says in words what it needs', async (page) => {
  for (const [host, says] of /** @type {[typeof open, RegExp][]} */ ([
    [closed, /could not start.*allow-scripts and allow-same-origin/s],
    [open, /sandbox/],
  ])) {
    await page.goto(`${host.url}/index.html?boxed&lang=en`);
    await until(page, `${says}.test(document.body.innerText)`);
    assert.equal(await page.evaluate('origin'), 'null');
  }
});
