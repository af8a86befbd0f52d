/* Precisions: f32, f64. */
/* Training through customGrad, jacobian, hvp, gradients of gradients and random ops, eager and
 * compiled, beside TensorFlow in f64: derivatives.json, written by tests/golden/derivatives.py,
 * which also says how far weights in f32 may be off. Random draws are TensorFlow's own bits, of
 * every step and every run; normal ones up to its log, sin and cos. Where all numbers are short
 * (`quantized`), not a bit may differ. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { Draws, floats, printTable, readGolden, sameBits } from '../golden/golden.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Tensor} Tensor */
/**
 * @typedef {(g: Gradlock, w: Tensor[], data: Tensor[], random: import('gradlock').Generator) =>
 *   Tensor} Problem
 */

const golden = readGolden('derivatives.json');

/** @param {Gradlock} g @param {Tensor} x @param {(dy: Tensor) => Tensor} gradient */
const withGradient = (g, x, gradient) =>
  g.customGrad((/** @type {Tensor} */ y) => ({ value: y, gradFunc: gradient }))(x);

/** The same in tests/golden/derivatives.py. @type {Record<string, Problem>} */
const PROBLEMS = {
  clipping: (g, [w], [x, y]) => {
    const clipped = withGradient(g, g.matMul(x, w), (dy) => g.clipByValue(dy, -0.25, 0.25));
    return g.div(g.sum(g.square(g.sub(clipped, y))), 2);
  },
  adversary: (g, [w, a, b], [x, y, z]) => {
    const h = g.tanh(g.matMul(x, w));
    const reversed = withGradient(g, h, (dy) => g.mul(-0.5, dy));
    const task = g.mean(g.square(g.sub(g.matMul(h, a), y)));
    return g.add(task, g.mean(g.square(g.sub(g.matMul(reversed, b), z))));
  },
  logistic: (g, [w], [x, y]) => {
    const log1pexp = g.customGrad((/** @type {Tensor} */ at, save) => {
      const e = g.exp(at);
      save([e]);
      const gradFunc = (/** @type {Tensor} */ dy, /** @type {Tensor[]} */ [saved]) =>
        g.mul(dy, g.sub(1, g.div(1, g.add(1, saved))));
      return { value: g.log(g.add(1, e)), gradFunc };
    });
    return g.mean(log1pexp(g.neg(g.mul(g.matMul(x, w), g.sign(y)))));
  },
  quantized: (g, [w], [target]) => {
    const rounded = g.customGrad((/** @type {Tensor} */ x) => ({
      value: g.div(g.round(g.mul(4, x)), 4),
      gradFunc: (/** @type {Tensor} */ dy) => dy,
    }));
    return g.sum(g.square(g.sub(rounded(w), target)));
  },
  contractive: (g, [w, b, v], [x]) => {
    const encode = (/** @type {Tensor} */ z) => g.tanh(g.add(g.matMul(z, w), b));
    const error = g.sum(g.square(g.sub(g.matMul(encode(x), v), x)));
    return g.add(error, g.mul(0.1, g.sum(g.square(g.jacobian(encode, x)))));
  },
  curved: (g, [w], [x, v, target]) => {
    const f = (/** @type {Tensor} */ z) => g.sum(g.square(g.tanh(g.matMul(z, w))));
    const off = g.sub(g.hvp(f, x, v), target);
    return g.add(f(x), g.div(g.sum(g.square(off)), 2));
  },
  penalized: (g, [w, a], [x]) => {
    const score = (/** @type {Tensor} */ z) => g.matMul(g.tanh(g.matMul(z, w)), a);
    const slope = g.grad((z) => g.sum(score(z)))(x);
    const norms = g.sum(g.square(slope), 1);
    return g.add(g.mean(score(x)), g.mean(g.square(g.sub(norms, 1))));
  },
  dropping: (g, [w, a], [x, y], random) => {
    const h = random.dropout(g.tanh(g.matMul(x, w)), 0.25);
    return g.mean(g.square(g.sub(g.matMul(h, a), y)));
  },
  noisy: (g, [mean, spread], [x, y], random) => {
    const w = g.add(mean, g.mul(g.exp(spread), random.normal([5, 1])));
    return g.mean(g.square(g.sub(g.matMul(x, w), y)));
  },
  jittered: (g, [w], [x, y], random) => {
    const noise = random.uniform(x.shape, { minval: -0.25, maxval: 0.25 });
    const mask = random.bernoulli(y.shape, { p: 0.5 });
    const errors = g.square(g.sub(g.matMul(g.add(x, noise), w), y));
    return g.mean(g.mul(mask, errors));
  },
};

