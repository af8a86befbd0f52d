/**
 * The demo's page as the tests use it: by its visible controls, and by `gradlockDemo` where bits
 * are concerned.
 */

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { buffer as readAll } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { EXPECTED } from './site.js';
import { until } from './until.js';
import { SHOWN, snapshotOf } from './visit.js';

/** @typedef {import('../../web/engine/protocol.js').Snapshot} Snapshot */
/** @typedef {import('playwright-core').BrowserContextOptions} ContextOptions */

const SHOTS = fileURLToPath(new URL('../../build/screenshots/', import.meta.url));
const DESKTOP = { width: 1280, height: 800 };

export class DemoPage {
  /** @type {string[]} what the console complained about */
  complaints = [];

  /** @param {import('playwright-core').Page} page */
  constructor(page) {
    this.page = page;
    page.on('pageerror', (error) => this.complaints.push(String(error)));
    page.on('console', (message) => {
      const text = message.text();
      if (!['error', 'warning'].includes(message.type()) || EXPECTED.test(text)) return;
      this.complaints.push(text);
    });
  }

  /** @param {import('playwright-core').Browser} browser @param {string} url @param {ContextOptions} [options] @param {'full' | 'simple'} [view] */
  static async open(browser, url, options = {}, view = 'full') {
    // A service worker would fetch the whole site for each context; it has tests of its own.
    const context = await browser.newContext({
      // The first scene waits for Play.
      ...{ viewport: DESKTOP, serviceWorkers: 'block', reducedMotion: 'reduce' },
      ...options,
    });
    // All controls, which is what most claims are about; the first view has tests of its own.
    await context.addInitScript((shown) => {
      try {
        localStorage.setItem('gradlock-view', shown);
      } catch {}
    }, view);
    const demo = new DemoPage(await context.newPage());
    await demo.page.goto(url);
    await demo.ready();
    // Under reduced motion a page has four frames a second.
    if (!options.reducedMotion) await demo.page.emulateMedia({ reducedMotion: 'no-preference' });
    return demo;
  }

  /** Wait until a scene is open. */
  async ready() {
    await this.page.locator('.cell, .cursor').first().waitFor({ state: 'attached' });
    await this.settled();
  }

  /** @param {string} expression */
  until(expression) {
    return until(this.page, expression);
  }

  /** Wait until the address holds the run as it is now. */
  written() {
    return this.until('gradlockDemo.link().then((link) => link === location.href)');
  }

  snapshot() {
    return snapshotOf(this.page);
  }

  /** @param {Record<string, unknown>} patch @returns {Promise<void>} */
  change(patch) {
    return this.page.evaluate(`gradlockDemo.change(${JSON.stringify(patch)})`);
  }

  /** @param {string} name as a person reads it */
  button(name) {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** @param {string} name */
  async openScene(name) {
    await this.page.locator('.scenes-all').click();
    const cards = this.page.getByRole('dialog').locator('.card');
    await cards.filter({ has: this.page.getByText(name, { exact: true }) }).click();
    await this.page.locator('.scene-name', { hasText: name }).waitFor();
    await this.settled();
  }

  /** Train by the page's own buttons. @param {number} steps */
  async train(steps) {
    for (let i = 0; i < Math.floor(steps / 10); i++) await this.button('10 steps').click();
    for (let i = 0; i < steps % 10; i++) await this.button('Step').click();
    await this.settled();
  }

  /** Train without a button. @param {number} steps */
  async steps(steps) {
    await this.page.evaluate(`gradlockDemo.step(${steps})`);
    await this.settled();
  }

  /** Wait until the engine has done what was asked for, and the page shows it. */
  async settled() {
    await this.page.evaluate(SHOWN);
  }

  /** @param {number} row from 1 @param {number} col from 1 */
  cell(row, col) {
    return this.page.getByRole('button', { name: new RegExp(`^Row ${row}, column ${col},`) });
  }

  /** The middle of a cell on the screen. @param {number} row @param {number} col from 1 @param {number} side of the grid */
  async pointOf(row, col, side) {
    const grid = this.page.locator('.grid');
    await grid.scrollIntoViewIfNeeded();
    const box = await grid.boundingBox();
    assert.ok(box);
    const at = (/** @type {number} */ n, /** @type {number} */ size) => ((n - 0.5) / side) * size;
    return { x: box.x + at(col, box.width), y: box.y + at(row, box.height) };
  }

  message() {
    return this.page.locator('.message:visible');
  }

  /** @param {string} name */
  async shoot(name) {
    mkdirSync(SHOTS, { recursive: true });
    await this.page.screenshot({ path: `${SHOTS}${name}.png`, fullPage: true });
  }

  async close() {
    await this.page.context().close();
    assert.deepEqual(this.complaints, [], 'the console shows no error');
  }
}

/** The text of a file that a page saves. @param {import('playwright-core').Download} download */
export const textOf = async (download) => String(await readAll(await download.createReadStream()));

/**
 * Compare two snapshots cell by cell.
 * @param {Snapshot} before
 * @param {Snapshot} after
 * @returns {{ lockedMoved: number, freeMoved: number, locked: number, free: number }} by `before`'s locks
 */
export function compare(before, after) {
  const moved = after.bits.map((bits, index) => bits !== before.bits[index]);
  const count = (/** @type {number} */ lock, /** @type {boolean} */ onlyMoved) =>
    before.locks.filter((bit, index) => bit === lock && (!onlyMoved || moved[index])).length;
  return {
    locked: count(1, false),
    free: count(0, false),
    lockedMoved: count(1, true),
    freeMoved: count(0, true),
  };
}
