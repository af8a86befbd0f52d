/* `make bench-browser`: the rows of `make bench` in Chromium, in an isolated page, where the peers have their threads:
 * beside gradlock on one thread, then beside gradlock on two. The same files are bundled for a page; what is of Node.js in
 * them, the peers' loading and the limits, is replaced by page/. Rows can be named. Written to build/bench/browser.json. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { launchChromium } from '../browser/chromium.js';
import { ISOLATED, serveFolder } from '../browser/site.js';
import { until } from '../browser/until.js';
import { formatTable } from './harness.mjs';
import { BUILD } from './peers.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../..');
const folder = join(BUILD, 'page');
const require = createRequire(import.meta.url);

/** The peers make code at run time. */
const PEERS_POLICY = "default-src 'self' blob: data:; script-src 'self' 'unsafe-eval' blob:";

/** What rows get as the library. */
const ON_THREADS = join(here, 'page/gradlock.js');
const THREADS = [1, 2];

/** What of Node.js the rows name, without effect. */
const NOTHING = `
  export const mkdirSync = () => {};
  export const writeFileSync = () => {};
  export const join = (...parts) => parts.join('/');
`;

/** @type {import('esbuild').Plugin} */
const forPage = {
  name: 'for-page',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\.?\/(limits|peers)\.mjs$/ }, ({ path }) => ({
      path: join(here, 'page', path.replace(/.*\/(.*)\.mjs$/, '$1.js')),
    }));
    onResolve({ filter: /^\.\/tensorflow-cpu\.js$/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^gradlock$/ }, ({ importer }) => ({
      path: importer === ON_THREADS ? join(root, 'build/npm/index.js') : ON_THREADS,
    }));
    // The library asks for it in Node.js only.
    onResolve({ filter: /^node:zlib$/ }, ({ path }) => ({ path, external: true }));
    onResolve({ filter: /^node:/ }, ({ path }) => ({ path, namespace: 'nothing' }));
    onLoad({ filter: /.*/, namespace: 'nothing' }, () => ({ contents: NOTHING }));
  },
};

mkdirSync(folder, { recursive: true });
await build({
  entryPoints: [join(here, 'page/run.js')],
  outfile: join(folder, 'run.js'),
  bundle: true,
  format: 'esm',
  platform: 'browser',
  plugins: [forPage],
  logLevel: 'error',
});
// It keeps its engine in the page's window, which the other copy of it uses.
await build({
  entryPoints: [join(here, 'page/tensorflow-cpu.js')],
  outfile: join(folder, 'tensorflow-cpu.js'),
  bundle: true,
  format: 'esm',
  platform: 'browser',
  banner: { js: 'const window = { document, location };' },
  logLevel: 'error',
});
const simd = 'tfjs-backend-wasm-threaded-simd.wasm';
copyFileSync(
  join(dirname(require.resolve('@tensorflow/tfjs-backend-wasm')), simd),
  join(folder, simd),
);
copyFileSync(join(BUILD, 'limits.wasm'), join(folder, 'limits.wasm'));
writeFileSync(
  join(folder, 'index.html'),
  '<!doctype html><title>bench</title><script type="module" src="run.js"></script>\n',
);

const site = await serveFolder(pathToFileURL(`${folder}/`), PEERS_POLICY, '', ISOLATED);
const browser = await launchChromium();
try {
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.error(`${error}`.slice(0, 500)));
  await page.goto(site.url);
  await until(page, 'globalThis.gradlockRows');
  const names = /** @type {string[]} */ (await page.evaluate('gradlockRows'));
  const named = process.argv.slice(2);
  const unknown = named.filter((name) => !names.includes(name));
  if (unknown.length) throw new Error(`No such row: ${unknown}. There are: ${names.join(', ')}`);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const head = {
    date: new Date().toISOString(),
    machine: `${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores, ${process.arch}`,
    loadAverage: os.loadavg()[0],
    browser: `Chromium ${browser.version()}`,
    gradlock: version,
  };
  const peers = /** @type {Record<string, number>} */ (await page.evaluate('gradlockPeers()'));
  console.log(`gradlock ${head.gradlock}, ${head.date}\n${head.machine}\n${head.browser}`);
  for (const [peer, count] of Object.entries(peers)) console.log(`threads of ${peer}: ${count}`);
  /** By row and gradlock's threads. @type {Record<string, Record<number, import('./harness.mjs').Result[]>>} */
  const rows = {};
  for (const name of names.filter((row) => !named.length || named.includes(row))) {
    rows[name] = {};
    for (const threads of name === 'threads' ? [2] : THREADS) {
      const { about, results } = await page.evaluate(
        ([row, count]) => /** @type {any} */ (globalThis).gradlockBench(row, count),
        /** @type {const} */ ([name, threads]),
      );
      rows[name][threads] = results;
      console.log(`\n${about}, gradlock's threads: ${threads}\n${formatTable(results)}`);
    }
  }
  writeFileSync(
    join(BUILD, 'browser.json'),
    `${JSON.stringify({ ...head, peers, rows }, null, 1)}\n`,
  );
  console.log('\nWritten to build/bench/browser.json');
} finally {
  await browser.close();
  await site.close();
}
