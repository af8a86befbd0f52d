// Models in files of our own: safetensors with the topology, the locks of every holder and what
// training needs to go on, in metadata and in tensors of bytes beside the weights. Any reader of
// safetensors gets the weights.
import { describe, isRecord, ownProperties, readFlag, readOptions } from '../base/check.js';
import { FormatError, GradlockError, OptionError } from '../base/errors.js';
import { joinBytes } from './bytes.js';
import { writeSafetensors } from './safetensors.js';
import { parseJSON } from './strict-json.js';
import { freeName, readModel, weightsByName, writeAll } from './weights.js';

/** @typedef {import('../layers.js').Layers} Layers */
/** @typedef {import('../layers.js').Model} Model */
/** @typedef {import('../layers/model.js').Model} InnerModel */
/** @typedef {import('./safetensors.js').StoredTensor} StoredTensor */
/** @typedef {import('./safetensors.js').TensorSource} TensorSource */
/**
 * @typedef {{ tensors: Map<string, StoredTensor>, metadata: Record<string, string> }} Parsed
 */
/**
 * @typedef {object} Training What goes on where it was.
 * @property {string} rule Of the optimizer.
 * @property {string} state The tensor with its state, without values of weights.
 * @property {[number, string][]} cuts Where in those bytes the values of which tensor stood.
 * @property {[number, number][]} draws Seed and step of each generator of the model.
 * @property {{ losses: ({ className: string, config: object } | 'own' | null)[],
 *   lossWeights: number[] }} compile A loss that is a function is 'own'
 */

/** Of files that are written; all from 1 on are read. */
const VERSION = 1;

/** What files say of themselves in metadata. */
export const KIND = 'gradlock';

/**
 * @param {Record<string, string>} metadata
 * @param {string} kind
 * @param {number} version
 */
export const stamp = (metadata, kind, version) => ({
  ...metadata,
  format: 'gradlock',
  [KIND]: kind,
  [`${KIND}.version`]: String(version),
});

/**
 * Whether a file is of one of our own kinds; throws FormatError for a version that is not known.
 * @param {Parsed} parsed
 * @param {string} kind
 * @param {number} newest
 */
export const isOfKind = ({ metadata }, kind, newest) => {
  if (metadata[KIND] !== kind) return false;
  const text = metadata[`${KIND}.version`] ?? '';
  const version = Number(text);
  if (/^[1-9]\d*$/.test(text) && version <= newest) return true;
  throw new FormatError(
    `the file is a gradlock ${kind} of version ${describe(text)}, this gradlock reads versions up to ${newest}`,
  );
};

/** @param {Parsed} parsed */
export const isOwn = (parsed) => isOfKind(parsed, 'model', VERSION);

/**
 * The generators that a model draws from: that of `layers(g)`, and those of layers with seeds of
 * their own.
 * @param {InnerModel} model
 */
const generatorsOf = (model) => {
  const own = model.allLayers.filter(({ config }) => typeof config?.seed === 'number');
  return [model.nn.seed, ...own.map((layer) => layer.randomness)].filter(
    (generator) => typeof generator?.step === 'number',
  );
};

/**
 * Where values of weights stand in the state of an optimizer, so that a file has them once. What is
 * cut out is compared, so nothing depends on how states are laid out.
 * @param {Uint8Array} state
 * @param {readonly [string, Float32Array][]} weights
 */
const cutValues = (state, weights) => {
  /** @type {[number, string][]} */
  const cuts = [];
  /** @type {Uint8Array[]} */
  const kept = [];
  let [from, at, size] = [0, 0, 0];
  for (const [name, values] of weights) {
    const { buffer, byteOffset, byteLength } = values;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    const place = byteLength > 64 ? find(state, bytes, at) : -1;
    if (place < 0) continue;
    kept.push(state.subarray(from, place));
    size += place - from;
    cuts.push([size, name]);
    from = place + byteLength;
    at = from;
  }
  kept.push(state.subarray(from));
  return { cuts, bytes: joinBytes(kept) };
};

/**
 * Where bytes stand in others; -1 if nowhere.
 * @param {Uint8Array} all
 * @param {Uint8Array} part
 * @param {number} from
 */
const find = (all, part, from) => {
  const [first = 0] = part;
  const last = all.length - part.length;
  for (let at = all.indexOf(first, from); at >= 0 && at <= last; at = all.indexOf(first, at + 1)) {
    let i = 0;
    while (i < part.length && all[at + i] === part[i]) i++;
    if (i === part.length) return at;
  }
  return -1;
};

