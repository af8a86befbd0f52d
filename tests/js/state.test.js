/* Tier: test. */
/* States of optimizers: a run that is stopped after any step and goes on elsewhere, from bytes,
 * from an object, through JSON, a structured clone or another process, ends on the same bytes; what
 * is no such state is refused and changes nothing. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init, LockedElementError, OptionError, RecordingError } from 'gradlock';
import { assertMessages } from './messages.js';
import { RULES } from './rules.js';
import { digest, model } from './states/model.js';
import { bitsOf, fromBits, random, settle } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').RuleName} RuleName */

const STEPS = 14;

/** @type {Record<string, (g: Gradlock) => Record<string, unknown>>} */
const OPTIONS = {
  plain: () => ({}),
  reset: () => ({ onUnlock: 'reset', weightDecay: 0.01 }),
  scheduled: (g) => ({
    learningRate: g.schedules.cosineDecay({ initialLearningRate: 0.1, decaySteps: 11 }),
    clipNorm: 0.5,
  }),
  averaged: () => ({ useEma: true, emaOverwriteFrequency: 4, globalClipNorm: 1 }),
  accumulated: () => ({ gradientAccumulationSteps: 3, clipValue: 0.1 }),
};

/**
 * A model with everything that a run can depend on: dropout, holders, policies, constraints, rates
 * of its own.
 * @param {Gradlock} g
 * @param {RuleName} rule
 * @param {string} options
 */
const make = (g, rule, options) => {
  const next = random(5);
  const draw = (/** @type {number} */ n) => Float32Array.from({ length: n }, () => next() - 0.5);
  const w = g.variable(draw(12), { shape: [4, 3], name: 'w' });
  const b = g.variable(draw(3), { name: 'b' });
  const [x, y] = [g.tensor(draw(20), [5, 4]), g.tensor(draw(15), [5, 3])];
  const dropped = g.random(3);
  const loss = g.compile(() => {
    const hidden = g.add(g.matMul(g.dropout(x, 0.3, dropped), w), b);
    return g.mean(g.square(g.sub(hidden, y)));
  });
  const optimizer = g.optimizers[rule](OPTIONS[options]?.(g));
  w.locks.holder('few').policy({ trainOnly: { topK: { k: 9, by: 'gradient' } }, every: 2 });
  w.locks.holder('chance').policy({ lock: { random: { fraction: 0.2, seed: 7 } }, every: 3 });
  b.locks.holder('plan').policy({ at: [2, 9], lock: [[0], [1]] });
  w.locks.holder('pin').lock([5]);
  optimizer.constrain(w, { min: -0.4, max: 0.6 }).constrain(b, { maxNorm: 3 });
  optimizer.scaleLearningRate(b, [0.5, 1, 0]).excludeFromWeightDecay(b);
  return { g, w, b, loss, optimizer, also: [loss, dropped], variables: [w, b] };
};

/** @param {ReturnType<typeof make>} model @param {number} step */
const advance = ({ w, b, loss, optimizer, variables }, step) => {
  if (step % 3 === 1) w.toggle([step % 12, (5 * step) % 12]);
  if (step % 5 === 2) b.toggle([step % 3]);
  optimizer.minimize(loss, { variables });
};

/** @type {Record<string, (model: ReturnType<typeof make>) => any>} */
const WAYS = {
  bytes: ({ optimizer, also }) => optimizer.toBytes({ also }),
  object: ({ optimizer, also }) => optimizer.state({ also }),
  JSON: ({ optimizer, also }) => JSON.parse(JSON.stringify(optimizer.state({ also }))),
  clone: ({ optimizer, also }) => structuredClone(optimizer.state({ also })),
};

