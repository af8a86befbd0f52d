/**
 * When the demo is seen on a slow line: 1.6 Mbit/s, 150 ms, a processor six times slower, in
 * Chromium. Prints the times of the first picture and of the first frame, the bytes, and files that
 * were loaded twice. Nothing is asserted: `node tests/bench/loading.mjs`, after `make site`.
 */

import { gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchChromium } from '../browser/chromium.js';

const SITE = fileURLToPath(new URL('../../build/site/', import.meta.url));
const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript'],
  ['.css', 'text/css'],
  ['.svg', 'image/svg+xml'],
]);
const LINE = { latency: 150, throughput: 1.6e6 / 8 };
const SLOWDOWN = 6;

// Hosts compress.
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://site');
  const path = pathname === '/' ? '/index.html' : pathname;
  try {
    const body = gzipSync(readFileSync(join(SITE, path)));
    const type = TYPES.get(extname(path)) ?? 'text/plain; charset=utf-8';
    response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(body);
  } catch {
    response.writeHead(404).end();
  }
});
await new Promise((done) => server.listen(0, '127.0.0.1', () => done(null)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

const browser = await launchChromium(['--disable-features=Translate']);
for (const scene of process.argv.length > 2
  ? process.argv.slice(2)
  : ['', 'two-by-two', 'freeze']) {
  const context = await browser.newContext({ viewport: { width: 1366, height: 660 } });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send('Network.enable');
  const { latency, throughput } = LINE;
  await client.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency, downloadThroughput: throughput, uploadThroughput: throughput },
  });
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
  /** @type {Map<string, number>} */
  const loaded = new Map();
  page.on('request', (request) => loaded.set(request.url(), (loaded.get(request.url()) ?? 0) + 1));
  await page.goto(`http://127.0.0.1:${port}/${scene && `#scene=${scene}`}`);
  while (!(await page.evaluate('performance.getEntriesByName("interactive").length'))) {
    await page.waitForTimeout(100);
  }
  const [paint, frame] = /** @type {number[]} */ (
    await page.evaluate(`[
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      performance.getEntriesByName('interactive')[0].startTime,
    ]`)
  );
  const bytes = await page.evaluate(`performance.getEntriesByType('resource')
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);
  const twice = [...loaded].filter(([, count]) => count > 1).map(([url]) => url);
  console.log(
    `${scene || 'first view'}: first picture ${(paint / 1000).toFixed(2)} s, first frame ` +
      `${(frame / 1000).toFixed(2)} s, ${(Number(bytes) / 1000).toFixed(0)} kB by the page; twice: ` +
      `${twice.join(', ') || 'nothing'}`,
  );
  await context.close();
}
await browser.close();
server.close();
