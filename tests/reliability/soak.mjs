/**
 * `make soak`: works for long, and claims that memory stays flat, judged by sizes. First STEPS of
 * training with other locks every thousand, then INSTANCES that are made and dropped, then memory
 * that is filled up to its limit and freed. What was held after a tenth of the work must not have
 * grown at its end. Writes docs/reliability.md; fails if something grew.
 */
import { init, OutOfMemoryError } from 'gradlock';
import { drawer } from '../fuzz/draw.js';
import { record, table } from './report.js';

/** @typedef {{ wasm: number, tensors: number, objects: number, heap: number }} Sizes */

const STEPS = Number(process.env.STEPS ?? 10_000_000);
const INSTANCES = Number(process.env.INSTANCES ?? 10_000);
const MiB = 2 ** 20;
/** V8 keeps compiled code and counters of its own; a leak of a hundred bytes a round exceeds it. */
const HEAP_SLACK = MiB;
const gc = /** @type {() => void} */ (globalThis.gc);

/** Lets finalizers run, and collects what they free. */
const collect = async () => {
  for (let i = 0; i < 5; i++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
};

/** @param {import('gradlock').Gradlock} g @returns {Promise<Sizes>} */
const sizesOf = async (g) => {
  await collect();
  const { wasmBytes: wasm, bytes: tensors, objects } = g.memory();
  return { wasm, tensors, objects, heap: process.memoryUsage().heapUsed };
};

/**
 * Repeats work, and compares what is held after a tenth of it with what is held at the end.
 * @param {string} what
 * @param {number} rounds
 * @param {number} each How many of it a round does.
 * @param {(round: number) => unknown} work
 * @param {() => Promise<Sizes>} measure
 */
const soak = async (what, rounds, each, work, measure) => {
  /** @type {Sizes | undefined} */
  let early;
  for (let round = 0; round < rounds; round++) {
    await work(round);
    if (round === Math.floor(rounds / 10)) early = await measure();
  }
  const late = await measure();
  const { wasm, tensors, objects, heap } = early ?? late;
  const isFlat =
    late.wasm <= wasm &&
    late.tensors <= tensors &&
    late.objects <= objects &&
    late.heap <= heap + HEAP_SLACK;
  const shown = (/** @type {(sizes: Sizes) => string | number} */ of) =>
    `${of({ wasm, tensors, objects, heap })} → ${of(late)}`;
  if (!isFlat) process.exitCode = 1;
  return [
    what,
    (rounds * each).toLocaleString('en'),
    shown((sizes) => (sizes.wasm / MiB).toFixed(1)),
    shown((sizes) => sizes.tensors),
    shown((sizes) => sizes.objects),
    shown((sizes) => (sizes.heap / MiB).toFixed(1)),
    isFlat ? 'flat' : '**grew**',
  ];
};

/** Steps under rules in turn, with new locks each round, and states that are saved and read back. */
const steps = async () => {
  const g = await init();
  const draw = drawer(1);
  const SIZE = 24;
  const EACH = 1000;
  const someElements = () => Array.from({ length: draw(SIZE) }, () => draw(SIZE));
  const x = g.variable(new Float32Array(SIZE).fill(0.5), { name: 'x' });
  const loss = g.compile(() => g.sum(g.square(g.sub(x, g.sin(x)))));
  const rules = /** @type {const} */ (['sgd', 'adam', 'rmsprop', 'lion', 'adagrad', 'nadam']);
  /** @param {number} round */
  const work = async (round) => {
    const make = g.optimizers[rules[round % rules.length] ?? 'sgd'];
    const [optimizer, copy] = [make({ learningRate: 1e-3 }), make({ learningRate: 1e-3 })];
    x.lock(someElements());
    x.unlock(someElements());
    const drag = x.locks.holder('drag').lock(someElements());
    const [mask, before] = [x.locks.toMask(), x.data()];
    optimizer.minimize(loss, { variables: [x], steps: EACH / 2 });
    copy.setState(optimizer.toBytes({ variables: [x] }), { variables: [x] });
    copy.minimize(loss, { variables: [x], steps: EACH / 2 });
    const after = x.data();
    for (let i = 0; i < SIZE; i++) {
      if (mask[i] && !Object.is(before[i], after[i])) throw new Error(`locked ${i} moved`);
    }
    drag.clear();
    copy.dispose();
    optimizer.dispose();
    g.tensor(after); // The garbage collector has to give it back.
    if (round % 100 === 0) await collect();
  };
  return soak('steps of training', Math.ceil(STEPS / EACH), EACH, work, () => sizesOf(g));
};

/** Instances, of which every other is forgotten without being disposed. */
const instances = async () => {
  const watched = await init();
  const EACH = 10;
  /** @param {number} round */
  const work = async (round) => {
    for (let i = 0; i < EACH; i++) {
      const g = await init();
      const x = g.variable([1, 2, 3]).lock([1]);
      const sgd = g.optimizers.sgd();
      sgd.minimize(() => g.sum(g.square(x)), { variables: [x], steps: 3 });
      if (i % 2) g.dispose();
    }
    if (round % 5 === 0) await collect();
  };
  return soak('instances', Math.ceil(INSTANCES / EACH), EACH, work, () => sizesOf(watched));
};

/** Tensors until no more can be had, then given back. */
const fills = async () => {
  const g = await init();
  const block = new Float32Array(2 ** 24);
  // The C core keeps 256 handles aside before it uses them again; their table is full from here on.
  g.tidy(() => Array.from({ length: 1000 }, () => g.tensor(0)));
  /** @type {number | undefined} */
  let second;
  const work = (/** @type {number} */ round) =>
    g.tidy(() => {
      let count = 0;
      try {
        for (; ; count++) g.tensor(block);
      } catch (error) {
        if (!(error instanceof OutOfMemoryError)) throw error;
      }
      // The first time, what an instance keeps may lie at the end of memory, and split it later.
      if (round > 0) second ??= count;
      if (round > 0 && count !== second) throw new Error(`${count} blocks fit, not ${second}`);
    });
  return soak('times that 4 GB were filled', 20, 1, work, () => sizesOf(g));
};

const rows = [await steps(), await instances(), await fills()];
const held = ['WebAssembly, MiB', 'tensors, bytes', 'objects', 'JavaScript, MiB'];
record('make soak', table(['work', 'how many', ...held, 'memory'], rows));
