/**
 * `make mutants`: makes COUNT small changes to C and to JavaScript at random, drawn from SEED, one
 * at a time, and runs the tests that reach the changed line, the quickest first, until one fails.
 * Works on copies of the tree, one for each of JOBS. Started again, it goes on where it was stopped;
 * RETRY=1 tries survivors again. Survivors are listed in build/mutants/survivors.txt; those that
 * change nothing that anyone can see are listed with the reason in equal-mutants.txt.
 *
 * Tests are the programs of tests/c and the JavaScript of `make quick`, run on the sources; what
 * survives of C is tried by these files in the module, too. What still survives is tried by the
 * rest of tests/js and tests/web, C in the module. Files that none of these tests loads are left
 * out (src/c/bind, src/js/grid, most of web/view), and lines of web that only a browser runs.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { drawer } from '../fuzz/draw.js';
import { codeOnly, mutationsOf } from './mutate.js';
import { changedAt, commandOf, reachOf, run, testsOfJavaScript } from './reach.js';
import { jobsOf } from '../tiers.js';
import { record, table } from './report.js';

/** @typedef {import('./reach.js').Reach} Reach */
/** @typedef {{ area: string, path: string, line: number, from: string, to: string }} Mutant */
/** @typedef {Mutant & { verdict: string }} Tried */

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = `${root}build/mutants`;
const { COUNT = '500', SEED = '1', JOBS = '1' } = process.env;
const BROKEN = 'does not compile';
const UNREACHED = 'reached by no test';
/** C again, as JavaScript has it: with golden values of the peers, and pages of 1,024 elements. */
const MODULE = { file: 'build/wasm/gradlock.wasm', loads: 'src/js/wasm/bridge.js' };
const AREAS = [
  { name: 'src/c', is: /^src\/c\/(?!bind\/).*\.[ch]$/, share: 2 },
  { name: 'src/js', is: /^src\/js\/.*\.js$/, share: 1 },
  { name: 'web', is: /^web\/(?!strings\/).*\.js$/, share: 1 },
];

/** Copies the tree and what C is built from. @param {string} tree */
const copyTree = (tree) => {
  rmSync(tree, { recursive: true, force: true }); // It may hold a mutant, and what was built of it.
  mkdirSync(`${tree}/build/obj`, { recursive: true });
  const list = 'git ls-files -z -co --exclude-standard | tar --null --ignore-failed-read -T - -c';
  execFileSync('sh', ['-c', `${list} | tar -x -C "${tree}"`], { cwd: root });
  const options = { recursive: true, preserveTimestamps: true };
  const parts = ['obj/coverage', 'obj/native', 'obj/emscripten', 'tests/coverage'];
  for (const part of [...parts, 'wasm', 'npm', 'types'])
    cpSync(`${root}build/${part}`, `${tree}/build/${part}`, options);
  symlinkSync(`${root}node_modules`, `${tree}/node_modules`);
};

const trees = Array.from({ length: Number(JOBS) }, (_, i) => `${folder}/tree${i}`);
for (const tree of trees) copyTree(tree);

const programs = readdirSync(`${root}build/tests/coverage`)
  .filter((name) => /^test_\w+$/.test(name))
  .map((name) => `build/tests/coverage/${name}`);
const quick = jobsOf(['quick', 'js', 'web']).map(({ file }) => file);
const long = testsOfJavaScript(root, ['js', 'web']).filter((test) => !quick.includes(test));

const reachFile = `${folder}/reach.json`;
/** @type {Record<string, { at: number, reach: Reach | null }>} */
const kept = existsSync(reachFile) ? JSON.parse(readFileSync(reachFile, 'utf8')) : {};

/**
 * Finds out which lines each test reaches, and keeps it until the test or one of these files changes.
 * @param {string[]} tests
 */
