/* Tier: test. */
/* Law 23: what is locked has no slots unless it trained, and no gradient; memory comes by pages of
 * 1,024 elements where something is free, slots by element where most of a page is locked. Bytes
 * are counted, not timed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { RULES } from './rules.js';
import { bitsOf, random } from './support.js';

/** @typedef {import('gradlock').Gradlock} Gradlock */

const PAGE = 1024;
const [ROWS, COLUMNS] = [512, 100];
const COUNT = ROWS * COLUMNS;

/** What is free, by element. @type {Record<string, (i: number) => boolean>} */
const FREE = {
  all: () => true,
  nothing: () => false,
  'one element': (i) => i === 7777,
  'the last element': (i) => i === COUNT - 1,
  'five rows': (i) => Math.floor(i / COLUMNS) % 100 === 3,
  'the first rows': (i) => i < 6 * COLUMNS,
  'a column': (i) => i % COLUMNS === 9,
};

/**
 * Elements with averages and pending gradients, and those with slots.
 * @param {(i: number) => boolean} isFree
 */
const touchedElements = (isFree) => {
  let [pages, slots] = [0, 0];
  for (let first = 0; first < COUNT; first += PAGE) {
    const elements = Math.min(PAGE, COUNT - first);
    const free = Array.from({ length: elements }, (_, i) => first + i).filter(isFree).length;
    if (free) pages += elements;
    slots += free > (PAGE * 11) / 16 ? elements : Math.ceil(free / 4) * 4;
  }
  return { pages, slots };
};

/**
 * @param {Gradlock} g
 * @param {(i: number) => boolean} isFree
 */
const make = (g, isFree) => {
  const next = random(3);
  const draw = (/** @type {number} */ n) => Float32Array.from({ length: n }, () => next() - 0.5);
  const w = g.variable(draw(COUNT), { shape: [ROWS, COLUMNS], name: 'w' });
  const x = g.tensor(draw(4 * ROWS), [4, ROWS]);
  w.lock((/** @type {number} */ _, /** @type {number} */ i) => !isFree(i));
  const loss = g.compile(() => g.mean(g.square(g.matMul(x, w))));
  return { w, loss };
};

for (const rule of RULES) {
  test(`${rule}: averages and pending gradients have memory for pages with a free element, slots for free elements`, async () => {
    const g = await init();
    let slotArrays = -1;
    for (const options of [{}, { useEma: true }, { gradientAccumulationSteps: 2 }]) {
      const slotBytes = (/** @type {(i: number) => boolean} */ isFree) => {
        const { w, loss } = make(g, isFree);
        const optimizer = g.optimizers[rule](options);
        const before = g.memory().slotBytes;
        optimizer.minimize(loss, { variables: [w], steps: 3 });
        const bytes = g.memory().slotBytes - before;
        for (const one of [w, loss, optimizer]) one.dispose();
        return bytes;
      };
      const arrays = slotBytes(FREE.all) / (4 * COUNT);
      assert.equal(arrays, Math.round(arrays));
      if (slotArrays < 0) slotArrays = arrays;
      for (const [name, isFree] of Object.entries(FREE)) {
        const { pages, slots } = touchedElements(isFree);
        const expected = 4 * (slotArrays * slots + (arrays - slotArrays) * pages);
        assert.equal(slotBytes(isFree), expected, `${name}, ${JSON.stringify(options)}`);
      }
    }
  });
}

test('slots come when an element comes free, stay when it is locked, and a state holds no others', async () => {
  const g = await init();
  const { w, loss } = make(g, FREE['the first rows']);
  const optimizer = g.optimizers.adam();
  const slots = () => g.memory().slotBytes / (4 * 2); // m and v
  const train = () => optimizer.minimize(loss, { variables: [w] });
  train();
  assert.equal(slots(), 6 * COLUMNS);
  w.unlock([5000]);
  assert.equal(slots(), 6 * COLUMNS); // not before a step
  train();
  assert.equal(slots(), 6 * COLUMNS + 4);
  w.lock('all');
  train();
  assert.equal(slots(), 6 * COLUMNS + 4); // law 2
  const before = optimizer.slot(w, 'm');
  const bytes = optimizer.toBytes();
  const clock = 4 * 2 * PAGE; // of the two pages, where some that are locked took steps (law 4)
  assert.ok(bytes.length < 4 * COUNT + clock + 4 * (2 * 2 * PAGE) + COUNT / 3, `${bytes.length}`);
  const other = g.optimizers.adam();
  other.setState(bytes, { variables: [w], force: true });
  assert.deepEqual(bitsOf(other.slot(w, 'm')), bitsOf(before));
  w.unlock('all');
  train();
  assert.equal(slots(), COUNT + 2 * PAGE);
  optimizer.dispose();
  assert.equal(slots(), 2 * PAGE); // the other's
});

/** Pages of a variable whose clock is looked at, one a row. */
const COUNTED = 256;
const even = (/** @type {number} */ n) => Array.from({ length: n }, (_, i) => 2 * i);
/** The first half of a row. */
const HALVES = Array.from({ length: 6 }, (_, row) => ({
  slice: [
    [row, row + 1],
    [0, PAGE / 2],
  ],
}));
/** @param {any} w @param {() => void} train */
const rest = (w, train) => {
  w.lock(HALVES[2]).lock(HALVES[4]);
  train();
  w.unlock(HALVES[2]).unlock(HALVES[4]);
};

