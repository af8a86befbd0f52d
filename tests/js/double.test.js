/* Tier: test. */
/* gradlock/double: values to f64's last bit, next to an f32 instance, and what each refuses of the
 * other. Files whose first line says so run on it, too (tests/tiers.js); tests/js/digest.test.js
 * holds its training to the bits of native programs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { Worker } from 'node:worker_threads';
import * as single from 'gradlock';
import * as double from 'gradlock/double';
import { fitting } from 'gradlock/fit';
import { tfjs } from 'gradlock/tfjs';
import { start } from 'gradlock/worker';
import { readGolden } from '../golden/golden.js';
import { sourceOf } from '../../src/js/grid/source.js';
import { MODELS, tensors } from './nist-models.js';
import { makeTasks } from './worker-tasks.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */

/**
 * An instance in f64. Tests know the types of gradlock's alone.
 * @param {object} [options]
 */
const initDouble = async (options) =>
  /** @type {Gradlock} */ (/** @type {any} */ (await double.init(options)));

/** @type {Record<string, number[][]>} Arguments, then the correctly rounded result. */
const functions = readGolden('functions64.json');

/** How many f64s a value is away from another. @param {number} got @param {number} want */
const placesOff = (got, want) => {
  const [a, b] = new BigInt64Array(Float64Array.of(Math.abs(got), Math.abs(want)).buffer);
  return Math.sign(got) === Math.sign(want) ? Math.abs(Number(a - b)) : Number.POSITIVE_INFINITY;
};

for (const [name, rows] of Object.entries(functions)) {
  test(`${name} is within one ulp of a multiprecision library`, async () => {
    const g = await initDouble();
    const inputs = rows[0].slice(0, -1).map((_, k) => g.tensor(rows.map((row) => row[k])));
    const op = /** @type {(...inputs: unknown[]) => any} */ (/** @type {any} */ (g)[name]);
    const got = op(...inputs).data();
    for (const [i, row] of rows.entries()) {
      const want = Number(row.at(-1));
      assert.ok(
        placesOff(got[i], want) <= 1,
        `${name}(${row.slice(0, -1)}) is ${got[i]}, not ${want}`,
      );
    }
    g.dispose();
  });
}

test('every way to read values gives Float64Array, and keeps what f32 would round', async () => {
  const g = await initDouble();
  const third = 1 / 3;
  const x = g.variable([third, 2]);
  const loss = g.compile(() => g.sum(g.mul(x, third)));
  const optimizer = g.optimizers.adam({ useEma: true });
  const { grads, value } = g.valueAndGrad(loss, [x]);
  assert.equal(value, third * third + 2 * third);
  assert.equal(loss.value(), value);
  optimizer.minimize(loss, { variables: [x], steps: 1 });
  for (const values of [
    ...[x.data(), x.view(), grads[0].data(), g.tensor(third).data(), loss.run().data()],
    ...[optimizer.slot(x, 'm'), optimizer.average(x), g.pressure(loss, [x])[0].data()],
  ]) {
    assert.ok(/** @type {unknown} */ (values) instanceof Float64Array);
  }
  assert.equal(grads[0].data()[0], third);
  assert.equal(g.linspace(0, 1, 4).data()[1], third);
  assert.match(String(g.tensor([third])), /0\.3333333333333333\]/);
  assert.deepEqual(optimizer.clock(x), Uint32Array.of(1, 1));
  assert.deepEqual(g.tensor(Float32Array.of(0.1)).data(), Float64Array.of(Math.fround(0.1)));
});

/**
 * @typedef {{ name: string, x: number[] | number[][], y: number[], starts: number[][],
 *   certified: number[], squares: number, minpack: (number | null)[][] }} Dataset
 */
/** @type {{ sets: Dataset[] }} */
const { sets } = readGolden('nist.json');

/** A set as a variable and residuals. @param {any} g @param {Dataset} set */
const problemOf = (g, { name, x, y, certified }) => {
  const columns = /** @type {number[][]} */ (Array.isArray(x[0]) ? x : [x]).map((c) => g.tensor(c));
  const seen = name === 'Nelson' ? y.map(Math.log) : y;
  const b = g.variable(certified);
  const residuals = g.compile(() => {
    const parameters = certified.map((_, i) => g.slice(b, [i], [1]));
    return g.sub(MODELS[name](tensors(g), parameters, columns), seen);
  });
  return { b, residuals };
};