/** @type {string[][]} */
const table = [];

/**
 * Weights at the golden steps, one after the other.
 * @param {any} row @param {'eager' | 'compiled' | 'given'} way
 */
const train = async ({ problem, weights, data, rate }, way) => {
  const g = await init();
  const draws = new Draws(golden.seed);
  const coins = new Draws(7);
  const draw = (/** @type {number[]} */ shape) =>
    draws.array(shape).map((v) => Math.round(v * 32) / 64);
  const w = weights.map((/** @type {number[]} */ shape) => g.variable(draw(shape), { shape }));
  const given = data.map((/** @type {number[]} */ shape) => g.tensor(draw(shape), shape));
  const masks = w.map((/** @type {Tensor} */ x) =>
    Uint8Array.from(x.data(), () => Number(coins.value() < -0.1)),
  );
  for (const [i, x] of w.entries()) x.lock(masks[i]);
  const starts = w.map((/** @type {Tensor} */ x) => x.data());
  const random = g.random(5);
  const fn = () => PROBLEMS[problem](g, w, given, random);
  const loss = way === 'compiled' ? g.compile(fn) : fn;
  const optimizer = g.optimizers.sgd({ learningRate: rate });
  /** @type {Float32Array[]} */
  const snapshots = [];
  let done = 0;
  for (let step = 1; step <= Math.max(...golden.steps); step++) {
    const isSeen = golden.steps.includes(step);
    if (way === 'compiled') {
      // All steps up to the next that is looked at in one call into C.
      if (isSeen) optimizer.minimize(loss, { variables: w, steps: step - done });
    } else if (way === 'given') {
      const { grads } = g.valueAndGrad(loss, w);
      optimizer.applyGradients(grads.map((gradient, i) => [gradient, w[i]]));
      for (const gradient of grads) gradient.dispose();
    } else {
      optimizer.minimize(loss, { variables: w });
    }
    if (!isSeen) continue;
    done = step;
    const now = w.map((/** @type {Tensor} */ x) => x.data());
    for (const [i, values] of now.entries()) {
      const at = [...masks[i].keys()].filter((k) => masks[i][k]);
      const held = (/** @type {Float32Array} */ all) => Float32Array.from(at, (k) => all[k]);
      assert.ok(sameBits(held(values), held(starts[i])), `step ${step}: a locked element moved`);
    }
    snapshots.push(Float32Array.from(now.flatMap((/** @type {Float32Array} */ v) => [...v])));
  }
  g.dispose();
  return snapshots;
};

for (const row of golden.runs) {
  const { problem, mode, bounds, snapshots } = row;
  /** @type {('eager' | 'compiled' | 'given')[]} */
  const ways = mode === 'compiled' ? ['compiled'] : ['eager', 'given'];
  if (mode === 'any') ways.push('compiled');
  const steps = Math.max(...golden.steps);
  test(`${problem}, ${ways.join(', ')}: ${steps} steps with locks follow TensorFlow`, async () => {
    const runs = await Promise.all(ways.map((way) => train(row, way)));
    let share = 0;
    let worst = 0;
    for (const [i, got] of runs[0].entries()) {
      for (const [k, other] of runs.entries()) {
        assert.ok(sameBits(other[i], got), `step ${golden.steps[i]}: ${ways[k]} differs`);
      }
      const want = floats(snapshots[i]);
      assert.equal(got.length, want.length);
      for (const [k, value] of want.entries()) {
        const off = Math.abs(got[k] - value);
        const text = `step ${golden.steps[i]}, element ${k}: ${got[k]}, TensorFlow ${value}`;
        assert.ok(off <= bounds[i], `${text} ± ${bounds[i]}`);
        worst = Math.max(worst, off);
        share = Math.max(share, off / (bounds[i] || 1));
      }
    }
    table.push([problem, ways.join(', '), worst.toExponential(1), `${(100 * share).toFixed(1)} %`]);
  });
}

test('every problem is trained', () => {
  const names = new Set(golden.runs.map((/** @type {{ problem: string }} */ r) => r.problem));
  assert.deepEqual([...names].sort(), Object.keys(PROBLEMS).sort());
});

after(() => {
  const title = 'Training through derivatives and random draws beside TensorFlow in f64:';
  printTable(title, ['problem', 'ways', 'largest error', 'share of tolerance'], table);
});
