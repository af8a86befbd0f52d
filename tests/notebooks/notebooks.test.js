/* docs/notebooks, without Python: its page is whole. tests/notebooks/live runs it. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json'));
const page = read('docs/notebooks/README.md');

test('the version of the package is the same everywhere', () => {
  const python = read('docs/notebooks/gradlock_grid.py');
  assert.equal(python.match(/^VERSION = "(.*)"$/m)?.[1], version);
  assert.ok(page.includes(`/npm/gradlock@${version}/grid.js`));
});

test('the versions that the page says were tested are those that are installed', () => {
  const pinned = read('tests/notebooks/requirements.txt').trim().split('\n');
  const tested = page.slice(page.indexOf('## What was tested')).replace(/\s+/g, ' ').toLowerCase();
  assert.ok(pinned.length > 3);
  for (const line of pinned) {
    const [name, its] = line.split('==');
    assert.ok(tested.includes(`${name} ${its}`), line);
  }
});

test('the page documents every member of Grid and every option', () => {
  const python = read('docs/notebooks/gradlock_grid.py');
  const grid = python.slice(python.indexOf('class Grid('));
  const members = Array.from(
    grid.matchAll(/^ {4}(?:def )?([a-z]\w*)(?:\(| = )/gm),
    ([, name]) => name,
  );
  assert.ok(members.length > 10, members.join());
  for (const name of members) assert.match(page, new RegExp(`^\\|.*\`${name}[\`(]`, 'm'), name);
});

test('nothing of the notebooks is in the package', () => {
  const files = readdirSync(join(root, 'build/npm'), { recursive: true }).map(String);
  assert.ok(files.length > 20);
  assert.deepEqual(
    files.filter((file) => /\.(py|ipynb)$|notebook/.test(file)),
    [],
  );
});
