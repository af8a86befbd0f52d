/* What parity.test.js compares: for each row of the op table how TensorFlow.js says the same, and on which operands.
 * A row is here, or in parity-differences.js with the reason why TensorFlow.js has nothing to compare with; a new row
 * that is in neither fails the run. Operands come from seeds and from lists of special numbers. */
import { random } from './support.js';

/** @typedef {{ shape: number[], values: Float32Array }} Operand */
/** @typedef {any} Tf TensorFlow.js, whose types would fix dtypes and ranks that this table varies. */
/**
 * @typedef {object} Case
 * @property {string} about
 * @property {Operand[]} inputs
 * @property {any[]} args What follows the operands, in both libraries.
 * @property {boolean} isSpecial Special numbers, for which dL/dy is 1.
 */
/**
 * @typedef {object} Row
 * @property {(g: any, x: any[], args: any[]) => any} ours
 * @property {(tf: Tf, x: any[], args: any[]) => any} theirs
 * @property {Case[]} cases
 * @property {number | 'sum' | 'array'} tolerance Of values: how many units in the last place, 0 for the same bits; or
 *   as of a sum; or relative to the largest of the array. parity.test.js derives what that means.
 * @property {boolean[]} gradients Which operands have one in both libraries.
 * @property {boolean} [eitherZero] Whether the sign of a zero is left open, as it is where 0 and -0 tie.
 */

const next = random(20261121);
const SPECIAL = [
  0,
  -0,
  1,
  -1,
  0.5,
  -2.5,
  1e-40,
  -1e-45,
  1.5e-38,
  -1e-20,
  1e10,
  -3e38,
  3e38,
  88.5,
  -104,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
];
const FEW = [
  0,
  -0,
  1,
  -2.5,
  1e-40,
  -1e-30,
  3e38,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.NaN,
];

/** Every rank that TensorFlow.js has, and no elements. */
const SHAPES = [
  [],
  [7],
  [2, 3],
  [0],
  [2, 0, 3],
  [2, 1, 3],
  [2, 1, 3, 2],
  [1, 2, 1, 2, 2],
  [1, 2, 1, 1, 2, 2],
];
const PAIRS = [
  [[], []],
  [[3], [3]],
  [[2, 3], [3]],
  [[3], [2, 3]],
  [
    [2, 1],
    [1, 3],
  ],
  [[], [2, 2]],
  [
    [2, 1, 3],
    [4, 1],
  ],
  [[0, 3], [3]],
  [[0], [1]],
  [
    [1, 2, 1, 3],
    [2, 1, 2, 1],
  ],
  [
    [1, 2, 1, 1, 2],
    [2, 1, 2, 2, 1],
  ],
  [[1, 2, 1, 1, 2, 1], [3]],
];

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((product, size) => product * size, 1);

/** @typedef {(i: number) => number} Draw */
/** Values as an op likes them. @type {Record<string, Draw>} */
const DRAWS = {
  any: () => 4 * next() - 2,
  positive: () => 0.25 + 2 * next(),
  /** Never 0, and no two of them equal. */
  apart: (i) => (i % 2 ? -1 : 1) * (0.25 + next() / 8 + (i % 23) / 4),
  /** Repeated values, so that there are ties. */
  whole: () => Math.floor(5 * next()) - 2,
  /** 0 or 1. */
  truth: () => Math.floor(2 * next()),
};

/**
 * @param {number[]} shape
 * @param {keyof typeof DRAWS} [draw]
 * @returns {Operand}
 */
const operand = (shape, draw = 'any') => ({
  shape,
  values: Float32Array.from({ length: sizeOf(shape) }, (_, i) => DRAWS[draw](i)),
});

/**
 * @param {readonly number[]} values
 * @param {number[]} [shape]
 * @returns {Operand}
 */
const given = (values, shape = [values.length]) => ({ shape, values: Float32Array.from(values) });

/**
 * @param {string} about
 * @param {Operand[]} inputs
 * @param {any[]} [args]
 * @returns {Case}
 */
const ordinary = (about, inputs, args = []) => ({ about, inputs, args, isSpecial: false });

/**
 * @param {string} about
 * @param {Operand[]} inputs
 * @param {any[]} [args]
 * @returns {Case}
 */
