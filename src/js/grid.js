// Entry point of <gradlock-grid>, an element that shows a variable, or any matrix, as a grid whose
// cells lock. It imports nothing of the library but what refuses arguments. Without HTML elements,
// as in Node.js, importing it does nothing.
import { strictMethod } from './base/arity.js';
import { GradlockGrid } from './grid/element.js';

export { colour, LEVELS, levelOf, makePalette } from './grid/colours.js';
export { formatInput, formatNumber, formatValue, parseNumber, powerOfTen } from './grid/format.js';
export { MAX_DOM_SIDE } from './grid/view.js';
export { words } from './grid/words.js';
export { GradlockGrid };

/**
 * What pages and frameworks set of the element (docs/grid.md has the types of JSX).
 * @typedef {Partial<Pick<GradlockGrid, 'variable' | 'source' | 'words' | 'rowNames' | 'colNames'
 *   | 'scale' | 'reach' | 'label' | 'readonly' | 'editable' | 'draw' | 'selected'>>} GridProperties
 */
/** @typedef {import('./grid/source.js').GridSource} GridSource */
/** @typedef {import('./grid/words.js').GridWords} GridWords */
/** @typedef {import('./grid/colours.js').Palette} Palette */
/** @typedef {import('./grid/colours.js').Scale} Scale */

for (const name of /** @type {const} */ (['edit', 'refresh', 'restyle', 'show'])) {
  const method = /** @type {any} */ (strictMethod(name, GradlockGrid.prototype[name]));
  GradlockGrid.prototype[name] = method;
}

// Two copies of the package may be on one page.
if (globalThis.customElements && !customElements.get('gradlock-grid')) {
  customElements.define('gradlock-grid', GradlockGrid);
}