/**
 * A model as a file: what it consists of, its weights, all locks of all holders, and, if it was
 * compiled, the state of its optimizer, from which `loadModel` lets training go on to the bit.
 * Metrics, callbacks, functions of one's own and the policies of holders of a model that is saved
 * without its optimizer are not in it.
 * @param {Model} model
 * @param {{ optimizer?: boolean, metadata?: Record<string, string> }} [options] `optimizer`:
 *   whether to save what training needs to go on. Default: if the model was compiled. `metadata`:
 *   words of your own.
 * @returns {Uint8Array<ArrayBuffer>}
 * @example
 * const bytes = saveModel(model);
 * await writeFile('model.safetensors', bytes);
 */
export const saveModel = (model, options = {}) => {
  const net = readModel(model, 'saveModel');
  const known = ['optimizer', 'metadata'];
  const { optimizer: flag, metadata: words = {} } = readOptions(
    options,
    known,
    'saveModel options',
  );
  const wantsTraining = readFlag(flag ?? net.plan !== null, 'optimizer');
  if (wantsTraining && !net.plan) throw new OptionError('saveModel: the model was not compiled');
  if (!isRecord(words)) {
    throw new TypeError(`saveModel: metadata must be an object, got ${describe(words)}`);
  }
  const weights = weightsByName(net);
  /** @type {Map<string, TensorSource>} */
  const tensors = new Map();
  /** @type {[string, Float32Array][]} */
  const values = [];
  for (const [name, weight] of weights) {
    const data = weight.data();
    values.push([name, data]);
    tensors.set(name, { shape: weight.shape, data });
  }
  /** @param {string} wanted @param {Uint8Array} data */
  const addBytes = (wanted, data) => {
    const name = freeName(tensors, wanted);
    tensors.set(name, { shape: [data.length], data });
    return name;
  };
  /** @type {[string, string, string][]} */
  const locks = [];
  for (const [name, { locks: set }] of weights) {
    for (const holder of ['', ...set.holders]) {
      const held = holder === '' ? set.own() : set.holder(holder).toLocks();
      if (held.count > 0) {
        locks.push([name, holder, addBytes(`${name}:locks:${holder}`, held.toBytes())]);
      }
      held.dispose();
    }
  }
  /** @type {Record<string, string>} */
  const metadata = {
    ...ownProperties(words),
    'gradlock.topology': JSON.stringify(net),
    'gradlock.weights': JSON.stringify([...weights.keys()]),
    'gradlock.locks': JSON.stringify(locks),
  };
  if (wantsTraining && net.plan) {
    const { optimizer, outputs } = net.plan;
    const whole = optimizer.toBytes({ variables: [...weights.values()] });
    const { cuts, bytes } = cutValues(whole, values);
    /** @type {Training} */
    const training = {
      rule: optimizer.rule,
      state: addBytes('gradlock:optimizer', bytes),
      cuts,
      draws: generatorsOf(net).map(({ seed, step }) => [seed, step]),
      compile: {
        losses: outputs.map(
          ({ loss }) => loss && (loss.name ? { className: loss.name, config: loss.config } : 'own'),
        ),
        lossWeights: outputs.map(({ weight }) => weight),
      },
    };
    metadata['gradlock.training'] = JSON.stringify(training);
  }
  return writeSafetensors(tensors, stamp(metadata, 'model', VERSION));
};

/**
 * @param {Parsed} parsed
 * @param {string} key
 */
const readPart = ({ metadata }, key) => {
  const text = metadata[`gradlock.${key}`];
  if (text === undefined) throw new FormatError(`the file has no gradlock.${key}`);
  return parseJSON(text, `gradlock.${key}`);
};

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {any[]}
 */
const readList = (value, what) => {
  if (Array.isArray(value)) return value;
  throw new FormatError(`gradlock.${what} must be an array, it is ${describe(value)}`);
};

/**
 * @param {Parsed} parsed
 * @param {unknown} name
 */
const tensorOf = ({ tensors }, name) => {
  const tensor = typeof name === 'string' ? tensors.get(name) : undefined;
  if (tensor) return tensor;
  throw new FormatError(`the file names a tensor ${describe(name)}, which it has not`);
};

/**
 * A model of a topology from a file, which may say anything.
 * @param {Layers} nn
 * @param {any} topology
 */
export const buildModel = (nn, topology) => {
  try {
    return nn.modelFromJSON(topology);
  } catch (error) {
    if (error instanceof GradlockError) throw error;
    const { message } = /** @type {Error} */ (error);
    throw new FormatError(`the topology is no model's: ${message}`, undefined, { cause: error });
  }
};

/**
 * The model of one of our own files.
 * @param {Layers} nn
 * @param {Parsed} parsed
 * @param {unknown} compile What to compile with besides, or false.
 * @returns {Model}
 */