const special = (about, inputs, args = []) => ({ about, inputs, args, isSpecial: true });

/** @param {number[]} shape */
const text = (shape) => `[${shape}]`;

/**
 * @param {string} name
 * @returns {Row['ours']}
 */
const ourMethod = (name) => (g, x, args) => g[name](...x, ...args);
/**
 * @param {string} name
 * @returns {Row['theirs']}
 */
const theirFunction = (name) => (tf, x, args) => tf[name](...x, ...args);

/**
 * @param {string} name
 * @param {Partial<Row> & Pick<Row, 'cases'>} rest
 * @returns {[string, Row]}
 */
const row = (name, rest) => [
  name,
  {
    ours: ourMethod(name),
    theirs: theirFunction(name),
    tolerance: 0,
    gradients: [true],
    ...rest,
  },
];

/**
 * A row of one operand.
 * @param {string} name
 * @param {Partial<Row> & { draw?: keyof typeof DRAWS, args?: any[] }} [rest]
 */
const unary = (name, { draw = 'any', args = [], ...rest } = {}) =>
  row(name, {
    cases: [
      ...SHAPES.map((shape) => ordinary(text(shape), [operand(shape, draw)], args)),
      special('special numbers', [given(SPECIAL)], args),
    ],
    ...rest,
  });

/** @param {string} name */
const predicate = (name) =>
  unary(name, { gradients: [], theirs: (tf, [x]) => tf.cast(tf[name](x), 'float32') });

/**
 * A row of two operands that broadcast.
 * @param {string} name
 * @param {Partial<Row> & { draw?: keyof typeof DRAWS, second?: keyof typeof DRAWS }} [rest]
 */
const binary = (name, { draw = 'any', second = draw, ...rest } = {}) =>
  row(name, {
    gradients: [true, true],
    cases: [
      ...PAIRS.map(([a, b]) =>
        ordinary(`${text(a)} ${text(b)}`, [operand(a, draw), operand(b, second)]),
      ),
      special('special numbers', [
        given(FEW.flatMap((a) => FEW.map(() => a))),
        given(FEW.flatMap(() => FEW)),
      ]),
      special('special numbers that broadcast', [given(FEW, [FEW.length, 1]), given([1, -2])]),
    ],
    ...rest,
  });

/** @param {string} name */
const comparison = (name) =>
  binary(name, {
    gradients: [],
    draw: 'whole',
    theirs: (tf, [a, b]) => tf.cast(tf[name](a, b), 'float32'),
  });

/** @param {string} name */
const logic = (name) =>
  binary(name, {
    gradients: [],
    draw: 'truth',
    theirs: (tf, [a, b]) => tf.cast(tf[name](tf.cast(a, 'bool'), tf.cast(b, 'bool')), 'float32'),
  });

/** Shapes with axes to reduce over and whether they stay. @type {[number[], any, boolean][]} */
const REDUCTIONS = [
  [[], null, false],
  [[7], null, false],
  [[67], 0, true],
  [[2, 3], null, true],
  [[2, 3], 0, false],
  [[2, 3], -1, true],
  [[3, 2, 4], [0, 2], false],
  [[3, 2, 4], [-1, 1], true],
  [[2, 1, 2, 3], [1, 3], false],
  [[2, 1, 2, 1, 3], [0, 2, 4], false],
  [[2, 1, 2, 1, 3, 2], [1, 2, 5], true],
];

/**
 * A row that reduces over axes.
 * @param {string} name
 * @param {Partial<Row> & { draw?: keyof typeof DRAWS, specials?: boolean, empty?: boolean }} [rest]
 */
const reduction = (name, { draw = 'any', empty = true, ...rest } = {}) =>
  row(name, {
    tolerance: 'sum',
    cases: [
      ...REDUCTIONS.map(([shape, axis, keep]) =>
        ordinary(
          `${text(shape)} over ${axis === null ? 'all' : `[${axis}]`}${keep ? ', kept' : ''}`,
          [operand(shape, draw)],
          [axis, keep],
        ),
      ),
      ...(empty
        ? [
            ordinary('no elements', [operand([0])], [null, false]),
            ordinary('rows of no elements', [operand([2, 0])], [1, false]),
            ordinary('no rows', [operand([0, 3])], [1, true]),
          ]
        : []),
      special('special numbers, each in a row', [given(SPECIAL, [SPECIAL.length, 1])], [1, false]),
      special(
        'special numbers beside 1',
        [
          given(
            FEW.flatMap((value) => [value, 1]),
            [FEW.length, 2],
          ),
        ],
        [1, false],
      ),
    ],
    ...rest,
  });

