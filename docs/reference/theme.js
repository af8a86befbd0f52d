// Light or dark before anything is drawn, the button that changes it, and what the keyboard needs.
const root = document.documentElement;
const saved = (() => {
  try {
    return localStorage.getItem('tsd-theme');
  } catch {
    return null;
  }
})();
root.dataset.theme = saved ?? 'os';
// A scene of the demo is as high as its content.
addEventListener('message', ({ data, source }) => {
  if (data?.type !== 'gradlock-height') return;
  for (const frame of document.querySelectorAll('iframe')) {
    if (frame.contentWindow === source) frame.style.height = `${data.height}px`;
  }
});
addEventListener('DOMContentLoaded', () => {
  document.getElementById('theme')?.addEventListener('click', () => {
    const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    const { theme } = root.dataset;
    const isDark = (theme === 'os' ? system : theme) === 'dark';
    root.dataset.theme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('tsd-theme', root.dataset.theme);
    } catch {} // a page that may not remember forgets
  });

  // What is cut off can be reached by the keyboard too.
  const watcher = new ResizeObserver((entries) => {
    for (const { target } of entries) {
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
    }
  });
  for (const box of document.querySelectorAll('pre, table')) watcher.observe(box);
});
