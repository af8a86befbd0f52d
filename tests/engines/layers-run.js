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

/** A model whose batches take about a millisecond, and its data, without end. @param {Gradlock} g @param {LayersEntry} layers */
export const endless = (g, layers) => {
  const nn = layers(g, { seed: 1 });
  const model = nn.sequential([
    nn.dense({ units: 256, activation: 'relu', inputShape: [256] }),
    nn.dense({ units: 10 }),
  ]);
  model.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
  const batch = [g.randomNormal([32, 256], 0, 1, 1), g.randomNormal([32, 10], 0, 1, 2)];
  const batches = function* () {
    for (;;) yield batch;
  };
  return { model, batches };
};

/**
 * Train within one epoch until the page has drawn so many frames, or for so many batches.
 * @param {ReturnType<typeof endless>} made
 * @param {'auto' | 'never'} yieldEvery
 * @param {{ frames?: number, batches?: number }} most
 */
export const watchFit = async (made, yieldEvery, { frames = Infinity, batches = Infinity }) => {
  const stop = new AbortController();
  const seen = { frames: 0, batches: 0 };
  const count = () => {
    seen.frames++;
    if (!stop.signal.aborted) requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
  const { stopped } = await made.model.fit(made.batches(), {
    stepsPerEpoch: 1e9,
    yieldEvery,
    signal: stop.signal,
    callbacks: {
      onBatchEnd: () => {
        seen.batches++;
        if (seen.frames >= frames || seen.batches >= batches) stop.abort();
      },
    },
  });
  return { ...seen, stopped };
};

/**
 * Training that is told to stop by a timer, and from within a batch.
 * @param {ReturnType<typeof endless>} made
 */
export const stopFit = async (made) => {
  const run = async (/** @type {AbortController} */ stop, /** @type {object} */ callbacks) => {
    let batches = 0;
    const count = { onBatchEnd: () => void batches++ };
    const options = { stepsPerEpoch: 1e9, signal: stop.signal, callbacks: [count, callbacks] };
    const asked = new Promise((resolve) => {
      stop.signal.addEventListener('abort', () => resolve(batches));
    });
    const { stopped } = await made.model.fit(made.batches(), options);
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
