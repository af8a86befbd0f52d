/* Assembles the npm package in build/npm from src/js and build/wasm/gradlock.wasm:
 *
 *   index.js        the library in one file, gradlock.wasm inlined: sorted, deflated and in base64
 *   external.js     the same library, which fetches gradlock.wasm beside it
 *   layers.js       models on an instance of either
 *   pressure.js     what layers.js loads for `pressure` of a model
 *   formats.js      models and weights from files and into files
 *   tfjs.js         optimizers and locks for TensorFlow.js, on an instance of either
 *   gradlock.wasm   the library's C, built by Emscripten
 *   types/          declarations, from the JSDoc
 *
 * It runs at build time only and is the one file of src/js that may use other packages. */
import { execFileSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import zopfli from '@gfx/zopfli';
import { build } from 'esbuild';
import { minify } from 'terser';
import { shared } from './base/shared.js';
import { bundleDeclarations } from './package/declarations.mjs';
import { split } from './wasm/inline/split.mjs';
import { unpack } from './wasm/unpack.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const source = join(root, 'src/js');
const target = join(root, 'build/npm');
const wasm = join(root, 'build/wasm/gradlock.wasm');
const joiner = join(root, 'build/wasm/join.wasm');

// zopfli's loader answers any later error by printing itself.
process.removeAllListeners('uncaughtException').removeAllListeners('unhandledRejection');

/**
 * Characters of a built line at most: an engine that meets an uncaught error prints the line, and
 * then the error.
 */
const MOST_COLUMNS = 500;

/**
 * What gradlock.wasm travels as. It lies behind all code, where gzip takes 400 bytes less than amid
 * it.
 */
let packed = '';

/** Supplies `wasm/wasm-inline.js`, which exists only here.
 *  @type {import('esbuild').Plugin} */
const inlineWasm = {
  name: 'inline-wasm',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\/wasm-inline\.js$/ }, () => ({ path: wasm, namespace: 'inline' }));
    onLoad({ filter: /.*/, namespace: 'inline' }, async ({ path }) => {
      const [module, joins] = await Promise.all([readFile(path), readFile(joiner)]);
      const parts = new Uint8Array([...joins, ...split(module)]);
      // zlib's format, as DecompressionStream('deflate') reads it; zopfli makes it 6 % smaller than
      // zlib does.
      const deflated = await promisify(zopfli.zlib)(parts, {
        numiterations: 15,
        blocksplittingmax: 30,
      });
      packed = Buffer.from(/** @type {Uint8Array} */ (deflated)).toString('base64');
      if (!module.equals(await unpack(packed, joins.length))) {
        throw new Error('wasm/inline/join.c does not know all instructions of gradlock.wasm');
      }
      return {
        contents: `export const packed = () => GLK_PACKED, joinBytes = ${joins.length};`,
      };
    });
  },
};

/**
 * For entries that stand on an instance: what they use of base/ comes from it.
 * @param {readonly string[]} used Of shared.js; esbuild says which is missing.
 * @returns {import('esbuild').Plugin}
 */
const takeShared = (used) => ({
  name: 'take-shared',
  setup({ onResolve, onLoad }) {
    const names = used.join(', ');
    onResolve({ filter: /\/(bind|check|errors|taken)\.js$/ }, ({ path, resolveDir }) =>
      join(resolveDir, path, '..') === join(source, 'base')
        ? { path: 'taken', namespace: 'taken' }
        : undefined,
    );
    // A file beside it, for when it is asked for.
    onResolve({ filter: /\/pressure-measure\.js$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './pressure.js', external: true } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'taken' }, () => ({
      contents: `export let ${names};\nexport const takeShared = (shared) => { ({ ${names} } = shared); };`,
    }));
  },
});

/** What gradlock/tfjs uses. */
const usedByTfjs = [
  ...['describe', 'formatShape'],
  ...['DisposedError', 'FormatError', 'GradlockError', 'HandleError'],
  ...['OptionError', 'ShapeError'],
];

