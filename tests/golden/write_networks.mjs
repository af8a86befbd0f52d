/* What gradlock writes of the networks of networks.json, a line of JSON each, for read_back.py; and of
 * one that Keras did not write: layers that say they are trainable in a Sequential that is frozen. */
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { readGolden } from './golden.js';
import { unpooled } from './networks.js';

const golden = readGolden('networks.json');

/** @param {number} seed @param {any} model */
const print = (seed, model) => {
  const [weights, trained] = [model.weights, model.trainableWeights].map((list) =>
    list.map((/** @type {any} */ { shape }) => shape),
  );
  console.log(JSON.stringify({ seed, weights, trained, model }));
};

for (const { seed, model: pooled } of golden.networks) {
  const g = await init();
  print(seed, layers(g).modelFromJSON(unpooled(golden, pooled)));
  g.dispose();
}
const nn = layers(await init());
const inner = nn.sequential([nn.dense({ units: 2, inputShape: [3] }), nn.dense({ units: 4 })]);
const x = nn.input({ shape: [3] });
const model = nn.model({ inputs: x, outputs: nn.dense({ units: 1 }).apply(inner.apply(x)) });
inner.trainable = false;
for (const layer of inner.layers) layer.trainable = true;
print(-1, model);
