/* CONTRIBUTING.md: the files that it names exist, and what its worked diffs say is so. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { filesOfTests, tierOf } from '../tiers.js';

const root = new URL('../../', import.meta.url);

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const text = read('CONTRIBUTING.md');

/**
 * The worked diff of a section: lines by file.
 * @param {string} title
 */
const diffOf = (title) => {
  const section = text.split(/\n(?=## )/).find((part) => part.startsWith(`## ${title}\n`));
  const body = String(section?.match(/```diff\n([\s\S]*?)```/)?.[1]);
  return body.split(/^\+\+\+ /m).flatMap((part) => {
    const [file, ...lines] = part.trimEnd().split('\n');
    return file ? [{ file, lines }] : [];
  });
};

/**
 * Lines as they would be found: without indentation, up to where something is left out.
 * @param {string} line
 */
const bare = (line) => line.split('…')[0].trim();

/**
 * Lines of a diff that its file lacks.
 * @param {ReturnType<typeof diffOf>} diff
 * @param {string} kinds '+' what was added, ' ' what it stands beside
 */
const lacking = (diff, kinds) =>
  diff.flatMap(({ file, lines }) => {
    // A paragraph may be broken elsewhere, once it has one word more.
    const found = file.endsWith('.md') ? read(file).replaceAll('\n', ' ') : read(file);
    const shown = lines
      .filter((line) => kinds.includes(line[0]))
      .map((line) => bare(line.slice(1)));
    return shown.filter((line) => !found.includes(line)).map((line) => `${file}: ${line}`);
  });

test('the files that CONTRIBUTING.md names exist', () => {
  const paths = Array.from(
    text.matchAll(/(?<![\w/])(?:src|tests|web|docs)\/[\w./-]*\w/g),
    ([path]) => path,
  );
  assert.ok(paths.length > 30);
  const ofTheTrial = 'src/c/optim/rule_adabelief.c';
  assert.deepEqual(
    paths.filter(
      (path) =>
        !/NAME|FAMILY/.test(path) && path !== ofTheTrial && !existsSync(new URL(path, root)),
    ),
    [],
  );
});

test('an op touches four files, and those of hardSigmoid hold what the diff shows', () => {
  const diff = diffOf('Add an op');
  assert.equal(diff.length, 4);
  assert.deepEqual(lacking(diff, '+ '), []);
});

test('a rule touches six files, to which it only adds, and the diff fits those of other rules', () => {
  const diff = diffOf('Add an update rule');
  assert.equal(diff.length, 6);
  const others = diff.filter(({ file }) => !file.includes('adabelief'));
  assert.equal(others.length, 5);
  assert.deepEqual(lacking(others, ' '), []);
  // A line that goes would be missed once there is another rule.
  assert.deepEqual(
    diff.flatMap(({ lines }) => lines.filter((line) => line.startsWith('-'))),
    [],
  );
});

test('a selection touches four files, and those of a diagonal hold what the diff shows', () => {
  const diff = diffOf('Add a selection');
  assert.equal(diff.length, 4);
  assert.deepEqual(lacking(diff, '+ '), []);
});

test('what make quick runs needs neither the package nor native programs, which it does not make', () => {
  const quick = filesOfTests()
    .filter((file) => file.startsWith('tests/js/') && tierOf(file) === 'quick')
    .map((file) => file.slice('tests/js/'.length));
  assert.ok(quick.length > 50);
  const { exports } = JSON.parse(read('package.json'));
  /** The package's entries, that of an import among them, have a place in the sources. */
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

test('CONTRIBUTING.md is 100 characters wide', () => {
  assert.deepEqual(
    text.split('\n').filter((line) => line.length > 100),
    [],
  );
});
