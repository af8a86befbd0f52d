/* Precisions: f32, f64. */
/* Selections: every form means the same elements wherever one is taken, and what is ambiguous is
 * refused. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { DisposedError, init, OptionError, ShapeError } from 'gradlock';
import { FORMS } from './selection-table.js';
import { refuses, settle } from './support.js';

const VALUES = [
  [0, -1, 2],
  [3, 4, -5],
];

/** @param {any} selection */
const looksAtValues = (selection) =>
  typeof selection === 'function' || Boolean(selection?.topK ?? selection?.where);

/** @param {any} selection */
const isRecord = (selection) => selection?.constructor === Object;

const ALL = [0, 1, 2, 3, 4, 5];
/** @param {number[]} a @param {number[]} b */
const without = (a, b) => a.filter((i) => !b.includes(i));

for (const [what, selection, expected] of FORMS) {
  test(`${what} names the same elements to lock, unlock, toggle, trainOnly and locks`, async () => {
    const g = await init();
    const x = g.variable(VALUES);
    const start = [1, 2, 3];
    const locked = () => Array.from(x.locks.toIndices());
    /** @type {[Function, number[]][]} */
    const methods = [
      [() => x.lock(selection), ALL.filter((i) => start.includes(i) || expected.includes(i))],
      [() => x.unlock(selection), without(start, expected)],
      [() => x.toggle(selection), ALL.filter((i) => start.includes(i) !== expected.includes(i))],
      [() => x.trainOnly(selection), without(ALL, expected)],
    ];
    for (const [change, wanted] of methods) {
      x.unlock('all').lock(start);
      assert.equal(change(), x);
      assert.deepEqual(locked(), wanted, String(change));
      assert.equal(x.locks.count, wanted.length);
    }
    x.unlock('all').lock(start);
    const both = x.locks.and(selection);
    const either = x.locks.or(selection);
    assert.deepEqual(
      Array.from(both.toIndices()),
      start.filter((i) => expected.includes(i)),
    );
    assert.deepEqual(
      Array.from(either.toIndices()),
      ALL.filter((i) => start.includes(i) || expected.includes(i)),
    );
    assert.deepEqual(locked(), start, 'combining changes nothing');
    if (!looksAtValues(selection)) {
      const own = g.locks([2, 3], selection);
      assert.deepEqual(Array.from(own.toIndices()), expected);
      assert.deepEqual(Array.from(x.unlock('all').lock(own).locks.toIndices()), expected);
    }
    for (const tensor of [both, either]) tensor.dispose();
  });
}

test('selections of other ranks: scalars, vectors, and three axes', async () => {
  const g = await init();
  const scalar = g.variable(1);
  assert.equal(scalar.lock([0]).locks.count, 1);
  assert.equal(scalar.unlock([[]]).locks.count, 0);
  assert.equal(scalar.lock('all').locks.has([]), true);
  const vector = g.variable([1, 2, 3]);
  assert.deepEqual(Array.from(vector.lock([false, true, false]).locks.toIndices()), [1]);
  assert.deepEqual(Array.from(vector.lock([[2]]).locks.toIndices()), [1, 2]);
  const cube = g.variable(new Float32Array(24), { shape: [2, 3, 4] });
  assert.equal(cube.lock({ axis: 1, indices: [2] }).locks.count, 8);
  assert.deepEqual(
    Array.from(
      cube
        .unlock('all')
        .lock([[1, 2, 3]])
        .locks.toIndices(),
    ),
    [23],
  );
  assert.equal(
    cube.lock({
      slice: [
        [0, 2],
        [0, 2],
        [3, 4],
      ],
    }).locks.count,
    5,
  );
  assert.throws(() => cube.lock({ diagonal: 0 }), /needs rank 2, shape \[2, 3, 4\] has rank 3/);
  assert.deepEqual(Array.from(g.locks([4, 2], { diagonal: -1 }).toIndices()), [2, 5]);
  assert.deepEqual(Array.from(g.locks([0, 2], { diagonal: 0 }).toIndices()), []);
  const empty = g.variable([[], []]);
  assert.equal(empty.lock('all').lock([[], []]).lock([]).locks.count, 0);
});