test('elements at a bound leave the rest the digits that locks there give', async () => {
  for (const set of sets.filter(({ name }) => /Misra1a|Chwirut2|DanWood|Kirby2|Rat43/.test(name))) {
    const g = await initDouble();
    const { b, residuals } = problemOf(g, set);
    const edge = set.certified[0] * 1.001;
    const start = set.starts[1].map((value, i) => (i === 0 ? edge * 1.01 : value));
    const bounded = g.optimizers.levenbergMarquardt();
    b.assign(start);
    bounded.setBounds(b, { min: [edge, ...start.slice(1).fill(-Infinity)], max: Infinity });
    bounded.minimize(residuals, { variables: [b] });
    const found = [...b.data()];
    assert.equal(found[0], edge, set.name);
    bounded.dispose();
    b.assign([edge, ...set.starts[1].slice(1)]);
    b.lock([0]);
    g.optimizers.levenbergMarquardt().minimize(residuals, { variables: [b] });
    for (const [i, want] of b.data().entries()) {
      assert.ok(Math.abs(found[i] / want - 1) <= 1e-9, `${set.name}: b${i + 1} is ${found[i]}`);
    }
    g.dispose();
  }
});

for (const set of sets) {
  const { name, starts, certified } = set;
  test(`Levenberg-Marquardt finds the certified parameters of ${name} to 9 digits by default, free and locked`, async () => {
    const g = await initDouble();
    const { b, residuals } = problemOf(g, set);
    const fit = () => {
      const optimizer = g.optimizers.levenbergMarquardt();
      optimizer.minimize(residuals, { variables: [b] });
      for (const [i, want] of certified.entries()) {
        const off = Math.abs(b.data()[i] / want - 1);
        assert.ok(
          off <= 1e-9,
          `b${i + 1} is ${b.data()[i]}, certified ${want} (${optimizer.stopReason})`,
        );
      }
    };
    for (const start of starts) {
      b.assign(start);
      fit();
    }
    b.assign(starts[1].map((value, i) => (i === 0 ? certified[0] : value)));
    b.lock([0]);
    fit();
    assert.equal(b.data()[0], certified[0]);
    g.dispose();
  });
}

test('steps one by one, to the bottom, have the bits of one call, free and within bounds', async () => {
  const g = await initDouble();
  for (const name of ['Misra1a', 'Chwirut2', 'Gauss1', 'BoxBOD', 'Rat43']) {
    const set = sets.find((one) => one.name === name) ?? sets[0];
    const { b, residuals } = problemOf(g, set);
    for (const max of [Infinity, set.certified.map((v, i) => (i === 0 ? 0.99 * v : Infinity))]) {
      /** @param {number} size */
      const run = (size) => {
        b.assign(set.starts[0].map((v, i) => (Array.isArray(max) ? Math.min(v, max[i]) : v)));
        const solver = g.optimizers.levenbergMarquardt().setBounds(b, { max });
        do {
          const before = solver.iterations;
          solver.minimize(residuals, { variables: [b], steps: size });
          assert.ok(solver.iterations - before <= size, `${name}: at most ${size} steps`);
        } while (solver.stopReason === 'steps');
        const { iterations, stopReason } = solver;
        solver.dispose();
        return [b.digest(), iterations, stopReason];
      };
      const whole = run(1000);
      for (const size of [1, 3]) assert.deepEqual(run(size), whole, `${name}, by ${size}`);
    }
  }
});

test('L-BFGS goes on by default to 9 digits, where its tolerances of f32 would end before', async () => {
  const g = await initDouble();
  const { x, y, starts, certified } = sets.find(({ name }) => name === 'DanWood') ?? sets[0];
  const fit = (/** @type {object} */ options) => {
    const b = g.variable(starts[1]);
    const loss = g.compile(() =>
      g.sum(g.square(g.sub(g.mul(g.slice(b, [0], [1]), g.pow(x, g.slice(b, [1], [1]))), y))),
    );
    g.optimizers.lbfgs(options).minimize(loss, { variables: [b], steps: 200 });
    return Math.max(...certified.map((want, i) => Math.abs(b.data()[i] / want - 1)));
  };
  assert.ok(fit({}) <= 1e-9, String(fit({})));
  assert.ok(fit({ toleranceGradient: 1e-7, toleranceChange: 1e-9 }) > 1e-9);
});

test('both libraries are in one process, and refuse tensors of each other', async () => {
  const [f, d] = [await single.init(), await initDouble()];
  assert.equal(f.exp(1).item(), Math.fround(Math.E));
  assert.equal(d.exp(1).item(), Math.E);
  assert.throws(() => f.add(d.tensor(1), 1), single.HandleError);
  assert.throws(() => d.add(/** @type {any} */ (f.tensor(1)), 1), double.HandleError);
});

/** @param {Gradlock} g @param {number[]} values */
const trained = (g, values) => {
  const x = g.variable(values, { name: 'x' }).lock([1]);
  const optimizer = g.optimizers.adam({ learningRate: 0.1 });
  const loss = g.compile(() => g.sum(g.square(x)));
  const step = () => optimizer.minimize(loss, { variables: [x], steps: 3 });
  step();
  return { x, optimizer, step };
};

