/* Linear algebra as JavaScript offers it: products against the plain loop, and what is refused in
 * which words. Values and gradients beside TensorFlow's are in golden-linear.test.js. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GradlockError, IndexError, init, ShapeError } from 'gradlock';
import { bitsOf, random, refuses, settle } from './support.js';

const SEED = 20261121;
const M = [
  [1, 2, 3],
  [4, 5, 6],
];

/** @typedef {import('gradlock').Gradlock} Gradlock */

/** @param {readonly number[]} shape */
const count = (shape) => shape.reduce((a, b) => a * b, 1);

/**
 * Einstein's sum by its definition, in f64, over an index for every label.
 * @param {string[]} terms
 * @param {string} output
 * @param {Map<string, number>} sizes
 * @param {Float32Array[]} values
 */
const plainSum = (terms, output, sizes, values) => {
  const labels = [...sizes.keys()];
  const size = (/** @type {string} */ label) => Number(sizes.get(label));
  const out = new Float64Array(count([...output].map(size)));
  const total = count(labels.map(size));
  for (let at = 0; at < total; at++) {
    /** @type {Map<string, number>} */
    const index = new Map();
    let rest = at;
    for (const label of labels) {
      index.set(label, rest % size(label));
      rest = Math.floor(rest / size(label));
    }
    const flat = (/** @type {string} */ term) =>
      [...term].reduce((sum, label) => sum * size(label) + Number(index.get(label)), 0);
    out[flat(output)] += values.reduce((product, x, i) => product * x[flat(terms[i])], 1);
  }
  return out;
};

test('einsum is the plain sum over all labels, for any equation, at once and in a program', async () => {
  const next = random(SEED);
  const below = (/** @type {number} */ n) => Math.floor(next() * n);
  const g = await init();
  for (let round = 0; round < 400; round++) {
    const sizes = new Map([...'abcdef'].map((label) => [label, next() < 0.04 ? 0 : 1 + below(3)]));
    const draw = (/** @type {string} */ from) =>
      [...from]
        .filter(() => next() < 0.5)
        .sort(() => next() - 0.5)
        .join('');
    const terms = [draw('abcdef'), draw('abcdef')].slice(0, 1 + below(2));
    const used = [...new Set(terms.join(''))];
    for (const label of sizes.keys()) if (!used.includes(label)) sizes.delete(label);
    const output = draw(used.join(''));
    const equation = `${terms.join(',')}->${output}`;
    const shapes = terms.map((term) => [...term].map((label) => Number(sizes.get(label))));
    // Small whole numbers: every sum is exact, in whatever order.
    const values = shapes.map((s) => Float32Array.from({ length: count(s) }, () => below(7) - 3));
    const where = `seed ${SEED}, round ${round}: ${equation} of ${JSON.stringify(shapes)}`;
    const operands = values.map((x, i) => g.tensor(x, shapes[i]));
    const { objects } = g.memory();
    const result = g.einsum(equation, ...operands);
    const expected = plainSum(terms, output, sizes, values);
    assert.deepEqual(
      [...result.shape],
      [...output].map((label) => sizes.get(label)),
      where,
    );
    assert.deepEqual(
      [...result.data()].map((x) => x + 0),
      [...expected],
      where,
    );
    const program = g.compile(() => g.einsum(equation, ...operands));
    assert.deepEqual(bitsOf(program.run().data()), bitsOf(result.data()), where);
    assert.equal(g.memory().objects, objects + 3, `${where}: nothing but the result is left`);
    for (const thing of [result, program, ...operands]) thing.dispose();
  }
});

test('a product of batches has the bits of the products of its matrices', async () => {
  const next = random(SEED);
  const g = await init();
  const [batches, m, k, n] = [3, 5, 7, 9];
  const draw = (/** @type {number} */ size) =>
    Float32Array.from({ length: size }, () => next() - 0.5);
  for (const [ta, tb] of [
    [false, false],
    [true, false],
    [false, true],
    [true, true],
  ]) {
    for (const isShared of [false, true]) {
      const options = { transposeA: ta, transposeB: tb };
      const a = g.tensor(draw(batches * m * k), ta ? [batches, k, m] : [batches, m, k]);
      const one = tb ? [n, k] : [k, n];
      const b = g.tensor(
        draw((isShared ? 1 : batches) * k * n),
        isShared ? one : [batches, ...one],
      );
      const whole = g.matMul(a, b, options).data();
      for (let i = 0; i < batches; i++) {
        const left = g.reshape(g.slice(a, i, 1), a.shape.slice(1));
        const right = isShared ? b : g.reshape(g.slice(b, i, 1), one);
        const part = g.matMul(left, right, options).data();
        assert.deepEqual(bitsOf(part), bitsOf(whole.slice(i * m * n, (i + 1) * m * n)));
      }
    }
  }
});

