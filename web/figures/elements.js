/** Elements for figures that are built. Nothing here is touched before a figure is. */

const SVG = 'http://www.w3.org/2000/svg';

/** @typedef {Record<string, string | number>} Attributes */

/**
 * @template {Element} T
 * @param {T} element
 * @param {Attributes} attributes
 * @param {(Node | string)[]} children
 */
function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 */
export const html = (tag, attributes = {}, ...children) =>
  filled(document.createElement(tag), attributes, children);

/**
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string)} children
 */
export const svg = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

/** Set what differs: writing the same again still costs layout. @param {Element} element @param {Attributes} attributes */
export function update(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
}

/** @param {Element} element @param {string} text */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
