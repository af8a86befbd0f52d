/* Tier: test. */
/* What callers hand in is read once, by its own properties, and bounded before work begins: a
 * polluted Object.prototype, an array in itself, a list that says it is longer than it is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HandleError, init, LockedElementError } from 'gradlock';

/** Names of options and of what saved objects hold, with values that would do harm. */
const POLLUTION = {
  force: true,
  shape: [9],
  name: 'evil',
  trainable: false,
  variables: [],
  steps: 7,
  onStep: () => false,
  axis: 0,
  keepDims: true,
  seed: 7,
  step: 3,
  every: 2,
  at: [0],
  above: 1e9,
  k: 0,
  fraction: 0,
  by: 'value',
  rows: [0],
  cols: [0],
  indices: [0],
  slice: [[0, 1]],
  topK: { k: 0 },
  version: 9,
  packed: 'AAAA',
  learningRate: 9,
  useEma: true,
  persistent: true,
  outputGradients: 1,
  reduction: 'none',
  duplicates: 'last',
  elements: 'all',
  also: [1],
  wasm: new Uint8Array(8),
  min: 0,
  maxNorm: 1,
  f64: [1],
  value: 1,
  gradFunc: 1,
};

test('properties of a polluted Object.prototype are no options of any call', async () => {
  const instances = [await init(), await init()];
  /** @param {import('gradlock').Gradlock} g */
  const run = (g) => {
    const x = g.variable(
      [
        [1, 2],
        [3, 4],
      ],
      { name: 'x' },
    );
    x.lock([[0, 1]])
      .lock({ rows: [1] })
      .unlock({ cols: [0] });
    x.lock({ topK: { k: 1 } }).lock({ where: { above: 3.5 } });
    x.lockPolicy({ lock: { topK: { k: 1 } } });
    assert.throws(
      () =>
        x.assign([
          [9, 9],
          [9, 9],
        ]),
      LockedElementError,
    );
    x.unlock('all').lock([[0, 1]]);
    const loss = g.compile(() =>
      g.mean(
        g.square(
          g.sub(x, [
            [1, 2],
            [5, 4],
          ]),
        ),
      ),
    );
    const adam = g.optimizers.adam({ beta1: 0.8 });
    adam.constrain(x, { min: -10 });
    adam.scaleLearningRate(x, 0.5, {});
    adam.minimize(loss, { steps: 3 });
    adam.setState(adam.toBytes(), {});
    const state = adam.state({});
    adam.setState(state, {});
    x.scatterNdUpdate([[0, 0]], [5], {});
    const saved = g.locksFrom(x.locks.toJSON());
    const tape = g.tape(() => g.sum(g.square(x)), {});
    const gradient = /** @type {any} */ (tape.gradient(tape.value, x, {}));
    const custom = g.grad((/** @type {any} */ y) =>
      g.customGrad((z) => ({
        value: g.sum(z),
        gradFunc: (dy) =>
          g.mul(dy, [
            [1, 2],
            [3, 4],
          ]),
      }))(y),
    )(x);
    const drawn = g.random(1).uniform([2], {});
    const huber = g.losses.huber([1, 2], [3, 5], {});
    return [
      x,
      saved.toIndices(),
      gradient,
      custom,
      drawn,
      huber,
      g.sort([2, 1], {}),
      adam.iterations,
    ]
      .map((part) => (typeof part === 'object' && 'digest' in part ? part.digest() : String(part)))
      .join();
  };
  const [clean, dirty] = instances;
  const expected = run(clean);
  /** @type {any} */
  const root = Object.prototype;
  let got;
  try {
    Object.assign(root, POLLUTION);
    got = run(dirty);
  } finally {
    for (const key of Object.keys(POLLUTION)) delete root[key];
  }
  assert.equal(got, expected);
});

test('objects of another copy of gradlock are called so', async () => {
  const other = await import(`../../build/npm/external.js?copy=${Date.now()}`);
  const g = /** @type {any} */ (await init());
  const theirs = await other.init();
  const [x, y] = [g.variable([1]), theirs.variable([1])];
  assert.throws(
    () => g.add(x, y),
    (e) => e instanceof HandleError && /another copy of gradlock/.test(e.message),
  );
  for (const call of [
    () => g.optimizers.sgd().minimize(() => g.sum(x), { variables: [y] }),
    () => g.optimizers.sgd().applyGradients([[[1], y]]),
    () => g.compile(() => theirs.sum(y)),
    () => g.grad(() => theirs.sum(y))(x),
  ]) {
    assert.throws(call, /(got|is|returned) a (Variable|Tensor) of another copy of gradlock/);
  }
});

test('a clone or a message of our objects throws instead of being empty', async () => {
  const g = await init();
  const x = g.variable([1, 2]);
  const program = g.compile(() => g.sum(x));
  for (const one of [x, g.tensor([1]), x.locks, program, g.optimizers.adam()]) {
    assert.throws(() => structuredClone(one), { name: 'DataCloneError' });
    assert.throws(() => structuredClone({ inside: [one] }), { name: 'DataCloneError' });
  }
});

test('JSON of a tensor is its shape and values, of a variable its name and locks too, of a program an error', async () => {
  const g = await init();
  const x = g
    .variable(
      [
        [1, -0],
        [Number.NaN, Number.POSITIVE_INFINITY],
      ],
      { name: 'x' },
    )
    .lock([[0, 1]]);
  assert.deepEqual(JSON.parse(JSON.stringify(x)), {
    name: 'x',
    shape: [2, 2],
    values: [1, '-0', 'NaN', 'Infinity'],
    locks: { version: 1, shape: [2, 2], indices: [1] },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(g.tensor(3))), { shape: [], values: [3] });
  assert.throws(
    () => JSON.stringify(g.compile(() => g.sum(x))),
    /Program cannot be written as JSON/,
  );
  assert.throws(() => JSON.stringify(g.optimizers.adam()), /optimizers have state\(\)/);
});

test('flat values are taken wherever values of the shape of something are', async () => {
  const g = await init();
  const x = g.variable(
    [
      [1, 2],
      [3, 4],
    ],
    { name: 'x' },
  );
  for (const flat of [[5, 6, 7, 8], Float32Array.of(5, 6, 7, 8)]) {
    const [a, b] = [0, 1].map(() => g.optimizers.adam());
    x.assign(flat);
    a.applyGradients([[flat, x]]);
    const once = x.digest();
    x.assign([
      [5, 6],
      [7, 8],
    ]);
    b.applyGradients([
      [
        [
          [5, 6],
          [7, 8],
        ],
        x,
      ],
    ]);
    assert.equal(x.digest(), once);
    a.scaleLearningRate(x, flat);
    a.applyGradients([[flat, x]]);
    const scaled = x.digest();
    x.assign(flat);
    x.assign([
      [5, 6],
      [7, 8],
    ]);
    assert.notEqual(x.digest(), scaled);
    const f = (/** @type {any} */ y) => g.sum(g.square(y));
    assert.deepEqual(
      g.hvp(f, x, flat).array(),
      g
        .hvp(f, x, [
          [5, 6],
          [7, 8],
        ])
        .array(),
    );
    const square = g.grad((/** @type {any} */ y) => g.square(y));
    assert.deepEqual(
      square(x, flat).array(),
      square(x, [
        [5, 6],
        [7, 8],
      ]).array(),
    );
  }
});
