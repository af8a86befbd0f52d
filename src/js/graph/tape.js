// Gradients of anything recorded by anything it was computed from: tapes as TensorFlow's
// GradientTape, and functions that differentiate functions. Inside of another recording everything
// is recorded there, so derivatives of derivatives and compiled gradients need nothing of their
// own.
import {
  describe,
  isRecord,
  isThenable,
  ownProperties,
  readEach,
  readFlag,
  readOptions,
} from '../base/check.js';
import { GradientError, RecordingError, ShapeError } from '../base/errors.js';
import { disposeKey, Resource } from '../tensors/resource.js';
import { createTensor, readInput, Tensor } from '../tensors/tensor.js';
import { endRecording, recording } from './program.js';

/** @typedef {import('../tensors/instance.js').Instance} Instance */
/** @typedef {import('../ops/ops.js').Ops} Ops */
/** @typedef {import('../tensors/tensor.js').TensorLike} TensorLike */

/**
 * One tensor or several; what is asked of one is answered with one.
 * @typedef {Tensor | readonly Tensor[]} Tensors
 */

/**
 * @param {unknown} value
 * @param {string} what
 * @returns {Tensor[]}
 */
const readTensors = (value, what) => {
  if (value instanceof Tensor) return [value];
  if (!Array.isArray(value)) {
    throw new TypeError(`${what} must be a tensor or an array of tensors, got ${describe(value)}`);
  }
  return readEach(value, what, (tensor, i) => {
    if (tensor instanceof Tensor) return tensor;
    throw new TypeError(`${what}[${i}] must be a tensor, got ${describe(tensor)}`);
  });
};

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

/**
 * @param {Instance} instance
 * @param {number} program 0 for the recording that is on.
 * @param {readonly Tensor[]} targets
 * @param {readonly Tensor[]} sources
 * @param {readonly Tensor[] | null} seeds
 * @returns {(Tensor | null)[]}
 */
const differentiate = (instance, program, targets, sources, seeds) => {
  if (seeds && seeds.length !== targets.length) {
    throw new TypeError(
      `${seeds.length} output gradients were given for ${targets.length} targets, expected as many`,
    );
  }
  /** @param {Tensor} tensor */
  const handle = (tensor) => Resource.handleOf(instance, tensor);
  const lists = [targets.map(handle), (seeds ?? []).map(handle), sources.map(handle)];
  const { bridge, context } = instance;
  const [n, k, m] = lists.map((list) => list.length);
  const address = bridge.stage((n + k + 2 * m) * 4);
  try {
    bridge.writeList(address, lists.flat());
    const at = { seeds: address + n * 4, sources: address + (n + k) * 4 };
    const out = at.sources + m * 4;
    bridge.check(
      bridge.x.glk_gradients(
        context,
        program,
        address,
        k > 0 ? at.seeds : 0,
        n,
        at.sources,
        m,
        out,
      ),
    );
    return bridge.readList(out, m).map((h) => (h === 0 ? null : new Tensor(instance, h)));
  } finally {
    bridge.unstage(address);
  }
};

/**
 * @param {Instance} instance
 * @param {number} program
 * @param {unknown} targets
 * @param {unknown} sources
 * @param {unknown} outputGradients
 */
const answer = (instance, program, targets, sources, outputGradients) => {
  const seeds =
    outputGradients === undefined ? null : readTensors(outputGradients, 'outputGradients');
  const list = readTensors(sources, 'sources');
  const found = differentiate(instance, program, readTensors(targets, 'target'), list, seeds);
  return Array.isArray(sources) ? found : found[0];
};

/**
 * What `tape` gives: a computation that can be differentiated, once unless it is persistent.
 * @template [T=unknown]
 */
export class Tape {
  #instance;
  /**
   * The recorded program; null inside of another recording, which does its work.
   * @type {Resource | null}
   */
  #program;
  #persistent;

  /**
   * @internal
   * @param {Instance} instance
   * @param {Resource | null} program
   * @param {T} value
   * @param {boolean} persistent
   */
  constructor(instance, program, value, persistent) {
    this.#instance = instance;
    this.#program = program;
    this.#persistent = persistent;
    /** What the function returned. */
    this.value = value;
  }

