/** Finds the system's Chromium and drives it with a fresh profile. Playwright's own browsers are not used. */

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns {string} */
export function findChromium() {
  const { CHROME_PATH, PATH = '' } = process.env;
  const folders = [...PATH.split(delimiter), '/usr/bin'];
  const places = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = [CHROME_PATH, ...places].find((path) => path && isExecutable(path));
  if (found) return found;
  throw new Error(
    'No Chromium found to test the demo in. Install one (Debian, Ubuntu: apt-get install chromium), ' +
      'or set CHROME_PATH to the executable of Chromium or Chrome.',
  );
}

export const launchChromium = () =>
  chromium.launch({
    executablePath: findChromium(),
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