for (const rule of RULES) {
  test(`${rule}: killed after any number of steps and restored, it ends on the same bytes`, async () => {
    const ways = Object.values(WAYS);
    for (const [number, options] of Object.keys(OPTIONS).entries()) {
      const whole = make(await init(), rule, options);
      for (let step = 0; step < STEPS; step++) advance(whole, step);
      const expected = whole.optimizer.toBytes({ also: whole.also });
      for (let trial = 0; trial < 2; trial++) {
        const stop = Math.floor(random(31 * number + trial + 1)() * (STEPS + 1));
        const first = make(await init(), rule, options);
        for (let step = 0; step < stop; step++) advance(first, step);
        const variables = first.variables; // those of an optimizer that never trained are not known
        const saved = ways[(number + trial) % ways.length]?.(first);
        first.g.dispose();
        assert.equal(variables.length, 2);
        const second = make(await init(), rule, options);
        second.optimizer.setState(saved, { also: second.also, force: true });
        for (let step = stop; step < STEPS; step++) advance(second, step);
        assert.deepEqual(
          second.optimizer.toBytes({ also: second.also }),
          expected,
          `${options}, stopped after ${stop}`,
        );
        assert.deepEqual(bitsOf(second.w.data()), bitsOf(whole.w.data()));
        second.g.dispose();
      }
      whole.g.dispose();
    }
  });
}

test('generators that are drawn from between steps go on, and functions of the learning rate stay', async () => {
  const build = async () => {
    const g = await init();
    const x = g.variable([1, -2, 3, -4], { name: 'x' });
    const rng = g.random(9);
    const loss = () => g.sum(g.square(g.dropout(x, 0.25, rng)));
    const learningRate = (/** @type {number} */ step) => 0.1 / (step + 1);
    return { g, x, rng, loss, optimizer: g.optimizers.adamW({ learningRate }) };
  };
  const [a, b] = [await build(), await build()];
  a.optimizer.minimize(a.loss, { steps: 7 });
  const state = a.optimizer.state({ also: [a.rng] });
  b.rng.step = 77;
  b.optimizer.setState(state, { also: [b.rng] });
  assert.equal(b.rng.step, a.rng.step);
  assert.equal(b.optimizer.iterations, 7);
  for (const { loss, optimizer } of [a, b]) optimizer.minimize(loss, { steps: 5 });
  assert.deepEqual(b.optimizer.toBytes(), a.optimizer.toBytes());

  const fixed = b.g.optimizers.adamW();
  assert.throws(() => fixed.setState(state, { also: [b.rng] }), OptionError);
  b.optimizer.setState(fixed.toBytes({ variables: [b.x] }));
  assert.equal(b.optimizer.learningRate, fixed.learningRate);
  assert.equal(b.optimizer.schedule, null);
});

const trained = async () => {
  const model = make(await init(), 'adam', 'averaged');
  for (let step = 0; step < 4; step++) advance(model, step);
  return model;
};

test('bytes may lie in a Buffer, as files do, at any offset, or in shared memory', async () => {
  const { optimizer, also } = await trained();
  const bytes = optimizer.toBytes({ also });
  const shifted = new Uint8Array(bytes.length + 3);
  shifted.set(bytes, 3);
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  for (const given of [Buffer.from(bytes), shifted.subarray(3), shared]) {
    optimizer.setState(given, { also });
    assert.deepEqual(optimizer.toBytes({ also }), bytes);
  }
});

/**
 * Lists in lists, in a frame that is whole.
 * @param {number} depth
 */
const nestedBytes = (depth) => {
  const bytes = new Uint8Array(16 + 6 * depth + 4).fill(0);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('GLKS'));
  view.setUint32(4, 1, true);
  view.setUint32(8, bytes.length, true);
  for (let i = 0; i < depth; i++) bytes[16 + 6 * i] = 0x5b;
  let hash = 2166136261;
  for (const byte of bytes.subarray(0, -4)) hash = Math.imul(hash ^ byte, 16777619);
  view.setUint32(bytes.length - 4, hash, true);
  return bytes;
};

test('numbers of a state that JSON would change are none: there is no −0 among options and factors', async () => {
  const g = await init();
  const x = g.variable([1, 2], { name: 'x' });
  const sgd = g.optimizers.sgd({ learningRate: -0, momentum: -0 }).scaleLearningRate(x, -0);
  sgd.weightDecay = -0;
  const bytes = sgd.toBytes();
  sgd.setState(JSON.parse(JSON.stringify(sgd.state())));
  assert.deepEqual(sgd.toBytes(), bytes);
});

