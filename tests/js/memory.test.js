/* Tier: all. */
/* Who owns what: scopes, disposal, the garbage collector as a backstop, and loops that leave
 * everything flat. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { DisposedError, init, OutOfMemoryError } from 'gradlock';
import { initWithin, refuses, settle } from './support.js';

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');

/** @typedef {import('gradlock').Gradlock} Gradlock */

/**
 * Finalizers run in tasks of their own, some time after a collection.
 * @param {() => boolean} isDone
 */
const collectUntil = async (isDone) => {
  for (let i = 0; i < 300 && !isDone(); i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

const heapUsed = () => {
  gc();
  gc();
  return process.memoryUsage().heapUsed;
};

test('tidy disposes tensors and lock sets, except for those in what it returns', async () => {
  const g = await init();
  const x = g.variable([1, 2]);
  /** @type {import('gradlock').Tensor[]} */
  const made = [];
  const kept = g.tidy(() => {
    const a = g.add(x, 1);
    const b = g.mul(a, 2);
    made.push(a, b, g.tensor(1));
    const locks = x.locks.not();
    x.locks.or(locks);
    return { b, list: [a, { locks }], text: 'as is', x };
  });
  assert.deepEqual(kept.b.array(), [4, 6]);
  assert.deepEqual(
    made.map((t) => t.disposed),
    [false, false, true],
  );
  assert.equal(g.memory().objects, 4);
  assert.throws(
    () => made[2].data(),
    (error) => error instanceof DisposedError && /made in a tidy/.test(error.message),
  );
});

test('tidy keeps variables, programs and optimizers', async () => {
  const g = await init();
  /** @type {{ disposed: boolean }[]} */
  const made = [];
  g.tidy(() => {
    const x = g.variable([1]);
    made.push(
      x,
      g.compile(() => g.sum(x)),
      g.optimizers.sgd(),
    );
  });
  assert.ok(made.every((thing) => !thing.disposed));
});

test('scopes nest: what an inner one returns belongs to the outer one', async () => {
  const g = await init();
  const x = g.variable([1]);
  const result = g.tidy(() => {
    const inner = g.tidy(() => g.add(g.add(x, 1), 1));
    assert.equal(g.memory().objects, 2);
    return g.mul(inner, 2);
  });
  assert.equal(result.item(), 6);
  assert.equal(g.memory().objects, 2);
  const program = g.compile(() => g.tidy(() => g.mul(g.add(x, 1), 3)));
  assert.equal(program.value(), 6);
  assert.equal(g.memory().objects, 3);
});

test('a tidy that fails, or is async, disposes everything', async () => {
  const g = await init();
  settle(g);
  const fail = () => {
    g.add(1, 1);
    throw new RangeError('mine');
  };
  refuses(g, [], () => g.tidy(fail), RangeError, /^mine$/);
  refuses(g, [], () => g.tidy(async () => g.add(1, 1)), TypeError, /must not be async/);
});

test('using disposes at the end of a block', async () => {
  const g = await init();
  const x = g.variable([1]);
  for (const thing of [
    x,
    x.locks.not(),
    g.tensor(1),
    g.compile(() => g.sum(x)),
    g.optimizers.sgd(),
    g,
  ]) {
    thing[Symbol.dispose]();
    assert.ok(thing.disposed);
  }
});

test('memory of forgotten tensors is given back, sooner or later', async () => {
  const g = await init();
  (() => {
    for (let i = 0; i < 200; i++) {
      const x = g.variable([i]);
      g.add(x, 1);
      x.locks.not();
      g.compile(() => g.sum(x));
      g.optimizers.adam();
    }
  })();
  assert.equal(g.memory().objects, 1000);
  await collectUntil(() => g.memory().objects === 0);
  assert.equal(g.memory().objects, 0);
});

test('tensors that come and go within a turn of the event loop wait for its end once', async (t) => {
  const g = await init();
  const x = g.tensor(1);
  await null;
  const queue = t.mock.method(globalThis, 'queueMicrotask');
  for (let i = 0; i < 100; i++) g.neg(x).dispose();
  assert.equal(queue.mock.callCount(), 1);
  await null;
  g.neg(x).dispose();
  assert.equal(queue.mock.callCount(), 2);
});

test('tensors are disposed in any order, early or late, and the others are collected', async () => {
  const g = await init();
  for (const isLate of [false, true]) {
    await (async () => {
      // More than are kept for a turn.
      const tensors = Array.from({ length: 3000 }, (_, i) => g.tensor(i));
      if (isLate) await null;
      for (let i = 0; i < 2000; i++) {
        const [tensor] = tensors.splice(-2 - ((i * 7919) % (tensors.length - 1)), 1); // not the last
        tensor?.dispose();
        tensor?.dispose();
        assert.equal(g.memory().objects, 2999 - i);
      }
    })();
    await collectUntil(() => g.memory().objects === 0);
    assert.equal(g.memory().objects, 0);
  }
});

test('a lock set keeps its variable alive', async () => {
  const g = await init();
  const { locks } = g.variable([1, 2]).lock([1]);
  await collectUntil(() => false || locks.disposed);
  assert.equal(locks.count, 1);
});

/** @type {[what: string, steps: number, loop: (g: Gradlock, steps: number) => void][]} */
const LOOPS = [
  [
    'compiled steps in one call',
    100_000,
    (g, steps) => {
      const { loss, adam } = twoByTwo(g);
      adam.minimize(loss, { steps });
    },
  ],
  [
    'compiled steps with a callback that reads, locks and unlocks',
    100_000,
    (g, steps) => {
      const { x, loss, adam } = twoByTwo(g);
      let sum = 0;
      adam.minimize(loss, {
        steps,
        onStep: ({ step, loss }) => {
          sum += loss + x.view()[0];
          if (step % 100 === 0) x.toggle([[0, 1]]);
        },
      });
      assert.ok(Number.isFinite(sum));
    },
  ],
  [
    'steps of a plain function',
    5_000,
    (g, steps) => {
      const { adam, fn } = twoByTwo(g);
      adam.minimize(fn, { steps });
    },
  ],
  [
    'own gradients in a tidy',
    5_000,
    (g, steps) => {
      const { x, loss, adam } = twoByTwo(g);
      for (let i = 0; i < steps; i++) {
        g.tidy(() => {
          const { grads } = g.valueAndGrad(loss, [x]);
          adam.applyGradients([[g.mul(grads[0], 0.5), x]]);
        });
      }
    },
  ],
  [
    'values read and written',
    20_000,
    (g, steps) => {
      const { x } = twoByTwo(g);
      for (let i = 0; i < steps; i++) {
        const data = x.data();
        data[0] += 1;
        x.assign(data);
        x.fix(1, i);
        x.unlock('all');
      }
    },
  ],
];

/** @param {Gradlock} g */
const twoByTwo = (g) => {
  const x = g.variable([
    [0, 0],
    [0, 0],
  ]);
  const target = g.tensor([
    [1, 2],
    [3, 4],
  ]);
  const fn = () => g.mean(g.square(g.sub(x, target)));
  return { x, fn, loss: g.compile(fn), adam: g.optimizers.adam({ learningRate: 0.01 }) };
};

for (const [what, steps, loop] of LOOPS) {
  test(`${steps} ${what} leave both heaps flat`, async () => {
    const g = await init();
    settle(g);
    const { wasmBytes } = g.memory();
    loop(g, 2_000);
    await collectUntil(() => g.memory().objects === 0);
    const heap = heapUsed();
    const { bytes } = g.memory();
    loop(g, steps);
    await collectUntil(() => g.memory().objects === 0);
    assert.equal(g.memory().objects, 0);
    assert.equal(g.memory().bytes, bytes);
    assert.equal(g.memory().wasmBytes, wasmBytes);
    // What compilers in the background keep for a moment is no leak.
    let grown = Number.POSITIVE_INFINITY;
    await collectUntil(() => {
      grown = heapUsed() - heap;
      return grown < 200_000;
    });
    assert.ok(grown < 200_000, `the JavaScript heap grew by ${grown} bytes`);
  });
}

test('disposed instances are collected with their memory', async () => {
  const first = await init();
  first.dispose();
  const before = process.memoryUsage().arrayBuffers;
  await (async () => {
    for (let i = 0; i < 20; i++) (await init()).variable(new Float32Array(1000)).data();
  })();
  await collectUntil(() => process.memoryUsage().arrayBuffers <= before + (64 << 20));
  assert.ok(process.memoryUsage().arrayBuffers <= before + (64 << 20));
});

for (const kind of /** @type {const} */ (['tensor', 'variable'])) {
  test(`a ${kind} needs room for its values once, and leaves nothing where they cannot be had`, async () => {
    const g = await initWithin(512); // 32 MB
    const values = new Float32Array(5e6).fill(3);
    const made = g[kind](values);
    assert.equal(made.view()[4_999_999], 3);
    assert.throws(() => g[kind](values), OutOfMemoryError);
    made.dispose();
    assert.equal(g.memory().objects, 0);
  });
}
