/**
 * Prints the lines of each folder beside its budget, and fails above one. Counted is all text that git lists, without
 * data (json, svg, the texts of scenes, fuzzers' corpora, recorded files), lock files and pictures.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** What a folder has at most. @type {Record<string, number>} */
const BUDGETS = { src: 64_500, web: 20_500, docs: 7_500, tests: 80_000 };
const DATA =
  /\.(json|jsonl|svg|png|gif|ico|webp|safetensors|npy|h5|keras|bin|lock)$|^web\/.*\.txt$|^tests\/fuzz\/(corpora|inputs)\/|^tests\/golden\/.*\.txt$/;

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0');
/** @type {Record<string, number>} */
const lines = {};
/** @type {Record<string, number>} */
const parts = {};
for (const file of files) {
  const [folder, part] = file.split('/');
  if (!(folder in BUDGETS) || DATA.test(file)) continue;
  const bytes = readFileSync(file);
  if (bytes.includes(0)) continue;
  const count = bytes.toString().split('\n').length - 1;
  lines[folder] = (lines[folder] ?? 0) + count;
  const name = file.split('/').length > 2 ? `${folder}/${part}` : folder;
  parts[name] = (parts[name] ?? 0) + count;
}

/** @param {number} count */
const column = (count) => count.toLocaleString('en').padStart(9);
let isWithin = true;
for (const [folder, budget] of Object.entries(BUDGETS)) {
  const count = lines[folder] ?? 0;
  const isAbove = count > budget;
  isWithin &&= !isAbove;
  console.log(
    `${column(count)}  ${folder}  (budget ${budget.toLocaleString('en')})${isAbove ? '  TOO MANY' : ''}`,
  );
  for (const [name, some] of Object.entries(parts).sort(([, a], [, b]) => b - a)) {
    if (name.startsWith(`${folder}/`)) console.log(`${column(some)}    ${name}`);
  }
}
process.exit(isWithin ? 0 : 1);
