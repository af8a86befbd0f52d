/* Layers and formats × hostile values: what is refused is refused by a typed error, and changes nothing. Shown by what
 * follows: the next layers of the same `layers(g)` have the names and the weights that they would have had, and a model
 * trains on to the same bits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import * as formats from 'gradlock/formats';
import { disposeFixture, isSpent, makeFixture } from './fixture.js';
import {
  digestOfNext,
  OF_FORMATS,
  OF_MODELS,
  open as openOn,
  trained,
  trainOn,
  writeFiles,
} from './layers-cases.js';
import { HOSTILE } from './values.js';
import { verdictOf } from './verdict.js';

/** @typedef {any} Any */

/** Options of which hostile values are tried one by one; of others, the whole object. */
const CONFIG = {
  units: 2,
  filters: 2,
  kernelSize: 2,
  strides: 1,
  padding: 'same',
  poolSize: 2,
  rate: 0.5,
  axis: -1,
  activation: 'relu',
  kernelInitializer: 'zeros',
  kernelRegularizer: 'l2',
  kernelConstraint: 'nonNeg',
  layer: null,
  inputShape: [2, 2],
  targetShape: [4],
  batchInputShape: [2, 2, 2],
  dims: [2, 1],
  size: 2,
  scale: 2,
  inputDim: 4,
  outputDim: 2,
  dataFormat: 'channelsLast',
  momentum: 0.5,
  dtype: 'float32',
  weights: null,
  seed: 3,
  name: 'own',
  trainable: false,
};

/** Tried for each option; whole arguments meet all of them. */
const FEW =
  /^(undefined|null|NaN|-1|0\.5|2\^32|Infinity|true|a text|constructor|toString|__proto__|a symbol|a BigInt|an object|an object without prototype|an object that cannot be printed|an array|a sparse array|a deep array|an object that throws|a function that throws|a tensor|a dead tensor|a foreign tensor|fractions|a large shape|an object in itself)$/;
/** Values that ask for as much work as they get, and one whose promise nobody waits for. */
const ASKED = /says it is long|1e9|2\^53|an async function that throws/;
/** Calls that fail in code of the caller's after they took steps. */
const UNDER_WAY = /^fit, argument 2\.onProgress: a function that throws/;
const ASKED_OF_FIT = /^fit, argument 2\.epochs: 2\^32/;

const g = await init();
const other = await init();
let f = makeFixture(g, other);
/** What a hostile value disposed is made anew. */
const refresh = () => {
  if (!isSpent(f)) return;
  disposeFixture(f);
  f = makeFixture(g, other);
};

const open = () => openOn(g);
const files = writeFiles(g);

/** @type {{ calls: number, refused: number, wrong: string[] }} */
const counts = { calls: 0, refused: 0, wrong: [] };

/** What calls are made on, and what follows then. @typedef {{ nn: Any, net?: Any }} State */
/** @typedef {{ begin: () => State, digest: (state: State) => string, expected: string }} Scene */
/** @typedef {{ where: string, call: (state: State) => Any }} Call */

/** @param {State} state */
const end = ({ net }) => {
  net?.optimizer?.dispose();
  net?.dispose();
};

/** What a call is refused by, if it is. @param {State} state @param {Call} call */
const errorOf = async (state, { call }) => {
  refresh();
  try {
    await call(state);
    return undefined;
  } catch (thrown) {
    return { thrown };
  }
};

/** What follows after calls on a state of their own, each of which is refused. @param {Scene} scene @param {Call[]} calls */
const digestAfter = async ({ begin, digest }, calls) => {
  const state = begin();
  for (const call of calls) {
    if (!(await errorOf(state, call))) counts.wrong.push(`${call.where}: not refused again`);
  }
  const found = digest(state);
  end(state);
  return found;
};

/**
 * Make calls, then those that were refused once more, all on one state: what follows is as if none had been made. If it is
 * not, each is made alone.
 * @param {Scene} scene
 * @param {Iterable<Call>} calls
 */
const attempt = async (scene, calls) => {
  /** @type {Call[]} */
  const refused = [];
  let state = scene.begin();
  for (const call of calls) {
    counts.calls++;
    const error = await errorOf(state, call);
    if (!error || UNDER_WAY.test(call.where)) {
      end(state);
      state = scene.begin();
    }
    if (!error) continue;
    counts.refused++;
    if (!UNDER_WAY.test(call.where)) refused.push(call);
    const verdict = verdictOf(error.thrown, call.where);
    if (verdict === 'untyped' || verdict === 'traps') {
      const [first, second] = String(/** @type {Any} */ (error.thrown)?.stack).split('\n');
      counts.wrong.push(`${call.where}: ${verdict}: ${`${first} ${second}`.slice(0, 200)}`);
    }
  }
  end(state);
  const { expected } = scene;
  if ((await digestAfter(scene, refused)) === expected) return;
  const before = counts.wrong.length;
  for (const call of refused) {
    const found = await digestAfter(scene, [call]);
    if (found !== expected)
      counts.wrong.push(`${call.where}: what follows is another\n${found}\n${expected}`);
  }
  if (counts.wrong.length === before)
    counts.wrong.push(`what follows ${refused.map(({ where }) => where)} is another`);
};

