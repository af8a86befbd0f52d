// Logits: what softmax and sigmoid were computed from. A crossentropy of a model's probabilities is
// computed from them, as Keras does on TensorFlow (`_keras_logits`): where they saturate at 0 or 1
// it is exact and has a gradient.
// Source: keras/src/backend/tensorflow/nn.py of Keras 3.15.

/** @typedef {import('../model/model.js').Model} Model */
/** @typedef {import('../layer/symbolic.js').Node} Node */
/** @typedef {import('../layer/symbolic.js').SymbolicTensor} SymbolicTensor */
/** @typedef {import('../../tensors/tensor.js').Tensor} Tensor */
/** @typedef {'softmax' | 'sigmoid'} Kind */

/** @type {WeakMap<Tensor, { kind: Kind, logits: Tensor }>} */
const known = new WeakMap();

/**
 * Remembers the logits of probabilities.
 * @param {Kind} kind
 * @param {Tensor} probabilities
 * @param {Tensor} logits
 * @returns {Tensor} The probabilities.
 */
export const keepLogits = (kind, probabilities, logits) => {
  known.set(probabilities, { kind, logits });
  return probabilities;
};

/**
 * The logits of probabilities that came straight from such a function, if it was of that kind.
 * @param {Tensor} probabilities
 * @param {Kind | undefined} kind
 */
export const logitsOf = (probabilities, kind) => {
  const found = known.get(probabilities);
  return found && found.kind === kind ? found.logits : null;
};

/** @param {any} layer */
const keepsLogits = ({ config, constructor: { className } }) =>
  className === 'Softmax' || /^(softmax|sigmoid)$/.test(config.activation?.name);

/**
 * The nodes at a model's end whose logits the loss uses: their results are not cached, as logits
 * would be missing. Layers without weights may hand on what they are given.
 * @param {Model} model
 * @param {Set<SymbolicTensor>} [ends]
 * @param {Set<Node>} [found]
 */
export const endsWithLogits = (model, ends = new Set(model.outputs), found = new Set()) => {
  for (const node of [...model.order].reverse()) {
    const { layer, inputs, outputs } = node;
    if (!outputs.some((symbol) => ends.has(symbol))) continue;
    const { size } = found;
    if ('order' in layer) {
      const inner = /** @type {Model} */ (layer);
      for (const symbol of inner.outputs) ends.add(symbol);
      endsWithLogits(inner, ends, found);
    }
    if (found.size > size || keepsLogits(layer)) found.add(node);
    if (layer.weights.length === 0) for (const symbol of inputs) ends.add(symbol);
  }
  return found;
};
