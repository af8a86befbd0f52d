/* CONTRIBUTING.md: the files that it names exist; what it says to copy is in those files alone. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { filesOfTests, tierOf } from '../tiers.js';

const root = new URL('../../', import.meta.url);

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const text = read('CONTRIBUTING.md');

test('the files that CONTRIBUTING.md names exist', () => {
  const paths = Array.from(
    text.matchAll(/(?<![\w/])(?:src|tests|web|docs)\/[\w./-]*\w/g),
    ([path]) => path,
  );
  assert.ok(paths.length > 30);
  assert.deepEqual(
    paths.filter((path) => !/NAME|FAMILY/.test(path) && !existsSync(new URL(path, root))),
    [],
  );
});

/**
 * What a guide says to copy, and all the files that have it.
 * @type {[what: string, pattern: string, folders: string[], files: string[]][]}
 */
const COPIED = [
  [
    'an op is three files',
    'outerProduct\\|outer_product',
    ['src', 'tests/c'],
    ['src/c/ops/linear.c', 'src/js/ops/linear.js', 'tests/c/samples/linear.h'],
  ],
  [
    'an update rule is five files',
    'NADAM\\|nadam',
    ['src', 'tests/c/runs.h', 'tests/js/reference.js'],
    [
      'src/c/include/gradlock.h',
      'src/c/optim/rule_nadam.c',
      'src/js/optim/optimizers.js',
      'tests/c/runs.h',
      'tests/js/reference.js',
    ],
  ],
  [
    'a layer is five files, and two for TensorFlow.js',
    '[gG]aussianNoise\\|gaussian_noise',
    ['src', 'docs', 'tests/golden/*.py', 'tests/port/layer-table.js'],
    [
      'docs/layers.md',
      'src/js/formats/tfjs-form.js',
      'src/js/layers/factory.js',
      'src/js/layers/kinds/noise.js',
      'tests/golden/layers_norm.py',
      'tests/golden/networks.py',
      'tests/port/layer-table.js',
    ],
  ],
  [
    'a selection is three files',
    'diagonal:',
    ['src/js/locks', 'tests/js/selection-table.js', 'docs/guide.md'],
    ['docs/guide.md', 'src/js/locks/selection-named.js', 'tests/js/selection-table.js'],
  ],
];

for (const [what, pattern, folders, files] of COPIED) {
  test(`${what}, and the guide names what to copy`, () => {
    const found = execFileSync('git', ['grep', '-l', pattern, '--', ...folders], {
      cwd: fileURLToPath(root),
      encoding: 'utf8',
    });
    assert.deepEqual(found.trim().split('\n').sort(), files);
  });
}

test('make quick needs neither the package nor native programs, which it does not make', () => {
  const quick = filesOfTests()
    .filter((file) => file.startsWith('tests/js/') && tierOf(file) === 'quick')
    .map((file) => file.slice('tests/js/'.length));
  assert.ok(quick.length > 50);
  const { exports } = JSON.parse(read('package.json'));
  /** The package's entries, that of an import among them, have a `source` in its exports. */
  const isOfSources = (/** @type {string} */ entry) => {
    const { source } = exports[entry.replace('gradlock', '.')] ?? exports['./*'];
    return Boolean(source?.default ?? (typeof source === 'string' && source));
  };
  // Bundles of others, the package itself, programs, and processes that import the package.
  const PACKAGE = /build\/(npm|types)\b|native\/[t$]|execPath,\s*\[(?!\.\.\.process\.execArgv)/;
  const needs = (/** @type {string} */ name) => {
    const files = new Set([new URL(`tests/js/${name}`, root).href]);
    for (const file of files) {
      if (file.includes('/src/')) continue;
      const code = read(file).replaceAll(/\/\*[\s\S]*?\*\/|^ *\/\/.*/gm, '');
      const imports = Array.from(code.matchAll(/from '([^']+)'/g), ([, from]) => from);
      if (PACKAGE.test(code)) return true;
      if (imports.some((from) => /^gradlock\b/.test(from) && !isOfSources(from))) return true;
      const near = imports.filter((from) => from.startsWith('.') && !from.startsWith('./$'));
      for (const from of near) files.add(new URL(from, file).href);
    }
    return false;
  };
  assert.deepEqual(
    quick.filter((name) => name !== 'contributing.test.js' && needs(name)),
    [],
  );
});

test('CONTRIBUTING.md has 150 lines of 99 characters at most', () => {
  const lines = text.split('\n');
  assert.ok(lines.length <= 151, `${lines.length - 1} lines`);
  assert.deepEqual(
    lines.filter((line) => line.length > 99),
    [],
  );
});
