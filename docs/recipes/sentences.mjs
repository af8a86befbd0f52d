// Sentences: MiniLM, 22.6 million weights that others trained, learns to tell past, present and
// future, from 150 sentences (sentences.txt, written for this), with nearly all of it locked:
//
// - a new head alone, on what the network makes of a sentence, which is computed once;
// - its last block and the head;
// - all of its biases and the head: BitFit, Ben Zaken et al. 2022, arXiv:2106.10199;
// - new words: three rows of the embedding, 1,152 numbers, which come to mean yesterday, now and
//   tomorrow in phrases that tell no time. Everything else stays to the bit.
//
//     make pretrained && node docs/recipes/sentences.mjs
import { readFileSync } from 'node:fs';
import { init } from 'gradlock';
import { loadWeights } from 'gradlock/formats';
import { layers } from 'gradlock/layers';
import { mapping, minilm, padded, readWeights } from '../../tests/pretrained/minilm.js';
import { bitsOf, drawCurves, isMain, percent, show } from './support.mjs';

const TENSES = ['past', 'present', 'future'];
/** Behind these the head stands. Of the three sets of sentences, each has so many of a tense. */
const TRAINED = 50;
/** Numbers of words that BERT's list keeps free. */
const NEW_WORDS = [1, 2, 3];

const given = JSON.parse(
  readFileSync(new URL('../../tests/pretrained/fixtures/sentences.json', import.meta.url), 'utf8'),
);

/**
 * Rows of tokens and tenses, as the network takes them.
 * @param {{ tokens: number[], tense: number }[]} rows
 */
const toData = (rows) => {
  const { tokens, mask } = padded(rows.map((row) => row.tokens));
  return { x: { tokens, mask }, y: rows.map(({ tense }) => tense) };
};

const sentences = TENSES.map((label, tense) =>
  given.sentences
    .filter((/** @type {any} */ row) => row.label === label)
    .map((/** @type {any} */ row) => ({ tokens: row.tokens, tense })),
);
const seen = toData(sentences.flatMap((rows) => rows.slice(0, TRAINED)));
const unseen = toData(sentences.flatMap((rows) => rows.slice(TRAINED)));
/** Each phrase with each new word before its end. */
const phrases = given.phrases.map((/** @type {any} */ { tokens }) =>
  NEW_WORDS.map((word, tense) => ({
    tokens: [...tokens.slice(0, -1), word, ...tokens.slice(-1)],
    tense,
  })),
);
const someWords = toData(phrases.slice(0, 20).flat());
const otherWords = toData(phrases.slice(20).flat());

/**
 * What trains, and how fast.
 * @type {Record<string, { free: RegExp, rate: number, epochs: number }>}
 */
const WAYS = {
  'head alone': { free: /^tense/, rate: 0.02, epochs: 20 },
  'last block': { free: /^(block_5|tense)/, rate: 0.0005, epochs: 6 },
  'all biases': { free: /(bias|beta)$|^tense/, rate: 0.003, epochs: 6 },
};

/** @param {any} g @param {any} weights */
const makeNetwork = async (g, weights) => {
  const nn = layers(g, { seed: 1 });
  const { inputs, vectors } = minilm(g, nn);
  const base = nn.model({ inputs, outputs: vectors });
  await loadWeights(base, weights, { mapping });
  const outputs = nn.dense({ units: 3, activation: 'softmax', name: 'tense' }).apply(vectors);
  return nn.model({ inputs, outputs });
};

/** @param {any} net @param {number} learningRate */
const compile = (net, learningRate) =>
  net.compile({
    optimizer: net.g.optimizers.adam({ learningRate }),
    loss: 'sparseCategoricalCrossentropy',
    metrics: ['accuracy'],
  });

/** @param {{ epochs?: number }} [options] At most so many. */
export const run = async ({ epochs: most = Infinity } = {}) => {
  const weights = readWeights();
  /** @type {Record<string, any>} */
  const found = {};
  /** @type {Record<string, number[]>} */
  const curves = {};
  const lines = [];
  /** @type {any} */
  let net = null;
  for (const [name, { free, rate, epochs }] of Object.entries(WAYS)) {
    net?.g.dispose();
    net = await makeNetwork(await init(), weights);
    net.trainOnly(free);
    compile(net, rate);
    /** @type {number[]} */
    const accuracies = [];
    const onEpochEnd = async () =>
      void accuracies.push((await net.evaluate(unseen.x, unseen.y)).accuracy);
    const { cached, audit } = await net.fit(seen.x, seen.y, {
      epochs: Math.min(epochs, most),
      batchSize: 16,
      callbacks: { onEpochEnd },
    });
    const { total } = net.summary({ print: null });
    const slots = net.g.memory().slotBytes;
    curves[name] = accuracies;
    const accuracy = Number(accuracies.at(-1));
    found[name] = {
      accuracy,
      free: total.free,
      moved: audit.changed,
      cached: cached.layers.length,
      slots,
    };
    lines.push(
      `${name.padEnd(12)} ${String(total.free).padStart(9)} free: ${percent(accuracy)} of ${unseen.y.length} unseen right; ` +
        `${audit.changed} locked elements moved; ${cached.layers.length} layers computed once; slots ${(slots / 2 ** 20).toFixed(1)} MB`,
    );
  }

  // The last network goes on: its three new words alone.
  const words = net.getLayer('words').embeddings;
  net.lock(/./);
  words.unlock({ rows: NEW_WORDS });
  compile(net, 0.01);
  const others = net.weights.filter((/** @type {any} */ weight) => weight !== words);
  const before = others.map(bitsOf);
  const guessed = (await net.evaluate(otherWords.x, otherWords.y)).accuracy;
  const old = (await net.evaluate(unseen.x, unseen.y)).accuracy;
  const { audit } = await net.fit(someWords.x, someWords.y, {
    epochs: Math.min(10, most),
    batchSize: 15,
  });
  const learned = (await net.evaluate(otherWords.x, otherWords.y)).accuracy;
  const kept = (await net.evaluate(unseen.x, unseen.y)).accuracy;
  const moved =
    audit.changed +
    others.filter(
      (/** @type {any} */ weight, /** @type {number} */ i) => bitsOf(weight) !== before[i],
    ).length;
  const { free } = net.summary({ print: null }).total;
  lines.push(
    `new words    ${String(free).padStart(9)} free: ${percent(guessed)} → ${percent(learned)} of ${otherWords.y.length} other phrases right; ` +
      `${moved} other elements moved; sentences as before: ${percent(old)} → ${percent(kept)}`,
  );
  net.g.dispose();
  return {
    found,
    words: { guessed, learned, moved, free, old, kept },
    lines,
    svg: drawCurves('Past, present or future: unseen sentences', curves, {
      across: 'epochs',
      up: 'right answers',
    }),
  };
};

if (isMain(import.meta.url)) show('sentences', await run());
