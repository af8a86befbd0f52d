/** A page of webkit.js, with what tests use of Playwright's and Puppeteer's pages. */

import { until } from './until.js';

/** Keys with names, as the protocol writes them. */
const KEYS = /** @type {Record<string, string>} */ ({
  Shift: '\uE008',
  Control: '\uE009',
  Tab: '\uE004',
  Enter: '\uE007',
  PageUp: '\uE00E',
  PageDown: '\uE00F',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
  F2: '\uE032',
});

/**
 * An expression: what a selector finds first, also in shadow roots where it begins with `>>> `, as
 * Puppeteer has it.
 * @param {string} selector
 */
const find = (selector) => `((selector, isDeep) => {
  const rootsIn = (root) => [root, ...[...root.querySelectorAll('*')].flatMap(
    ({ shadowRoot }) => (shadowRoot ? rootsIn(shadowRoot) : []),
  )];
  for (const root of isDeep ? rootsIn(document) : [document]) {
    const found = root.querySelector(selector);
    if (found) return found;
  }
})(${JSON.stringify(selector.replaceAll('>>> ', ''))}, ${selector.startsWith('>>> ')})`;

export class WebKitPage {
  #send;
  #closed;

  /** @param {import('./webkit.js').Send} send to its window @param {() => void} closed */
  constructor(send, closed) {
    this.#send = send;
    this.#closed = closed;
  }

  keyboard = {
    /** @param {string} key */
    press: (key) => this.#keys([this.#key('keyDown', key), this.#key('keyUp', key)]),
    /** @param {string} key */
    down: (key) => this.#keys([this.#key('keyDown', key)]),
    /** @param {string} key */
    up: (key) => this.#keys([this.#key('keyUp', key)]),
    /** @param {string} text */
    type: async (text) => {
      for (const key of text) await this.keyboard.press(key);
    },
  };

  mouse = {
    /** @param {number} x @param {number} y */
    move: (x, y) =>
      this.#pointer({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration: 0 }),
    down: () => this.#pointer({ type: 'pointerDown', button: 0 }),
    up: () => this.#pointer({ type: 'pointerUp', button: 0 }),
  };

  /** @param {string} url @returns {Promise<void>} */
  goto(url) {
    return this.#send('POST', '/url', { url });
  }

  /** The value of an expression, or of its promise, as JSON has it. @param {string} expression */
  async evaluate(expression) {
    // In the script itself, which a page's policy lets run, as it does no eval.
    const { value, error } = await this.#send('POST', '/execute/async', {
      script: `const [done] = arguments;
        Promise.resolve().then(() => (
          ${expression.replace(/;\s*$/, '')}
        )).then(
          (value) => done({ value }),
          (error) => done({ error: String(error) + '\\n' + error?.stack }),
        );`,
      args: [],
    });
    if (error) throw new Error(`in the page: ${error}`);
    return value;
  }

  /** Give the window such a size that the page has this one, in CSS pixels. @param {{ width: number, height: number }} size */
  async setViewport(size) {
    const inner = () => this.evaluate('[innerWidth, innerHeight]');
    const outer = { ...size };
    // What the window has around the page shows only once it is there.
    for (let tries = 0; tries < 10; tries++) {
      await this.#send('POST', '/window/rect', { x: 0, y: 0, ...outer });
      await new Promise((resolve) => setTimeout(resolve, 100));
      const [width, height] = await inner();
      if (width === size.width && height === size.height) return;
      outer.width += size.width - width;
      outer.height += size.height - height;
    }
    throw new Error(`the window takes no ${size.width} × ${size.height}, but ${await inner()}`);
  }

  /** Put the window away, where nobody sees it, until it is given a size again. */
  minimize() {
    return this.#send('POST', '/window/minimize', {});
  }

  /** Until a selector finds something. @param {string} selector */
  waitForSelector(selector) {
    return until(this, `${find(selector)} !== undefined`);
  }

  /** Click the middle of what a selector finds first. @param {string} selector */
  async click(selector) {
    await this.waitForSelector(selector);
    const [x, y] = await this.evaluate(`(() => {
      const found = ${find(selector)};
      found.scrollIntoView({ block: 'nearest' });
      const { left, top, width, height } = found.getBoundingClientRect();
      return [left + width / 2, top + height / 2];
    })()`);
    await this.mouse.move(x, y);
    await this.mouse.down();
    await this.mouse.up();
  }

  async close() {
    await this.goto('about:blank');
    this.#closed();
  }

  /** @param {'keyDown' | 'keyUp'} type @param {string} key */
  #key(type, key) {
    if (key.length > 1 && !KEYS[key]) throw new Error(`no code is listed for the key ${key}`);
    return { type, value: KEYS[key] ?? key };
  }

  /** @param {object[]} actions @returns {Promise<void>} */
  #keys(actions) {
    return this.#send('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions }] });
  }

  /** @param {object} action @returns {Promise<void>} */
  #pointer(action) {
    return this.#send('POST', '/actions', {
      actions: [
        { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions: [action] },
      ],
    });
  }
}
