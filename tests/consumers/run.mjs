/* `make consumers`: runs the little program in every consumer, with the packed package, and prints a
 * line a cell. It ends with 1 if a cell is not what consumers.js expects.
 *
 *   ONLY='Vite|webpack' TARBALL=build/gradlock-0.1.0.tgz JOBS=1 CACHE=/tmp/npm node …
 */
import { consumers } from './consumers.js';
import { Bench } from './kit/bench.js';

const { ONLY = '', TARBALL, CACHE, JOBS = '2' } = process.env;
const pattern = new RegExp(ONLY, 'i');
/** @typedef {import('./consumers.js').Consumer} Consumer */
/** @param {Consumer} consumer */
const asked = (consumer) => (/** @type {import('./consumers.js').Cell} */ cell) =>
  pattern.test(`${consumer.name} ${cell.name}`);
const queue = consumers.filter((consumer) => consumer.cells.some(asked(consumer)));

const bench = new Bench({ tarball: TARBALL, cache: CACHE });
process.once('SIGINT', async () => {
  await bench.close();
  process.exit(130);
});

let count = 0;
/** @type {string[]} */
const wrong = [];
async function work() {
  for (let next = queue.shift(); next; next = queue.shift()) {
    await bench
      .run(next, asked(next), ({ consumer, cell, entry, mark, isExpected, note }) => {
        const what = `${consumer}, ${cell}, ${entry}: ${mark} ${isExpected ? '' : 'UNEXPECTED '}${note}`;
        count++;
        if (!isExpected) wrong.push(what);
        console.log(what.trim());
      })
      .catch((error) => wrong.push(`${next?.name}: ${error.message}`));
  }
}

try {
  await bench.open();
  await Promise.all(Array.from({ length: Number(JOBS) }, work));
} finally {
  await bench.close();
}
console.log(`\n${count} cells, ${wrong.length} unexpected or not installed`);
for (const line of wrong) console.log(`- ${line}`);
process.exitCode = wrong.length > 0 || count === 0 ? 1 : 0;
