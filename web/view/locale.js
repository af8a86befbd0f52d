/**
 * Sets English, before uPlot is imported, in browsers with an invalid language: uPlot would throw.
 * An environment may set `C`, which WebKitGTK then reports.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
