/**
 * What the C tests reach: `make coverage`. Runs every program of tests/c, those of threads also on
 * three, and the kept inputs of the fuzzers, all built by clang with counters. Prints lines and
 * branches of src/c by folder; build/coverage/missing.txt lists each branch that went one way only.
 * src/c/bind is left out: it is the WebAssembly side, for which JavaScript tests stand.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Counts } from './counts.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}build/coverage`;
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const programs = readdirSync(`${root}build/tests/coverage`).filter((name) => !/\./.test(name));
/** @param {string} name @param {string} threads @param {string[]} args */
const run = (name, threads, args) => {
  const LLVM_PROFILE_FILE = `${folder}/${name}-${threads}.profraw`;
  const env = { ...process.env, LLVM_PROFILE_FILE, GLK_THREADS: threads };
  const { status, stdout } = spawnSync(`${root}build/tests/coverage/${name}`, args, { env });
  if (status !== 0) throw new Error(`${name} ended with ${status}\n${stdout}`);
};
for (const name of programs) {
  const inputs = `${root}tests/fuzz/inputs/${name.replace('replay_', '')}`;
  const args = name.startsWith('replay_')
    ? readdirSync(inputs).map((input) => `${inputs}/${input}`)
    : [];
  run(name, '1', args);
  if (/team|kernels|ops|gradients/.test(name)) run(name, '3', args);
}

/** @param {string} tool @param {string[]} args */
const llvm = (tool, args) =>
  execFileSync(tool, args, {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    cwd: `${root}build/tests/coverage`,
  });
const raw = readdirSync(folder).map((name) => `${folder}/${name}`);
llvm('llvm-profdata', ['merge', '-sparse', ...raw, '-o', `${folder}/all.profdata`]);
const objects = programs.flatMap((name, i) => (i === 0 ? [name] : ['-object', name]));
const { data } = JSON.parse(
  llvm('llvm-cov', ['export', `-instr-profile=${folder}/all.profdata`, ...objects]),
);

const counts = new Counts();
/** @type {string[]} */
const missing = [];
for (const { filename, summary, branches, expansions } of data[0].files) {
  const [, name] = filename.match(/src\/c\/(?!bind\/)(.*)/) ?? [];
  if (!name) continue;
  const asCount = (/** @type {{ count: number, covered: number }} */ { count, covered }) => ({
    total: count,
    covered,
  });
  counts.add(name.split('/')[0], asCount(summary.lines), asCount(summary.branches));
  const text = readFileSync(filename, 'utf8').split('\n');
  /** @type {[place: number[], yes: number, no: number][]} */
  const ways = [];
  for (const [line, from, lastLine, to, yes, no] of branches) {
    ways.push([[line, from, lastLine, to], yes, no]);
  }
  for (const { source_region: place, branches: inside } of expansions) {
    for (const [, , , , yes, no] of inside) ways.push([place, yes, no]);
  }
  for (const [[line, from, lastLine, to], yes, no] of ways) {
    if (yes && no) continue;
    const code = text[line - 1].slice(from - 1, line === lastLine ? to - 1 : undefined);
    const never = yes ? 'never false' : no ? 'never true' : 'never reached';
    missing.push(`src/c/${name}:${line}: ${never}: ${code}`);
  }
}
writeFileSync(`${folder}/missing.txt`, `${missing.join('\n')}\n`);
console.log(counts.table('src/c'));
console.log(`${missing.length} branches went one way only: build/coverage/missing.txt`);