test('a state of something else is refused by a typed error that says why, and changes nothing', async () => {
  const { g, w, b, loss, optimizer, also, variables } = await trained();
  const bytes = optimizer.toBytes({ also });
  const state = optimizer.state({ also });
  const turned = g.variable(new Float32Array(12), { shape: [3, 4], name: 'w' });
  const other = g.variable([1, 2, 3], { name: 'c' });
  const swapped = { also: [...also].reverse() };
  settle(g);
  /** @type {[given: any, options: object, text: import('./messages.js').Text][]} */
  const given = [
    ['state', { also }, 'TypeError: …an object or a Uint8Array, got "state"'],
    [[], { also }, 'TypeError: …got an array'],
    [{}, { also }, 'TypeError: …got an object'],
    [bytes, { also: [] }, 'FormatError: …2 programs and generators, but also has 0'],
    [bytes, swapped, 'FormatError: …a program where also[0] is something else'],
    [bytes, { also: [loss, 3] }, 'TypeError: …also[1] must be a program or a generator, got 3'],
    [bytes, { also, variables: [w] }, 'ShapeError: …has 2 variables, 1 were given'],
    [bytes, { also, variables: [b, w] }, "FormatError: …'w' where 'b' was given"],
    [bytes, { also, variables: [w, other] }, "FormatError: …'b' where 'c' was given"],
    [bytes, { also, variables: [turned, b] }, 'ShapeError: …has shape [3,4], but …it has [4,3]'],
    [bytes, { also, forced: true }, "TypeError: …no 'forced'"],
    [nestedBytes(100_000), { also }, 'FormatError: …nested too deep'],
  ];
  const sparse = Object.assign([], { length: 2 ** 32 - 1 });
  let nested = [1]; // one thing, many times
  for (let depth = 0; depth < 12; depth++) nested = new Array(40).fill(nested);
  /** @type {[change: (state: any) => void, text: import('./messages.js').Text][]} */
  const changes = [
    [(s) => s.version++, 'FormatError: …version 5, …reads versions 1 to 4'],
    [(s) => (s.version = 0), 'FormatError: …version 0, …reads versions 1 to 4'],
    [(s) => (s.version = 1), 'FormatError: …more data than expected'],
    [(s) => (s.rule = 'adamW'), "FormatError: …saved by 'adamW', this is adam"],
    [(s) => (s.options.beta1 = 2), 'OptionError: …beta1 is 2'],
    [(s) => (s.options.clipNorm = 2), 'OptionError: …at most one of clipNorm'],
    [(s) => delete s.options.beta1, "FormatError: …'beta1' is missing or invalid"],
    [(s) => (s.options = s), "FormatError: …it has the object 'options' twice"],
    [(s) => (s.extra = 1), 'FormatError: …more data than expected'],
    ...['constructor', 'valueOf', 'has_own_property'].map(
      (key) =>
        /** @type {typeof changes[0]} */ ([
          (s) => (s[key] = { [key]: [1] }),
          'FormatError: …more data',
        ]),
    ),
    [(s) => (s.variables = nested), 'FormatError: …twice'],
    [(s) => (s.variables = sparse), 'FormatError: …got undefined'],
    [(s) => (s.variables[0].values = { f32: sparse }), 'FormatError: …values[0]'],
    [(s) => (s.iterations = 0.5), 'FormatError: …a count is not'],
    [(s) => (s.iterations = null), "FormatError: …'iterations' of a state must be"],
    [(s) => (s.schedule.kind = 'warp'), 'FormatError: …no schedule of that name'],
    [(s) => (s.variables[0].constraint.kind = 7), "FormatError: …'kind' is missing or invalid"],
    [(s) => s.variables.pop(), 'ShapeError: …has 1 variables, 2'],
    [(s) => s.variables[0].values.f32.pop(), "FormatError: …'values' is missing or invalid"],
    [(s) => (s.variables[0].values.f32[3] = 'x'), 'FormatError: …values[3]'],
    [(s) => (s.variables[0].values = 'x'), "FormatError: …'values' is missing or invalid"],
    [(s) => (s.variables[0].locks.u32[0] = -1), 'FormatError: …locks[0]'],
    [(s) => (s.variables[0].clock.seen.u32 = [0, 0]), "FormatError: …'seen' is missing or invalid"],
    [(s) => (s.also.f64[2] = -1), 'OptionError: …runs must be'],
  ];
  const pages = [[], [0], [0, 0], [1, 11], [0, 11], [0, 13], [0, 1024], [0, 12, 0, 12], [1024, 12]];
  for (const u32 of pages) {
    changes.push([(s) => (s.variables[0].pages = { u32 }), 'FormatError: …pages']);
  }
  for (const [change, text] of changes) {
    const copy = structuredClone(state);
    change(copy);
    given.push([copy, { also, variables }, text]);
  }
  assertMessages(
    g,
    [w, b, optimizer],
    given.map(([state, options, text]) => [text, () => optimizer.setState(state, options), text]),
  );
  assert.deepEqual(optimizer.toBytes({ also }), bytes);
  g.compile(() => {
    assert.throws(() => optimizer.setState(bytes, { also }), RecordingError);
    return g.sum(w);
  });
});