/** Axes, or one. @param {string} name */
const along = (name) =>
  row(name, {
    gradients: [],
    theirs: (tf, [x], [axis]) => tf.cast(tf[name](x, axis), 'float32'),
    cases: [
      ordinary('[7]', [operand([7])], [0]),
      ordinary('[3,4] along 0', [operand([3, 4], 'apart')], [0]),
      ordinary('[3,4] along -1', [operand([3, 4], 'apart')], [-1]),
      ordinary('ties', [operand([4, 6], 'whole')], [1]),
      ordinary('rank 6', [operand([2, 1, 2, 1, 3, 2])], [4]),
      special(
        'special numbers',
        [given([0, -0, 1, -0, 0, -1, 3e38, Number.POSITIVE_INFINITY], [4, 2])],
        [1],
      ),
    ],
  });

/**
 * @param {string} name
 * @param {Partial<Row>} [rest]
 */
const softmaxLike = (name, rest = {}) =>
  row(name, {
    tolerance: 'array',
    cases: [
      ...[[5], [2, 3], [2, 1, 3], [2, 0, 3], [1, 2, 1, 2, 2]].map((shape) =>
        ordinary(text(shape), [operand(shape)]),
      ),
      special('large', [given([1000, 1001, -1000, 88, 0, 3e38], [3, 2])]),
      special('special numbers', [
        given([1, Number.NaN, 1, Number.NEGATIVE_INFINITY, 1, Number.POSITIVE_INFINITY], [3, 2]),
      ]),
    ],
    ...rest,
  });

/** @type {[string, Row][]} */
const ARITHMETIC = [
  binary('add'),
  binary('sub'),
  binary('mul'),
  binary('div', { second: 'positive' }),
  binary('mod', { draw: 'apart' }),
  binary('pow', { draw: 'positive', second: 'any', tolerance: 2 }),
  binary('squaredDifference', { tolerance: 2 }),
  binary('maximum', { draw: 'apart', eitherZero: true }),
  binary('minimum', { draw: 'apart', eitherZero: true }),
  unary('neg'),
  unary('square'),
  unary('sqrt', { draw: 'positive' }),
  unary('rsqrt', { draw: 'positive', tolerance: 2 }),
  unary('reciprocal', { draw: 'apart' }),
  unary('abs', { draw: 'apart' }),
  unary('sign', { gradients: [] }),
  unary('floor', { gradients: [] }),
  unary('ceil', { gradients: [] }),
  unary('round', { gradients: [] }),
  unary('clipByValue', { args: [-1, 1] }),
  unary('stopGradient', { gradients: [], theirs: (tf, [x]) => tf.clone(x) }),
];

/** @type {[string, Row][]} */
const FUNCTIONS = [
  unary('exp', { tolerance: 2 }),
  unary('expm1', { tolerance: 2 }),
  unary('log', { draw: 'positive', tolerance: 2 }),
  unary('log1p', { draw: 'positive', tolerance: 2 }),
  unary('sin', { tolerance: 2 }),
  unary('cos', { tolerance: 2 }),
  unary('erf', { tolerance: 'array' }),
  unary('tanh', { tolerance: 2 }),
  unary('sigmoid', { tolerance: 2 }),
  unary('softplus', { tolerance: 2 }),
  unary('relu', { eitherZero: true }),
  unary('elu', { tolerance: 2 }),
  unary('leakyRelu', { args: [0.125] }),
  softmaxLike('softmax'),
  softmaxLike('logSoftmax'),
];

