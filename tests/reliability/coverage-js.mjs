/**
 * What the tests of JavaScript reach: the second half of `make coverage`. Runs every test file that
 * needs no browser on the sources, one after the other, and records the lines with code that V8
 * counted, by folder. build/coverage/missing-js.txt lists those that were never run. Files are left
 * out whose tests need a browser, or run them as the package has them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Counts } from './counts.js';
import { codeOnly } from './mutate.js';
import { reachOf, testsOfJavaScript } from './reach.js';
import { record } from './report.js';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
mkdirSync(`${root}/build/coverage`, { recursive: true });

/** Lines that were run, by file. @type {Record<string, Set<number>>} */
const run = {};
for (const test of testsOfJavaScript(root, ['js', 'fuzz', 'port', 'hostile', 'browser'])) {
  const reach = await reachOf(root, test);
  console.error(reach ? `  ${test}: ${(reach.ms / 1000).toFixed(1)} s` : `  ${test} fails`);
  for (const [path, lines] of Object.entries(reach?.lines ?? {})) {
    run[path] ??= new Set();
    for (const line of lines) run[path].add(line);
  }
}

const ELSEWHERE = /^(cli|grid)\b|^(double|index|workerd)\.js$|^keep\/(database|files)\.js$/;
const counts = new Counts();
/** @type {string[]} */
const missing = [];
const sources = readdirSync(`${root}/src/js`, { recursive: true, encoding: 'utf8' });
for (const name of sources.filter((file) => file.endsWith('.js') && !ELSEWHERE.test(file)).sort()) {
  const path = `src/js/${name}`;
  const text = readFileSync(`${root}/${path}`, 'utf8');
  const lines = text.split('\n');
  let [total, covered] = [0, 0];
  for (const [i, code] of codeOnly(text).split('\n').entries()) {
    if (!/\w/.test(code)) continue; // A brace says nothing.
    total++;
    if (run[path]?.has(i + 1)) covered++;
    else missing.push(`${path}:${i + 1}: ${lines[i]?.trim()}`);
  }
  counts.add(name.includes('/') ? String(name.split('/')[0]) : 'entries', { total, covered });
}
writeFileSync(`${root}/build/coverage/missing-js.txt`, `${missing.join('\n')}\n`);
record('make coverage, JavaScript', counts.table('src/js'));
console.log(`${missing.length} lines were never run: build/coverage/missing-js.txt`);