/** @type {[call: (g: Gradlock) => import('gradlock').Tensor, expected: any][]} */
const RESULTS = [
  [(g) => g.matMul([[[1, 2]], [[3, 4]]], [[1], [10]]), [[[21]], [[43]]]],
  [(g) => g.dot([1, 2, 3], [4, 5, 6]), 32],
  [(g) => g.dot(M, [1, 0, -1]), [-2, -2]],
  [
    (g) => g.outerProduct([1, 2], [1, 10]),
    [
      [1, 10],
      [2, 20],
    ],
  ],
  [(g) => g.einsum('ij,j->i', M, [1, 0, -1]), [-2, -2]],
  [(g) => g.einsum('ij,j', M, [1, 0, -1]), [-2, -2]],
  [
    (g) => g.einsum('ba', M),
    [
      [1, 4],
      [2, 5],
      [3, 6],
    ],
  ],
  [(g) => g.einsum('->', 5), 5],
  [(g) => g.einsum(' i j -> j ', M), [5, 7, 9]],
  [
    (g) =>
      g.softmax([
        [0, 0],
        [Number.NEGATIVE_INFINITY, 1],
      ]),
    [
      [0.5, 0.5],
      [0, 1],
    ],
  ],
  [
    (g) =>
      g.softmax(
        [
          [0, 5],
          [0, 5],
        ],
        0,
      ),
    [
      [0.5, 0.5],
      [0.5, 0.5],
    ],
  ],
  [(g) => g.logSoftmax([1000, 0]), [0, -1000]],
  [(g) => g.layerNorm([1, 3], { epsilon: 3 }), [-0.5, 0.5]],
  [
    (g) =>
      g.layerNorm(
        [
          [1, 3],
          [3, 1],
        ],
        { epsilon: 3, axis: [0, 1] },
      ),
    [
      [-0.5, 0.5],
      [0.5, -0.5],
    ],
  ],
  [(g) => g.layerNorm([[1, 3]], { epsilon: 3, gamma: [2, 4], beta: [10, 20] }), [[9, 22]]],
  [(g) => g.layerNorm([[1], [3]], { epsilon: 3, axis: 0, gamma: [2, 4] }), [[-1], [2]]],
];

for (const [call, expected] of RESULTS) {
  const name = String(call).replace(/^\(g\) => /, '');
  test(`${name} is ${JSON.stringify(expected)}, at once and in a program`, async () => {
    const g = await init();
    assert.deepEqual(call(g).array(), expected);
    const { objects } = g.memory();
    const result = g.compile(() => call(g)).run();
    assert.deepEqual(result.array(), expected);
    // The program and its result: neither constants nor parts are left behind.
    assert.equal(g.memory().objects, objects + 2);
  });
}

test('what einsum gives is its own: disposing it leaves the operand as it was', async () => {
  const g = await init();
  const x = g.tensor(M);
  g.einsum('ij->ij', x).dispose();
  assert.deepEqual(x.array(), M);
});

