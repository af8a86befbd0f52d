/* Precisions: f32, f64. */
/* Tapes, and functions that differentiate functions, as JavaScript offers them; C's part is in
 * test_differentiate.c. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, GradientError, init, RecordingError, ShapeError } from 'gradlock';

const g = await init();

/** @typedef {import('gradlock').Tensor} Tensor */

/** x³, element by element. @param {Tensor} x */
const cube = (x) => g.mul(g.square(x), x);

test('a tape is GradientTape: what its function computed can be differentiated, once', () => {
  const x = g.variable([1, 2, 3]);
  /** @type {Tensor | undefined} */
  let loss;
  const tape = g.tape(() => {
    const y = g.square(x);
    assert.deepEqual(y.array(), [1, 4, 9], 'values may be read while recording');
    loss = g.sum(y);
    return y;
  });
  assert.deepEqual(tape.value.array(), [1, 4, 9]);
  assert.equal(loss?.item(), 14, 'what it made outlives it');
  assert.deepEqual(tape.gradient(/** @type {Tensor} */ (loss), x)?.array(), [2, 4, 6]);
  assert.equal(tape.disposed, true);
  assert.throws(() => tape.gradient(/** @type {Tensor} */ (loss), x), {
    constructor: DisposedError,
    message: /persistent: true/,
  });
});

test('what an op leaves as it is is a value of its own, which a gradient is by', () => {
  const x = g.variable([1, 2, 3]);
  for (const same of [
    () => g.tile(x, [1]),
    () => g.roll(x, 0, 0),
    () => g.slice(x, [0], [3]),
    () => g.dropout(x, 0),
    () => g.max(g.reshape(x, [3, 1]), 1),
  ]) {
    /** @type {Tensor | undefined} */
    let y;
    const tape = g.tape(() => {
      y = same();
      return g.sum(g.mul(y, x));
    });
    assert.deepEqual(tape.gradient(tape.value, /** @type {Tensor} */ (y))?.array(), [1, 2, 3]);
  }
});

test('the gradient of a value by itself is one, also where nothing was computed of it', () => {
  const x = g.variable([1, 2, 3]);
  assert.deepEqual(
    g
      .grad((at) => at)([1, 2])
      .array(),
    [1, 1],
  );
  assert.deepEqual(
    g
      .grad((at) => at)([1, 2], [3, 4])
      .array(),
    [3, 4],
  );
  assert.deepEqual(g.jacobian((at) => at, [5, 6]).array(), [
    [1, 0],
    [0, 1],
  ]);
  const tape = g.tape(() => [x, g.square(x)]);
  const [same, square] = tape.value;
  assert.deepEqual(tape.gradient([same, square], x)?.array(), [3, 5, 7]);
  const program = g.compile(() => g.grad((at) => at)(x));
  assert.deepEqual(program.run().array(), [1, 1, 1]);
});

test('no function that a tape records may be async, nor one inside of another recording', () => {
  const later = async () => 1;
  assert.throws(() => g.tape(later), TypeError);
  assert.throws(() => g.compile(() => g.mul(1, [g.tape(later)].length)), TypeError);
});

test('a persistent tape answers again, for several targets, sources and output gradients', () => {
  const [x, y] = [g.variable([1, 2]), g.variable([3, 4])];
  const tape = g.tape(() => [g.mul(x, y), g.add(x, x)], { persistent: true });
  const [product, twice] = tape.value;
  const [dx, dy] = tape.gradient([product, twice], [x, y]);
  assert.deepEqual(dx?.array(), [5, 6]);
  assert.deepEqual(dy?.array(), [1, 2]);
  const seeds = { outputGradients: [g.tensor([10, 100]), g.tensor([1, 1])] };
  assert.deepEqual(tape.gradient([product, twice], x, seeds)?.array(), [32, 402]);
  assert.equal(tape.gradient(twice, y), null, 'where nothing depends on a source');
  assert.deepEqual(tape.gradient(product, product)?.array(), [1, 1]);
  assert.equal(tape.disposed, false);
  tape.dispose();
  assert.throws(() => tape.gradient(twice, x), DisposedError);
});

test('a tape says when its answer would be wrong', () => {
  const x = g.variable([1, 2], { name: 'x' });
  const tape = g.tape(() => g.square(x), { persistent: true });
  const elsewhere = g.tensor([1, 2]);
  assert.throws(() => tape.gradient(elsewhere, x), GradientError);
  assert.throws(() => tape.gradient(tape.value, x, { outputGradients: g.tensor(1) }), {
    constructor: ShapeError,
    message: /\[\].*\[2\]/,
  });
  assert.throws(
    () => tape.gradient(tape.value, x, { outputGradients: [elsewhere, elsewhere] }),
    TypeError,
  );
  x.assign([3, 4]);
  assert.throws(() => tape.gradient(tape.value, x), {
    constructor: RecordingError,
    message: /'x' \[2\] was written since the tape read it/,
  });
  const again = g.tape(() => g.square(x));
  x.scatterNdUpdate([[0]], [5]);
  assert.throws(() => again.gradient(again.value, x), RecordingError);
  assert.throws(() => g.tape(async () => g.square(x)), TypeError);
  assert.throws(() => g.tape(/** @type {any} */ (1)), TypeError);
  assert.throws(() => g.gradients(elsewhere, x), RecordingError);
  assert.throws(
    () =>
      g.tape(() => {
        throw new Error('mine');
      }),
    { message: 'mine' },
  );
  assert.equal(g.tape(() => 1).value, 1, 'a tape that threw leaves nothing behind');
});

