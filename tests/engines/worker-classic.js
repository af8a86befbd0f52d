/* A worker without modules. */
const scope = /** @type {any} */ (globalThis);
scope.importScripts('../../build/npm/umd/gradlock.js', '../../build/npm/umd/worker.js');
const { init, train } = scope.gradlock;
train(async (/** @type {{ target: number[] }} */ { target }) => {
  const g = await init();
  const w = g.variable([0, 0], { name: 'w' }).lock([0]);
  const loss = g.compile(() => g.sum(g.square(g.sub(w, target))));
  return { loss, optimizer: g.optimizers.sgd({ learningRate: 0.25 }), steps: 60 };
});
