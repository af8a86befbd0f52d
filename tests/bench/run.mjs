/* `make bench`: measure gradlock and its peers in turn in this one process, print a table, and write
 * build/bench/bench.json. Rows can be named: `node tests/bench/run.mjs adam size`. To add one, put a file into rows/ and
 * its name into ROWS. It ends with success whatever it measured; only what breaks is a failure. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { formatTable, tally } from './harness.mjs';
import { BUILD } from './peers.mjs';

// The first init() of start has to be the first of the process.
const ROWS = ['start', 'adam', 'faded', 'steps', 'matmul', 'conv', 'softmax', 'calls'];

const named = process.argv.slice(2);
const unknown = named.filter((name) => !ROWS.includes(name));
if (unknown.length) throw new Error(`No such row: ${unknown}. There are: ${ROWS.join(', ')}`);

const root = new URL('../../', import.meta.url);
const { version, devDependencies } = JSON.parse(
  readFileSync(new URL('package.json', root), 'utf8'),
);
const head = {
  date: new Date().toISOString(),
  machine: `${os.cpus()[0]?.model ?? 'unknown'}, ${os.cpus().length} cores, ${process.arch}`,
  // Above the number of measuring processes (one), others were at work.
  loadAverage: os.loadavg()[0],
  node: `${process.version}, V8 ${process.versions.v8}`,
  gradlock: version,
  peers: {
    'TF.js wasm': `${devDependencies['@tensorflow/tfjs-backend-wasm']}, SIMD, 1 thread`,
    'TF.js cpu': `${devDependencies['@tensorflow/tfjs-backend-cpu']}, 1 thread, where it is not hopeless`,
    'jax-js': `${devDependencies['@jax-js/jax']}, wasm, jit, 1 thread`,
  },
};
console.log(
  `gradlock ${head.gradlock}, ${head.date}\n${head.machine}, load ${head.loadAverage.toFixed(1)}\nNode ${head.node}`,
);
for (const [peer, what] of Object.entries(head.peers)) console.log(`${peer}: ${what}`);

/** @type {Record<string, import('./harness.mjs').Result[]>} */
const rows = {};
for (const name of ROWS.filter((row) => !named.length || named.includes(row))) {
  /** @type {import('./harness.mjs').Row} */
  const row = (await import(`./rows/${name}.mjs`)).default;
  rows[name] = await row.run();
  console.log(`\n${row.about}\n${formatTable(rows[name])}`);
}

mkdirSync(BUILD, { recursive: true });
const file = join(BUILD, 'bench.json');
writeFileSync(file, `${JSON.stringify({ ...head, ...tally, rows }, null, 1)}\n`);
console.log(
  `\n${tally.samples} samples, ${tally.interrupted} of them interrupted by other processes and taken again`,
);
console.log('Written to build/bench/bench.json');