/** @type {[string, Row][]} */
const LOGIC = [
  ...['equal', 'notEqual', 'greater', 'greaterEqual', 'less', 'lessEqual'].map(comparison),
  ...['logicalAnd', 'logicalOr', 'logicalXor'].map(logic),
  unary('logicalNot', {
    gradients: [],
    draw: 'truth',
    theirs: (tf, [x]) => tf.cast(tf.logicalNot(tf.cast(x, 'bool')), 'float32'),
  }),
  ...['isNaN', 'isInf', 'isFinite'].map(predicate),
  row('where', {
    gradients: [false, true, true],
    theirs: (tf, [c, a, b]) => tf.where(tf.cast(c, 'bool'), a, b),
    cases: [
      ...[[], [3], [2, 3], [0], [2, 1, 2, 2]].map((shape) =>
        ordinary(text(shape), [operand(shape, 'truth'), operand(shape), operand(shape)]),
      ),
      ordinary('all three broadcast', [operand([2, 1], 'truth'), operand([3]), operand([])]),
      special('special numbers', [
        given(SPECIAL.map((_, i) => i % 2)),
        given(SPECIAL),
        given(SPECIAL.slice().reverse()),
      ]),
    ],
  }),
];

/** @type {[string, Row][]} */
const REDUCE = [
  reduction('sum'),
  reduction('mean'),
  reduction('prod', { draw: 'apart', tolerance: 'array' }),
  reduction('max', { draw: 'apart', eitherZero: true, empty: false }),
  reduction('min', { draw: 'apart', eitherZero: true, empty: false }),
  reduction('logSumExp', { tolerance: 'array' }),
  reduction('l2Norm', { theirs: theirFunction('euclideanNorm') }),
  reduction('variance', {
    tolerance: 'array',
    theirs: (tf, [x], [axis, keep]) => tf.moments(x, axis, keep).variance,
  }),
  ...['all', 'any'].map((name) =>
    reduction(name, {
      draw: 'truth',
      gradients: [],
      tolerance: 0,
      theirs: (tf, [x], args) => tf.cast(tf[name](tf.cast(x, 'bool'), ...args), 'float32'),
    }),
  ),
  along('argMax'),
  along('argMin'),
  row('cumsum', {
    tolerance: 'sum',
    cases: [
      ordinary('[7]', [operand([7])], [0]),
      ordinary('[3,4] along 1', [operand([3, 4])], [1]),
      ordinary('exclusive', [operand([3, 4])], [0, true]),
      ordinary('reverse', [operand([2, 3, 2])], [1, false, true]),
      ordinary('exclusive, reverse', [operand([2, 3, 2])], [-1, true, true]),
      ordinary('no elements', [operand([0, 3])], [0]),
      special(
        'special numbers',
        [
          given(
            FEW.flatMap((v) => [v, 1]),
            [FEW.length, 2],
          ),
        ],
        [1],
      ),
    ],
  }),
];

