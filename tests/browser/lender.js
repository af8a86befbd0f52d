/** Launches browsers and lends each to one process at a time (lease.js asks). */

import { createServer } from 'node:http';
import { chromium } from 'playwright-core';
import { chromiumOptions } from './chromium.js';
import { startFirefox } from './firefox.js';
import { WebKit } from './webkit.js';

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

/** Starts to lend. `close` ends every browser. @returns {Promise<{ url: string, close: () => Promise<unknown> }>} */
export async function lendBrowsers() {
  /** Browsers that nobody has at present, by engine. @type {Record<string, Lent[]>} */
  const free = { chromium: [], firefox: [], webkit: [] };
  /** @type {Set<Lent>} */
  const all = new Set();
  const server = createServer(async (request, response) => {
    const engine = String(request.url).slice(1);
    try {
      let lent = free[engine].pop();
      while (lent && !lent.isAlive()) {
        all.delete(lent);
        lent = free[engine].pop();
      }
      const given = lent ?? (await LAUNCHES[engine]());
      all.add(given);
      response.once('close', () => free[engine].push(given));
      response.write(JSON.stringify(given.address));
    } catch (error) {
      response.destroy(/** @type {Error} */ (error));
      console.error(error);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => Promise.allSettled([...all].map((lent) => lent.end())),
  };
}
