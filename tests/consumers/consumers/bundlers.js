/* Bundlers: a page with a module worker, and a program for a server, built as users build them. The
 * built pages are opened from a folder that has nothing else. */
import { copyFileSync } from 'node:fs';
import { BESIDE, freePort } from './runtimes.js';
import { WORKS } from './types.js';

/** @typedef {import('./types.js').Place} Place */
/** @typedef {import('./types.js').Cell} Cell */
/** @typedef {import('./types.js').Consumers} Consumers */
/** @typedef {import('./types.js').Expected} Expected */

/** The reason that a page says. */
const ONE_THREAD = /one thread: .*is not cross-origin isolated/;

/** The page shows its own line and its worker's. */
const BOTH = { count: 2 };

/** @param {Place} place @param {string} folder */
async function built(place, folder) {
  place.measure(folder);
  return place.page(await place.serve(folder), BOTH);
}

/** @param {string} version @returns {readonly Cell[]} */
const vite = (version) => [
  {
    name: 'build, page and module worker',
    inlined: WORKS,
    external: WORKS,
    quick: true,
    async run(place) {
      place.template('vite');
      await place.run('vite', ['build', '--outDir', 'dist']);
      return built(place, 'dist');
    },
  },
  {
    name: 'dev, page and module worker',
    inlined: WORKS,
    // From Vite 8 on its own bundler brings the file along.
    external: Number(version) < 8 ? /optimizeDeps.{1,4}exclude/ : WORKS,
    async run(place) {
      place.template('vite');
      return place.page(await viteDev(place), BOTH);
    },
  },
  {
    name: 'dev, with `optimizeDeps.exclude`',
    inlined: WORKS,
    external: WORKS,
    async run(place) {
      place.template('vite');
      place.overlay('vite-exclude');
      return place.page(await viteDev(place), BOTH);
    },
  },
  {
    name: 'SSR build',
    inlined: WORKS,
    external: WORKS,
    async run(place) {
      place.template('vite');
      await place.run('vite', ['build', '--ssr', 'server.js', '--outDir', 'out']);
      return place.prints('node', ['out/server.js']);
    },
  },
  {
    name: 'SSR build, `noExternal`',
    inlined: WORKS,
    external: BESIDE,
    async run(place) {
      place.template('vite');
      place.write('vite.config.js', "export default { ssr: { noExternal: ['gradlock'] } };\n");
      await place.run('vite', ['build', '--ssr', 'server.js', '--outDir', 'out']);
      return place.printsApart('out', 'node', ['server.js']);
    },
  },
];

/** @param {Place} place @returns {Promise<string>} */
const viteDev = async (place) =>
  place.start('vite', ['--host', '127.0.0.1', '--port', String(await freePort()), '--strictPort']);

/** Pages with the headers of cross-origin isolation have two threads; without them, one, with the reason. @type {readonly Cell[]} */
const viteThreads = [
  {
    name: 'dev, threads, by `server.headers`',
    inlined: WORKS,
    external: null,
    async run(place) {
      place.template('threads');
      place.overlay('vite-threads');
      return place.page(await viteDev(place));
    },
  },
  {
    name: 'preview, threads, by `preview.headers`',
    inlined: WORKS,
    external: WORKS,
    quick: true,
    async run(place) {
      place.template('threads');
      place.overlay('vite-threads');
      await place.run('vite', ['build', '--outDir', 'dist']);
      const where = ['--host', '127.0.0.1', '--port', String(await freePort()), '--strictPort'];
      return place.page(await place.start('vite', ['preview', ...where]));
    },
  },
  {
    name: 'build, threads, from a host without headers, such as GitHub Pages',
    inlined: ONE_THREAD,
    external: ONE_THREAD,
    quick: true,
    async run(place) {
      place.template('threads');
      await place.run('vite', ['build', '--outDir', 'dist']);
      return place.page(await place.serve('dist'), { complains: true });
    },
  },
];

/** A module whose text changes while its page is open. @type {Cell} */
const hotReload = {
  name: 'dev, hot reload',
  inlined: WORKS,
  external: null,
  async run(place) {
    place.template('hot');
    const url = await viteDev(place);
    return place.page(url, {
      async after({ page }) {
        const said = await place.edited('main.js', page);
        const alive = await page.evaluate(`instances.map((g) => {
          try { return g.memory() && 'alive'; } catch (error) { return error.name; }
        }).join(', ')`);
        return alive === 'DisposedError, alive' ? said : [`instances: ${alive}`];
      },
    });
  },
};

/** What webpack and Rspack say of files of more than 244 and 300 KiB. */
const SIZE = {
  warns:
    /^WARNING in (⚠ )?((asset|entrypoint) size limit|webpack performance rec)|ed with [13] warnings? in/,
};

