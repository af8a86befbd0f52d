/* Precisions: f32, f64. */
/* Programs and gradients: what recording allows, what it refuses, and that it always ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, GradientError, init, RecordingError } from 'gradlock';
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

/** @type {[what: string, call: (g: Gradlock, x: Variable) => unknown][]} */
const NOT_WHILE_RECORDING = [
  ['compile', (g) => g.compile(() => g.add(1, 1))],
  ['valueAndGrad', (g, x) => g.valueAndGrad(() => g.sum(x), [x])],
  ['minimize', (g, x) => g.optimizers.sgd().minimize(() => g.sum(x))],
  ['applyGradients', (g, x) => g.optimizers.sgd().applyGradients([[[1, 1], x]])],
  ['assign', (_, x) => x.assign([3, 3])],
  ['fix', (_, x) => x.fix(0, 1)],
  ['variable', (g) => g.variable(1)],
];

for (const [what, call] of NOT_WHILE_RECORDING) {
  for (const mode of ['compile', 'valueAndGrad']) {
    test(`${what} inside ${mode} is a RecordingError, and the recording goes on`, async () => {
      const g = await init();
      const x = g.variable([1, 2]);
      const fn = () => {
        assert.throws(
          () => call(g, x),
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

test('running a program inside a recording is refused', async () => {
  const g = await init();
  const x = g.variable([1, 2]);
  const program = g.compile(() => g.sum(x));
  g.compile(() => {
    assert.throws(() => program.run(), RecordingError);
    assert.throws(() => program.value(), RecordingError);
    return g.sum(x);
  });
});

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

test('minimize passes over variables that the loss reads but does not depend on', async () => {
  const g = await init();
  const x = g.variable([1, 2], { name: 'x' });
  const gate = g.variable([1, -1], { name: 'gate' });
  const read = () =>
    g.sum(g.where(g.greater(gate, 0), g.mul(x, g.stopGradient(gate)), g.square(x)));
  for (const loss of [read, g.compile(read)]) {
    const before = gate.digest();
    const last = g.optimizers.sgd({ learningRate: 0.1 }).minimize(loss);
    assert.ok(Number.isFinite(last));
    assert.equal(gate.digest(), before);
  }
  const only = g.compile(() => g.sum(g.stopGradient(x)));
  assert.throws(() => g.optimizers.sgd().minimize(only), GradientError);
});

test('a refused minimize leaves the program and the memory it uses intact', async () => {
  const g = await init();
  const x = g.variable(Float32Array.from({ length: 9 }, (_, i) => i / 4));
  const aside = g.variable(new Float32Array(9).fill(1));
  for (let links = 1; links < 40; links++) {
    const loss = g.compile(() => {
      let link = g.mul(x, g.stopGradient(aside));
      for (let i = 0; i < links; i++) link = g.tanh(link);
      return g.sum(link);
    });
    const value = loss.value();
    assert.throws(
      () => g.optimizers.adam().minimize(loss, { variables: [x, aside] }),
      GradientError,
    );
    const others = Array.from({ length: 8 }, () => g.variable(new Float32Array(40)));
    assert.equal(loss.value(), value, `${links} links`);
    for (const other of [...others, loss]) other.dispose();
  }
});
