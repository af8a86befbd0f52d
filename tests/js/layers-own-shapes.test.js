/* Precisions: f32, f64. */
/* Shapes of layers of one's own, of functions and of models (docs/decisions/0049): stated by
 * computeOutputShape, or recorded, and then never guessed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init, ShapeError } from 'gradlock';
import { layers } from 'gradlock/layers';

const setUp = async () => {
  const g = await init();
  return { g, nn: /** @type {any} */ (layers(g, { seed: 1 })) };
};

test('a layer of one’s own states its shape, with sizes that recording cannot know', async () => {
  const { g, nn } = await setUp();
  class Halves extends nn.Layer {
    static className = 'Halves';
    call(/** @type {any} */ x) {
      return g.split(x, 2, 1);
    }
    computeOutputShape(/** @type {any} */ [batch, size, ...rest]) {
      const half = size === null ? null : size / 2;
      return [
        [batch, half, ...rest],
        [batch, half, ...rest],
      ];
    }
  }
  const x = nn.input({ shape: [null, 3] });
  const parts = new Halves().apply(x);
  assert.deepEqual(
    parts.map((/** @type {any} */ part) => part.shape),
    [
      [null, null, 3],
      [null, null, 3],
    ],
  );
  const model = nn.model({ inputs: x, outputs: nn.add().apply(parts) });
  assert.deepEqual(model.predict(g.broadcastTo(1, [2, 4, 3])).shape, [2, 2, 3]);
  const around = nn.timeDistributed({ layer: nn.sequential([nn.dense({ units: 2 })]) });
  assert.deepEqual(around.computeOutputShape([null, null, 5, 3]), [null, null, 5, 2]);
});

test('the shape that a layer states is compared with what it gives', async () => {
  const { g, nn } = await setUp();
  class Wrong extends nn.Layer {
    static className = 'Wrong';
    computeOutputShape() {
      return [null, 7];
    }
  }
  const model = nn.sequential([nn.dense({ units: 3, inputShape: [2] }), new Wrong()]);
  assert.deepEqual(model.output.shape, [null, 7]);
  assert.throws(
    () => model.predict([[1, 2]]),
    (error) =>
      error instanceof ShapeError &&
      /wrong \(Wrong\) returned shape \[1, 3\].*\[null, 7\]/.test(error.message),
  );
  class Listed extends nn.Layer {
    static className = 'Listed';
    computeOutputShape(/** @type {any} */ shape) {
      return [shape];
    }
  }
  assert.equal(new Listed().apply(nn.input({ shape: [2] })).length, 1);
  class Nonsense extends nn.Layer {
    static className = 'Nonsense';
    computeOutputShape() {
      return [null, -1];
    }
  }
  assert.throws(
    () => new Nonsense().apply(nn.input({ shape: [2] })),
    /the result of computeOutputShape/,
  );
  const lengthened = nn.dense({
    units: 2,
    activation: (/** @type {any} */ x) => g.concat([x, x], -1),
  });
  assert.throws(() => lengthened.apply([[1, 2]]), /keep the shape.*\[1, 2\] into \[1, 4\]/);
});

test('functions are recorded with small and large sizes, and nothing is guessed', async () => {
  const { g, nn } = await setUp();
  const steps = nn.input({ shape: [null, 3] });
  const long = (/** @type {any} */ x) => g.maxPool(g.expandDims(x, 1), [1, 200], [1, 100]);
  /** @type {[string, (x: any) => any, Record<string, any>, any][]} */
  const functions = [
    ['a mean over open steps', (x) => g.mean(x, 1), {}, [null, 3]],
    ['a mean over everything', (x) => g.mean(x), {}, []],
    ['windows of 200, 100 apart', (x) => g.squeeze(long(x), 1), {}, [null, null, 3]],
    [
      'at most 50 steps',
      (x) => g.slice(x, [0, 0, 0], [-1, Math.min(50, x.shape[1]), -1]),
      {},
      [null, null, 3],
    ],
    [
      'every 500th step',
      (x) => g.stridedSlice(x, [0, 0, 0], [...x.shape], [1, 500, 1]),
      {},
      [null, null, 3],
    ],
    [
      '166 cropped at each end',
      (x) => g.slice(x, [0, 166, 0], [-1, x.shape[1] - 332, -1]),
      {},
      [null, null, 3],
    ],
    [
      'windows of 2,000',
      (x) => g.slice(x, [0, 0, 0], [-1, x.shape[1] - 1999, -1]),
      {},
      [null, null, 3],
    ],
    [
      'what is stated as a shape',
      (x) => g.slice(x, [0, 0, 0], [-1, 5, -1]),
      { outputShape: [5, 3] },
      [null, 5, 3],
    ],
    [
      'what is stated as a function',
      (x) => x,
      { outputShape: (/** @type {any} */ s) => s },
      [null, null, 3],
    ],
  ];
  for (const [what, fn, config, want] of functions) {
    assert.deepEqual(nn.lambda(fn, config).apply(steps).shape, want, what);
  }
  const pair = [nn.input({ shape: [null, 3] }), nn.input({ shape: [null, 3] })];
  const difference = nn.lambda((/** @type {any} */ [a, b]) =>
    g.slice(a, [0, 0, 0], [-1, 1 + Math.abs(a.shape[1] - b.shape[1]), -1]),
  );
  assert.deepEqual(difference.apply(pair).shape, [null, null, 3], 'a difference of two open sizes');
  assert.deepEqual(nn.lambda((/** @type {any} */ [a, b]) => g.add(a, b)).apply(pair).shape, [
    null,
    null,
    3,
  ]);
  const unknown = nn.lambda((/** @type {any} */ x) => g.reshape(x, [-1, 7, 11]));
  assert.throws(() => unknown.apply(nn.input({ shape: [null] })), ShapeError);
  assert.throws(() => nn.lambda((/** @type {any} */ x) => x, { outputShape: 3 }), TypeError);
});

test('a model states the shape of other inputs than it was made for', async () => {
  const { g, nn } = await setUp();
  const x = nn.input({ shape: [12, 3] });
  const y = nn.conv1d({ filters: 4, kernelSize: 3 }).apply(x);
  const model = nn.model({ inputs: x, outputs: [y, nn.globalMaxPooling1d().apply(y)] });
  assert.deepEqual(model.computeOutputShape([null, null, 3]), [
    [null, null, 4],
    [null, 4],
  ]);
  assert.deepEqual(model.computeOutputShape([2, 9, 3]), [
    [2, 7, 4],
    [2, 4],
  ]);
  assert.throws(() => model.computeOutputShape([null, 2, 3]), /conv1d.* window of 3 .* size 2/);
  assert.throws(
    () => model.computeOutputShape([null, 9, 5]),
    /size 5, but the weights were made for size 3/,
  );
  assert.deepEqual(
    model.apply(g.broadcastTo(0, [2, 9, 3])).map((/** @type {any} */ z) => z.shape),
    [
      [2, 7, 4],
      [2, 4],
    ],
  );
});
