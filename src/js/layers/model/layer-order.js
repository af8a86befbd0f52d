// The order in which a model's layers run, are listed and are saved. It is Keras's order, so that
// weights have the same order. Source: keras/src/ops/function.py, map_graph, of Keras 3.15.
import { OptionError } from '../../base/errors.js';

/** @import { Layer } from '../layer/layer.js' */
/** @import { Node, SymbolicTensor } from '../layer/symbolic.js' */

/**
 * Returns the nodes that the outputs need, each after those it needs, and the layers as discovered.
 * @param {readonly SymbolicTensor[]} inputs
 * @param {readonly SymbolicTensor[]} outputs
 */
const collect = (inputs, outputs) => {
  const given = new Set(inputs);
  /** @type {Set<Node>} */
  const done = new Set();
  /** @type {Set<Layer>} */
  const layers = new Set();
  /** Nodes being visited; recursion could overflow. @type {{ node: Node, next: number }[]} */
  const stack = [];
  /** @param {Node} node */
  const enter = (node) => {
    if (done.has(node)) return;
    layers.add(node.layer);
    stack.push({ node, next: 0 });
  };
  for (const output of outputs) {
    enter(output.node);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const input = top.node.inputs[top.next++];
      if (input) {
        if (!given.has(input) || input.node.inputs.length === 0) enter(input.node);
      } else {
        done.add(top.node);
        stack.pop();
      }
    }
  }
  return { nodes: [...done], layers };
};

/**
 * @param {readonly SymbolicTensor[]} inputs
 * @param {readonly SymbolicTensor[]} outputs
 * @returns {{ nodes: Node[], layers: Layer[] }} Both in the order in which they run.
 */
export const orderOf = (inputs, outputs) => {
  const { nodes, layers } = collect(inputs, outputs);
  for (const { inputs: list, layer } of nodes) {
    if (list.length === 0 && !inputs.some((input) => input.node.layer === layer)) {
      throw new OptionError(
        `the outputs depend on input '${layer.name}', which is not among the inputs of the model`,
      );
    }
  }
  /** Depths of nodes, and of layers: their nodes' largest so far. @type {Map<object, number>} */
  const depths = new Map();
  /** @param {object} of */
  const depthOf = (of) => depths.get(of) ?? 0;
  for (const node of [...nodes].reverse()) {
    const depth = Math.max(depthOf(node), depthOf(node.layer));
    depths.set(node, depth).set(node.layer, depth);
    for (const { node: parent } of node.inputs) {
      depths.set(parent, Math.max(depth + 1, depthOf(parent)));
    }
  }
  for (const { node } of inputs) {
    layers.add(node.layer);
    if (!depths.has(node)) nodes.push(node);
  }
  // Nodes of the same depth do not depend on each other and keep their order.
  /** @param {object} a @param {object} b */
  const byDepth = (a, b) => depthOf(b) - depthOf(a);
  return { nodes: nodes.sort(byDepth), layers: [...layers].sort(byDepth) };
};
