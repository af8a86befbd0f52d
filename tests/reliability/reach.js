/* Which tests reach which lines: of C by clang's counters, of JavaScript by V8's. */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @typedef {{ status: number | null, output: string, ms: number }} Outcome */

/**
 * Runs a program and all that it starts; one that does not end in time is ended.
 * @param {string[]} command
 * @param {{ cwd: string, env?: object, limit?: number }} options `limit` in ms
 * @returns {Promise<Outcome>}
 */
export const run = ([program = '', ...args], { cwd, env = {}, limit = 3_600_000 }) =>
  new Promise((resolve) => {
    const begin = Date.now();
    const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, detached: true });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => {
        output = (output + text).slice(-1e6);
      });
    const end = () => {
      try {
        process.kill(-Number(child.pid), 'SIGKILL');
      } catch {} // It has ended.
    };
    const timer = setTimeout(end, limit);
    child.on('exit', (status) => {
      clearTimeout(timer);
      end();
      resolve({ status, output, ms: Date.now() - begin });
    });
  });

/** @typedef {{ test: string, ms: number, lines: Record<string, number[]> }} Reach */

/** Test files with this need a browser. */
const OF_BROWSERS = /(browsers|visit|chromium|firefox|webkit|page|harness|site|screenshots)\.js'/;

/**
 * Test files of JavaScript that need no browser, by their paths in a tree.
 * @param {string} tree
 * @param {string[]} folders In tests.
 */
export const testsOfJavaScript = (tree, folders) =>
  folders.flatMap((folder) =>
    readdirSync(`${tree}/tests/${folder}`)
      .filter((name) => name.endsWith('.test.js'))
      .map((name) => `tests/${folder}/${name}`)
      .filter((file) => !OF_BROWSERS.test(readFileSync(`${tree}/${file}`, 'utf8'))),
  );

/** How a test is run; programs that use up the memory are no danger. @param {string} test */
export const commandOf = (test) =>
  test.endsWith('.js')
    ? ['node', '--conditions=source', '--max-old-space-size=2048', '--single-threaded-gc', test]
    : ['sh', '-c', test.includes('/native/') ? test : `ulimit -v 8000000; exec ${test}`];

/**
 * Runs a test and finds the lines of sources that it reaches; null if it fails.
 * @param {string} tree
 * @param {string} test A file of JavaScript or a program, by its path in the tree.
 * @returns {Promise<Reach | null>}
 */
export const reachOf = async (tree, test) => {
  const folder = `${tree}/build/reach`;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const env = { NODE_V8_COVERAGE: folder, LLVM_PROFILE_FILE: `${folder}/raw` };
  const { status, ms } = await run(commandOf(test), { cwd: tree, env });
  if (status !== 0) return null;
  return { test, ms, lines: test.endsWith('.js') ? ofV8(tree, folder) : ofClang(tree, test) };
};

/** @param {string} tree @param {string} program */
const ofClang = (tree, program) => {
  const [raw, data] = [`${tree}/build/reach/raw`, `${tree}/build/reach/data`];
  execFileSync('llvm-profdata', ['merge', '-sparse', raw, '-o', data]);
  const args = ['export', '-format=lcov', `-instr-profile=${data}`, `${tree}/${program}`];
  const lcov = execFileSync('llvm-cov', args, { encoding: 'utf8', maxBuffer: 2 ** 30 });
  /** @type {Record<string, number[]>} */
  const lines = {};
  for (const file of lcov.split('end_of_record')) {
    const [, path] = /^SF:.*\/(src\/c\/.*)$/m.exec(file) ?? [];
    if (!path) continue;
    lines[path] = [...file.matchAll(/^DA:(\d+),([1-9]\d*)$/gm)].map(([, line]) => Number(line));
  }
  return lines;
};

/** @param {string} tree @param {string} folder */
const ofV8 = (tree, folder) => {
  /** @type {Record<string, Set<number>>} */
  const found = {};
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')).result) {
      if (!url.startsWith('file:')) continue;
      const file = fileURLToPath(url);
      const path = file.slice(tree.length + 1);
      if (!file.startsWith(tree) || !/^(src\/js|web)\//.test(path) || !existsSync(file)) continue;
      const source = readFileSync(file, 'utf8');
      // Later and inner ranges say more; each overwrites what the one around it says.
      const isRun = new Uint8Array(source.length);
      for (const { ranges } of functions)
        for (const { startOffset, endOffset, count } of ranges)
          isRun.fill(Math.min(count, 1), startOffset, endOffset);
      found[path] ??= new Set();
      let at = 0;
      for (const [i, line] of source.split('\n').entries()) {
        if (isRun[at + line.search(/\S|$/)]) found[path].add(i + 1);
        at += line.length + 1;
      }
    }
  }
  return Object.fromEntries(Object.entries(found).map(([path, lines]) => [path, [...lines]]));
};

/** When a file was changed; Infinity if it is gone. @param {string} file */
export const changedAt = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
