/* One text width: comments of C and JavaScript and the pages of docs end before column 100. Code is
 * kept there by its formatters, which break neither strings nor comments. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const WIDTH = 100;

/** What lies in these folders, as paths from the repository's root. */
const files = ['src', 'tests/c', 'tests/js', 'docs'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true }).map((path) => `${folder}/${path}`),
);

/** Notes of decisions are kept as they were written. */
const pages = [...files.filter((path) => !path.startsWith('docs/decisions/')), 'README.md'].filter(
  (path) => path.endsWith('.md'),
);
const sources = files.filter((path) => /\.([ch]|m?js)$/.test(path));

/**
 * The lines of a text that `is` says are prose and that are too wide, as "line: text".
 * @param {string} text
 * @param {(line: string) => boolean} is
 */
const wideLines = (text, is) =>
  text
    .split('\n')
    .flatMap((line, i) => ([...line].length > WIDTH && is(line) ? [`${i + 1}: ${line}`] : []));

/** @param {string} line */
const isComment = (line) => /^\s*(\/\/|\/\*|\*)/.test(line) && !/https?:\/\//.test(line);

/**
 * Tables, pictures, and what has no space to break at are as wide as they are.
 * @param {string} line
 */
const isProse = (line) => !/^\s*(\||!\[)/.test(line) && /\S\s.*\s\S/.test(line.slice(0, WIDTH));

/** @param {string} page */
const withoutCode = (page) =>
  page.replace(/^( *)```[\s\S]*?^\1```/gm, (code) => code.replace(/[^\n]/g, ''));

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8');

test('no comment is wider than 100 columns', () => {
  assert.ok(sources.length > 300, `${sources.length} files`);
  const wide = sources.flatMap((path) =>
    wideLines(read(path), isComment).map((line) => `${path}:${line}`),
  );
  assert.deepEqual(wide, []);
});

test('no page of docs is wider than 100 columns, but for tables, pictures and code', () => {
  assert.ok(pages.length > 9, `${pages.length} pages`);
  const wide = pages.flatMap((path) =>
    wideLines(withoutCode(read(path)), isProse).map((line) => `${path}:${line}`),
  );
  assert.deepEqual(wide, []);
});

test('the checks above notice what they are for', () => {
  const wide = 'word '.repeat(21);
  assert.equal(wideLines(`a\n  // ${wide}`, isComment).length, 1);
  assert.equal(wideLines(`/* ${wide} */\n * ${wide}`, isComment).length, 2);
  assert.equal(wideLines(`call('${wide}');\n// https://example.org/ ${wide}`, isComment).length, 0);
  assert.equal(wideLines(`− ${'−'.repeat(98)}\n${wide}`, isProse).length, 1);
  assert.equal(wideLines(`| ${wide} |\n![${wide}](a.png)`, isProse).length, 0);
  assert.equal(withoutCode(`a\n\`\`\`js\n${wide}\n\`\`\`\nb`), 'a\n\n\n\nb');
});
