/** What programs of build/tests/coverage reach of the C core, which clang built with counters. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { corpusOf } from '../fuzz/corpora.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const programs = `${root}build/tests/coverage`;

export const isReplayer = (/** @type {string} */ name) => name.startsWith('replay_');
export const namesOfPrograms = () => readdirSync(programs).filter((name) => !/\./.test(name));

/** What a replayer of a fuzzer takes: what once broke something, and its corpus. @param {string} name */
const inputsOf = (name) => {
  const fuzzer = name.replace('replay_', '');
  const kept = `${root}tests/fuzz/inputs/${fuzzer}`;
  return [...readdirSync(kept).map((input) => `${kept}/${input}`), corpusOf(fuzzer)];
};

export class Reach {
  /** @type {Set<string>} */
  #ran = new Set();
  #folder;

  /** @param {string} folder for the counters, emptied */
  constructor(folder) {
    this.#folder = folder;
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  }

  /** @param {string} name @param {string} [threads] */
  run(name, threads = '1') {
    const LLVM_PROFILE_FILE = `${this.#folder}/${name}-${threads}.profraw`;
    const env = { ...process.env, LLVM_PROFILE_FILE, GLK_THREADS: threads };
    const given = isReplayer(name) ? inputsOf(name) : [];
    const { status, stdout } = spawnSync(`${programs}/${name}`, given, { env });
    if (status !== 0) throw new Error(`${name} ended with ${status}\n${stdout}`);
    this.#ran.add(name);
  }

  /** What llvm-cov exports of all runs. @param {string[]} format */
  export(...format) {
    const merged = `${this.#folder}/all.profdata`;
    const raw = readdirSync(this.#folder).filter((name) => name.endsWith('.profraw'));
    const llvm = (/** @type {string} */ tool, /** @type {string[]} */ args) =>
      execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 2 ** 30, cwd: programs });
    const counters = raw.map((name) => `${this.#folder}/${name}`);
    llvm('llvm-profdata', ['merge', '-sparse', ...counters, '-o', merged]);
    const objects = [...this.#ran].flatMap((name, i) => (i === 0 ? [name] : ['-object', name]));
    return llvm('llvm-cov', ['export', ...format, `-instr-profile=${merged}`, ...objects]);
  }
}
