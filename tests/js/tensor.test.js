/* Tier: test. */
/* Tensors: how values come in, how they come out, and what becomes of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { DisposedError, HandleError, init, ShapeError } from 'gradlock';
import { readValues } from '../../src/js/base/nested.js';
import { bitsOf, fromBits, refuses } from './support.js';

const PAIRS = [0, 1, 2].map((row) => [2 * row + 1, 2 * row + 2]);
/**
 * @type {[what: string, values: any, shape: number[] | undefined, expected: any,
 *   expectedShape: number[]][]}
 */
const FORMS = [
  ['a number', 3, undefined, 3, []],
  ['a flat array', [1, 2, 3], undefined, [1, 2, 3], [3]],
  ['nested arrays', PAIRS, undefined, PAIRS, [3, 2]],
  ['arrays nested to rank 7', [[[[[[[7]]]]]]], undefined, [[[[[[[7]]]]]]], [1, 1, 1, 1, 1, 1, 1]],
  ['a flat array with a shape', [1, 2, 3, 4], [2, 2], PAIRS.slice(0, 2), [2, 2]],
  ['nested arrays with their own shape', [[1, 2]], [1, 2], [[1, 2]], [1, 2]],
  ['an array of typed rows', PAIRS.map((row) => Int8Array.from(row)), undefined, PAIRS, [3, 2]],
  ['a Float32Array', Float32Array.of(1, 2), undefined, [1, 2], [2]],
  ['a Float64Array, rounded', Float64Array.of(0.1), [1], [Math.fround(0.1)], [1]],
  ['an Int32Array with a shape', Int32Array.of(-1, 2), [2, 1], [[-1], [2]], [2, 1]],
  ['a Uint8Array', Uint8Array.of(255), undefined, [255], [1]],
  ['one value as a scalar', [5], [], 5, []],
  ['an empty array', [], undefined, [], [0]],
  ['empty rows', [[], []], undefined, [[], []], [2, 0]],
  ['no values with a shape', new Float32Array(0), [0, 3], [], [0, 3]],
];

for (const [what, values, shape, expected, expectedShape] of FORMS) {
  test(`a tensor and a variable take ${what} as values`, async () => {
    const g = await init();
    for (const tensor of [g.tensor(values, shape), g.variable(values, { shape })]) {
      assert.deepEqual(tensor.array(), expected);
      assert.deepEqual(tensor.shape, expectedShape);
      assert.equal(tensor.rank, expectedShape.length);
      assert.equal(tensor.size, [expected].flat(9).length);
    }
  });
}

test('a variable takes a tensor as values, and copies it', async () => {
  const g = await init();
  const x = g.variable([[1, 2]]);
  const copy = g.tensor(x);
  const turned = g.variable(x, { shape: [2, 1] });
  x.assign([[3, 4]]);
  assert.deepEqual(copy.array(), [[1, 2]]);
  assert.deepEqual(turned.array(), [[1], [2]]);
  assert.deepEqual(x.assign(copy).array(), [[1, 2]]);
});

test('a tensor keeps every bit of what it was given, but for NaNs, whose bits become canonical', async () => {
  const g = await init();
  const bits = [0x80000000, 0x00000001, 0x7f7fffff, 0xff800000, 0x7fc12345];
  const t = g.tensor(fromBits(bits));
  assert.deepEqual(Array.from(bitsOf(t.data())), [...bits.slice(0, 4), 0x7fc00000]);
});

test('data is a copy, view is not', async () => {
  const g = await init();
  const x = g.variable([1, 2]);
  const copy = x.data();
  const view = x.view();
  x.assign([3, 4]);
  assert.deepEqual(Array.from(copy), [1, 2]);
  assert.deepEqual(Array.from(view), [3, 4]);
});

test('reads and writes go on after memory has grown', async () => {
  const g = await init();
  const x = g.variable([1, 2, 3]);
  x.data();
  const before = g.memory().wasmBytes;
  const large = g.tensor(new Float32Array(8_000_000).fill(7));
  assert.ok(g.memory().wasmBytes > before);
  assert.equal(g.sum(large).item(), 56_000_000);
  assert.deepEqual(Array.from(x.assign([4, 5, 6]).data()), [4, 5, 6]);
});

test('a view handed back as values survives that memory grows', async () => {
  const g = await init();
  const x = g.variable(new Float32Array(3_000_000).fill(2));
  const y = g.variable(new Float32Array(3_000_000));
  // Results take up the room that making x and y left behind, so that arguments need more memory.
  const results = Array.from({ length: 3 }, () => g.add(x, 1));
  const before = g.memory().wasmBytes;
  y.assign(x.view());
  assert.ok(g.memory().wasmBytes > before);
  const halved = g.mul(g.add(x.view(), y.view()), 0.5);
  for (const t of [y, halved, g.tensor(y.view()), g.sub(results[2], 1)])
    assert.equal(t.digest(), x.digest());
});

