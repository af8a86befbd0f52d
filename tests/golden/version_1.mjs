/* Wrote formats/version-1.*, once: a file of version 1 as the gradlock that began with it made it,
 * and what training goes on to from there. Never to be written anew, or it would say nothing; a
 * later version gets a script and a fixture of its own. */
import { writeFileSync } from 'node:fs';
import { init } from 'gradlock';
import { saveModel } from 'gradlock/formats';
import { layers } from 'gradlock/layers';

const g = await init();
const nn = layers(g, { seed: 1 });
const model = nn.sequential([
  nn.dense({ units: 3, inputShape: [2], activation: 'tanh', name: 'base' }),
  nn.batchNormalization({ name: 'norm' }),
  nn.dropout({ rate: 0.5, seed: 2 }),
  nn.dense({ units: 2, name: 'head' }),
]);
const { kernel } = /** @type {import('gradlock/layers').Dense} */ (model.getLayer('base'));
kernel.lock([
  [0, 1],
  [1, 2],
]);
kernel.locks.holder('drag').lock([0]);
model.getLayer('norm').trainable = false;
const learningRate = g.schedules.exponentialDecay({
  initialLearningRate: 0.1,
  decaySteps: 2,
  decayRate: 0.5,
});
model.compile({ optimizer: g.optimizers.adam({ learningRate }), loss: 'meanSquaredError' });
const xs = [
  [1, 2],
  [3, 4],
  [-1, 0],
  [0, 1],
];
const ys = [
  [1, 0],
  [0, 1],
  [1, 1],
  [0, 0],
];
const options = { epochs: 2, batchSize: 2 };
const bits = () => model.weights.map((weight) => [...new Uint32Array(weight.data().buffer)]);

await model.fit(xs, ys, options);
const file = saveModel(model);
const then = {
  bits: bits(),
  locks: model.weights.map(({ name, locks }) => [
    name,
    [...locks.own().toIndices()],
    ...locks.holders
      .sort()
      .map((holder) => [holder, ...locks.holder(holder).toLocks().toIndices()]),
  ]),
  iterations: model.optimizer?.iterations,
};
await model.fit(xs, ys, options);
const folder = new URL('formats/', import.meta.url);
writeFileSync(new URL('version-1.safetensors', folder), file);
writeFileSync(
  new URL('version-1.json', folder),
  `${JSON.stringify({ ...then, xs, ys, after: bits() })}\n`,
);
