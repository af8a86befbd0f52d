/* The update rules as the built module has them, and the sets of options that tests/c/runs.h tries
 * each with. */
import { readFileSync } from 'node:fs';
import { openBridge, readRules } from './tables.js';

/** @typedef {import('gradlock').RuleName} RuleName */

const bridge = await openBridge();
const read = readRules(bridge);
bridge.close();

/** What each rule says of itself, by name. */
export const INFO =
  /** @type {ReadonlyMap<RuleName, import('../../src/js/optim/rules.js').RuleInfo>} */ (read);

/** Every update rule. */
export const RULES = /** @type {readonly RuleName[]} */ ([...INFO.keys()]);

/**
 * One of C's option values as JavaScript takes it.
 * @param {RuleName} rule
 * @param {string} word name=number
 * @returns {[string, unknown]}
 */
const readWord = (rule, word) => {
  const [name, number] = word.split('=');
  if (name === 'resetOnUnlock') return ['onUnlock', number === '1' ? 'reset' : 'hold'];
  const option = INFO.get(rule)?.options.get(name);
  if (!option) throw new Error(`runs.h: ${rule} has no option '${name}'`);
  return [name, option.isFlag ? number === '1' : Number(number)];
};

const text = readFileSync(new URL('../c/runs.h', import.meta.url), 'utf8');
const lines = String(text.match(/law_lines\[\] = \{([\s\S]*?)\n\};/)?.[1]).replace(/"\s+"/g, '');

/** The sets of options, with JavaScript's names. */
export const OPTION_SETS = Array.from(lines.matchAll(/"([^"]+)"/g), ([, line]) => {
  const [name, ...words] = line.split(' ');
  const rule = /** @type {RuleName} */ (name);
  const options = Object.fromEntries(words.map((word) => readWord(rule, word)));
  return /** @type {const} */ ([rule, options]);
});
