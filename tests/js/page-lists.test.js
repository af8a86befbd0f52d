/* Pages of 1,024 elements under locks at random (tests/c/test_page_lists.c has smaller ones): free
 * elements take the steps of a variable without locks, since every rule computes each alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { RULES } from './rules.js';
import { bitsOf, random } from './support.js';

const COUNT = 5000;
const OPTIONS = [{}, { weightDecay: 0.125 }, { clipValue: 0.5 }];
const SHARES = [0.2, 0.45, 0.7, 0.95];

for (const rule of RULES) {
  test(`${rule}: with any share of elements locked, the free ones end on the bits of a variable without locks`, async () => {
    const g = await init();
    const next = random(7);
    const draw = () => Float32Array.from({ length: COUNT }, () => 2 * next() - 1);
    for (const options of OPTIONS) {
      for (const share of SHARES) {
        for (const before of [0, 2]) {
          const start = draw();
          const [x, free] = [g.variable(start), g.variable(start)];
          const [optimizer, other] = [1, 2].map(() => g.optimizers[rule](options));
          const step = () => {
            const gradient = g.tensor(draw());
            optimizer.applyGradients([[gradient, x]]);
            other.applyGradients([[gradient, free]]);
            gradient.dispose();
          };
          for (let i = 0; i < before; i++) step();
          const held = bitsOf(x.data());
          const mask = Uint8Array.from({ length: COUNT }, () => Number(next() < share));
          x.lock(mask);
          for (let i = 0; i < 3; i++) step();
          const [now, twin] = [bitsOf(x.data()), bitsOf(free.data())];
          const expected = twin.map((bits, i) => (mask[i] ? held[i] : bits));
          assert.deepEqual(now, expected, JSON.stringify({ options, share, before }));
          // Others come free, and clocks differ: those that are locked now stay.
          x.toggle(mask.map((_, i) => Number(i % 3 === 0)));
          step();
          const later = bitsOf(x.data());
          const isFree = (/** @type {number} */ i) => Boolean(mask[i]) === (i % 3 === 0);
          assert.ok(later.every((bits, i) => isFree(i) || bits === now[i]));
          for (const one of [x, free, optimizer, other]) one.dispose();
        }
      }
    }
    g.dispose();
  });
}

/** Rows with free elements. @type {[string, (row: number, chance: number) => boolean][]} */
const ROWS = [
  ['few rows, half free', (row, chance) => ![3, 17, 18, 60].includes(row) || chance < 0.5],
  // The second page has no list, and its rows begin within it; the third has one.
  ['two blocks', (row, chance) => row < 11 || row >= 31 || (row >= 23 && chance < 0.9)],
];

for (const [what, isHeld] of ROWS) {
  test(`a gradient of rows that begin within pages makes the steps of a whole one: ${what}`, async () => {
    const g = await init();
    const [rows, columns] = [100, 100];
    const next = random(9);
    const start = Float32Array.from({ length: rows * columns }, () => next() - 0.5);
    const x = g.tensor(start.slice(0, 4 * rows), [4, rows]);
    for (const before of [0, 2]) {
      const [w, free] = [1, 2].map(() => g.variable(start, { shape: [rows, columns] }));
      // Linear: the gradient is the same wherever the weights are.
      const runs = [w, free].map((weights) => {
        const loss = g.compile(() => g.mean(g.matMul(x, weights)));
        const optimizer = g.optimizers.adam();
        return (/** @type {number} */ steps) =>
          optimizer.minimize(loss, { variables: [weights], steps });
      });
      for (const run of runs) if (before) run(before);
      const held = bitsOf(w.data());
      const mask = Uint8Array.from({ length: rows * columns }, (_, i) =>
        Number(isHeld(Math.floor(i / columns), next())),
      );
      w.lock(mask);
      for (const run of runs) run(3);
      const twin = bitsOf(free.data());
      const expected = twin.map((bits, i) => (mask[i] ? held[i] : bits));
      assert.deepEqual(bitsOf(w.data()), expected, `${before} steps before`);
    }
    g.dispose();
  });
}
