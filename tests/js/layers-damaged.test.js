/* Tier: all. */
/* Models' JSON with parts of it replaced or left out at random: what can still be read can be
 * written, all else ends in a typed error that is no engine's, and nothing stays behind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';
import { propertiesOf } from '../fuzz/json.js';
import { Draws, readGolden } from '../golden/golden.js';
import { unpooled } from '../golden/networks.js';
import { verdictOf } from '../hostile/verdict.js';

const SEED = 20261122;
const COUNT = 3000;
const golden = readGolden('networks.json');
const MODELS = [
  ...readGolden('operations.json').models.map((/** @type {any} */ { model }) => model),
  ...golden.networks.map((/** @type {any} */ { model }) => unpooled(golden, model)),
];

/** What may stand anywhere. @type {unknown[]} */
const VALUES = [
  ...[null, 0, -1, 1.5, 1e9, '', 'x', true, [], {}, [[1]]],
  ...['Add', 'GetItem', 'Linear', 'Dense', 'Functional', 'keras.src.ops.nn'],
  ...['__slice__', '__numpy__', '__keras_tensor__'].map((name) => ({ class_name: name })),
  { class_name: '__keras_tensor__', config: { keras_history: ['x0', 0, 0] } },
  { class_name: '__numpy__', config: { value: 'x' } },
];

test(`${COUNT} damaged models are read or refused with a typed error, and leave nothing (seed ${SEED})`, async () => {
  const g = await init();
  const nn = layers(g);
  const draws = new Draws(SEED);
  const below = (/** @type {number} */ n) => (draws.next() >>> 8) % n;
  const { objects } = g.memory();
  let [read, refused] = [0, 0];
  for (let i = 0; i < COUNT; i++) {
    const model = structuredClone(MODELS[below(MODELS.length)]);
    for (let k = below(2); k >= 0; k--) {
      const properties = propertiesOf(model);
      const [holder, key] = /** @type {[any, string]} */ (properties[below(properties.length)]);
      if (below(8) === 0) delete holder[key];
      else holder[key] = structuredClone(VALUES[below(VALUES.length)]);
    }
    const text = JSON.stringify(model);
    try {
      const net = nn.modelFromJSON(text);
      JSON.stringify(net);
      net.dispose();
      read++;
    } catch (error) {
      assert.match(verdictOf(error, ''), /^type/, `model ${i}: ${error}\n${text}`);
      refused++;
    }
    assert.equal(g.memory().objects, objects, `model ${i}: ${text}`);
  }
  assert.ok(read > COUNT / 25 && refused > COUNT / 2, `${read} were read, ${refused} refused`);
});
