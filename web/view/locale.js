/**
 * uPlot formats numbers in the browser's language, and throws on import if it is invalid: an
 * environment may set `C`, which WebKitGTK then reports. This module, imported before uPlot, sets
 * English for such browsers.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
