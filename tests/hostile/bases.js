/* Arguments with which each public method does what it is for. Those of ops, losses,
 * initializers, schedules and optimizers come from the examples in their documentation; here
 * stand those of other methods, and of these where more arguments and options are to be made worse
 * than an example has. A method without any is a mistake that the run reports. */
import { fileURLToPath } from 'node:url';
import { readExamples } from '../js/doc-examples.js';
import { argumentsOf } from './examples.js';
import { LINE } from './fixture.js';

/** @typedef {import('./fixture.js').Fixture} Fixture */
/** @typedef {(f: Fixture) => unknown[]} Base */

/** @type {Record<string, Base>} */
export const BASES = {};

/** @param {string} target @param {string} names @param {Base} base */
const put = (target, names, base) => {
  for (const name of names.trim().split(/\s+/)) BASES[`${target}.${name}`] = base;
};

/** Names of disposing come last: they end what they are called on. */
const none = () => [];

put('g', 'mean prod max min logSumExp variance l2Norm all any', (f) => [f.x, [0], true]);
put('g', 'logSoftmax', (f) => [f.x, 0]);
put('g', 'layerNorm', (f) => [f.x, { axis: 1, epsilon: 0.1, gamma: [1, 2], beta: [0, 1] }]);
put('g', 'conv2d', (f) => [f.image, f.kernel, [1, 1], 'same', 'NHWC', [2, 1]]);
put('g', 'depthwiseConv2d', (f) => [f.image, f.kernel, [1, 1], 'same', 'NHWC', [2, 1]]);
put('g', 'conv2dTranspose', (f) => [f.image, f.kernel, [1, 8, 8, 1], [2, 2], 'same']);
put('g', 'argSort', (f) => [f.x, { axis: 0, direction: 'DESCENDING' }]);
put('g', 'squeeze', (f) => [f.image, [0]]);
put('g', 'stridedSlice', (f) => [f.x, [0, 0], [2, 2], [1, 1], 0, 0]);
put('g', 'split', (f) => [f.x, 2, 0]);
put('g', 'dropout', (f) => [f.x, 0.5, { seed: 5, step: 1 }]);
put('g', 'variable', () => [[1, 2, 3, 4], { shape: [2, 2], name: 'made', trainable: true }]);
put('g', 'tensor', () => [
  [1, 2, 3, 4],
  [2, 2],
]);
put('g', 'locks', () => [[2, 2], [[0, 1]]]);
put('g', 'locksFrom', (f) => [f.locks.toBytes()]);
put('g', 'choose', (f) => [[f.x, f.t], { topK: { k: 1 } }]);
put('g', 'assignMovingAverage', (f) => [f.x, f.t, 0.5]);
put('g', 'pressure', (f) => [f.program, [f.x], 'all']);
put('g', 'random', () => [7]);
put('g', 'compile', (f) => [f.loss]);
put('g', 'valueAndGrad', (f) => [f.program, [f.x]]);
put('g', 'tape', (f) => [f.loss, { persistent: true }]);
put('g', 'gradients', (f) => [f.tape.value, f.x]);
put('g', 'grad grads', (f) => [
  (/** @type {unknown} */ y) => f.g.sum(f.g.square(/** @type {any} */ (y))),
]);
put('g', 'hvp', (f) => [(/** @type {any} */ y) => f.g.sum(f.g.square(y)), f.x, f.t]);
put('g', 'jacobian', (f) => [(/** @type {any} */ y) => f.g.square(y), f.x]);
put('g', 'customGrad', (f) => [
  (/** @type {any} */ y) => ({
    value: f.g.sum(y),
    gradFunc: (/** @type {any} */ dy) => f.g.mul(dy, y),
  }),
]);
put('g', 'tidy', (f) => [() => f.g.add(f.x, 1)]);
put('g', 'memory', none);

for (const target of ['variable', 'tensor'])
  put(target, 'toJSON toString data array item view digest dispose', none);
