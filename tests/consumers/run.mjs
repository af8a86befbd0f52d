/* Runs the little program in every consumer of the table, with the packed package, and prints the
 * table. It ends with 1 if a cell is not what the table expects.
 *
 *   node tests/consumers/run.mjs
 *   ONLY='Vite|esbuild' TARBALL=build/gradlock-0.1.0.tgz JOBS=1 CACHE=/tmp/npm node …
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { consumers } from './consumers/index.js';
import { Bench, RESULTS } from './kit/bench.js';
import { tableOf, waitsOf } from './kit/table.js';

const { ONLY = '', TARBALL, CACHE, JOBS = '2' } = process.env;

/** @typedef {import('./kit/bench.js').Result} Result */
/** @typedef {import('./consumers/types.js').Consumer} Consumer */
/** @typedef {import('./consumers/types.js').Cell} Cell */

const pattern = new RegExp(ONLY, 'i');
/** @param {Consumer} consumer */
const asked = (consumer) => (/** @type {Cell} */ cell) =>
  pattern.test(`${consumer.name} ${cell.name}`);
const queue = consumers.filter((consumer) => consumer.cells.some(asked(consumer)));
const order = consumers.flatMap(({ name, cells }) => cells.map((cell) => `${name} ${cell.name}`));

const bench = new Bench({ tarball: TARBALL, cache: CACHE });
process.once('SIGINT', async () => {
  await bench.close();
  process.exit(130);
});

/** @type {Result[]} */
const results = [];
/** @param {Result} result */
const report = (result) => {
  results.push(result);
  const { consumer, version, cell, entry, mark, isExpected, note } = result;
  const what = `${consumer} ${version}, ${cell}, ${entry}: ${mark}`;
  console.log(isExpected ? what : `${what} UNEXPECTED\n${note.replace(/^/gm, '    ')}`);
};

/** @type {string[]} */
const broken = [];
async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    await bench.run(next, asked(next), report).catch((error) => {
      broken.push(`${next.name}: ${error.message}`);
      console.log(broken.at(-1));
    });
  }
}

try {
  await bench.open();
  await Promise.all(Array.from({ length: Number(JOBS) }, work));
} finally {
  await bench.close();
}

const waits = waitsOf(results);
/** @param {Result} result */
const place = ({ consumer, cell }) => order.indexOf(`${consumer} ${cell}`);
results.sort((a, b) => place(a) - place(b));
const unexpected = results.filter(({ isExpected }) => !isExpected);
const where = CACHE ? 'a cache of npm that was kept' : 'an empty cache of npm';
const table = `${tableOf(results)}\n\nFrom \`npm install\` to the first result, with ${where}:\n\n${waits}`;
mkdirSync(RESULTS, { recursive: true });
writeFileSync(`${RESULTS}/table.md`, `${table}\n`);
writeFileSync(`${RESULTS}/results.json`, `${JSON.stringify(results, null, 2)}\n`);
console.log(`\n${table}\n`);
console.log(
  `${results.length} cells, ${unexpected.length} unexpected; ${broken.length} consumers could not be installed`,
);
for (const line of broken) console.log(`- ${line}`);
process.exitCode = unexpected.length + broken.length > 0 ? 1 : 0;