test('elements that are locked now change by force only, and listeners hear of new locks', async () => {
  const g = await init();
  const x = g.variable([1, 2, 3], { name: 'x' });
  const sgd = g.optimizers.sgd();
  const loss = g.compile(() => g.sum(g.square(x)));
  x.lock([0]);
  sgd.minimize(loss, { steps: 2 });
  const state = sgd.state();
  x.unlock([0]);
  sgd.minimize(loss, { steps: 2 });
  x.lock([2]);
  const bytes = sgd.toBytes();
  assert.throws(
    () => sgd.setState(state),
    (/** @type {any} */ error) =>
      error instanceof LockedElementError && error.flatIndex === 2 && error.count === 1,
  );
  assert.deepEqual(sgd.toBytes(), bytes);
  /** @type {number[][]} */
  const heard = [];
  x.locks.onChange((locks) => heard.push([...locks.toIndices()]));
  assert.equal(sgd.setState(state, { force: true }), sgd);
  assert.deepEqual(heard, [[0]]);
  assert.deepEqual(sgd.state(), state);
});

test('variables are found by their names where nothing else says which, and never guessed', async () => {
  const [a, b] = [await init(), await init()];
  const sgd = a.optimizers.sgd();
  const trainedOne = a.variable([1, 2], { name: 'x' });
  sgd.minimize(() => a.sum(trainedOne));
  const state = sgd.state();
  const other = b.optimizers.sgd();
  assert.throws(() => other.setState(state), OptionError);
  const x = b.variable([0, 0], { name: 'x' });
  other.setState(state);
  assert.deepEqual([...x.data()], [...trainedOne.data()]);
  const third = b.optimizers.sgd();
  b.variable([0, 0], { name: 'x' });
  assert.throws(
    () => third.setState(state),
    /is "x", and 2 variables have that name: .*options\.variables/,
  );
  third.setState(state, { variables: [x] });
  assert.throws(() => sgd.state({ variables: [x] }), /another gradlock instance/);
  assert.deepEqual(third.toBytes(), sgd.toBytes());
});

test('infinities, -0 and the bits of NaNs survive JSON', async () => {
  const g = await init();
  const values = fromBits([0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fa12345, 0xffc00001]);
  const x = g.variable(values, { name: 'x' });
  x.lock('all');
  const sgd = g.optimizers.sgd();
  const text = JSON.stringify(sgd.state({ variables: [x] }));
  assert.match(text, /"-0","Infinity","-Infinity","NaN","NaN:7fa12345","NaN:ffc00001"/);
  const before = sgd.toBytes({ variables: [x] });
  x.assign([1, 2, 3, 4, 5, 6], { force: true });
  sgd.setState(JSON.parse(text), { force: true });
  assert.deepEqual(sgd.toBytes(), before);
  assert.deepEqual(bitsOf(x.data()), bitsOf(values));
});

