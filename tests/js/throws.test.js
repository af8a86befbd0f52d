/* Tier: test. */
/* Whatever is thrown in the middle of a call leaves the instance as it was, or marks it broken: a
 * stack overflow comes before C has begun, a trap ends the instance with an error that says what to
 * do. */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { setFlagsFromString } from 'node:v8';
import { test } from 'node:test';
import { BrokenInstanceError, DisposedError, init } from 'gradlock';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc');

/**
 * Objects once what JavaScript forgot was given back, which takes it a while.
 * @param {import('gradlock').Gradlock} g
 * @param {number} [most] As many as there are to be.
 */
const settled = async (g, most = 0) => {
  for (let i = 0; i < 4 || (i < 100 && g.memory().objects > most); i++) {
    await wait(1);
    collect();
  }
  return g.memory().objects;
};

/** @param {import('gradlock').Gradlock} g */
const train = (g) => {
  const x = g
    .variable([
      [1, 2],
      [3, 4],
    ])
    .lock([[0, 1]]);
  const loss = g.compile(() =>
    g.mean(
      g.square(
        g.sub(x, [
          [0, 1],
          [2, 5],
        ]),
      ),
    ),
  );
  const adam = g.optimizers.adam({ learningRate: 0.1 });
  adam.minimize(loss, { steps: 50 });
  const digest = x.digest();
  for (const made of [x, loss, adam]) made.dispose();
  return digest;
};

/** Everything that calls C in a way of its own. @param {import('gradlock').Gradlock} g */
const callsOf = (g) => {
  const x = g
    .variable(
      [
        [1, 2],
        [3, 4],
      ],
      { name: 'x' },
    )
    .lock([[0, 1]]);
  const image = g.tensor(new Float32Array(64), [1, 8, 8, 1]);
  const kernel = g.tensor(new Float32Array(9), [3, 3, 1, 1]);
  const loss = g.compile(() => g.sum(g.square(x)));
  const residuals = g.compile(() => g.reshape(g.square(x), [4]));
  const adam = g.optimizers.adam();
  const lm = g.optimizers.levenbergMarquardt();
  const lbfgs = g.optimizers.lbfgs();
  adam.minimize(loss);
  const saved = adam.toBytes();
  const drag = x.locks.holder('drag');
  /** @type {Record<string, () => unknown>} */
  const calls = {
    'an op': () => g.add(x, [1, 2]).dispose(),
    'an op that is left to the collector': () => g.add(x, 1),
    'a convolution': () => g.conv2d(image, kernel, [1, 1], 'same').dispose(),
    einsum: () => g.einsum('ij,jk->ik', x, x).dispose(),
    'a compiled step': () => adam.minimize(loss),
    'a recorded step': () => adam.minimize(() => g.sum(g.square(x))),
    'Levenberg-Marquardt': () => lm.minimize(residuals, { steps: 2 }),
    'L-BFGS': () => lbfgs.minimize(loss, { steps: 2 }),
    compile: () => g.compile(() => g.mean(g.square(g.sub(x, 2)))).dispose(),
    grad: () =>
      g
        .grad((/** @type {any} */ y) => g.sum(g.exp(y)))(x)
        .dispose(),
    jacobian: () => g.jacobian((y) => g.square(y), x).dispose(),
    tape: () => {
      const tape = g.tape(() => g.sum(g.square(x)));
      tape.gradient(tape.value, x)?.dispose();
    },
    tidy: () => g.tidy(() => g.add(g.mul(x, 2), 3)).dispose(),
    state: () => adam.toBytes(),
    setState: () => adam.setState(saved, { force: true }),
    toggle: () => x.toggle([[1, 1]]),
    'a predicate': () => x.lock((value) => value > 9),
    'a choice': () => x.lock({ topK: { k: 1 } }),
    'a holder': () => drag.lock([[1, 0]]),
    assign: () =>
      x.assign(
        [
          [1, 2],
          [3, 4],
        ],
        { force: true },
      ),
    data: () => x.data(),
    toString: () => String(x),
    'a refused call': () => {
      try {
        g.add([1, 2], [1, 2, 3]);
      } catch (error) {
        if (error instanceof RangeError) throw error;
      }
    },
  };
  return calls;
};

test('10,000 stack overflows in the middle of calls change no later training, and leave no object', async () => {
  const g = await init();
  const expected = train(g);
  const calls = callsOf(g);
  for (const call of Object.values(calls)) call();
  const objects = await settled(g);
  const each = Math.ceil(10_000 / Object.keys(calls).length);
  let overflows = 0;
  for (const [name, call] of Object.entries(calls)) {
    let tries = 0;
    let other;
    // One way down the stack gives many tries near its end: each frame on the way back tries at
    // another depth.
    const near = () => {
      try {
        near();
      } catch {
        if (tries === 0) return;
        tries--;
        try {
          call();
        } catch (error) {
          if (error instanceof RangeError) overflows++;
          else other = error;
          throw error;
        }
      }
    };
    for (let left = each; left > 0; left -= 100) {
      tries = 100;
      near();
    }
    // V8 compiles regular expressions at first use, and says so when it cannot.
    if (other) assert.match(String(other), /^SyntaxError: .*Stack overflow/, name);
    assert.equal(await settled(g, objects), objects, `objects left by ${name}`);
  }
  assert.ok(overflows >= 5_000, `${overflows} calls met the end of the stack`);
  assert.equal(train(g), expected);
});

test('a trap breaks the instance: every call says so and what to do, disposing works, and a new one is whole', async () => {
  const { instantiate } = WebAssembly;
  let isTrapping = false;
  WebAssembly.instantiate = /** @type {any} */ (
    async (/** @type {any} */ source, /** @type {any} */ imports) => {
      const made = /** @type {any} */ (await instantiate(source, imports));
      if (!made.exports?.glk_apply) return made;
      /** @param {...number} args */
      const glk_apply = (...args) => {
        if (isTrapping) throw new WebAssembly.RuntimeError('unreachable');
        return made.exports.glk_apply(...args);
      };
      return { exports: { ...made.exports, glk_apply } };
    }
  );
  /** @type {import('gradlock').Gradlock} */
  let g;
  try {
    g = await init();
  } finally {
    WebAssembly.instantiate = instantiate;
  }
  const x = g.variable([1, 2]);
  const loss = g.compile(() => g.sum(x));
  isTrapping = true;
  /** @param {unknown} error */
  const isBroken = (error) =>
    error instanceof BrokenInstanceError &&
    error.code === 'GLK_ERROR_BROKEN' &&
    error.cause instanceof WebAssembly.RuntimeError &&
    /glk_apply was cut off .*unreachable.* make a new instance with init\(\)/.test(error.message);
  assert.throws(() => g.add(1, 2), isBroken);
  isTrapping = false;
  const uses = [
    () => g.add(1, 2),
    () => g.variable(1),
    () => x.data(),
    () => x.lock('all'),
    () => loss.value(),
    () => g.compile(() => g.sum(x)),
    () => g.optimizers.sgd(),
    () => g.memory(),
  ];
  for (const use of uses) assert.throws(use, isBroken);
  x.dispose();
  loss.dispose();
  g.dispose();
  assert.throws(() => g.add(1, 2), DisposedError);
  assert.equal(train(await init()), train(await init()));
});
