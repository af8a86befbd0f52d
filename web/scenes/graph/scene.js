/**
 * Pinned graph: draws the nodes of a graph. A row is a node, its columns are x and y. Each pair of
 * nodes should be as far apart as in the graph: the smallest number of edges between them. Pinned
 * nodes are locked rows; a dragged node has a holder of its own during the drag.
 *
 * The loss is the stress of Kamada and Kawai, "An algorithm for drawing general undirected graphs",
 * Information Processing Letters 31 (1989), as in Gansner, Koren and North, "Graph drawing by
 * stress majorization", GD 2004. The club: Zachary, "An information flow model for conflict and
 * fission in small groups", Journal of Anthropological Research 33 (1977).
 */

import { graph as drawing } from './figure.js';
import { noise } from '../shared/noise.js';

/** @typedef {[from: number, to: number]} Edge */
/** @typedef {{ count: number, edges: Edge[], unit: number, pins: Record<number, [x: number, y: number]> }} Graph */

/** The side of the mesh, in nodes. */
const SIDE = 4;

/** Who met whom outside the club, two by two. */
const CLUB = [
  0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8, 0, 10, 0, 11, 0, 12, 0, 13, 0, 17, 0, 19, 0, 21,
  0, 31, 1, 2, 1, 3, 1, 7, 1, 13, 1, 17, 1, 19, 1, 21, 1, 30, 2, 3, 2, 7, 2, 8, 2, 9, 2, 13, 2, 27,
  2, 28, 2, 32, 3, 7, 3, 12, 3, 13, 4, 6, 4, 10, 5, 6, 5, 10, 5, 16, 6, 16, 8, 30, 8, 32, 8, 33, 9,
  33, 13, 33, 14, 32, 14, 33, 15, 32, 15, 33, 18, 32, 18, 33, 19, 33, 20, 32, 20, 33, 22, 32, 22,
  33, 23, 25, 23, 27, 23, 29, 23, 32, 23, 33, 24, 25, 24, 27, 24, 31, 25, 31, 26, 29, 26, 33, 27,
  33, 28, 31, 28, 33, 29, 32, 29, 33, 30, 32, 30, 33, 31, 32, 31, 33, 32, 33,
];

/** A square mesh, pinned at its corners. @returns {Graph} */
function mesh() {
  const nodes = Array.from({ length: SIDE * SIDE }, (_, i) => i);
  const last = SIDE - 1;
  return {
    count: SIDE * SIDE,
    unit: 0.5,
    edges: nodes.flatMap((i) => [
      ...(i % SIDE < last ? [/** @type {Edge} */ ([i, i + 1])] : []),
      ...(i + SIDE < SIDE * SIDE ? [/** @type {Edge} */ ([i, i + SIDE])] : []),
    ]),
    pins: {
      ...{ 0: [-0.8, 0.8], [last]: [0.8, 0.8] },
      ...{ [SIDE * last]: [-0.8, -0.8], [SIDE * SIDE - 1]: [0.8, -0.8] },
    },
  };
}

/** @type {Record<string, Graph>} */
const graphs = {
  mesh: mesh(),
  tree: {
    count: 31,
    unit: 0.24,
    edges: Array.from({ length: 30 }, (_, i) => [i >> 1, i + 1]),
    pins: { 0: [0, 0] },
  },
  // The two members whose conflict split the club are pinned, one on each side.
  club: {
    count: 34,
    unit: 0.42,
    edges: Array.from({ length: CLUB.length / 2 }, (_, i) => [CLUB[2 * i], CLUB[2 * i + 1]]),
    pins: { 0: [-0.6, 0], 33: [0.6, 0] },
  },
};

/** @param {import('../scene.js').Setup} setup */
const graphOf = ({ choices }) => graphs[choices.graph];

/** @param {import('../scene.js').Setup} setup */
const namesOf = (setup) =>
  Array.from({ length: graphOf(setup).count }, (_, node) => String(node + 1));

/** Returns the smallest number of edges between nodes, a row per node: it gets right for one more edge in each round. @param {Graph} graph */
function distances({ count, edges }) {
  return Array.from({ length: count }, (_, from) => {
    const far = new Array(count).fill(Infinity);
    far[from] = 0;
    for (let round = 0; round < count; round++) {
      for (const [a, b] of edges) {
        far[a] = Math.min(far[a], far[b] + 1);
        far[b] = Math.min(far[b], far[a] + 1);
      }
    }
    return far;
  });
}

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'graph',
  order: 11,
  sizes: [[SIDE * SIDE, 2]],
  choices: { graph: Object.keys(graphs) },
  seed: 196, // No nodes of the mesh overlap.
  reach: 1,
  optimizer: { rule: 'momentum', learningRate: 0.001, momentum: 0.9, weightDecay: 0.004 },
  speed: 60,
  shapes: (setup) => ({ x: [graphOf(setup).count, 2] }),
  rowNames: (setup) => ({ x: namesOf(setup) }),
  colNames: () => ({ x: ['x', 'y'] }),
  start(setup) {
    const { count, pins } = graphOf(setup);
    return noise(2 * count, setup.seed, 0.5).map((value, i) => pins[i >> 1]?.[i % 2] ?? value);
  },
  locks(setup) {
    const { count, pins } = graphOf(setup);
    return Uint8Array.from({ length: 2 * count }, (_, i) => (i >> 1 in pins ? 1 : 0));
  },
  /** Each pair's wanted distance and weight, 0 for a node with itself; each pair is there twice. */
  data(setup) {
    const { unit } = graphOf(setup);
    const far = distances(graphOf(setup)).map((row) => row.map((edges) => edges * unit));
    return { far, weight: far.map((row) => row.map((d) => (d === 0 ? 0 : 0.5 / (d * d)))) };
  },
  loss(g, { x }, { far, weight }) {
    const across = (/** @type {number} */ at) => {
      const column = g.slice(x, [0, at], [x.shape[0], 1]);
      return g.square(g.sub(column, g.transpose(column)));
    };
    // The gradient exists even for two nodes at one position.
    const apart = g.sqrt(g.add(g.add(across(0), across(1)), 1e-6));
    return g.sum(g.mul(weight, g.square(g.sub(apart, far))));
  },
  figures: [drawing],
  shown: (setup) => ({ ...graphOf(setup), names: namesOf(setup) }),
  guess: {
    ...{ after: 100, of: 'run' },
    right: ({ held, first, loss }) => (held && loss < first / 2 ? 0 : null),
  },
  tour: [
    { area: 'grid' },
    { area: 'run', actions: [{ train: 120 }] },
    { area: 'grid' },
    { area: 'grid', actions: [{ lock: [10, 11] }] },
    { area: 'grid', actions: [{ state: { choices: { graph: 'club' } } }, { train: 200 }] },
  ],
};
