// Which layers and options TensorFlow.js 4.22 reads as they are meant here, and how it spells them.
// What it would read otherwise, or not at all, is refused.
// Source: tfjs-layers 4.22, src/layers and src/{activations,regularizers,initializers}.ts;
// tests/port/saved.test.js asks it about every layer, option and name.
import { describe, describeList } from '../base/check.js';
import { OptionError } from '../base/errors.js';

/** Layers that it has, by purpose. */
const LAYERS = new Set(
  Object.values({
    frame:
      'InputLayer Sequential Functional Model Activation Dense Embedding Dropout GaussianNoise',
    windows: 'Conv1D Conv2D Conv2DTranspose DepthwiseConv2D SeparableConv2D SpatialDropout1D',
    pools: 'AveragePooling1D AveragePooling2D MaxPooling1D MaxPooling2D GlobalAveragePooling1D',
    global: 'GlobalAveragePooling2D GlobalMaxPooling1D GlobalMaxPooling2D BatchNormalization',
    merges:
      'LayerNormalization Add Average Concatenate Dot Maximum Minimum Multiply Flatten Permute',
    shapes:
      'RepeatVector Reshape Rescaling Cropping2D UpSampling2D ZeroPadding2D LSTM GRU SimpleRNN',
    others: 'Bidirectional TimeDistributed ELU LeakyReLU PReLU ReLU Softmax Masking AlphaDropout',
    volumes: 'Conv3D Conv3DTranspose MaxPooling3D AveragePooling3D GaussianDropout',
  }).flatMap((line) => line.split(' ')),
);

/** Activations that it has, as Keras writes them. */
const ACTIVATIONS = new Set(
  (
    'elu gelu legacy_hard_sigmoid linear log_softmax mish relu relu6 selu sigmoid silu softmax ' +
    'softplus softsign tanh'
  ).split(' '),
);

/** Options that must have one value, for any layer that has them. @type {Map<string, unknown>} */
const ANYWHERE = new Map(
  /** @type {[string, unknown][]} */ ([
    ['activity_regularizer', null],
    ['groups', 1],
    ['keepdims', false],
    ['lora_rank', null],
    ['synchronized', false],
    ['rms_scaling', false],
  ]),
);

/** And for some layers. @type {Map<string, [option: string, value: unknown][]>} */
const OF_LAYERS = new Map(
  /** @type {[string, [string, unknown][]][]} */ ([
    [
      'ReLU',
      [
        ['negative_slope', 0],
        ['threshold', 0],
      ],
    ],
    ['ELU', [['alpha', 1]]],
    ['Softmax', [['axis', -1]]],
    ['GRU', [['reset_after', false]]],
    ['DepthwiseConv2D', [['dilation_rate', [1, 1]]]],
    ['UpSampling2D', [['interpolation', 'nearest']]],
  ]),
);

const ACTIVATION = /^(recurrent_)?activation$/;

/** @param {string} name Name of the layer. @param {string} problem */
export const refuse = (name, problem) => {
  throw new OptionError(`saveLayersModel: ${name} ${problem}`);
};

/** @param {unknown} value */
const say = (value) => (Array.isArray(value) ? describeList(value) : describe(value));

/** @param {string} className @param {Record<string, any>} config */
const refuseOptions = (className, config) => {
  const { name } = config;
  for (const [key, value] of [...ANYWHERE, ...(OF_LAYERS.get(className) ?? [])]) {
    if (!Object.hasOwn(config, key) || `${config[key]}` === `${value}`) continue;
    refuse(
      name,
      `has ${key} ${say(config[key])}, TensorFlow.js has only ${say(value)}: save with saveModel, or change the layer`,
    );
  }
  for (const [key, value] of Object.entries(config)) {
    if (!ACTIVATION.test(key) || ACTIVATIONS.has(value)) continue;
    const why = value === 'hard_sigmoid' ? 'a hard_sigmoid of slope 1/6' : `${key} ${say(value)}`;
    refuse(
      name,
      `has ${why}, which TensorFlow.js does not have: known are ${[...ACTIVATIONS].join(', ')}`,
    );
  }
  if (className === 'Conv1D' && config.padding === 'causal') {
    refuse(name, 'has causal padding, which TensorFlow.js cannot run: pad by a layer before it');
  }
  if (className !== 'Sequential') return;
  for (const { config: inner } of config.layers) {
    if (inner.return_state !== true && inner.merge_mode !== null) continue;
    refuse(
      name,
      `has ${inner.name}, which returns several tensors: use nn.model instead of a stack`,
    );
  }
};

/**
 * Convert a class of Keras 3 to its name in TensorFlow.js, or throw what is missing there.
 * @param {Record<string, any>} json With class_name, config and module.
 * @param {ReadonlySet<string>} classes Layers of the caller's own that it knows.
 * @returns {{ class_name: string, config: any }}
 */