put('variable', 'lock unlock toggle trainOnly', () => [[[0, 0]]]);
put('variable', 'lockPolicy', () => [{ lock: { topK: { k: 1 } }, every: 2, step: 1 }]);
put('variable', 'assign', () => [
  [
    [1, 2],
    [3, 4],
  ],
  { force: true },
]);
put('variable', 'tie', (f) => [f.x]);
put('variable', 'scatterNdUpdate', () => [[[1, 0]], [5], { duplicates: 'last', force: true }]);
put('variable', 'scatterNdAdd scatterNdSub scatterNdMin scatterNdMax', () => [
  [[1, 0]],
  [5],
  { force: true },
]);
put('variable', 'fix', () => [[0, 1], 5]);
// Refused, whatever is given.
put('variable', 'trainable=', () => [false]);

for (const target of ['locks', 'ownLocks']) {
  put(target, 'has', () => [[0, 1]]);
  put(target, 'toMask toIndices not toJSON toBytes watch unwatch audit toString dispose', none);
  put(target, 'and or', () => [[[0, 1]]]);
  put(target, 'holder', () => ['drag']);
  put(target, 'onChange', () => [() => {}]);
}
put('holder', 'lock unlock toggle trainOnly', () => [[[0, 0]]]);
put('holder', 'policy', () => [{ at: [0, 3], lock: ['all', [[0, 0]]], step: 1 }]);
put('holder', 'clear toLocks', none);

for (const target of ['optimizer', 'lbfgs', 'levenbergMarquardt']) {
  put(target, 'toString dispose toJSON', none);
  put(target, 'setOptions', () => [{ learningRate: 0.1 }]);
  put(target, 'state toBytes', (f) => [{ variables: [f.x], also: [f.program] }]);
  put(target, 'setState', (f) => [
    f[target].state({ variables: [f.x] }),
    { variables: [f.x], also: [], force: true },
  ]);
}
put('levenbergMarquardt', 'setOptions', () => [{ initialDamping: 0.1 }]);
put('optimizer', 'minimize', (f) => [
  f.program,
  { variables: [f.x], steps: 2, onStep: () => true },
]);
put('lbfgs', 'minimize', (f) => [f.program, { variables: [f.x], steps: 2, onStep: () => true }]);
put('levenbergMarquardt', 'minimize', (f) => [
  f.residuals,
  { variables: [f.x], steps: 2, onStep: () => true },
]);
put('levenbergMarquardt', 'setBounds', (f) => [f.x, { min: -9, max: 9 }]);
put('lbfgs', 'setBounds', (f) => [f.x, null]);
put('lbfgs', 'bounds', (f) => [f.x]);
put('levenbergMarquardt', 'bounds', (f) => [f.x]);
put('optimizer', 'scaleLearningRate', (f) => [f.x, 0.5, { elements: [[1, 0]] }]);
put('optimizer', 'excludeFromWeightDecay', (f) => [f.x, 'x']);
put('optimizer', 'constrain', (f) => [f.x, { maxNorm: 9, axis: 0 }]);
put('optimizer', 'applyGradients', (f) => [[[f.t, f.x]]]);
put('lbfgs', 'applyGradients', (f) => [[[f.t, f.x]]]);
put('levenbergMarquardt', 'applyGradients', (f) => [[[f.t, f.x]]]);
put('optimizer', 'slot', (f) => [f.x, 'm']);
put('optimizer', 'average clock', (f) => [f.x]);
put(
  'optimizer',
  'learningRate= weightDecay= clipNorm= globalClipNorm= clipValue= emaMomentum= beta1= beta2= epsilon=',
  () => [0.1],
);
put('optimizer', 'emaOverwriteFrequency= gradientAccumulationSteps=', () => [2]);
put('optimizer', 'useEma= amsgrad=', () => [true]);
put('optimizer', 'onUnlock=', () => ['reset']);
put('lbfgs', 'learningRate= toleranceGradient= toleranceChange=', () => [0.1]);
put('lbfgs', 'historySize= maxEvaluations=', () => [5]);
put('levenbergMarquardt', 'initialDamping= toleranceGradient= toleranceChange=', () => [0.1]);
put('levenbergMarquardt', 'maxEvaluations=', () => [5]);
put('lbfgs', 'info', none);
put('levenbergMarquardt', 'info', none);

