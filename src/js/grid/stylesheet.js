// stylesheet.css as a sheet that scripts construct, which strict policies allow.
import { rules } from './rules.js';

/** @type {CSSStyleSheet | undefined} */
let sheet;

/** One for all grids. */
export const sharedStylesheet = () => {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
  }
  return sheet;
};
