/* Training loops: compiled programs and plain functions, callbacks, what is trained by default,
 * what is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisposedError, init } from 'gradlock';
import { bitsOf, refuses, settle, twoByTwo } from './support.js';

test('onStep counts from 1, sees the loss before its step, and stops by returning false', async () => {
  const g = await init();
  for (const kind of /** @type {const} */ (['loss', 'fn'])) {
    const made = twoByTwo(g);
    const sgd = g.optimizers.sgd({ learningRate: 0.1 });
    /** @type {number[]} */
    const losses = [];
    const onStep = (/** @type {import('gradlock').StepEvent} */ { step, loss }) => {
      losses.push(loss);
      assert.equal(step, losses.length);
      return step < 3;
    };
    const last = sgd.minimize(made[kind], { steps: 100, onStep });
    assert.equal(losses.length, 3);
    assert.equal(losses[0], 7.5);
    assert.equal(last, losses[2]);
    assert.equal(sgd.iterations, 3);
    sgd.minimize(made[kind], { steps: 2, onStep: ({ step }) => assert.ok(step <= 2) });
    assert.equal(sgd.iterations, 5);
  }
});

test('no steps measure the loss and change nothing', async () => {
  const g = await init();
  const { x, fn, loss } = twoByTwo(g);
  const adam = g.optimizers.adam();
  const state = x.digest();
  assert.equal(adam.minimize(loss, { steps: 0 }), 7.5);
  assert.equal(adam.minimize(fn, { steps: 0, onStep: () => assert.fail() }), 7.5);
  assert.deepEqual([adam.iterations, x.digest()], [0, state]);
});

test('locks and options changed in onStep act from the next step on', async () => {
  const g = await init();
  const { x, loss } = twoByTwo(g);
  const sgd = g.optimizers.sgd({ learningRate: 0.1 });
  /** @type {Float32Array[]} */
  const seen = [];
  sgd.minimize(loss, {
    steps: 3,
    onStep: ({ step }) => {
      seen.push(x.data());
      if (step === 1) x.lock({ rows: [0] });
      if (step === 2) sgd.learningRate = 0;
    },
  });
  assert.deepEqual(bitsOf(seen[1].subarray(0, 2)), bitsOf(seen[0].subarray(0, 2)));
  assert.ok(seen[1][2] > seen[0][2]);
  assert.deepEqual(bitsOf(seen[2]), bitsOf(seen[1]));
});

test('an error in onStep ends the loop and reaches the caller; so does what it disposed', async () => {
  const g = await init();
  const { x, loss } = twoByTwo(g);
  const adam = g.optimizers.adam();
  const fail = () => {
    throw new RangeError('mine');
  };
  assert.throws(() => adam.minimize(loss, { steps: 5, onStep: fail }), RangeError);
  assert.equal(adam.iterations, 1);
  assert.throws(
    () => adam.minimize(loss, { steps: 5, onStep: () => loss.dispose() }),
    DisposedError,
  );
  assert.equal(adam.iterations, 2);
  assert.throws(
    () => adam.minimize(twoByTwo(g).loss, { steps: 5, onStep: () => adam.dispose() }),
    DisposedError,
  );
  assert.throws(
    () =>
      g.optimizers
        .sgd()
        .minimize(() => g.sum(x), { variables: [x], steps: 5, onStep: () => x.dispose() }),
    DisposedError,
  );
});

test('minimize trains what the loss reads and may train; variables narrows it', async () => {
  const g = await init();
  const a = g.variable(1, { name: 'a' });
  const b = g.variable(1, { name: 'b', trainable: false });
  const c = g.variable(1, { name: 'c' });
  const fn = () => g.square(g.add(g.add(a, b), c));
  const sgd = g.optimizers.sgd();
  for (const loss of [fn, g.compile(fn)]) {
    const start = [a, b, c].map((v) => v.item());
    sgd.minimize(loss);
    const middle = [a, b, c].map((v) => v.item());
    assert.deepEqual(
      middle.map((v, i) => v !== start[i]),
      [true, false, true],
    );
    sgd.minimize(loss, { variables: [b, c] });
    assert.deepEqual(
      [a, b, c].map((v, i) => v.item() !== middle[i]),
      [false, false, true],
    );
  }
});

test('a loss whose variables were all disposed says that none still exists', async () => {
  const g = await init();
  const x = g.variable([1, 2]);
  const loss = g.compile(() => g.sum(g.square(x)));
  x.dispose();
  assert.throws(() => g.optimizers.sgd().minimize(loss), /no trainable variable that still exists/);
});

test('trainable of a variable is fixed, and the message names what freezes and frees it', async () => {
  const g = await init();
  settle(g);
  for (const [name, which] of /** @type {const} */ ([
    ['kernel', " of 'kernel'"],
    ['', ''],
  ])) {
    const variable = g.variable([1, 2], { name });
    const freeze = () => {
      /** @type {any} */ (variable).trainable = false;
    };
    const message = new RegExp(`^trainable${which} is fixed.* lock\\('all'\\) freezes`);
    refuses(g, [variable], freeze, TypeError, message);
  }
});

test('a program keeps its variables alive for minimize, even if no one else does', async () => {
  const g = await init();
  const loss = (() => {
    const x = g.variable(1);
    return g.compile(() => g.square(x));
  })();
  const { setFlagsFromString } = await import('node:v8');
  setFlagsFromString('--expose-gc');
  const gc = (await import('node:vm')).runInNewContext('gc');
  for (let i = 0; i < 3; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  g.optimizers.sgd({ learningRate: 0.25 }).minimize(loss);
  assert.equal(loss.variables[0].item(), 0.5);
});
