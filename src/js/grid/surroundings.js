// What an element takes from the page around it: whether it is dark, and its language.

/** @type {MediaQueryList | undefined} */
let darkness;

/** What the system prefers, which may change. */
export const prefersDark = () => {
  darkness ??= matchMedia('(prefers-color-scheme: dark)');
  return darkness;
};

/** Whether an element's own colour scheme is dark. @param {Element} element */
export const isDarkAt = (element) => {
  const scheme = getComputedStyle(element).colorScheme;
  if (!scheme.includes('dark')) return false;
  return !scheme.includes('light') || prefersDark().matches;
};

/**
 * The language that stands at an element or around it, beyond shadow roots.
 * @param {Element} element
 * @returns {string}
 */
export const languageAt = (element) => {
  const root = element.getRootNode();
  const said = element.closest('[lang]:not([lang=""])')?.getAttribute('lang');
  return said ?? (root instanceof ShadowRoot ? languageAt(root.host) : '');
};