/** @type {[string, Row][]} */
const SHAPE = [
  row('reshape', {
    cases: [
      ordinary('[2,3] to [3,2]', [operand([2, 3])], [[3, 2]]),
      ordinary('[2,3] to [-1]', [operand([2, 3])], [[-1]]),
      ordinary('[1] to []', [operand([1])], [[]]),
      ordinary('[] to [1,1,1,1,1,1]', [operand([])], [[1, 1, 1, 1, 1, 1]]),
      ordinary('no elements', [operand([0, 3])], [[3, 0]]),
    ],
  }),
  row('flatten', {
    theirs: (tf, [x]) => tf.reshape(x, [-1]),
    cases: [[], [3], [2, 3], [2, 1, 2, 1, 2, 1], [0, 2]].map((shape) =>
      ordinary(text(shape), [operand(shape)]),
    ),
  }),
  row('expandDims', {
    cases: [
      ordinary('[] at 0', [operand([])], [0]),
      ordinary('[2,3] at 1', [operand([2, 3])], [1]),
      ordinary('[2,3] at -1', [operand([2, 3])], [-1]),
      ordinary('[0] at 0', [operand([0])], [0]),
    ],
  }),
  row('squeeze', {
    cases: [
      ordinary('[1,3,1]', [operand([1, 3, 1])]),
      ordinary('[1,3,1] at 0', [operand([1, 3, 1])], [[0]]),
      ordinary('[1,3,1,1] at 2 and 0', [operand([1, 3, 1, 1])], [[2, 0]]),
      ordinary('[1,0]', [operand([1, 0])]),
    ],
  }),
  row('transpose', {
    cases: [
      ordinary('[2,3]', [operand([2, 3])]),
      ordinary('[7]', [operand([7])]),
      ordinary('[2,3,4] by 1,2,0', [operand([2, 3, 4])], [[1, 2, 0]]),
      ordinary('rank 6', [operand([2, 1, 2, 1, 3, 2])], [[5, 0, 4, 1, 2, 3]]),
      ordinary('no elements', [operand([0, 3])]),
    ],
  }),
  row('broadcastTo', {
    cases: [
      ordinary('[3] to [2,3]', [operand([3])], [[2, 3]]),
      ordinary('[2,1,3] to [4,2,2,3]', [operand([2, 1, 3])], [[4, 2, 2, 3]]),
      ordinary('[] to [2,2]', [operand([])], [[2, 2]]),
    ],
  }),
  row('slice', {
    cases: [
      ordinary('[7]', [operand([7])], [[2], [3]]),
      ordinary(
        '[3,4]',
        [operand([3, 4])],
        [
          [1, 0],
          [2, 3],
        ],
      ),
      ordinary(
        'to the end',
        [operand([3, 4])],
        [
          [1, 2],
          [-1, -1],
        ],
      ),
      ordinary(
        'rank 6',
        [operand([2, 1, 2, 1, 3, 2])],
        [
          [0, 0, 1, 0, 1, 0],
          [2, 1, 1, 1, 2, 1],
        ],
      ),
      ordinary(
        'nothing',
        [operand([3, 4])],
        [
          [1, 2],
          [0, 2],
        ],
      ),
    ],
  }),
  row('stridedSlice', {
    cases: [
      ordinary('[7] by 2', [operand([7])], [[1], [6], [2]]),
      ordinary(
        '[3,4]',
        [operand([3, 4])],
        [
          [0, 1],
          [3, 4],
          [2, 2],
        ],
      ),
      ordinary('backwards', [operand([5])], [[4], [0], [-2]]),
      ordinary('from the end', [operand([5])], [[-4], [-1], [1]]),
    ],
  }),
  row('pad', {
    cases: [
      ordinary('[3]', [operand([3])], [[[1, 2]]]),
      ordinary(
        '[2,3] with 1.5',
        [operand([2, 3])],
        [
          [
            [0, 1],
            [2, 0],
          ],
          1.5,
        ],
      ),
      ordinary(
        'rank 4',
        [operand([2, 1, 2, 2])],
        [
          [
            [1, 0],
            [0, 0],
            [0, 2],
            [1, 1],
          ],
        ],
      ),
      ordinary(
        'no elements',
        [operand([0, 2])],
        [
          [
            [1, 1],
            [0, 0],
          ],
        ],
      ),
    ],
  }),
  row('mirrorPad', {
    gradients: [true],
    cases: ['reflect', 'symmetric'].flatMap((mode) => [
      ordinary(`[4], ${mode}`, [operand([4])], [[[2, 1]], mode]),
      ordinary(
        `[3,4], ${mode}`,
        [operand([3, 4])],
        [
          [
            [1, 2],
            [0, 2],
          ],
          mode,
        ],
      ),
    ]),
  }),
  row('concat', {
    gradients: [true, true],
    ours: (g, x, [axis]) => g.concat(x, axis),
    theirs: (tf, x, [axis]) => tf.concat(x, axis),
    cases: [
      ordinary('[2] [3]', [operand([2]), operand([3])], [0]),
      ordinary('[2,3] [2,1] along 1', [operand([2, 3]), operand([2, 1])], [1]),
      ordinary('[2,3] [4,3] along 0', [operand([2, 3]), operand([4, 3])], [0]),
      ordinary('three along -1', [operand([2, 3]), operand([2, 1]), operand([2, 2])], [-1]),
      ordinary('one has no elements', [operand([0, 3]), operand([2, 3])], [0]),
    ],
  }),
  row('reverse', {
    cases: [
      ordinary('[7]', [operand([7])], [0]),
      ordinary('[2,3]', [operand([2, 3])]),
      ordinary('[2,3,4] along 0 and -1', [operand([2, 3, 4])], [[0, -1]]),
      ordinary('no elements', [operand([0, 3])], [1]),
    ],
  }),
  row('tile', {
    cases: [
      ordinary('[3] by 2', [operand([3])], [[2]]),
      ordinary('[2,3] by 2, 3', [operand([2, 3])], [[2, 3]]),
      ordinary('[1,2,2,1]', [operand([1, 2, 2, 1])], [[2, 1, 2, 3]]),
    ],
  }),
];

