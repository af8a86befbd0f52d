/* Precisions: f32, f64 of ^(bounds are (?!of)|listeners|steps|held|the pressure|what cannot). */
/* Bounds of levenbergMarquardt in JavaScript: how they are given and read, the holder that shows
 * what they stop, states, and refusals. tests/c/test_bounds.c has the method. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init, LockedElementError } from 'gradlock';
import { peaks } from './states/peaks.js';
import { bitsOf } from './support.js';

/** x − aims from 0, with a solver. @param {number[]} aims */
const aimed = async (aims) => {
  const g = await init();
  const x = g.variable(new Array(aims.length).fill(0), { name: 'x' });
  const program = g.compile(() => g.sub(x, aims));
  const fit = g.optimizers.levenbergMarquardt();
  const held = () => [...x.locks.holder('bound').toLocks().toIndices()];
  return { g, x, program, fit, held };
};

/** @type {[string, import('gradlock').Bounds, number[], number[]][]} */
const forms = [
  ['a number for all', { max: 1 }, [1, -2, 1], [0, 2]],
  ['both sides', { min: -1, max: 2 }, [2, -1, 2], [0, 1, 2]],
  ['a value each, some infinite', { max: [1, 9, Infinity] }, [1, -2, 5], [0]],
  ['a typed array', { min: new Float32Array([0, 0, -1]) }, [3, 0, 5], [1]],
  ['nothing', {}, [3, -2, 5], []],
];

for (const [name, bounds, found, stopped] of forms) {
  test(`bounds are ${name}`, async () => {
    const { x, program, fit, held } = await aimed([3, -2, 5]);
    assert.equal(fit.bounds(x), null);
    assert.equal(fit.setBounds(x, bounds), fit);
    fit.minimize(program);
    assert.deepEqual([...x.data()].map(Math.round), found);
    assert.deepEqual(held(), stopped);
    assert.equal(fit.setBounds(x, null).bounds(x), null);
    assert.deepEqual(held(), []);
    fit.minimize(program);
    assert.deepEqual([...x.data()].map(Math.round), [3, -2, 5]);
  });
}

test("bounds are of the variable's shape, and are read back as f32", async () => {
  const g = await init();
  const x = g.variable([
    [1, 2],
    [3, 4],
  ]);
  const fit = g.optimizers.levenbergMarquardt().setBounds(x, {
    min: [
      [0, 0.1],
      [-1, 1],
    ],
  });
  assert.deepEqual(fit.bounds(x), {
    min: new Float32Array([0, 0.1, -1, 1]),
    max: new Float32Array(4).fill(Infinity),
  });
  fit.setBounds(x, {
    max: g.tensor([
      [5, 6],
      [7, 8],
    ]),
  });
  assert.deepEqual(fit.bounds(x)?.max, new Float32Array([5, 6, 7, 8]));
});

test('listeners hear what a bound stops, what it lets go, and a solver that is disposed', async () => {
  const { g, x, program, fit } = await aimed([3, -2]);
  /** @type {number[][]} */
  const heard = [];
  x.locks.onChange((locks) => heard.push([...locks.toIndices()]));
  fit.setBounds(x, { max: 1 }).minimize(program);
  fit.minimize(g.compile(() => g.sub(x, [0, 4])));
  fit.dispose();
  assert.deepEqual(heard, [[0], [1], []]);
  assert.deepEqual([...x.locks.holders], []);
});

test('steps with onStep are those of one call, bit for bit, and show what is held on the way', async () => {
  const ends = [];
  for (const onStep of [undefined, () => true]) {
    const { b, fit, program } = peaks(await init());
    fit.setBounds(b, { min: [0.8, -9, 0, 0, 0.2], max: [1.2, 9, 2.5, 9, 9] });
    b.assign([1, 0.5, 2, 4, 1]);
    const loss = fit.minimize(program, { variables: [b], steps: 40, onStep });
    ends.push([loss, ...bitsOf(b.data()), fit.stopReason, ...b.locks.toIndices()]);
  }
  assert.deepEqual(ends[0], ends[1]);
  assert.ok(ends[0].length > 8, 'some element is held besides the one that is locked');
});

test("held elements are guarded until they are cleared, and a person's lock stays", async () => {
  const { x, program, fit, held } = await aimed([3, -2]);
  x.lock([1]);
  fit.setBounds(x, { min: -1, max: 1 }).minimize(program);
  assert.deepEqual(held(), [0]);
  assert.throws(() => x.assign([0, 0]), LockedElementError);
  x.locks.holder('bound').clear();
  x.assign([0.5, 0]);
  fit.minimize(program);
  fit.dispose();
  assert.deepEqual([...x.data()], [1, 0]);
  assert.deepEqual([...x.locks.toIndices()], [1]);
});

test('law 21: the pressure on what a bound holds is what the residuals say', async () => {
  const { g, x, program, fit } = await aimed([3, -2]);
  fit.setBounds(x, { min: -1, max: 1 }).minimize(program);
  const loss = () => g.mul(0.5, g.sum(g.square(g.sub(x, [3, -2]))));
  const { grads } = g.valueAndGrad(loss, [x]);
  assert.deepEqual([...grads[0].data()], [-2, 1]);
  assert.equal(fit.largestGradient, 0);
  assert.equal(fit.stopReason, 'gradient');
});

test('a state of version 3, as an earlier release wrote it, goes on to the bit, without bounds', async () => {
  const file = new URL('states/version-3.json', import.meta.url);
  const { state, before, after } = JSON.parse(readFileSync(file, 'utf8'));
  const { b, fit, program, digest } = peaks(await init());
  fit.setBounds(b, { min: -100 });
  fit.setState(Buffer.from(state, 'base64'), { variables: [b], also: [program] });
  assert.equal(fit.bounds(b), null);
  assert.equal(digest(), before);
  fit.minimize(program, { variables: [b], steps: 4 });
  assert.equal(digest(), after);
});
