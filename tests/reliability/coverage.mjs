/**
 * What the C tests reach: `make coverage`. Runs every program of tests/c, those of threads also on
 * three, and the kept inputs of the fuzzers, all built by clang with counters. Records lines and
 * branches of src/c by folder; build/coverage/missing.txt lists each branch that went one way only.
 * src/c/bind is left out: it is the WebAssembly side, for which JavaScript tests stand.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Counts } from './counts.js';
import { namesOfPrograms, Reach } from './llvm.js';
import { record } from './report.js';

const folder = fileURLToPath(new URL('../../build/coverage', import.meta.url));
const reach = new Reach(folder);
for (const name of namesOfPrograms()) {
  reach.run(name);
  if (/thread_pool|kernels|ops|gradients/.test(name)) reach.run(name, '3');
}
const { data } = JSON.parse(reach.export());

/** Whether lines were run, in any copy of an inline function, by file. */
/** @type {Map<string, Map<number, boolean>>} */
const linesOf = new Map();
for (const file of reach.export('-format=lcov').split('end_of_record')) {
  const [, name = ''] = /^SF:(.*)$/m.exec(file) ?? [];
  const lines = [...file.matchAll(/^DA:(\d+),(\d+)$/gm)];
  linesOf.set(name, new Map(lines.map(([, line, count]) => [Number(line), count !== '0'])));
}

const counts = new Counts();
/** @type {string[]} */
const missing = [];
/** @type {string[]} */
const missingLines = [];
for (const { filename, summary, branches, expansions } of data[0].files) {
  const [, name] = filename.match(/src\/c\/(?!bind\/)(.*)/) ?? [];
  if (!name) continue;
  const asCount = (/** @type {{ count: number, covered: number }} */ { count, covered }) => ({
    total: count,
    covered,
  });
  const text = readFileSync(filename, 'utf8').split('\n');
  const lines = [...(linesOf.get(filename) ?? [])];
  const never = lines.filter(([, isRun]) => !isRun);
  missingLines.push(...never.map(([at]) => `src/c/${name}:${at}: ${text[at - 1].trim()}`));
  const ofLines = { total: lines.length, covered: lines.length - never.length };
  counts.add(name.split('/')[0], ofLines, asCount(summary.branches));
  /** @type {[region: number[], yes: number, no: number][]} */
  const ways = [];
  for (const [line, from, lastLine, to, yes, no] of branches) {
    ways.push([[line, from, lastLine, to], yes, no]);
  }
  for (const { source_region: region, branches: inside } of expansions) {
    for (const [, , , , yes, no] of inside) ways.push([region, yes, no]);
  }
  for (const [[line, from, lastLine, to], yes, no] of ways) {
    if (yes && no) continue;
    const code = text[line - 1].slice(from - 1, line === lastLine ? to - 1 : undefined);
    const never = yes ? 'never false' : no ? 'never true' : 'never reached';
    missing.push(`src/c/${name}:${line}: ${never}: ${code}`);
  }
}
writeFileSync(`${folder}/missing.txt`, `${missing.join('\n')}\n`);
writeFileSync(`${folder}/missing-lines.txt`, `${missingLines.join('\n')}\n`);
record('make coverage', counts.table('src/c'));
console.log(`${missingLines.length} lines were never run: build/coverage/missing-lines.txt`);
console.log(`${missing.length} branches went one way only: build/coverage/missing.txt`);
