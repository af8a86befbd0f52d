/**
 * Finds the system's Chromium and drives it with a fresh profile. Playwright's own browsers are not used. `make test` names a
 * headless shell where there is one: the same engine without the browser's own window, whose toolbars take two thirds of the
 * processor's time that a page takes.
 */

import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { findProgram } from './find.js';
import { lease, PATIENCE } from './lease.js';

const NAMES = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** @returns {string} */
export function findChromium() {
  const found = findProgram(process.env.CHROME_PATH, NAMES);
  if (found) return found;
  throw new Error(
    'No Chromium found to test in. Install one (Debian, Ubuntu: apt-get install chromium), ' +
      'or set CHROME_PATH to the executable of Chromium or Chrome.',
  );
}

/** What draws without a GPU: WebGL on the processor. */
export const SOFTWARE_WEBGL = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'];

/** Chromium without a window where `make test` found one, otherwise the whole browser. */
const findShell = () => process.env.CHROME_SHELL_PATH || findChromium();

/**
 * A Chromium of tabs that can be hidden and frozen, as Firefox's are driven: Playwright shows all of its tabs at once.
 * @returns {Promise<import('puppeteer-core').Browser>}
 */
export const launchTabs = () =>
  puppeteer.launch({
    browser: 'chrome',
    executablePath: findChromium(),
    headless: true,
    timeout: PATIENCE,
    protocolTimeout: PATIENCE,
    args: ['--no-sandbox', '--disable-gpu'],
  });

/** @param {readonly string[]} [more] Further flags. @param {string} [executablePath] */
export const chromiumOptions = (more = [], executablePath = findShell()) => ({
  executablePath,
  args: [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    ...more,
  ],
});

/**
 * A Chromium: the one of the run of tests, unless flags are asked for. Its pages are in contexts that end with it.
 * @param {readonly string[]} [more] Further flags.
 * @param {string} [program] The browser, if it matters which.
 */
export async function launchChromium(more = [], program) {
  const lent = more.length > 0 || program ? null : await lease('chromium');
  const browser = lent
    ? await chromium.connect(lent.address)
    : await chromium.launch(chromiumOptions(more, program));
  if (lent) browser.once('disconnected', lent.release);
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(PATIENCE);
    return context;
  };
  return browser;
}
