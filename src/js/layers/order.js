// The order in which a model's layers run, are listed and saved: Keras's, so that weights come in
// its order.
// Source: keras/src/ops/function.py, map_graph, of Keras 3.15.
import { OptionError } from '../base/errors.js';

/** @typedef {import('./layer.js').Layer} Layer */
/** @typedef {import('./symbolic.js').Node} Node */
/** @typedef {import('./symbolic.js').SymbolicTensor} SymbolicTensor */

/**
 * Nodes that the outputs need, each behind those it needs; and layers in the order in which they
 * were met.
 * @param {readonly SymbolicTensor[]} inputs
 * @param {readonly SymbolicTensor[]} outputs
 */
const collect = (inputs, outputs) => {
  const given = new Set(inputs);
  /** @type {Set<Node>} */
  const done = new Set();
  /** @type {Map<Layer, number>} */
  const met = new Map();
  /**
   * Nodes on the way down; deep models must not exhaust the stack.
   * @type {{ node: Node, next: number }[]}
   */
  const stack = [];
  /** @param {Node} node */
  const enter = (node) => {
    if (done.has(node)) return;
    if (!met.has(node.layer)) met.set(node.layer, met.size);
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
  return { nodes: [...done], met };
};

/**
 * @param {readonly SymbolicTensor[]} inputs
 * @param {readonly SymbolicTensor[]} outputs
 * @returns {{ nodes: Node[], layers: Layer[] }} Both in the order in which they run.
 */
export const orderOf = (inputs, outputs) => {
  const { nodes, met } = collect(inputs, outputs);
  for (const { inputs: list, layer } of nodes) {
    if (list.length === 0 && !inputs.some((input) => input.node.layer === layer)) {
      throw new OptionError(
        `the outputs depend on input '${layer.name}', which is not among the inputs of the model`,
      );
    }
  }
  /** @type {Map<Node, number>} */
  const depths = new Map();
  /** @type {Map<Layer, number>} */
  const layerDepths = new Map();
  for (const node of [...nodes].reverse()) {
    const depth = Math.max(depths.get(node) ?? 0, layerDepths.get(node.layer) ?? 0);
    layerDepths.set(node.layer, depth);
    depths.set(node, depth);
    for (const { node: parent } of node.inputs) {
      depths.set(parent, Math.max(depth + 1, depths.get(parent) ?? 0));
    }
  }
  for (const { node } of inputs) {
    if (!met.has(node.layer)) met.set(node.layer, met.size);
    if (!layerDepths.has(node.layer)) layerDepths.set(node.layer, 0);
    if (!depths.has(node)) {
      depths.set(node, 0);
      nodes.push(node);
    }
  }
  const place = new Map(nodes.map((node, i) => [node, i]));
  const byDepth = (/** @type {number} */ a, /** @type {number} */ b) => b - a;
  return {
    // Within a depth nothing depends on anything else.
    nodes: [...nodes].sort(
      (a, b) =>
        byDepth(Number(depths.get(a)), Number(depths.get(b))) ||
        Number(place.get(a)) - Number(place.get(b)),
    ),
    layers: [...layerDepths.keys()].sort(
      (a, b) =>
        byDepth(Number(layerDepths.get(a)), Number(layerDepths.get(b))) ||
        Number(met.get(a)) - Number(met.get(b)),
    ),
  };
};
