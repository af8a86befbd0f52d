/**
 * Finds the system's Firefox and drives it over WebDriver BiDi, which it speaks without a driver between. Every launch has a
 * profile and a home of its own, deleted when it closes. Puppeteer's own browsers are not used.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { findProgram } from './find.js';
import { lease, PATIENCE } from './lease.js';

const NAMES = ['firefox-esr', 'firefox', '/Applications/Firefox.app/Contents/MacOS/firefox'];

/** @returns {string} */
export function findFirefox() {
  const found = findProgram(process.env.FIREFOX_PATH, NAMES);
  if (found) return found;
  throw new Error(
    'No Firefox found to test in. Install one (Debian: apt-get install firefox-esr), ' +
      'or set FIREFOX_PATH to the executable of Firefox.',
  );
}

/**
 * A Firefox without a window; puppeteer's `Browser`. Call `close` on what it gives. It is the one of the run of tests, unless
 * preferences are asked for.
 * @param {Record<string, boolean | number | string>} [preferences] As in about:config;
 *   `{ 'ui.prefersReducedMotion': 1, 'ui.systemUsesDarkTheme': 1 }`, for example.
 */
export async function launchFirefox(preferences = {}) {
  const lent = Object.keys(preferences).length > 0 ? null : await lease('firefox');
  const browser = lent ? await borrow(lent) : await startFirefox(preferences);
  const newPage = browser.newPage.bind(browser);
  browser.newPage = async (options) => {
    const page = await newPage(options);
    page.setDefaultTimeout(PATIENCE);
    return page;
  };
  return browser;
}

/** @param {NonNullable<Awaited<ReturnType<typeof lease>>>} lent */
async function borrow({ address, release }) {
  const browser = await puppeteer.connect({
    browserWSEndpoint: address,
    protocol: 'webDriverBiDi',
    protocolTimeout: PATIENCE,
  });
  const before = new Set(await browser.pages());
  browser.close = async () => {
    // A browser ends with its last page, so one stays.
    for (const page of await browser.pages()) if (!before.has(page)) await page.close();
    await browser.disconnect();
    release();
  };
  return browser;
}

/** A Firefox that nobody shares. @param {Record<string, boolean | number | string>} [preferences] */
export async function startFirefox(preferences = {}) {
  // Firefox run by root refuses another's home, and would leave caches in any.
  const home = mkdtempSync(join(tmpdir(), 'gradlock-firefox-'));
  const removeHome = () => rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  try {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      executablePath: findFirefox(),
      headless: true,
      timeout: PATIENCE,
      protocolTimeout: PATIENCE,
      userDataDir: join(home, 'profile'),
      env: { ...process.env, HOME: home, MOZ_CRASHREPORTER_DISABLE: '1' },
      extraPrefsFirefox: {
        'network.captive-portal-service.enabled': false,
        'network.connectivity-service.enabled': false,
        ...preferences,
      },
    });
    browser.process()?.once('exit', removeHome);
    return browser;
  } catch (error) {
    removeHome();
    throw error;
  }
}