export const toTfjsForm = ({ class_name: className, config, module }, classes) => {
  if (module === 'keras.regularizers') {
    return { class_name: 'L1L2', config: { l1: 0, l2: 0, ...config } };
  }
  if (module === 'keras.initializers') {
    if (config?.distribution === 'untruncated_normal') {
      refuse(
        'VarianceScaling',
        'has distribution untruncated_normal, which TensorFlow.js does not have: give truncated_normal',
      );
    }
    return { class_name: className.replace(/^Lecun/, 'LeCun'), config };
  }
  if (module === 'keras.constraints' || classes.has(className)) {
    return { class_name: className, config };
  }
  if (!LAYERS.has(className) || String(module).startsWith('keras.src.ops.')) {
    refuse(
      config?.name ?? className,
      `is of class ${className}, which TensorFlow.js does not have: if it is your own and registered there, give { classes: ['${className}'] }`,
    );
  }
  refuseOptions(className, config);
  if (className !== 'LeakyReLU') return { class_name: className, config };
  const { negative_slope: alpha, ...rest } = config;
  return { class_name: className, config: { ...rest, alpha } };
};

/**
 * Norms of a weight along axes.
 * @param {{ shape: readonly number[], data: () => Float32Array }} weight
 * @param {readonly number[]} axes
 */
const normsOf = (weight, axes) => {
  const { shape } = weight;
  /** @type {Map<number, number>} */
  const sums = new Map();
  for (const [i, value] of weight.data().entries()) {
    let [rest, key, stride] = [i, 0, 1];
    for (let axis = shape.length - 1; axis >= 0; axis--) {
      const size = Number(shape[axis]);
      if (!axes.includes(axis)) key += (rest % size) * stride;
      stride *= size;
      rest = Math.floor(rest / size);
    }
    sums.set(key, (sums.get(key) ?? 0) + value * value);
  }
  return [...sums.values()].map(Math.sqrt);
};

/**
 * Refuse a weight that breaks its constraint: TensorFlow.js would change it when it loads it.
 * @param {any} weight
 * @param {{ className: string, config: any }} constraint
 */
export const refuseBroken = (weight, { className, config }) => {
  const axes = [config.axis ?? 0].flat();
  const near = 1e-5;
  const { min_value: min = 0, max_value: max = Number.POSITIVE_INFINITY } =
    className === 'UnitNorm' ? { min_value: 1, max_value: 1 } : config;
  const isMet =
    className === 'NonNeg'
      ? weight.data().every((/** @type {number} */ value) => value >= 0)
      : normsOf(weight, axes).every((norm) => norm >= min - near && norm <= max + near);
  if (isMet) return;
  refuse(
    weight.name,
    `breaks its constraint ${className}, so TensorFlow.js would load other values: train it for a step, or leave the constraint out`,
  );
};

/**
 * Refuse layers that TensorFlow.js computes differently for some shapes. It cannot flatten rows,
 * and computes batch normalization wrongly along any axis but the last.
 * @param {any} layer
 */
export const refuseShapes = ({ name, config, constructor: { className }, nodes }) => {
  const ranks = nodes.map((/** @type {any} */ { inputs }) => inputs[0]?.shape.length);
  if (className === 'Flatten' && ranks.some((/** @type {number} */ r) => r < 3)) {
    refuse(name, 'flattens an input of two axes, which TensorFlow.js cannot: leave it out');
  }
  const largest = Math.max(0, ...ranks);
  if (className === 'Dot' && largest > 3) {
    refuse(name, 'multiplies more than three axes, which TensorFlow.js cannot: reshape before it');
  }
  if (/^(Batch|Layer)Normalization$/.test(className) && largest > 4) {
    refuse(name, 'normalizes volumes, which TensorFlow.js cannot: reshape before and after it');
  }
  const { axis } = config;
  if (className !== 'BatchNormalization' || axis === -1) return;
  if (ranks.length > 0 && ranks.every((/** @type {number} */ rank) => axis === rank - 1)) return;
  refuse(
    name,
    `normalizes axis ${axis}, which TensorFlow.js computes wrongly unless it is the last: permute axes before it`,
  );
};

/**
 * The shape that a reshape gives, where it is known: TensorFlow.js does not compute a size of -1.
 * @param {any} layer
 * @returns {number[] | null}
 */
export const shapeGiven = ({ constructor: { className }, nodes }) => {
  if (className !== 'Reshape') return null;
  const [shape, ...others] = nodes.map((/** @type {any} */ { outputs }) =>
    outputs[0].shape.slice(1),
  );
  const isKnown = shape?.every((/** @type {unknown} */ size) => size !== null);
  return isKnown && others.every((/** @type {any} */ other) => `${other}` === `${shape}`)
    ? shape
    : null;
};
