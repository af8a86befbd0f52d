// Writes the connections between a model's layers in the form of Keras 3's JSON.
import { mapArgs, SymbolicTensor } from '../layer/symbolic.js';

/** @import { Layer } from '../layer/layer.js' */
/** @import { Model } from './model.js' */
/** @import { Node } from '../layer/symbolic.js' */

/** Finds tensors' origins: layer, application in this model, output. @param {Model} model */
const historian = (model) => {
  /** @type {Map<Layer, Node[]>} */
  const nodes = new Map();
  /** @type {Map<Node, number>} */
  const applications = new Map();
  for (const node of model.order) {
    const list = nodes.get(node.layer) ?? [];
    applications.set(node, list.length);
    list.push(node);
    nodes.set(node.layer, list);
  }
  /** @param {SymbolicTensor} symbol @returns {[string, number, number]} */
  const historyOf = ({ node, index }) => [node.layer.name, applications.get(node) ?? -1, index];
  return { nodesOf: (/** @type {Layer} */ layer) => nodes.get(layer) ?? [], historyOf };
};

/**
 * @param {any} args The arguments: nested lists and objects of tensors and plain values.
 * @param {(symbol: SymbolicTensor) => unknown} history
 */
const writeArgs = (args, history) =>
  mapArgs(args, (value) => {
    if (!(value instanceof SymbolicTensor)) return undefined;
    const { shape, dtype } = value;
    return {
      class_name: '__keras_tensor__',
      config: { shape, dtype, keras_history: history(value) },
    };
  });

/** Returns the configuration of a model. @param {Model} model @returns {Record<string, unknown>} */
export const writeGraph = (model) => {
  const { nodesOf, historyOf } = historian(model);
  const layers = model.sublayers.map((layer) => ({
    ...layer.serialize(),
    name: layer.name,
    inbound_nodes: nodesOf(layer)
      .filter(({ inputs }) => inputs.length > 0)
      .map((node) => {
        const { args, kwargs } = layer.toArgs(node);
        return { args: writeArgs(args, historyOf), kwargs: writeArgs(kwargs, historyOf) };
      }),
  }));
  const inputs = model.inputs.map(historyOf);
  // Only here Keras counts a functional model's own node.
  const outputs = model.outputs.map((symbol) => {
    const [name, node, index] = historyOf(symbol);
    const { className } = /** @type {any} */ (symbol.node.layer.constructor);
    return [name, node + Number(className === 'Functional'), index];
  });
  return {
    name: model.name,
    trainable: !model.frozen,
    layers,
    input_layers: model.single.input ? inputs[0] : inputs,
    output_layers: model.single.output ? outputs[0] : outputs,
  };
};
