/* Precisions: f32, f64. */
/* What golden cases cannot say of layers over time: dropout, states that stay, masks on their way
 * through a model, and calls as models' JSON has them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';

const begin = async (options = { seed: 1 }) => {
  const g = await init();
  return { g, nn: layers(g, options) };
};

/** A step that adds what comes in to what recurs, and changes nothing. */
const PLAIN = {
  units: 4,
  activation: 'linear',
  useBias: false,
  kernelInitializer: 'identity',
  returnSequences: true,
};

test('dropout leaves out the same inputs at all steps of a sample, and scales the others', async () => {
  const { g, nn } = await begin();
  const layer = nn.simpleRNN({ ...PLAIN, recurrentInitializer: 'zeros', dropout: 0.5 });
  const x = g.broadcastTo(1, [8, 3, 4]);
  assert.deepEqual(layer.apply(x).data(), x.data());
  const y = layer.apply(x, { training: true }).array();
  for (const [first, ...others] of y) for (const step of others) assert.deepEqual(step, first);
  assert.deepEqual([...new Set(y.flat(2))].sort(), [0, 2]);
});

test('recurrentDropout leaves out the same of what recurs at all steps', async () => {
  const { g, nn } = await begin();
  const layer = nn.simpleRNN({ ...PLAIN, recurrentInitializer: 'identity', recurrentDropout: 0.5 });
  const x = g.pad(g.broadcastTo(1, [8, 1, 4]), [
    [0, 0],
    [0, 2],
    [0, 0],
  ]);
  const y = layer.apply(x, { training: true }).array();
  for (const [first, second, third] of y) {
    assert.deepEqual(first, [1, 1, 1, 1]);
    assert.deepEqual(
      third,
      second.map((/** @type {number} */ v) => v * v),
    );
  }
  const seconds = y.flatMap((/** @type {number[][]} */ steps) => steps[1]);
  assert.deepEqual([...new Set(seconds)].sort(), [0, 2]);
});

for (const name of ['lstm', 'gru']) {
  test(`${name}: with both dropouts each gate draws for itself, and a seed gives the same bits`, async () => {
    const run = async (/** @type {object} */ more) => {
      const { g, nn } = await begin();
      const options = {
        units: 3,
        recurrentInitializer: 'ones',
        kernelInitializer: 'ones',
        ...more,
      };
      const layer = /** @type {any} */ (nn)[name](options);
      return layer.apply(g.randomNormal([4, 3, 2], 0, 1, 5), { training: true }).data();
    };
    const both = { dropout: 0.25, recurrentDropout: 0.5 };
    const found = await run({ ...both, seed: 3 });
    assert.deepEqual(await run({ ...both, seed: 3 }), found);
    assert.notDeepEqual(await run({ ...both, seed: 4 }), found);
    assert.notDeepEqual(await run({}), found);
    assert.ok(found.every(Number.isFinite));
  });
}

test('gates draw what they leave out each for itself where what recurs is left out too', async () => {
  const { g, nn } = await begin();
  const [activation, ones] = ['linear', 'ones'];
  // (1 - z) n, where z and n are what is left of 1: 2 where of z nothing is, which takes two draws.
  const found = (/** @type {number} */ recurrentDropout) => {
    const gates = { activation, recurrentActivation: activation, kernelInitializer: ones };
    const options = { units: 1, useBias: false, dropout: 0.5, recurrentDropout, ...gates };
    const y = nn.gru(options).apply(g.broadcastTo(1, [64, 1, 1]), { training: true });
    return new Set(y.array().map((/** @type {number[]} */ [value]) => Math.abs(value + 0) + value));
  };
  assert.deepEqual(found(0), new Set([0]));
  assert.deepEqual([...found(0.5)].sort(), [0, 4]);
});

test('a stateful layer goes on where it was, and resetStates of its model lets it begin anew', async () => {
  const { g, nn } = await begin();
  const options = { units: 3, seed: 2 };
  const model = nn.sequential([
    nn.lstm({ ...options, stateful: true, batchInputShape: [2, 2, 3] }),
  ]);
  const whole = nn.lstm(options);
  const x = g.randomNormal([2, 4, 3], 0, 1, 7);
  const want = whole.apply(x);
  model.setWeights(whole.getWeights());
  const wanted = whole.apply(x).data();
  assert.notDeepEqual(want.data(), new Float32Array(6));
  const [early, late] = g.split(x, 2, 1);
  const step = g.compile(() => model.apply(late));
  for (let round = 0; round < 2; round++) {
    model.apply(early);
    const found = /** @type {Float32Array} */ (step.run().data());
    found.forEach((value, i) => void assert.ok(Math.abs(value - Number(wanted[i])) < 1e-6));
    model.resetStates();
  }
  assert.throws(
    () => nn.gru({ units: 1, stateful: true }).apply(x),
    /stateful needs batchInputShape/,
  );
});

test('values masked by an embedding change nothing, through recurrent layers and wrappers of them', async () => {
  const { nn } = await begin();
  const model = nn.sequential([
    nn.embedding({ inputDim: 5, outputDim: 3, maskZero: true, inputShape: [null] }),
    nn.bidirectional({ layer: nn.gru({ units: 3, returnSequences: true }) }),
    nn.timeDistributed({ layer: nn.dense({ units: 2 }) }),
    nn.lstm({ units: 2 }),
  ]);
  const short = /** @type {any} */ (model.predict([[1, 2]])).data();
  const long = /** @type {any} */ (model.predict([[1, 2, 0, 0]])).data();
  assert.deepEqual(long, short);
  assert.notDeepEqual(/** @type {any} */ (model.predict([[1, 2, 1, 0]])).data(), short);
});

test('initial states and arguments of attention go through JSON as Keras writes them', async () => {
  const { g, nn } = await begin();
  const [x, z] = [nn.input({ shape: [3, 2] }), nn.input({ shape: [3, 2] })];
  const mask = nn.input({ shape: [3, 3] });
  /** @type {import('gradlock/layers').SymbolicTensor[]} */
  const [, h, c] = nn.lstm({ units: 2, returnState: true }).apply(x);
  const y = nn.lstm({ units: 2, returnSequences: true }).apply(z, { initialState: [h, c] });
  const heads = nn.multiHeadAttention({ numHeads: 2, keyDim: 3 });
  const a = heads.apply([y, z], { useCausalMask: true });
  const b = heads.apply([y, a], { attentionMask: mask });
  const model = nn.model({ inputs: [x, z, mask], outputs: b });
  const json = JSON.parse(JSON.stringify(model));
  const nodes = Object.fromEntries(
    json.config.layers.map((/** @type {any} */ entry) => [entry.name, entry.inbound_nodes]),
  );
  assert.deepEqual(Object.keys(nodes.lstm_1[0].kwargs), ['initial_state']);
  assert.equal(nodes.lstm_1[0].args.length, 1);
  const [first, second] = nodes.multi_head_attention;
  assert.deepEqual([first.args.length, first.kwargs], [2, { use_causal_mask: true }]);
  assert.deepEqual([second.args.length, Object.keys(second.kwargs)], [3, ['attention_mask']]);
  const again = nn.modelFromJSON(json);
  again.setWeights(model.getWeights());
  const given = [1, 2].map((seed) => g.randomNormal([2, 3, 2], 0, 1, seed));
  given.push(g.tensor([1, 0, 0, 1, 1, 0, 0, 1, 1], [1, 3, 3]));
  given[2] = g.tile(/** @type {any} */ (given[2]), [2, 1, 1]);
  assert.deepEqual(again.apply(given).data(), model.apply(given).data());
});
