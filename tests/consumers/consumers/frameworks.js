/* Frameworks, built and started as for production: in the browser, and on the server that renders.
 * Pages whose text comes from a server are opened in the browsers too. */
import { BESIDE, freePort } from './runtimes.js';
import { WORKS } from './types.js';

/** @typedef {import('./types.js').Place} Place */
/** @typedef {import('./types.js').Cell} Cell */
/** @typedef {import('./types.js').Consumers} Consumers */

/** The port that a server takes is in its environment. @param {string | number} PORT */
const address = (PORT) => ({ PORT: String(PORT), HOST: '127.0.0.1', HOSTNAME: '127.0.0.1' });

/** Build, and start the server. @typedef {(place: Place, port: number) => Promise<void>} Start */

/**
 * @param {string} name
 * @param {string} path Of the page.
 * @param {Start} start
 * @param {object} [more]
 * @param {string} [more.size] The folder of what is sent to browsers.
 * @param {import('./types.js').Expected} [more.external]
 * @param {number} [more.count] How many lines the page shows.
 * @returns {Cell}
 */
const cell = (name, path, start, { size, external = WORKS, count } = {}) => ({
  name,
  inlined: WORKS,
  external,
  async run(place) {
    const port = await freePort();
    await start(place, port);
    if (size) place.measure(size);
    return place.page(`http://127.0.0.1:${port}${path}`, { count });
  },
});

/** @param {string} bundler @param {string} [config] @returns {Start} */
const next = (bundler, config) => async (place, port) => {
  await place.once(`${bundler} ${config}`, async () => {
    place.template('next', { folder: 'app' });
    if (config) place.overlay(config);
    await place.run('next', ['build', `--${bundler}`], { noise: /No build cache found/ });
  });
  await place.start('next', ['start', '-H', '127.0.0.1', '-p', String(port)]);
};

/** @type {Start} */
const nextDev = async (place, port) => {
  await place.once('dev', async () => place.template('next', { folder: 'app' }));
  await place.start('next', ['dev', '-H', '127.0.0.1', '-p', String(port)]);
};

/**
 * A project as `sv create` makes it: its tools are devDependencies. `npm install gradlock` adds to
 * the dependencies, which the server loads from node_modules; all else goes into its bundle.
 * @param {Place} place
 * @param {string | undefined} config
 * @param {'dependencies' | 'devDependencies'} [kind] Where gradlock is.
 */
function svelteKitProject(place, config, kind = 'dependencies') {
  place.template('sveltekit', { folder: 'src/routes' });
  if (config) place.overlay(config);
  const { dependencies, devDependencies, ...others } = JSON.parse(place.read('package.json'));
  const { gradlock, ...tools } = { ...dependencies, ...devDependencies };
  const project = { ...others, dependencies: {}, devDependencies: tools };
  project[kind].gradlock = gradlock;
  place.write('package.json', JSON.stringify(project));
}

/** @param {string} [config] @param {'dependencies' | 'devDependencies'} [kind] @returns {Start} */
const svelteKit = (config, kind) => async (place, port) => {
  await place.once(`build ${kind}`, async () => {
    svelteKitProject(place, config, kind);
    await place.run('vite', ['build']);
  });
  await place.start('node', ['build/index.js'], { env: address(port), says: /Listening.*/ });
};

/** @param {string} [config] @returns {Start} */
const svelteKitDev = (config) => async (place, port) => {
  await place.once('dev', async () => svelteKitProject(place, config));
  const where = ['--host', '127.0.0.1', '--port', String(port), '--strictPort'];
  await place.start('vite', ['dev', ...where]);
};

/** @type {Start} */
const astro = async (place, port) => {
  await place.once('build', async () => {
    place.template('astro', { folder: 'src' });
    await place.run('astro', ['build']);
  });
  const env = address(port);
  await place.start('node', ['dist/server/entry.mjs'], { env, says: /listening.*/i });
};

/** @type {Start} */
const astroDev = async (place, port) => {
  await place.once('dev', async () => place.template('astro', { folder: 'src' }));
  await place.start('astro', ['dev', '--host', '127.0.0.1', '--port', String(port)]);
};

/** @type {Start} */
const nuxt = async (place, port) => {
  await place.once('build', async () => {
    place.template('nuxt', { folder: 'app' });
    await place.run('nuxt', ['build'], { noise: /PLUGIN_TIMINGS/ });
  });
  const env = address(port);
  await place.start('node', ['.output/server/index.mjs'], { env, says: /Listening.*/ });
};

/** The page shows its own line and its worker's. */
const BOTH = { count: 2 };

/** @type {Consumers} */
export const frameworks = [
  {
    name: 'Next 16',
    versions: 'next',
    cells: [
      ...['turbopack', 'webpack'].flatMap((bundler) => [
        cell(`${bundler}, client component and module worker`, '/client', next(bundler), {
          size: '.next/static',
          ...BOTH,
        }),
        // Next gives a file the address that browsers have of it, which a server cannot read.
        cell(`${bundler}, server component`, '/server', next(bundler), { external: BESIDE }),
        cell(`${bundler}, route handler`, '/route', next(bundler), {
          external: bundler === 'webpack' ? BESIDE : WORKS,
        }),
        ...['server', 'route'].map((path) =>
          cell(
            `${bundler}, ${path}, \`serverExternalPackages\``,
            `/${path}`,
            next(bundler, 'next-external'),
          ),
        ),
      ]),
      cell('turbopack, threads, by `headers`', '/client', next('turbopack', 'next-threads')),
      cell('dev, client component and module worker', '/client', nextDev, BOTH),
      cell('dev, server component', '/server', nextDev, { external: BESIDE }),
    ],
  },
  ...['2', '3'].map((version) => {
    const config = version === '2' ? 'sveltekit2' : undefined;
    return {
      name: `SvelteKit ${version}`,
      versions: `sveltekit${version}`,
      cells: [
        cell('build, page and module worker', '/client', svelteKit(config), {
          size: 'build/client',
          ...BOTH,
        }),
        cell('build, server load', '/server', svelteKit(config)),
        // The bundle of a server has no files beside it.
        cell(
          'build, server load, gradlock in `devDependencies`',
          '/server',
          svelteKit(config, 'devDependencies'),
          { external: BESIDE },
        ),
        cell('dev, page and module worker', '/client', svelteKitDev(config), BOTH),
        cell('dev, server load', '/server', svelteKitDev(config)),
      ],
    };
  }),
  {
    name: 'Astro',
    versions: 'astro',
    cells: [
      cell('build, script on the page', '/client', astro, { size: 'dist/client' }),
      cell('build, frontmatter at the build', '/built', astro),
      cell('build, frontmatter at requests', '/server', astro),
      cell('dev, script on the page', '/client', astroDev),
      cell('dev, frontmatter', '/server', astroDev),
    ],
  },
  {
    name: 'Nuxt',
    versions: 'nuxt',
    cells: [
      cell('build, page', '/client', nuxt, { size: '.output/public' }),
      cell('build, server', '/server', nuxt),
    ],
  },
];
