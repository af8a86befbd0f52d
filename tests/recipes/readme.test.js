/* docs/from-tensorflow.md and the recipes speak of the same things. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { readGolden } from '../golden/golden.js';

const here = new URL('.', import.meta.url);
const recipes = (await readdir(here))
  .filter((name) => name.endsWith('.test.js') && !/^(leaks|pages|readme|tricks)\./.test(name))
  .sort();
/** Those that port an article's snippet; the others are gradlock's own. */
const files = recipes.filter((name) => /^\d{3}-/.test(name));

test('the page links every recipe, and nothing that is not there', async () => {
  const page = await readFile(new URL('../../docs/from-tensorflow.md', here), 'utf8');
  const linked = [...page.matchAll(/\]\(\.\.\/tests\/recipes\/([^)]+)\)/g)].map(([, name]) => name);
  assert.deepEqual(linked.sort(), recipes);
});

test('every recipe has a row of what TensorFlow computed, and every row a recipe', () => {
  const rows = readGolden('recipes.json').recipes.map((/** @type {any} */ row) => row.recipe);
  const names = files.map((name) => name.replace('.test.js', ''));
  assert.deepEqual(rows.sort(), [...names, 'leaks']);
});

test('every recipe names its article', async () => {
  for (const name of files) {
    const text = await readFile(new URL(name, here), 'utf8');
    assert.match(text, new RegExp(`Article ${name.slice(0, 3)}_[0-9a-f]{16}`), name);
  }
});
