/* Tier: all. */
/* gradlock/tfjs on TensorFlow.js's cpu and wasm backends: steps beside gradlock itself with the
 * same gradients, bit for bit; models; what TensorFlow.js writes; files; errors; memory. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { init } from 'gradlock';
import { tfjs } from 'gradlock/tfjs';
import { loadTensorFlow as loadWasm } from '../bench/peers.mjs';
import { says } from './messages.js';
import { OPTION_SETS, RULES } from './rules.js';
import { bitsOf, fromBits, random, randomValues } from './support.js';
import { loadTensorFlow } from './tensorflow.js';

/** −0, an infinity, and NaNs with payloads, signalling ones too. */
const ODD = [0x80000000, 0x7f800000, 0x7fc12345, 0xffc00001, 0x7f800001, 0x00000001];

/** @type {Record<string, () => Promise<any>>} */
const BACKENDS = {
  async cpu() {
    const tf = await loadTensorFlow({ layers: true });
    const { layers, sequential, loadLayersModel } = tf.layers;
    return { ...tf, layers, sequential, loadLayersModel };
  },
  wasm: loadWasm,
};

/** @param {any} v A tf.Variable or a layer's. */
const bits = (v) => bitsOf((v.read?.() ?? v).dataSync());

/** @param {any} tf @param {(next: () => number) => number} [of] */
const batchOf = (tf, of = (next) => 2 * next() - 1) => {
  const next = random(77);
  const values = (/** @type {number} */ n) => Float32Array.from({ length: n }, () => of(next));
  return [tf.tensor2d(values(32 * 3), [32, 3]), tf.tensor2d(values(32), [32, 1])];
};

/** @param {any} tf */
const twoLayers = (tf) =>
  tf.sequential({
    layers: [
      tf.layers.dense({ units: 4, inputShape: [3], activation: 'tanh' }),
      tf.layers.dense({ units: 1 }),
    ],
  });

/** @param {any} model @param {any} xs @param {any} ys @param {number} epochs */
const fit = (model, xs, ys, epochs) =>
  model.fit(xs, ys, { epochs, verbose: 0, shuffle: false, yieldEvery: 'never' });

