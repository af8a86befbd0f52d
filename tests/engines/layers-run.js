/* What tests of gradlock/layers run in pages. */

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {typeof import('gradlock/layers').layers} LayersEntry */

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