const readReaches = async (tests) => {
  for (const test of tests) {
    const { at = 0, reach: known } = kept[test] ?? {};
    const files = [test, ...Object.keys(known?.lines ?? {})];
    if (files.every((file) => changedAt(`${trees[0]}/${file}`) <= at)) continue;
    const now = Date.now();
    const reach = await reachOf(String(trees[0]), test);
    console.log(`  ${test}: ${reach ? `${(reach.ms / 1000).toFixed(1)} s` : 'fails, left out'}`);
    kept[test] = { at: now, reach };
    writeFileSync(reachFile, JSON.stringify(kept));
  }
  return tests.flatMap((test) => kept[test]?.reach ?? []).sort((a, b) => a.ms - b.ms);
};
const quickReaches = await readReaches([...programs, ...quick]);
const loaded = new Set(quickReaches.flatMap(({ lines }) => Object.keys(lines)));
const laws = await readReaches(['tests/js/laws.test.js']);
/** @param {string} path @param {number} line */
const isReached = (path, line) => quickReaches.some(({ lines }) => lines[path]?.includes(line));

/** Lines that can be changed, by area. */
const sites = AREAS.map(({ is }) =>
  [...loaded]
    .filter((path) => is.test(path))
    .sort()
    .flatMap((path) => {
      const source = readFileSync(`${trees[0]}/${path}`, 'utf8');
      const code = codeOnly(source).split('\n');
      return source.split('\n').flatMap((from, i) => {
        const ways = mutationsOf(from, String(code[i]));
        const isOurs = !path.startsWith('web/') || isReached(path, i + 1);
        return ways.length && isOurs ? [{ path, line: i + 1, from, ways }] : [];
      });
    }),
);

/** Draws the mutant of a number: its area comes from the number alone. @param {number} number */
const drawMutant = (number) => {
  const draw = drawer(Number(SEED) * 1_000_003 + number);
  const turns = AREAS.flatMap(({ share }, at) => Array(share).fill(at));
  const area = turns[number % turns.length];
  const { ways, ...site } = sites[area][draw(sites[area].length)];
  return { area: AREAS[area].name, ...site, to: ways[draw(ways.length)] };
};

/** @param {Mutant} mutant */
const keyOf = ({ path, from, to }) => `${path}: \`${from.trim()}\` → \`${to.trim()}\``;
const equal = readFileSync(new URL('equal-mutants.txt', import.meta.url), 'utf8').split('\n');
/** @param {Mutant} mutant */
const isEqual = (mutant) => equal.some((line) => line.startsWith(`${keyOf(mutant)}: `));

/**
 * Changes a line, runs tests that reach it, and puts the line back.
 * @param {string} tree
 * @param {Mutant} mutant
 * @param {Reach[]} reaches Of the tests to choose from.
 */
const judge = async (tree, { path, line, to }, reaches) => {
  const file = `${tree}/${path}`;
  const before = readFileSync(file, 'utf8');
  const lines = before.split('\n');
  lines[line - 1] = to;
  writeFileSync(file, lines.join('\n'));
  const call = (/** @type {string[]} */ command, limit = 3_600_000) =>
    run(command, { cwd: tree, env: { LLVM_PROFILE_FILE: '/dev/null' }, limit });
  const makes = async (/** @type {string} */ target) =>
    (await call(['make', '--old-file=setup', target])).status === 0; // Setup is done by now.
  let hasModule = false;
  try {
    if (path.endsWith('.js') && (await call(['node', '--check', file])).status !== 0) return BROKEN;
    const isC = !path.endsWith('.js');
    let near = reaches.filter((reach) => reach.lines[path]?.includes(line));
    // Tables and declarations of C have no counters: any program may read them.
    if (isC && !near.length) near = reaches.filter(({ test }) => !test.endsWith('.js'));
    // What survives plain programs is tried again by the ten quickest under the sanitizers.
    const under = near.filter(({ test }) => test.includes('/coverage/')).slice(0, 10);
    const native = under.map(({ test, ms }) => ({ test: test.replace('coverage', 'native'), ms }));
    const ofModule = isC ? reaches.filter(({ lines }) => lines[MODULE.loads]) : [];
    for (const { test, ms } of [...near, ...ofModule, ...native]) {
      const target = test.endsWith('.js') ? MODULE.file : test;
      if (isC && !(hasModule && target === MODULE.file) && !(await makes(target))) return BROKEN;
      hasModule ||= isC && target === MODULE.file;
      // A hang counts as killed: nothing takes twenty times as long by itself.
      if ((await call(commandOf(test), 60_000 + 20 * ms)).status !== 0) return test;
    }
    return near.length || isC ? 'survived' : UNREACHED;
  } finally {
    writeFileSync(file, before);
    // Its object is older than the source, so that the next one to need the module makes it anew.
    if (hasModule) cpSync(`${root}${MODULE.file}`, `${tree}/${MODULE.file}`);
  }
};

