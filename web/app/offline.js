/**
 * Registers the site's service worker once the page is idle. A file from a disk needs none. When a
 * new version takes over, requests to the old one may never be answered: a page that is still
 * opening reloads.
 * @param {() => boolean} [isOpen]
 */
export function goOffline(isOpen = () => true) {
  const isSite = /^https?:$/.test(location.protocol) && window.parent === window;
  if (!isSite || !navigator.serviceWorker) return;
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (!isOpen()) location.reload();
  });
  const register = () => {
    // The development server has none, and a browser may forbid it: the page works without.
    navigator.serviceWorker
      .register('./service-worker.js', { updateViaCache: 'none' })
      .catch(() => {});
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
