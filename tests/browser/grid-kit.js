/* What tests of gradlock/grid say in the page. */

/** @typedef {import('./visit.js').Page} Page */

/** Policy of the pages in which it is tested. */
export const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'";

/** @param {string} url Where the repository is served. */
export const KIT = (url) => `
  const { init } = await import('${url}build/npm/index.js');
  const { GradlockGrid, words } = await import('${url}build/npm/grid.js');
  const g = await init();
  const problems = [];
  addEventListener('error', ({ message }) => problems.push(message));
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    // The page's icon is asked for by the browser, when it likes.
    if (!blockedURI.endsWith('/favicon.ico')) problems.push(violatedDirective + ' ' + blockedURI);
  });
  /** A grid on the page, and what it told of. */
  const make = (properties, attributes = {}) => {
    const grid = document.createElement('gradlock-grid');
    grid.told = [];
    grid.addEventListener('error', (event) => {
      event.preventDefault();
      grid.told.push(event.message);
    });
    for (const [name, value] of Object.entries(attributes)) grid.setAttribute(name, value);
    document.querySelector('main').append(grid);
    return Object.assign(grid, properties);
  };
  const frames = async (count = 2) => {
    for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame);
  };
  const inside = (grid, selector) => [...grid.shadowRoot.querySelectorAll(selector)];
  const labels = (grid) => inside(grid, '[aria-pressed]').map((cell) => cell.getAttribute('aria-label'));
  const texts = (grid) => inside(grid, '.cell-value').map((cell) => cell.textContent);
  const pressed = (grid) => inside(grid, '[aria-pressed]').map((cell) => cell.ariaPressed ?? cell.getAttribute('aria-pressed')).map((is) => Number(is === 'true')).join('');
  const pixels = (grid) => {
    const { width, height } = inside(grid, '.grid-values')[0];
    return inside(grid, '.grid-values')[0].getContext('2d').getImageData(0, 0, width, height).data.join();
  };
  document.documentElement.lang = 'en';
  document.title = 'Grid';
  document.body.innerHTML = '<main><h1>Grid</h1></main>';
  Object.assign(window, { g, words, GradlockGrid, problems, make, frames, inside, labels, texts, pressed, pixels });
`;

/** The middle of a cell. @param {string} grid @param {number} index @param {number} rows @param {number} cols */
export const middleOf = (grid, index, rows, cols) => `
  const { left, top, width, height } = inside(${grid}, '.grid')[0].getBoundingClientRect();
  return [left + ((${index} % ${cols}) + 0.5) * width / ${cols},
    top + (Math.floor(${index} / ${cols}) + 0.5) * height / ${rows}];`;

/** Two rows of three, with names, and what is told of it. */
export const NAMED = `
  window.source = { rows: 2, cols: 3, values: [1, 2, 3, 4, 5, 6], locks: new Uint8Array(6) };
  window.grid = make({ source, rowNames: ['w', 'bias'], colNames: ['a', 'b', 'c'] });
  window.told = [];
  for (const type of ['lockschange', 'cellselect', 'cellleave']) {
    grid.addEventListener(type, ({ detail }) => told.push([type, detail]));
  }
  window.heads = () => inside(grid, '.row-name, .col-name');
  window.at = () => grid.shadowRoot.activeElement?.getAttribute('aria-label');
  window.locked = () => [...source.locks].join('');
  window.states = () => heads().map((head) => head.getAttribute('aria-pressed')).join(' ');`;

/** Click the middle of a cell, or, as a share of its size, elsewhere. @param {Page} page @param {(script: string) => Promise<any>} run @param {number} index @param {string} [grid] */
export async function click(page, run, index, grid = 'grid') {
  const [x, y] = await run(`
    const { left, top, width, height } = inside(${grid}, '.cell')[${index}].getBoundingClientRect();
    return [left + width / 2, top + height / 2];`);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.up();
}
