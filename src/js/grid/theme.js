// Properties that an element takes from its page: dark or light, and the language.

/** @type {MediaQueryList | undefined} */
let darkness;

/** The preference of the system, which may change. */
export const prefersDark = () => {
  darkness ??= matchMedia('(prefers-color-scheme: dark)');
  return darkness;
};

/** True if an element's own colour scheme is dark. @param {Element} element */
export const isDarkAt = (element) => {
  const scheme = getComputedStyle(element).colorScheme;
  if (!scheme.includes('dark')) return false;
  return !scheme.includes('light') || prefersDark().matches;
};

/** An element's language, also across shadow roots. @param {Element} element @returns {string} */
export const languageAt = (element) => {
  const root = element.getRootNode();
  const own = element.closest('[lang]:not([lang=""])')?.getAttribute('lang');
  return own ?? (root instanceof ShadowRoot ? languageAt(root.host) : '');
};