/** @type {[string, (g: Gradlock, w: any) => any][]} */
const USES = [
  ['a product', (g, w) => g.matMul(g.tensor(new Float32Array(8 * 2048).fill(0.1), [8, 2048]), w)],
  [
    'a product from the right',
    (g, w) => g.matMul(w, g.tensor(new Float32Array(512 * 8).fill(0.1), [512, 8])),
  ],
  ['an embedding', (g, w) => g.embeddingLookup(w, [[3, 97, 3, 500, 2000]])],
];
for (const [name, use] of USES) {
  for (const [which, rows] of /** @type {const} */ ([
    ['scattered', 97],
    ['neighbouring', 1],
  ])) {
    test(`${name} with 1 % of its rows free, ${which}, trains in 1.15 times the memory of its weights and activations`, async () => {
      const g = await init();
      const w = g.variable(new Float32Array(2048 * 512).fill(0.01), { shape: [2048, 512] });
      const loss = g.compile(() => g.mean(g.square(use(g, w))));
      const optimizer = g.optimizers.adam();
      w.lock('all');
      optimizer.minimize(loss, { variables: [w] });
      const { bytes } = g.memory();
      w.unlock({ rows: Array.from({ length: 20 }, (_, i) => i * rows) });
      optimizer.minimize(loss, { variables: [w], steps: 2 });
      const { bytes: all, valueBytes, slotBytes, programBytes } = g.memory();
      assert.ok(all <= 1.15 * bytes, `${(all / bytes).toFixed(3)} times`);
      assert.ok(valueBytes >= 4 * 2048 * 512 && slotBytes > 0 && programBytes > 0);
      assert.ok(valueBytes + slotBytes + programBytes <= all);
    });
  }
}

for (const [
  what,
  change,
  pages,
] of /** @type {[string, (w: any, train: () => void) => void, number][]} */ ([
  ['every second row is freed', (w) => w.unlock({ rows: even(64) }), 0],
  ['a row is locked and another freed', (w) => w.toggle({ rows: [2, 3] }), 0],
  ['all are locked', (w) => w.lock('all'), 0],
  ['half of a row is locked', (w) => w.lock(HALVES[2]), 0],
  ['half of a row is freed', (w) => w.unlock(HALVES[5]), 0],
  ['half of two rows rests for a step', rest, 2],
])) {
  test(`counts of steps cost ${pages ? 'bytes by element where they differ' : 'next to nothing'}, when ${what}`, async () => {
    const g = await init();
    const w = g.variable(new Float32Array(COUNTED * PAGE), { shape: [COUNTED, PAGE] });
    const gradient = g.tensor(new Float32Array(COUNTED * PAGE).fill(1), [COUNTED, PAGE]);
    const optimizer = g.optimizers.adam();
    const train = () => optimizer.applyGradients([[gradient, w]]);
    w.lock('all').unlock({ rows: [2, 4] });
    for (let i = 0; i < 3; i++) train();
    const before = g.memory();
    const saved = optimizer.toBytes().length;
    change(w, train);
    train();
    const { bytes, slotBytes } = g.memory();
    const slots = slotBytes - before.slotBytes;
    const added = bytes - before.bytes - slots - 4 * PAGE * pages;
    const savedSlots = Math.ceil(slots / (2 * 4 * PAGE)) * 2 * 4 * PAGE; // by pages
    const addedToState = optimizer.toBytes().length - saved - savedSlots - 4 * PAGE * pages;
    // Of each page two cohorts and where its numbers or slots are; and of each cohort a little.
    assert.ok(added < 16 * COUNTED + 2048 + 64 * pages, `${added} bytes of memory`);
    assert.ok(addedToState < 16 * COUNTED + 256, `${addedToState} bytes of state`);
  });
}

test('freeing a layer that no step has trained yet plans its gradient then, to the same bits', async () => {
  const g = await init();
  const run = (/** @type {boolean} */ late) => {
    const next = random(8);
    const draw = (/** @type {number} */ n) => Float32Array.from({ length: n }, () => next() - 0.5);
    const [a, b] = [g.variable(draw(6000), { shape: [60, 100] }), g.variable(draw(100))];
    const x = g.tensor(draw(240), [4, 60]);
    const loss = g.compile(() => g.mean(g.square(g.mul(g.tanh(g.matMul(x, a)), b))));
    const optimizer = g.optimizers.adam({ learningRate: 0.01 });
    const trained = late ? [a, b] : [b];
    a.lock('all');
    optimizer.minimize(loss, { variables: trained, steps: 5 });
    a.unlock({ rows: [3, 4] });
    optimizer.minimize(loss, { variables: [a, b], steps: 5 });
    a.unlock('all');
    optimizer.minimize(loss, { variables: [a, b], steps: 5 });
    return [bitsOf(a.data()), bitsOf(b.data())];
  };
  assert.deepEqual(run(true), run(false));
});

test('steps by pieces of a gradient, of which a page has several, are those by all of it', async () => {
  const next = random(9);
  const isFree = Array.from(
    { length: COUNT },
    (_, i) => Math.floor(i / COLUMNS) % 8 === 1 && next() < 0.8,
  );
  for (const rule of RULES) {
    const g = await init();
    const [pieces, all] = [make(g, (i) => isFree[i]), make(g, (i) => isFree[i])];
    const [one, other] = [g.optimizers[rule](), g.optimizers[rule]()];
    for (let i = 0; i < 3; i++) {
      one.minimize(pieces.loss, { variables: [pieces.w] });
      const { grads } = g.valueAndGrad(all.loss, [all.w]);
      other.applyGradients([[grads[0], all.w]]);
    }
    assert.deepEqual(bitsOf(pieces.w.data()), bitsOf(all.w.data()), rule);
  }
});