/** @type {[string, Row][]} */
const LINEAR = [
  row('matMul', {
    tolerance: 'sum',
    gradients: [true, true],
    theirs: (tf, [a, b], [{ transposeA = false, transposeB = false } = {}]) =>
      tf.matMul(a, b, transposeA, transposeB),
    cases: [
      ordinary('[2,3] [3,4]', [operand([2, 3]), operand([3, 4])]),
      ordinary('first transposed', [operand([3, 2]), operand([3, 4])], [{ transposeA: true }]),
      ordinary('second transposed', [operand([2, 3]), operand([4, 3])], [{ transposeB: true }]),
      ordinary(
        'both',
        [operand([3, 2]), operand([4, 3])],
        [{ transposeA: true, transposeB: true }],
      ),
      ordinary('[17,9] [9,5]', [operand([17, 9]), operand([9, 5])]),
      ordinary('batches', [operand([3, 2, 4]), operand([3, 4, 2])]),
      ordinary('a batch that broadcasts', [operand([1, 2, 4]), operand([3, 4, 2])]),
      ordinary('two axes of batches', [operand([2, 3, 2, 2]), operand([2, 1, 2, 3])]),
      ordinary('sums of nothing', [operand([2, 0]), operand([0, 3])]),
      ordinary('no rows', [operand([0, 2]), operand([2, 3])]),
      special('special numbers', [
        given(FEW.slice(0, 4), [2, 2]),
        given([1, Number.POSITIVE_INFINITY, Number.NaN, 0], [2, 2]),
      ]),
    ],
  }),
  row('dot', {
    tolerance: 'sum',
    gradients: [true, true],
    cases: [
      ordinary('[5] [5]', [operand([5]), operand([5])]),
      ordinary('[2,3] [3]', [operand([2, 3]), operand([3])]),
      ordinary('[2,3] [3,2]', [operand([2, 3]), operand([3, 2])]),
      ordinary('[3] [3,2]', [operand([3]), operand([3, 2])]),
    ],
  }),
  row('outerProduct', {
    gradients: [true, true],
    cases: [
      ordinary('[3] [4]', [operand([3]), operand([4])]),
      ordinary('[1] [1]', [operand([1]), operand([1])]),
    ],
  }),
];

/**
 * A loss of the truth and a prediction; what TensorFlow.js calls mean over all is Keras's mean of means.
 * @param {string} name
 * @param {(tf: any, truth: any, prediction: any) => any} theirs
 * @param {{ truth?: keyof typeof DRAWS, shares?: boolean, options?: any, gradients?: boolean[] }} [rest]
 * @returns {[string, Row]}
 */
const loss = (
  name,
  theirs,
  { truth = 'any', options = {}, gradients = [false, true], shares = false } = {},
) =>
  row(name, {
    tolerance: 'array',
    gradients,
    ours: (g, [a, b]) => g.losses[name](a, b, options),
    theirs: (tf, [a, b]) => theirs(tf, a, b),
    cases: [[3], [4, 3], [2, 3, 5], [1, 1]].map((shape) =>
      ordinary(text(shape), [shares ? sharesOf(shape) : operand(shape, truth), operand(shape)]),
    ),
  });

/**
 * Shares that add up to 1 along the last axis, as TensorFlow's gradient takes for granted.
 * @param {number[]} shape
 */
const sharesOf = (shape) => {
  const { values } = operand(shape, 'positive');
  const n = shape[shape.length - 1];
  const sum = (/** @type {number} */ i) =>
    values.subarray(i - (i % n), i - (i % n) + n).reduce((a, b) => a + b, 0);
  return { shape, values: values.map((value, i) => value / sum(i)) };
};

