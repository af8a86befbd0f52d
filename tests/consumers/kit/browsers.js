/* Pages in real Chromium and Firefox, which reach nothing but this machine. */
import { launchChromium } from '../../browser/chromium.js';
import { launchFirefox } from '../../browser/firefox.js';

/** How long a page may take, in ms: servers for development compile when they are asked. */
const PATIENCE = 90_000;
/** How long a page in which something was thrown has to say so itself, in ms. */
const LAST_WORDS = 3000;
/** A port that nobody listens at. */
const NOWHERE = 9;

/** What Playwright's pages and Puppeteer's have in common, as far as it is used here.
 * @typedef {object} Page
 * @property {(url: string) => Promise<unknown>} goto
 * @property {(script: string) => Promise<any>} evaluate
 * @property {() => Promise<void>} close
 */

/**
 * @typedef {object} Opened
 * @property {string} name Of the browser.
 * @property {Page} page
 * @property {boolean} hasFailed Whether an error was thrown that nobody caught.
 * @property {string[]} complaints Of the console, and addresses that were asked for elsewhere.
 */

/** @typedef {{ version: string, open(): Promise<Opened>, close(): Promise<void> }} Browser */

/** @param {string} url */
const isHere = (url) =>
  /^(data|blob|file|about):|^(https?|wss?):\/\/(127\.0\.0\.1|localhost)\b/.test(url);

/** Those of pages and engines that say nothing about the program. */
const NOISE =
  /favicon\.ico|Download the React DevTools|\[vite\] connect|unreachable code after return/;

/**
 * @param {any} page Of either library: both have these events.
 * @param {string} name
 * @returns {Opened}
 */
function watch(page, name) {
  /** @type {string[]} */
  const complaints = [];
  const opened = { name, page, complaints, hasFailed: false };
  page.on('pageerror', (/** @type {Error} */ error) => {
    opened.hasFailed = true;
    complaints.push(`${name}: ${error.message}`);
  });
  page.on('console', (/** @type {any} */ message) => {
    const text = `${message.text()} ${locationOf(message)}`;
    if (/^(error|warn)/.test(message.type()) && !NOISE.test(text)) {
      complaints.push(`${name}: ${message.text()}`);
    }
  });
  page.on('request', (/** @type {any} */ request) => {
    if (!isHere(request.url())) complaints.push(`${name}: asked for ${request.url()}`);
  });
  return opened;
}

/** @param {any} message */
const locationOf = (message) => message.location()?.url ?? '';

/** @returns {Promise<Browser>} */
async function chromium() {
  const browser = await launchChromium([
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
  ]);
  return {
    version: `Chromium ${browser.version()}`,
    async open() {
      const context = await browser.newContext();
      const opened = watch(await context.newPage(), 'Chromium');
      opened.page = { ...bound(opened.page), close: () => context.close() };
      return opened;
    },
    close: () => browser.close(),
  };
}

/** @returns {Promise<Browser>} */
async function firefox() {
  const queue = queued();
  const browser = await launchFirefox({
    'network.proxy.type': 1,
    'network.proxy.http': '127.0.0.1',
    'network.proxy.http_port': NOWHERE,
    'network.proxy.ssl': '127.0.0.1',
    'network.proxy.ssl_port': NOWHERE,
  });
  return {
    version: (await browser.version()).replace(/^firefox\//i, 'Firefox '),
    // One after the other: a context that is made while another closes may be lost.
    open: () =>
      queue(async () => {
        const context = await browser.createBrowserContext();
        const opened = watch(await context.newPage(), 'Firefox');
        opened.page = { ...bound(opened.page), close: () => queue(() => context.close()) };
        return opened;
      }),
    close: () => browser.close(),
  };
}

/** What runs functions one after the other. */
function queued() {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  /** @template T @param {() => Promise<T>} next @returns {Promise<T>} */
  return (next) => {
    const result = last.then(next);
    last = result.catch(() => {});
    return result;
  };
}

/** @param {Page} page */
const bound = (page) => ({
  goto: (/** @type {string} */ url) => page.goto(url),
  evaluate: (/** @type {string} */ script) => page.evaluate(script),
});

/** Both browsers, when they are first asked for; those who ask share them. */
export function browsers() {
  /** @type {Promise<Browser[]> | undefined} */
  let both;
  return {
    open: () => {
      both ??= Promise.all([chromium(), firefox()]);
      return both;
    },
    async close() {
      for (const browser of (await both?.catch(() => [])) ?? []) await browser.close();
    },
  };
}

/**
 * Wait until a page's text has what it is waited for, or an error.
 * @param {Page} page
 * @param {(text: string) => boolean} isDone
 * @param {() => boolean} [hasFailed] Whether something was thrown that its text may never show.
 * @returns {Promise<string>} the text
 */
export async function textOf(page, isDone, hasFailed = () => false) {
  let end = Date.now() + PATIENCE;
  let text = '';
  while (Date.now() < end) {
    // While it loads anew there may be no page to ask.
    text = String(await page.evaluate('document.body?.innerText ?? ""').catch(() => ''));
    if (isDone(text) || /\b\w*Error:/.test(text)) return text;
    if (hasFailed()) end = Math.min(end, Date.now() + LAST_WORDS);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return text;
}
