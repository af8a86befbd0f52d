/** Registers the site's service worker once the page is idle. A file from a disk needs none. */

export function goOffline() {
  const isSite = /^https?:$/.test(location.protocol) && window.parent === window;
  if (!isSite || !navigator.serviceWorker) return;
  const register = () => {
    // The development server has none, and a browser may forbid it: the page works without.
    navigator.serviceWorker
      .register('./service-worker.js', { updateViaCache: 'none' })
      .catch(() => {});
  };
  if (document.readyState === 'complete') register();
  else addEventListener('load', register, { once: true });
}