test('a state of version 1, as an earlier release wrote it, goes on to the bit', async () => {
  // Written by the release before version 2: Adagrad, whose slots start at 0.25, an average,
  // gradients pending, a clock by element; `after` are the bits 7 steps later.
  const file = new URL('states/version-1.json', import.meta.url);
  const { state, after } = JSON.parse(readFileSync(file, 'utf8'));
  const g = await init();
  const draw = (/** @type {number} */ n, /** @type {number} */ a) =>
    Float32Array.from({ length: n }, (_, i) => Math.sin(i * a));
  const w = g.variable(new Float32Array(40), { shape: [8, 5], name: 'w' });
  const b = g.variable(new Float32Array(5), { name: 'b' });
  const x = g.tensor(draw(24, 0.9), [3, 8]);
  const loss = g.compile(() => g.mean(g.square(g.add(g.matMul(x, w), b))));
  const optimizer = g.optimizers.adagrad();
  optimizer.setState(state, { variables: [w, b], also: [loss] });
  optimizer.minimize(loss, { variables: [w, b], steps: 7 });
  assert.deepEqual([...bitsOf(w.data())], after.w);
  assert.deepEqual([...bitsOf(b.data())], after.b);
  assert.equal(optimizer.state().version, 4);
});

test('a state of version 2, as an earlier release wrote it, goes on to the bit', async () => {
  const file = new URL('states/version-2.json', import.meta.url);
  const { state, before, after } = JSON.parse(readFileSync(file, 'utf8'));
  const run = model(await init());
  const { w, b, loss, optimizer, train, toggle } = run;
  optimizer.setState(Buffer.from(state, 'base64'), { variables: [w, b], also: [loss] });
  assert.deepEqual(digest(run), before);
  toggle([2, 5, 22, 33]);
  train(3);
  toggle([2, 33]);
  train(4);
  assert.deepEqual(digest(run), after);
});

test('states that stand for the same are the same bytes: three steps in one call or in three, while locks come and go', async () => {
  const g = await init();
  let seed = 1;
  const draw = (/** @type {number} */ n) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % n;
  };
  for (let trial = 0; trial < 400; trial++) {
    const gradientAccumulationSteps = 1 + draw(3);
    const onUnlock = draw(2) ? 'reset' : 'hold';
    const options = {
      onUnlock: /** @type {'reset' | 'hold'} */ (onUnlock),
      ...(gradientAccumulationSteps > 1 && { gradientAccumulationSteps }),
    };
    const size = [3, 40, 2100][draw(3)] ?? 3;
    const plan = Array.from({ length: 9 }, () => ({
      what: draw(4),
      which: draw(3) ? [draw(3), draw(3)] : /** @type {'all'} */ ('all'),
    }));
    const run = (/** @type {boolean} */ isOneCall) => {
      const x = g.variable(new Float32Array(size).fill(1), { name: 'x' });
      const adam = g.optimizers.adam(options);
      const loss = g.compile(() => g.sum(g.square(x)));
      for (const { what, which } of plan) {
        if (what === 2) x.lock(which);
        else if (what === 3) x.unlock(which);
        else if (isOneCall) adam.minimize(loss, { variables: [x], steps: 3 });
        else for (let i = 0; i < 3; i++) adam.minimize(loss, { variables: [x] });
      }
      const bytes = adam.toBytes({ variables: [x] });
      for (const one of [x, adam, loss]) one.dispose();
      return bytes;
    };
    assert.deepEqual(run(true), run(false), `trial ${trial}: ${JSON.stringify([options, plan])}`);
  }
});

test('a state leaves out what took no step: a loss that was only measured, a call that failed', async () => {
  const g = await init();
  const [a, b, far] = ['a', 'b', 'far'].map((name) => g.variable([30, 1], { name }));
  const sum = () => g.sum(g.square(g.stack([a, b, far])));
  const adam = g.optimizers.adam().constrain(far, { maxNorm: 1 });
  const names = () => adam.state().variables.map(({ name }) => name);
  assert.equal(adam.minimize(sum, { variables: [b], steps: 0 }), 2703);
  assert.deepEqual(names(), ['far']); // It has a setting.
  far.lock([0]);
  const failing = () => adam.minimize(sum, { variables: [b, a, far] });
  assert.throws(failing, { name: 'ConstraintError' });
  assert.deepEqual(names(), ['far']);
  const other = g.optimizers.adam().constrain(far, { maxNorm: 1 });
  for (const one of [other, adam]) one.applyGradients([[[0, 0], a]]);
  assert.deepEqual(adam.state().variables[1], other.state().variables[1]);
  assert.deepEqual(names(), ['far', 'a']);
});
