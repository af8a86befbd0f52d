// Applies ops. User code (getters of nested arrays) runs first; handles are checked; C is called.
import { LimitError } from '../base/errors.js';
import { Resource } from './resource.js';
import { createTensor, readLiteral, Tensor } from './tensor.js';

/** @import { Instance } from './instance.js' */

/** Values that were read from arrays and are not in C yet. */
export class Literal {
  /** @param {{ shape: readonly number[], data: import('../base/check.js').NumericArray }} values */
  constructor({ shape, data }) {
    this.shape = shape;
    this.data = data;
  }
}

/** Op's name in messages. @param {import('../wasm/bridge.js').Bridge} bridge @param {number} op */
const nameOf = (bridge, op) => {
  bridge.check(bridge.x.glk_op_describe(op, bridge.out));
  return bridge.text(bridge.readField(bridge.out, 'glk_op_info.name'));
};

/** Ids of the ops by name. @param {import('../wasm/bridge.js').Bridge} bridge */
export const readOpIds = (bridge) => {
  /** @type {Record<string, number>} */
  const ids = Object.create(null);
  const count = bridge.x.glk_op_count();
  for (let op = 0; op < count; op++) {
    ids[nameOf(bridge, op)] = op;
  }
  return ids;
};

/**
 * An operand that needs no more user code to be read.
 * @param {Instance} instance
 * @param {unknown} operand
 * @param {string} what
 * @returns {Tensor | number | Literal}
 */
export const prepare = (instance, operand, what) =>
  typeof operand === 'number' || operand instanceof Tensor || operand instanceof Literal
    ? operand
    : new Literal(readLiteral(instance, operand, undefined, what));

/**
 * An operand as `prepare` gives it, with the op in messages, looked up only where needed.
 * @param {Instance} instance
 * @param {number} op
 * @param {unknown} operand
 * @param {string} which
 */
const prepareFor = (instance, op, operand, which) => {
  if (typeof operand === 'number' || operand instanceof Tensor) return operand;
  return prepare(instance, operand, `${nameOf(instance.bridge, op)}: the ${which} operand`);
};

/** @param {Tensor | number | Literal} operand */
export const shapeOf = (operand) => (typeof operand === 'number' ? [] : operand.shape);

/** @param {Tensor | number | Literal} operand */
export const rankOf = (operand) => shapeOf(operand).length;

/** @param {Instance} instance @param {Tensor | number | Literal} operand */
const toHandle = (instance, operand) => {
  if (operand instanceof Tensor) return Resource.handleOf(instance, operand);
  if (typeof operand !== 'number') return createTensor(instance, operand.shape, operand.data);
  const { x, context, dims, small, out, reals, realBytes } = instance.bridge;
  reals[small / realBytes] = operand;
  instance.bridge.check(x.glk_tensor_create(context, 0, dims, small, 1, out));
  return instance.bridge.outHandle();
};

/**
 * Lend operands to a call of C.
 * @template T
 * @param {Instance} instance
 * @param {readonly (Tensor | number | Literal)[]} operands Operands, as `prepare` returns them.
 * @param {(...handles: number[]) => T} call
 */
export const withHandles = (instance, operands, call) => {
  /** @type {number[]} */
  const handles = [];
  try {
    for (const operand of operands) handles.push(toHandle(instance, operand));
    return call(...handles);
  } finally {
    handles.forEach((handle, i) => {
      if (!(operands[i] instanceof Tensor)) instance.release(handle);
    });
  }
};

/**
 * Apply an op to its operands. Numbers and arrays become constants for the length of the call; a
 * recording that needs them keeps its own.
 * @param {Instance} instance
 * @param {number} op
 * @param {number} arity
 * @param {readonly number[]} attributes
 * @param {unknown} [a]
 * @param {unknown} [b]
 * @param {unknown} [c]
 * @param {unknown} [d]
 */
export const apply = (instance, op, arity, attributes, a, b, c, d) => {
  const { bridge } = instance;
  if (op === undefined) {
    throw new TypeError('this gradlock.wasm has another version: it lacks this op');
  }
  if (attributes.length > bridge.maxAttributes) {
    throw new LimitError(
      `${nameOf(bridge, op)}: got ${attributes.length} numbers, at most ${bridge.maxAttributes} are possible`,
    );
  }
  const first = arity > 0 ? prepareFor(instance, op, a, 'first') : 0;
  const second = arity > 1 ? prepareFor(instance, op, b, 'second') : 0;
  const third = arity > 2 ? prepareFor(instance, op, c, 'third') : 0;
  const fourth = arity > 3 ? prepareFor(instance, op, d, 'fourth') : 0;
  const context = instance.context;
  let ha = 0;
  let hb = 0;
  let hc = 0;
  let hd = 0;
  try {
    if (arity > 0) ha = toHandle(instance, first);
    if (arity > 1) hb = toHandle(instance, second);
    if (arity > 2) hc = toHandle(instance, third);
    if (arity > 3) hd = toHandle(instance, fourth);
    const { u32, inputs, out } = bridge;
    const at = inputs >>> 2;
    u32[at] = ha;
    u32[at + 1] = hb;
    u32[at + 2] = hc;
    u32[at + 3] = hd;
    const n = attributes.length;
    if (n > 0) {
      const { f64 } = bridge;
      const from = bridge.attributes >>> 3;
      for (let i = 0; i < n; i++) f64[from + i] = Number(attributes[i]);
    }
    bridge.check(bridge.x.glk_apply(context, op, inputs, arity, bridge.attributes, n, out));
    return new Tensor(instance, bridge.outHandle());
  } finally {
    if (ha !== 0 && !(first instanceof Tensor)) instance.release(ha);
    if (hb !== 0 && !(second instanceof Tensor)) instance.release(hb);
    if (hc !== 0 && !(third instanceof Tensor)) instance.release(hc);
    if (hd !== 0 && !(fourth instanceof Tensor)) instance.release(hd);
  }
};
