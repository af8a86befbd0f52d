/**
 * Runs test files, with one browser of each engine for all of them: `node tests/run.mjs FILE...`.
 *
 * Node.js runs each file in a process of its own, as many at a time as there are cores. Browsers take seconds to start, so
 * this process launches them, when the first file asks, and lends each to one file at a time (tests/browser/lease.js). Sites
 * are served by each file from a port of its own: that costs nothing, and separates what pages of different files store.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';
import { chromium } from 'playwright-core';
import { chromiumOptions } from './browser/chromium.js';
import { startFirefox } from './browser/firefox.js';
import { WebKit } from './browser/webkit.js';
import { STEADY } from './js/steady.js';

/** Hangs end after 50 minutes: the slowest file on a machine with eight times the load took 7. */
const LIMIT = 3_000_000;

/** @typedef {{ address: unknown, isAlive: () => boolean, end: () => Promise<unknown> }} Lent */

/** @type {Record<string, () => Promise<Lent>>} */
const LAUNCHES = {
  async chromium() {
    const server = await chromium.launchServer(chromiumOptions());
    let isAlive = true;
    server.on('close', () => {
      isAlive = false;
    });
    return { address: server.wsEndpoint(), isAlive: () => isAlive, end: () => server.close() };
  },
  async firefox() {
    const browser = await startFirefox();
    const program = browser.process();
    const address = browser.wsEndpoint();
    await browser.disconnect(); // It has one session at a time, which is the file's.
    const isAlive = () => program?.exitCode === null && program.signalCode === null;
    return { address, isAlive, end: async () => program?.kill() };
  },
  async webkit() {
    const browser = await WebKit.start();
    return { address: browser.address, isAlive: () => browser.isAlive(), end: () => browser.end() };
  },
};

/** Browsers that nobody has at present, by engine. @type {Record<string, Lent[]>} */
const free = { chromium: [], firefox: [], webkit: [] };
/** @type {Set<Lent>} */
const all = new Set();

/** @param {string} engine @returns {Promise<Lent>} */
async function take(engine) {
  for (;;) {
    const lent = free[engine].pop() ?? (await LAUNCHES[engine]());
    all.add(lent);
    if (lent.isAlive()) return lent;
    all.delete(lent);
  }
}

const server = createServer(async (request, response) => {
  const engine = String(request.url).slice(1);
  try {
    const lent = await take(engine);
    response.once('close', () => free[engine].push(lent));
    response.write(JSON.stringify(lent.address));
  } catch (error) {
    response.destroy(/** @type {Error} */ (error));
    console.error(error);
  }
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

/** Files of browsers and others in turn: the first wait for frames while the second compute. @param {string[]} files */
function inTurn(files) {
  const isOfBrowser = (/** @type {string} */ file) => /tests\/(browser|engines)\//.test(file);
  const kinds = [files.filter(isOfBrowser), files.filter((file) => !isOfBrowser(file))];
  const placed = kinds.flatMap((kind) => kind.map((file, i) => ({ file, at: i / kind.length })));
  return placed.sort((a, b) => a.at - b.at).map(({ file }) => file);
}

/** @type {{ file: string, name: string, seconds: number }[]} */
const times = [];
/** Seconds by folder; what is within another test is in its time. @type {Record<string, number>} */
const folders = {};
let isGreen = true;
// Handles that were forgotten hold no file (forceExit), so reports are written at once. More files than cores: a page waits for the screen most of the time.
process.execArgv.push(...STEADY, '--import', new URL('blocking.mjs', import.meta.url).href);
process.env.GRADLOCK_BROWSERS = `http://127.0.0.1:${port}`;
const tests = run({
  files: inTurn(process.argv.slice(2).map((file) => resolve(file))),
  concurrency: 2 * availableParallelism(),
  forceExit: true,
  timeout: LIMIT,
});
tests.on('test:fail', () => {
  isGreen = false;
});
tests.on('test:pass', ({ file, name, nesting, details }) => {
  if (!file) return;
  const seconds = details.duration_ms / 1000;
  const folder = file.replace(/.*\/tests\/|\/[^/]*$/g, '');
  if (nesting === 0) folders[folder] = (folders[folder] ?? 0) + seconds;
  if (details.type !== 'suite') times.push({ file, name, seconds });
});
const shown = tests.compose(new spec());
shown.pipe(process.stdout, { end: false });
await once(shown, 'end');
await Promise.allSettled([...all].map((lent) => lent.end()));
printSlowest();
process.exit(isGreen ? 0 : 1);

function printSlowest() {
  times.sort((a, b) => b.seconds - a.seconds);
  console.log('\nThe slowest of them, in seconds:');
  for (const { file, name, seconds } of times.slice(0, 20)) {
    console.log(`${seconds.toFixed(1).padStart(7)}  ${file.replace(/.*\/tests\//, '')}: ${name}`);
  }
  const sums = Object.entries(folders).sort(([, a], [, b]) => b - a);
  console.log(`By folder: ${sums.map(([name, sum]) => `${name} ${sum.toFixed(0)}`).join(', ')}`);
}
