/**
 * Bit identity, beyond what `make test` covers: `make digests`. The runs and draws of
 * tests/c/test_digest.c by more compilers and flags, on emulated processors, and by the package on
 * several versions of Node.js and other runtimes. Writes docs/reliability.md; fails if one differs.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { findBun } from '../js/bun.js';
import { runNatively, runUnderWasi } from '../js/digest-native.js';
import { record, table } from './report.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}build/digests`;
mkdirSync(folder, { recursive: true });

/** @param {string} program @param {string[]} args @param {NodeJS.ProcessEnv} [env] */
const read = async (program, args, env = process.env) => {
  const options = { cwd: root, env, maxBuffer: 2 ** 30 };
  return (await promisify(execFile)(program, args, options)).stdout;
};
const linesOf = (/** @type {string} */ text) =>
  text.split('\n').filter((line) => /^(digest|drawn) /.test(line));

const sources = readdirSync(`${root}src/c`, { recursive: true })
  .filter((name) => /^[a-z]+\/[a-z_]+\.c$/.test(`${name}`))
  .map((name) => `src/c/${name}`)
  .sort();

/** As in the Makefile: what bit identity needs, and no more. */
const FLAGS = [
  '-std=c11',
  '-Isrc/c',
  '-Isrc/c/include',
  '-ffp-contract=off',
  '-fno-math-errno',
  '-w',
];

/**
 * Builds test_digest by a compiler, and runs it.
 * @param {string[]} compiler
 * @param {string[]} [runner] An emulator.
 */
const compiled = (compiler, runner = []) => {
  const [name, ...options] = compiler;
  const file = `${folder}/${compiler.join('').replace(/[^\w-]/g, '')}`;
  const label = `${compiler.join(' ')}${runner.length ? `, ${runner.join(' ')}` : ''}`;
  const run = async (/** @type {string} */ threads) => {
    const [program, ...args] = [...runner, file];
    return linesOf(await read(program, args, { ...process.env, GLK_THREADS: threads }));
  };
  return {
    label,
    async lines() {
      const inputs = [...sources, 'tests/c/test_digest.c'];
      await read(name, [...options, ...FLAGS, ...inputs, '-o', file, '-pthread', '-lm']);
      const [one, three] = [await run('1'), await run('3')];
      return `${one}` === `${three}` ? one : [...one, 'differs on three threads'];
    },
  };
};

const { lines: expected, runs } = await runNatively();
const print = ['tests/js/digest-print.js', 'build/npm/index.js', JSON.stringify(runs)];
/** The package on a runtime. @param {string} label @param {string} program @param {string[]} args */
const packaged = (label, program, args) => ({
  label,
  lines: async () => linesOf(await read(program, [...args, ...print])),
});
/** @param {string} version */
const node = (version) =>
  packaged(`Node.js ${version}`, 'npx', ['--yes', `--package=node@${version}`, '--', 'node']);

const bun = await findBun();
const levels = ['-O0', '-O1', '-O2', '-O3', '-Os'];
const emulators = [
  ['aarch64-linux-gnu-gcc', 'qemu-aarch64'],
  ['riscv64-linux-gnu-gcc', 'qemu-riscv64'],
];
const engines = [
  ...['gcc', 'clang'].flatMap((cc) => [
    ...levels.map((level) => compiled([cc, level])),
    compiled([cc, '-O3', '-march=native']),
  ]),
  ...emulators.flatMap(([cc, emulator]) =>
    ['-O0', '-O2', '-O3'].map((level) => compiled([cc, level, '-static'], [emulator])),
  ),
  { label: 'clang for WASI, by Node.js', lines: runUnderWasi },
  ...['18', '20', '22', '24', '26'].map(node),
  ...(bun ? [packaged('Bun', bun, [])] : []),
];

/** @type {string[][]} */
const rows = [];
let wrong = 0;
const queue = engines.entries();
const work = async () => {
  for (const [at, { label, lines }] of queue) {
    const got = await lines().catch((error) => [`${error}`]);
    const same = expected.filter((line) => got.includes(line)).length;
    const isSame = `${got}` === `${expected}`;
    if (!isSame) wrong++;
    rows[at] = [
      label,
      isSame ? `${same} of ${expected.length}` : `**${same} of ${expected.length}**`,
    ];
    console.error(`  ${rows[at].join(': ')}`);
    if (!isSame && !same) console.error(got[0]?.slice(0, 2000));
  }
};
await Promise.all([work(), work()]);
record('make digests', table(['by', 'runs and draws that end on the same bits'], rows));
if (wrong) process.exit(1);
