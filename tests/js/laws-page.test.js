/* docs/laws.md: the laws that code cites are there, and every law names tests that hold it. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(`${root}docs/laws.md`, 'utf8');
const kept = page
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter(([, number]) => /^\d+$/.test(number ?? ''));

/** Every file that people wrote, by its path from the root. */
const files = ['src', 'tests', 'web', 'docs'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.(c|h|js|mjs|md|py|html|css)$/.test(path)),
);
files.push('README.md', 'CONTRIBUTING.md', 'Makefile');

/**
 * The numbers that a text cites: "law 4", "laws 1 to 4", "laws 1-8, 10, 12 and 15–17".
 * @param {string} text
 */
const cited = (text) =>
  [
    ...text
      .replace(/\s*\n[\s/*#]*/g, ' ')
      .matchAll(/\blaws? ((?:\d+(?: to |-|–|, | and | or )?)+)/gi),
  ].flatMap(([, list]) =>
    list
      .split(/, | and | or | to $/)
      .filter(Boolean)
      .flatMap((part) => {
        const [from, to = from] = part.split(/ to |-|–/).map(Number);
        return Array.from({ length: (to || from) - from + 1 }, (_, i) => from + i);
      }),
  );

test('every law from 1 to 25 is on the page', () => {
  const numbers = new Set(kept.map(([, number]) => Number(number)));
  assert.deepEqual(
    [...numbers].sort((a, b) => a - b),
    Array.from({ length: 25 }, (_, i) => i + 1),
  );
});

test('every law that a file cites is on the page, and no file cites another list', () => {
  const known = new Set(kept.map(([, number]) => Number(number)));
  for (const path of files) {
    const text = readFileSync(`${root}${path}`, 'utf8');
    for (const number of cited(text)) assert.ok(known.has(number), `${path} cites law ${number}`);
    if (!path.endsWith('laws-page.test.js')) assert.ok(!text.includes('LOCKS.md'), path);
  }
});

test('every law names tests, which are there and cite it', () => {
  for (const [, number, , , cell] of kept) {
    const links = [...(cell ?? '').matchAll(/\]\(\.\.\/(tests\/[^)]+)\)/g)].map(([, path]) => path);
    assert.ok(links.length > 0, `law ${number} names no test`);
    for (const path of links) {
      assert.ok(existsSync(`${root}${path}`), `law ${number} names ${path}, which is not there`);
      const text = readFileSync(`${root}${path}`, 'utf8');
      assert.ok(cited(text).includes(Number(number)), `${path} says nothing of law ${number}`);
    }
  }
});

test('citations are read as they are written', () => {
  assert.deepEqual(
    cited('laws 1-3, 10 and 12; Law 7, which. laws 2\n * to 4'),
    [1, 2, 3, 10, 12, 7, 2, 3, 4],
  );
});
