/* Runs in Keras in which options change midway or the learning rate follows a schedule, with
 * elements held: live.json, written by tests/golden/live.py. Gradients are given, so the tolerance
 * is that of trajectories.js. Keras's CosineDecayRestarts computes in f32, to 64 u of the highest
 * rate (schedules.test.js), which are 64 u / alpha of the lowest; the other schedules are rounded
 * to f32 once. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { init } from 'gradlock';
import { floats, printTable, readGolden, UNIT } from '../golden/golden.js';
import { play, toleranceOf } from './trajectories.js';

const golden = readGolden('live.json');

/** The same in tests/golden/live.py. @type {Record<string, (step: number) => number>} */
const OWN = {
  sawtooth: (step) => (0.02 / (1 + step / 50)) * (step % 20 < 10 ? 1 : 0.5),
  pauses: (step) => (step % 16 >= 12 ? 0 : 0.01),
};

/** @type {Map<string, { runs: number, apart: number, share: number }>} */
const table = new Map();

for (const { rule, options, how, snapshots } of golden.runs) {
  const { changes, schedule, held } = how;
  const [kind, numbers] = schedule ?? [];
  const what = schedule
    ? `the rate follows ${kind} ${JSON.stringify(numbers)}`
    : changes
        .map(
          (/** @type {[number, object]} */ [step, change]) =>
            `${JSON.stringify(change)} from step ${step} on`,
        )
        .join(', ');
  const locks = held ? ', elements held' : '';
  const title = `${rule} ${JSON.stringify(options)}: ${what}${locks}: 240 steps follow Keras`;
  test(title.replaceAll('"', ''), async () => {
    const relative = kind === 'cosineDecayRestarts' ? (64 * UNIT) / numbers.alpha : 0;
    const key = schedule ? kind : 'options change';
    const row = table.get(key) ?? { runs: 0, apart: 0, share: 0 };
    table.set(key, row);
    row.runs++;
    const run = { rule, options, how: { ...how, schedule: OWN[numbers] ?? schedule } };
    await play(golden, run, (seen) => {
      const snapshot = snapshots[golden.steps.indexOf(seen.step)];
      if (!snapshot) return;
      const allowed = toleranceOf(seen, 2, relative);
      for (const [i, values] of seen.values.entries()) {
        const want = floats(snapshot[i]);
        const free = [...values.keys()].filter((k) => !seen.masks[i][k]);
        assert.equal(free.length, want.length);
        for (const [at, k] of free.entries()) {
          const apart = Math.abs(values[k] - want[at]);
          const limit = allowed(i, k);
          const where = `step ${seen.step}, variable ${i}, element ${k}`;
          assert.ok(apart <= limit, `${where}: ${values[k]}, Keras ${want[at]} ± ${limit}`);
          row.apart = Math.max(row.apart, apart / seen.largest[i][k]);
          row.share = Math.max(row.share, apart / limit);
        }
      }
    });
  });
}

/**
 * What gradlock does instead, as docs/differences.md says, where Keras has an error, NaN or another
 * meaning.
 * @type {Record<string, (way: number[], keras: any) => void>}
 */
const INSTEAD = {
  'rmsprop centered, off for a while': (way, keras) => {
    assert.deepEqual(keras.slice(8), ['NaN', 'NaN', 'NaN', 'NaN']);
    assertNear(way.slice(0, 8), keras.slice(0, 8));
    // Steps of 0.01 g / √variance, of which at least 2^-12 (1 + t / 10)^2 is left of the first
    // gradients.
    for (let i = 8; i < 12; i++)
      assert.ok(way[i] < way[i - 1] && way[i] > way[i - 1] - 0.064, `${way}`);
  },
  'sgd with momentum from step 2 on': (way, keras) => {
    assert.equal(keras, 'IndexError');
    assertNear(way, [0.9, 0.8]);
  },
  'rmsprop centered from step 2 on': (way, keras) => {
    assert.equal(keras, 'IndexError');
    const first = 1 - 0.001 / Math.sqrt(0.1 + 1e-7);
    assertNear(way, [first, first - 0.001 / Math.sqrt(0.19 - 0.1 ** 2 + 1e-7)]);
  },
  'adam with amsgrad from step 2 on': (way, keras) => {
    assert.equal(keras, 'AttributeError');
    // Equal gradients: the largest v is v.
    assertNear(way, [0.999, 0.998]);
  },
  'nadam with another beta1': (way, keras) => {
    assertNear(way.slice(0, 3), keras.slice(0, 3));
    const mu = [1, 2, 3, 4, 5].map((t) => 0.5 * (1 - 0.96 ** t / 2));
    const p = mu[0] * mu[1] * mu[2] * mu[3];
    const m = 0.5 * (0.9 * (0.9 * 0.1 + 0.2) + 0.3) + 0.5 * 4;
    const v = 0.001 * (0.999 ** 3 + 4 * 0.999 ** 2 + 9 * 0.999 + 16);
    const ahead = (mu[4] * m) / (1 - p * mu[4]) + ((1 - mu[3]) * 4) / (1 - p);
    assertNear(way.slice(3), [way[2] - (0.01 * ahead) / Math.sqrt(v / (1 - 0.999 ** 4))]);
    assert.ok(Math.abs(way[3] - keras[3]) > 1e-4, `${keras}`);
  },
  'two gradients a step, from the fourth on three': (way, keras) => {
    assert.deepEqual(keras, [1, 0.25, 0.25, 0.25, 0.25, 0.25 - (4 + 8 + 16 + 32) / 6, -9.75]);
    const x = Math.fround(0.25 - (4 + 8 + 16) / 6);
    assertNear(way, [1, 0.25, 0.25, 0.25, x, x, x]);
  },
};

/** To 2^-20 of the largest: a few steps in f32. @param {number[]} got @param {number[]} want */
const assertNear = (got, want) => {
  assert.equal(got.length, want.length);
  for (const [i, value] of want.entries()) {
    const limit = Math.max(...want.map(Math.abs)) * 16 * UNIT;
    assert.ok(Math.abs(got[i] - value) <= limit, `${i}: ${got[i]}, expected ${value} ± ${limit}`);
  }
};

for (const [about, { rule, options, steps, keras }] of Object.entries(golden.surprises)) {
  test(`${about}: Keras's way and gradlock's are those of docs/differences.md`, async () => {
    const g = await init();
    const x = g.variable([1]);
    const optimizer = /** @type {any} */ (g.optimizers)[rule](options);
    const way = steps.map((/** @type {[number, object]} */ [gradient, change]) => {
      optimizer.setOptions(change);
      optimizer.applyGradients([[[gradient], x]]);
      return x.data()[0];
    });
    INSTEAD[about](way, keras);
    g.dispose();
  });
}

after(() => {
  printTable(
    'Runs beside Keras with elements held: the largest error, relative to the largest |x|, and its share of the tolerance:',
    ['what', 'runs', 'error', 'share'],
    [...table].map(([what, { runs, apart, share }]) => [
      what,
      String(runs),
      apart.toExponential(1),
      `${(100 * share).toFixed(1)} %`,
    ]),
  );
});
