/* `make hostile`: every public method × hostile values in every argument, with a fixed training after each call. Prints what came
 * of it and fails unless each call ended, in a typed error or well, and changed nothing else. ONLY='regexp' picks methods.
 * RECORD names the build, whose results go to docs/reliability.md. */
import { Worker } from 'node:worker_threads';
import { fileURLToPath } from 'node:url';
import { record, table } from '../reliability/report.js';
import { internalButDeclared } from './fixture.js';

/** Seconds without a new call, after which one counts as endless: on a loaded machine, 30 were too few. */
const PATIENCE = 600;

const only = process.env.ONLY ?? '';
/** The method whose calls are made, and which of them: a message for each call costs more than most calls. */
const counter = new Int32Array(new SharedArrayBuffer(8));
/** @type {Map<string, { kind: string, where: string, detail: string, count: number }>} */
const findings = new Map();
/** @type {Record<string, number>} */
const total = {};
let known = {
  methods: 0,
  without: /** @type {string[]} */ ([]),
  unknown: /** @type {string[]} */ ([]),
};
let hangs = 0;

/**
 * Make calls from a method on, until all are made or one never ends.
 * @param {number} from
 * @returns {Promise<boolean>} Whether all were made.
 */
const run = (from) =>
  new Promise((resolve) => {
    const worker = new Worker(new URL('./calls.js', import.meta.url), {
      workerData: { from, only, counter },
    });
    let [seen, since, finished] = [-1, Date.now(), false];
    /** @type {string[]} */
    let plan = [];
    const now = () => plan[Atomics.load(counter, 1)] ?? 'what comes before all calls';
    /** @type {Record<string, number>} */
    let stats = {};
    const end = () => {
      clearInterval(watch);
      for (const [name, count] of Object.entries(stats)) total[name] = (total[name] ?? 0) + count;
      resolve(finished);
    };
    const watch = setInterval(() => {
      if (seen !== Atomics.load(counter, 1)) {
        [seen, since] = [Atomics.load(counter, 1), Date.now()];
      }
      if (Date.now() - since < PATIENCE * 1000) return;
      clearInterval(watch);
      hangs++;
      console.log(`never ended: ${now()}`);
      worker.removeAllListeners('exit');
      worker.terminate().then(end);
    }, 1000);
    worker.on('message', (message) => {
      since = Date.now();
      if (message.plan) plan = message.plan;
      if (message.methods) known = message;
      if (message.stats) stats = message.stats;
      if (message.finished) finished = true;
      if (!message.finding) return;
      const { kind, where, detail } = message.finding;
      const key = `${kind} ${where.split(/[, ]/)[0]} ${detail.slice(0, 60)}`;
      const found = findings.get(key) ?? { kind, where, detail, count: 0 };
      found.count++;
      findings.set(key, found);
      if (found.count === 1) console.log(`${kind}: ${where}\n    ${detail}`);
    });
    worker.on('error', (error) => {
      hangs++;
      console.log(`ended the worker: ${now()}\n    ${error.stack}`);
    });
    worker.on('exit', end);
  });

for (let from = 0; !(await run(from)) && hangs < 20; ) from = Atomics.load(counter, 0) + 1;

const declared = internalButDeclared(fileURLToPath(new URL('../../build/types', import.meta.url)));
console.log(
  `methods ${known.methods}, of these without base arguments ${known.without.length} ${known.without.join(' ')}`,
);
if (known.unknown.length > 0)
  console.log(`base arguments of no method: ${known.unknown.join(' ')}`);
if (declared.length > 0) console.log(`internal, but declared: ${declared.join(' ')}`);
console.log(
  `calls ${total.calls}: done ${total.done}, typed errors ${total.typed}, TypeErrors that say what was given ` +
    `${total.typeErrors}, the caller's own errors ${total.mine}`,
);
console.log(
  `untyped ${total.untyped}, traps ${total.traps}, later trainings changed ${total.corrupted}, methods that left objects ` +
    `${total.leaks}, calls that never ended ${hangs}`,
);
if (process.env.RECORD && !only) {
  const { methods } = known;
  const { calls, done, untyped, traps, corrupted, leaks } = total;
  const typed = total.typed + total.typeErrors;
  const bad = [untyped, traps, corrupted, leaks, hangs];
  const row = [methods, calls, done, typed, total.mine, ...bad].map((n) => n.toLocaleString('en'));
  const outcomes = ['done', 'refused', "the caller's own errors", 'untyped errors', 'traps'];
  const later = ['later trainings that changed', 'objects left', 'without end'];
  record(
    `make hostile, ${process.env.RECORD}`,
    table(['methods', 'calls', ...outcomes, ...later], [row]),
  );
}
const bad = total.untyped + total.traps + total.corrupted + total.leaks + hangs;
if (bad + known.without.length + known.unknown.length + declared.length > 0) process.exit(1);
