/* Replays every input that once broke the C core (inputs/, by fuzzer), and the fewest that reach all that fuzzing has reached
 * (corpora/): under the sanitizers, with what each fuzzer holds. `make test-programs` builds the replayers. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from '../c/wasi.js';
import { corpusOf, DOUBLE, pack, unpack } from './corpora.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const inputs = `${root}tests/fuzz/inputs`;

const fuzzers = (await readdir(`${root}tests/fuzz`))
  .map((name) => /^fuzz_(.*)\.c$/.exec(name)?.[1])
  .filter((name) => name !== undefined)
  .sort();

test('every fuzzer has inputs, and every folder of inputs a fuzzer', async () => {
  assert.deepEqual((await readdir(inputs)).sort(), fuzzers);
});

/** @param {string} name @param {string} path */
const replay = (name, path, folder = 'fuzz') =>
  run(`${root}build/tests/${folder}/replay_${name}`, {
    args: [path],
    env: { ASAN_OPTIONS: 'allocator_may_return_null=1', UBSAN_OPTIONS: 'print_stacktrace=1' },
  });

for (const name of fuzzers) {
  for (const input of (await readdir(`${inputs}/${name}`)).sort()) {
    test(`${name}/${input} breaks no promise any more`, async () => {
      const { code, signal, stdout, stderr } = await replay(name, `${inputs}/${name}/${input}`);
      assert.equal(code, 0, `ended with ${signal ?? `exit code ${code}`}\n${stderr}`);
      assert.equal(stdout, '1 inputs\n');
    });
  }

  test(`none of the inputs that reach all that fuzzing ${name} has reached breaks a promise`, async () => {
    const { length } = unpack(await readFile(corpusOf(name)));
    assert.ok(length > 50, `${length}`);
    const { code, signal, stdout, stderr } = await replay(name, corpusOf(name));
    assert.equal(code, 0, `ended with ${signal ?? `exit code ${code}`}\n${stderr.slice(-5000)}`);
    assert.equal(stdout, `${length} inputs\n`);
  });
}

for (const name of DOUBLE) {
  test(`nor does any in f64, for what fuzzing ${name} has reached`, async () => {
    const { length } = unpack(await readFile(corpusOf(name)));
    const { code, signal, stdout, stderr } = await replay(name, corpusOf(name), 'double');
    assert.equal(code, 0, `ended with ${signal ?? `exit code ${code}`}\n${stderr.slice(-5000)}`);
    assert.equal(stdout, `${length} inputs\n`);
  });
}

test('the corpora have at most 1.5 MB, and what is packed is unpacked as it was', async () => {
  const packed = await Promise.all(fuzzers.map((name) => readFile(corpusOf(name))));
  assert.ok(packed.reduce((sum, { length }) => sum + length, 0) <= 1.5e6);
  for (const corpus of packed) assert.ok(pack(unpack(corpus)).equals(corpus));
});
