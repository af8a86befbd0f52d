/* Relative links of the pages in Markdown: the file exists, and so does the heading. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../', import.meta.url);
const folders = ['docs/', 'tests/'].flatMap((folder) =>
  readdirSync(new URL(folder, root), { recursive: true }).map((name) => `${folder}${name}`),
);
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...folders].filter((name) =>
  name.endsWith('.md'),
);

/** A page without its code. @param {URL} url */
const proseOf = (url) => readFileSync(url, 'utf8').replace(/^```[\s\S]*?^```$/gm, '');

/** Addresses of a page's headings, as GitHub makes them. @param {URL} url */
const headingsOf = (url) =>
  new Set(
    Array.from(proseOf(url).matchAll(/^#+ (.+)$/gm), ([, title]) =>
      title
        .replace(/\]\([^)]*\)/g, ']')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );

test('relative links of all pages lead to files and headings that exist', () => {
  let count = 0;
  /** @type {string[]} */
  const dead = [];
  for (const name of pages) {
    const page = new URL(name, root);
    const text = proseOf(page).replace(/``.*?``|`[^`]*`/g, 'code');
    for (const [, path] of text.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)) {
      const url = new URL(path, page);
      const heading = decodeURIComponent(url.hash.slice(1));
      url.hash = '';
      count++;
      const isDead = !existsSync(url) || (heading !== '' && !headingsOf(url).has(heading));
      if (isDead) dead.push(`${name}: ${path}`);
    }
  }
  assert.ok(count > 200, `only ${count} links were found`);
  assert.deepEqual(dead, []);
});
