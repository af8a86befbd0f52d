/* A family of ops has one name: its rows are in src/c/ops/FAMILY.c (or FAMILY_PART.c), their
 * methods in src/js/ops/FAMILY.js and their samples in tests/c/samples/FAMILY.h; the guide names
 * each family. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openBridge, readOps } from './tables.js';

const root = new URL('../../', import.meta.url);

/** @param {string} path */
const read = (path) => readFileSync(new URL(path, root), 'utf8');

/** @param {string} folder @param {string} ending */
const filesIn = (folder, ending) =>
  readdirSync(new URL(folder, root)).filter((name) => name.endsWith(ending));

/**
 * @param {string} text
 * @param {RegExp} pattern Its first group that takes part is what is found.
 */
const findAll = (text, pattern) =>
  Array.from(text.matchAll(pattern), (found) => String(found.slice(1).find(Boolean)));

/** A row: a macro that ends in _ROW or _PART with its name, or a glk_op that is written out. */
const ROW =
  /^\w+_(?:ROW|PART)\(\s*\w+,\s*"(\w+)"|^const glk_op glk_op_\w+ = \{\s*\.name = "(\w+)"/gm;

/** Rows by name: the family of the C file that they lie in, and whether they are methods. */
const rows = new Map(
  filesIn('src/c/ops', '.c').flatMap((file) => {
    const text = read(`src/c/ops/${file}`);
    const family = file.replace(/(_\w+)?\.c$/, '');
    return findAll(text, ROW).map((name) => /** @type {const} */ ([name, family]));
  }),
);
const families = [...new Set(rows.values())].sort();

test('every row of a file is in the list at its end, and so an op', async () => {
  const bridge = await openBridge();
  const ops = readOps(bridge).map(({ name }) => name);
  bridge.close();
  assert.ok(ops.length > 100);
  assert.deepEqual([...rows.keys()].sort(), ops.sort());
});

test('a family of ops is called the same in C, JavaScript and samples', () => {
  const bare = (/** @type {string[]} */ names) => names.map((name) => name.replace(/\.\w+$/, ''));
  const own = (/** @type {string[]} */ names) => names.filter((name) => families.includes(name));
  assert.deepEqual(own(bare(filesIn('src/js/ops', '.js'))), families);
  assert.deepEqual(
    bare(filesIn('tests/c/samples', '.h')).filter((name) => !['all', 'family'].includes(name)),
    families,
  );
});

test('a public row has its method where its family is', async () => {
  const bridge = await openBridge();
  const isPublic = new Set(readOps(bridge).flatMap((op) => (op.isPublic ? [op.name] : [])));
  bridge.close();
  /** @type {Map<string, string>} */
  const methods = new Map(families.map((family) => [family, read(`src/js/ops/${family}.js`)]));
  for (const [name, family] of rows) {
    if (!isPublic.has(name)) continue;
    assert.match(
      String(methods.get(family)),
      new RegExp(`^  ${name}\\(`, 'm'),
      `src/js/ops/${family}.js has no method ${name}`,
    );
  }
});

test('a row has its samples where its family is', () => {
  for (const family of families) {
    const sampled = findAll(read(`tests/c/samples/${family}.h`), /^ +"(\w+) |SAMPLES\("(\w+) /gm);
    const strangers = sampled.filter((name) => rows.get(name) !== family);
    assert.deepEqual(strangers, [], `tests/c/samples/${family}.h`);
  }
});

test('the guide has a line for each family, with some of its ops', () => {
  const ops = read('docs/guide.md')
    .split('\n## ')
    .find((part) => part.startsWith('Ops\n'));
  const lines = String(ops)
    .split(/\n(?=- \*\*)/)
    .flatMap((line) => {
      const family = line.match(/^- \*\*\w+\*\* \(`(\w+)`\)/)?.[1];
      return family ? [{ family, line }] : [];
    });
  assert.deepEqual(lines.map(({ family }) => family).sort(), families);
  for (const { family, line } of lines) {
    const named = Array.from(line.matchAll(/\w+/g), ([word]) => word);
    const some = named.some((name) => rows.get(name) === family) || line.includes('`g.losses`');
    assert.ok(some, `the guide names nothing of ${family}`);
  }
});
