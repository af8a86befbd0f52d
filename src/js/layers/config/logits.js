// Logits are the inputs of softmax and sigmoid. The crossentropy of a model's probabilities is
// computed from its logits, as in Keras on TensorFlow (`_keras_logits`), so it is exact and has a
// gradient if probabilities saturate. Source: keras/src/backend/tensorflow/nn.py of Keras 3.15.

/** @import { Model } from '../model/model.js' */
/** @import { Node, SymbolicTensor } from '../layer/symbolic.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @typedef {'softmax' | 'sigmoid'} Kind */

/** @type {WeakMap<Tensor, { kind: Kind, logits: Tensor }>} */
const known = new WeakMap();

/**
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
 * Returns the logits of probabilities, if a function of that kind computed them directly.
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
 * Finds the nodes at a model's end whose logits the loss uses. Their results are not cached, since
 * a cache has no logits. Layers without weights may pass on their input.
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
