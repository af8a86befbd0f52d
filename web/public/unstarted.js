/**
 * Says so if the page cannot start. Runs without modules and without a policy, since these may be what fails: in a frame
 * whose sandbox lacks allow-same-origin, or from a disk.
 */
(() => {
  let isToldOf = false;
  const tell = () => {
    isToldOf = true;
    const notice = document.getElementById('unstarted');
    if (notice) notice.hidden = false;
  };
  addEventListener('error', ({ target }) => target instanceof HTMLScriptElement && tell(), true);
  // The script may have failed before the notice was there.
  document.addEventListener('DOMContentLoaded', () => isToldOf && tell());
  if (!('noModule' in HTMLScriptElement.prototype)) tell();
})();
