/* Goals of make, each alone on a fresh machine: `.ci/setup.sh` is told of all that their commands use. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('../../', import.meta.url));
const makefile = readFileSync(`${root}Makefile`, 'utf8');
const [, phony = ''] = /^\.PHONY: ((?:.*\\\n)*.*)$/m.exec(makefile) ?? [];
/** Files that CONTRIBUTING.md tells to make are goals, too. */
const goals = [
  // What is made of goals sets up each of them in its turn.
  ...phony.split(/[\s\\]+/).filter((goal) => goal !== 'FORCE' && goal !== 'nightly'),
  'build/tests/native/test_ops',
  'build/tests/wasi/test_ops.wasm',
];

/** The words of commands that tell what they use. @type {Record<string, RegExp>} */
const USES = {
  build: /\bemcc\b|--target=wasm32-wasi/,
  lib: /-DGLK_EXPORT/,
  native: /-fsanitize=|-march=native|\bgcc -O/,
  python: /python3? |build\/python/,
  chrome: /setup\.sh chrome/,
  browsers: /setup\.sh firefox/,
  format: /\bclang-format/,
};

/** Make without a make above it. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(MAKE|MFLAGS)/.test(name)),
);

/** What the commands of a goal use, and what `.ci/setup.sh` is told of. @param {string} goal */
async function needsOf(goal) {
  const options = { cwd: root, env, maxBuffer: 2 ** 26 };
  const { stdout } = await promisify(execFile)('make', ['-n', '-B', goal], options);
  const commands = stdout.replace(/\\\n/g, ' ');
  const [, told = ''] = /sh \.ci\/setup\.sh( [a-z ]*)$/m.exec(commands) ?? [];
  const uses = Object.keys(USES).filter((need) => USES[need].test(commands));
  const needs = told.split(/ +/);
  // With all browsers comes Chromium.
  return { uses, told: needs.includes('browsers') ? [...needs, 'chrome'] : needs };
}

for (const goal of goals) {
  test(`make ${goal} sets up what its commands use`, async () => {
    const { uses, told } = await needsOf(goal);
    const missing = uses.filter((need) => !told.includes(need));
    assert.deepEqual(missing, []);
  });
}

/** @type {[goal: string, uses: string][]} */
const known = [
  ['lib', 'lib'],
  ['golden', 'python'],
  ['format-check', 'format'],
  ['bench-browser', 'build chrome'],
  ['test-programs', 'build native'],
  ['test', 'build chrome format'],
  ['test-all', 'build lib native python chrome browsers format'],
];
for (const [goal, uses] of known) {
  test(`the commands of make ${goal} are seen to use ${uses}`, async () => {
    assert.deepEqual((await needsOf(goal)).uses, uses.split(' '));
  });
}
