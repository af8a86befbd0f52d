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
 * @param {string} [size] The folder of what is sent to browsers.
 * @param {import('./types.js').Expected} [external]
 * @returns {Cell}
 */
const cell = (name, path, start, size, external = WORKS) => ({
  name,
  inlined: WORKS,
  external,
  async run(place) {
    const port = await freePort();
    await start(place, port);
    if (size) place.measure(size);
    return place.page(`http://127.0.0.1:${port}${path}`);
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
const svelteKit = async (place, port) => {
  await place.once('build', async () => {
    place.template('sveltekit', { folder: 'src/routes' });
    await place.run('vite', ['build']);
  });
  await place.start('node', ['build/index.js'], { env: address(port), says: /Listening.*/ });
};

/** @type {Start} */
const svelteKitDev = async (place, port) => {
  await place.once('dev', async () => place.template('sveltekit', { folder: 'src/routes' }));
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

/** @type {Consumers} */
export const frameworks = [
  {
    name: 'Next 16',
    versions: 'next',
    cells: ['turbopack', 'webpack'].flatMap((bundler) => [
      cell(`${bundler}, client component`, '/client', next(bundler), '.next/static'),
      // Next gives a file the address that browsers have of it, which a server cannot read.
      cell(`${bundler}, server component`, '/server', next(bundler), undefined, BESIDE),
      cell(
        `${bundler}, route handler`,
        '/route',
        next(bundler),
        undefined,
        bundler === 'webpack' ? BESIDE : WORKS,
      ),
      ...['server', 'route'].map((path) =>
        cell(
          `${bundler}, ${path}, \`serverExternalPackages\``,
          `/${path}`,
          next(bundler, 'next-external'),
        ),
      ),
    ]),
  },
  {
    name: 'SvelteKit',
    versions: 'sveltekit',
    cells: [
      cell('build, page', '/client', svelteKit, 'build/client'),
      cell('build, server load', '/server', svelteKit),
      cell('dev, page', '/client', svelteKitDev),
      cell('dev, server load', '/server', svelteKitDev),
    ],
  },
  {
    name: 'Astro',
    versions: 'astro',
    cells: [
      cell('build, script on the page', '/client', astro, 'dist/client'),
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
      cell('build, page', '/client', nuxt, '.output/public'),
      cell('build, server', '/server', nuxt),
    ],
  },
];
