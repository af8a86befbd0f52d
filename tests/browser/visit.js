/**
 * A visit to the demo by what the drivers of all browsers can do: look, point, press keys, and
 * change how large the window is.
 */

import { LISTEN } from './site.js';
import { until } from './until.js';

/** @typedef {import('../../web/engine/protocol.js').Snapshot} Snapshot */
/**
 * What Playwright's, Puppeteer's and webkit-page.js's pages have in common.
 * @typedef {object} Page
 * @property {(url: string) => unknown} goto
 * @property {(script: string) => any} evaluate
 * @property {() => unknown} close
 * @property {(size: { width: number, height: number }) => Promise<void>} setViewport
 * @property {{ press(key: any): Promise<void>, down(key: any): Promise<void>, up(key: any): Promise<void>, type(text: string): Promise<void> }} keyboard
 * @property {{ move(x: number, y: number): Promise<void>, down(): Promise<void>, up(): Promise<void> }} mouse
 */

/**
 * What pages run first: they keep what is complained of, show all controls where `full` is in the address, and note in
 * `leftAt` the step at which a run was left. The engine never hears what `deaf` says: commands of some types, or all.
 * `sessionStorage.deaf` is so from a page's beginning.
 */
export const FIRST = `${LISTEN}
  if (location.search.includes('full')) localStorage.setItem('gradlock-view', 'full');
  else localStorage.clear();
  window.leftAt = NaN;
  window.deaf = sessionStorage.deaf;
  const portsHeard = new WeakSet();
  const postToPort = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (message, ...given) {
    if (message?.name !== 'call') return postToPort.call(this, message, ...given);
    if (!portsHeard.has(this)) {
      portsHeard.add(this);
      this.addEventListener('message', ({ data }) => {
        leftAt = data.value?.left?.recipe?.step ?? leftAt;
      });
    }
    const [command] = message.values;
    if (deaf === 'all' || deaf?.split(' ').includes(command)) return;
    postToPort.call(this, message, ...given);
  };`;

/** An expression: the visible button that says a text. @param {string} text */
export const button = (text) =>
  `[...document.querySelectorAll('button')].find((one) => one.textContent.trim() === ${JSON.stringify(text)} && one.checkVisibility())`;

/** An expression: the first that a selector finds. @param {string} selector */
export const first = (selector) => `document.querySelector(${JSON.stringify(selector)})`;

/** As text, which the wire carries far faster than 200,000 numbers. @param {{ evaluate(script: string): unknown }} page @returns {Promise<Snapshot>} */
export const snapshotOf = async (page) =>
  JSON.parse(String(await page.evaluate('gradlockDemo.snapshot().then(JSON.stringify)')));

/** An expression: until the page shows what the engine has done, and parts of another size are drawn again. */
export const SHOWN = `gradlockDemo.shown().then(async () => {
  // Observers of sizes hear of the drawing in its frame, and draw in the next.
  for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
})`;

export class Visit {
  #site;
  #visits = 0;

  /** @param {Page} page @param {string} site */
  constructor(page, site) {
    this.page = page;
    this.#site = site;
  }

  /** The demo anew. @param {string} hash @param {'full' | 'simple' | string} [view] and what else the address asks for */
  async open(hash, view = 'full') {
    // Another hash alone would be no other visit.
    await this.page.goto(`${this.#site}?lang=en&${view}&visit=${this.#visits++}#${hash}`);
    await this.#arrive();
  }

  /** The same page once more, as its button has it. */
  async reload() {
    await this.evaluate('void setTimeout(() => location.reload(), 100, (window.isOld = true))');
    await this.until('window.isOld !== true');
    await this.#arrive();
  }

  async #arrive() {
    await this.until(`window.gradlockDemo?.frame() && document.querySelector('gradlock-grid')`);
    await this.settled();
  }

  /** @param {string} expression */
  evaluate(expression) {
    return this.page.evaluate(expression);
  }

  /** @param {string} expression */
  until(expression) {
    return until(this, expression);
  }

  snapshot() {
    return snapshotOf(this);
  }

  /** Wait until the engine has done what was asked for, and the page shows it. */
  async settled() {
    await this.evaluate(SHOWN);
  }

  /** @param {number} count */
  async steps(count) {
    await this.evaluate(`gradlockDemo.step(${count})`);
    await this.settled();
  }

  /** Text of the first that a selector finds. @param {string} selector @returns {Promise<string>} */
  text(selector) {
    return this.evaluate(`${first(selector)}.textContent`);
  }

  /** Click at a part of an element, which an expression finds. @param {string} element @param {number} [across] from 0 to 1 */
  async click(element, across = 0.5) {
    const [x, y] = await this.evaluate(`(() => {
      const found = ${element};
      found.scrollIntoView({ block: 'center', behavior: 'instant' });
      const { left, top, width, height } = found.getBoundingClientRect();
      return [left + width * ${across}, top + height / 2];
    })()`);
    await this.page.mouse.move(x, y);
    await this.page.mouse.down();
    await this.page.mouse.up();
    await this.settled();
  }

  /** @param {string} key @param {string} [held] */
  async press(key, held) {
    if (held) await this.page.keyboard.down(held);
    await this.page.keyboard.press(key);
    if (held) await this.page.keyboard.up(held);
    await this.settled();
  }
}
