/* What judges a cell, what the cells are, and docs/consumers.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { consumers } from './consumers.js';
import { versions } from './kit/bench.js';
import { judge, linesOf } from './kit/judge.js';

const here = new URL('./', import.meta.url);
const root = new URL('../../', here);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

const BITS = 'gradlock: 3f80003d 00000000';
const words = /serve \w+\.wasm next to/;
const warns = { warns: /size limit/ };

/** @type {[claim: string, expected: import('./kit/judge.js').Expected, printed: string[], complaints: string[], mark: string, isExpected: boolean][]} */
const verdicts = [
  ['the right bits work', 'works', [BITS, BITS], [], '✓', true],
  ['a warning is no success', 'works', [BITS], ['warning: x'], '(w)', false],
  ['a warning that is expected', warns, [BITS], ['size limit: 1', 'size limit: 2'], '(w)', true],
  ['another warning with it fails', warns, [BITS], ['size limit', 'x'], '(w)', false],
  ['no warning where one is expected fails', warns, [BITS], [], '✓', false],
  ['an error where a warning is expected', warns, ['size limit'], ['size limit'], '✗', false],
  ['other bits fail', 'works', [BITS, 'gradlock: 3f80003e 00000000'], [], '✗', false],
  ['nothing printed fails', 'works', [], [], '✗', false],
  ['an error fails', 'works', ['LoadError: serve gradlock.wasm next to'], [], '✗', false],
  [
    'an error with the words',
    words,
    ['LoadError: serve gradlock.wasm next to'],
    ['x'],
    'says',
    true,
  ],
  ['an error without them fails', words, ['TypeError: Invalid URL'], [], '✗', false],
  ['nothing printed is no error', words, [], [], '✗', false],
  [
    'an error in one browser only fails',
    words,
    [BITS, 'serve gradlock.wasm next to'],
    [],
    '✗',
    false,
  ],
  ['work where an error is expected fails', words, [BITS], [], '✓', false],
];
for (const [claim, expected, printed, complaints, mark, isExpected] of verdicts) {
  test(`judge: ${claim}`, () => {
    const verdict = judge(expected, { printed, complaints }, BITS);
    assert.deepEqual([verdict.mark, verdict.isExpected], [mark, isExpected]);
  });
}

test('lines of the program are found amid what tools print', () => {
  assert.deepEqual(linesOf(`ok\n<p>${BITS}</p>${BITS} \n(pass)`), [BITS, BITS]);
});

test('every consumer has its versions in versions.json, which has no others', () => {
  const used = consumers.flatMap(({ versions: key, node }) => [key, node]);
  const keys = new Set([...used, 'node24'].filter((key) => key && key !== 'host'));
  assert.deepEqual([...keys].sort(), Object.keys(versions).sort());
});

test('versions are exact, and what the repository has itself is the same version', () => {
  const here = consumers.filter(({ isHere }) => isHere).map((consumer) => consumer.versions);
  for (const [key, packages] of Object.entries(versions)) {
    for (const [name, version] of Object.entries(packages)) {
      assert.match(version, /^\d+\.\d+\.\d+$/, `${key}: ${name}`);
      if (here.includes(key)) assert.equal(version, manifest.devDependencies[name], name);
    }
  }
});

test('names of cells are unique', () => {
  const names = consumers.flatMap(({ name, cells }) =>
    cells.map((cell) => `${name}, ${cell.name}`),
  );
  assert.ok(names.length > 60, `${names.length} cells`);
  assert.equal(new Set(names).size, names.length);
});

/** Code of a page, below a link to the file that it is. */
const QUOTED =
  /^\[[^\]]+\]\(\.\.\/(tests\/consumers\/templates\/[^)]+)\)\n\n```\w+\n([\s\S]*?)^```$/gm;

test('docs/consumers.md quotes the files that are run, to the letter', () => {
  const page = readFileSync(new URL('docs/consumers.md', root), 'utf8');
  const quotes = [...page.matchAll(QUOTED)];
  // Commands are no files.
  const blocks = [...page.matchAll(/^```(\w+)/gm)].filter(([, language]) => language !== 'sh');
  assert.equal(quotes.length, blocks.length, 'a block without a file, or a file without a block');
  assert.ok(quotes.length >= 6, `${quotes.length} quotes`);
  for (const [, path, code] of quotes) {
    assert.equal(code, readFileSync(new URL(path, root), 'utf8'), path);
  }
});
