/** The DOM helpers of all views. */

/** @typedef {Record<string, string | number | boolean | undefined | ((event: any) => void)>} Props */

/**
 * Makes an element with attributes, listeners (`onclick`, …) and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props] false and undefined leave an attribute out
 * @param {...(Node | string | null | undefined)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** @param {string} label @param {(event: any) => void} onclick @param {string} [look] its other classes */
export const button = (label, onclick, look = '') =>
  h('button', { type: 'button', class: `button ${look}`.trim(), onclick }, label);

/** Makes a collapsible section. @param {string} name of its symbol @param {string} label @param {() => void} ontoggle @param {...Node} children */
export const fold = (name, label, ontoggle, ...children) =>
  h(
    'details',
    { class: 'fold', ontoggle },
    h('summary', {}, icon(name), label),
    h('div', { class: 'fold-body' }, ...children),
  );

/** Makes one of index.html's symbols. @param {string} name */
export function icon(name) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#icon-${name}`);
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  svg.append(use);
  return svg;
}

/** Sets text only if it differs: writing the same text costs layout. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {Element} element @param {string} name @param {string} value */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** True if the page is used by touch. */
export const isTouched = () => matchMedia('(pointer: coarse)').matches;

/** How much larger than in CSS pixels figures are drawn: 2 in presenter mode. */
export const zoom = () => Number(token('zoom')) || 1;

/** Returns the current value of a colour of tokens.css. @param {string} name without the dashes */
export const token = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
