/* A table of refusals: each call throws the error of that class whose text begins so, and changes
 * nothing that is watched. That every method answers every hostile value with some typed error is
 * tests/hostile's; here is what the errors say. */
import assert from 'node:assert/strict';
import { snapshot } from './support.js';

/**
 * `TypeError: values … got null`: class and message, with … for what lies between.
 * @typedef {string} Text
 */

/** @param {string} message @param {Text} text */
export const says = (message, text) => {
  let at = 0;
  return text.split('…').every((part, i) => {
    const found = message.indexOf(part, at);
    at = found + part.length;
    return found >= 0 && (i > 0 || found === 0);
  });
};

/**
 * @param {import('gradlock').Gradlock} g Settled (support.js), as bytes are compared.
 * @param {any[]} watched Variables and optimizers.
 * @param {Iterable<readonly [what: string, call: () => unknown, text: Text]>} rows
 */
export const assertMessages = (g, watched, rows) => {
  const wrong = [];
  const seen = () => JSON.stringify(snapshot(g, watched));
  for (const [what, call, text] of rows) {
    const before = seen();
    let message = 'nothing was thrown';
    try {
      g.tidy(() => void call());
    } catch (error) {
      message = String(error);
    }
    if (!says(message, text)) wrong.push(`${what}: ${message}\n    expected ${text}`);
    if (seen() !== before) wrong.push(`${what} changed something`);
  }
  assert.equal(wrong.length, 0, `\n  ${wrong.join('\n  ')}`);
};

/** Rows of calls, named by their source. @param {[() => unknown, Text][]} rows */
export const named = (rows) =>
  rows.map(([call, text]) => /** @type {const} */ ([String(call).slice(6), call, text]));
