/* Replays every input that once broke the C core (inputs/, by fuzzer): under the sanitizers, with what each fuzzer holds,
 * and one that takes longer than all of them may has not been mended. `make test-programs` builds the replayers. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../c/wasi.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const inputs = `${root}tests/fuzz/inputs`;

const fuzzers = (await readdir(`${root}tests/fuzz`))
  .map((name) => /^fuzz_(.*)\.c$/.exec(name)?.[1])
  .filter((name) => name !== undefined)
  .sort();

test('every fuzzer has inputs, and every folder of inputs a fuzzer', async () => {
  assert.deepEqual((await readdir(inputs)).sort(), fuzzers);
});

for (const name of fuzzers) {
  for (const input of (await readdir(`${inputs}/${name}`)).sort()) {
    test(`${name}/${input} breaks no promise any more`, async () => {
      const { code, signal, stdout, stderr } = await run(`${root}build/tests/fuzz/replay_${name}`, {
        args: [`${inputs}/${name}/${input}`],
        env: { ASAN_OPTIONS: 'allocator_may_return_null=1', UBSAN_OPTIONS: 'print_stacktrace=1' },
      });
      assert.equal(code, 0, `ended with ${signal ?? `exit code ${code}`}\n${stderr}`);
      assert.equal(stdout, '1 inputs\n');
    });
  }
}
