/* Commands of other people's tools: run to their end, or started and stopped. Each gets a process
 * group of its own, so that nothing that a tool starts outlives it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Nobody reports anything, asks anything or draws anything. */
const QUIET = {
  CI: '1',
  NO_COLOR: undefined,
  FORCE_COLOR: undefined,
  NODE_ENV: undefined,
  NODE_OPTIONS: undefined,
  NODE_TEST_CONTEXT: undefined,
  NO_UPDATE_NOTIFIER: '1',
  DO_NOT_TRACK: '1',
  NEXT_TELEMETRY_DISABLED: '1',
  ASTRO_TELEMETRY_DISABLED: '1',
  NUXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  PARCEL_WORKERS: '1',
  DENO_NO_UPDATE_CHECK: '1',
};

/** How long a command may take, in ms. */
const PATIENCE = 400_000;

/** @typedef {{ code: number | null, output: string }} Ended */
/**
 * @typedef {object} Options
 * @property {string} cwd
 * @property {Record<string, string | undefined>} [env]
 */

/** Those that run, to be stopped if this process is. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();

/** @param {string} command @param {readonly string[]} args @param {Options} options */
function start(command, args, { cwd, env }) {
  const child = spawn(command, args, {
    cwd,
    env: { ...process.env, ...QUIET, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const seen = { output: '' };
  running.add(child);
  child.once('exit', () => running.delete(child));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      seen.output += stripColours(text);
    });
  }
  return { child, seen };
}

/** @param {import('node:child_process').ChildProcess} child */
function stop(child) {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Stop all that still runs. */
export const stopAll = () => {
  for (const child of running) stop(child);
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are spoken to in these
const COLOURS = /\u001b\[[0-9;?]*[A-Za-z]/g;
/** @param {string} text */
const stripColours = (text) => text.replace(COLOURS, '');

/**
 * Run a command to its end, whatever that is.
 * @param {string} command @param {readonly string[]} args @param {Options} options
 * @returns {Promise<Ended>}
 */
export async function run(command, args, options) {
  const { child, seen } = start(command, args, options);
  const timer = setTimeout(() => {
    seen.output += `\n${command} ${args.join(' ')} did not end in ${PATIENCE / 1000} s`;
    stop(child);
  }, PATIENCE);
  try {
    const [code] = await once(child, 'close');
    return { code, output: seen.output };
  } finally {
    clearTimeout(timer);
    stop(child);
  }
}

/**
 * Start a server, and wait until it says where it is.
 * @param {string} command @param {readonly string[]} args @param {Options} options
 * @param {RegExp} says Its first group, or all of it, is the address.
 * @returns {Promise<{ url: string, output: () => string, stop: () => void }>}
 */
export async function serve(command, args, options, says) {
  const { child, seen } = start(command, args, options);
  const end = Date.now() + PATIENCE / 4;
  let match = null;
  while (!match) {
    if (child.exitCode !== null || Date.now() > end) {
      stop(child);
      throw new Error(`${command} ${args.join(' ')} is no server:\n${seen.output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    match = says.exec(seen.output);
  }
  return { url: match[1] ?? match[0], output: () => seen.output, stop: () => stop(child) };
}
