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

/**
 * @param {string | (Node | string)[]} label
 * @param {(event: any) => void} onclick
 * @param {string} [look] its other classes
 * @param {Props} [others]
 */
export function button(label, onclick, look = '', others = {}) {
  const props = { type: 'button', class: `button ${look}`.trim(), onclick, ...others };
  return h('button', props, ...[label].flat());
}

/**
 * Makes a button with a symbol; a bare one hides its label.
 * @param {string} name of the symbol
 * @param {string} label
 * @param {() => void} onclick
 * @param {string} [look]
 * @param {string} [title]
 */
export function iconButton(name, label, onclick, look = '', title = label) {
  const text = h('span', { class: look.startsWith('bare') && 'out-of-sight' }, label);
  return button([icon(name), text], onclick, look, { title });
}

/**
 * Makes a button that opens files.
 * @param {string} label
 * @param {string} accept
 * @param {(files: File[]) => void} onfiles  one or more
 * @param {boolean} [multiple]
 */
export function fileButton(label, accept, onfiles, multiple = false) {
  const onchange = () => {
    const files = [...(input.files ?? [])];
    if (files.length) onfiles(files);
    input.value = '';
  };
  const input = h('input', { type: 'file', class: 'cover', accept, multiple, onchange });
  return h('label', { class: 'button' }, input, h('span', {}, label));
}

/**
 * Takes files that are dropped anywhere on the page.
 * @param {(files: File[]) => void} onfiles
 * @param {(isOver: boolean) => void} [onhover]  true while files are held above the page
 */
export function catchDrops(onfiles, onhover = () => {}) {
  document.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    onhover(true);
  });
  document.addEventListener('dragleave', ({ relatedTarget }) => relatedTarget || onhover(false));
  document.addEventListener('drop', (event) => {
    onhover(false);
    const files = [...(event.dataTransfer?.files ?? [])];
    if (!files.length) return;
    event.preventDefault();
    onfiles(files);
  });
}

/** Makes a line of controls. @param {...(Node | string | null)} children */
export const tools = (...children) => h('div', { class: 'tools' }, ...children);

/** Makes a collapsible section. @param {string} name of its symbol @param {string} label @param {(event: any) => void} ontoggle @param {...Node} children */
export function fold(name, label, ontoggle, ...children) {
  const summary = h('summary', { class: 'row' }, icon(name), label);
  const body = h('div', { class: 'fold-body stack' }, ...children);
  return h('details', { class: 'fold', ontoggle }, summary, body);
}

/** @param {string} tag @param {Record<string, string | number>} attributes @param {...(Node | string)} children */
export function svg(tag, attributes, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** Makes one of index.html's symbols. @param {string} name */
export const icon = (name) =>
  svg('svg', { class: 'icon', 'aria-hidden': 'true' }, svg('use', { href: `#icon-${name}` }));

/** @param {Element} button with a symbol @param {string} name of its new one @param {string} label */
export function relabel(button, name, label) {
  const [symbol, text] = button.children;
  setAttribute(symbol.children[0], 'href', `#icon-${name}`);
  setText(text, label);
}

/** Sets text only if it differs: writing the same text costs layout. @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {Element} element @param {string} name @param {string} value */
export function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * Sets an element's styles, which a policy forbids as an attribute.
 * @param {HTMLElement | SVGElement} element
 * @param {Record<string, string | number>} styles numbers are pixels, but for custom properties
 */
export function setStyle(element, styles) {
  for (const [name, value] of Object.entries(styles)) {
    const isLength = typeof value === 'number' && !name.startsWith('--');
    element.style.setProperty(name, isLength ? `${value}px` : String(value));
  }
}

export const byId = (/** @type {string} */ id) =>
  /** @type {HTMLElement} */ (document.getElementById(id));

export const isTouched = () => matchMedia('(pointer: coarse)').matches;

/** How much larger than in CSS pixels figures are drawn: 2 in presenter mode. */
export const zoom = () => Number(token('zoom')) || 1;

/** Returns the current value of a colour of tokens.css. @param {string} name without the dashes */
export const token = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
