/**
 * Why gradlock/keep has files for large states: `node tests/bench/storage.mjs`. Writes to the disk and reads states in a
 * worker, by its database alone and by the database with files (OPFS): medians in milliseconds, and their ratio.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { chromiumOptions } from '../browser/chromium.js';
import { launchFirefox } from '../browser/firefox.js';
import { serveFolder } from '../browser/site.js';

const SIZES = [1e4, 3e6, 1e7, 5e7];
const profile = mkdtempSync(join(tmpdir(), 'gradlock-storage-'));
const BROWSERS = {
  // Without a profile, a Chromium has no disk: all that it stores is in memory.
  Chromium: () => chromium.launchPersistentContext(profile, chromiumOptions()),
  Firefox: () => launchFirefox(),
};

const served = await serveFolder(new URL('../../', import.meta.url));
for (const [engine, launch] of Object.entries(BROWSERS)) {
  const browser = await launch();
  const page = /** @type {import('playwright-core').Page} */ (await browser.newPage());
  await page.goto(`${served.url}tests/browser/blank.html`);
  console.log(
    `\n${engine.padEnd(9)}  write: IndexedDB    files   ratio   read: IndexedDB    files   ratio`,
  );
  for (const size of SIZES) {
    const { database, file, error } = await page.evaluate(`new Promise((resolve, reject) => {
      const worker = new Worker('${served.url}tests/bench/page/storage.js', { type: 'module' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => reject(new Error(message));
      worker.postMessage(${size});
    })`);
    const cells = error
      ? [error]
      : ['write', 'read'].flatMap((what) => [
          database[what].toFixed(1).padStart(16),
          file[what].toFixed(1).padStart(7),
          (database[what] / file[what]).toFixed(2).padStart(7),
        ]);
    console.log(`${String(size / 1e6).padStart(6)} MB  ${cells.join(' ')}`);
  }
  await browser.close();
}
served.close();
rmSync(profile, { recursive: true });