/** Ways to record the same. @type {[name: string, run: (fn: () => Tensor) => Tensor][]} */
const WAYS = [
  ['at once', (fn) => fn()],
  ['in a tape', (fn) => g.tape(fn).value],
  ['compiled', (fn) => g.compile(fn).run()],
  [
    'compiled, in its second run',
    (fn) => {
      const program = g.compile(fn);
      program.run();
      return program.run();
    },
  ],
];

/** @type {[name: string, fn: () => Tensor, expected: unknown][]} */
const DERIVATIVES = [
  ['grad of x³', () => g.grad(cube)([1, 2]), [3, 12]],
  ['grad with dy', () => g.grad(cube)([1, 2], [10, 1]), [30, 12]],
  ['grad of grad', () => g.grad(g.grad(cube))([1, 2]), [6, 12]],
  ['grad of grad of grad', () => g.grad(g.grad(g.grad(cube)))(5), 6],
  ['grads', () => g.grads((a, b) => g.mul(a, b))([[1, 2], 3])[1], 3],
  [
    'the Hessian of Σx³ by a vector',
    () => g.hvp((x) => g.sum(cube(x)), [1, 2, 3], [1, 0, 1]),
    [6, 0, 18],
  ],
  ['the Hessian of a plane', () => g.hvp((x) => g.sum(x), [1, 2], [1, 1]), [0, 0]],
  [
    'a Jacobian',
    () => g.jacobian((x) => g.mul(x, [3, 4]), [1, 2]),
    [
      [3, 0],
      [0, 4],
    ],
  ],
  ['the Jacobian of a scalar', () => g.jacobian((x) => g.sum(cube(x)), [1, 2]), [3, 12]],
  ['the Jacobian of nothing', () => g.jacobian((x) => g.neg(x), new Float32Array(0)), []],
  [
    'a tape in a function',
    () => {
      const x = g.tensor([1, 2]);
      const tape = g.tape(() => g.sum(cube(x)));
      return /** @type {Tensor} */ (tape.gradient(tape.value, x));
    },
    [3, 12],
  ],
];

for (const [name, fn, expected] of DERIVATIVES) {
  for (const [way, run] of WAYS) {
    test(`${name} is right ${way}`, () => {
      g.tidy(() => assert.deepEqual(run(fn).array(), expected));
    });
  }
}

test('a custom gradient replaces the true one, in every recording', () => {
  const clipped = g.customGrad((x, save) => {
    save([x]);
    return { value: g.square(x), gradFunc: (dy, [saved]) => g.mul(dy, g.mul(saved, 10)) };
  });
  assert.deepEqual(clipped([1, 2]).array(), [1, 4], 'outside of recordings it is its value');
  assert.deepEqual(g.grad(clipped)([1, 2]).array(), [10, 20]);
  assert.deepEqual(g.grad(g.grad(clipped))([1, 2]).array(), [10, 10]);
  const x = g.variable([1, 2]);
  const loss = g.compile(() => g.sum(clipped(x)));
  assert.deepEqual(g.valueAndGrad(loss, [x]).grads[0].array(), [10, 20]);
  const both = g.customGrad((a, b) => ({
    value: g.add(a, b),
    gradFunc: (dy) => [g.mul(dy, 2), g.mul(dy, 3)],
  }));
  const found = g.grads(both)([
    [1, 2],
    [3, 4],
  ]);
  assert.deepEqual(
    found.map((d) => d.array()),
    [
      [2, 2],
      [3, 3],
    ],
  );
});

test('a custom gradient that does not fit says how', () => {
  /** @param {(dy: Tensor) => any} gradFunc */
  const gradient = (gradFunc) =>
    g.grad(g.customGrad((x) => ({ value: g.square(x), gradFunc })))([1, 2]);
  assert.throws(() => gradient((dy) => g.sum(dy)), {
    constructor: ShapeError,
    message: /shape \[\] for an operand of shape \[2\]/,
  });
  assert.throws(() => gradient((dy) => [dy, dy]), GradientError);
  assert.throws(() => gradient((dy) => dy.array()), RecordingError);
  assert.throws(() => gradient(() => 1), TypeError);
  assert.throws(() => g.customGrad(/** @type {any} */ (1)), TypeError);
  assert.throws(() => g.customGrad(() => /** @type {any} */ (1))(1), TypeError);
  assert.throws(() => g.grad((x) => g.stopGradient(x))(1), GradientError);
  assert.throws(() => g.hvp((x) => g.sum(cube(x)), [1, 2], [1]), ShapeError);
});

test('derivatives of functions leave nothing but their results behind', () => {
  g.tidy(() => void g.jacobian(cube, [1, 2]));
  const before = g.memory();
  g.tidy(() => {
    g.grad(g.grad(cube))([1, 2]);
    g.hvp((x) => g.sum(cube(x)), [1, 2], [1, 1]);
    g.jacobian(cube, [1, 2]);
    g.tape(() => cube(g.tensor(1))).dispose();
  });
  const { objects, bytes } = g.memory();
  assert.deepEqual({ objects, bytes }, { objects: before.objects, bytes: before.bytes });
});
