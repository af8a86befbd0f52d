// sheet.css as a sheet that scripts construct, which strict policies allow.
import { addRules } from './rules.js';

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** One for all grids. */
export const sharedSheet = () => {
  if (!sheet) {
    const made = new CSSStyleSheet();
    addRules((rule) => made.insertRule(rule, made.cssRules.length));
    sheet = made;
  }
  return sheet;
};