test('a state in f64 continues to the bit, as bytes and through JSON, with the bits of a NaN', async () => {
  const g = await initDouble();
  const one = trained(g, [1 / 3, 2, -5]);
  const [nan] = new Float64Array(BigUint64Array.of(0x7ff8_0000_0000_beefn).buffer);
  one.x.assign(Float64Array.of(one.x.data()[0], nan, -0), { force: true });
  const [bytes, plain] = [one.optimizer.toBytes(), JSON.stringify(one.optimizer.state())];
  assert.match(plain, /"f64":\[[^\]]*"NaN:7ff800000000beef","-0"\]/);
  one.step();
  for (const state of [bytes, JSON.parse(plain)]) {
    const other = trained(g, [0, 2, 0]);
    other.x.unlock('all');
    other.optimizer.setState(state, { force: true });
    other.step();
    assert.equal(other.x.digest(), one.x.digest());
  }
});

test('a state of the other precision is refused, and changes nothing', async () => {
  for (const [from, to, FormatError, message] of /** @type {const} */ ([
    [await single.init(), await initDouble(), double.FormatError, /in f32, .* computes in f64/],
    [await initDouble(), await single.init(), single.FormatError, /in f64, .* computes in f32/],
  ])) {
    const [one, other] = [trained(from, [1, 2, 3]), trained(to, [4, 5, 6])];
    const before = other.optimizer.toBytes();
    for (const state of [one.optimizer.toBytes(), one.optimizer.state()]) {
      assert.throws(
        () => other.optimizer.setState(state),
        (error) => error instanceof FormatError && message.test(String(error)),
      );
    }
    assert.deepEqual(other.optimizer.toBytes(), before);
  }
});

test('init refuses the module of the other precision', async () => {
  const wasm = (/** @type {string} */ name) =>
    readFile(new URL(`../../build/wasm/${name}`, import.meta.url));
  const [f32, f64] = [await wasm('gradlock.wasm'), await wasm('gradlock.double.wasm')];
  await assert.rejects(single.init({ wasm: f64 }), /computes in f64, not f32/);
  await assert.rejects(initDouble({ wasm: f32 }), (error) => error instanceof double.LoadError);
  assert.equal((await initDouble({ wasm: f64 })).tensor(1 / 3).item(), 1 / 3);
});

test('tfjs, which is f32, refuses an instance in f64 and says what to take', async () => {
  const g = await initDouble();
  const open = () => tfjs(g, /** @type {any} */ ({}));
  assert.throws(open, /f32 and this instance in f64: take one of gradlock/);
});

test('a job in a worker trains in f64 to the bytes of the same training without one', async (t) => {
  const worker = new Worker(new URL('double-worker.js', import.meta.url));
  t.after(() => worker.terminate());
  const job = await start(worker, { kind: 'noisy', steps: 20 }, { paused: true });
  assert.ok(/** @type {unknown} */ ((await job.read('w')).values) instanceof Float64Array);
  await job.resume();
  const { state } = await job.result;
  const here = await makeTasks({ init: double.init })(
    { kind: 'noisy', steps: 20 },
    { found: null },
  );
  const { loss, optimizer } = /** @type {any} */ (here);
  optimizer.minimize(loss, { steps: 20 });
  assert.deepEqual(state, optimizer.toBytes({ also: [loss] }));
});

test('a variable in f64 is a source of a grid', async () => {
  const g = await initDouble();
  const x = g.variable([[1 / 3, 2]], { name: 'x' }).lock([[0, 1]]);
  const source = /** @type {any} */ (sourceOf(/** @type {any} */ (x)));
  assert.deepEqual([...source.values()], [1 / 3, 2]);
  source.setValue(0, 0.1);
  assert.equal(x.data()[0], 0.1);
  assert.deepEqual([...source.locks()], [0, 1]);
});

test('threads compute in f64 to the bits of one', async () => {
  const [one, three] = [await initDouble(), await initDouble({ threads: 3, shareNs: 0 })];
  assert.equal(three.threads, 3);
  const [a, b] = [one, three].map((g) => {
    const x = g.randomNormal([3000], 0, 1, 5);
    return g.matMul(g.reshape(g.exp(g.sin(x)), [50, 60]), g.reshape(x, [60, 50])).digest();
  });
  assert.equal(a, b);
  three.dispose();
});

test('classes of gradlock/fit that f32 and f64 share are made strict once, and work with both', async () => {
  const x = [0, 1, 2, 3];
  for (const g of [await single.init(), await initDouble()]) {
    const { parameters, curve } = fitting(g);
    const given = parameters({ a: 1, b: 1 });
    const { values } = curve((at, { a, b }) => g.add(a, g.mul(b, at)), {
      x,
      y: [1, 3.5, 4.5, 7],
      parameters: given,
    });
    assert.ok(Math.abs(values.b - 1.9) < 1e-5, `${values.b}`);
    assert.throws(() => /** @type {any} */ (given).set({ a: 1 }, 2), /argument/);
  }
});
