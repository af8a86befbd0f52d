/* Runs programs for tests: a WASI program in a child process under node:wasi, or any other program,
 * and returns its output and its exit status. A child, because a trap, an endless loop or an exit
 * must not take the test runner along.
 *
 *   node tests/c/wasi.js PROGRAM.wasm [ARGUMENT...]   runs one program, as a command would
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/**
 * @typedef {object} Outcome
 * @property {number | null} code exit code; null if a signal ended it
 * @property {NodeJS.Signals | null} signal
 * @property {string} stdout
 * @property {string} stderr
 */

/**
 * @typedef {object} RunOptions
 * @property {string[]} [args]
 * @property {Record<string, string>} [env] added to the environment
 * @property {number} [timeout] milliseconds until it is ended; default 45 minutes, which end hangs
 */

/** @param {string} file */
const assertBuilt = (file) => {
  if (!existsSync(file)) throw new Error(`${file} is not there; make test-programs builds it`);
};

/**
 * Run a program. Rejects only if it cannot be started.
 * @param {string} command its path
 * @param {RunOptions} [options]
 * @returns {Promise<Outcome>}
 */
export async function run(command, { args = [], env = {}, timeout = 2_700_000 } = {}) {
  // Node.js would keep the timeout's clock running after a program that could not be started.
  assertBuilt(command);
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/**
 * Run a WASI program (a command with `_start`) in a child process.
 * @param {string} file
 * @param {RunOptions} [options]
 * @returns {Promise<Outcome>}
 */
export async function runWasi(file, { args = [], ...options } = {}) {
  assertBuilt(file);
  // node:wasi is called experimental in Node.js 20; saying so on every run would bury the output.
  // Collecting beside the program, Node.js 20 crashes at exit in 14 of 20 runs of test_many, which
  // grows its memory often; in one thread never.
  const node = ['--single-threaded-gc', '--no-warnings', fileURLToPath(import.meta.url), file];
  return run(process.execPath, { args: [...node, ...args], ...options });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { WASI } = await import('node:wasi'); // only here, since loading it warns
  const args = process.argv.slice(2);
  const wasi = new WASI({ version: 'preview1', args, env: process.env, returnOnExit: true });
  const module = await WebAssembly.compile(await readFile(args[0]));
  const imports = /** @type {WebAssembly.Imports} */ (wasi.getImportObject());
  process.exitCode = wasi.start(await WebAssembly.instantiate(module, imports));
}
