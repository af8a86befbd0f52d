/* Pages without a bundler, on plain hosts, under policies, in frames and workers, from a stick. */
import { pathToFileURL } from 'node:url';
import { textOf } from '../kit/browsers.js';
import { fillIn } from '../../../src/npm/integrity.mjs';
import { BESIDE } from './runtimes.js';
import { WORKS } from './types.js';

/** @typedef {import('./types.js').Place} Place */
/** @typedef {import('./types.js').Cell} Cell */
/** @typedef {import('./types.js').Consumers} Consumers */
/** @typedef {import('./types.js').Expected} Expected */
/** @typedef {import('../kit/files.js').Host} Host */

/**
 * @param {string} name
 * @param {string} page
 * @param {object} [more]
 * @param {Host} [more.host]
 * @param {Expected} [more.inlined]
 * @param {Expected | null} [more.external]
 * @param {boolean} [more.complains]
 * @returns {Cell}
 */
const cell = (name, page, { host, inlined = WORKS, external = WORKS, complains } = {}) => ({
  name,
  inlined,
  external,
  quick: true,
  async run(place) {
    place.template('pages');
    return place.page(`${await place.serve('.', host)}${page}`, { complains });
  },
});

/** @param {string} scripts */
const policy = (scripts) => ({
  headers: { 'content-security-policy': `default-src 'self'; script-src ${scripts}` },
});
/** What `init()` says where the policy forbids WebAssembly. */
const POLICY = /'wasm-unsafe-eval'/;

const ISOLATED = {
  headers: {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  },
};
/** A frame without an origin may read only what everybody may. */
const OPEN = { headers: { 'access-control-allow-origin': '*' } };

/**
 * The page for a CDN, with the hashes of the package, and another origin in place of the CDN's.
 * @param {Place} place
 */
async function cdn(place) {
  place.template('pages');
  place.overlay('cdn');
  const url = await place.serve('.', OPEN);
  const filled = fillIn(place.read('index.html'), place.at('node_modules/gradlock'));
  const address = /https:\/\/unpkg\.com\/gradlock@[\d.]+\//g;
  place.write('page/index.html', filled.replace(address, `${url}node_modules/gradlock/`));
  place.write('page/program.classic.js', place.read('program.classic.js'));
  return place.serve('page');
}

/**
 * The lesson on a stick: a folder with two files, opened without a server, says what Node.js says.
 * @param {Place} place
 */
async function stick(place) {
  place.template('classroom');
  place.write('gradlock.js', place.read('node_modules/gradlock/umd/gradlock.js'));
  const [, script = ''] = /<script>\n([\s\S]*?)<\/script>/.exec(place.read('lesson.html')) ?? [];
  place.write(
    'lesson.cjs',
    `const out = { textContent: '' };
    const gradlock = require('gradlock');
    ${script}
    setTimeout(() => process.stdout.write(out.textContent), 1000);`,
  );
  const expected = (await place.run('node', ['lesson.cjs'])).trim();
  if (expected.match(/^\d+: /gm)?.length !== 5) return [`Node.js: ${expected}`];
  /** @type {string[]} */
  const printed = [];
  for (const browser of await place.browsers.open()) {
    const opened = await browser.open();
    await opened.page.goto(pathToFileURL(place.at('lesson.html')).href);
    const isDone = (/** @type {string} */ seen) => seen.trim() === expected;
    const text = await textOf(opened.page, isDone, () => opened.hasFailed);
    printed.push(isDone(text) ? place.bits : `${opened.name}: ${text} ${opened.complaints}`);
    place.complaints.push(...opened.complaints);
    await opened.page.close();
  }
  return printed;
}

/** @type {readonly Cell[]} */
const cells = [
  cell('module, by URL', 'module.html'),
  cell('import map', 'import-map.html'),
  cell('module worker', 'module-worker.html'),
  cell('classic worker, `import()`', 'classic-worker.html'),
  // Which script a worker imports it is not told: beside is beside the worker.
  cell('classic worker, `importScripts`', 'import-scripts.html', { external: BESIDE }),
  cell('classic `<script src>`', 'classic.html'),
  cell('cross-origin isolated (COEP)', 'module.html', { host: ISOLATED }),
  cell('wasm without its MIME type', 'module.html', {
    host: { types: { '.wasm': 'application/octet-stream' } },
  }),
  cell("CSP with 'wasm-unsafe-eval'", 'module.html', { host: policy("'self' 'wasm-unsafe-eval'") }),
  cell("CSP without 'wasm-unsafe-eval'", 'module.html', {
    host: policy("'self'"),
    inlined: POLICY,
    external: POLICY,
    complains: true,
  }),
  cell('sandboxed iframe, classic scripts', 'sandbox-classic.html', { external: null }),
  cell('sandboxed iframe, classic scripts, CORS', 'sandbox-classic.html', { host: OPEN }),
  cell('sandboxed iframe, modules, CORS', 'sandbox-module.html', { host: OPEN }),
  {
    name: 'file://, classic `<script src>`',
    inlined: WORKS,
    external: null,
    quick: true,
    async run(place) {
      place.template('pages');
      return place.page(pathToFileURL(place.at('classic.html')).href);
    },
  },
  {
    name: 'file://, the lesson for a classroom',
    inlined: WORKS,
    external: null,
    quick: true,
    run: stick,
  },
  {
    name: 'CDN: other origin, `integrity`',
    inlined: WORKS,
    external: null,
    quick: true,
    async run(place) {
      return place.page(await cdn(place));
    },
  },
  {
    name: 'CDN: a byte is another, `integrity`',
    inlined: /gradlock is not defined/,
    external: null,
    quick: true,
    async run(place) {
      const url = await cdn(place);
      const paths = ['gradlock', 'layers'].map((name) => `node_modules/gradlock/umd/${name}.js`);
      const texts = paths.map((path) => place.read(path));
      try {
        for (const [i, path] of paths.entries()) {
          place.write(path, texts[i].replace('gradlock', 'Gradlock'));
        }
        return await place.page(url, { complains: true });
      } finally {
        for (const [i, path] of paths.entries()) place.write(path, texts[i]);
      }
    },
  },
  {
    name: 'unpkg, jsDelivr: the bare address',
    inlined: WORKS,
    external: null,
    quick: true,
    async run(place) {
      place.template('pages');
      const { unpkg, jsdelivr } = JSON.parse(place.read('node_modules/gradlock/package.json'));
      const printed = [];
      for (const file of [unpkg, jsdelivr]) {
        if (!file) return ['Error: package.json names no file for CDNs'];
        const src = new URL(file, 'x:/node_modules/gradlock/').pathname;
        const page = place.read('classic.html');
        place.write('bare.html', page.replace('/node_modules/gradlock/umd/gradlock.js', src));
        printed.push(...(await place.page(`${await place.serve('.')}bare.html`)));
      }
      return printed;
    },
  },
];

/** @type {Consumers} */
export const pages = [{ name: 'Page', node: 'host', shows: 'browsers', isHere: true, cells }];
