/* Tier: test. */
/* gradlock/grid where there is no browser: it can be imported, its colours are those of their
 * source, and every language has every word. What needs a page is in tests/engines/grid.test.js. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolateGreens, interpolatePuOr, interpolateRdBu } from 'd3-scale-chromatic';
import { GradlockGrid, LEVELS, levelOf, makePalette, words } from 'gradlock/grid';

test('Node.js, which has no elements, can import the class, and defines none', () => {
  assert.equal(typeof GradlockGrid, 'function');
  assert.equal(/** @type {any} */ (globalThis).customElements, undefined);
});

test('colours on light pages are those of d3-scale-chromatic at the same t', () => {
  const plain = (/** @type {string} */ css) => css.match(/\d+/g)?.map(Number);
  const middle = (LEVELS - 1) / 2;
  const diverging = makePalette(false);
  const sequential = makePalette(false, 'sequential');
  for (let level = 0; level < LEVELS; level++) {
    const t = (level - middle) / middle;
    const theirs = t < 0 ? interpolatePuOr(0.5 - t * 0.36) : interpolateRdBu(0.5 + t * 0.4);
    assert.deepEqual(plain(diverging.css[level] ?? ''), plain(theirs), `diverging ${level}`);
    const greens = interpolateGreens((level / (LEVELS - 1)) * 0.85);
    assert.deepEqual(plain(sequential.css[level] ?? ''), plain(greens), `sequential ${level}`);
  }
});

test('a sequential scale starts at 0, and what is below is there, too', () => {
  for (const isDark of [false, true]) {
    const palette = makePalette(isDark, 'sequential');
    assert.equal(levelOf(0, 2, palette), 0);
    assert.equal(levelOf(-1, 2, palette), 0);
    assert.equal(levelOf(1, 2, palette), (LEVELS - 1) / 2);
    assert.equal(levelOf(9, 2, palette), LEVELS - 1);
    assert.equal(levelOf(Number.NaN, 2, palette), LEVELS);
    assert.equal(new Set(palette.css).size > 100, true);
  }
});

test('every language has every word', () => {
  const { en, ...others } = words;
  for (const [language, table] of Object.entries(others)) {
    assert.deepEqual(Object.keys(table).sort(), Object.keys(en ?? {}).sort(), language);
    for (const [key, word] of Object.entries(table)) {
      const theirs = /** @type {any} */ (en)[key];
      assert.equal(typeof word, typeof theirs, key);
    }
  }
});
