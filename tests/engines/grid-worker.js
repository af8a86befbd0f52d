/* Trains in a worker, as docs/grid.md says: each message is a picture; what comes back are locks. */
const library = '../../build/npm/index.js';
const { init } = await import(library);
const g = await init();
let x = g.variable(new Float32Array(4), { shape: [2, 2], name: 'x' });
const loss = g.compile(() =>
  g.sum(
    g.square(
      g.sub(x, [
        [1, 2],
        [3, 4],
      ]),
    ),
  ),
);
const sgd = g.optimizers.sgd({ learningRate: 0.1 });

const show = () => postMessage({ values: x.data(), locks: x.locks.toMask() });

/** Fit a layer, and show its weights after each epoch. @param {number} epochs */
async function fit(epochs) {
  const { layers } = await import(library.replace('index', 'layers'));
  const nn = layers(g, { seed: 1 });
  const net = nn.sequential([nn.dense({ units: 2, inputShape: [2], useBias: false })]);
  net.compile({ optimizer: g.optimizers.adam({ learningRate: 1e-4 }), loss: 'meanSquaredError' });
  x = net.layers[0].kernel;
  const inputs = Array.from({ length: 64 }, (_, i) => [Math.sin(i), Math.cos(i)]);
  const labels = inputs.map(([a, b]) => [3 * a - 2 * b, a + 4 * b]);
  await net.fit(inputs, labels, { epochs, batchSize: 4, callbacks: { onEpochEnd: show } });
  postMessage({ isDone: true });
}

addEventListener('message', ({ data }) => {
  if (data.epochs) return fit(data.epochs);
  if (data.indices) x[data.locked ? 'lock' : 'unlock'](data.indices);
  else sgd.minimize(loss, { steps: data.steps });
  show();
});
show();

export {};
