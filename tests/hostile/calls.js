/* One hostile call after another, each followed by a training that must end on the same bits. Runs in a worker, so that one
 * that never ends can be told from outside. */
import { parentPort, workerData } from 'node:worker_threads';
import { init } from 'gradlock';
import { BASES } from './bases.js';
import { disposeFixture, isSpent, makeFixture, publicMethods, targetsOf } from './fixture.js';
import { HOSTILE } from './values.js';
import { verdictOf } from './verdict.js';

/** @typedef {import('./fixture.js').Fixture} Fixture */

/** Calls until a fixture is made anew: what one leaves behind the next may meet. */
const CALLS_A_FIXTURE = 25;

const { from, only, counter } = workerData;
const post = (/** @type {object} */ message) => parentPort?.postMessage(message);
process.on('unhandledRejection', () => {}); // of promises that hostile functions make

const [g, other] = [await init(), await init()];

const watched = g
  .variable([
    [1, 2],
    [3, 4],
  ])
  .lock([[0, 1]]);
const watchedLoss = g.compile(() =>
  g.mean(
    g.square(
      g.sub(watched, [
        [0, 1],
        [2, 5],
      ]),
    ),
  ),
);
/** A training that no other call may touch. */
const train = () => {
  watched.assign(
    [
      [1, 2],
      [3, 4],
    ],
    { force: true },
  );
  const adam = g.optimizers.adam({ learningRate: 0.1 });
  adam.minimize(watchedLoss, { variables: [watched], steps: 5 });
  adam.dispose();
  return `${watched.digest()} ${watched.locks.toIndices()}`;
};
const expected = train();

/**
 * Give back what a call answered with, however it lies in it.
 * @param {any} result
 */
const giveBack = (result, depth = 0) => {
  if (typeof result !== 'object' || result === null || depth > 3 || ArrayBuffer.isView(result))
    return;
  if (result === g || result === other) return;
  if (Object.getPrototypeOf(result) === Object.prototype || Array.isArray(result)) {
    for (const part of Object.values(result).slice(0, 50)) giveBack(part, depth + 1);
  } else if (typeof result.dispose === 'function') result.dispose();
};

/**
 * @param {Fixture} f
 * @param {string} method
 * @param {unknown[]} args
 */
const call = (f, method, args) => {
  const [target, name] = method.split('.');
  const object = /** @type {any} */ (targetsOf(f))[target];
  if (name.endsWith('=')) {
    object[name.slice(0, -1)] = args[0];
    return undefined;
  }
  const result = object[name](...args);
  // Functions that were given back are called too: what `grad` and initializers give.
  if (typeof result !== 'function') return result;
  return target === 'initializers'
    ? result([2, 2])
    : name === 'onChange'
      ? result()
      : result(name === 'grads' ? [f.x] : f.x);
};

/** Ways to call: plainly, and where something else is going on. */
/** @type {Record<string, (f: Fixture, body: () => unknown) => unknown>} */
const CONTEXTS = {
  'in compile': (f, body) =>
    g.compile(() => {
      giveBack(body());
      return g.sum(f.t);
    }),
  'in a tape': (f, body) =>
    g.tape(() => {
      giveBack(body());
      return g.sum(f.t);
    }),
  'in tidy': (_, body) => g.tidy(body),
  'in onStep': (f, body) => {
    const sgd = g.optimizers.sgd();
    try {
      return sgd.minimize(f.program, {
        variables: [f.x],
        steps: 3,
        onStep: () => giveBack(body()),
      });
    } finally {
      sgd.dispose();
    }
  },
  'in a predicate': (f, body) =>
    f.x.lock(() => {
      giveBack(body());
      return true;
    }),
  'when disposed': (f, body) => {
    for (const one of [
      f.x,
      f.t,
      f.locks,
      f.optimizer,
      f.lbfgs,
      f.levenbergMarquardt,
      f.program,
      f.tape,
    ])
      one.dispose();
    return body();
  },
};

const stats = {
  calls: 0,
  done: 0,
  typed: 0,
  typeErrors: 0,
  mine: 0,
  untyped: 0,
  traps: 0,
  corrupted: 0,
  leaks: 0,
};

/** @param {'untyped' | 'traps' | 'corrupted' | 'leaks'} kind @param {string} where @param {unknown} detail */
const report = (kind, where, detail) => {
  stats[kind]++;
  post({ finding: { kind, where, detail: String(detail).slice(0, 300) } });
};

