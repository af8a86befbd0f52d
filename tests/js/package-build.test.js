/* Tier: all. */
/* How the package is built: the same everywhere, small where little is used, and such that
 * bundlers, debuggers and auditors find what they look for. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { version } from 'gradlock';
import { STEADY } from './steady.js';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../', import.meta.url));
const built = join(root, 'build/npm');

/** @type {string} */
let folder;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gradlock-build-'));
});
after(() => rm(folder, { recursive: true, force: true }));

/**
 * Files below a folder.
 * @param {string} top
 */
const filesBelow = async (top) => {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(top.length + 1))
    .sort();
};

const files = await filesBelow(built);
const scripts = files.filter((name) => name.endsWith('.js'));

/** @param {string} name */
const read = (name) => readFile(join(built, name), 'utf8');

test('the same sources make the same bytes in another folder, time zone and language', async () => {
  const other = join(folder, 'another name, with blanks');
  await mkdir(join(other, 'build'), { recursive: true });
  for (const path of [
    'src/js',
    'src/npm',
    'docs',
    'package.json',
    'CHANGELOG.md',
    'LICENSE',
    'build/wasm',
  ]) {
    await cp(join(root, path), join(other, path), { recursive: true });
  }
  await symlink(join(root, 'node_modules'), join(other, 'node_modules'), 'junction');
  const env = { ...process.env, TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };
  await run(process.execPath, [join(other, 'src/npm/main.mjs')], { cwd: tmpdir(), env });
  assert.deepEqual(await filesBelow(join(other, 'build/npm')), files);
  for (const name of files) {
    const [one, two] = [join(built, name), join(other, 'build/npm', name)];
    assert.ok((await readFile(one)).equals(await readFile(two)), name);
  }
});

test('every file of JavaScript begins with its name, version and licence', async () => {
  assert.equal(scripts.length, 24);
  for (const name of scripts) {
    const text = (await read(name)).replace(/^#!\/usr\/bin\/env node\n/, '');
    assert.ok(text.startsWith(`/*! gradlock ${version} | MIT */`), name);
  }
});

test('source maps have the sources in them, as they are, and no path of the machine that built them', async () => {
  for (const name of scripts.filter((name) => name !== 'workerd.js')) {
    const text = await read(name);
    assert.match(text, new RegExp(`\n//# sourceMappingURL=${name.split('/').at(-1)}\\.map\n$`));
    const map = JSON.parse(await read(`${name}.map`));
    assert.equal(map.version, 3);
    assert.equal(map.sources.length, map.sourcesContent.length);
    let found = 0;
    for (const [i, path] of map.sources.entries()) {
      if (!/^(\.\.\/)?src\/js\/(?!order-of-)/.test(path)) continue; // made while building
      const source = await readFile(join(root, path.replace(/^\.\.\//, '')), 'utf8');
      assert.equal(map.sourcesContent[i], source, `${name}: ${path}`);
      found++;
    }
    assert.ok(found > 0, name);
    assert.ok(!JSON.stringify([map.sources, map.file, map.sourceRoot]).includes(root), name);
  }
});

for (const [entry, code] of [
  ['index.js', "import('gradlock')"],
  ['umd/gradlock.js', "Promise.resolve(require('./build/npm/umd/gradlock.js'))"],
]) {
  test(`a stack trace through ${entry} names the sources by their lines`, async () => {
    const body = `${code}.then(({ init }) => init()).then((g) => g.tensor([1], [2]))
      .catch((error) => console.log(error.stack))`;
    const args = ['--enable-source-maps', '--input-type=commonjs', '-e', body];
    const { stdout } = await run(process.execPath, [...STEADY, ...args], { cwd: root });
    const [, path = '', line = ''] = stdout.match(/(src\/js\/gradlock\.js):(\d+):/) ?? [];
    const source = await readFile(join(root, path), 'utf8');
    assert.match(source.split('\n')[Number(line) - 1] ?? '', /readInput\(this\.#instance/);
  });
}

test('comments for bundlers at import() are still there', async () => {
  for (const name of scripts) {
    const calls = [...(await read(name)).matchAll(/\bimport\(([^)]*)\)/g)].map(
      ([, inside]) => inside,
    );
    for (const inside of calls) {
      if (name === 'workerd.js' && inside === "'./create.js'") continue; // in a type
      assert.match(inside ?? '', /@vite-ignore[\s\S]*webpackIgnore: true/, name);
    }
    if (/^(umd\/)?(gradlock|index|external|double|formats)\.js$/.test(name))
      assert.ok(calls.length > 0);
  }
});

/** @type {[code: string, most: number][]} */
const USED = [
  ["export { version } from 'gradlock'", 300],
  ["export { version } from 'gradlock/external'", 300],
  ["export { version } from 'gradlock/double'", 300],
  [
    "import 'gradlock'; import 'gradlock/layers'; import 'gradlock/formats'; import 'gradlock/tfjs'",
    300,
  ],
];

for (const [contents, most] of USED) {
  test(`a bundle of ${contents} has less than ${most} bytes`, async () => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
    });
    assert.ok((outputFiles[0]?.text.length ?? most) < most, outputFiles[0]?.text.slice(0, 500));
  });
}

test('a bundle for es2020, whose class fields are assigned, trains, fits and saves to the same bits', async () => {
  const contents = `
    import { init } from 'gradlock';
    import { fitting } from 'gradlock/fit';
    import { loadModel, saveModel } from 'gradlock/formats';
    import { layers } from 'gradlock/layers';
    import { program } from './tests/consumers/program.js';
    const more = async () => {
      const g = await init();
      const nn = layers(g, { seed: 1 });
      const norm = nn.batchNormalization({ inputShape: [2] });
      const net = nn.sequential([norm, nn.dense({ units: 1 })]);
      const copy = await loadModel(nn, saveModel(net));
      const parameters = fitting(g).parameters({ a: 1 });
      return [...copy.weights.map((w) => w.digest()), parameters.lock('a').values.a].join();
    };
    export const result = async () => [await program(init, layers), await more()].join();`;
  const results = [];
  for (const target of ['es2020', 'es2022']) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root },
      ...{ bundle: true, write: false, format: 'esm', platform: 'node', target },
    });
    const path = join(folder, `${target}.mjs`);
    await writeFile(path, outputFiles[0]?.text ?? '');
    results.push(await (await import(path)).result());
  }
  assert.equal(results[0], results[1]);
  assert.match(String(results[0]), /^gradlock: [0-9a-f ]+,/);
});

