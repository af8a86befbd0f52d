/* What training parts of MiniLM costs, beside its forward pass and what the machine's arithmetic
 * allows: 8 rows of 32 tokens, two classes, Adam. */
import { init } from 'gradlock';
import { measure, median, repeatedly } from '../bench/harness.mjs';
import { loadLimits, PEAK_OPERATIONS } from '../bench/limits.mjs';
import { printTable } from '../golden/golden.js';
import { freezeAllBut, openClassifier, tokensOf } from './minilm.js';

const [ROWS, STEPS, BATCHES] = [8, 32, 4];
const [BLOCKS, WIDTH, INNER] = [6, 384, 1536];
/** As long as other samples are: short ones see other clock rates. */
const LONG = 50;
/** How often fit is interrupted for what it is compared with. */
const COMPARED = 5;
const OPTIONS = { rounds: 9, seconds: 0.2, patience: 2 };

/** Operations of a block's forward pass: of what has weights, and of attention. */
const TOKENS = ROWS * STEPS;
const DENSE = 2 * TOKENS * (4 * WIDTH ** 2 + 2 * WIDTH * INNER);
const ATTENTION = 2 * TOKENS * 2 * STEPS * WIDTH;
const FORWARD = BLOCKS * (DENSE + ATTENTION);
/** Back through a block: to what goes in, which attention has two of. */
const THROUGH = DENSE + 2 * ATTENTION;
/** The gradients of all of its weights, and back to these, but for what goes in. */
const LEARNING = DENSE + THROUGH - 2 * TOKENS * 3 * WIDTH ** 2;

/**
 * What is free, and what a step must compute at least: anew, and where what is wholly frozen is kept
 * from before, for so many epochs of fit: 0 where nothing is.
 */
const PARTS = {
  head: { free: /^head\//, anew: FORWARD, kept: 0, epochs: 200 },
  'last block + head': {
    free: /^(head|block_5\/\w+)\//,
    anew: FORWARD + LEARNING,
    kept: DENSE + ATTENTION + LEARNING,
    epochs: 10,
  },
  'all biases': { free: /\/(bias|beta)$/, anew: FORWARD + BLOCKS * THROUGH, kept: 0, epochs: 0 },
};

const limits = loadLimits();
const ROUNDS = 1e6;

/** Operations a second that the engine can do, at most. @param {number} seconds Of ROUNDS. */
const peakOf = (seconds) => (PEAK_OPERATIONS * ROUNDS) / seconds;

/** @param {() => void} work */
const millisecondsOf = (work) => {
  const start = performance.now();
  work();
  return performance.now() - start;
};

/** @param {RegExp} [free] */
const open = async (free) => {
  const g = await init();
  const net = await openClassifier(g, STEPS);
  const { x, y } = tokensOf(g, ROWS * BATCHES, STEPS);
  if (free) {
    freezeAllBut(net, free);
    net.compile({
      optimizer: g.optimizers.adam({ learningRate: 1e-4 }),
      loss: 'sparseCategoricalCrossentropy',
    });
  }
  const few = x.map((tensor) => g.slice(tensor, [0], [ROWS]));
  return { g, net, x, y, few, labels: y.slice(0, ROWS) };
};

/**
 * A batch in fit, once the first epoch is over; now and then what it is compared with.
 * @param {RegExp} free
 * @param {number} epochs
 * @param {() => void} forward
 */
const cachedSteps = async (free, epochs, forward) => {
  const { g, net, x, y } = await open(free);
  /** @type {[number[], number[], number[]]} */
  const [batches, peaks, passes] = [[], [], []];
  let start = 0;
  const result = await net.fit(x, y, {
    epochs,
    batchSize: ROWS,
    yieldEvery: 'never',
    callbacks: {
      onEpochBegin: () => {
        start = performance.now();
      },
      onEpochEnd: () => {
        batches.push((performance.now() - start) / BATCHES);
        if (batches.length % (epochs / COMPARED) !== 0) return;
        peaks.push(millisecondsOf(() => limits.peak(LONG * ROUNDS)) / LONG);
        passes.push(millisecondsOf(forward));
      },
    },
  });
  g.dispose();
  const { layers } = /** @type {any} */ (result).cached;
  const seconds = (/** @type {number[]} */ times) => median(times) / 1e3;
  return {
    layers,
    took: seconds(batches.slice(1)),
    peak: peakOf(seconds(peaks)),
    forward: seconds(passes),
  };
};

export const printSteps = async () => {
  const whole = await open();
  const program = whole.g.compile(() => whole.net.apply(whole.few));
  const pass = () => void program.run();
  /** @type {Record<string, (repeats: number) => void>} */
  const contestants = {
    forward: repeatedly(pass),
    peak: repeatedly(() => limits.peak(ROUNDS)),
  };
  for (const [name, { free }] of Object.entries(PARTS)) {
    const { net, few, labels } = await open(free);
    contestants[name] = repeatedly(() => net.trainOnBatch(few, labels));
  }
  const seconds = measure(contestants, OPTIONS);
  const together = { forward: Number(seconds.forward), peak: peakOf(Number(seconds.peak)) };
  /**
   * @param {string} what
   * @param {number} operations
   * @param {{ took: number, forward: number, peak: number }} times
   */
  const line = (what, operations, { took, forward, peak }) => [
    what,
    (took * 1e3).toPrecision(3),
    `${(took / forward).toPrecision(3)}×`,
    operations > 0 ? `${Math.round((100 * operations) / peak / took)} %` : '',
  ];
  const lines = [line('forward', FORWARD, { took: together.forward, ...together })];
  for (const [name, { free, anew, kept, epochs }] of Object.entries(PARTS)) {
    lines.push(line(name, anew, { took: Number(seconds[name]), ...together }));
    if (epochs === 0) continue;
    const found = await cachedSteps(free, epochs, pass);
    lines.push(line(`${name}, in fit, ${found.layers.length} layers cached`, kept, found));
  }
  console.log();
  printTable(
    `MiniLM, ${ROWS} rows of ${STEPS} tokens, Adam`,
    ['what learns', 'ms a step', 'forward passes', 'of the arithmetic limit'],
    lines,
  );
};