for (const [backend, load] of Object.entries(BACKENDS)) {
  describe(`on TensorFlow.js's ${backend} backend`, () => {
    /** @type {any} */
    let tf;
    before(async () => {
      tf = await load();
      assert.equal(tf.getBackend(), backend);
    });

    for (const [order, [rule, options]] of OPTION_SETS.entries()) {
      test(`${rule} ${JSON.stringify(options)} takes gradlock's steps to the bit, whatever is locked`, async () => {
        const [tensors, next] = [tf.memory().numTensors, random(500 + order)];
        const [g, other] = [await init(), await init()];
        const kit = tfjs(g, tf);
        const [optimizer, peer] = [kit.optimizers[rule](options), other.optimizers[rule](options)];
        assert.ok(optimizer instanceof tf.Optimizer);
        const pairs = [[7], [5, 3], [2, 1, 17], []].map((shape) => {
          const size = shape.reduce((a, b) => a * b, 1);
          const values = randomValues(size, next);
          const theirs = tf.tidy(() => tf.variable(tf.tensor(values, shape)));
          return { theirs, own: other.variable(values, { shape }), size };
        });
        for (let step = 0; step < 8; step++) {
          const masks = pairs.map(({ theirs, own, size }, i) => {
            // One is locked whole at times, and none of it at others.
            const share = i === 1 ? step % 3 : 1;
            const mask = Uint8Array.from({ length: size }, () => Number(2 * next() < share));
            for (const one of [kit.locksOf(theirs), own]) one.unlock('all').lock(mask);
            return mask;
          });
          if (step === 3) {
            const values = pairs[0].own.data();
            masks[0].forEach((is, i) => {
              if (is) values.set(fromBits([ODD[i % ODD.length]]), i);
            });
            tf.tidy(() => pairs[0].theirs.assign(tf.tensor1d(values)));
            pairs[0].own.assign(values, { force: true });
          }
          const before = pairs.map(({ theirs }) => bits(theirs));
          const gradients = pairs.map(({ theirs, size }, i) => {
            const values = Float32Array.from({ length: size }, (_, j) =>
              masks[i][j] ? [Number.NaN, Number.POSITIVE_INFINITY, -5][j % 3] : 2 * next() - 1,
            );
            return tf.tensor(values, theirs.shape);
          });
          optimizer.applyGradients(
            Object.fromEntries(pairs.map(({ theirs }, i) => [theirs.name, gradients[i]])),
          );
          peer.applyGradients(pairs.map(({ own }, i) => [gradients[i].dataSync(), own]));
          tf.dispose(gradients);
          for (const [i, { theirs, own }] of pairs.entries()) {
            const now = bits(theirs);
            assert.deepEqual(now, bitsOf(own.data()), `values, step ${step}`);
            masks[i].forEach((is, j) => {
              if (is) assert.equal(now[j], before[i][j], 'a locked element');
            });
            const twin = kit.locksOf(theirs);
            for (const slot of peer.slots) {
              const [a, b] = [optimizer.gradlock.slot(twin, slot), peer.slot(own, slot)];
              assert.deepEqual(bitsOf(a), bitsOf(b), slot);
            }
            assert.deepEqual(optimizer.gradlock.clock(twin), peer.clock(own));
          }
          assert.equal(optimizer.iterations, peer.iterations);
        }
        for (const { theirs } of pairs) theirs.dispose();
        optimizer.dispose();
        assert.equal(g.memory().objects, 0);
        assert.equal(tf.memory().numTensors, tensors);
      });
    }

    test('averages and accumulated gradients know of variables that are locked whole', async () => {
      for (const options of [
        { gradientAccumulationSteps: 2 },
        { gradientAccumulationSteps: 3, onUnlock: /** @type {const} */ ('reset') },
        { useEma: true, emaMomentum: 0.5, emaOverwriteFrequency: 3 },
      ]) {
        const [g, other] = [await init(), await init()];
        const kit = tfjs(g, tf);
        const [optimizer, peer] = [kit.optimizers.adam(options), other.optimizers.adam(options)];
        const [x, y] = [tf.variable(tf.tensor1d([1, 2])), tf.variable(tf.tensor1d([3, 4]))];
        const own = [other.variable([1, 2]), other.variable([3, 4])];
        const loss = () => tf.add(tf.sum(tf.square(x)), tf.sum(tf.square(y)));
        for (let step = 0; step < 30; step++) {
          // Held for three steps, free for two; locks that are set again are another version.
          const is = step % 5 === 0 ? 'lock' : 'unlock';
          if (step % 5 === 0 || step % 5 === 3) {
            for (const one of [kit.locksOf(x), own[0]]) one[is]('all');
          }
          optimizer.minimize(loss, false, [x, y]);
          peer.applyGradients(own.map((v) => [v.data().map((value) => 2 * value), v]));
          assert.deepEqual(
            [bits(x), bits(y)],
            own.map((v) => bitsOf(v.data())),
          );
        }
        tf.dispose([x, y]);
        kit.dispose();
      }
    });

    test('nobody computes or reads the gradient of a variable that is locked whole, and the loss is given', async () => {
      const kit = tfjs(await init(), tf);
      const [x, y] = [tf.variable(tf.scalar(2)), tf.variable(tf.scalar(3))];
      let calls = 0;
      const counted = tf.customGrad((/** @type {any} */ v) => ({
        value: tf.square(v),
        gradFunc(/** @type {any} */ dy) {
          calls++;
          return tf.mul(dy, tf.mul(2, v));
        },
      }));
      const loss = () => tf.add(counted(x), tf.square(y));
      const sgd = kit.optimizers.sgd({ learningRate: 0.5 });
      kit.locksOf(x).lock('all');
      assert.equal(sgd.minimize(loss, true, [x, y]).dataSync()[0], 13);
      assert.deepEqual([calls, x.dataSync()[0], y.dataSync()[0]], [0, 2, 0]);
      const unread = { shape: [], dataSync: () => assert.fail('it was read') };
      sgd.applyGradients([{ name: x.name, tensor: unread }]);
      kit.locksOf(y).lock('all');
      const count = tf.memory().numTensors;
      assert.equal(sgd.minimize(loss, false, [x, y]), null);
      assert.equal(tf.memory().numTensors, count);
      assert.equal(sgd.iterations, 3);
      // With a holder there may be a policy, which looks at gradients.
      kit.locksOf(x).unlock('all').locks.holder('pin').lock('all');
      sgd.minimize(loss, false, [x, y]);
      assert.deepEqual([calls, x.dataSync()[0]], [1, 2]);
      tf.dispose([x, y]);
      kit.dispose();
    });

    test('model.fit trains what is free: elements, holders, policies and whole layers', async () => {
      const g = await init();
      const { optimizers, locksOf, dispose } = tfjs(g, tf);
      const model = twoLayers(tf);
      const [first, second] = model.layers;
      const optimizer = optimizers.adamW({ learningRate: 0.01, clipNorm: 1, weightDecay: 0.1 });
      model.compile({ optimizer, loss: 'meanSquaredError' });
      locksOf(first.kernel).lock({ cols: [1] });
      locksOf(first.kernel)
        .locks.holder('pin')
        .lock([[0, 0]]);
      locksOf(second.kernel.read()).lockPolicy({ lock: { topK: { k: 2 } } });
      locksOf(second.bias).lock('all').locks.watch();
      /** @type {Uint32Array[]} */
      const before = model.weights.map(bits);
      const [xs, ys] = batchOf(tf);
      await fit(model, xs, ys, 3);
      /** @type {Uint32Array[]} */
      const after = model.weights.map(bits);
      const same = after.map((now, i) => [...now.keys()].filter((j) => now[j] === before[i][j]));
      assert.deepEqual(same[0], [0, 1, 5, 9]);
      assert.deepEqual([same[1].length, same[3].length], [0, 1]);
      assert.ok(same[2].length >= 1 && same[2].length <= 2, `${same[2]}`);
      assert.ok(locksOf(second.bias).locks.audit().ok);
      model.dispose();
      dispose();
      assert.equal(g.memory().objects, 0);
      tf.dispose([xs, ys]);
    });

    test('slots stay with their variables when trainable is switched and the model compiled again', async () => {
      const { optimizers, locksOf, dispose } = tfjs(await init(), tf);
      const model = twoLayers(tf);
      const optimizer = optimizers.adam({ learningRate: 0.01 });
      const [xs, ys] = batchOf(tf);
      const compile = () => model.compile({ optimizer, loss: 'meanSquaredError' });
      compile();
      await fit(model, xs, ys, 2);
      const { gradlock } = optimizer;
      const weights = [...model.weights]; // later what is trainable comes first
      const state = () =>
        weights.map((/** @type {any} */ weight) => {
          const own = locksOf(weight);
          return [gradlock.clock(own)[0], ...gradlock.slot(own, 'm')];
        });
      const before = state();
      model.layers[0].trainable = false;
      compile();
      await fit(model, xs, ys, 3);
      const after = state();
      assert.deepEqual(after.slice(0, 2), before.slice(0, 2));
      assert.deepEqual(
        after.map(([clock]) => clock),
        [2, 2, 5, 5],
      );
      model.dispose();
      dispose();
      tf.dispose([xs, ys]);
    });

    test('an optimizer of TensorFlow.js is refused where it would move what is locked', async () => {
      const { optimizers, locksOf, dispose } = tfjs(await init(), tf);
      const model = twoLayers(tf);
      const loss = 'meanSquaredError';
      model.compile({ optimizer: optimizers.adam(), loss });
      const [xs, ys] = batchOf(tf);
      await fit(model, xs, ys, 2);
      locksOf(model.layers[0].kernel).lock({ cols: [1] });
      const before = model.weights.map(bits);
      model.compile({ optimizer: 'adam', loss });
      const says = /AdamOptimizer of TensorFlow.js would move \d+ locked elements of '.*kernel/;
      const refused = { name: 'LockedElementError', message: says };
      await assert.rejects(() => fit(model, xs, ys, 1), refused);
      assert.deepEqual(model.weights.map(bits), before);
      const kernel = model.layers[0].kernel.read();
      const other = tf.variable(tf.scalar(2));
      const theirs = tf.train.adam(0.1);
      const gradient = tf.zerosLike(kernel);
      assert.throws(() => theirs.applyGradients({ [kernel.name]: gradient }), refused);
      assert.throws(() => tf.tidy(() => theirs.minimize(() => tf.sum(kernel))), refused);
      // What is not locked trains, though the list of variables has locked ones beside it.
      theirs.minimize(() => tf.square(other));
      assert.ok(other.dataSync()[0] < 2);
      locksOf(model.layers[0].kernel).unlock('all');
      await fit(model, xs, ys, 1);
      locksOf(model.layers[0].kernel).lock('all');
      dispose();
      await fit(model, xs, ys, 1); // and without gradlock, nothing is refused
      model.dispose();
      tf.dispose([xs, ys, other, gradient]);
    });

    test('a step starts from what TensorFlow.js assigned, and a locked element counts as forced', async () => {
      const { optimizers, locksOf, forced, dispose } = tfjs(await init(), tf);
      const x = tf.variable(tf.tensor1d([1, 2, 3]));
      const sgd = optimizers.sgd({ learningRate: 0.25 });
      locksOf(x).lock([0, 1]);
      const loss = () => tf.sum(tf.square(x));
      tf.tidy(() => x.assign(tf.tensor1d([1, 20, 30])));
      sgd.minimize(loss, false, [x]);
      assert.deepEqual([...x.dataSync()], [1, 20, 15]);
      assert.equal(forced(x), 1);
      // Selections look at what is there now.
      tf.tidy(() => x.assign(tf.tensor1d([1, 20, -1])));
      locksOf(x).lock((value) => value < 0);
      assert.equal(locksOf(x).locks.count, 3);
      assert.equal(forced(x), 1);
      // And what gradlock writes the next loss is computed from.
      locksOf(x).unlock('all').fix(2, 4);
      assert.equal(sgd.minimize(loss, true, [x]).dataSync()[0], 1 + 400 + 16);
      assert.deepEqual([...x.dataSync()], [0.5, 10, 4]);
      x.dispose();
      dispose();
    });

    test('model.save keeps the optimizer with its locks: training goes on to the bit, twice over', async () => {
      const { optimizers, locksOf, dispose } = tfjs(await init(), tf);
      const [xs, ys] = batchOf(tf);
      const model = twoLayers(tf);
      const optimizer = optimizers.nadam({ learningRate: 0.02, globalClipNorm: 0.5 });
      model.compile({ optimizer, loss: 'meanSquaredError' });
      locksOf(model.layers[0].kernel).lock({ rows: [2] });
      await fit(model, xs, ys, 3);
      /** @type {any} */
      let files;
      const handler = {
        async save(/** @type {any} */ given) {
          files = given;
        },
      };
      await model.save(handler, { includeOptimizer: true });
      await assert.rejects(() => optimizer.setWeights([{ name: 'iter', tensor: xs }]), {
        name: 'FormatError',
      });
      const weights = await optimizer.getWeights();
      const damaged = tf.tensor1d(weights[1].tensor.dataSync().slice(1), 'int32');
      await assert.rejects(
        () => optimizer.setWeights([weights[0], { name: 'gradlock', tensor: damaged }]),
        { name: 'FormatError', message: /damaged/ },
      );
      const saved = model.weights.map(bits);
      await fit(model, xs, ys, 3);
      const want = model.weights.map(bits);
      assert.notDeepEqual(saved, want);
      // Names are given anew, since the first model had them; two models are one too many.
      const load = () => tf.loadLayersModel({ load: async () => files });
      await assert.rejects(load, { name: 'FormatError', message: /2 variables match it/ });
      tf.disposeVariables();
      for (let round = 0; round < 2; round++) {
        const again = await load();
        assert.equal(again.optimizer.getClassName(), 'GradlockNadam');
        assert.deepEqual(again.optimizer.getConfig(), optimizer.getConfig());
        assert.deepEqual(again.weights.map(bits), saved);
        assert.equal(locksOf(again.layers[0].kernel).locks.count, 4);
        await fit(again, xs, ys, 3);
        assert.deepEqual(again.weights.map(bits), want);
        again.dispose();
        again.optimizer.dispose();
      }
      dispose();
      tf.dispose([xs, ys, damaged]);
    });

    test('weights that do not fit are refused by name, and nothing changes', async () => {
      const g = await init();
      const { optimizers, locksOf, forced } = tfjs(g, tf);
      const [x, y, i] = [
        tf.variable(tf.tensor1d([1, 2]), true, `x-${backend}`),
        tf.variable(tf.tensor1d([3, 4, 5]), true, `${'ünï/'.repeat(20)}y-${backend}`),
        tf.variable(tf.tensor1d([1], 'int32'), true, `i-${backend}`),
      ];
      const gone = tf.variable(tf.scalar(1), true, `gone-${backend}`);
      gone.dispose();
      const layer = tf.layers.dense({ units: 1, inputShape: [1] });
      layer.build([null, 1]);
      const { kernel } = layer;
      kernel.dispose();
      layer.bias.dispose();
      const adam = optimizers.adam();
      const [one, two] = [tf.tensor1d([1, 1]), tf.tensor1d([1, 1, 1])];
      adam.applyGradients([{ name: x.name, tensor: one }]);
      const counts = () => [g.memory().objects, tf.memory().numTensors, adam.iterations];
      const before = [counts(), [...bits(x)], [...bits(y)]];
      /** @type {any} */
      const any = { tfjs, locksOf, forced, sgd: optimizers.sgd };
      const both = (/** @type {any} */ other) =>
        adam.applyGradients([x, other].map(({ name }) => ({ name, tensor: one })));
      /** @type {[() => unknown, import('./messages.js').Text][]} */
      const calls = [
        [() => locksOf(i), "GradlockError: …'i-…' is int32"],
        [() => locksOf(gone), "DisposedError: …'gone-…' was disposed"],
        [() => locksOf(kernel), 'DisposedError: …was disposed'],
        [() => locksOf(Object.create(x)), 'HandleError: …another copy'],
        [() => locksOf(one), 'TypeError: …takes a variable'],
        [() => any.locksOf(null), 'TypeError: …got null'],
        [() => any.forced(3), 'TypeError: …got 3'],
        [() => adam.applyGradients({ nobody: one }), "HandleError: …no variable 'nobody'"],
        [() => adam.applyGradients({ [x.name]: two }), 'ShapeError: …[3]…[2]'],
        [() => both(y), "ShapeError: …gradient of '…y-…' has shape [2]…be [3]"],
        [() => both(i), 'GradlockError: …int32'],
        [() => optimizers.adam({ learningRate: -1 }), 'OptionError: …learningRate'],
        [() => any.sgd({ beta1: 0 }), 'OptionError: …beta1'],
        [() => any.tfjs({}, tf), 'TypeError: …init()'],
        [() => any.tfjs(g, null), 'TypeError: …without version_core'],
        [() => tfjs(g, { ...tf, Optimizer: undefined }), 'TypeError: …without Optimizer'],
        [
          () => tfjs(g, { ...tf, version_core: '3.21.0' }),
          'GradlockError: …TensorFlow.js 4.0 or later…3.21',
        ],
      ];
      for (const [call, text] of calls) {
        assert.throws(
          call,
          (error) => says(String(error), text) || assert.fail(`${error}: ${text}`),
        );
        tf.tidy(() => locksOf(x));
        const objects = g.memory().objects;
        assert.ok(objects <= before[0][0] + 1, `${text}: ${objects}`);
      }
      locksOf(y).lock([1]);
      adam.applyGradients([{ name: y.name, tensor: two }]);
      const [saved, trained] = [await adam.getWeights(), bits(y)];
      locksOf(y).assign([9, 4, 9]);
      await adam.setWeights(saved);
      assert.deepEqual(bits(y), trained);
      locksOf(y).unlock('all').assign([3, 4, 5]);
      locksOf(y);
      assert.deepEqual([...bits(x)], before[1]);
      assert.deepEqual([...bits(y)], before[2]);
      assert.equal(adam.iterations, 2);
      Object.defineProperty(x, 'shape', { value: [2, 1] });
      tf.tidy(() => x.assign(tf.tensor2d([[7], [8]])));
      assert.throws(() => locksOf(x), {
        name: 'ShapeError',
        message: /'x-\w+' has shape \[2, 1\].*be \[2\]/,
      });
      adam.dispose();
      assert.throws(() => adam.applyGradients([{ name: y.name, tensor: two }]), {
        name: 'DisposedError',
      });
      tf.dispose([x, y, i, one, two]);
      tfjs(g, tf).dispose();
      assert.equal(g.memory().objects, 0);
    });

    test('options are live, and locks are shared by all that is made of one g and one tf', async () => {
      const g = await init();
      const kit = tfjs(g, tf);
      assert.equal(tfjs(g, { ...tf }), kit);
      assert.deepEqual(Object.keys(kit.optimizers).sort(), [...RULES].sort());
      const x = tf.variable(tf.scalar(1));
      const sgd = kit.optimizers.sgd({ learningRate: 1 });
      sgd.learningRate = 0.25;
      sgd.minimize(() => tf.square(x), false, [x]);
      assert.equal(x.dataSync()[0], 0.5);
      sgd.learningRate = g.schedules.exponentialDecay({
        initialLearningRate: 0.5,
        decaySteps: 1,
        decayRate: 0.5,
      });
      sgd.minimize(() => tf.square(x), false, [x]);
      assert.equal(x.dataSync()[0], 0.25);
      assert.throws(() => Object.assign(sgd, { momentum: 2 }), { name: 'OptionError' });
      sgd.learningRate = () => 0.5;
      sgd.minimize(() => tf.square(x), false, [x]);
      assert.equal(x.dataSync()[0], 0);
      await assert.rejects(() => sgd.getWeights(), { name: 'OptionError', message: /saved/ });
      x.dispose();
      kit.dispose();
    });

    /**
     * Where formulas agree. Adam adds epsilon beside another root, which a small one hides.
     * Not here: Adadelta divides by another average, centred RMSProp takes epsilon off where
     * others add it.
     * @type {[string, (t: any) => any, (o: any) => any][]}
     */
    const PEERS = [
      ['sgd', (t) => t.sgd(0.1), (o) => o.sgd({ learningRate: 0.1 })],
      ['momentum', (t) => t.momentum(0.1, 0.9), (o) => o.sgd({ learningRate: 0.1, momentum: 0.9 })],
      [
        'nesterov',
        (t) => t.momentum(0.1, 0.9, true),
        (o) => o.sgd({ learningRate: 0.1, momentum: 0.9, nesterov: true }),
      ],
      [
        'adam',
        (t) => t.adam(0.1, 0.9, 0.999, 1e-8),
        (o) => o.adam({ learningRate: 0.1, epsilon: 1e-8 }),
      ],
      [
        'rmsprop',
        (t) => t.rmsprop(0.1, 0.9, 0.5, 1e-7),
        (o) => o.rmsprop({ learningRate: 0.1, momentum: 0.5, epsilon: 1e-7 }),
      ],
      [
        'adagrad',
        (t) => t.adagrad(0.1, 0.1),
        (o) => o.adagrad({ learningRate: 0.1, initialAccumulatorValue: 0.1 }),
      ],
      [
        'adamax',
        (t) => t.adamax(0.1, 0.9, 0.999, 1e-7),
        (o) => o.adamax({ learningRate: 0.1, epsilon: 1e-7 }),
      ],
    ];
    for (const [name, theirs, own] of PEERS) {
      test(`${name} with nothing locked is TensorFlow.js's, up to rounding`, async () => {
        const kit = tfjs(await init(), tf);
        const optimizers = [theirs(tf.train), own(kit.optimizers)];
        const next = random(9);
        const start = randomValues(50, next);
        const variables = optimizers.map(() => tf.tidy(() => tf.variable(tf.tensor1d(start))));
        for (let step = 0; step < 20; step++) {
          const tensor = tf.tensor1d(randomValues(50, next));
          for (const [i, optimizer] of optimizers.entries()) {
            optimizer.applyGradients([{ name: variables[i].name, tensor }]);
          }
          tensor.dispose();
        }
        const [a, b] = variables.map((v) => v.dataSync());
        const error = Math.max(
          ...a.map((/** @type {number} */ value, /** @type {number} */ i) =>
            Math.abs(value - b[i]),
          ),
        );
        assert.ok(error < 2e-5, `${error}`);
        assert.ok(
          Math.max(
            ...a.map((/** @type {number} */ v, /** @type {number} */ i) => Math.abs(v - start[i])),
          ) > 0.1,
        );
        for (const one of [...optimizers, ...variables]) one.dispose();
        kit.dispose();
      });
    }
  });
}
