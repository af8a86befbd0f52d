// The DOM that the grid needs. No style attributes, no markup in text: strict policies forbid them.
import { rowAndColumn } from './row-column.js';

/** @typedef {Record<string, string | number | boolean>} Attributes */

/**
 * Its classes are parts, too, which pages can style.
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {(Node | string | undefined)[]} [children]
 */
export const applyAttributes = (element, attributes, children = []) => {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, `${value}`);
    if (name === 'class') element.setAttribute('part', `${value}`);
  }
  for (const child of children) if (child) element.append(child);
  return element;
};

/**
 * An element with attributes and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} attributes
 * @param {...(Node | string | undefined)} children
 */
export const h = (tag, attributes, ...children) =>
  applyAttributes(document.createElement(tag), attributes, children);

/**
 * A button out of the tab order; drawing says whether it is pressed. None belongs to a form.
 * @param {string} name Its class.
 * @param {...(Node | string)} children
 */
export const toggle = (name, ...children) =>
  h('button', { class: name, tabindex: -1 }, ...children);

/** Of an icon. @param {string} tag @param {Attributes} attributes @param {Node[]} [children] */
const shape = (tag, attributes, children) =>
  applyAttributes(
    document.createElementNS('http://www.w3.org/2000/svg', tag),
    attributes,
    children,
  );

/** An icon on a field of 16 × 16. @param {Record<string, string>} paths By class. */
export const icon = (paths) =>
  shape(
    'svg',
    { viewBox: '0 0 16 16', class: 'icon', 'aria-hidden': true },
    Object.entries(paths).map(([name, d]) => shape('path', { class: name, d })),
  );

/**
 * Tell an element's style of sizes.
 * @param {HTMLElement} element
 * @param {Record<string, number>} sizes In CSS pixels.
 */
export const setSizes = ({ style }, sizes) => {
  for (const [name, size] of Object.entries(sizes)) style.setProperty(`--${name}`, `${size}px`);
};

/**
 * Put an element over a cell; its style sets the smallest size.
 * @param {HTMLElement} element
 * @param {{ width: number, height: number }} cell
 * @param {number} index
 * @param {number} cols
 * @param {number} [left] Sizes of the grid, in CSS pixels.
 * @param {number} [top]
 */
export const coverCell = (element, { width, height }, index, cols, left = 0, top = 0) => {
  const [row, col] = rowAndColumn(index, cols);
  const x = left + (col + 0.5) * width;
  const y = top + (row + 0.5) * height;
  setSizes(element, { x, y, width, height });
};

/** The 2D context of a canvas. @param {HTMLCanvasElement} canvas */
export const contextOf = (canvas) =>
  /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));

/** Set text only if it differs: writing costs layout. @param {Node} node @param {string} text */
export const setText = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

/** @param {Element} element @param {string} name @param {string | boolean} value */
export const setAttribute = (element, name, value) => {
  if (element.getAttribute(name) !== `${value}`) element.setAttribute(name, `${value}`);
};
