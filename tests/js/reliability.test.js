/* docs/reliability.md: every promise of README has tests there, and every section says by which
 * command of the Makefile it was written. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Counts } from '../reliability/counts.js';

const at = (/** @type {string} */ path) => new URL(`../../${path}`, import.meta.url);
const read = (/** @type {string} */ path) => readFileSync(at(path), 'utf8');
const page = read('docs/reliability.md');
const rows = [...page.matchAll(/^\| ([A-Z][^|]*) \| ([\d, ]*) ?\| (.*) \|$/gm)];

test('every promise of README is in the table, and no other', () => {
  const [, promises = ''] =
    read('README.md').match(/## What a lock promises\n([\s\S]*?)\n## /) ?? [];
  const names = [...promises.matchAll(/^- \*\*(.*?)\.\*\*/gm)].map(([, name]) => name);
  assert.ok(names.length > 4);
  assert.deepEqual(
    rows.map(([, name]) => name),
    names,
  );
});

test('every promise names tests that are there, and laws that name one of them, too', () => {
  const laws = read('docs/laws.md');
  for (const [, name, numbers = '', cell = ''] of rows) {
    const paths = [...cell.matchAll(/\]\(\.\.\/(tests\/[^)]+)\)/g)].map(([, path]) => path ?? '');
    assert.ok(paths.length > 0, `${name} names no test`);
    for (const path of paths) assert.ok(existsSync(at(path)), `${name} names ${path}`);
    for (const number of numbers.match(/\d+/g) ?? []) {
      const row = laws.split('\n').find((line) => line.startsWith(`| ${number} |`)) ?? '';
      assert.match(row, /\]\(\.\.\/tests\//, `${name} cites law ${number}`);
    }
  }
});

test('every fault says what holds, and names tests that are there or a command', () => {
  const [, table = ''] = page.match(/^## Faults\n([\s\S]*?)^## /m) ?? [];
  const faults = [...table.matchAll(/^\| ([A-Z][^|]*) \| [^|]+ \| (.*) \|$/gm)];
  assert.ok(faults.length > 4);
  for (const [, name, cell = ''] of faults) {
    const paths = [...cell.matchAll(/\]\(\.\.\/(tests\/[^)]+)\)/g)].map(([, path]) => path ?? '');
    assert.ok(paths.length > 0 || /`make [\w-]+`/.test(cell), `${name} names no test`);
    for (const path of paths) assert.ok(existsSync(at(path)), `${name} names ${path}`);
  }
});

test('every section was written by a command that the Makefile has, or says that it was not yet', () => {
  const makefile = read('Makefile');
  const sections = [...page.matchAll(/^<!-- make (.*) -->\n([\s\S]*?)<!-- end -->$/gm)];
  assert.ok(sections.length > 0);
  for (const [, command = '', text = ''] of sections) {
    assert.match(makefile, new RegExp(`^${command.match(/^[\w-]+/)?.[0]}:.*## `, 'm'));
    if (text.trim() === 'Not run yet.') continue;
    assert.match(text, /^\d{4}-\d\d-\d\d, commit [0-9a-f]{8}.*, Node\.js \d/m, command);
  }
});

test('make campaign-all runs every command that writes a section', () => {
  const [, parts = ''] = read('Makefile').match(/^campaign-all: (.*?) ##/m) ?? [];
  for (const [, command = ''] of page.matchAll(/^<!-- make ([\w-]+)/gm))
    assert.ok(parts.split(' ').includes(command), command);
});

test('each mutant that is judged equal is still a line of its file, and has a reason', () => {
  const lines = read('tests/reliability/equal-mutants.txt').split('\n').filter(Boolean);
  for (const line of lines) {
    const [, path = '', before = ''] = /^(\S+): `(.*?)` → `.*?`: \S.{9,}/.exec(line) ?? [];
    assert.ok(existsSync(at(path)) && read(path).includes(before), line);
  }
});

test('coverage is a share of what there is; where there is nothing, the table has a dash', () => {
  const counts = new Counts();
  counts.add('include', { total: 7, covered: 6 }, { total: 0, covered: 0 });
  counts.add('core', { total: 0, covered: 0 }, { total: 0, covered: 0 });
  counts.add('ops', { total: 2993, covered: 2992 }, { total: 8, covered: 4 });
  assert.deepEqual(counts.table('src/c').split('\n').slice(2), [
    '| include | 85.7 % of 7 | – |',
    '| ops | 100.0 % of 2,993 | 50.0 % of 8 |',
    '| all | 99.9 % of 3,000 | 50.0 % of 8 |',
  ]);
  assert.doesNotMatch(page, /\bNaN %/);
});
