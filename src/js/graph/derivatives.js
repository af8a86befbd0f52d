// Derivatives of functions: gradients at a point, Hessian-vector products, Jacobians, and functions
// with gradients of their own. Each evaluation is recorded on a tape, which is given back at once.
import { describe, isRecord, ownProperties } from '../base/check.js';
import { GradientError, ShapeError } from '../base/errors.js';
import { Resource } from '../tensors/resource.js';
import { createTensor, readInput, Tensor } from '../tensors/tensor.js';
import { differentiate, readTensors, recordTape } from './tape.js';

/** @import { Instance } from '../tensors/instance.js' */

/**
 * Operands of functions to differentiate: tensors as they are, anything else as new ones.
 * @param {Instance} instance
 * @param {unknown} value
 * @param {string} what
 * @param {readonly number[]} [wanted] The shape that flat values are for.
 */
const toTensor = (instance, value, what, wanted) => {
  if (value instanceof Tensor) return value;
  const { shape, data } = readInput(instance, value, wanted, what);
  return new Tensor(instance, createTensor(instance, shape, data));
};

/** @param {unknown} result @param {string} what */
const readResult = (result, what) => {
  if (result instanceof Tensor) return result;
  throw new TypeError(
    `${what} must return a tensor, by ops such as g.mul; it returned ${describe(result)}`,
  );
};

/**
 * Evaluate f, and hand its result to `use` with a function that sweeps back from it.
 * @template T
 * @param {any} g
 * @param {Instance} instance
 * @param {Function} f
 * @param {readonly unknown[]} args
 * @param {(sweep: (dy?: Tensor) => (Tensor | null)[], y: Tensor, xs: readonly Tensor[]) => T} use
 * @returns {T}
 */
const sweeping = (g, instance, f, args, use) => {
  if (typeof f !== 'function') throw new TypeError(`expected a function, got ${describe(f)}`);
  return g.tidy(() => {
    const xs = args.map((arg, i) => toTensor(instance, arg, `argument ${i}`));
    const { value, handle } = recordTape(instance, () => readResult(f(...xs), 'the function'));
    try {
      /** @param {Tensor} [dy] */
      const sweep = (dy) => differentiate(instance, handle, [value], xs, dy ? [dy] : null);
      return use(sweep, value, xs);
    } finally {
      if (handle !== 0) instance.release(handle);
    }
  });
};

/** @param {readonly (Tensor | null)[]} found */
const expectAll = (found) =>
  found.map((gradient, i) => {
    if (gradient) return gradient;
    throw new GradientError(
      `the function's result does not depend on argument ${i}, so it has no gradient`,
    );
  });

/**
 * @param {any} g
 * @param {Instance} instance
 * @param {Function} f
 * @param {readonly unknown[]} args
 * @param {unknown} dy
 * @returns {Tensor[]}
 */
export const gradientsAt = (g, instance, f, args, dy) =>
  sweeping(g, instance, f, args, (sweep, y) =>
    expectAll(sweep(dy === undefined ? undefined : toTensor(instance, dy, 'dy', y.shape))),
  );

/**
 * @param {any} g
 * @param {Instance} instance
 * @param {Function} f
 * @param {unknown} x
 * @param {unknown} v
 * @returns {Tensor}
 */
export const hessianVector = (g, instance, f, x, v) => {
  /** @param {Tensor} at */
  const slope = (at) => {
    const vector = toTensor(instance, v, 'v', at.shape);
    if (`${vector.shape}` !== `${at.shape}`) {
      throw new ShapeError(`v has shape [${vector.shape}], x has shape [${at.shape}]`);
    }
    const [d] = gradientsAt(g, instance, f, [at], undefined);
    return g.sum(g.mul(d, g.stopGradient(vector)));
  };
  return sweeping(g, instance, slope, [x], (sweep, _, [at]) => {
    const [product] = sweep();
    return (
      product ?? new Tensor(instance, createTensor(instance, at.shape, new Float32Array(at.size)))
    );
  });
};

/**
 * @param {any} g
 * @param {Instance} instance
 * @param {Function} f
 * @param {unknown} x
 * @returns {Tensor}
 */
export const jacobian = (g, instance, f, x) =>
  sweeping(g, instance, f, [x], (sweep, y, [at]) => {
    const rows = Array.from({ length: y.size }, (_, i) => {
      const seed = new Float32Array(y.size);
      seed[i] = 1;
      const [row] = expectAll(sweep(new Tensor(instance, createTensor(instance, y.shape, seed))));
      return g.reshape(row, [1, at.size]);
    });
    const all = rows.length > 0 ? g.concat(rows, 0) : new Float32Array(0);
    return g.reshape(all, [...y.shape, ...at.shape]);
  });

/** @param {any} g @param {Instance} instance @param {Function} f */
export const customGrad = (g, instance, f) => {
  if (typeof f !== 'function')
    throw new TypeError(`customGrad takes a function, got ${describe(f)}`);
  /** @param {unknown[]} args */
  return (...args) => {
    const xs = args.map((arg, i) => toTensor(instance, arg, `argument ${i}`));
    /** @type {Tensor[]} */
    const saved = [];
    /** @param {readonly Tensor[]} tensors */
    const save = (tensors) => void saved.push(...readTensors(tensors, 'what is saved'));
    const result = f(...xs, save);
    const { value: given, gradFunc } = isRecord(result) ? ownProperties(result) : {};
    const value = readResult(given, 'value, in what the function given to customGrad');
    if (typeof gradFunc !== 'function') {
      throw new TypeError(`gradFunc must be a function, got ${describe(gradFunc)}`);
    }
    if (!instance.recording) return value;
    const { bridge, context } = instance;
    const { x, out, dims } = bridge;
    const rank = bridge.writeList(dims, value.shape);
    bridge.check(x.glk_placeholder(context, rank, dims, out));
    const dy = new Tensor(instance, bridge.outHandle());
    const found = readTensors(gradFunc(dy, saved), 'what gradFunc returned');
    if (found.length !== xs.length) {
      throw new GradientError(
        `gradFunc gave ${found.length} gradients for ${xs.length} arguments, expected one for each`,
      );
    }
    return xs.reduce((y, operand, i) => {
      const [hy, hx, hdy, hd] = [y, operand, dy, found[i]].map((t) =>
        Resource.handleOf(instance, t),
      );
      bridge.check(x.glk_custom_gradient(context, hy, hx, hdy, hd, bridge.out));
      return new Tensor(instance, bridge.outHandle());
    }, g.stopGradient(value));
  };
};
