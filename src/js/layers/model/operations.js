// Keras's ops between layers of a functional model, as in its JSON: `x + y`, `x[:, 0]`,
// `keras.ops.mean(x, axis=1)`. Source: keras/src/ops/{numpy,nn,core,math}.py of Keras 3.15.
import { OptionError } from '../../base/errors.js';
import { readActivation } from '../config/activations.js';
import { Layer } from '../layer/layer.js';
import { mapArgs, SymbolicTensor, toList } from '../layer/symbolic.js';

/** @import { Toolkit } from '../layer/toolkit.js' */
/**
 * @typedef {[options: string[], compute: (g: any, args: any[], options: any) => any]} Row The
 *   options of Keras that an op supports, and the function that computes it.
 */

/**
 * The options of each class, in the order of the parameters of g's method. A colon separates the
 * method's name, if it differs. For options that end in ?, null means g's default.
 * @type {Record<string, string>}
 */
const METHODS = {
  '':
    'Absolute:abs Add Ceil Cos Divide:div Equal Erf Exp Expm1 Floor Greater GreaterEqual Less ' +
    'LessEqual Log Log1p LogicalAnd LogicalNot LogicalOr Matmul:matMul Maximum Minimum Mod ' +
    'Multiply:mul Negative:neg NotEqual Power:pow Reciprocal Relu Round Rsqrt Sigmoid Sign Silu ' +
    'Sin Softplus Sqrt Square StopGradient Subtract:sub Tanh TrueDivide:div Where',
  alpha: 'Elu',
  approximate: 'Gelu',
  axis:
    'Argmax:argMax Argmin:argMin Concatenate:concat Cumsum ExpandDims LogSoftmax Softmax Stack ' +
    'Unstack',
  'axis?': 'Flip:reverse Squeeze',
  'axis? keepdims': 'All Any Max Mean Min Prod Sum Var:variance',
  'axes?': 'Transpose',
  negative_slope: 'LeakyRelu',
  newshape: 'Reshape',
  repeats: 'Tile',
  shape: 'BroadcastTo',
  'x_min x_max': 'Clip:clipByValue',
};

/** The ops that no single method of g computes. @type {Record<string, Row>} */
const OTHERS = {
  Cast: [['dtype'], (g, [x], { dtype }) => cast(g, x, dtype)],
  Einsum: [['subscripts'], (g, args, { subscripts }) => g.einsum(subscripts, ...args)],
  FloorDivide: [[], (g, [x, y]) => g.floor(g.div(x, y))],
  GetItem: [[], (g, [x, keys]) => getItem(g, x, toList(keys))],
};

/** @param {any} g @param {any} x @param {string} dtype */
const cast = (g, x, dtype) => {
  if (dtype === 'float32') return x;
  if (dtype === 'bool') return g.notEqual(x, 0);
  if (/int/.test(dtype)) return g.mul(g.sign(x), g.floor(g.abs(x)));
  throw new OptionError(`dtype ${dtype} is not supported`);
};

/** Python's x[…], also with None. @param {any} g @param {any} x @param {readonly any[]} keys */
const getItem = (g, x, keys) => {
  const isDots = (/** @type {any} */ key) => key?.class_name === '__ellipsis__';
  const isAxis = (/** @type {any} */ key) => key !== null && !isDots(key);
  const given = keys.some(isDots) ? keys : [...keys, { class_name: '__ellipsis__' }];
  const open = Math.max(0, x?.rank - keys.filter(isAxis).length || 0);
  const whole = new Array(open).fill({ class_name: '__slice__', config: {} });
  const all = given.flatMap((key) => (isDots(key) ? whole : [key]));
  const slices = all.filter(isAxis).map((key) => {
    if (Number.isSafeInteger(key)) return [key, key + 1 || null, 1];
    if (key?.class_name !== '__slice__')
      throw new OptionError('an index must be a number or a slice');
    const { start, stop, step } = key.config ?? {};
    return [start, stop, step ?? 1];
  });
  const [begin, end, strides] = [0, 1, 2].map((i) => slices.map((slice) => slice[i] ?? 0));
  const [first, last] = [0, 1].map((i) =>
    slices.reduce((mask, slice, axis) => mask | (Number(slice[i] == null) << axis), 0),
  );
  const y = g.stridedSlice(x, begin, end, strides, first, last);
  let axis = 0;
  const sizeOf = (/** @type {any} */ key) => (key === null ? 1 : y.shape[axis++]);
  const sizes = all.map((key) => [key, sizeOf(key)]);
  return g.reshape(
    y,
    sizes.filter(([key]) => typeof key !== 'number').map(([, size]) => size),
  );
};