/**
 * Modules of src/js/layers, alike ones near one another: gzip looks back 32 kB, a third of
 * layers.js, which takes 0.6 kB less in this order than in that of its imports.
 */
const layersInOrder = [
  ...['names', 'serial', 'symbolic'],
  ...['activations', 'initializers', 'regularizers', 'constraints', 'fields'],
  ...['losses', 'metrics', 'optimizers', 'compile', 'batches', 'data', 'feed', 'logs'],
  ...['evaluate', 'sources', 'breath', 'watch', 'fit', 'callbacks', 'pressure'],
  ...['shapes', 'weighted', 'layer', 'order', 'write-graph', 'summary', 'plot', 'model'],
  ...['sequential', 'json', 'trainer'],
  ...['core', 'activation-layers', 'noise', 'reshaping', 'embedding', 'normalization', 'pooling'],
  ...['convolution', 'merge', 'attention', 'recurrent', 'wrappers'],
].map((name) => `layers/${name}.js`);

/**
 * Bundle one entry into one file, and say whether it holds gradlock.wasm.
 * @param {string} name
 * @param {import('esbuild').Plugin} [plugin]
 * @param {readonly string[]} [first] Modules that come first.
 * @param {string} [from] The entry's module.
 */
async function bundle(name, plugin = inlineWasm, first = [], from = name) {
  const path = join(target, name);
  const imports = first.map((module) => `import './${module}';`);
  const { metafile } = await build({
    stdin: { contents: [...imports, `export * from './${from}';`].join('\n'), resolveDir: source },
    outfile: path,
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    minify: true,
    external: ['node:*'],
    plugins: [plugin],
    metafile: true,
    logLevel: 'warning',
  });
  // On top of esbuild's names it takes 3 % off the compressed code; statements compress better than
  // sequences.
  const { code } = await minify(await readFile(path, 'utf8'), {
    ecma: 2020,
    module: true,
    compress: { passes: 2, sequences: false },
    // Lines end where statements do, which costs nothing: a line break stands for a semicolon. A
    // line may pass the limit by a token.
    format: { semicolons: false, max_line_len: MOST_COLUMNS - 100 },
  });
  const isInlined = Object.keys(metafile.inputs).some((input) => input.startsWith('inline:'));
  const lines = packed.match(new RegExp(`.{1,${MOST_COLUMNS}}`, 'g')) ?? [];
  await writeFile(
    path,
    isInlined ? `${code}\nvar GLK_PACKED = \`\n${lines.join('\n')}\`;\n` : `${code}`,
  );
  const longest = Math.max(...(await readFile(path, 'utf8')).split('\n').map((l) => l.length));
  if (longest > MOST_COLUMNS) throw new Error(`${name} has a line of ${longest} characters`);
  return isInlined;
}

/** Emit the declarations of everything that the two entries reach. */
async function emitTypes() {
  const options = {
    allowJs: true,
    checkJs: true,
    declaration: true,
    emitDeclarationOnly: true,
    strict: true,
    stripInternal: true,
    skipLibCheck: true,
    target: 'es2022',
    lib: 'es2023,dom,esnext.disposable',
    module: 'nodenext',
    types: 'node',
    ignoreConfig: true,
    rootDir: source,
    outDir: join(root, 'build/types'),
  };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  const entries = ['index.js', 'external.js', 'layers.js', 'formats.js', 'tfjs.js'].map((name) =>
    join(source, name),
  );
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, ...args, ...entries], { cwd: root, stdio: 'inherit' });
  // What is written as declarations stays what it is.
  const layers = ['configs', 'layers', 'models'].map((part) => `layers/api-${part}.d.ts`);
  for (const name of [...layers, 'tfjs/api.d.ts']) {
    copyFileSync(join(source, name), join(root, 'build/types', name));
  }
  const published = ['index', 'external', 'layers', 'formats', 'tfjs'].map(async (name) => [
    name,
    Object.keys(await import(join(target, `${name}.js`))),
  ]);
  await bundleDeclarations(
    join(root, 'build/types'),
    join(target, 'types'),
    Object.fromEntries(await Promise.all(published)),
  );
}

