// Tapes: gradients of anything recorded by anything it was computed from, as TensorFlow's
// GradientTape has them. Inside of another recording everything is recorded there, so derivatives
// of derivatives and compiled gradients need nothing of their own.
import { describe, isThenable, readEach, readFlag, readOptions } from '../base/check.js';
import { RecordingError } from '../base/errors.js';
import { disposeKey, Resource } from '../tensors/resource.js';
import { createTensor, Tensor } from '../tensors/tensor.js';
import { endRecording, recording } from './program.js';

/** @import { Instance } from '../tensors/instance.js' */

/** One tensor or several. @typedef {Tensor | readonly Tensor[]} Tensors */

/** @param {unknown} value @param {string} what @returns {Tensor[]} */
export const readTensors = (value, what) => {
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
 * @param {Instance} instance
 * @param {number} program 0 for the recording that is on.
 * @param {readonly Tensor[]} targets
 * @param {readonly Tensor[]} sources
 * @param {readonly Tensor[] | null} seeds
 * @returns {(Tensor | null)[]}
 */
export const differentiate = (instance, program, targets, sources, seeds) => {
  if (seeds && seeds.length !== targets.length) {
    throw new TypeError(
      `got ${seeds.length} output gradients for ${targets.length} targets, expected one for each`,
    );
  }
  /** @param {Tensor} tensor */
  const handle = (tensor) => Resource.handleOf(instance, tensor);
  const lists = [targets.map(handle), (seeds ?? []).map(handle), sources.map(handle)];
  const { bridge, context } = instance;
  const [n, k, m] = lists.map((list) => list.length);
  return bridge.staged((n + k + 2 * m) * 4, (address) => {
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
  });
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
 * The result of `tape`: a computation that can be differentiated, once unless it is persistent.
 * @template [T=unknown]
 */
export class Tape {
  #instance;
  /** The recorded program; null inside another recording, which has it. @type {Resource | null} */
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
    /** The result of the function. */
    this.value = value;
  }

  /**
   * The gradient of a target, or of the sum of several, by each source: a tensor or variable that
   * the tape's function used or made. One source gives one result, an array gives an array. If no
   * target depends on a source, the result is null.
   *
   * A tape that is not persistent is given back by the first call. Throws GradientError for a
   * target that was not computed on the tape, and RecordingError if a variable was written since
   * the tape read it. Throws DisposedError if the tape was used already.
   * @template {Tensors} S
   * @param {Tensors} target
   * @param {S} sources
   * @param {{ outputGradients?: Tensors }} [options] dL/d(target), of the targets' shapes.
   *   Default: ones.
   * @returns {S extends readonly Tensor[] ? (Tensor | null)[] : Tensor | null}
   * @example
   * const x = g.variable([1, 2]);
   * const tape = g.tape(() => g.sum(g.square(x)));
   * tape.gradient(tape.value, x).data(); // [2, 4]
   */
  gradient(target, sources, options) {
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

  /** True if it was disposed or used up. */
  get disposed() {
    return this.#program?.disposed ?? false;
  }

  /**
   * Give its memory back. Doing so twice is fine.
   * @example
   * const x = g.variable([1, 2]);
   * const tape = g.tape(() => g.square(x), { persistent: true });
   * tape.dispose();
   * tape.disposed; // true
   */
  dispose() {
    this.#program?.dispose();
  }

  /**
   * For `using`.
   * @example
   * const x = g.variable([1, 2]);
   * const tape = g.tape(() => g.square(x), { persistent: true });
   * tape[Symbol.dispose]();
   * tape.disposed; // true
   */
  [disposeKey]() {
    this.dispose();
  }
}

/** The program behind a tape, for messages. */
class TapeProgram extends Resource {
  /** @override */ get [Symbol.toStringTag]() {
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
export const recordTape = (instance, fn) => {
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
  if (typeof fn !== 'function') throw new TypeError(`tape takes a function, got ${describe(fn)}`);
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
      'gradients() works only inside of compile, tape or grad: outside of them use tape()',
    );
  }
  return answer(instance, 0, targets, sources, outputGradients);
};
