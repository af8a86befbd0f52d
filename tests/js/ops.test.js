/* The ops as JavaScript offers them: operands, arguments and messages. Their values and gradients
 * are compared with TensorFlow's in golden-ops.test.js, and differentiated numerically in C. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, IndexError, init, LimitError, ShapeError } from 'gradlock';
import { testRefusals, testResults } from './op-tables.js';

const M = [
  [1, 2, 3],
  [4, 5, 6],
];

/** @type {import('./op-tables.js').Result[]} */
const RESULTS = [
  [(g) => g.add(1, 2), 3],
  [
    (g) => g.add(M, 1),
    [
      [2, 3, 4],
      [5, 6, 7],
    ],
  ],
  [
    (g) => g.sub(10, g.tensor(M)),
    [
      [9, 8, 7],
      [6, 5, 4],
    ],
  ],
  [
    (g) => g.mul(M, [1, 0, -1]),
    [
      [1, 0, -3],
      [4, 0, -6],
    ],
  ],
  [
    (g) => g.div(g.tensor(M), [[1], [2]]),
    [
      [1, 2, 3],
      [2, 2.5, 3],
    ],
  ],
  [(g) => g.div([1, 0], 0), [Number.POSITIVE_INFINITY, Number.NaN]],
  [
    (g) => g.maximum(M, 4),
    [
      [4, 4, 4],
      [4, 5, 6],
    ],
  ],
  [(g) => g.minimum(Float32Array.of(1, 9), 5), [1, 5]],
  [
    (g) => g.neg(M),
    [
      [-1, -2, -3],
      [-4, -5, -6],
    ],
  ],
  [(g) => g.square(-3), 9],
  [(g) => g.sqrt([4, -1]), [2, Number.NaN]],
  [(g) => g.abs([-2, 0, 3]), [2, 0, 3]],
  [(g) => g.exp([0, Number.NEGATIVE_INFINITY]), [1, 0]],
  [(g) => g.log([1, 0]), [0, Number.NEGATIVE_INFINITY]],
  [(g) => g.tanh([0, 100]), [0, 1]],
  [(g) => g.sigmoid([0, 100]), [0.5, 1]],
  [(g) => g.relu([-1, 2]), [0, 2]],
  [(g) => g.where([1, 0, 1], [1, 2, 3], Number.NaN), [1, Number.NaN, 3]],
  [
    (g) => g.mod([7, -7], [[3], [-3]]),
    [
      [1, 2],
      [-2, -1],
    ],
  ],
  [
    (g) => g.pow(M, 2),
    [
      [1, 4, 9],
      [16, 25, 36],
    ],
  ],
  [(g) => g.squaredDifference([1, 2], 4), [9, 4]],
  [(g) => g.rsqrt([4, 0]), [0.5, Number.POSITIVE_INFINITY]],
  [(g) => g.reciprocal([4, -0.5]), [0.25, -2]],
  [(g) => g.sign([-2, 0, 3]), [-1, 0, 1]],
  [(g) => g.floor([1.5, -1.5]), [1, -2]],
  [(g) => g.ceil([1.5, -1.5]), [2, -1]],
  [(g) => g.round([1.5, 2.5, -0.6]), [2, 2, -1]],
  [(g) => g.exp2([3, -1]), [8, 0.5]],
  [(g) => g.expm1([0, Number.NEGATIVE_INFINITY]), [0, -1]],
  [(g) => g.log1p([0, -1]), [0, Number.NEGATIVE_INFINITY]],
  [(g) => g.sin(0), 0],
  [(g) => g.cos(0), 1],
  [(g) => g.erf([0, 9]), [0, 1]],
  [(g) => g.softplus([-1000, 1000]), [0, 1000]],
  [(g) => g.gelu([0, 100]), [0, 100]],
  [(g) => g.gelu([0, 100], true), [0, 100]],
  [(g) => g.silu([0, 100]), [0, 100]],
  [(g) => g.leakyRelu([1, -1], 0.5), [1, -0.5]],
  [(g) => g.div(g.leakyRelu([-2]), g.tensor([-2])), [Math.fround(0.2)]],
  [(g) => g.elu([2, Number.NEGATIVE_INFINITY]), [2, -1]],
  [(g) => g.elu([2, Number.NEGATIVE_INFINITY], 3), [2, -3]],
  [
    (g) => g.clipByValue(M, 2, 5),
    [
      [2, 2, 3],
      [4, 5, 5],
    ],
  ],
  [(g) => g.clip([1, -1], 0, Number.POSITIVE_INFINITY), [1, 0]],
  [(g) => g.notEqual([1, 2], 1), [0, 1]],
  [(g) => g.logicalAnd([1, 0], [1, 1]), [1, 0]],
  [(g) => g.logicalAnd([true, false], true), [1, 0]],
  [
    (g) => g.where([[true], [false]], [1, 2], 0),
    [
      [1, 2],
      [0, 0],
    ],
  ],
  [(g) => g.logicalOr([0, 0], [1, 0]), [1, 0]],
  [(g) => g.logicalXor([1, 1], [1, 0]), [0, 1]],
  [(g) => g.logicalNot([1, 0]), [0, 1]],
  [(g) => g.isNaN([Number.NaN, 1]), [1, 0]],
  [(g) => g.isInf([Number.NEGATIVE_INFINITY, 1]), [1, 0]],
  [(g) => g.isFinite([Number.NaN, 1]), [0, 1]],
  [
    (g) => g.where(g.greater(M, 3), M, 0),
    [
      [0, 0, 0],
      [4, 5, 6],
    ],
  ],
  [(g) => g.sum(M), 21],
  [(g) => g.sum(M, 0), [5, 7, 9]],
  [(g) => g.sum(M, -1), [6, 15]],
  [(g) => g.sum(M, [0, 1]), 21],
  [(g) => g.sum(M, [1], true), [[6], [15]]],
  [(g) => g.sum(M, null, true), [[21]]],
  [(g) => g.mean(M), 3.5],
  [(g) => g.mean(M, 1), [2, 5]],
  [(g) => g.matMul(M, [[1], [1], [1]]), [[6], [15]]],
  [
    (g) => g.matMul(M, M, { transposeB: true }),
    [
      [14, 32],
      [32, 77],
    ],
  ],
  [(g) => g.matMul(M, [[1], [1]], { transposeA: true }), [[5], [7], [9]]],
  [
    (g) => g.reshape(M, [3, -1]),
    [
      [1, 2],
      [3, 4],
      [5, 6],
    ],
  ],
  [(g) => g.reshape([7], []), 7],
  [
    (g) => g.transpose(M),
    [
      [1, 4],
      [2, 5],
      [3, 6],
    ],
  ],
  [(g) => g.transpose(M, [0, 1]), M],
  [(g) => g.slice(M, [0, 1], [2, 1]), [[2], [5]]],
  [(g) => g.slice(M, 1), [[4, 5, 6]]],
  [
    (g) => g.slice(M, [0, 1]),
    [
      [2, 3],
      [5, 6],
    ],
  ],
  [(g) => g.slice(g.tensor(M), [1, 0], [-1, 2]), [[4, 5]]],
  [(g) => g.slice([1, 2, 3], 1, 1), [2]],
  [(g) => g.stopGradient(M), M],
  [(g) => g.greater([1, 2, 3], 2), [0, 0, 1]],
  [(g) => g.greaterEqual([1, 2, 3], 2), [0, 1, 1]],
  [(g) => g.less([1, 2, 3], 2), [1, 0, 0]],
  [(g) => g.lessEqual([1, 2, 3], 2), [1, 1, 0]],
  [(g) => g.equal([1, 2, Number.NaN], [1, 3, Number.NaN]), [1, 0, 0]],
  [(g) => g.atan([0, -0, Number.NaN]), '[0,-0,NaN]'],
  [(g) => g.atan2([[0], [-0]], [1, 2, Number.POSITIVE_INFINITY]), '[[0,0,0],[-0,-0,-0]]'],
  [(g) => g.zeros([2, 0]), [[], []]],
  [(g) => g.ones([]), 1],
  [(g) => g.zerosLike(7), 0],
  [
    (g) => g.onesLike(M),
    [
      [1, 1, 1],
      [1, 1, 1],
    ],
  ],
  [
    (g) => g.eye(2, 3),
    [
      [1, 0, 0],
      [0, 1, 0],
    ],
  ],
  [(g) => g.eye(3, 1), [[1], [0], [0]]],
  [(g) => g.eye(1, 1, [2, 1]), [[[[1]]], [[[1]]]]],
  [(g) => g.eye(1, 1, [1, 1, 1, 1, 1]), [[[[[[[1]]]]]]]],
  [(g) => g.eye(0), []],
  [(g) => g.linspace(0.5, 0.25, 1), [0.5]],
];

