/* Where people import the package: runtimes, TypeScript, bundlers, a framework, runners of tests.
 * Each is used as its users use it; pages without a bundler are in pages.js. */
import { pages } from './pages.js';

/** @typedef {import('./kit/project.js').Project} Project */
/** @typedef {import('./kit/judge.js').Expected} Expected */

/**
 * One way in which a consumer uses the package.
 * @typedef {object} Cell
 * @property {string} name
 * @property {Expected} inlined What `gradlock` does.
 * @property {Expected | null} external What `gradlock/external` does; null where it is not tried,
 *   since the line is about the other.
 * @property {boolean} [quick] Whether it needs no registry, and so is a part of `make test`.
 * @property {(project: Project) => Promise<string[]>} run What the program printed.
 */

/**
 * Packages that are installed together, in one fresh folder, and what is done with them.
 * @typedef {object} Consumer
 * @property {string} name
 * @property {string} [versions] A key of versions.json. Without it there is the package alone.
 * @property {string} [node] The key of the Node.js that tools run in; `'host'` is this one.
 * @property {boolean} [isHere] Whether the repository has these packages itself, so that the quick
 *   part may take them from there.
 * @property {readonly Cell[]} cells
 */

const WORKS = /** @type {const} */ ('works');
/** What `gradlock/external` says where gradlock.wasm was not copied next to the bundle. */
const BESIDE = /serve gradlock\.wasm next to/;
/** The page shows its own line and its worker's. */
const BOTH = { count: 2 };
const HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/**
 * @param {string} name
 * @param {Cell['run']} run
 * @param {Partial<Cell>} [more]
 * @returns {Cell}
 */
const cell = (name, run, more) => ({ name, inlined: WORKS, external: WORKS, run, ...more });

/**
 * What a tool prints of a template.
 * @param {string} template
 * @param {string} command
 * @param {string[]} args
 */
const prints = (template, command, args) => async (/** @type {Project} */ project) => {
  project.template(template);
  return project.prints(command, args);
};

