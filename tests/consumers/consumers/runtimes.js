/* Bun, Deno, Cloudflare's workerd. */
import { WORKS } from './types.js';

/** @typedef {import('./types.js').Consumers} Consumers */

/** What Bun and esbuild say of `gradlock/external` where gradlock.wasm was not copied. */
export const BESIDE = /serve gradlock\.wasm next to/;

/** @type {Consumers} */
export const runtimes = [
  {
    name: 'Bun',
    versions: 'bun',
    cells: [
      {
        name: 'run',
        inlined: WORKS,
        external: WORKS,
        async run(place) {
          place.template('bun');
          return place.prints('bun', ['run', 'main.ts']);
        },
      },
      {
        name: 'require()',
        inlined: WORKS,
        external: WORKS,
        async run(place) {
          place.template('bun');
          return place.prints('bun', ['run', 'main.cjs']);
        },
      },
      {
        name: 'test',
        inlined: WORKS,
        external: WORKS,
        async run(place) {
          place.template('bun');
          return place.prints('bun', ['test']);
        },
      },
      {
        name: 'build',
        inlined: WORKS,
        external: BESIDE,
        async run(place) {
          place.template('bun');
          await place.run('bun', ['build', 'main.ts', '--target=bun', '--minify', '--outdir=out']);
          place.measure('out');
          // Elsewhere, so that nothing of node_modules is found.
          return place.printsApart('out', 'bun', ['run', 'main.js']);
        },
      },
    ],
  },
  {
    name: 'Deno',
    versions: 'deno',
    cells: [
      {
        name: 'run',
        inlined: WORKS,
        external: WORKS,
        async run(place) {
          place.template('deno');
          const rights = ['--node-modules-dir=manual', '--allow-read'];
          return place.prints('deno', ['run', ...rights, 'main.ts']);
        },
      },
      {
        name: 'run, threads that share every job',
        inlined: WORKS,
        external: WORKS,
        async run(place) {
          place.template('deno');
          const rights = ['--node-modules-dir=manual', '--allow-read'];
          return place.prints('deno', ['run', ...rights, 'threads.ts']);
        },
      },
      {
        name: 'run, a job in a worker',
        inlined: WORKS,
        external: WORKS,
        async run(place) {
          place.template('deno');
          const rights = ['--node-modules-dir=manual', '--allow-read'];
          return place.prints('deno', ['run', ...rights, 'job.ts']);
        },
      },
      {
        name: 'check',
        inlined: WORKS,
        external: WORKS,
        async run(place) {
          place.template('deno');
          await place.run('deno', ['check', '--node-modules-dir=manual', 'main.ts']);
          return place.prints('deno', [
            'run',
            '--node-modules-dir=manual',
            '--allow-read',
            'main.ts',
          ]);
        },
      },
    ],
  },
  {
    name: 'Cloudflare workerd, wrangler',
    versions: 'wrangler',
    cells: [
      {
        name: 'dev',
        inlined: WORKS,
        external: WORKS,
        async run(place) {
          place.template('workerd');
          const where = ['--ip', '127.0.0.1', '--port', String(await freePort())];
          const url = await place.start('wrangler', ['dev', '--local', ...where]);
          return place.page(url);
        },
      },
    ],
  },
];

/** A port that nobody uses now. @returns {Promise<number>} */
export async function freePort() {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}
