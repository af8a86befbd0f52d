/* Tier: test. */
/* The package as its users get it: packed, installed into an empty project without a network, run,
 * and type-checked. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  access,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { STEADY } from './steady.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));

/** What the package has of JavaScript. */
const names = [
  ...['index', 'external', 'double', 'layers', 'formats', 'tfjs', 'fit', 'grid'],
  ...['keep', 'worker'],
];
const modules = names.map((name) => `${name}.js`);
const scripts = ['gradlock.js', ...modules.slice(1)];
const built = [...modules, 'cli.js', 'workerd.js', ...scripts.map((name) => `umd/${name}`)];

/** @type {string} */
let project;

/** @param {string} name @param {string} text */
const write = (name, text) => writeFile(join(project, name), text);

/** @param {string[]} parameters */
const node = (...parameters) => run(process.execPath, [...STEADY, ...parameters], { cwd: project });

/** What it finds wrong is the error. @param {string[]} parameters */
const tsc = (...parameters) =>
  node(
    join(root, 'node_modules/typescript/bin/tsc'),
    ...['--noEmit', '--target', 'es2022', '--types', '', '--ignoreConfig'],
    ...parameters,
  ).catch((error) => assert.fail(error.stdout || error.message));

/** `using` needs the second. */
const LIB = ['--lib', 'es2022,dom'];
const NEW_LIB = ['--lib', 'es2022,dom,esnext.disposable'];
const MODULES = {
  'Node.js': ['--module', 'nodenext'],
  bundlers: ['--module', 'preserve', '--moduleResolution', 'bundler'],
};

/**
 * Checks programs of tests/types in the project.
 * @param {string[]} programs
 * @param {string[]} options
 */
async function compile(programs, ...options) {
  const files = programs.map((name) => `${name}.ts`);
  for (const file of files) await copyFile(join(root, 'tests/types', file), join(project, file));
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  await tsc(...strict, ...options, ...files);
}

before(async () => {
  project = await mkdtemp(join(tmpdir(), 'gradlock-consumer-'));
  const npm = (/** @type {string[]} */ ...parameters) =>
    run('npm', [...parameters, '--silent'], { cwd: project, shell: process.platform === 'win32' });
  await npm('pack', join(root, 'build/npm'));
  const [tarball] = (await readdir(project)).filter((name) => name.endsWith('.tgz'));
  await write('package.json', '{ "private": true, "type": "module" }');
  await npm('install', '--offline', '--no-audit', '--no-fund', `./${tarball}`);
});
after(() => rm(project, { recursive: true, force: true }));

test('the tarball holds the library, its types and its licence, and nothing else', async () => {
  const installed = join(project, 'node_modules/gradlock');
  const files = await readdir(installed, { recursive: true });
  const unexpected = files.filter(
    (name) =>
      !/^((index|external|double|layers|formats|tfjs|fit|grid|keep|worker|thread|cli)\.js(\.map)?|workerd\.js|gradlock\.wasm|package\.json|umd|umd[/\\]package\.json|umd[/\\](gradlock|external|double|layers|formats|tfjs|fit|grid|keep|worker|thread)\.js(\.map)?|(README|CHANGELOG|LICENSE)(\.md)?|(umd[/\\])?types([/\\]\w+){0,2}([/\\][\w-]+\.d\.ts)?|docs([/\\][\w-]+\.(md|png))?)$/.test(
        name,
      ),
  );
  assert.deepEqual(unexpected, []);
  for (const name of [...built, 'gradlock.wasm', 'LICENSE', 'types', 'umd/types']) {
    assert.ok(files.includes(name), name);
  }
  const { dependencies, scripts, sideEffects } = JSON.parse(
    await readFile(join(installed, 'package.json'), 'utf8'),
  );
  assert.deepEqual(
    [dependencies, scripts, sideEffects],
    [undefined, undefined, ['./grid.js', './umd/grid.js', './thread.js', './umd/thread.js']],
  );
});

