/* Training whose every kind of job is shared by threads, and the digests that it ends on. Pages run
 * it, too (tests/engines/threads.test.js), so it imports nothing of Node.js. */

/**
 * Seeded values in [-1, 1): a linear congruential generator.
 * @param {number} size
 * @param {number} seed
 */
const draw = (size, seed) => {
  let state = seed;
  return Float32Array.from({ length: size }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
};

/**
 * A perceptron with locks, whose sizes fit no tile.
 * @param {import('gradlock').Gradlock} g
 */
const trainMlp = (g) => {
  const x = g.tensor(draw(253 * 131, 1), [253, 131]);
  const labels = g.tensor(Float32Array.from({ length: 253 }, (_, i) => i % 11));
  const w1 = g.variable(draw(131 * 97, 2), { shape: [131, 97] }).lock((_, i) => i % 7 === 0);
  const b1 = g.variable(draw(97, 3)).lock([1, 5]);
  const w2 = g.variable(draw(97 * 11, 4), { shape: [97, 11] }).lock({ cols: [3] });
  const loss = g.compile(() => {
    const hidden = g.layerNorm(g.gelu(g.add(g.matMul(x, w1), b1)));
    return g.mean(g.losses.sparseCategoricalCrossentropy(labels, g.softmax(g.matMul(hidden, w2))));
  });
  const optimizer = g.optimizers.adamW({ learningRate: 0.02, globalClipNorm: 1 });
  optimizer.minimize(loss, { steps: 12 });
  return [w1, b1, w2].map((w) => w.digest());
};

/**
 * Convolutions of each kind, pools and reductions.
 * @param {import('gradlock').Gradlock} g
 */
const trainConvolutions = (g) => {
  const x = g.tensor(draw(12 * 25 * 21 * 3, 5), [12, 25, 21, 3]);
  const f = g.variable(draw(3 * 3 * 3 * 6, 6), { shape: [3, 3, 3, 6] }).lock((_, i) => i % 5 === 0);
  const d = g.variable(draw(3 * 3 * 6, 7), { shape: [3, 3, 6, 1] });
  const t = g.variable(draw(2 * 2 * 4 * 6, 8), { shape: [2, 2, 4, 6] });
  const loss = g.compile(() => {
    const wide = g.maxPool(g.relu(g.conv2d(x, f, 1, 'same')), 2, 1);
    const deep = g.avgPool(g.depthwiseConv2d(wide, d, 1, 'same'), 2, 2);
    const [n, height, width] = deep.shape;
    const grown = g.conv2dTranspose(deep, t, [n, 2 * height, 2 * width, 4], 2);
    return g.add(g.mean(g.square(grown)), g.mean(g.abs(g.sum(deep, [1, 2]))));
  });
  g.optimizers.sgd({ learningRate: 0.05, momentum: 0.9 }).minimize(loss, { steps: 12 });
  return [f, d, t].map((w) => w.digest());
};

/**
 * Elementwise operations in a row, which are computed piece by piece.
 * @param {import('gradlock').Gradlock} g
 */
const trainChain = (g) => {
  const x = g.variable(draw(90_001, 13)).lock((_, i) => i % 3 === 0);
  const loss = g.compile(() =>
    g.mean(g.square(g.add(g.sin(g.mul(g.exp(g.tanh(x)), 1.5)), g.sigmoid(g.abs(x))))),
  );
  g.optimizers.adam({ learningRate: 0.01 }).minimize(loss, { steps: 6 });
  return [x.digest()];
};

/**
 * A batch that is long enough for the fixed tree of sums, and products in batches.
 * @param {import('gradlock').Gradlock} g
 */
const sumMuch = (g) => {
  const x = g.tensor(draw(300_000, 9), [300, 1000]);
  const a = g.tensor(draw(9 * 17 * 23, 10), [9, 17, 23]);
  const b = g.tensor(draw(9 * 23 * 19, 11), [9, 23, 19]);
  return [
    ...[g.sum(x), g.mean(x, 0), g.sum(x, 1), g.matMul(a, b), g.exp(x), g.add(x, g.mean(x, 0))],
    ...[g.transpose(x), g.logSumExp(x, 1), g.sort(a)],
  ].map((tensor) => tensor.digest());
};

/**
 * @param {import('gradlock').Gradlock} g
 * @param {any} layers From gradlock/layers.
 */
const fitLayers = async (g, layers) => {
  const nn = layers(g, { seed: 3 });
  const net = nn.sequential([
    nn.conv2d({ filters: 5, kernelSize: 3, activation: 'relu', inputShape: [9, 9, 2] }),
    nn.batchNormalization(),
    nn.maxPooling2d({ poolSize: 2 }),
    nn.flatten(),
    nn.dropout({ rate: 0.3 }),
    nn.dense({ units: 4, activation: 'softmax', name: 'head' }),
  ]);
  net.compile({ optimizer: 'adam', loss: 'sparseCategoricalCrossentropy' });
  net.getLayer('head').kernel.lock({ cols: [1] });
  const xs = g.tensor(draw(50 * 9 * 9 * 2, 12), [50, 9, 9, 2]);
  const ys = g.tensor(Float32Array.from({ length: 50 }, (_, i) => (i * 7) % 4));
  await net.fit(xs, ys, { epochs: 2, batchSize: 16 });
  return net.weights.map((/** @type {{ digest(): string }} */ weight) => weight.digest());
};

/**
 * The digests of all of it.
 * @param {import('gradlock').Gradlock} g
 * @param {any} layers
 * @returns {Promise<string[]>}
 */
export const runAll = async (g, layers) => [
  ...trainMlp(g),
  ...trainConvolutions(g),
  ...trainChain(g),
  ...sumMuch(g),
  ...(await fitLayers(g, layers)),
];