  /**
   * The gradient of a target, or of the sum of several, by each source: a tensor or variable that
   * the tape's function used or made. One source gives one answer, an array gives an array. Where
   * no target depends on a source, the answer is null.
   *
   * A tape that is not persistent is given back by the first call. Throws GradientError for a
   * target that was not computed on the tape, RecordingError if a variable was written since the
   * tape read it, DisposedError when the tape was used up.
   * @template {Tensors} S
   * @param {Tensors} target
   * @param {S} sources
   * @param {{ outputGradients?: Tensors }} [options] dL/d(target), of the targets' shapes.
   *   Default: ones.
   * @returns {S extends readonly Tensor[] ? (Tensor | null)[] : Tensor | null}
   */
  gradient(target, sources, options = {}) {
    const { outputGradients } = readOptions(options, ['outputGradients'], 'gradient options');
    const program = this.#program === null ? 0 : Resource.ownHandle(this.#program);
    const found = answer(this.#instance, program, target, sources, outputGradients);
    if (!this.#persistent) {
      this.#program?.retire(
        'it was used; make it with { persistent: true } to take several gradients',
      );
    }
    return /** @type {any} */ (found);
  }

  /** Whether it was disposed or used up. */
  get disposed() {
    return this.#program?.disposed ?? false;
  }

  /** Give its memory back. Doing so twice is fine. */
  dispose() {
    this.#program?.dispose();
  }

  /** For `using`. */
  [disposeKey]() {
    this.dispose();
  }
}

/** The program behind a tape, for messages. */
class TapeProgram extends Resource {
  /** @override */
  get [Symbol.toStringTag]() {
    return 'Tape';
  }
}

/**
 * Record a function, and say which program has it: 0 is the recording that is on.
 * @template T
 * @param {Instance} instance
 * @param {() => T} fn
 * @returns {{ value: T, handle: number }}
 */
const recordTape = (instance, fn) => {
  const run = () => {
    const value = fn();
    if (!isThenable(value)) return value;
    throw new TypeError('the function given to tape must not be async: the tape ends with it');
  };
  if (instance.recording) return { value: run(), handle: 0 };
  return recording(instance, 'GLK_TAPE', () => {
    const value = run();
    // C wants to know of an output; gradients may be asked of any value on the tape.
    const none = new Tensor(instance, createTensor(instance, [], new Float32Array(1)));
    try {
      return { value, handle: endRecording(instance, [none]) };
    } finally {
      none.dispose();
    }
  });
};

/**
 * @template T
 * @param {Instance} instance
 * @param {() => T} fn
 * @param {unknown} options
 * @returns {Tape<T>}
 */
export const tape = (instance, fn, options) => {
  const { persistent = false } = readOptions(options, ['persistent'], 'tape options');
  const isPersistent = readFlag(persistent, 'persistent');
  if (typeof fn !== 'function') {
    throw new TypeError(`tape takes a function, got ${describe(fn)}`);
  }
  const { value, handle } = recordTape(instance, fn);
  const program = handle === 0 ? null : new TapeProgram(instance, handle, false);
  return new Tape(instance, program, value, isPersistent);
};

/**
 * @param {Instance} instance
 * @param {unknown} targets
 * @param {unknown} sources
 * @param {unknown} outputGradients
 */
export const gradients = (instance, targets, sources, outputGradients) => {
  if (!instance.recording) {
    throw new RecordingError(
      'gradients() is for use inside of compile, tape or grad; outside, take them of a tape',
    );
  }
  return answer(instance, 0, targets, sources, outputGradients);
};

// ---------------------------------------------------------------------------------------- of
// functions

/**
 * @param {unknown} result
 * @param {string} what
 * @returns {Tensor}
 */
const readResult = (result, what) => {
  if (result instanceof Tensor) return result;
  throw new TypeError(`${what} must return a tensor, it returned ${describe(result)}`);
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

// -------------------------------------------------------------------------------------- custom
// gradients

/**
 * @param {any} g
 * @param {Instance} instance
 * @param {Function} f
 */
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
        `gradFunc gave ${found.length} gradients for ${xs.length} arguments, expected one each`,
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