test('a view whose memory has moved is refused by that name wherever values are taken', async () => {
  const g = await init();
  const x = g.variable([1, 2]);
  const view = x.view();
  const large = g.tensor(new Float32Array(8_000_000));
  assert.equal(view.length, 0, 'memory has grown and moved');
  for (const call of [
    () => x.assign(view),
    () => g.tensor(view),
    () => g.add(view, 1),
    () => g.variable(view, { shape: [2] }),
  ]) {
    refuses(
      g,
      [x],
      call,
      HandleError,
      /whose memory is gone: a view\(\) is valid only until the next call/,
    );
  }
  large.dispose();
  assert.equal(g.tensor(new Float32Array(0)).size, 0, 'an empty array is none');
});

test('nested arrays have as many elements as a tensor may have, and no more', () => {
  const limits = { maxRank: 2, maxElements: 4, Reals: Float32Array };
  const read = (/** @type {number[][]} */ rows) => readValues(rows, undefined, 'it', limits);
  assert.deepEqual(read(PAIRS.slice(0, 2)).shape, [2, 2]);
  assert.throws(() => read(PAIRS), /it of shape \[3, 2\] holds more than 4 elements/);
});

test('item is the only value, and refuses to choose among several', async () => {
  const g = await init();
  assert.equal(g.tensor([[5]]).item(), 5);
  assert.throws(
    () => g.tensor([5, 6]).item(),
    (error) => error instanceof ShapeError && /has 2/.test(error.message),
  );
});

test('digests are FNV-1a of the bytes', async () => {
  const g = await init();
  const bytes = new Uint8Array(Float32Array.of(1, -2.5).buffer);
  let hash = 0xcbf29ce484222325n;
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  assert.equal(g.tensor([1, -2.5]).digest(), hash.toString(16).padStart(16, '0'));
  assert.equal(g.tensor([]).digest(), 'cbf29ce484222325');
});

test('shapes cannot be changed from outside', async () => {
  const g = await init();
  const shape = [2];
  const t = g.tensor([1, 2], shape);
  shape[0] = 3;
  assert.deepEqual(t.shape, [2]);
  assert.throws(() => Reflect.apply(Array.prototype.push, t.shape, [1]), TypeError);
});

test('everything of a disposed instance is disposed', async () => {
  const g = await init();
  const x = g.variable([1]);
  const program = g.compile(() => g.sum(x));
  const adam = g.optimizers.adam();
  const { locks } = x;
  g.dispose();
  g.dispose();
  assert.ok([g, x, program, adam, locks].every((thing) => thing.disposed));
  /** @type {(() => unknown)[]} */
  const uses = [
    () => x.data(),
    () => locks.count,
    () => program.run(),
    () => adam.iterations,
    () => adam.minimize(program),
    () => g.tensor(1),
    () => g.variable(1),
    () => g.add(1, 2),
    () => g.locks([1]),
    () => g.compile(() => g.add(1, 2)),
    () => g.valueAndGrad(() => g.add(1, 2), []),
    () => g.optimizers.sgd(),
    () => g.tidy(() => 1),
    () => g.memory(),
  ];
  for (const use of uses) {
    assert.throws(
      use,
      (error) => error instanceof DisposedError && /instance was disposed/.test(error.message),
      String(use),
    );
  }
  x.dispose();
  adam.dispose();
});

test('consoles show kind, name, shape, locks and values', async () => {
  const g = await init();
  const x = g
    .variable(
      [
        [0.1, -0],
        [Number.NaN, 1e-20],
      ],
      { name: 'x' },
    )
    .lock([[0, 1]]);
  const t = g.tensor(new Float32Array(10_000), [100, 100]);
  assert.equal(inspect(x), "Variable 'x' [2, 2] locked 1/4\n[[0.1, -0],\n [NaN, 1e-20]]");
  assert.equal(inspect([g.tensor(2)], { compact: true }), '[ Tensor []\n  2 ]');
  assert.equal(inspect(x.locks), 'LockSet [2, 2] locked 1/4');
  assert.match(
    inspect(t),
    /^Tensor \[100, 100\]\n\[\[0, 0, 0, …, 0, 0, 0\],\n( \[.*\],\n){2} …,\n( \[.*\],?\n?){3}\]$/,
  );
  g.compile(() => {
    const y = g.add(x, 1);
    assert.equal(inspect(y), 'Tensor [2, 2] (recorded, not computed)');
    return y;
  });
  x.dispose();
  assert.equal(inspect(x), "Variable 'x' (disposed)");
});
