/* docs/notebooks, without Python: what is written there is whole. tests/notebooks/live runs it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formOf, projectOf, RUNNABLE } from '../../docs/reference/stackblitz.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json'));
const page = read('docs/notebooks/README.md');

test('notebooks are as Jupyter writes them, with no outputs, counts or settings of one machine', () => {
  const names = readdirSync(join(root, 'docs/notebooks')).filter((name) => name.endsWith('.ipynb'));
  assert.deepEqual(names, ['lock-cells.ipynb']);
  for (const name of names) {
    const text = read(`docs/notebooks/${name}`);
    const notebook = JSON.parse(text);
    assert.equal(text, `${JSON.stringify(notebook, null, 1)}\n`, name);
    assert.equal(notebook.nbformat, 4);
    assert.deepEqual(Object.keys(notebook.metadata.language_info), ['name']);
    const ids = new Set();
    for (const {
      id,
      cell_type: type,
      source,
      metadata,
      outputs,
      execution_count,
    } of notebook.cells) {
      ids.add(id);
      assert.ok(['markdown', 'code'].includes(type) && Array.isArray(source), id);
      assert.deepEqual(metadata, {}, id);
      if (type === 'code') assert.deepEqual([outputs, execution_count], [[], null], id);
    }
    assert.equal(ids.size, notebook.cells.length, 'each cell has an id of its own');
  }
});

test('the version of the package is the same everywhere', () => {
  const python = read('docs/notebooks/gradlock_grid.py');
  assert.equal(python.match(/^VERSION = "(.*)"$/m)?.[1], version);
  assert.ok(page.includes(`/npm/gradlock@${version}/grid.js`));
  const observable = JSON.parse(read('docs/notebooks/observable/package.json'));
  assert.equal(observable.dependencies.gradlock, version);
  assert.ok(
    page.includes(`Observable Framework ${observable.dependencies['@observablehq/framework']}.`),
  );
});

test('the versions that the page says were tested are those that are installed', () => {
  const pinned = read('tests/notebooks/requirements.txt').trim().split('\n');
  const tested = page.slice(page.indexOf('## What was tested')).replace(/\s+/g, ' ').toLowerCase();
  assert.ok(pinned.length > 4);
  for (const line of pinned) {
    const [name, its] = line.split('==');
    assert.ok(tested.includes(`${name} ${its}`), line);
  }
});

test('the page documents every member of Grid and every option, and links lead somewhere', () => {
  const python = read('docs/notebooks/gradlock_grid.py');
  const grid = python.slice(python.indexOf('class Grid('));
  const members = Array.from(
    grid.matchAll(/^ {4}(?:def )?([a-z]\w*)(?:\(| = )/gm),
    ([, name]) => name,
  );
  assert.ok(members.length > 10, members.join());
  for (const name of members) assert.match(page, new RegExp(`^\\|.*\`${name}[\`(]`, 'm'), name);
  const links = Array.from(page.matchAll(/\]\((?!https:)([^)#]+)/g), ([, link]) => link);
  assert.ok(links.length > 4);
  for (const link of links) assert.ok(existsSync(join(root, 'docs/notebooks', link)), link);
});

test('nothing of the notebooks is in the package', () => {
  const files = readdirSync(join(root, 'build/npm'), { recursive: true }).map(String);
  assert.ok(files.length > 20);
  assert.deepEqual(
    files.filter((file) => /\.(py|ipynb)$|notebook/.test(file)),
    [],
  );
});

test('every example that Node.js or a page can run opens in StackBlitz, and no other', () => {
  const examples = readdirSync(join(root, 'docs/examples')).filter((name) => name !== 'README.md');
  const runnable = examples.filter((name) => /\.(m?js|ts|html)$/.test(name));
  assert.deepEqual(runnable.toSorted(), Object.keys(RUNNABLE).toSorted());
  const listed = read('docs/examples/README.md').match(/(?<=^<!-- stackblitz: )\S+(?= -->$)/gm);
  assert.deepEqual(listed?.toSorted(), runnable.toSorted());
});

test('a button holds the whole example and what StackBlitz needs to start it', async () => {
  for (const [name, { as, tools }] of Object.entries(RUNNABLE)) {
    const files = await projectOf(root, name);
    const manifest = JSON.parse(files['package.json']);
    assert.deepEqual(Object.keys(manifest.dependencies), ['gradlock', ...tools]);
    assert.equal(manifest.dependencies.gradlock, version);
    assert.match(files[as], /from 'gradlock'/);
    assert.doesNotMatch(files[as], /from '\.\.?\//, 'nothing beside it is imported');
    const form = await formOf(root, name);
    const values = Array.from(
      form.matchAll(/name="([^"]*)" value="([^"]*)"/g),
      ([, key, value]) => [
        key,
        value.replaceAll('&#10;', '\n').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
      ],
    );
    const sent = Object.fromEntries(values);
    for (const [path, text] of Object.entries(files)) {
      assert.equal(sent[`project[files][${path}]`], text, path);
    }
    assert.equal(sent['project[template]'], 'node');
    assert.doesNotMatch(form, /\n/, 'one line, which Markdown leaves as it is');
  }
});

test('the reference has the buttons, and the page about notebooks', () => {
  const site = (/** @type {string} */ path) => read(`build/site/docs/${path}`);
  const examples = site('guide/examples.html');
  assert.equal(examples.match(/action="https:\/\/stackblitz\.com\/run\?file=/g)?.length, 2);
  assert.match(examples, /project\[files\]\[node\.mjs\]" value="\/\* Two by two in Node\.js/);
  assert.match(site('guide/notebooks.html'), /gradlock_grid\.py/);
});