/** What was tried, by what is changed into what. @type {Map<string, Tried>} */
const all = new Map();
const isAlive = ({ verdict = '' }) => verdict === 'survived' || verdict === UNREACHED;

const journal = `${folder}/tried-${SEED}.jsonl`;
if (existsSync(journal)) {
  for (const text of readFileSync(journal, 'utf8').trim().split('\n')) {
    /** @type {Tried} */
    const tried = JSON.parse(text);
    // What an earlier run tried counts as long as its line is there, wherever it is by now.
    const file = `${trees[0]}/${tried.path}`;
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
    const at = lines[tried.line - 1] === tried.from ? tried.line : lines.indexOf(tried.from) + 1;
    const verdict = isEqual(tried) ? 'equal' : tried.verdict;
    if (at > 0) all.set(keyOf(tried), { ...tried, line: at, verdict });
  }
}

/** @param {string} tree @param {Mutant} mutant @param {Reach[]} reaches */
const attempt = async (tree, mutant, reaches) => {
  const verdict = isEqual(mutant) ? 'equal' : await judge(tree, mutant, reaches);
  all.set(keyOf(mutant), { ...mutant, verdict });
  appendFileSync(journal, `${JSON.stringify({ ...mutant, verdict })}\n`);
  console.log(`  ${mutant.path}:${mutant.line}: ${verdict}`);
};

/** Records the table, and lists the survivors. */
const report = () => {
  const tried = [...all.values()].filter(({ verdict }) => verdict && verdict !== BROKEN);
  const rows = [...AREAS.map(({ name }) => name), 'all'].map((name) => {
    const ours = tried.filter(({ area }) => name === 'all' || area === name);
    const same = ours.filter(({ verdict }) => verdict === 'equal').length;
    const alive = ours.filter(isAlive).length;
    const killed = ours.length - same - alive;
    const share = `${((100 * killed) / (killed + alive || 1)).toFixed(1)} %`;
    return [name, ours.length, same, killed, alive, share];
  });
  const survivors = tried.filter(isAlive).map((mutant) => {
    const { path, line, from, to, verdict } = mutant;
    return `${keyOf(mutant)}\n${path}:${line}: ${verdict}\n-${from}\n+${to}\n`;
  });
  writeFileSync(`${folder}/survivors.txt`, survivors.join('\n'));
  const counts = ['mutants', 'judged equal', 'killed', 'survived', 'killed of those not equal'];
  record('make mutants', table(['area', ...counts], rows));
};

/** Mutants yet to be tried: earlier survivors on demand, then new ones until there are COUNT. */
const open = function* () {
  if (process.env.RETRY) yield* [...all.values()].filter(isAlive);
  const count = () => [...all.values()].filter(({ verdict }) => verdict !== BROKEN).length;
  for (let number = 0; count() < Number(COUNT); number++) {
    const mutant = drawMutant(number);
    if (all.has(keyOf(mutant))) continue;
    all.set(keyOf(mutant), { ...mutant, verdict: '' });
    yield mutant;
  }
};
const turns = open();
await Promise.all(
  trees.map(async (tree) => {
    for (const mutant of turns) {
      await attempt(tree, mutant, [...quickReaches, ...laws]);
      report(); // A run that is stopped leaves its figures.
    }
  }),
);
report();

/** Survivors; the long tests come last, since they take minutes. */
const alive = [...all.values()].filter(isAlive);
if (alive.length > 0) {
  const longReaches = await readReaches(long);
  const rest = alive.values();
  await Promise.all(
    trees.map(async (tree) => {
      for (const mutant of rest) await attempt(tree, mutant, longReaches);
    }),
  );
  report();
}
for (const tree of trees) rmSync(tree, { recursive: true });
