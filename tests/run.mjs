/**
 * Runs tests: `node tests/run.mjs quick|test|all` a tier (tests/tiers.js), `node tests/run.mjs FILE...` these files.
 *
 * Each file has a process of its own, twice as many at a time as there are cores, for pages wait for the screen most of
 * the time. Browsers take seconds to start, so this process launches them, when the first file asks, and lends each to one
 * file at a time (tests/browser/lease.js). Sites are served by each file from a port of its own: that costs nothing, and
 * separates what pages of different files store.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lendBrowsers } from './browser/lender.js';
import { STEADY } from './js/steady.js';
import { jobsOf } from './tiers.js';

/** Hangs end after 50 minutes: the slowest file on a machine with eight times the load took 7. */
const LIMIT = 3_000_000;
/** Where nobody watches a line that changes, milliseconds from one line to the next. */
const PERIOD = 15_000;

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'gradlock-reports-'));
const REPORTERS = ['spec', new URL('reporter.mjs', import.meta.url).href].flatMap((name) => [
  `--test-reporter=${name}`,
  '--test-reporter-destination=stdout',
]);
/** Seconds of each job in the last run: the longest start first. */
const timesFile = `${root}build/tests/seconds.json`;

/** @typedef {import('./tiers.js').Job} Job */
/** @typedef {{ name: string, failed: boolean, error: string }} Result */

/** @type {Record<string, number>} */
let known = {};
try {
  known = JSON.parse(readFileSync(timesFile, 'utf8'));
} catch {}
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const jobs = jobsOf(process.argv.slice(2));
if (jobs.length === 0) throw Error('node tests/run.mjs quick|test|all [FOLDER...], or FILE...');
const waiting = jobs
  .map((job, i) => ({ job, weight: known[job.name] ?? job.weight, i }))
  .sort((a, b) => b.weight - a.weight || a.i - b.i)
  .map(({ job }) => job);
const { url, close } = await lendBrowsers();

/** @type {Set<Job>} */
const running = new Set();
/** @type {{ job: Job, seconds: number, results: Result[], failed: boolean }[]} */
const ended = [];
const start = performance.now();
const clock = setInterval(() => process.stdout.isTTY || sayWhereWeAre(), PERIOD);
await Promise.all(Array.from({ length: 2 * availableParallelism() }, runAll));
clearInterval(clock);
await close();
summarize();
process.exit(ended.length === jobs.length && ended.every(({ failed }) => !failed) ? 0 : 1);

async function runAll() {
  for (let job = waiting.shift(); job; job = waiting.shift()) {
    running.add(job);
    if (process.stdout.isTTY) sayWhereWeAre();
    await runOne(job);
    running.delete(job);
  }
}

/** @param {Job} job */
async function runOne(job) {
  const report = `${folder}/${jobs.indexOf(job)}.jsonl`;
  const env = { ...process.env, ...job.env, GRADLOCK_BROWSERS: url, REPORT: report };
  const args = [...STEADY, '--test-force-exit', ...REPORTERS, ...job.options, job.file];
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LIMIT,
    killSignal: 'SIGKILL',
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = (performance.now() - began) / 1000;
  const results = resultsOf(report);
  const failed = code !== 0 || results.length === 0 || results.some((one) => one.failed);
  ended.push({ job, seconds, results, failed });
  if (failed) print(`\n✖ ${job.name} (exit ${code})\n${output}`);
}

/** @param {string} report @returns {Result[]} */
function resultsOf(report) {
  try {
    return readFileSync(report, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
}

/** @param {string} text */
function print(text) {
  if (process.stdout.isTTY) process.stdout.write('\r\x1b[K');
  console.log(text);
}

function sayWhereWeAre() {
  const tests = ended.reduce((sum, { results }) => sum + results.length, 0);
  const failed = ended.filter((one) => one.failed).length;
  const names = [...running].map(({ name }) => name.replace(/^tests\//, '')).join(', ');
  const line = `${minutes()}  ${ended.length} of ${jobs.length} files, ${tests} tests, ${failed} failed; now ${names}`;
  if (!process.stdout.isTTY) console.log(line);
  else process.stdout.write(`\r\x1b[K${line.slice(0, process.stdout.columns - 1)}`);
}

function minutes() {
  const seconds = Math.round((performance.now() - start) / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function summarize() {
  const seconds = Object.fromEntries(ended.map((one) => [one.job.name, +one.seconds.toFixed(1)]));
  mkdirSync(`${root}build/tests`, { recursive: true });
  writeFileSync(timesFile, JSON.stringify({ ...known, ...seconds }, null, 1));
  const bySeconds = (/** @type {{ seconds: number }} */ a, /** @type {{ seconds: number }} */ b) =>
    b.seconds - a.seconds;
  print('\nThe slowest files, in seconds:');
  for (const one of ended.sort(bySeconds).slice(0, 20)) {
    console.log(`${one.seconds.toFixed(1).padStart(7)}  ${one.job.name}`);
  }
  /** @type {Record<string, number>} */
  const folders = {};
  for (const { job, seconds } of ended) folders[job.folder] = (folders[job.folder] ?? 0) + seconds;
  const sums = Object.entries(folders).sort(([, a], [, b]) => b - a);
  console.log(`By folder: ${sums.map(([name, sum]) => `${name} ${sum.toFixed(0)}`).join(', ')}`);
  const results = ended.flatMap((one) => one.results);
  const failures = ended.filter((one) => one.failed);
  if (failures.length > 0) console.log('\nWhat failed:');
  for (const { job, results } of failures) {
    const names = results.filter((one) => one.failed).map(({ name, error }) => `${name}: ${error}`);
    for (const name of names.length > 0 ? names : ['no test of it came to an end']) {
      console.log(`✖ ${job.name}: ${name}`);
    }
  }
  const count = results.filter((one) => one.failed).length;
  console.log(
    `\n${results.length - count} tests passed, ${count} failed, in ${ended.length} files and ${minutes()} minutes`,
  );
}
