// The few lines of DOM that the grid needs. No style attribute and no markup in text, which strict
// policies forbid.

/** @typedef {Record<string, string | number | undefined>} Attributes */

/**
 * An element with attributes and children. Its classes are parts, too, which pages can style.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes] undefined leaves one out
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    element.setAttribute(name, String(value));
    if (name === 'class') element.setAttribute('part', String(value));
  }
  for (const child of children) if (child !== undefined) element.append(child);
  return element;
};

const SVG = 'http://www.w3.org/2000/svg';

/**
 * An icon on a field of 16 × 16: what is filled, and what is only a line.
 * @param {readonly string[]} filled
 * @param {string} line
 */
export const icon = (filled, line) => {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 16 16');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  for (const d of [...filled, line]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', d);
    if (d !== line) path.setAttribute('class', 'fill');
    svg.append(path);
  }
  return svg;
};

/**
 * Lay an element over a cell; how large it is at least, its style says.
 * @param {HTMLElement} element
 * @param {number} x Of the middle of the cell, in CSS pixels.
 * @param {number} y
 * @param {number} width Of the cell.
 * @param {number} height
 */
export const layOver = ({ style }, x, y, width, height) => {
  for (const [name, size] of Object.entries({ x, y, width, height })) {
    style.setProperty(`--${name}`, `${size}px`);
  }
};

/**
 * Set text only where it differs: writing the same text still costs layout.
 * @param {Node} node
 * @param {string} text
 */
export const setText = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

/**
 * @param {Element} element
 * @param {string} name
 * @param {string} value
 */
export const setAttribute = (element, name, value) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
};
