/* Precisions: f32, f64. */
/* Programs and gradients: what recording allows, what it refuses, and that it always ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, init, RecordingError } from 'gradlock';
import { refuses } from './support.js';

test('a program replays with the variables as they are, any number of times', async () => {
  const g = await init();
  const x = g.variable([1, 2]);
  const program = g.compile(() => g.sum(g.mul(x, x)));
  assert.equal(program.value(), 5);
  x.assign([3, 4]);
  assert.equal(program.value(), 25);
  const result = program.run();
  assert.ok(!Array.isArray(result));
  x.assign([0, 0]);
  assert.equal(program.value(), 0);
  assert.equal(result.item(), 25);
});

test('a function that returns a list makes a program that returns one', async () => {
  const g = await init();
  const x = g.variable([[1, 2]]);
  const both = g.compile(() => [g.sum(x), g.transpose(x)]).run();
  assert.ok(Array.isArray(both));
  assert.deepEqual(
    both.map((t) => t.array()),
    [3, [[1], [2]]],
  );
  const single = g.compile(() => [g.sum(x)]).run();
  assert.ok(Array.isArray(single) && single.length === 1);
});

test('a program keeps the constants it needs, and only for itself', async () => {
  const g = await init();
  const x = g.variable([1, 2]);
  const program = g.compile(() => {
    const target = g.tensor([3, 5]);
    return g.sum(g.sub(g.add(target, 0.5), x));
  });
  assert.equal(g.memory().objects, 2);
  assert.equal(program.value(), 6);
  program.dispose();
  assert.equal(g.memory().objects, 1);
});

test('a program knows its variables, its size and its work', async () => {
  const g = await init();
  const many = Array.from({ length: 100 }, (_, i) => g.variable(i, { name: `v${i}` }));
  const program = g.compile(() => many.reduce((sum, v) => g.add(sum, v), g.tensor(0)));
  assert.deepEqual(program.variables, many);
  assert.equal(program.value(), 4950);
  assert.ok(program.nodes >= 100 && program.memoryBytes >= 4);
  many[3].dispose();
  assert.equal(program.variables.length, 99);
  refuses(
    g,
    [],
    () => program.value(),
    DisposedError,
    /reads variable 'v3' \[\], which was disposed/,
  );
});

test('valueAndGrad gives the same for a program and for a plain function', async () => {
  const g = await init();
  const x = g.variable([1, -2, 3]).lock([0]);
  const y = g.variable(2);
  const fn = () => g.sum(g.mul(g.square(x), y));
  for (const loss of [fn, g.compile(fn)]) {
    const { value, grads } = g.valueAndGrad(loss, [x, y]);
    assert.equal(value, 28);
    assert.deepEqual(
      grads.map((grad) => grad.array()),
      [[4, -8, 12], 14],
    );
  }
});

test('a plain function may read values and branch on them', async () => {
  const g = await init();
  const x = g.variable([3, 4]);
  const { value, grads } = g.valueAndGrad(() => {
    const sum = g.sum(x);
    return sum.item() > 5 ? g.mul(sum, 10) : sum;
  }, [x]);
  assert.equal(value, 70);
  assert.deepEqual(grads[0].array(), [10, 10]);
});

test('reading a recorded value is refused, whichever way, and recording goes on', async () => {
  const g = await init();
  const x = g.variable([1]);
  const program = g.compile(() => {
    const y = g.add(x, 1);
    assert.deepEqual(y.shape, [1]);
    for (const read of [
      () => y.data(),
      () => y.view(),
      () => y.array(),
      () => y.item(),
      () => y.digest(),
    ]) {
      assert.throws(
        read,
        (error) => error instanceof RecordingError && /run the program/.test(error.message),
      );
    }
    assert.equal(x.item(), 1);
    return y;
  });
  assert.equal(program.value(), 2);
});

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Variable} Variable */

/** @typedef {import('gradlock').Program} Program */

/** @type {[what: string, call: (g: Gradlock, x: Variable, other: Program) => unknown][]} */
const NOT_WHILE_RECORDING = [
  ['compile', (g) => g.compile(() => g.add(1, 1))],
  ['valueAndGrad', (g, x) => g.valueAndGrad(() => g.sum(x), [x])],
  ['minimize', (g, x) => g.optimizers.sgd().minimize(() => g.sum(x))],
  ['applyGradients', (g, x) => g.optimizers.sgd().applyGradients([[[1, 1], x]])],
  ['assign', (_, x) => x.assign([3, 3])],
  ['fix', (_, x) => x.fix(0, 1)],
  ['variable', (g) => g.variable(1)],
  ['run', (_g, _x, other) => other.run()],
  ['value', (_g, _x, other) => other.value()],
];

for (const [what, call] of NOT_WHILE_RECORDING) {
  for (const mode of ['compile', 'valueAndGrad']) {
    test(`${what} inside ${mode} is a RecordingError, and the recording goes on`, async () => {
      const g = await init();
      const x = g.variable([1, 2]);
      const other = g.compile(() => g.sum(x));
      const fn = () => {
        assert.throws(
          () => call(g, x, other),
          (error) => error instanceof RecordingError && /recording/.test(error.message),
        );
        return g.sum(x);
      };
      const value = mode === 'compile' ? g.compile(fn).value() : g.valueAndGrad(fn, [x]).value;
      assert.equal(value, 3);
      assert.deepEqual(x.array(), [1, 2]);
    });
  }
}

test('tensors made in a recording are gone afterwards, and say why', async () => {
  const g = await init();
  const x = g.variable([1]);
  /** @type {import('gradlock').Tensor[]} */
  const escaped = [];
  const keep = () => {
    escaped.push(g.add(x, 1), g.tensor(1));
    return g.sum(escaped[escaped.length - 2]);
  };
  g.compile(keep);
  g.valueAndGrad(keep, [x]);
  for (const tensor of escaped) {
    assert.throws(
      () => tensor.data(),
      (error) => error instanceof DisposedError && /made in a recording/.test(error.message),
    );
  }
});

test('disposing the instance while it records is an error and not a crash', async () => {
  const g = await init();
  const x = g.variable([1]);
  assert.throws(
    () =>
      g.compile(() => {
        const y = g.add(x, 1);
        g.dispose();
        return y;
      }),
    DisposedError,
  );
  assert.ok(g.disposed);
});