for (const page of ['README.md', 'docs/npm.md']) {
  test(`the first example of ${page} runs as written from the installed package, and prints what it says`, async () => {
    const text = await readFile(join(root, page), 'utf8');
    const example = text.match(/```js\n([\s\S]*?)```/)?.[1] ?? '';
    assert.ok(example.includes("from 'gradlock'"), 'it has no example that imports gradlock');
    await write(
      'example.js',
      example.replace('console.log(x.array())', 'console.log(JSON.stringify(x.array()))'),
    );
    const { stdout, stderr } = await node('example.js');
    assert.equal(stderr, '');
    const [, expected] = example.match(/\/\/ ≈ (\[.*\]\])/) ?? [];
    const digits = (/** @type {string} */ json) =>
      JSON.stringify(
        JSON.parse(json)
          .flat()
          .map((/** @type {number} */ v) => Number(v.toPrecision(6))),
      );
    assert.equal(digits(stdout), digits(expected ?? 'null'));
  });
}

test('npx gradlock fits a file', async () => {
  await write('line.csv', 'x,y\n0,1\n1,3\n2,4\n3,7\n');
  const line = 'exec --offline -- gradlock fit line.csv --model line --json line.json';
  const options = { cwd: project, shell: process.platform === 'win32' };
  const { stdout, stderr } = await run('npm', line.split(' '), options);
  assert.equal(stderr, '');
  assert.match(stdout, /^Data: 4 rows; x is column 1 .*\nFit\n/);
  const { values } = JSON.parse(await readFile(join(project, 'line.json'), 'utf8'));
  assert.deepEqual(
    [values.slope.toFixed(9), values.level.toFixed(9)],
    ['1.900000000', '0.900000000'],
  );
});

test('links of the npm page into the package lead to files in it', async () => {
  const text = await readFile(join(root, 'docs/npm.md'), 'utf8');
  const links = [...text.matchAll(/https:\/\/cdn\.jsdelivr\.net\/npm\/gradlock\/([\w./-]+)/g)];
  assert.ok(links.length >= 5);
  const installed = join(project, 'node_modules/gradlock');
  const files = await readdir(installed, { recursive: true });
  for (const [, path] of links) assert.ok(files.includes(path), path);
});

test('links of the packed pages lead to packed files, and each is still where it was', async () => {
  const installed = join(project, 'node_modules/gradlock');
  const files = (await readdir(installed, { recursive: true })).filter((name) =>
    name.endsWith('.md'),
  );
  assert.ok(files.length > 15, `${files.length} pages`);
  for (const page of files) {
    const text = await readFile(join(installed, page), 'utf8');
    const links = text
      .replace(/```[\s\S]*?```/g, '')
      .matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g);
    for (const [, path] of links) {
      await access(join(installed, page, '..', path)).catch(() =>
        assert.fail(`${page} links ${path}`),
      );
    }
    const named = text.matchAll(/\(`([^`\s]+)` of the repository\)/g);
    for (const [, path] of named) {
      await access(join(root, path)).catch(() => assert.fail(`${page} names ${path}`));
    }
  }
});

for (const entry of ['gradlock', 'gradlock/external', 'gradlock/double']) {
  test(`${entry} trains what is free from the installed package`, async () => {
    await write(
      'train.js',
      `import { init, LockedElementError, version } from '${entry}';
      const g = await init();
      const x = g.variable([[0, 0], [0, 0]], { name: 'x' });
      x.lock([[0, 1], [1, 0]]);
      const loss = g.compile(() => g.mean(g.square(g.sub(x, [[1, 2], [3, 4]]))));
      g.optimizers.adam({ learningRate: 0.1 }).minimize(loss, { variables: [x], steps: 500 });
      let refused = false;
      try {
        x.assign([[1, 1], [1, 1]]);
      } catch (error) {
        refused = error instanceof LockedElementError && error.name === 'LockedElementError';
      }
      console.log(JSON.stringify([x.array().map((row) => row.map(Math.round)), refused, version]));`,
    );
    const { stdout } = await node('train.js');
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    assert.deepEqual(JSON.parse(stdout), [
      [
        [1, 0],
        [0, 4],
      ],
      true,
      version,
    ]);
  });
}

test('no built line of code is longer than 600 characters, so an uncaught error prints the error', async () => {
  for (const name of built) {
    const text = await readFile(join(root, 'build/npm', name), 'utf8');
    const lines = text.replace(/^var GLK_PACKED = `[^`]*`/m, '').split('\n');
    assert.ok(Math.max(...lines.map((line) => line.length)) <= 600, name);
  }
  await write(
    'uncaught.js',
    "import { init } from 'gradlock';\n(await init()).add([1, 2], [1, 2, 3]);\n",
  );
  const { stderr } = await node('uncaught.js').catch((error) => error);
  assert.match(stderr, /\[ShapeError\]: add: .*\[2\].*\[3\]/);
  assert.ok(stderr.length < 2500, `${stderr.length} characters`);
});

