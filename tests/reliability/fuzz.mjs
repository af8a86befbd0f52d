/**
 * `make fuzz`: runs each fuzzer for MINUTES, one after the other, and adds what it did to the table
 * of docs/reliability.md. libFuzzer keeps the inputs that reach new code in build/fuzz/found, from
 * which `make fuzz-corpora` makes tests/fuzz/corpora. Fails if an input broke something;
 * build/fuzz/broken-… then has it. ONLY='regexp' picks kinds of input.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { unpackInto } from '../fuzz/corpora.js';
import { readSection, record, table } from './report.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const MINUTES = process.env.MINUTES ?? '10';

/**
 * A fuzzer of the C core.
 * @param {string} name
 * @param {string} what
 */
const ofC = (name, what, program = name) => ({
  what,
  executions: /number_of_executed_units: (\d+)/,
  command: [
    `build/fuzz/${program}`,
    ...['-max_len=6000', '-timeout=600', '-rss_limit_mb=4096', '-print_final_stats=1'],
    `-max_total_time=${60 * Number(MINUTES)}`,
    `-artifact_prefix=build/fuzz/broken-${name}-`,
    `build/fuzz/found/${name}`,
    `build/fuzz/known/${name}`,
    `tests/fuzz/inputs/${name}`,
  ],
});
const FUZZERS = [
  ofC('api', 'calls of the C library'),
  ofC('locks', 'lock sets'),
  ofC('state', 'states of optimizers'),
  ofC('images', 'networks of images'),
  ofC('solve', 'fits and training'),
  ofC('solve', 'fits and training in f64', 'double/solve'),
  {
    what: 'model files: JSON, safetensors, TensorFlow.js',
    executions: /^(\d+) files/m,
    command: [process.execPath, 'tests/fuzz/formats.mjs'],
  },
  {
    what: 'model files: HDF5',
    executions: /^(\d+) files/m,
    command: [process.execPath, 'tests/fuzz/hdf5.mjs'],
  },
  {
    what: 'links and saved runs of the demo',
    executions: /^(\d+) links and/m,
    command: [process.execPath, 'tests/fuzz/links.mjs'],
  },
].filter(({ what }) => RegExp(process.env.ONLY ?? '').test(what));

/** Rows that earlier runs wrote. @type {Map<string, number[]>} */
const before = new Map();
for (const [, what = '', ...cells] of readSection('make fuzz').matchAll(
  /^\| (?!all )(.+) \| ([\d,]+) \| ([\d,]+) \| (\d+) \|$/gm,
)) {
  before.set(
    what,
    cells.map((cell) => Number(cell.replaceAll(',', ''))),
  );
}

for (const name of readdirSync(`${root}tests/fuzz/inputs`)) {
  mkdirSync(`${root}build/fuzz/found/${name}`, { recursive: true });
  unpackInto(name, `${root}build/fuzz/known/${name}`);
}
/** The shell's `times` says how long the processor worked for its children: the last line. */
const TIMED = '"$@"; status=$?; times >&2; exit $status';
let broken = 0;
for (const { what, executions, command } of FUZZERS) {
  console.log(`  ${what}: ${MINUTES} minutes`);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', TIMED, 'sh', ...command], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, MINUTES },
    maxBuffer: 2 ** 30,
  });
  const output = `${stdout}\n${stderr}`;
  if (status !== 0) {
    broken++;
    console.error(output.split('\n').slice(-200).join('\n'));
  }
  const clock = [...output.matchAll(/(\d+)m([\d.]+)s/g)].slice(-2);
  const seconds = clock.reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
  const done = Number(executions.exec(output)?.[1] ?? 0);
  const [runs = 0, spent = 0, found = 0] = before.get(what) ?? [];
  before.set(what, [runs + done, spent + Math.round(seconds), found + Number(status !== 0)]);
}

const rows = [...before];
rows.push(['all', [0, 1, 2].map((at) => rows.reduce((sum, [, n]) => sum + Number(n[at]), 0))]);
record(
  'make fuzz',
  table(
    ['inputs', 'executions', 'seconds of one processor', 'broke something'],
    rows.map(([what, [runs = 0, seconds = 0, found = 0]]) => [
      what,
      runs.toLocaleString('en'),
      seconds.toLocaleString('en'),
      found,
    ]),
  ),
);
if (broken) process.exit(1);
