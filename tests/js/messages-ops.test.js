/* What ops, losses, programs and optimizers say of arguments that do not fit, where JavaScript
 * makes the message; those of C are in tests/c/samples. One row a message. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { init } from 'gradlock';
import { assertMessages, named } from './messages.js';
import { RULES } from './rules.js';
import { settle, twoByTwo } from './support.js';

/** @typedef {import('./messages.js').Text} Text */
/** @typedef {[() => unknown, Text][]} Rows */

const g = /** @type {any} */ (await init());
const other = /** @type {any} */ (await init());
settle(g);
const NAN = Number.NaN;
const M = [0, 3].map((from) => [from + 1, from + 2, from + 3]);
const LINE = [1, 2, 3, 4, 5];
const EYE = [0, 1].map((i) => [1 - i, i]);
const IMAGE = [0, 1, 2].map((i) => [0, 1, 2].map((k) => [3 * i + k]));
const FILTER = [0, 1].map(() => [[[1]], [[1]]]);
const { losses } = g;

/** @type {Rows} */
const OPS = [
  [() => g.add(M, [1, 2]), 'ShapeError: add: shapes [2,3] and [2] do not broadcast'],
  [() => g.add(M), 'TypeError: add: the second operand must be a tensor, …got undefined'],
  [() => g.neg('1'), 'TypeError: neg: the first operand must be a tensor, …got "1"'],
  [() => g.where(1, 2, null), 'TypeError: where: the third operand …got null'],
  [() => g.add([[1], ['2']], 1), 'TypeError: …operand[1][0] must be a number, got "2"'],
  [() => g.add([[1, 2], [3]], 1), 'ShapeError: add: the first operand[1] has length 1, but the fi'],
  [() => g.clip(M, [0], 1), 'TypeError: …low must be a number, got'],
  [() => g.clip(M, 0, NAN), 'GradlockError: clipByValue: low (0) must not be above high (NaN)'],
  [() => g.gelu(M, 'tanh'), 'TypeError: …approximate must be true or false, got "tanh"'],
  [() => g.sum(M, '0'), 'TypeError: …axis must be an array of integers, got "0"'],
  [() => g.sum(M, 0.5), 'IndexError: …axis must be an integer, got 0.5'],
  [() => g.sum(M, [NAN]), 'IndexError: …axis[0] must be an integer, got NaN'],
  [() => g.sum(M, 2 ** 32), 'IndexError: …4.29'],
  [() => g.sum(M, new Array(30).fill(0)), 'LimitError: …31 numbers'],
  [() => g.mean(M, 0, 1), 'TypeError: …keepDims must be true or false, got 1'],
  [() => g.argMin(M, [0]), 'TypeError: …axis must be a number, got an array'],
  [() => g.cumsum(M, 0, 1), 'TypeError: …exclusive must be true or false, got 1'],
  [() => g.matMul(M, M, true), 'TypeError: matMul options must be an object with transposeA'],
  [() => g.matMul(M, M, { transpose: true }), "TypeError: …no 'transpose'"],
  [() => g.matMul(M, M, { transposeA: 'no' }), 'TypeError: …transposeA must be true or false'],
  [() => g.reshape(M, [-2, 3]), 'ShapeError: …got -2'],
  [() => g.reshape(M, 6), 'TypeError: …shape must be an array'],
  [() => g.slice(M, [0, 0, 0]), 'ShapeError: …up to 2 begins'],
  [() => g.slice(M), 'TypeError: …begin must be an array'],
  [() => g.zeros(3), 'TypeError: zeros: shape must be an array of sizes'],
  [() => g.ones([-1]), 'ShapeError: ones: shape[0] must be an integer from 0'],
  [() => g.zerosLike('x'), 'TypeError: zerosLike: the first operand'],
  [() => g.eye(-1), 'ShapeError: eye: numRows is -1, expected 0 to 16777216'],
  [() => g.eye(2, 2 ** 30), 'ShapeError: eye: numColumns is 1073741824, expected'],
  [
    () => g.eye(2, 2, new Array(7).fill(1)),
    'ShapeError: eye: batchShape is [1, 1, 1, 1, 1, 1, 1],',
  ],
  [() => g.linspace(0, 1, 0), 'ShapeError: linspace: num is 0, expected 1 to 16777216'],
  [() => g.linspace(0, 1, 2.5), 'IndexError: linspace: num must be an integer, got 2.5'],
  [() => g.linspace('0', 1, 2), 'TypeError: linspace: start must be a number'],
  [() => g.stack([1, 'x']), 'TypeError: stack: tensors[1] must be a tensor'],
  [() => g.concat([]), 'ShapeError: concat takes at least one tensor, got an empty array'],
  [() => g.concat(7), 'TypeError: concat takes an array of tensors, got 7'],
  [() => g.concat([M, M, [M[0].slice(1)]]), 'ShapeError: concat: shapes …differ …at tensors[2]'],
  [() => g.stack([[1], [1, 2]]), 'ShapeError: stack: shapes [1] and [2] differ, first at'],
  [() => g.unstack(7), 'IndexError: unstack: a tensor of rank 0 has no axes'],
  [() => g.split(LINE, 2), 'ShapeError: split: axis 0 …size 5, which cannot be split into 2 equal'],
  [() => g.split(LINE, [2, 2]), 'ShapeError: …has size 5, but the sizes [2, 2] do not add up'],
  [() => g.split(LINE, [6, -1]), 'ShapeError: …the sizes [6, -1] do not add up'],
  [() => g.stridedSlice(M, [0, 0, 0], [1, 1, 1]), 'ShapeError: stridedSlice …up to 2 …got 3'],
  [() => g.stridedSlice(M, [0], [1, 1]), 'ShapeError: stridedSlice …got 1, 2 and 1'],
  [() => g.stridedSlice(M, 0), 'TypeError: …end must be an array of integers'],
  [() => g.pad(M, [[1, 1]]), 'ShapeError: pad takes a pair …each of 2 axes, got lists of 2'],
  [() => g.pad([1], 1), 'TypeError: …paddings must be an array of pairs …got 1'],
  [() => g.pad([1], [[1, 1]], '0'), 'TypeError: …constantValue must be a number'],
  [() => g.mirrorPad([1], [[0, 1]], 'REFLECT'), "OptionError: …'reflect' or 'symmetric'"],
  [() => g.roll(M, [1, 2], 0), 'ShapeError: roll takes …got 2 shifts and 1 axes'],
  [() => g.conv2d(IMAGE, FILTER, 1.5), 'IndexError: …strides[0] must be an integer, got 1.5'],
  [() => g.conv2d(IMAGE, FILTER, [1, 2, 3]), 'ShapeError: …strides must be a number or a pair'],
  [() => g.conv2d(IMAGE, FILTER, '2'), 'TypeError: …strides must be an array'],
  [() => g.conv2d(IMAGE, FILTER, 1, 1), "TypeError: …pad must be 'valid' or 'same', got 1"],
  [() => g.conv2d(IMAGE, FILTER, 1, 'SAME'), 'OptionError: …got "SAME"'],
  [() => g.conv2d(IMAGE, FILTER, 1, 'same', 'NCHW'), "OptionError: …'NHWC'"],
  [() => g.conv2dTranspose(IMAGE, FILTER, [4, 1]), 'ShapeError: …outputShape is [4, 1]'],
  [() => g.conv2dTranspose(IMAGE, FILTER, 4), 'TypeError: …outputShape must be an array'],
  [() => g.maxPool(IMAGE, [2]), 'ShapeError: …filterSize must be a number or a pair'],
  [() => g.layerNorm(M, { gamma: [1, 2] }), 'ShapeError: …gamma has shape [2], expected [3] for x'],
  [() => g.layerNorm(M, { epsilon: '1' }), 'TypeError: …epsilon must be a number, got "1"'],
  [() => g.layerNorm(M, { scale: [1] }), "TypeError: …layerNorm options have no 'scale'"],
  [() => g.einsum(M, M), 'TypeError: …equation must be a string such as …got an array'],
  [() => g.einsum('ij,jk->ik', M), 'GradlockError: …"ij,jk->ik": 2 terms for 1 operand'],
  [() => g.einsum('i,j,k', [1], [2], [3]), 'GradlockError: …3 terms for 3 operands, expected one'],
  [() => g.einsum('i1->i', M), `GradlockError: …"i1->i": '1' at 1 is not allowed`],
  [() => g.einsum('ij->j->i', M), `GradlockError: …"ij->j->i": '-' at 5 is not allowed`],
  [() => g.einsum('...j->j', M), "GradlockError: …'.' at 0 begins an ellipsis"],
  [() => g.einsum('ii->i', [[1]]), "GradlockError: …'i' at 1 repeats a label of one operand"],
  [() => g.einsum('ij->ii', M), "GradlockError: …'i' at 5 repeats a label of the result"],
  [() => g.einsum('ij->ik', M), "GradlockError: …'k' at 5 is not a label of any operand"],
  [() => g.einsum('ijk->i', M), "ShapeError: …'ijk' has 3 labels, operand 0 has shape [2, 3]"],
  [() => g.einsum('ij,jk->ik', M, M), "ShapeError: …'j' is 3 and 2 in shapes [2, 3] and [2, 3]"],
  [() => g.einsum('i', 'x'), 'TypeError: …operand 0 must be a tensor, …got "x"'],
  [() => g.gather(M, true), 'TypeError: …the second operand …got true'],
  [() => g.gather(M, 0, 0.5), 'IndexError: …axis must be an integer'],
  [() => g.scatterNd([[1]], [1], 4), 'TypeError: …shape must be an array'],
  [() => g.tensorScatterNdUpdate(LINE, [[1], [1]], [3, 4]), 'GradlockError: …[1] appears again at'],
  [
    () => g.tensorScatterNdUpdate([1], [[0]], [3], { duplicates: 'first' }),
    `OptionError: …duplicates must be 'last' or 'sum', got "first"`,
  ],
  [() => g.tensorScatterNdUpdate([1], [[0]], [3], { mode: 1 }), "TypeError: …no 'mode'"],
  [() => g.unsortedSegmentSum([1], [0], 1.5), 'IndexError: …numSegments must be an integer'],
  [() => g.oneHot([0], 1, 'on'), 'TypeError: …onValue must be a number, got "on"'],
  [() => g.sort(M, { direction: 'up' }), "OptionError: …must be 'ASCENDING' or 'DESCENDING', got"],
  [() => g.topK(M, 4), 'ShapeError: topK: k is 4, expected 0 to 3, …[2, 3]'],
  [() => g.topK(5, 1), 'ShapeError: topK: a tensor of rank 0 has no axes'],
  [() => g.topK(M, 1.5), 'IndexError: …k must be an integer'],
  [() => g.where([1, 0.5]), 'TypeError: where: the mask of shape [2] …at [1] it holds 0.5'],
  [() => g.where(1), 'ShapeError: where: the mask has rank 0'],
  [() => g.where([true, 1]), 'TypeError: where: the mask[1] must be a boolean, got 1'],
  [() => g.where([[true], [true, false]]), 'ShapeError: …ragged'],
  [() => g.where('mask'), 'TypeError: where: the mask must be …got "mask"'],
  [() => g.booleanMask(M, M), 'TypeError: booleanMask: the mask …at [0, 1] it holds 2'],
  [
    () => g.booleanMask(M, [1, 0], 1),
    'ShapeError: …shape [2] does not fit shape [2, 3] from axis 1',
  ],
  [() => g.booleanMask(M, [1, 0], 7), 'ShapeError: …from axis 7'],
  [
    () => losses.hinge(EYE, EYE, 'sum'),
    'TypeError: …hinge options must be an object with reduction',
  ],
  [() => losses.hinge(EYE, EYE, { delta: 1 }), "TypeError: …hinge options have no 'delta'"],
  [
    () => losses.hinge(EYE, EYE, { reduction: 'avg' }),
    'OptionError: …must be \'none\' or …got "avg"',
  ],
  [() => losses.hinge(EYE, EYE, { reduction: null }), 'TypeError: …reduction must be …got null'],
  [() => losses.huber(EYE, EYE, { delta: '1' }), 'TypeError: …delta must be a number, got "1"'],
  [() => losses.hinge(EYE), 'TypeError: …the second operand must be a tensor'],
];

