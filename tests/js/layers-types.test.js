/* The types of gradlock/layers, which are written by hand, beside the layers: methods, options and
 * members are there, all of them. tests/js/package.test.js compiles a user's program with them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { init } from 'gradlock';
import { layers } from 'gradlock/layers';

const text = ['configs', 'layers', 'models']
  .map((part) => new URL(`../../src/js/layers/api-${part}.d.ts`, import.meta.url))
  .map((url) => readFileSync(url, 'utf8'))
  .join('\n');

/**
 * What interfaces say of themselves, by name.
 * @type {Map<string, { bases: string[], body: string }>}
 */
const interfaces = new Map(
  Array.from(
    text.matchAll(/^(?:export )?interface (\w+)(?:<\w+>)?(?: extends ([^{]+))? \{([\s\S]*?)^\}$/gm),
    ([, name = '', bases = '', body = '']) => [name, { bases: bases.match(/\w+/g) ?? [], body }],
  ),
);

/** @param {string} name @returns {string[]} Its members, those of its bases among them. */
const membersOf = (name) => {
  const { bases, body } = interfaces.get(name) ?? { bases: [], body: '' };
  const own = Array.from(
    body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(<]/gm),
    ([, key = '']) => key,
  );
  return [...new Set([...bases.flatMap(membersOf), ...own])].filter((key) => key !== 'new');
};

/** Methods that make layers, and the types of their options. @type {[string, string[]][]} */
const makers = Array.from(
  String(interfaces.get('Layers')?.body).matchAll(/^ {2}(\w+)\(config\??: (.*)\): \w+;$/gm),
  ([, name = '', type = '']) => [name, type.match(/\w+Config/g) ?? []],
);

/** Options of Keras and TensorFlow.js that have one value here, or mean nothing. */
const LEFT_OUT = [
  ...[
    'dtype',
    'dataFormat',
    'quantizationConfig',
    'inputLength',
    'inputDim',
    'timeMajor',
    'unroll',
  ],
  ...['implementation', 'useCudnn', 'synchronized', 'renorm', 'renormClipping', 'renormMomentum'],
  ...['fused', 'virtualBatchSize', 'adjustment', 'rmsScaling', 'useGate', 'slidingWindow'],
  ...['groups', 'dilationRate', 'kernelInitializer', 'kernelRegularizer', 'kernelConstraint'],
];

test('every method of layers() has its type, and every type its method', async () => {
  const nn = layers(await init());
  const prototype = Object.getPrototypeOf(nn);
  const found = [...Object.keys(nn), ...Object.getOwnPropertyNames(prototype)];
  assert.ok(found.length > 60, `only ${found.length} were found`);
  assert.deepEqual(
    membersOf('Layers').sort(),
    [...new Set(found)].filter((name) => name !== 'constructor').sort(),
  );
});

test('every option of a layer has its type, and every type its option', async () => {
  /** @type {any} */
  const nn = layers(await init());
  assert.ok(makers.length > 50, `only ${makers.length} makers were found`);
  for (const [name, types] of makers) {
    if (name === 'input') continue;
    const declared = types.flatMap(membersOf);
    assert.ok(declared.includes('trainable'), name);
    /** @param {string} key */
    const refusal = (key) => {
      try {
        nn[name]({ [key]: undefined });
      } catch (error) {
        return String(error).match(/has no option '\w+', it has (.*)/)?.[1];
      }
      return undefined;
    };
    for (const key of declared) assert.equal(refusal(key), undefined, `${name}: ${key}`);
    const known = String(refusal('noSuchOption')).split(', ');
    const missing = known.filter((key) => !declared.includes(key) && !LEFT_OUT.includes(key));
    assert.deepEqual(missing, [], name);
  }
});

/** @param {any} nn */
const measured = (nn) => {
  const net = nn.sequential([nn.dense({ units: 1, inputShape: [1] })]);
  net.compile({ optimizer: 'sgd', loss: 'meanSquaredError' });
  return net.pressure([[1]], [[0]]);
};

test('layers, models and ready-made callbacks have the members that their types say', async () => {
  const g = await init();
  /** @type {any} */
  const nn = layers(g);
  class Own extends nn.Layer {}
  const net = nn.sequential([nn.dense({ units: 1, inputShape: [2] })]);
  /** @type {[string, any][]} */
  const made = [
    ['SymbolicTensor', net.inputs[0]],
    ['KernelLayer', net.layers[0]],
    ['Sequential', net],
    ['CustomLayer', new Own()],
    ['ReadyCallbacks', nn.callbacks],
    ['WeightInitializer', nn.initializer('ones')],
    ['Pressure', await measured(nn)],
  ];
  for (const [name, bare, shape] of [
    ['SeparableLayer', nn.separableConv2d({ filters: 1, kernelSize: 1 }), [1, 2, 2, 1]],
    ['RecurrentLayer', nn.lstm({ units: 1 }), [1, 2, 2]],
    ['EmbeddingLayer', nn.embedding({ inputDim: 2, outputDim: 1 }), [1, 2]],
    ['BatchNormalizationLayer', nn.batchNormalization(), [1, 2]],
    ['PReLULayer', nn.prelu(), [1, 2]],
    ['BidirectionalLayer', nn.bidirectional({ layer: nn.gru({ units: 1 }) }), [1, 2, 2]],
  ]) {
    bare.ensureBuilt(shape);
    made.push([name, bare]);
  }
  for (const [name, object] of made) {
    const members = membersOf(name);
    assert.ok(members.length > 0, name);
    assert.deepEqual(
      members.filter((key) => !(key in object)),
      [],
      name,
    );
  }
});