/** @type {[call: (g: Gradlock, any: any) => unknown, kind: Function, message: RegExp][]} */
const REFUSED = [
  [
    (g) => g.matMul([M], [M, M]),
    ShapeError,
    /matMul: inner sizes differ, given \[1,2,3\] and \[2,2,3\]/,
  ],
  [
    (g) => g.matMul([M, M], [M, M, M], { transposeB: true }),
    ShapeError,
    /axes before the last two do not broadcast, given \[2,2,3\] and \[3,2,3\] transposed/,
  ],
  [
    (g) => g.matMul(M, 2),
    ShapeError,
    /matMul: matrices have rank 2 or more, given \[2,3\] and \[\]/,
  ],
  [(g) => g.dot(M, M), ShapeError, /dot: inner sizes of shapes \[2,3\] and \[2,3\] differ/],
  [(g) => g.dot(2, [1]), ShapeError, /dot: shapes \[\] and \[1\], expected ranks 1 and 2/],
  [(g) => g.outerProduct(M, [1]), ShapeError, /outerProduct: shapes \[2,3\] and \[1\]/],
  [(g) => g.softmax(3), IndexError, /softmax: a tensor of rank 0 has no axes/],
  [(g) => g.softmax(M, 2), IndexError, /softmax: an axis is 2, expected -2 to 1/],
  [(g, any) => g.logSoftmax(M, any('0')), TypeError, /axis must be a number, got "0"/],
  [
    (g) => g.layerNorm(M, { gamma: [1, 2] }),
    ShapeError,
    /gamma has shape \[2\], expected \[3\] for x of shape \[2, 3\]/,
  ],
  [(g) => g.layerNorm(M, { beta: 1 }), ShapeError, /beta has shape \[\], expected \[3\]/],
  [(g) => g.layerNorm(M, { axis: 2 }), IndexError, /layerNorm: an axis is 2/],
  [(g) => g.layerNorm(M, { axis: 2, gamma: [1] }), IndexError, /layerNorm: an axis is 2/],
  [(g) => g.layerNorm(M, { axis: [0, -2] }), IndexError, /axis 0 is named twice/],
  [(g) => g.layerNorm(M, { epsilon: -1 }), GradlockError, /layerNorm: epsilon is -1/],
  [
    (g, any) => g.layerNorm(M, { epsilon: any('1') }),
    TypeError,
    /epsilon must be a number, got "1"/,
  ],
  [(g, any) => g.layerNorm(M, any({ scale: [1] })), TypeError, /layerNorm options have no 'scale'/],
  [(g) => g.layerNorm(5), IndexError, /rank 0/],
  [
    (g, any) => g.einsum(any(M), M),
    TypeError,
    /equation must be a string such as .*, got an array/,
  ],
  [(g) => g.einsum('ij,jk->ik', M), GradlockError, /"ij,jk->ik": 2 terms for 1 operand/],
  [
    (g) => g.einsum('i,j,k', [1], [2], [3]),
    GradlockError,
    /3 terms for 3 operands, expected one or two/,
  ],
  [(g) => g.einsum(''), GradlockError, /1 term for 0 operands/],
  [(g) => g.einsum('i1->i', M), GradlockError, /"i1->i": '1' at 1 is not allowed/],
  [(g) => g.einsum('ij->j->i', M), GradlockError, /"ij->j->i": '-' at 5 is not allowed/],
  [(g) => g.einsum('ij-', M), GradlockError, /'-' at 2 is not allowed/],
  [(g) => g.einsum('ij->i,j', M), GradlockError, /',' at 5 is not allowed/],
  [(g) => g.einsum('...j->j', M), GradlockError, /'\.' at 0 begins an ellipsis/],
  [
    (g) => g.einsum('ii->i', [[1]]),
    GradlockError,
    /"ii->i": 'i' at 1 repeats a label of one operand/,
  ],
  [(g) => g.einsum('ij->ii', M), GradlockError, /'i' at 5 repeats a label of the result/],
  [(g) => g.einsum('ij->ik', M), GradlockError, /'k' at 5 is not a label of any operand/],
  [(g) => g.einsum('ijk->i', M), ShapeError, /'ijk' has 3 labels, operand 0 has shape \[2, 3\]/],
  [
    (g) => g.einsum('ij,jk->ik', M, M),
    ShapeError,
    /"ij,jk->ik": 'j' is 3 and 2 in shapes \[2, 3\] and \[2, 3\]/,
  ],
  [
    (g) => g.einsum('abcd,efgh->abcdefgh', [[[[1]]]], [[[[1]]]]),
    ShapeError,
    /the result has 8 axes, the highest rank is 7/,
  ],
  [(g, any) => g.einsum('i', any('x')), TypeError, /operand 0 must be a tensor, .* got "x"/],
];

for (const [call, kind, message] of REFUSED) {
  test(`${String(call).replace(/^\(g.*?\) => /, '')} is refused and leaves nothing behind`, async () => {
    const g = await init();
    settle(g);
    const identity = (/** @type {unknown} */ value) => value;
    refuses(g, [], () => call(g, identity), kind, message);
    const program = g.compile(() => {
      assert.throws(() => call(g, identity), kind);
      return g.add(1, 1);
    });
    assert.equal(program.value(), 2);
  });
}

test('softmax at once has the bits of softmax in a program', async () => {
  const g = await init();
  const next = random(5);
  /** @type {[number[], number][]} */
  const cases = [
    [[3, 5], 1],
    [[3, 5], 0],
    [[1], 0],
    [[4, 1], 1],
    [[2, 3, 70], 1],
    [[2, 3, 70], 0],
    [[2, 1, 37], 1],
    [[700, 9], 1],
    [[3, 5000], 1],
    [[9, 700], 0],
  ];
  for (const [shape, axis] of cases) {
    const size = shape.reduce((a, b) => a * b, 1);
    const values = Float32Array.from({ length: size }, () => 200 * (next() - 0.5));
    values[size - 1] = Number.NaN;
    if (size > 7) values[7] = Number.NEGATIVE_INFINITY;
    const x = g.tensor(values, shape);
    const program = g.compile(() => g.softmax(x, axis));
    assert.equal(g.softmax(x, axis).digest(), program.run().digest(), `${shape} along ${axis}`);
  }
});
