/**
 * Part of `make fuzz-regress`: the kept inputs of the fuzzers alone reach 90 % of the lines of
 * src/c, or else fuzzing never begins at the rest. src/c/bind is left out: it is the WebAssembly
 * side. Prints the files of which most is left.
 */

import { fileURLToPath } from 'node:url';
import { isReplayer, namesOfPrograms, Reach } from '../reliability/llvm.js';

const LEAST = 90;

const reach = new Reach(fileURLToPath(new URL('../../build/fuzz/reach', import.meta.url)));
for (const name of namesOfPrograms().filter(isReplayer)) reach.run(name);
const { data } = JSON.parse(reach.export('-summary-only'));

/** @type {{ name: string, count: number, covered: number }[]} */
const files = [];
for (const { filename, summary } of data[0].files) {
  const [, name] = /src\/c\/(?!bind\/)(.*)/.exec(filename) ?? [];
  if (name) files.push({ name, ...summary.lines });
}
const sum = (/** @type {'count' | 'covered'} */ what) =>
  files.reduce((total, file) => total + file[what], 0);
const share = (100 * sum('covered')) / sum('count');
files.sort((a, b) => b.count - b.covered - (a.count - a.covered));
for (const { name, count, covered } of files.slice(0, 10)) {
  console.log(`${String(count - covered).padStart(5)} of ${count} lines of ${name} never run`);
}
console.log(`The kept inputs of the fuzzers reach ${share.toFixed(1)} % of the lines of src/c.`);
if (!(share >= LEAST)) {
  console.error(`At least ${LEAST} % are wanted: \`make fuzz\`, then \`make fuzz-corpora\`.`);
  process.exitCode = 1;
}
