/**
 * The little program that every consumer runs: locks, Adam and layers, and then the bits of all that
 * was trained. Where there are no modules, it goes without its `export`.
 * @param {typeof import('gradlock').init} init
 * @param {typeof import('gradlock/layers').layers} layers
 */
export async function program(init, layers) {
  const g = await init();

  const target = g.tensor([1, 2, 3, 4], [2, 2]);
  const x = g.variable(g.tensor([0, 0, 0, 0], [2, 2]));
  x.lock([
    [0, 1],
    [1, 0],
  ]);
  const loss = g.compile(() => g.mean(g.square(g.sub(x, target))));
  g.optimizers.adam({ learningRate: 0.1 }).minimize(loss, { variables: [x], steps: 200 });

  const nn = layers(g, { seed: 1 });
  const hidden = nn.dense({ units: 3, inputShape: [2], activation: 'tanh' });
  const net = nn.sequential([hidden, nn.dense({ units: 1 })]);
  hidden.kernel.lock({ rows: [0] });
  net.compile({ optimizer: 'adam', loss: 'meanSquaredError' });
  await net.fit(target, g.tensor([[1], [0]]), { epochs: 20, verbose: 0 });

  const bits = [x, ...net.weights].flatMap((weight) => [
    ...new Uint32Array(weight.data().slice().buffer),
  ]);
  g.dispose();
  return `gradlock: ${bits.map((word) => word.toString(16).padStart(8, '0')).join(' ')}`;
}
