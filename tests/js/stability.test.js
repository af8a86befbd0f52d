/* What docs/stability.md and the files for contributors and citers say is what the sources have. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

const read = (/** @type {string} */ path) =>
  readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const page = read('docs/stability.md');
const { version, engines } = JSON.parse(read('package.json'));

for (const [format, path, pattern] of /** @type {[string, string, RegExp][]} */ ([
  ['state', 'src/c/core/archive.c', /VERSION = (\d+),/],
  ['model', 'src/js/formats/own.js', /const VERSION = (\d+)/],
  ['delta', 'src/js/formats/delta.js', /const VERSION = (\d+)/],
  ['kept run', 'src/js/keep/record.js', /const VERSION = (\d+)/],
  ['link and saved run of the demo', 'web/state/state.js', /@property \{(\d+)\} version/],
])) {
  test(`the version of a ${format} is the one that docs/stability.md names`, () => {
    const [, now] = read(path).match(pattern) ?? [];
    assert.match(page, new RegExp(`^\\| ${format} \\|[^|]*\\| ${now} \\|`, 'm'));
  });
}

test('CITATION.cff names this version, and the docs the oldest Node.js of package.json', () => {
  assert.match(read('CITATION.cff'), new RegExp(`^version: ${version}$`, 'm'));
  const [, node] = page.match(/^\| Node\.js \|[^|]*\| (\d+) \|/m) ?? [];
  assert.equal(engines.node, `>=${node}`);
});