test('the message of a refusal names every form of the table, and the guide what it names', async () => {
  const g = await init();
  const x = g.variable(VALUES);
  let message = '';
  try {
    x.lock(/** @type {any} */ ({}));
  } catch (error) {
    message = String(error);
  }
  const named = Array.from(message.matchAll(/\{ [\w, ]+ \}/g), ([form]) => form.slice(0, -2));
  assert.ok(named.length >= 8, message);
  const keys = FORMS.filter(([what, one]) => what !== 'what toJSON gave' && isRecord(one)).map(
    ([, selection]) => `{ ${Object.keys(selection).join(', ')}`,
  );
  assert.deepEqual(
    keys.filter((form) => !named.some((one) => one.trimEnd() === form)),
    [],
    'FORMS of src/js/locks/selection-named.js lacks these',
  );
  const guide = readFileSync(new URL('../../docs/guide.md', import.meta.url), 'utf8');
  assert.deepEqual(
    named.filter((form) => !guide.includes(`\`${form}`)),
    [],
    'docs/guide.md lacks these',
  );
});

test('lock sets answer, combine, and survive JSON', async () => {
  const g = await init();
  const x = g.variable(VALUES).lock({ rows: [0] });
  const { locks } = x;
  assert.equal(x.locks, locks);
  assert.deepEqual([locks.shape, locks.size, locks.count], [[2, 3], 6, 3]);
  assert.deepEqual([locks.has(2), locks.has([1, 0])], [true, false]);
  assert.deepEqual(locks.toMask(), Uint8Array.of(1, 1, 1, 0, 0, 0));
  assert.deepEqual(locks.not().toIndices(), Uint32Array.of(3, 4, 5));
  assert.deepEqual(
    locks
      .and({ cols: [1] })
      .or([5])
      .not()
      .toMask(),
    Uint8Array.of(1, 0, 1, 1, 1, 0),
  );
  assert.deepEqual(locks.and((v) => v < 0).toIndices(), Uint32Array.of(1));
  const saved = JSON.parse(JSON.stringify(locks));
  assert.deepEqual(saved, { version: 1, shape: [2, 3], indices: [0, 1, 2] });
  assert.deepEqual(g.variable(VALUES).lock(saved).locks.toMask(), locks.toMask());
});

test('a variable’s lock set is live, its version moves when it changes, and disposing it does nothing', async () => {
  const g = await init();
  const x = g.variable(VALUES);
  const { locks } = x;
  const versions = [locks.version];
  for (const change of [
    () => x.lock([1]),
    () => x.toggle('all'),
    () => x.fix(1, 0),
    () => x.unlock('all'),
  ]) {
    change();
    versions.push(locks.version);
  }
  assert.equal(new Set(versions).size, versions.length);
  locks.dispose();
  assert.equal(x.lock('all').locks.count, 6);
  const ending = () => {
    x.dispose();
    return true;
  };
  assert.throws(() => locks.and(ending), DisposedError);
  assert.ok(locks.disposed);
  assert.equal(g.memory().objects, 0);
});

/** Every call that takes a selection. @type {[string, (g: any, x: any, s: any) => unknown][]} */
const TAKERS = [
  ['lock', (_, x, s) => x.lock(s)],
  ['unlock', (_, x, s) => x.unlock(s)],
  ['toggle', (_, x, s) => x.toggle(s)],
  ['trainOnly', (_, x, s) => x.trainOnly(s)],
  ['a holder', (_, x, s) => x.locks.holder('a').lock(s)],
  ['g.locks', (g, x, s) => g.locks(x.shape, s)],
  ['and', (_, x, s) => x.locks.and(s)],
];