/** @param {any} error */
const judge = (error, where = '') => {
  const verdict = verdictOf(error, where);
  if (verdict === 'traps') report(verdict, where, error.message);
  else if (verdict === 'untyped')
    report(verdict, where, error?.stack?.split('\n').slice(0, 3).join(' ') ?? error);
  else stats[verdict]++;
};

/** @param {string} where @param {() => unknown} body */
const attempt = (where, body) => {
  stats.calls++;
  try {
    const result = /** @type {any} */ (body());
    stats.done++;
    if (typeof result?.then === 'function') result.then(giveBack, () => {});
    else giveBack(result);
  } catch (error) {
    judge(error, where);
  }
  let digest;
  try {
    digest = train();
  } catch (error) {
    digest = String(error);
  }
  if (digest !== expected) report('corrupted', where, digest);
};

/**
 * What is tried of a method: each hostile value in each position and for each option, and the method in each context.
 * @param {string} method
 * @param {unknown[]} base
 */
const planOf = (method, base) => {
  /** @type {{ where: string, change?: (f: Fixture, args: unknown[]) => void, context?: string }[]} */
  const plan = [{ where: method }];
  for (let position = 0; position <= Math.min(base.length, 3); position++) {
    for (const [name, make] of Object.entries(HOSTILE)) {
      plan.push({
        where: `${method}, argument ${position}: ${name}`,
        change: (f, args) => {
          args[position] = make(f);
        },
      });
    }
    const given = base[position];
    const isOptions =
      typeof given === 'object' &&
      given !== null &&
      Object.getPrototypeOf(given) === Object.prototype;
    if (!isOptions) continue;
    for (const key of Object.keys(given)) {
      for (const [name, make] of Object.entries(HOSTILE)) {
        plan.push({
          where: `${method}, argument ${position}.${key}: ${name}`,
          change: (f, args) => {
            args[position] = { .../** @type {object} */ (args[position]), [key]: make(f) };
          },
        });
      }
    }
  }
  for (const context of Object.keys(CONTEXTS))
    plan.push({ where: `${method} ${context}`, context });
  return plan;
};

/**
 * Objects in memory once what JavaScript forgot was given back, which takes it a while: a
 * collection of everything is the dearest thing here, so it ends when no more is left than may be.
 */
const collected = async (/** @type {number} */ least) => {
  for (let i = 0; i < 100 && (i === 0 || g.memory().objects > least); i++) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return g.memory().objects;
};

/** Such counts ask for the work that they name. */
const isAskedFor = (/** @type {string} */ where) =>
  /(minimize, argument \d\.steps: (1e9|2\^32|2\^53|an array that says)|(zeros|ones)|permutation.*1e9)/i.test(
    where,
  );

let f = makeFixture(g, other);
const methods = publicMethods(f).filter((method) => !/^g\.dispose$/.test(method));
const without = methods.filter((method) => !(method in BASES));
const unknown = Object.keys(BASES).filter((method) => !methods.includes(method));
post({ methods: methods.length, without, unknown });

disposeFixture(f);
const objects = await collected(0);
let mostLeft = 0;
for (const [index, method] of methods.entries()) {
  if (index < from || !new RegExp(only).test(method) || !(method in BASES)) continue;
  Atomics.store(counter, 0, index);
  f = makeFixture(g, other);
  let used = 0;
  const plan = planOf(method, BASES[method](f)).filter(({ where }) => !isAskedFor(where));
  post({ plan: plan.map(({ where }) => where) });
  for (const [at, { where, change, context }] of plan.entries()) {
    Atomics.store(counter, 1, at);
    if (used++ === CALLS_A_FIXTURE || isSpent(f)) {
      disposeFixture(f);
      f = makeFixture(g, other);
      used = 0;
    }
    const fixture = f;
    const body = () => {
      const args = BASES[method](fixture);
      change?.(fixture, args);
      return call(fixture, method, args);
    };
    attempt(where, context ? () => CONTEXTS[context](fixture, body) : body);
  }
  disposeFixture(f);
  const left = (await collected(objects)) - objects;
  if (left > mostLeft) report('leaks', method, `${left} objects left`);
  mostLeft = Math.max(left, mostLeft);
  post({ stats });
}
post({ stats, finished: true });