/** @param {Place} place @param {string} command @param {string} config */
async function packed(place, command, config) {
  await place.run(command, ['build', '--config', config]);
  place.rename('dist.html', 'dist/index.html');
  return built(place, 'dist');
}

/** @param {string} command @param {string} config @returns {readonly Cell[]} */
const packs = (command, config) => [
  {
    name: 'web, page and module worker',
    inlined: SIZE,
    external: WORKS,
    async run(place) {
      place.template(command);
      return packed(place, command, config);
    },
  },
  {
    name: 'web, page and module worker, with `performance`',
    inlined: WORKS,
    external: null,
    async run(place) {
      place.template(command);
      place.overlay('performance');
      return packed(place, command, 'performance.config.js');
    },
  },
  {
    name: 'target node',
    inlined: WORKS,
    external: WORKS,
    async run(place) {
      place.template(command);
      await place.run(command, ['build', '--config', config.replace('config', 'server')]);
      place.measure('dist');
      return place.printsApart('dist', 'node', ['main.js'], 'commonjs');
    },
  },
];

/**
 * A job of gradlock/worker, in what the bundler makes of its two files.
 * @param {(place: Place) => Promise<unknown>} build Into dist.
 * @param {string} template What else is needed.
 * @returns {Cell}
 */
const jobIn = (build, template) => ({
  name: 'build, a job in a worker',
  inlined: WORKS,
  external: WORKS,
  async run(place) {
    place.template(template);
    place.overlay('job');
    await build(place);
    return built(place, 'dist');
  },
});

const viteJob = jobIn((place) => place.run('vite', ['build', '--outDir', 'dist']), 'vite');

const webpackJob = jobIn(async (place) => {
  place.overlay('performance');
  await place.run('webpack', ['build', '--config', 'performance.config.js']);
  place.rename('dist.html', 'dist/index.html');
}, 'webpack');

/** @type {Cell} */
const webpackThreads = {
  name: 'serve, threads, by `devServer.headers`',
  inlined: WORKS,
  external: WORKS,
  async run(place) {
    place.template('threads');
    place.overlay('webpack-threads');
    const where = ['--host', '127.0.0.1', '--port', String(await freePort())];
    return place.page(await place.start('webpack', ['serve', ...where]));
  },
};

/**
 * Bundlers that leave `new URL(…, import.meta.url)` as it is: gradlock.wasm has to lie beside.
 * @param {(place: Place) => Promise<unknown>} build Into dist.
 * @param {boolean} [quick]
 * @returns {readonly Cell[]}
 */
const plain = (build, quick) => [
  {
    name: 'page and module worker',
    inlined: WORKS,
    external: BESIDE,
    quick,
    async run(place) {
      await build(place);
      return built(place, 'dist');
    },
  },
  {
    name: 'gradlock.wasm copied beside the bundle',
    inlined: WORKS,
    external: WORKS,
    quick,
    async run(place) {
      await build(place);
      const wasm = 'node_modules/gradlock/gradlock.wasm';
      copyFileSync(place.at(wasm), place.at('dist/gradlock.wasm'));
      return built(place, 'dist');
    },
  },
];

const esbuild = plain(async (place) => {
  place.template('esbuild');
  const options = ['--bundle', '--format=esm', '--minify', '--external:node:*', '--outdir=dist'];
  await place.run('esbuild', ['main.js', 'worker.js', ...options]);
  place.rename('dist.html', 'dist/index.html');
}, true);

const rollup = plain(async (place) => {
  place.template('rollup');
  await place.run('rollup', ['--config']);
  place.rename('dist.html', 'dist/index.html');
});

/** @type {Consumers} */
export const bundlers = [
  ...['5', '6', '7', '8'].map((version) => ({
    name: `Vite ${version}`,
    versions: `vite${version}`,
    isHere: version === '8',
    cells: version === '8' ? [...vite(version), hotReload, ...viteThreads, viteJob] : vite(version),
  })),
  {
    name: 'webpack 5',
    versions: 'webpack',
    cells: [...packs('webpack', 'webpack.config.js'), webpackThreads, webpackJob],
  },
  { name: 'Rspack', versions: 'rspack', cells: packs('rspack', 'rspack.config.js') },
  { name: 'Rollup', versions: 'rollup', cells: rollup },
  { name: 'esbuild', versions: 'esbuild', isHere: true, cells: esbuild },
  {
    name: 'Parcel 2',
    versions: 'parcel',
    cells: [
      {
        name: 'page and module worker',
        inlined: WORKS,
        external: WORKS,
        async run(place) {
          place.template('parcel');
          await place.run('parcel', ['build', 'index.html', '--dist-dir', 'dist', '--no-cache']);
          return built(place, 'dist');
        },
      },
    ],
  },
];