const report = () => {
  const { calls, refused, wrong } = counts;
  Object.assign(counts, { calls: 0, refused: 0, wrong: [] });
  console.log(`${calls} calls, ${refused} refused`);
  assert.ok(refused > calls / 10, 'most calls were not refused: the values are not hostile');
  assert.equal(wrong.length, 0, `${wrong.length}\n${wrong.slice(0, 20).join('\n')}`);
};

const makers = Object.getOwnPropertyNames(open()).filter(
  (name) => typeof open()[name] === 'function',
);
const EXTRA = [
  'input',
  'model',
  'sequential',
  'modelFromJSON',
  'lambda',
  'initializer',
  'registerClass',
];

/** Options that each maker knows. @type {Map<string, string[]>} */
const known = new Map();

/** A configuration of all the options above that a maker knows. @param {Any} nn @param {string} name */
const configOf = (nn, name) => {
  const given = /** @type {Any} */ ({ ...CONFIG, layer: nn.dense({ units: 1, name: 'inner' }) });
  const keys =
    known.get(name) ??
    Object.keys(given).filter((key) => {
      try {
        open()[name]({ [key]: given[key] });
        return true;
      } catch (error) {
        return !/no option/.test(String(error));
      }
    });
  known.set(name, keys);
  return Object.fromEntries(keys.map((key) => [key, given[key]]));
};

/** Hostile values instead of all options of a maker, and of each that it knows. @param {string} name @returns {Generator<Call>} */
function* callsOf(name) {
  for (const [what, make] of Object.entries(HOSTILE)) {
    if (ASKED.test(what)) continue;
    yield { where: `${name}(${what})`, call: ({ nn }) => nn[name](make(f)) };
    if (!FEW.test(what) || EXTRA.includes(name)) continue;
    for (const key of Object.keys(configOf(open(), name))) {
      yield {
        where: `${name}({ ${key}: ${what} })`,
        call: ({ nn }) => nn[name]({ ...configOf(nn, name), [key]: make(f) }),
      };
    }
  }
}

test('makers of layers and models refuse hostile values by typed errors, and what is made next is the same', async () => {
  const begin = () => ({ nn: open() });
  const digest = (/** @type {State} */ { nn }) => digestOfNext(nn);
  const scene = { begin, digest, expected: digest(begin()) };
  for (const name of new Set([...makers, ...EXTRA])) await attempt(scene, callsOf(name));
  report();
});

/**
 * Each hostile value instead of each argument, and of each option.
 * @param {unknown[]} base
 * @returns {Generator<[where: string, change: (args: Any[]) => unknown]>}
 */
function* changesOf(base) {
  for (const [what, make] of Object.entries(HOSTILE)) {
    if (ASKED.test(what)) continue;
    for (const [position, given] of base.entries()) {
      yield [`argument ${position}: ${what}`, (args) => args.splice(position, 1, make(f))];
      const isOptions =
        typeof given === 'object' &&
        given !== null &&
        Object.getPrototypeOf(given) === Object.prototype;
      if (!isOptions || !FEW.test(what)) continue;
      for (const key of Object.keys(/** @type {object} */ (given))) {
        const where = `argument ${position}.${key}: ${what}`;
        yield [where, (args) => args.splice(position, 1, { ...args[position], [key]: make(f) })];
      }
    }
  }
}

for (const [title, methods] of Object.entries({ models: OF_MODELS, formats: OF_FORMATS })) {
  test(`methods of ${title} refuse hostile values by typed errors, and training goes on to the same bits`, async () => {
    const begin = () => {
      const nn = open();
      return { nn, net: trained(nn) };
    };
    const digest = (/** @type {State} */ { nn, net }) => `${trainOn(net)} ${digestOfNext(nn)}`;
    const scene = { begin, digest, expected: digest(begin()) };
    for (const [name, base] of Object.entries(methods)) {
      const { nn, net } = begin();
      const calls = [...changesOf(base(nn, net, files))].map(([change, make]) => ({
        where: `${name}, ${change}`,
        call: (/** @type {State} */ state) => {
          const args = base(state.nn, state.net, files);
          make(args);
          const target = title === 'models' ? state.net : /** @type {Any} */ (formats);
          return target[name](...args);
        },
      }));
      await attempt(
        scene,
        calls.filter(({ where }) => !ASKED_OF_FIT.test(where)),
      );
    }
    report();
  });
}
