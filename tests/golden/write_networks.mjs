/* What gradlock writes of the networks of networks.json, a line of JSON each, for read_back.py. */
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { readGolden } from './golden.js';
import { unpooled } from './networks.js';

const golden = readGolden('networks.json');
for (const { seed, model: pooled } of golden.networks) {
  const g = await init();
  const model = layers(g).modelFromJSON(unpooled(golden, pooled));
  const weights = model.weights.map(({ shape }) => shape);
  console.log(JSON.stringify({ seed, weights, model }));
  g.dispose();
}
