/* What the programs of tests/c/test_digest.c print: the native one's lines are what every other
 * engine is held to. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { run, runWasi } from '../c/wasi.js';

const tests = fileURLToPath(new URL('../../build/tests/', import.meta.url));

/** @param {import('../c/wasi.js').Outcome} outcome */
const linesOf = ({ code, stdout, stderr }) => {
  assert.equal(code, 0, stdout + stderr);
  return stdout.split('\n').filter((line) => /^(digest|drawn) /.test(line));
};

/**
 * Digests of runs and draws by the native program, and the runs, to be taken elsewhere.
 * @param {'native' | 'double'} [way] `double`: in f64.
 */
export const runNatively = async (way = 'native') => {
  const lines = linesOf(await run(`${tests}${way}/test_digest`));
  const runs = lines.flatMap((line) => line.match(/^digest (.*) : /)?.[1] ?? []);
  return { lines, runs };
};

/** The same lines by the WASI program. */
export const runUnderWasi = async () => linesOf(await runWasi(`${tests}wasi/test_digest.wasm`));
