/* Trains in a worker, as docs/grid.md says: each message is a picture; what comes back are locks. */
const library = '../../build/npm/index.js';
const { init } = await import(library);
const g = await init();
const x = g.variable(new Float32Array(4), { shape: [2, 2], name: 'x' });
const loss = g.compile(() =>
  g.sum(
    g.square(
      g.sub(x, [
        [1, 2],
        [3, 4],
      ]),
    ),
  ),
);
const sgd = g.optimizers.sgd({ learningRate: 0.1 });

const show = () => postMessage({ values: x.data(), locks: x.locks.toMask() });
addEventListener('message', ({ data }) => {
  if (data.indices) x[data.locked ? 'lock' : 'unlock'](data.indices);
  else sgd.minimize(loss, { steps: data.steps });
  show();
});
show();

export {};
