/* A small embedding table with three new words in it, and a loss over sentences that use them. */

/** @typedef {import('gradlock').Gradlock} Gradlock */

export const WORDS = 50;
export const NEW = [47, 48, 49];
export const SIZE = 8;

/** @param {Gradlock} g */
export const makeWords = (g) => {
  const table = g.variable(g.random(1).normal([WORDS, SIZE]), { name: 'embedding' });
  const head = g.variable(g.random(2).normal([SIZE, 1]), { name: 'head', trainable: false });
  // Sentences of three words, each with a new one; what they should mean.
  const ids = [
    [47, 3, 12],
    [48, 3, 40],
    [49, 12, 5],
    [47, 48, 49],
  ];
  const meant = [[1], [-1], [2], [0.5]];
  const loss = g.compile(() => {
    const sentence = g.mean(g.embeddingLookup(table, ids), 1);
    return g.losses.meanSquaredError(meant, g.matMul(sentence, head));
  });
  /** Elsewhere: a step of AdamW on a gradient whose old rows are zeroed. */
  const maskedStep = () => {
    const { grads } = g.valueAndGrad(loss, [table]);
    const rows = g.tensor(Array.from({ length: WORDS }, (_, row) => [NEW.includes(row) ? 1 : 0]));
    g.tidy(() => elsewhere.applyGradients([[g.mul(grads[0], rows), table]]));
  };
  const elsewhere = g.optimizers.adamW({ learningRate: 0.05, weightDecay: 0.1 });
  return { table, loss, maskedStep };
};