test('a list that is also a mask is refused where both select other elements', async () => {
  const g = await init();
  const both = {
    square: [
      [1, 0],
      [0, 1],
    ],
    row: [[0, 0]],
    vector: [1, 0],
    flat: [1, 0, 0, 1],
  };
  const shapes = { square: [2, 2], row: [1, 2], vector: [2], flat: [2, 2] };
  for (const [what, list] of Object.entries(both)) {
    const shape = shapes[/** @type {keyof typeof shapes} */ (what)];
    const values = new Float32Array(shape.reduce((a, b) => a * b));
    for (const [, take] of TAKERS) {
      const x = g.variable(values, { shape }).lock([-1]);
      settle(g);
      const says = /could be a list of indices or a mask.*\{ indices: \[.*\] \} or \{ mask: \[/;
      refuses(g, [x], () => take(g, x, list), OptionError, says);
    }
    const x = g.variable(values, { shape });
    const mask = x.lock(/** @type {any} */ ({ mask: list })).locks.toIndices();
    const flat = /** @type {number[]} */ (list.flat());
    assert.deepEqual(
      Array.from(mask),
      flat.flatMap((bit, i) => (bit ? i : [])),
      what,
    );
    x.lock(/** @type {any} */ ({ indices: list }));
    assert.ok(x.locks.count > mask.length, what);
  }
});

test('a list that is also a mask is taken where both select the same, or where it names a type', async () => {
  const g = await init();
  const square = () =>
    g.variable([
      [0, 0],
      [0, 0],
    ]);
  assert.deepEqual(
    [
      ...square()
        .lock([
          [0, 1],
          [1, 0],
        ])
        .locks.toIndices(),
    ],
    [1, 2],
  );
  assert.deepEqual(
    [
      ...square()
        .lock([[1, 0]])
        .locks.toIndices(),
    ],
    [2],
  );
  assert.deepEqual([...square().lock([0, 1]).locks.toIndices()], [0, 1]);
  assert.deepEqual([...g.variable([1, 2]).lock(Uint32Array.of(1, 0)).locks.toIndices()], [0, 1]);
  assert.deepEqual([...g.variable([1, 2]).lock([-1, 0]).locks.toIndices()], [0, 1]);
  assert.deepEqual([...g.variable(1).lock([0]).locks.toIndices()], [0]);
});

test('a tensor of zeros and ones is a mask', async () => {
  const g = await init();
  const x = g.variable(VALUES);
  const mask = g.less(x, 0);
  assert.deepEqual([...x.lock(mask).locks.toIndices()], [1, 5]);
  assert.deepEqual([...x.trainOnly({ mask }).locks.toIndices()], [0, 2, 3, 4]);
  assert.deepEqual([...x.trainOnly(g.variable(mask)).locks.toIndices()], [0, 2, 3, 4]);
});

test('the index of one element and a list of flat indices are told apart', async () => {
  const g = await init();
  assert.deepEqual([...g.variable(VALUES).fix([0, 1], 2).locks.toIndices()], [1]);
  assert.deepEqual([...g.variable(VALUES).fix(-1, 2).locks.toIndices()], [5]);
  assert.deepEqual([...g.variable(VALUES).lock([0, 1]).locks.toIndices()], [0, 1]);
});

test('selection by gradient measures the magnitude of the gradient given', async () => {
  const g = await init();
  settle(g);
  const x = g.variable(VALUES);
  const gradient = g.tensor([
    [1, -7, 2],
    [0, Number.NaN, 3],
  ]);
  x.lock({ topK: { k: 2, by: 'gradient', gradient } });
  assert.deepEqual(x.locks.toIndices(), Uint32Array.of(1, 5));
  x.trainOnly({ where: { below: 2.5, by: 'gradient', gradient } });
  assert.deepEqual(x.locks.toIndices(), Uint32Array.of(1, 4, 5));
  const own = g.locks([2, 3], { topK: { k: 1, by: 'gradient', gradient } });
  assert.deepEqual(own.toIndices(), Uint32Array.of(1));
  const other = g.tensor([1, 2]);
  const wrong = { k: 1, by: /** @type {const} */ ('gradient'), gradient: other };
  refuses(g, [x], () => x.lock({ topK: wrong }), ShapeError, /\[2\] cannot select from/);
  const unused = { k: 1, gradient };
  refuses(g, [x], () => x.lock({ topK: unused }), OptionError, /not for by: 'magnitude'/);
});

test('a generator goes on with each random selection, but not when one is refused', async () => {
  const g = await init();
  const x = g.variable(new Float32Array(100));
  const seed = g.random(5);
  const draw = () =>
    Array.from(
      x
        .unlock('all')
        .lock({ random: { k: 10, seed } })
        .locks.toIndices(),
    );
  const first = draw();
  const second = draw();
  assert.notDeepEqual(first, second);
  assert.throws(() => x.lock({ random: { k: 101, seed } }), OptionError);
  assert.equal(seed.step, 2);
  seed.step = 0;
  assert.deepEqual(draw(), first);
  assert.equal(first.length, 10);
});
