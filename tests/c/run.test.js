/* Runs the C test programs, tests/c/test_*.c, which `make` built before: in the tier "quick" those
 * named in QUICK, under WASI; in "test" all of them, and those named in CHANGED under the
 * sanitizers, too; in "all" each in its three ways. GLK_ONLY=text runs only tests whose name
 * contains it. Lines that begin with "digest" must be the same natively as under WASI. */
import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run, runWasi } from './wasi.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const only = process.env.GLK_ONLY ? [process.env.GLK_ONLY] : [];

/**
 * Run a native program under its sanitizers, leaks included, unless the leak checker itself cannot
 * work here (it needs ptrace, which some containers and debuggers take away; macOS has none).
 * @param {string} file
 * @param {number} [threads] of every context, which share whatever can be shared
 */
async function runNative(file, threads = 1) {
  const start = (/** @type {number} */ leaks) => {
    // Sizes that no machine has must come back as NULL, as they do elsewhere.
    const ASAN_OPTIONS = `allocator_may_return_null=1:detect_leaks=${leaks}`;
    const env = { ASAN_OPTIONS, UBSAN_OPTIONS: 'print_stacktrace=1', GLK_THREADS: `${threads}` };
    return run(file, { args: only, env });
  };
  const outcome = await start(process.platform === 'linux' ? 1 : 0);
  const cannot = outcome.stderr.includes('LeakSanitizer has encountered a fatal error');
  return cannot ? start(0) : outcome;
}

/**
 * Programs whose claim it is that threads share work, or change no bit. Others have one thread, for
 * the three of each context would wait for other programs (test_state: 178 s instead of 5).
 */
const THREADED = ['digest', 'every_row', 'gradients', 'image', 'masked_gemm', 'ops', 'program'];
const SHARED = [...THREADED, 'thread_pool'].map((name) => `test_${name}`);
const threadsOf = (/** @type {string} */ name) => (SHARED.includes(name) ? 3 : 1);

const ways = [
  {
    title: () => 'as a WebAssembly program under WASI',
    file: (/** @type {string} */ name) => `${root}build/tests/wasi/${name}.wasm`,
    start: (/** @type {string} */ file) => runWasi(file, { args: only }),
  },
  {
    title: (/** @type {string} */ name) =>
      `natively (threads: ${threadsOf(name)}), under AddressSanitizer and UndefinedBehaviorSanitizer`,
    file: (/** @type {string} */ name) => `${root}build/tests/native/${name}`,
    start: (/** @type {string} */ file) => runNative(file, threadsOf(basename(file))),
  },
  {
    title: () => 'natively in double precision',
    file: (/** @type {string} */ name) => `${root}build/tests/double/${name}`,
    start: (/** @type {string} */ file) => runNative(file),
  },
];

const { TIER = 'all', CHANGED = '', QUICK = '' } = process.env;
const [changed, quick] = [CHANGED, QUICK].map((names) => names.split(' '));

/** @param {string} name @param {number} way */
const isRun = (name, way) =>
  TIER === 'all' ||
  (way === 0
    ? TIER === 'test' || !QUICK || quick.includes(name)
    : way === 1 && changed.includes(name));

const names = (await readdir(`${root}tests/c`))
  .filter((name) => /^test_.*\.c$/.test(name))
  .map((name) => name.slice(0, -'.c'.length))
  .sort();

/** Lines that begin with "digest", by program and way. @type {Map<string, string[]>} */
const digests = new Map();

test('programs that share work on threads are found', () =>
  assert.deepEqual(
    SHARED.filter((name) => !names.includes(name)),
    [],
  ));

describe('C test programs', { concurrency: 2 }, () => {
  for (const name of names) {
    for (const { title, file, start } of ways.filter((_, i) => isRun(name, i))) {
      test(`${name} passes ${title(name)}`, async (t) => {
        const program = file(name);
        const { code, signal, stdout, stderr } = await start(program);
        digests.set(program, stdout.match(/^digest .*/gm) ?? []);
        if (code !== 0) {
          const output = stdout.replaceAll(/^digest .*\n/gm, '');
          assert.fail(`${name} ended with ${signal ?? `exit code ${code}`}\n${output}${stderr}`);
        }
        t.diagnostic(stdout.trim().split('\n').at(-1) ?? '');
      });
    }
  }
});

if (TIER === 'all') {
  test('results of the C programs are the same natively as under WASI, to the last bit', () => {
    const [wasi, native] = ways;
    let count = 0;
    for (const name of names) {
      const ours = digests.get(native.file(name));
      assert.deepEqual(digests.get(wasi.file(name)), ours, name);
      count += ours?.length ?? 0;
    }
    if (only.length === 0) assert.ok(count > 0, 'no program printed a digest');
  });
}