export const openModel = (nn, parsed, compile) => {
  const names = readList(readPart(parsed, 'weights'), 'weights');
  const locks = readList(readPart(parsed, 'locks'), 'locks');
  const model = buildModel(nn, readPart(parsed, 'topology'));
  try {
    const weights = weightsByName(model);
    if (JSON.stringify([...weights.keys()]) !== JSON.stringify(names)) {
      throw new FormatError('the weights of the file are not those of its topology');
    }
    const writes = [...weights].map(([name, weight]) => {
      const tensor = tensorOf(parsed, name);
      if (tensor.dtype !== 'F32' || `${tensor.shape}` !== `${weight.shape}`) {
        throw new FormatError(
          `tensor ${describe(name)} is ${tensor.dtype} [${tensor.shape}], expected F32 [${weight.shape}]`,
        );
      }
      return { weight, read: () => tensor.toFloat32().values };
    });
    writeAll(writes, true);
    for (const entry of locks) {
      const [name, holder, bytes] = readList(entry, 'locks');
      const weight = weights.get(name);
      if (!weight) throw new FormatError(`gradlock.locks is of a weight ${describe(name)}`);
      const set = model.g.locksFrom(/** @type {Uint8Array} */ (tensorOf(parsed, bytes).bytes));
      try {
        (holder === '' ? weight : weight.locks.holder(holder)).lock(set);
      } finally {
        set.dispose();
      }
    }
    if (compile !== false) resume(/** @type {any} */ (model), parsed, compile);
  } catch (error) {
    model.dispose();
    throw error;
  }
  return model;
};

/**
 * The state of an optimizer, put together again.
 * @param {Parsed} parsed
 * @param {Training} training
 */
const joinState = (parsed, { state, cuts }) => {
  const { bytes } = tensorOf(parsed, state);
  /** @type {Uint8Array[]} */
  const parts = [];
  let from = 0;
  for (const cut of readList(cuts, 'training.cuts')) {
    const [at, name] = readList(cut, 'training.cuts');
    if (!(Number.isSafeInteger(at) && at >= from && at <= bytes.length)) {
      throw new FormatError(`gradlock.training cuts its state at ${describe(at)}`);
    }
    parts.push(bytes.subarray(from, at), tensorOf(parsed, name).bytes);
    from = at;
  }
  return joinBytes([...parts, bytes.subarray(from)]);
};

/**
 * Compile as the model was, with its optimizer as it was.
 * @param {InnerModel} model
 * @param {Parsed} parsed
 * @param {unknown} given
 */
const resume = (model, parsed, given) => {
  if (given !== undefined && !isRecord(given)) {
    throw new TypeError(`compile must be an object of options or false, got ${describe(given)}`);
  }
  const options = ownProperties(given ?? {});
  if (parsed.metadata['gradlock.training'] === undefined) {
    if (given !== undefined) model.compile(/** @type {any} */ (options));
    return;
  }
  /** @type {Training} */
  const training = readPart(parsed, 'training');
  const { rule, compile } = training;
  const draws = readList(training.draws, 'training.draws').map((draw) => {
    const [seed, step] = readList(draw, 'training.draws');
    if (Number.isSafeInteger(seed) && seed >= 0 && step >>> 0 === step) return { seed, step };
    throw new FormatError(`gradlock.training draws from ${JSON.stringify(draw)}`);
  });
  const losses = readList(compile?.losses, 'training.compile.losses');
  const lossWeights = readList(compile?.lossWeights, 'training.compile.lossWeights');
  if (options.loss === undefined && losses.includes('own')) {
    throw new OptionError(
      'the model was compiled with a loss that is a function: give it again, { compile: { loss } }, or { compile: false }',
    );
  }
  const { optimizers } = model.g;
  if (!Object.getOwnPropertyNames(optimizers).includes(rule)) {
    throw new FormatError(`the file has an optimizer ${describe(rule)}, which there is not`);
  }
  const own = options.optimizer ? null : /** @type {any} */ (optimizers)[rule]({});
  try {
    model.compile({ loss: losses, lossWeights, optimizer: own, ...options });
    const variables = model.weights;
    model.optimizer?.setState(joinState(parsed, training), { variables, force: true });
    const generators = generatorsOf(model);
    draws.forEach(({ seed, step }, i) => {
      const generator = generators[i];
      if (generator?.seed === seed) generator.step = step;
      else if (generator && i === 0) {
        model.nn.seed = model.g.random(seed);
        model.nn.seed.step = step;
      }
    });
  } catch (error) {
    own?.dispose();
    throw error;
  }
};
