/* Pages without a bundler, on plain hosts, under policies, in frames and workers, from a stick. */
import { pathToFileURL } from 'node:url';
import { fillIn } from '../../src/npm/integrity.mjs';
import { textOf } from './kit/browsers.js';

/** @typedef {import('./kit/project.js').Project} Project */
/** @typedef {import('./consumers.js').Cell} Cell */
/** @typedef {import('./kit/files.js').Host} Host */

const WORKS = /** @type {const} */ ('works');

/**
 * A page of templates/pages, on a host.
 * @param {string} name
 * @param {string} page
 * @param {Partial<Cell> & { host?: Host, complains?: boolean }} [more]
 * @returns {Cell}
 */
const cell = (name, page, { host, complains, ...more } = {}) => ({
  name,
  inlined: WORKS,
  external: WORKS,
  quick: true,
  async run(project) {
    project.template('pages');
    return project.page(`${await project.serve('.', host)}${page}`, { complains });
  },
  ...more,
});

/** @param {string} name @param {Cell['run']} run @param {Partial<Cell>} [more] @returns {Cell} */
const inlined = (name, run, more) => cell(name, '', { external: null, run, ...more });

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
 * The page for a CDN, with the hashes of the package, and another origin instead of the CDN's.
 * @param {Project} project
 */
async function cdn(project) {
  project.template('pages');
  project.overlay('cdn');
  const url = await project.serve('.', OPEN);
  const filled = fillIn(project.read('index.html'), project.at('node_modules/gradlock'));
  const address = /https:\/\/unpkg\.com\/gradlock@[\d.]+\//g;
  project.write('page/index.html', filled.replace(address, `${url}node_modules/gradlock/`));
  project.write('page/program.classic.js', project.read('program.classic.js'));
  return project.serve('page');
}

/** The same, where one byte of the files is another. @param {Project} project */
async function otherBytes(project) {
  const url = await cdn(project);
  const paths = ['gradlock', 'layers'].map((name) => `node_modules/gradlock/umd/${name}.js`);
  const texts = paths.map((path) => project.read(path));
  try {
    for (const [i, path] of paths.entries()) {
      project.write(path, texts[i].replace('gradlock', 'Gradlock'));
    }
    return await project.page(url, { complains: true });
  } finally {
    for (const [i, path] of paths.entries()) project.write(path, texts[i]);
  }
}

/**
 * The lesson on a stick: a folder with two files, opened without a server, says what Node.js says.
 * @param {Project} project
 */
async function stick(project) {
  project.template('classroom');
  project.write('gradlock.js', project.read('node_modules/gradlock/umd/gradlock.js'));
  const [, script = ''] = /<script>\n([\s\S]*?)<\/script>/.exec(project.read('lesson.html')) ?? [];
  project.write(
    'lesson.cjs',
    `const out = { textContent: '' };
    const gradlock = require('gradlock');
    ${script}
    setTimeout(() => process.stdout.write(out.textContent), 1000);`,
  );
  const expected = (await project.run('node', ['lesson.cjs'])).trim();
  if (expected.match(/^\d+: /gm)?.length !== 5) return [`Node.js: ${expected}`];
  /** @type {string[]} */
  const printed = [];
  for (const browser of await project.browsers.open()) {
    const opened = await browser.open();
    await opened.page.goto(pathToFileURL(project.at('lesson.html')).href);
    const isDone = (/** @type {string} */ seen) => seen.trim() === expected;
    const text = await textOf(opened.page, isDone, () => opened.hasFailed);
    printed.push(isDone(text) ? project.bits : `${opened.name}: ${text} ${opened.complaints}`);
    project.complaints.push(...opened.complaints);
    await opened.page.close();
  }
  return printed;
}

/** The file that package.json names for CDNs, as a classic script. @param {Project} project */
async function bare(project) {
  project.template('pages');
  const { unpkg, jsdelivr } = JSON.parse(project.read('node_modules/gradlock/package.json'));
  const printed = [];
  for (const file of [unpkg, jsdelivr]) {
    if (!file) return ['Error: package.json names no file for CDNs'];
    const src = new URL(file, 'x:/node_modules/gradlock/').pathname;
    const page = project.read('classic.html');
    project.write('bare.html', page.replace('/node_modules/gradlock/umd/gradlock.js', src));
    printed.push(...(await project.page(`${await project.serve('.')}bare.html`)));
  }
  return printed;
}

/** @type {readonly Cell[]} */
export const pages = [
  cell('module, by URL', 'module.html'),
  cell('import map', 'import-map.html'),
  cell('module worker', 'worker.html?module-worker.js&module'),
  cell('classic worker, `import()`', 'worker.html?classic-worker.js&classic'),
  // Which script a worker imports it is not told: beside is beside the worker.
  cell('classic worker, `importScripts`', 'worker.html?import-scripts.js&classic', {
    external: /serve gradlock\.wasm next to/,
  }),
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
  cell('sandboxed iframe, classic scripts', 'sandbox.html?classic.html', { external: null }),
  cell('sandboxed iframe, classic scripts, CORS', 'sandbox.html?classic.html', { host: OPEN }),
  cell('sandboxed iframe, modules, CORS', 'sandbox.html?module.html', { host: OPEN }),
  inlined('file://, classic `<script src>`', async (project) => {
    project.template('pages');
    return project.page(pathToFileURL(project.at('classic.html')).href);
  }),
  inlined('file://, the lesson for a classroom', stick),
  inlined('CDN: other origin, `integrity`', async (project) => project.page(await cdn(project))),
  inlined('CDN: a byte is another, `integrity`', otherBytes, {
    inlined: /gradlock is not defined/,
  }),
  inlined('unpkg, jsDelivr: the bare address', bare),
];
