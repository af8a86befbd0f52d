/* What judges the table, and what the table is made of. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { consumers } from './consumers/index.js';
import { versions } from './kit/bench.js';
import { judge, linesOf } from './kit/judge.js';
import { tableOf, waitsOf } from './kit/table.js';

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

test('a table has a line a cell and a column an entry', () => {
  const common = { consumer: 'A', version: '1', seconds: 2, install: 3, isExpected: true };
  /** @type {import('./kit/bench.js').Result[]} */
  const results = [
    { ...common, cell: 'b|c', entry: 'gradlock', mark: '✓', note: '', size: 1234 },
    { ...common, cell: 'b|c', entry: 'gradlock/external', mark: 'says', note: 'words' },
    { ...common, cell: 'd', entry: 'gradlock', mark: '✗', note: 'x\ny', isExpected: false },
  ];
  const table = tableOf(results);
  assert.deepEqual(table.split('\n').slice(2), [
    '| A 1, b\\|c | ✓ | an error that says “words” | 1.2 | 2.0 / 2.0 |',
    '| A 1, d | ✗ x y |  |  | 2.0 /  |',
  ]);
  assert.equal(waitsOf(results).split('\n')[2], '| A 1 | b\\|c | 3.0 | 2.0 | 5.0 |');
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
  assert.ok(names.length > 80, `${names.length} cells`);
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
  assert.ok(quotes.length >= 8, `${quotes.length} quotes`);
  for (const [, path, code] of quotes) {
    assert.equal(code, readFileSync(new URL(path, root), 'utf8'), path);
  }
});

test('docs/consumers.md links every folder of templates', () => {
  const page = readFileSync(new URL('docs/consumers.md', root), 'utf8');
  const folders = readdirSync(new URL('templates/', here));
  const missing = folders.filter((name) => !page.includes(`tests/consumers/templates/${name}`));
  assert.deepEqual(missing, []);
});

test('docs/consumers.md names the versions that are run', () => {
  const page = readFileSync(new URL('docs/consumers.md', root), 'utf8');
  const table = page.match(/^\|.*$/gm)?.join('\n') ?? '';
  /** @type {Map<string, Set<number>>} */
  const run = new Map();
  for (const { name } of consumers) {
    const [, tool, major] = /^(\S+) (\d+)/.exec(name) ?? [];
    if (tool) run.set(tool, new Set([...(run.get(tool) ?? []), Number(major)]));
  }
  assert.ok(run.size >= 8, [...run.keys()].join());
  for (const [tool, majors] of run) {
    // As in "18, 20" or "5.0 to 7".
    const [, said = ''] = new RegExp(`${tool} ((?:[\\d., ]|to |and )+)`).exec(table) ?? [];
    const spans = [...said.matchAll(/(\d+)(?:\.\d+)?(?: to (\d+))?/g)].map(
      ([, from, to = from]) => [Number(from), Number(to)],
    );
    const isSaid = (/** @type {number} */ major) =>
      spans.some(([from, to]) => from <= major && major <= to);
    assert.deepEqual(
      [...majors].filter((major) => !isSaid(major)),
      [],
      `${tool}: run, not named`,
    );
    const ends = spans.flat().filter((major) => !majors.has(major));
    assert.deepEqual(ends, [], `${tool}: named, not run`);
  }
});