testResults(RESULTS);

/** @type {import('./op-tables.js').Refusal[]} */
const REFUSED = [
  [(g) => g.add(M, [1, 2]), ShapeError, /add: shapes \[2,3\] and \[2\] do not broadcast/],
  [
    (g, any) => g.add(M, any()),
    TypeError,
    /^add: the second operand must be a tensor, .* got undefined/,
  ],
  [(g, any) => g.neg(any('1')), TypeError, /^neg: the first operand must be a tensor, .* got "1"/],
  [(g, any) => g.where(1, 2, any(null)), TypeError, /^where: the third operand .* got null/],
  [(g, any) => g.add(any(true), 1), TypeError, /got true/],
  [
    (g, any) => g.add(any([[1], ['2']]), 1),
    TypeError,
    /operand\[1\]\[0\] must be a number, got "2"/,
  ],
  [
    (g) => g.add([[1, 2], [3]], 1),
    ShapeError,
    /^add: the first operand\[1\] has length 1, but the first operand\[0\] has length 2/,
  ],
  [
    (g, any) => g.add(any([1, [2]]), 1),
    ShapeError,
    /operand\[1\] is an array of length 1 where its neighbours are numbers/,
  ],
  [
    (g, any) => g.add(any([[1], 2]), 1),
    ShapeError,
    /operand\[1\] is 2 where its neighbours are arrays/,
  ],
  [(g) => g.pow(M, [1, 2]), ShapeError, /pow: shapes \[2,3\] and \[2\] do not broadcast/],
  [
    (g) => g.clipByValue(M, 2, 1),
    GradlockError,
    /clipByValue: low \(2\) must not be above high \(1\)/,
  ],
  [
    (g) => g.clip(M, 0, Number.NaN),
    GradlockError,
    /clipByValue: low \(0\) must not be above high \(NaN\)/,
  ],
  [(g, any) => g.clip(M, any([0]), 1), TypeError, /low must be a number, got/],
  [(g) => g.leakyRelu(M, Number.NaN), GradlockError, /leakyRelu: alpha is NaN/],
  [(g) => g.elu(M, 1e300), GradlockError, /elu: alpha is 1e\+?300, expected a finite number/],
  [(g, any) => g.gelu(M, any('tanh')), TypeError, /approximate must be true or false, got "tanh"/],
  [(g, any) => g.sum(M, any('0')), TypeError, /axis must be an array of integers, got "0"/],
  [(g) => g.sum(M, 2), IndexError, /sum: an axis is 2, expected -2 to 1/],
  [(g) => g.sum(M, 0.5), IndexError, /axis must be an integer, got 0.5/],
  [(g) => g.sum(M, [Number.NaN]), IndexError, /axis\[0\] must be an integer, got NaN/],
  [(g) => g.sum(M, 2 ** 32), IndexError, /4.29/],
  [(g) => g.sum(M, [0, 0]), IndexError, /axis 0 is named twice/],
  [(g) => g.sum(M, new Array(30).fill(0)), LimitError, /31 numbers/],
  [(g, any) => g.mean(M, 0, any(1)), TypeError, /keepDims must be true or false, got 1/],
  [(g) => g.matMul(M, M), ShapeError, /matMul: .*\[2,3\] and \[2,3\]/],
  [(g) => g.matMul(M, [1, 2, 3]), ShapeError, /rank 2/],
  [
    (g, any) => g.matMul(M, M, any(true)),
    TypeError,
    /matMul options must be an object with transposeA/,
  ],
  [(g, any) => g.matMul(M, M, any({ transpose: true })), TypeError, /no 'transpose'/],
  [
    (g, any) => g.matMul(M, M, { transposeA: any('no') }),
    TypeError,
    /transposeA must be true or false/,
  ],
  [(g) => g.reshape(M, [4]), ShapeError, /holds 6 elements/],
  [(g) => g.reshape(M, [-1, -1]), ShapeError, /-1/],
  [(g) => g.reshape(M, [-2, 3]), ShapeError, /got -2/],
  [(g, any) => g.reshape(M, any(6)), TypeError, /shape must be an array/],
  [(g) => g.reshape(M, [1, 1, 1, 1, 1, 1, 1, 6]), ShapeError, /8 axes, the highest rank is 7/],
  [(g) => g.transpose(M, [0]), ShapeError, /transpose/],
  [(g) => g.transpose(M, [0, 2]), IndexError, /transpose/],
  [(g) => g.slice(M, [3, 0]), IndexError, /slice/],
  [(g) => g.slice(M, [0, 0], [2, 4]), ShapeError, /slice/],
  [(g) => g.slice(M, [0, 0, 0]), ShapeError, /up to 2 begins/],
  [(g, any) => g.slice(M, any()), TypeError, /begin must be an array/],
  [(g, any) => g.zeros(any(3)), TypeError, /^zeros: shape must be an array of sizes/],
  [(g) => g.ones([-1]), ShapeError, /^ones: shape\[0\] must be an integer from 0/],
  [(g, any) => g.zerosLike(any('x')), TypeError, /^zerosLike: the first operand/],
  [(g, any) => g.onesLike(any(null)), TypeError, /^onesLike: the first operand/],
  [(g) => g.eye(-1), ShapeError, /^eye: numRows is -1, expected 0 to 16777216/],
  [(g) => g.eye(2, 2 ** 30), ShapeError, /^eye: numColumns is 1073741824, expected/],
  [
    (g) => g.eye(2, 2, [1, 1, 1, 1, 1, 1, 1]),
    ShapeError,
    /^eye: batchShape is \[1, 1, 1, 1, 1, 1, 1\], but/,
  ],
  [(g) => g.linspace(0, 1, 0), ShapeError, /^linspace: num is 0, expected 1 to 16777216/],
  [(g) => g.linspace(0, 1, 2 ** 40), ShapeError, /^linspace: num is 1099511627776, expected/],
  [(g) => g.linspace(0, 1, 2.5), IndexError, /^linspace: num must be an integer, got 2.5/],
  [(g, any) => g.linspace(any('0'), 1, 2), TypeError, /^linspace: start must be a number/],
];