test('ops and losses say what does not fit, at once and while recording, and change nothing', () => {
  assertMessages(g, [], named(OPS));
  /** Values that only a run can see. */
  const late = /tensorScatterNdUpdate\(LINE/;
  const program = g.compile(() => {
    for (const [what, call] of named(OPS)) if (!late.test(what)) assert.throws(call, what);
    return g.add(1, 1);
  });
  assert.equal(program.value(), 2);
});

const { x, fn, loss } = twoByTwo(g);
const y = g.variable([1, 2], { name: 'y' });
const late = g.variable(1, { name: 'late' });
const frozen = g.variable(1, { trainable: false });
const theirs = other.variable(1);
const wide = g.compile(() => g.square(x));
const [sgd, adam, gone] = [g.optimizers.sgd(), g.optimizers.adam(), g.optimizers.adam()];
const [dead, deadProgram] = [g.tensor([1, 1]), g.compile(() => g.sum(x))];
for (const one of [dead, deadProgram, gone]) one.dispose();
sgd.minimize(loss);
adam.minimize(loss);
loss.value();
const lm = g.optimizers.levenbergMarquardt();
const fit = (/** @type {any} */ options) => sgd.minimize(loss, options);
const apply = (/** @type {any} */ ...pairs) => adam.applyGradients(pairs);
const rates = g.schedules;
const decay = { initialLearningRate: 1, decaySteps: 10, decayRate: 0.5 };
const thrown = new RangeError('mine');

/** @type {Rows} */
const TRAINING = [
  [() => g.compile(loss), 'TypeError: compile takes a function …got a Program'],
  [() => g.compile(async () => 1), 'TypeError: …must not be async'],
  [() => g.compile(() => {}), 'TypeError: …it returned undefined'],
  [() => g.compile(() => 3), 'TypeError: …by ops such as g.mul; it returned 3'],
  [() => g.compile(() => []), 'TypeError: …an array of length 0'],
  [() => g.compile(() => [3]), 'TypeError: …entry 0 …is 3'],
  [() => g.valueAndGrad(() => 3, [x]), 'TypeError: …it returned 3'],
  [
    () => g.valueAndGrad(x, [x]),
    'TypeError: …must be a compiled program or a function …a Variable',
  ],
  [
    () => g.valueAndGrad(loss),
    'TypeError: …variables must be an array of variables, got undefined',
  ],
  [() => g.valueAndGrad(loss, [3]), 'TypeError: …variables[0] must be a variable, got 3'],
  [() => g.valueAndGrad(wide, [x]), 'GradientError: …shape [2,2], expected a scalar'],
  [() => g.valueAndGrad(loss, [x, y]), "GradientError: …does not depend on variable 'y'"],
  [() => g.valueAndGrad(loss, [theirs]), 'HandleError: …another gradlock instance'],
  [() => other.valueAndGrad(loss, [theirs]), 'HandleError: …Program belongs to another'],
  [() => g.pressure(loss, [x, y]), 'GradientError: …does not depend'],
  [() => g.pressure(loss, [x], [4]), 'IndexError: …flat index 4'],
  [() => g.pressure(3, [x]), 'TypeError: …loss must be'],
  [() => g.pressure(loss, x), 'TypeError: …array of variables'],
  [() => g.compile(() => other.sum(theirs)), 'HandleError: …another gradlock instance'],
  [() => deadProgram.run(), 'DisposedError: …Program is gone'],
  [() => deadProgram.memoryBytes, 'DisposedError: …Program is gone'],
  [
    () => sgd.minimize(),
    'TypeError: …the loss must be a compiled program or a function …undefined',
  ],
  [() => fit(null), 'TypeError: …minimize options must be an object with variables, steps, onStep'],
  [() => fit({ step: 3 }), "TypeError: …no 'step'"],
  [() => fit({ steps: -1 }), 'OptionError: …steps must be an integer from 0 up, got -1'],
  [() => fit({ steps: 2 ** 53 }), 'OptionError: …got 9007199254740992'],
  [() => fit({ steps: '3' }), 'TypeError: …steps must be a number, got "3"'],
  [() => fit({ onStep: 3 }), 'TypeError: …onStep must be a function, got 3'],
  [
    () => fit({ variables: x }),
    'TypeError: …variables must be an array of variables, got a Variable',
  ],
  [() => fit({ variables: [g.tensor(1)] }), 'TypeError: …got a Tensor'],
  [() => fit({ variables: [x, x] }), "GradlockError: …'x' is named twice"],
  [() => fit({ variables: [y] }), "GradientError: …does not depend on variable 'y'"],
  [() => fit({ variables: [theirs] }), 'HandleError: …another gradlock instance'],
  [() => fit({ variables: [] }), 'GradientError: …no variables were given'],
  [() => sgd.minimize(wide), 'GradientError: …shape [2,2], expected a scalar'],
  [() => sgd.minimize(() => g.square(x)), 'GradientError: …shape [2,2]'],
  [() => sgd.minimize(() => g.square(frozen)), 'GradientError: …the loss depends on no trainable'],
  [() => sgd.minimize(fn, { variables: [y] }), "GradientError: …does not depend on variable 'y'"],
  [() => other.optimizers.sgd().minimize(loss), 'HandleError: …another gradlock'],
  [() => adam.applyGradients(), 'TypeError: …array of [gradient, variable] pairs, got undefined'],
  [() => apply(3), 'TypeError: …pairs[0] must be [gradient, variable], got 3'],
  [() => apply([1, late, 2]), 'TypeError: …an array of length 3'],
  [() => apply([x, 1]), 'TypeError: …pairs[0][1] must be a variable, got 1'],
  [() => apply(['1', late]), 'TypeError: …pairs[0][0] for …must be a tensor'],
  [
    () => apply([1, late], [LINE, y]),
    "ShapeError: …pairs[1][0] for Variable 'y' [2]: shape [5] (5",
  ],
  [() => apply([1, late], [1, late]), "GradlockError: …'late' is named twice"],
  [() => apply([dead, y]), 'DisposedError: …Tensor is gone'],
  [() => apply([theirs, late]), 'HandleError: …another gradlock'],
  [() => adam.slot(x, 'momentum'), 'OptionError: …adam has no slot "momentum"; its slots: m, v'],
  [() => adam.clock(g), 'TypeError: …must be a variable'],
  [() => adam.average(3), 'TypeError: …must be a variable, got 3'],
  [() => gone.iterations, 'DisposedError: …Optimizer adam is gone'],
  [() => Object.assign(gone, { learningRate: 1 }), 'DisposedError: …Optimizer adam is gone'],
  [() => lm.applyGradients(), 'GradientError: …takes no gradients…use minimize'],
  [() => lm.minimize(loss, { variables: [frozen] }), 'GradientError: …nothing to train'],
  [() => lm.minimize(loss, { step: 1 }), "TypeError: …have no 'step'"],
  [() => lm.setOptions({ maxEvaluations: 2.5 }), 'OptionError: …a whole number'],
  [() => lm.setOptions({ momentum: 1 }), "OptionError: …has no option 'momentum'"],
  [() => lm.setBounds(y, { max: g.tensor([1, 2, 3]) }), 'ShapeError: …max has shape [3]'],
  [() => lm.setBounds(y, { low: 1 }), 'TypeError: …low'],
  [() => lm.setBounds(y, { min: '1' }), 'TypeError: …min'],
  [() => lm.setBounds(y), 'TypeError: …bounds'],
  [() => lm.setBounds([y], { min: 1 }), 'TypeError: …variable'],
  [() => lm.setBounds(theirs, { min: 1 }), 'HandleError: …another gradlock instance'],
  [() => adam.constrain(3, { max: 1 }), 'TypeError: …target must be a variable'],
  [() => adam.constrain(y, 'nonNegative'), 'TypeError: …constraint'],
  [() => adam.constrain(y, { axis: 0 }), 'OptionError: …must be { nonNegative: true }'],
  [() => adam.constrain(y, { nonNegative: true, max: 1 }), 'OptionError: …must be'],
  [() => adam.constrain(y, { min: '0' }), 'TypeError: …min must be a number'],
  [() => adam.constrain(y, { min: 2, max: 1 }), 'OptionError: …low is 2 and high is 1'],
  [() => adam.constrain(y, { maxNorm: NAN }), 'OptionError: …maxNorm is NaN'],
  [
    () => adam.constrain(y, { maxNorm: 1, axis: 1 }),
    'IndexError: …axis 1 is out of range for shape',
  ],
  [() => adam.constrain(y, { unitNorm: true, axis: 0.5 }), 'IndexError: …must be an integer'],
  [() => adam.scaleLearningRate(y, -1), "OptionError: …'y'"],
  [() => adam.scaleLearningRate(y, [1, 2, 3]), 'ShapeError: …[3]…[2]'],
  [() => adam.scaleLearningRate(y, 'fast'), 'TypeError: …'],
  [() => adam.scaleLearningRate(5, 1), 'TypeError: …'],
  [() => adam.excludeFromWeightDecay(undefined), 'TypeError: …'],
  [() => rates.exponentialDecay({ ...decay, decaySteps: 0 }), 'OptionError: …decaySteps is 0'],
  [() => rates.exponentialDecay({}), 'OptionError: …needs initial'],
  [() => rates.exponentialDecay({ ...decay, x: 1 }), "TypeError: …'x'"],
  [
    () => rates.exponentialDecay({ ...decay, staircase: 1 }),
    'TypeError: …staircase must be a boolean',
  ],
  [
    () => rates.piecewiseConstantDecay({ boundaries: [1], values: [1] }),
    'OptionError: …2 values, got 1',
  ],
  [() => rates.piecewiseConstantDecay({ boundaries: [2, 1], values: LINE }), 'OptionError: …'],
  [() => rates.exponentialDecay(decay).at(-1), 'OptionError: …at least 0'],
  [() => g.assignMovingAverage(y, [1, 2, 3]), 'ShapeError: …'],
  [() => g.assignMovingAverage(y, [3, 4], 1.1), 'OptionError: …'],
  [() => g.assignMovingAverage(y, [3, 4], '0.9'), 'TypeError: …'],
  [() => g.assignMovingAverage(dead, [3, 4]), 'TypeError: …'],
];

test('programs and optimizers say what does not fit, and change nothing', () => {
  assertMessages(g, [x, y, sgd, adam], named(TRAINING));
});

test('an error of the recorded function reaches the caller, and ends the recording', () => {
  const fail = () => {
    g.add(x, g.tensor([1, 1, 1, 1], [2, 2]));
    throw thrown;
  };
  const calls = [g.compile, g.tape, g.tidy].map((call) => () => call.call(g, fail));
  const rows = [...calls, () => g.valueAndGrad(fail, [x]), () => sgd.minimize(fail)];
  assertMessages(
    g,
    [x, sgd],
    named(rows.map((call) => /** @type {const} */ ([call, 'RangeError: mine']))),
  );
});

/** @type {[options: any, text: Text][]} */
const OPTIONS = [
  [{ learningRate: NAN }, 'OptionError: …learningRate is NaN, expected at least 0'],
  [{ learningRate: -0.1 }, 'OptionError: …learningRate is -0.1'],
  [{ learningRate: Infinity }, 'OptionError: …learningRate is Infinity'],
  [{ learningRate: '0.1' }, 'TypeError: …learningRate must be a number, got "0.1"'],
  [{ learningRate: 0.2, weightDecay: -1 }, 'OptionError: …weightDecay is -1'],
  [{ clipNorm: 1, globalClipNorm: 1 }, 'OptionError: …at most one'],
  [{ onUnlock: 'keep' }, `OptionError: …onUnlock must be 'hold' or 'reset', got "keep"`],
  [{ onUnlock: true }, "TypeError: …onUnlock must be 'hold' or 'reset', got true"],
  [{ resetOnUnlock: true }, "OptionError: …no option 'resetOnUnlock'"],
  [{ lr: 0.1 }, "OptionError: …no option 'lr': did you mean learningRate?"],
  [{ useEma: 1 }, 'TypeError: …useEma must be a boolean, got 1'],
  [{ emaMomentum: 1 }, 'OptionError: …emaMomentum is 1, expected at least 0 and below 1'],
  [{ emaOverwriteFrequency: 1.5 }, 'OptionError: …is 1.5, expected a whole number'],
  [{ gradientAccumulationSteps: 0 }, 'OptionError: …is 0, expected at least 1'],
  [{ gradientAccumulationSteps: null }, 'TypeError: …must be a number, got null'],
  [3, 'TypeError: …options must be an object such as { learningRate: 3 }, got 3'],
  [null, 'TypeError: …options must be an object, got null'],
];

test('options of optimizers are refused by every rule, whole, at creation and later', () => {
  for (const rule of RULES) {
    const optimizer = g.optimizers[rule]({ learningRate: 0.125 });
    const rows = OPTIONS.flatMap(([options, text]) => [
      /** @type {const} */ ([`${rule}: ${text}`, () => g.optimizers[rule](options), text]),
      /** @type {const} */ ([`${rule}, set: ${text}`, () => optimizer.setOptions(options), text]),
    ]);
    assertMessages(g, [optimizer], rows);
    optimizer.dispose();
  }
});

/** @type {Rows} */
const OF_RULES = [
  [() => g.optimizers.sgd({ beta1: 0.9 }), "OptionError: …sgd has no option 'beta1'"],
  [() => g.optimizers.sgd({ nesterov: 1 }), 'TypeError: …nesterov must be a boolean, got 1'],
  [() => g.optimizers.adamW({ beta1: 1 }), 'OptionError: …expected at least 0'],
  [() => g.optimizers.rmsprop({ centered: true, rho: -1 }), 'OptionError: …rho is -1'],
  [() => g.optimizers.lion({ epsilon: 1e-7 }), "OptionError: …lion has no option 'epsilon'"],
  [
    () => g.optimizers.ftrl({ learningRatePower: 0.5 }),
    'OptionError: …is 0.5, expected at least -100',
  ],
];

test('options of one rule are unknown to another, and out of their own ranges refused', () => {
  assertMessages(g, [], named(OF_RULES));
  g.optimizers.ftrl({ learningRatePower: 0 }).dispose();
});
