/**
 * New words: an embedding table. The rows of the old, known words are locked; five new ones learn
 * their meaning from sentences. Beside it AdamW with a mask on the gradient: its weight decay
 * forgets the old words. A word's meaning is a point of a plane, animal to thing and small to
 * large, computed from its row by a fixed matrix. A sentence's meaning is the mean of its words.
 */

import { words } from './figure.js';
import { noise } from '../shared/noise.js';

const SIZE = 8;

/** @type {[word: string, x: number, y: number][]} */
const OLD = [
  ['mouse', -0.85, -0.8],
  ['cat', -0.6, -0.45],
  ['dog', -0.75, -0.05],
  ['horse', -0.6, 0.5],
  ['elephant', -0.85, 0.9],
  ['spoon', 0.6, -0.75],
  ['chair', 0.8, -0.3],
  ['car', 0.6, 0.25],
  ['house', 0.8, 0.85],
];
/** @type {[word: string, x: number, y: number][]} */
const NEW = [
  ['kitten', -0.35, -0.75],
  ['whale', -0.35, 0.95],
  ['needle', 0.9, -0.95],
  ['lorry', 0.4, 0.6],
  ['toy dog', 0.05, -0.5],
];
const WORDS = [...OLD, ...NEW];

/** Each contains a new word. */
const SENTENCES = [
  [9, 1],
  [9, 0, 9],
  [10, 4],
  [10, 3, 8],
  [11, 5],
  [11, 6, 11],
  [12, 7],
  [12, 8, 12],
  [13, 2],
  [13, 5, 13],
];

/** The matrix from a row to its meaning; its two columns are orthogonal and have length 1. */
const READ = Array.from({ length: SIZE }, (_, i) => (i < SIZE / 2 ? [0.5, 0] : [0, 0.5]));

/** The weight of each word in each sentence. */
const SHARES = SENTENCES.map((sentence) =>
  WORDS.map((_, word) => sentence.filter((id) => id === word).length / sentence.length),
);
const MEANT = SHARES.map((shares) =>
  [1, 2].map((axis) => shares.reduce((sum, share, w) => sum + share * Number(WORDS[w][axis]), 0)),
);

/** @type {import('../scene.js').Scene} */
export const scene = {
  id: 'words',
  order: 5,
  group: 'leaks',
  sizes: [[WORDS.length, SIZE]],
  choices: {},
  reach: 1,
  optimizer: { rule: 'adamW', learningRate: 0.02, momentum: 0.9, weightDecay: 0.5 },
  speed: 30,
  beside: 'mask',
  folded: ['x'],
  rowNames: () => ({ x: WORDS.map(([word]) => word) }),
  /** A known row has a part that gives its meaning, and a random part that gives none. */
  start({ seed }) {
    const draws = noise(WORDS.length * SIZE, seed, 0.35);
    const half = SIZE / 2;
    return draws.map((draw, i) => {
      const [word, side] = [Math.floor(i / SIZE), Math.floor((i % SIZE) / half)];
      if (word >= OLD.length) return draw;
      const from = i - (i % half);
      const mean = draws.slice(from, from + half).reduce((sum, value) => sum + value, 0) / half;
      return draw - mean + 0.5 * Number(OLD[word][1 + side]);
    });
  },
  locks: () =>
    Uint8Array.from({ length: WORDS.length * SIZE }, (_, i) => (i < OLD.length * SIZE ? 1 : 0)),
  data: () => ({ shares: SHARES, read: READ, meant: MEANT }),
  loss: (g, { x }, { shares, read, meant }) =>
    g.sum(g.square(g.sub(g.matMul(g.matMul(shares, x), read), meant))),
  readings(g, { x }) {
    const map = g.matMul(x, READ);
    const old = OLD.map(([, ...meant]) => meant);
    const off = g.sum(g.square(g.sub(g.slice(map, [0, 0], [OLD.length, 2]), old)), 1);
    return { map, score: g.mean(g.less(off, 0.01)) };
  },
  figures: [words],
  shown: () => ({
    ...{ words: WORDS.map(([word]) => word), old: OLD.length },
    isNew: WORDS.map((_, word) => word >= OLD.length),
    meant: WORDS.map(([, x, y]) => [x, y]),
  }),
  guess: {
    ...{ held: OLD.length * SIZE, after: 60, of: 'rival' },
    right: ({ moved }) => (moved ? 1 : 0),
    next: [{ reset: true }, { rule: 'adam' }],
  },
  tour: [
    { area: 'words' },
    { area: 'run', actions: [{ train: 100 }] },
    { area: 'words', actions: [{ train: 100 }] },
    { area: 'settings', actions: [{ rule: 'adam' }, { train: 20 }] },
    { area: 'grid', actions: [{ unlock: [0, 1, 2, 3, 4, 5, 6, 7] }, { train: 100 }] },
  ],
};
