/* Looks for an order of an entry's modules in which gzip, which looks back 32 kB, finds more of
 * what they repeat, and writes it to order.json:
 *
 *   node src/js/package/find-order.mjs index.js 120
 *
 * for so many seconds, from the order that stands there. Modules are moved by chance; what is not
 * larger is kept. Nothing depends on the order but the size: what a module imports comes before it.
 * A module that order.json does not name comes behind those that it names. */
import { readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { shortModule } from './bundle.mjs';
import { entries } from './entries.mjs';

const [name = 'index.js', seconds = '120'] = process.argv.slice(2);
const path = new URL('order.json', import.meta.url);
const orders = JSON.parse(await readFile(path, 'utf8'));
const entry = entries.find(({ file }) => file === name);
if (!entry) throw new Error(`there is no entry ${name}`);

/** What users load, but for gradlock.wasm. @param {readonly string[]} first */
const measure = async (first) => {
  const { code, map } = await shortModule({ ...entry, first });
  const modules = map.sources.flatMap((source) => source.split('src/js/')[1] ?? []);
  return { size: gzipSync(code, { level: 9 }).length, modules };
};

const below = (/** @type {number} */ n) => Math.floor(Math.random() * n);
const { modules } = await measure([]);
const known = (orders[name] ?? []).filter((/** @type {string} */ one) => modules.includes(one));
let order = [...known, ...modules.filter((one) => one !== entry.from && !known.includes(one))];
let { size } = await measure(order);
const end = Date.now() + 1000 * Number(seconds);
console.log(`${name}: ${size} bytes`);
while (Date.now() < end) {
  const tried = [...order];
  const count = Math.random() < 0.7 ? 1 : 1 + below(4);
  const moved = tried.splice(below(tried.length - count), count);
  tried.splice(below(tried.length + 1), 0, ...moved);
  const found = await measure(tried);
  if (found.size > size) continue;
  if (found.size < size) console.log(`${name}: ${found.size} bytes`);
  [order, size] = [tried, found.size];
}
orders[name] = order;
await writeFile(path, `${JSON.stringify(orders, null, 2)}\n`);
