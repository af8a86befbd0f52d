/* What the kept inputs of the fuzzers reach: where they never come, fuzzing hardly begins. Without
 * src/c/bind, which is the WebAssembly side. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { isReplayer, namesOfPrograms, Reach } from '../reliability/llvm.js';

test('the kept inputs of the fuzzers reach 90 % of the lines of src/c', (t) => {
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
  for (const { name, count, covered } of files.slice(0, 5)) {
    t.diagnostic(`${count - covered} of ${count} lines of ${name} are never run`);
  }
  t.diagnostic(`${share.toFixed(1)} % of the lines of src/c are run`);
  assert.ok(share >= 90, `${share.toFixed(1)} %: run make fuzz, and then make fuzz-corpora`);
});
