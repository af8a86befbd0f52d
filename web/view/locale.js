/**
 * uPlot formats numbers in the browser's language, and throws while it loads where that is none: an
 * environment may say `C`, and WebKitGTK then says so, too. Such a browser is given English, before
 * uPlot asks; imported before it.
 */
try {
  Intl.getCanonicalLocales(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en', configurable: true });
}
