/** What axe, a checker of accessibility, objects to on a page. */

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Its rules whose verdict depends on colours. */
export const COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * A cell's label follows its number when values rest (src/js/grid/label-throttle.js), so axe is
 * asked again.
 */
const LATER = /^label-content-name-mismatch: <button class="cell"/;
const TRIES = 30;

/** @param {{ evaluate(script: string): any }} page @param {string[]} [runOnly] @returns {Promise<string[]>} */
export async function objections(page, runOnly) {
  await page.evaluate(AXE);
  /** @type {string[]} */
  let found = [];
  for (let i = 0; i < TRIES; i++) {
    found = await page.evaluate(`axe.run(${JSON.stringify({ runOnly })}).then(({ violations }) =>
      violations.map(({ id, nodes }) =>
        id + ': ' + nodes.slice(0, 2).map(({ html }) => html).join(' and ')))`);
    if (!found.some((text) => LATER.test(text))) break;
  }
  return found;
}