/** The published manifest: what users need of the repository's, and nothing else. */
async function manifest() {
  const text = await readFile(join(root, 'package.json'), 'utf8');
  const { name, version, description, license, author, engines, keywords } = JSON.parse(text);
  return {
    name,
    version,
    description,
    keywords,
    license,
    author,
    type: 'module',
    sideEffects: false,
    engines,
    exports: {
      '.': { types: './types/index.d.ts', default: './index.js' },
      './external': { types: './types/external.d.ts', default: './external.js' },
      './layers': { types: './types/layers.d.ts', default: './layers.js' },
      './formats': { types: './types/formats.d.ts', default: './formats.js' },
      './tfjs': { types: './types/tfjs.d.ts', default: './tfjs.js' },
      './gradlock.wasm': './gradlock.wasm',
    },
    peerDependencies: { '@tensorflow/tfjs-core': '>=4', h5wasm: '>=0.10' },
    peerDependenciesMeta: {
      '@tensorflow/tfjs-core': { optional: true },
      h5wasm: { optional: true },
    },
    types: './types/index.d.ts',
    files: [
      'index.js',
      'external.js',
      'layers.js',
      'pressure.js',
      'formats.js',
      'tfjs.js',
      'gradlock.wasm',
      'types',
      'docs',
      'CHANGELOG.md',
    ],
  };
}

/** Pages of the package, and where they come from. */
const pages = {
  'README.md': 'docs/npm.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
  'docs/guide.md': 'docs/guide.md',
  'docs/layers.md': 'docs/layers.md',
  'docs/formats.md': 'docs/formats.md',
  'docs/tfjs.md': 'docs/tfjs.md',
  'docs/laws.md': 'docs/laws.md',
  'docs/from-tensorflow.md': 'docs/from-tensorflow.md',
  'docs/from-tensorflow-js.md': 'docs/from-tensorflow-js.md',
  'docs/differences.md': 'docs/differences.md',
};

/**
 * Copy a page, with the words alone of links to what stays in the repository.
 * @param {string} from
 * @param {string} name
 */
async function copyPage(from, name) {
  const text = await readFile(join(root, from), 'utf8');
  const apart = text.replace(/\[([^\]]+)\]\((?!https:)([^)]*)\)/g, (link, words, path) =>
    Object.hasOwn(pages, join(name, '..', path.split('#')[0])) ? link : words,
  );
  await writeFile(join(target, name), apart);
}

await rm(target, { recursive: true, force: true });
await mkdir(target, { recursive: true });
if (!(await bundle('index.js'))) throw new Error('index.js does not import wasm-inline.js');
if (await bundle('external.js')) throw new Error('external.js must not reach wasm-inline.js');
await bundle('layers.js', takeShared(Object.keys(shared)), layersInOrder);
await bundle('pressure.js', takeShared(Object.keys(shared)), [], 'layers/pressure-measure.js');
if (await bundle('formats.js')) throw new Error('formats.js must not reach wasm-inline.js');
await bundle('tfjs.js', takeShared(usedByTfjs));
await copyFile(wasm, join(target, 'gradlock.wasm'));
await rm(join(root, 'build/types'), { recursive: true, force: true });
await emitTypes();
await mkdir(join(target, 'docs'));
for (const [name, from] of Object.entries(pages)) await copyPage(from, name);
await copyFile(join(root, 'docs/demo.png'), join(target, 'docs/demo.png'));
// Last, because make takes it as the sign that the package is complete.
await writeFile(join(target, 'package.json'), `${JSON.stringify(await manifest(), null, 2)}\n`);