put('program', 'run outputs value toString toJSON dispose', none);
put('program', 'runs=', () => [3]);
put('tape', 'gradient', (f) => [f.tape.value, [f.x], { outputGradients: [f.g.tensor(1)] }]);
put('tape', 'dispose', none);
put('generator', 'uniform', () => [[2], { minval: 0, maxval: 2 }]);
put('generator', 'normal truncatedNormal', () => [[2], { mean: 0, stddev: 2 }]);
put('generator', 'bernoulli', () => [[2], { p: 0.5 }]);
put('generator', 'permutation', () => [4]);
put('generator', 'shuffle', (f) => [f.x]);
put('generator', 'dropout', (f) => [f.x, 0.5]);
put('generator', 'step=', () => [3]);
put('schedule', 'at', () => [3]);

put('initializers', 'randomNormal truncatedNormal', () => [{ mean: 0, stddev: 1, seed: 1 }]);
put('initializers', 'orthogonal', () => [{ gain: 1, seed: 1 }]);
put('losses', 'meanAbsoluteError hinge', (f) => [f.t, f.x, { reduction: 'none' }]);
put('losses', 'huber', (f) => [f.t, f.x, { delta: 2, reduction: 'none' }]);
put('losses', 'cosineSimilarity', (f) => [f.t, f.x, { axis: 0, reduction: 'none' }]);
put('losses', 'binaryCrossentropy categoricalCrossentropy', (f) => [
  f.t,
  f.x,
  { fromLogits: true, labelSmoothing: 0.1, reduction: 'none' },
]);
put('losses', 'sparseCategoricalCrossentropy', (f) => [
  [0, 1],
  f.x,
  { fromLogits: true, reduction: 'none' },
]);
put('schedules', 'exponentialDecay inverseTimeDecay', () => [
  { initialLearningRate: 1, decaySteps: 2, decayRate: 0.5, staircase: true },
]);
put('schedules', 'polynomialDecay', () => [
  { initialLearningRate: 1, decaySteps: 2, endLearningRate: 0.1, power: 2, cycle: true },
]);
put('schedules', 'cosineDecayRestarts', () => [
  { initialLearningRate: 1, firstDecaySteps: 2, tMul: 2, mMul: 0.5, alpha: 0.1 },
]);
put('optimizers', 'sgd', () => [{ learningRate: 0.1, momentum: 0.5, nesterov: true }]);
put('optimizers', 'adam adamW', () => [
  { learningRate: 0.1, beta1: 0.8, amsgrad: true, onUnlock: 'reset' },
]);
put('optimizers', 'adagrad adadelta rmsprop adamax nadam lion ftrl', () => [
  { learningRate: 0.1, weightDecay: 0.1 },
]);
put('optimizers', 'lbfgs', () => [{ historySize: 3 }]);
put('optimizers', 'levenbergMarquardt', () => [{ initialDamping: 0.1 }]);

put('fits', 'parameters', () => [{ a: { value: 1, min: 0, max: 2, lock: true }, b: 2 }]);
put('fits', 'curve', (f) => [
  f.line(f.g),
  { ...LINE, sigma: 1, parameters: { slope: 1, level: 0 }, loss: 'huber', lossScale: 1, steps: 9 },
]);
put('fits', 'leastSquares', (f) => [
  (/** @type {any} */ p) => f.line(f.g)(LINE.x, p),
  { parameters: f.parameters, scale: true, steps: 9, solver: {}, onStep: () => true },
]);
put('parameters', 'set', () => [{ slope: 1, level: 2 }]);
put('parameters', 'lock unlock', () => ['slope']);
put('parameters', 'fix', () => ['slope', 2]);
put('parameters', 'toString dispose', none);
put('fit', 'correlation', () => ['slope', 'level']);
put('fit', 'band', () => [[0, 1], { level: 0.9, sigma: 1 }]);
put('fit', 'profile', () => ['slope', { level: 0.9, steps: 9 }]);
put('fit', 'report toHTML toString', none);
put('distributions', 'fitting', (f) => [f.g]);
put('distributions', 'studentTail studentQuantile chiSquareTail chiSquareQuantile', () => [0.9, 5]);
put('distributions', 'fisherTail fisherQuantile', () => [0.9, 5, 6]);

for (const example of await readExamples(fileURLToPath(new URL('../../', import.meta.url)))) {
  // Those of the instance's own methods make variables, and dispose it.
  if (!example.method.startsWith('g.') || example.file === 'gradlock.d.ts') continue;
  BASES[example.method.split('.').slice(-2).join('.')] ??= argumentsOf(example);
}
