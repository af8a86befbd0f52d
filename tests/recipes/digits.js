/* A small network on real handwritten digits (web/scenes/digits.txt says whose): 64 pixels, 32
 * hidden, 10 classes. */
import { readFileSync } from 'node:fs';

/** @typedef {import('gradlock').Gradlock} Gradlock */
/** @typedef {import('gradlock').Variable} Variable */

const PIXELS = 64;
const HIDDEN = 32;
const CLASSES = 10;
/** The first of the 1,797 samples train, the others tell how well. */
const TRAINED = 1400;

/** Samples as brightnesses from 0 to 1, and what they show. */
export const readDigits = () => {
  const lines = readFileSync(new URL('../../web/scenes/digits.txt', import.meta.url), 'ascii');
  const samples = lines.trim().split('\n');
  const images = samples.map((line) =>
    Array.from(line.slice(0, PIXELS), (c) => Number.parseInt(c, 17) / 16),
  );
  const labels = samples.map((line) => Number(line[PIXELS]));
  return {
    train: { images: images.slice(0, TRAINED), labels: labels.slice(0, TRAINED) },
    test: { images: images.slice(TRAINED), labels: labels.slice(TRAINED) },
  };
};

/**
 * The network, its loss over the training samples as a program, and how many of the others it gets
 * right.
 * @param {Gradlock} g
 */
export const makeNetwork = (g) => {
  const { train, test } = readDigits();
  const start = g.initializers.glorotUniform({ seed: g.random(7) });
  const w1 = g.variable(start([PIXELS, HIDDEN]), { name: 'w1' });
  const b1 = g.variable(new Float32Array(HIDDEN), { name: 'b1' });
  const w2 = g.variable(start([HIDDEN, CLASSES]), { name: 'w2' });
  const b2 = g.variable(new Float32Array(CLASSES), { name: 'b2' });
  /** @param {import('gradlock').Tensor} images */
  const logits = (images) => g.add(g.matMul(g.relu(g.add(g.matMul(images, w1), b1)), w2), b2);
  const [seen, unseen] = [g.tensor(train.images), g.tensor(test.images)];
  const loss = g.compile(() =>
    g.losses.sparseCategoricalCrossentropy(train.labels, logits(seen), { fromLogits: true }),
  );
  const guesses = g.compile(() => g.argMax(logits(unseen), 1));
  const accuracy = () => g.tidy(() => g.mean(g.equal(guesses.run(), test.labels)).item());
  return { w1, b1, w2, b2, loss, accuracy };
};