/** @param {any} given An entry of the layer list in Keras's JSON. @returns {Row} */
const findRow = ({ module, class_name: name, config }) => {
  if (Object.hasOwn(OTHERS, name)) return /** @type {Row} */ (OTHERS[name]);
  for (const [list, classes] of Object.entries(METHODS)) {
    const found = classes.split(' ').find((entry) => entry.split(':')[0] === name);
    if (!found) continue;
    const method = found.split(':')[1] ?? name[0].toLowerCase() + name.slice(1);
    const keys = list.split(' ').filter(Boolean);
    const options = keys.map((key) => key.replace('?', ''));
    /** @type {Row[1]} */
    const compute = (g, args, given) =>
      g[method](
        ...args,
        ...options.map((key, i) => given[key] ?? (key === keys[i] ? null : undefined)),
      );
    return [options, compute];
  }
  const what = `model JSON: op '${config?.name}'`;
  if (module !== 'keras.src.ops.nn') throw new OptionError(`${what}: ${name} is not supported`);
  const { apply } = readActivation(name, what);
  return [[], (g, [x]) => apply(g, x)];
};

/** An op as a layer. It has no weights, and it is written as it was read. */
class Operation extends Layer {
  /** @override */ static callOptions = null;
  /** @override */ static takesLists = true;

  /** @param {Toolkit} nn @param {any} given */
  constructor(nn, { inbound_nodes: _, name, ...json }) {
    super(nn, { name });
    this.json = json;
    this.row = findRow(json);
  }

  /** @override @param {any} inputs @param {any} options */
  call(inputs, { args = inputs, kwargs }) {
    const { g, json, row } = this;
    const options = { ...json.config, ...kwargs };
    for (const key of Object.keys(options)) {
      if (options[key] && !['name', ...row[0]].includes(key)) {
        throw new OptionError(`the argument ${key} is not supported`);
      }
    }
    let at = 0;
    const values = mapArgs(args, (value) => {
      if (value instanceof SymbolicTensor) return inputs[at++];
      return ['__numpy__', '__tensor__'].includes(value?.class_name)
        ? g.tensor(value.config?.value)
        : undefined;
    });
    return row[1](g, values, options);
  }

  /** @override */ serialize() {
    return this.json;
  }

  /** @override @param {any} node */
  toArgs({ options }) {
    return options;
  }

  /** @override @param {any[]} args @param {Record<string, any>} kwargs */
  fromArgs(args, kwargs) {
    /** @type {SymbolicTensor[]} */
    const inputs = [];
    mapArgs(args, (value) => void (value instanceof SymbolicTensor && inputs.push(value)));
    return { inputs, options: { args, kwargs } };
  }
}

/** True if an entry of a model's layers is an op. @param {Record<string, any>} entry */
export const isOp = ({ module, class_name: name }) =>
  typeof module === 'string' && module.startsWith('keras.src.ops.') && typeof name === 'string';

/** Makes an op's layer. @param {Toolkit} nn @param {Record<string, any>} entry @returns {Layer} */
export const readOp = (nn, entry) =>
  new (class extends Operation {
    /** @override */ static className = String(entry.class_name);
  })(nn, entry);