for (const entry of ['layers.js', 'tfjs.js']) {
  test(`${entry} has no copies of what it takes from the instance`, async () => {
    const text = await readFile(join(root, 'build/npm', entry), 'utf8');
    for (const own of [
      'GLK_ERROR_SHAPE',
      'must be true or false',
      'an array of length',
      'writable',
    ]) {
      assert.ok(!text.includes(own), own);
    }
  });
}

test('a bundled classic worker, which cannot be split, has models and pressure', async () => {
  await write(
    'worker.js',
    `import { init } from 'gradlock';
    import { layers } from 'gradlock/layers';
    const main = async () => {
      const nn = layers(await init());
      const net = nn.sequential([
        nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' }),
      ]);
      net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
      const { rows } = await net.pressure([[2]], [[0]], { learningRate: 0.5 });
      console.log(rows[0].firstOrder);
    };
    main();`,
  );
  // Vite's default for workers is one file in the form iife: it refuses to split, and a dynamic
  // import of another file of the package would be a split.
  const outdir = join(project, 'worker');
  const entryPoints = [join(project, 'worker.js')];
  const format = /** @type {const} */ ('esm');
  const { metafile } = await build({
    ...{ entryPoints, bundle: true, format, splitting: true, outdir },
    ...{ platform: 'node', metafile: true },
  });
  assert.equal(Object.keys(metafile.outputs).length, 1);
  await build({ entryPoints, bundle: true, format: 'iife', outdir, platform: 'node' });
  await writeFile(join(outdir, 'package.json'), '{ "type": "commonjs" }');
  const { stdout } = await node(join(outdir, 'worker.js'));
  // p = 2: dL/dk = 8, dL/db = 4.
  assert.equal(stdout, '40\n');
});

test('importing any entry does nothing by itself', async () => {
  await write(
    'import.js',
    `const compile = WebAssembly.compile;
    let calls = 0;
    WebAssembly.compile = (...parameters) => (calls++, compile(...parameters));
    const names = Object.getOwnPropertyNames(globalThis).length;
    await import('gradlock');
    await import('gradlock/external');
    await import('gradlock/layers');
    await import('gradlock/formats');
    await import('gradlock/tfjs');
    await import('gradlock/grid');
    console.log(calls, Object.getOwnPropertyNames(globalThis).length - names);`,
  );
  const { stdout } = await node('import.js');
  assert.equal(stdout.trim(), '0 0');
});

test('formats says that h5wasm is missing where it is, and how to get it', async () => {
  await write(
    'missing.js',
    `import { init, LoadError, FormatError } from 'gradlock';
    import { layers } from 'gradlock/layers';
    import { loadModel, readSafetensors } from 'gradlock/formats';
    const nn = layers(await init());
    const hdf5 = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10);
    const error = await loadModel(nn, hdf5).catch((error) => error);
    let other;
    try {
      readSafetensors(new Uint8Array(3));
    } catch (error) {
      other = error;
    }
    console.log(error instanceof LoadError, error.message, other instanceof FormatError);`,
  );
  const { stdout } = await node('missing.js');
  assert.match(stdout, /^true .*npm install h5wasm.* true\n$/);
});

