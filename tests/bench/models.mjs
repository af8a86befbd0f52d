/* The models that the row of `fit` trains: in TensorFlow.js's words, which are ours too, and by hand in gradlock's ops, on
 * the same weights. */

/** @typedef {import('gradlock').Tensor} Tensor */
/** @typedef {import('gradlock').Variable} Variable */
/**
 * @typedef {object} ModelOfRow
 * @property {number[]} shape of a sample
 * @property {number} classes
 * @property {(lib: any) => any[]} layers of TensorFlow.js's or our `layers`
 * @property {(g: import('gradlock').Gradlock, weights: Variable[], x: Tensor) => Tensor} byHand the logits that the layers compute
 */

/** @type {ModelOfRow} */
export const mlp = {
  shape: [784],
  classes: 10,
  layers: (lib) => [
    lib.dense({ units: 128, activation: 'relu', inputShape: [784] }),
    lib.dense({ units: 128, activation: 'relu' }),
    lib.dense({ units: 10, activation: 'softmax' }),
  ],
  byHand(g, [w1, b1, w2, b2, w3, b3], x) {
    const first = g.relu(g.add(g.matMul(x, w1), b1));
    const second = g.relu(g.add(g.matMul(first, w2), b2));
    return g.add(g.matMul(second, w3), b3);
  },
};

/** That of cnn.mjs. @type {ModelOfRow} */
export const cnn = {
  shape: [28, 28, 1],
  classes: 10,
  layers: (lib) => [
    lib.conv2d({ filters: 8, kernelSize: 3, activation: 'relu', inputShape: [28, 28, 1] }),
    lib.maxPooling2d({ poolSize: 2 }),
    lib.conv2d({ filters: 16, kernelSize: 3, activation: 'relu' }),
    lib.maxPooling2d({ poolSize: 2 }),
    lib.flatten(),
    lib.dense({ units: 64, activation: 'relu' }),
    lib.dense({ units: 10, activation: 'softmax' }),
  ],
  byHand(g, [k1, b1, k2, b2, w3, b3, w4, b4], x) {
    const first = g.maxPool(g.relu(g.add(g.conv2d(x, k1), b1)), 2);
    const second = g.maxPool(g.relu(g.add(g.conv2d(first, k2), b2)), 2);
    const flat = g.reshape(second, [second.shape[0], -1]);
    const hidden = g.relu(g.add(g.matMul(flat, w3), b3));
    return g.add(g.matMul(hidden, w4), b4);
  },
};

/** How many layers mnist-transfer-cnn freezes. */
export const TRANSFER_FEATURES = 4;

/** TensorFlow.js's mnist-transfer-cnn, without its dropout. @type {ModelOfRow} */
export const transfer = {
  shape: [28, 28, 1],
  classes: 5,
  layers: (lib) => [
    lib.conv2d({ filters: 32, kernelSize: 3, activation: 'relu', inputShape: [28, 28, 1] }),
    lib.conv2d({ filters: 32, kernelSize: 3, activation: 'relu' }),
    lib.maxPooling2d({ poolSize: 2 }),
    lib.flatten(),
    lib.dense({ units: 128, activation: 'relu' }),
    lib.dense({ units: 5, activation: 'softmax' }),
  ],
  byHand(g, [k1, b1, k2, b2, w3, b3, w4, b4], x) {
    const first = g.relu(g.add(g.conv2d(x, k1), b1));
    const second = g.maxPool(g.relu(g.add(g.conv2d(first, k2), b2)), 2);
    const flat = g.reshape(second, [second.shape[0], -1]);
    const hidden = g.relu(g.add(g.matMul(flat, w3), b3));
    return g.add(g.matMul(hidden, w4), b4);
  },
};
