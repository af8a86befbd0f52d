/** @typedef {import('gradlock/layers').Dense} Dense */
/* What tests of gradlock/layers run in pages and in Node.js alike. */

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {typeof import('gradlock/layers').layers} LayersEntry */

/**
 * A fit with most of what could differ from engine to engine: convolution, batch normalisation, a recurrent layer, dropout,
 * shuffling, metrics, a last batch of its own size, and something locked.
 * @param {Gradlock} g
 * @param {LayersEntry} layers
 * @returns {Promise<string[]>} Digests of the weights, the history, and pressure.
 */
export const fitEverything = async (g, layers) => {
  const nn = layers(g, { seed: 7 });
  const net = nn.sequential([
    nn.conv2d({ filters: 4, kernelSize: 3, activation: 'relu', inputShape: [8, 8, 1] }),
    nn.batchNormalization(),
    nn.maxPooling2d({ poolSize: 2 }),
    nn.reshape({ targetShape: [9, 4] }),
    nn.lstm({ units: 6 }),
    nn.dropout({ rate: 0.25 }),
    nn.dense({ units: 3, activation: 'softmax', name: 'head' }),
  ]);
  /** @type {Dense} */ (net.getLayer('head')).kernel.lock({ cols: [1] });
  net.compile({ optimizer: 'adam', loss: 'categoricalCrossentropy', metrics: ['accuracy'] });
  const x = g.randomNormal([50, 8, 8, 1], 0, 1, 1);
  const y = g.oneHot(
    Array.from({ length: 50 }, (_, i) => i % 3),
    3,
  );
  const { history } = await net.fit(x, y, { epochs: 3, batchSize: 16, validationSplit: 0.2 });
  return [
    ...net.weights.map((weight) => `${weight.name} ${weight.digest()}`),
    JSON.stringify(history),
    // A file of its own, which is loaded by now.
    JSON.stringify((await net.pressure(x, y, { batchSize: 16 })).rows),
  ];
};

/** A model of a width whose batches take a while, and its data. @param {Gradlock} g @param {LayersEntry} layers @param {number} width */
const wideModel = (g, layers, width) => {
  const nn = layers(g, { seed: 1 });
  const model = nn.sequential([
    nn.dense({ units: width, activation: 'relu', inputShape: [256] }),
    nn.dense({ units: width, activation: 'relu' }),
    nn.dense({ units: 10 }),
  ]);
  model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
  const [x, y] = [g.randomNormal([640, 256], 0, 1, 1), g.randomNormal([640, 10], 0, 1, 2)];
  return { model, x, y };
};

/** @param {number[]} values */
const middle = (values) => Number([...values].sort((a, b) => a - b)[values.length >> 1]);

/**
 * A model whose batches of 32 take between 4 and 8 ms here.
 * @param {Gradlock} g
 * @param {LayersEntry} layers
 */
export const calibrate = async (g, layers) => {
  for (let width = 128; ; width = Math.round(width * 1.2)) {
    const made = wideModel(g, layers, width);
    /** @type {number[]} */
    const times = [];
    let began = 0;
    await made.model.fit(made.x, made.y, {
      yieldEvery: 'never',
      callbacks: {
        onBatchBegin: () => {
          began = performance.now();
        },
        onBatchEnd: () => void times.push(performance.now() - began),
      },
    });
    const batch = middle(times);
    if (batch >= 4.5 || width > 4000) return { ...made, width, batch };
    made.model.dispose();
  }
};

/** Counts frames from now on; the function that it returns ends that. */
export const countFrames = () => {
  let frames = 0;
  let isOn = true;
  const count = () => {
    if (!isOn) return;
    frames++;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  const began = performance.now();
  return () => {
    isOn = false;
    return { frames, seconds: (performance.now() - began) / 1e3 };
  };
};

/**
 * Train for so long, and say what the page could do meanwhile.
 * @param {Awaited<ReturnType<typeof calibrate>>} made
 * @param {number} ms
 * @param {'auto' | 'never'} yieldEvery
 * @param {number} mostWork ms in a task before its last batch begins
 */
export const watchFit = async ({ model, x, y }, ms, yieldEvery, mostWork) => {
  const stop = new AbortController();
  let batches = 0;
  let tasks = 0;
  /** When the first batch of this task began. @type {number | null} */
  let start = null;
  /** Batches that began when their task had taken longer than it should. */
  let late = 0;
  let mostBatches = 0;
  let here = 0;
  const began = performance.now();
  const end = countFrames();
  const { stopped } = await model.fit(x, y, {
    epochs: 10_000,
    yieldEvery,
    signal: stop.signal,
    callbacks: {
      onBatchBegin: () => {
        start ??= performance.now();
        if (performance.now() - start > mostWork) late++;
      },
      onBatchEnd: () => {
        batches++;
        mostBatches = Math.max(mostBatches, ++here);
        if (performance.now() - began > ms) stop.abort();
      },
      onYield: () => {
        tasks++;
        here = 0;
        start = null;
      },
      // The page may draw between epochs too.
      onEpochBegin: () => {
        here = 0;
        start = null;
      },
    },
  });
  return { ...end(), batches, tasks, late, mostBatches, stopped };
};

/**
 * Training that is told to stop by a timer, and from within a batch.
 * @param {Awaited<ReturnType<typeof calibrate>>} made
 */
export const stopFit = async ({ model, x, y }) => {
  const run = async (/** @type {AbortController} */ stop, /** @type {object} */ callbacks) => {
    let batches = 0;
    const count = { onBatchEnd: () => void batches++ };
    const options = { epochs: 10_000, signal: stop.signal, callbacks: [count, callbacks] };
    const asked = new Promise((resolve) => {
      stop.signal.addEventListener('abort', () => resolve(batches));
    });
    const { stopped } = await model.fit(x, y, options);
    return { stopped, asked: await asked, batches };
  };
  const timer = new AbortController();
  setTimeout(() => timer.abort(), 100);
  const inBatch = new AbortController();
  return [
    await run(timer, {}),
    await run(inBatch, { onBatchBegin: (/** @type {number} */ i) => i === 3 && inBatch.abort() }),
  ];
};
