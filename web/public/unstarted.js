/**
 * Shows a notice if the page cannot start. Uses no modules, and needs no policy, since these may be
 * what fails: in a frame whose sandbox lacks allow-same-origin, or from a disk.
 */
(() => {
  let isToldOf = false;
  const tell = () => {
    isToldOf = true;
    const notice = document.getElementById('unstarted');
    if (notice) notice.hidden = false;
  };
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && tell(), true);
  // The script may fail before the notice is in the document.
  document.addEventListener('DOMContentLoaded', () => isToldOf && tell());
  if (!('noModule' in HTMLScriptElement.prototype)) tell();
})();