test('the manifest names files that are there, for every kind of host', async () => {
  const manifest = JSON.parse(await read('package.json'));
  const paths = JSON.stringify(manifest.exports).match(/\.\/[\w./]+(?=")/g) ?? [];
  for (const path of [...paths, manifest.main, manifest.types, manifest.unpkg, manifest.jsdelivr]) {
    if (/^\.\/(\w+)?$/.test(path)) continue; // an entry
    assert.ok(files.includes(path.slice(2)), path);
  }
  for (const path of Object.values(manifest.typesVersions['*']).flat()) {
    assert.ok(files.includes(path.slice(2)), path);
  }
  // The first that fits is taken.
  assert.deepEqual(Object.keys(manifest.exports['.']), [
    'workerd',
    'bun',
    'module-sync',
    'require',
    'default',
  ]);
  assert.equal(JSON.parse(await read('umd/package.json')).type, 'commonjs');
  const { name } = JSON.parse(
    await readFile(fileURLToPath(import.meta.resolve('gradlock/package.json')), 'utf8'),
  );
  assert.equal(name, 'gradlock');
});

test('the command has the licence of the package that is inside it', async () => {
  assert.match(await read('cli.js'), /d3-dsv[^*]*Mike Bostock[^*]*Permission to use, copy, modify/);
});

test('the table of entries in docs/npm.md has the size of every entry, within 2 %', async () => {
  const page = await readFile(join(root, 'docs/npm.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `gradlock\/?(.*?)` \|.*\| ([\d.]+) \|$/gm)];
  const { exports } = JSON.parse(await read('package.json'));
  const paths = Object.keys(exports).filter((path) => path !== './package.json');
  assert.deepEqual(rows.map(([, name]) => (name ? `./${name}` : '.')).sort(), paths.sort());
  for (const [, name = '', written] of rows) {
    const file = name.endsWith('.wasm') ? name : `${name || 'index'}.js`;
    const actual = gzipSync(await readFile(join(built, file)), { level: 9 }).length / 1000;
    const off = Math.abs(Number(written) - actual);
    assert.ok(off < Math.max(0.02 * actual, 0.05), `${file}: write ${actual.toFixed(1)}`);
  }
});
