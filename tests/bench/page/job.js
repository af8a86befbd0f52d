/* The worker of tests/bench/main-thread.mjs. */

const [{ init }, { train }] = await Promise.all(
  ['index', 'worker'].map((name) => import(`../../../build/npm/${name}.js`)),
);

train(async () => {
  const g = await init();
  const draws = g.random(1);
  const sizes = [784, 512, 512, 10];
  const weights = sizes
    .slice(1)
    .map((size, i) =>
      g.variable(draws.normal([sizes[i] ?? 0, size], { stddev: 0.05 }), { name: `w${i}` }),
    );
  const shown = g.variable(draws.normal([64, 64]), { name: 'shown' });
  const x = draws.normal([128, 784]);
  const y = g.oneHot(
    Array.from({ length: 128 }, (_, i) => i % 10),
    10,
  );
  const loss = g.compile(() => {
    const [a, b, c] = weights;
    const logits = g.matMul(g.relu(g.matMul(g.relu(g.matMul(x, a)), b)), c);
    return g.add(
      g.losses.categoricalCrossentropy(y, logits, { fromLogits: true }),
      g.mul(1e-4, g.sum(g.square(shown))),
    );
  });
  return { g, loss, optimizer: g.optimizers.adam() };
});