testRefusals(REFUSED);

test('a result that would be too large is refused before memory is asked for', async () => {
  const g = await init();
  const row = g.tensor(new Float32Array(2 ** 15), [1, 2 ** 15]);
  const { objects, wasmBytes } = g.memory();
  assert.throws(() => g.add(row, g.transpose(row)), ShapeError);
  assert.deepEqual([g.memory().objects, g.memory().wasmBytes], [objects + 1, wasmBytes]);
});

test('a getter among the operands that disposes another one ends in its typed error', async () => {
  const g = await init();
  const x = g.tensor([1]);
  const trap = [1];
  const get = () => {
    x.dispose();
    return 1;
  };
  Object.defineProperty(trap, 0, { get });
  assert.throws(() => g.add(x, trap), /Tensor is gone/);
  assert.equal(g.memory().objects, 0);
});

test('linspace ends exactly at its ends, and does not turn back on the way', async () => {
  const g = await init();
  for (const [start, stop, num] of [
    [0.1, 0.7, 7],
    [-1 / 3, 1e30, 1001],
    [1e-40, 3e38, 77],
    [2 / 3, -5e-7, 12345],
    [0, 1, 2 ** 16 + 1],
  ]) {
    const values = g.linspace(start, stop, num).data();
    assert.equal(values.length, num);
    assert.equal(values[0], Math.fround(start));
    assert.equal(values[num - 1], Math.fround(stop));
    const sign = Math.sign(stop - start);
    assert.ok(values.every((value, i) => i === 0 || sign * (value - values[i - 1]) >= 0));
  }
});