/** A port that nobody uses now. @returns {Promise<number>} */
async function freePort() {
  const { createServer } = await import('node:net');
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/* ------------------------------------------------------------------------------------- runtimes */
const inNode = [
  cell('import', prints('node', 'node', ['main.mjs']), { quick: true }),
  cell('require()', prints('node', 'node', ['main.cjs']), { quick: true }),
];

const inBun = [
  cell('run', prints('node', 'bun', ['run', 'main.mjs'])),
  cell('require()', prints('node', 'bun', ['run', 'main.cjs'])),
  cell(
    'build',
    async (project) => {
      project.template('node');
      await project.run('bun', ['build', 'main.mjs', '--target=bun', '--minify', '--outdir=out']);
      // Elsewhere, so that nothing of node_modules is found.
      return project.printsApart('out', 'bun', ['run', 'main.js']);
    },
    { external: BESIDE },
  ),
];

const DENO = ['run', '--node-modules-dir=manual', '--allow-read'];
const inDeno = [
  cell('run', prints('node', 'deno', [...DENO, 'main.mjs'])),
  cell('threads that share every job', prints('deno', 'deno', [...DENO, 'threads.ts'])),
  cell('a job in a worker', prints('deno', 'deno', [...DENO, 'job.ts'])),
];

const inWorkerd = [
  cell('dev', async (project) => {
    project.template('workerd');
    const where = ['--ip', '127.0.0.1', '--port', String(await freePort())];
    return project.page(await project.start('wrangler', ['dev', '--local', ...where]));
  }),
];

/* ----------------------------------------------------------------------------------- TypeScript */
/** Each way of resolving, strict, with all libraries checked; what it emits is run. */
const WAYS = [
  { name: 'node16', module: 'node16', type: 'module', lib: ['es2022', 'dom'] },
  { name: 'node16, CommonJS', module: 'node16', type: 'commonjs', lib: ['es2022', 'dom'] },
  { name: 'nodenext, no dom', module: 'nodenext', type: 'module', lib: ['es2022'], quick: true },
  {
    name: 'bundler',
    module: 'esnext',
    moduleResolution: 'bundler',
    type: 'module',
    lib: ['es2022'],
  },
];

const inTypeScript = WAYS.map(({ name, type, quick, ...options }) =>
  cell(
    name,
    async (project) => {
      project.template('typescript');
      project.write('app/main.ts', project.read('main.ts'));
      project.write('app/program.d.ts', project.read('program.d.ts'));
      const compilerOptions = {
        ...{ strict: true, skipLibCheck: false, target: 'es2022', types: [] },
        ...{ ...options, rootDir: 'app', outDir: 'out' },
      };
      const config = { compilerOptions, files: ['app/main.ts'] };
      project.write('tsconfig.json', JSON.stringify(config));
      // The nearest package.json says whether a file is CommonJS.
      for (const folder of ['app', 'out']) {
        project.write(`${folder}/package.json`, JSON.stringify({ type }));
      }
      await project.run('tsc', ['--project', '.']);
      project.write(
        'out/program.js',
        project.read(type === 'module' ? 'program.js' : 'program.cjs'),
      );
      project.write(
        'out/print.mjs',
        "import { line } from './main.js';\nconsole.log(await line);\n",
      );
      return project.prints('node', ['out/print.mjs']);
    },
    { quick },
  ),
);

/* ------------------------------------------------------------------------------------- bundlers */
/** @param {Project} project @param {string} template @param {object} [config] */
const setVite = (project, template, config) => {
  project.template('bundler');
  project.overlay(template);
  if (config) project.write('vite.config.js', `export default ${JSON.stringify(config)};\n`);
};
const viteBuild = ['build', '--outDir', 'dist'];
/** @param {Project} project @param {string[]} [command] */
const viteServe = async (project, command = []) => {
  const where = ['--host', '127.0.0.1', '--port', String(await freePort()), '--strictPort'];
  return project.start('vite', [...command, ...where]);
};

/** @param {string} version */
const inVite = (version) => [
  cell(
    'build, page and module worker',
    async (project) => {
      setVite(project, 'bundler');
      await project.run('vite', viteBuild);
      return project.page(await project.serve('dist'), BOTH);
    },
    { quick: true },
  ),
  cell(
    'dev, page and module worker',
    async (project) => {
      setVite(project, 'bundler');
      return project.page(await viteServe(project), BOTH);
    },
    // From Vite 8 on its own bundler brings the file along.
    { external: Number(version) < 8 ? /optimizeDeps.{1,4}exclude/ : WORKS },
  ),
  cell('dev, `optimizeDeps.exclude`', async (project) => {
    setVite(project, 'bundler', { optimizeDeps: { exclude: ['gradlock'] } });
    return project.page(await viteServe(project), BOTH);
  }),
  cell(
    'SSR build, `noExternal`',
    async (project) => {
      setVite(project, 'bundler', { ssr: { noExternal: ['gradlock'] } });
      await project.run('vite', ['build', '--ssr', 'server.js', '--outDir', 'out']);
      return project.printsApart('out', 'node', ['server.js']);
    },
    { external: BESIDE },
  ),
];

/** Of one version: a page with two threads, or one and the reason; hot reload; a job. */
const more = [
  cell(
    'threads, by `preview.headers`',
    async (project) => {
      setVite(project, 'threads', { preview: { headers: HEADERS } });
      await project.run('vite', viteBuild);
      return project.page(await viteServe(project, ['preview']));
    },
    { quick: true },
  ),
  cell(
    'threads, from a host without headers, such as GitHub Pages',
    async (project) => {
      setVite(project, 'threads');
      await project.run('vite', viteBuild);
      return project.page(await project.serve('dist'), { complains: true });
    },
    {
      inlined: /one thread: .*is not cross-origin isolated/,
      external: /one thread: .*is not cross-origin isolated/,
      quick: true,
    },
  ),
  cell('build, a job in a worker', async (project) => {
    setVite(project, 'job');
    await project.run('vite', viteBuild);
    return project.page(await project.serve('dist'), BOTH);
  }),
  cell(
    'dev, hot reload',
    async (project) => {
      setVite(project, 'hot');
      return project.page(await viteServe(project), {
        async after({ page }) {
          const printed = await project.edited('main.js', page);
          const alive = await page.evaluate(`instances.map((g) => {
            try { return g.memory() && 'alive'; } catch (error) { return error.name; }
          }).join(', ')`);
          return alive === 'DisposedError, alive' ? printed : [`instances: ${alive}`];
        },
      });
    },
    { external: null },
  ),
];

/**
 * @param {string} template
 * @param {object} [config]
 */
const webpack = (template, config) => async (/** @type {Project} */ project) => {
  project.template('bundler');
  project.overlay(template);
  const whole = { mode: 'production', entry: './main.js', ...config };
  project.write('webpack.config.js', `export default ${JSON.stringify(whole)};\n`);
  await project.run('webpack', ['build']);
  project.write('dist/index.html', '<body><script src="./main.js"></script></body>');
  return project.page(await project.serve('dist'), BOTH);
};

/** gradlock with gradlock/layers has less. */
const LARGER = { performance: { maxAssetSize: 400_000, maxEntrypointSize: 400_000 } };
/** Of files of more than 244 KiB, as index.js and gradlock.wasm are. */
const SIZE = {
  warns: /^WARNING in ((asset|entrypoint) size limit|webpack perf)|ed with [13] warnings? in/,
};
const inWebpack = [
  cell('page and module worker', webpack('bundler'), { inlined: SIZE, external: SIZE }),
  cell('page and module worker, `performance`', webpack('bundler', LARGER)),
  cell('a job in a worker', webpack('job', LARGER)),
  cell('target node', async (project) => {
    project.template('bundler');
    const config = { mode: 'production', target: 'node', entry: './server.js' };
    project.write('webpack.config.js', `export default ${JSON.stringify(config)};\n`);
    await project.run('webpack', ['build']);
    return project.printsApart('dist', 'node', ['main.js'], 'commonjs');
  }),
];

/* ----------------------------------------------------------------------------------- frameworks */
/**
 * A page of Next, in the browser or from the server.
 * @param {string} path
 * @param {{ config?: object, overlay?: string, command?: 'start' | 'dev', count?: number }} [how]
 */
const next = (path, { config, overlay, command = 'start', count } = {}) => {
  return async (/** @type {Project} */ project) => {
    await project.once(JSON.stringify([config, overlay, command]), async () => {
      project.template('next', { folder: 'app' });
      if (config) project.write('next.config.js', `export default ${JSON.stringify(config)};\n`);
      if (overlay) project.overlay(overlay);
      if (command === 'start')
        await project.run('next', ['build'], { noise: /No build cache found/ });
    });
    const port = String(await freePort());
    await project.start('next', [command, '-H', '127.0.0.1', '-p', port]);
    return project.page(`http://127.0.0.1:${port}${path}`, { count });
  };
};

const apart = { config: { serverExternalPackages: ['gradlock'] } };
const inNext = [
  cell('client component and module worker', next('/client', BOTH)),
  // Next gives a file the address that browsers have of it, which a server cannot read.
  cell('server component', next('/server'), { external: BESIDE }),
  cell('server component, `serverExternalPackages`', next('/server', apart)),
  cell('threads, by `headers`', next('/client', { overlay: 'next-threads' })),
  cell('dev, client component and module worker', next('/client', { command: 'dev', ...BOTH })),
];

/* ------------------------------------------------------------------------------ runners of tests */
const inJest = ['node', 'jsdom'].flatMap((environment) => [
  cell(`${environment}, CommonJS`, async (project) => {
    project.template('jest', { type: 'commonjs' });
    return project.prints('jest', [`--env=${environment}`]);
  }),
  cell(`${environment}, modules`, async (project) => {
    project.template('jest');
    const text = project.read('gradlock.test.js').replace('.cjs', '.js');
    project.write(
      'gradlock.test.js',
      text.replace(/const (.*) = require\((.*)\)/g, 'import $1 from $2'),
    );
    // Jest's own way to modules, which Node.js calls an experiment.
    const env = { NODE_OPTIONS: '--experimental-vm-modules' };
    const noise = /ExperimentalWarning|trace-warnings/;
    return project.prints('jest', [`--env=${environment}`], { env, noise });
  }),
]);

const inVitest = ['node', 'jsdom'].map((environment) =>
  cell(environment, prints('vitest', 'vitest', ['run', `--environment=${environment}`])),
);

const nodes = ['18', '20', '22', '24', '26'];

/** In the order of the report. @type {readonly Consumer[]} */
export const consumers = [
  { name: 'Node.js that runs the tests', node: 'host', isHere: true, cells: inNode },
  ...nodes.map((n) => ({ name: `Node.js ${n}`, node: `node${n}`, cells: inNode })),
  ...['5.0', '5.9', '7'].map((version) => ({
    name: `TypeScript ${version}`,
    versions: `typescript${version}`,
    isHere: version === '7',
    cells: inTypeScript,
  })),
  { name: 'Bun', versions: 'bun', cells: inBun },
  { name: 'Deno', versions: 'deno', cells: inDeno },
  { name: 'Cloudflare workerd, wrangler', versions: 'wrangler', cells: inWorkerd },
  { name: 'Vite 5', versions: 'vite5', cells: inVite('5') },
  { name: 'Vite 8', versions: 'vite8', isHere: true, cells: [...inVite('8'), ...more] },
  { name: 'webpack 5', versions: 'webpack', cells: inWebpack },
  { name: 'Next 16', versions: 'next', cells: inNext },
  { name: 'Jest 30', versions: 'jest30', cells: inJest },
  { name: 'Vitest', versions: 'vitest', cells: inVitest },
  { name: 'Page', node: 'host', isHere: true, cells: pages },
];
