/**
 * One wait for all drivers. Playwright's waitForFunction is not used: it evaluates its text in the page, where a policy
 * without 'unsafe-eval' forbids it. Only the first look passes, so it fails where that comes too early.
 */

import assert from 'node:assert/strict';
import { PATIENCE } from './lease.js';

/**
 * Until an expression, or its promise, is true. While one page goes and another comes, none is.
 * @param {{ evaluate: (script: string) => any }} page
 * @param {string} expression
 */
export async function until(page, expression) {
  const end = performance.now() + PATIENCE;
  const ask = `Promise.resolve(${expression}).then(Boolean)`;
  let error = null;
  const failed = (/** @type {unknown} */ cause) => {
    error = cause;
  };
  while (!(await Promise.resolve(page.evaluate(ask)).catch(failed))) {
    assert.ok(performance.now() < end, `in time: ${expression}; ${error ?? 'it is false'}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}