/** @type {[string, Row][]} */
const LOSSES = [
  loss('meanSquaredError', (tf, a, b) => tf.losses.meanSquaredError(a, b), {
    gradients: [true, true],
  }),
  loss('meanAbsoluteError', (tf, a, b) => tf.losses.absoluteDifference(a, b), {
    gradients: [true, true],
  }),
  loss('huber', (tf, a, b) => tf.losses.huberLoss(a, b, undefined, 0.75), {
    options: { delta: 0.75 },
  }),
  loss('hinge', (tf, a, b) => tf.losses.hingeLoss(a, b), { truth: 'truth' }),
  loss('binaryCrossentropy', (tf, a, b) => tf.losses.sigmoidCrossEntropy(a, b), {
    truth: 'truth',
    options: { fromLogits: true },
  }),
  loss('categoricalCrossentropy', (tf, a, b) => tf.losses.softmaxCrossEntropy(a, b), {
    options: { fromLogits: true },
    shares: true,
  }),
];

/** @param {any} tf @param {any} x */
const whole = (tf, x) => tf.cast(x, 'int32');

/** @type {[string, Row][]} */
const INDEX = [
  row('gather', {
    gradients: [true, false],
    theirs: (tf, [x, indices], [axis, batchDims]) =>
      tf.gather(x, whole(tf, indices), axis, batchDims),
    cases: [
      ordinary('[5] at [3]', [operand([5]), given([4, 0, 4])], [0]),
      ordinary('[3,4] rows', [operand([3, 4]), given([2, 0, 0])], [0]),
      ordinary('[3,4] columns', [operand([3, 4]), given([3, 1], [2, 1])], [1]),
      ordinary('nothing', [operand([3, 4]), given([])], [0]),
      ordinary('batches', [operand([2, 3, 2]), given([2, 0, 1, 1], [2, 2])], [1, 1]),
    ],
  }),
  row('gatherNd', {
    gradients: [true, false],
    theirs: (tf, [x, indices]) => tf.gatherND(x, whole(tf, indices)),
    cases: [
      ordinary('elements', [operand([3, 4]), given([0, 1, 2, 3, 0, 1], [3, 2])]),
      ordinary('rows', [operand([3, 4]), given([2, 0], [2, 1])]),
    ],
  }),
  row('scatterNd', {
    gradients: [false, true],
    theirs: (tf, [indices, updates], [shape]) => tf.scatterND(whole(tf, indices), updates, shape),
    cases: [
      ordinary('elements', [given([1, 3], [2, 1]), operand([2])], [[5]]),
      ordinary('duplicates add', [given([1, 3, 1], [3, 1]), operand([3])], [[5]]),
      ordinary('rows', [given([2, 0], [2, 1]), operand([2, 3])], [[4, 3]]),
    ],
  }),
  row('tensorScatterNdUpdate', {
    gradients: [true, false, true],
    theirs: (tf, [x, indices, updates]) => tf.tensorScatterUpdate(x, whole(tf, indices), updates),
    cases: [
      ordinary('elements', [operand([5]), given([1, 3], [2, 1]), operand([2])]),
      ordinary('rows', [operand([4, 3]), given([2, 0], [2, 1]), operand([2, 3])]),
    ],
  }),
  row('unsortedSegmentSum', {
    gradients: [true, false],
    theirs: (tf, [x, ids], [count]) => tf.unsortedSegmentSum(x, whole(tf, ids), count),
    cases: [
      ordinary('[5]', [operand([5]), given([0, 2, 0, 1, 2])], [4]),
      ordinary('[3,2]', [operand([3, 2]), given([1, 1, 0])], [2]),
    ],
  }),
  row('oneHot', {
    gradients: [],
    theirs: (tf, [indices], args) => tf.oneHot(whole(tf, indices), ...args),
    cases: [
      ordinary('[3]', [given([0, 2, 1])], [3]),
      ordinary('[2,2] of 5 and -1', [given([0, 2, 1, 3], [2, 2])], [4, 5, -1]),
    ],
  }),
];

/** Rows by name. @type {ReadonlyMap<string, Row>} */
export const ROWS = new Map([
  ...ARITHMETIC,
  ...FUNCTIONS,
  ...LOGIC,
  ...REDUCE,
  ...SHAPE,
  ...LINEAR,
  ...INDEX,
  ...LOSSES,
]);