test('tfjs has types, strict and complete, which are those of the TensorFlow.js that is given', async () => {
  await mkdir(join(project, 'node_modules/@tensorflow'), { recursive: true });
  for (const name of ['tfjs-core', 'tfjs-layers']) {
    const path = join(project, 'node_modules/@tensorflow', name);
    await symlink(join(root, 'node_modules/@tensorflow', name), path, 'junction');
  }
  // TensorFlow.js's own declarations are not strict.
  await compile(['tfjs'], '--skipLibCheck', ...NEW_LIB, ...MODULES.bundlers);
});

for (const [what, options] of Object.entries(MODULES)) {
  test(`types of the package are strict, complete, and need no other types, for ${what}`, async () => {
    await compile(['package', 'layers', 'formats', 'wasm'], ...LIB, ...options);
  });
}

/** What of frameworks' types the lines in docs/grid.md touch, and a page of each. */
const FRAMEWORKS = [
  ['react', 'react', 'jsx-runtime'],
  ['preact', 'preact', 'jsx-runtime'],
  ['solid', 'solid-js', 'jsx-runtime'],
  ['svelte', 'svelte/elements', ''],
].map(([name = '', module = '', runtime]) => ({ name, module, runtime }));

for (const { name, module, runtime } of FRAMEWORKS) {
  test(`docs/grid.md has the types of <gradlock-grid> for ${name}`, async () => {
    const page = await readFile(join(root, 'docs/grid.md'), 'utf8');
    const lines = [...page.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);
    const own = lines.find((code) => code.includes(`declare module '${module}'`));
    assert.ok(own, `docs/grid.md declares nothing of ${module}`);
    const folder = join(project, name);
    const package_ = join(folder, 'node_modules', module);
    await mkdir(package_, { recursive: true });
    await write(join(name, 'package.json'), '{ "type": "module" }');
    const attributes = 'interface HTMLAttributes<T> { id?: string; title?: string; own?: T }';
    await write(
      join(name, 'node_modules', module, 'index.d.ts'),
      `export ${attributes}
      export interface RefAttributes<T> { ref?: (element: T | null) => void }
      export interface SvelteHTMLElements { p: HTMLAttributes<HTMLElement> }
      export namespace JSX {
        ${attributes}
        interface IntrinsicElements { p: HTMLAttributes<HTMLElement> }
      }`,
    );
    if (runtime) {
      await write(
        join(name, 'node_modules', module, 'jsx-runtime.d.ts'),
        "export { JSX } from './index.js';\nexport declare const jsx: unknown;\nexport declare const jsxs: unknown;",
      );
    }
    await write(join(name, 'gradlock-grid.d.ts'), own);
    await write(
      join(name, 'page.tsx'),
      runtime
        ? `import { init } from 'gradlock';
        const variable = (await init()).variable([[1, 2]]);
        export const right = <gradlock-grid variable={variable} scale="sequential" editable id="w" />;
        // @ts-expect-error It has two scales.
        export const wrong = <gradlock-grid scale="rainbow" />;
        // @ts-expect-error A number is no variable.
        export const other = <gradlock-grid variable={3} />;`
        : `import type { SvelteHTMLElements } from 'svelte/elements';
        type Grid = SvelteHTMLElements['gradlock-grid'];
        export const right: Grid = { reach: 'auto', editable: true, id: 'w' };
        // @ts-expect-error It has two scales.
        export const wrong: Grid = { scale: 'rainbow' };`,
    );
    const jsx = ['--jsx', 'react-jsx', '--jsxImportSource', module];
    const files = ['gradlock-grid.d.ts', 'page.tsx'].map((file) => join(folder, file));
    await tsc('--strict', ...LIB, ...jsx, ...MODULES.bundlers, ...files);
  });
}

test('using works in TypeScript', () => compile(['using'], ...NEW_LIB, ...MODULES['Node.js']));
