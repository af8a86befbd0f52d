// Programs: computations recorded once and replayed in C. `compile` records a function to replay
// it; gradients of plain functions record what they compute. Both record alike, in their own scope.
import { describe, isThenable, readCount, readEach } from '../base/check.js';
import { OptionError, ShapeError } from '../base/errors.js';
import { Resource } from '../tensors/resource.js';
import { Tensor } from '../tensors/tensor.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { Variable } from '../locks/variable.js' */

const GONE = 'it was made in a recording, whose tensors go when it ends; return what you need';

/** Room for handles that programs answer with; more are asked for again. */
const COMMON_VARIABLES = 64;

const MOST_RUNS = 0xffffffff;

/**
 * @param {Instance} instance
 * @param {'GLK_TRACE' | 'GLK_TAPE'} mode
 * @param {Function} fn
 * @param {string} what How messages call the function.
 * @returns {{ handle: number, count: number, isList: boolean }} The program and its outputs.
 */
export const record = (instance, mode, fn, what) =>
  recording(instance, mode, () =>
    instance.scope(() => {
      const outputs = readOutputs(fn(), what);
      const list = Array.isArray(outputs) ? outputs : [outputs];
      const handle = endRecording(instance, list);
      return { handle, count: list.length, isList: list === outputs };
    }, GONE),
  );

/**
 * Begin a recording for a function that ends it; if it throws, the recording is forgotten.
 * @template T
 * @param {Instance} instance
 * @param {'GLK_TRACE' | 'GLK_TAPE'} mode
 * @param {() => T} body
 */
export const recording = (instance, mode, body) => {
  const { bridge, context } = instance;
  bridge.check(bridge.x.glk_program_begin(context, bridge.constant(mode)));
  instance.recording = true;
  instance.tracing = mode === 'GLK_TRACE';
  try {
    return body();
  } catch (error) {
    if (instance.isAlive) bridge.x.glk_program_cancel(context);
    throw error;
  } finally {
    instance.recording = false;
    instance.tracing = false;
  }
};

/** @param {unknown} result @param {string} what @returns {Tensor | Tensor[]} */
const readOutputs = (result, what) => {
  if (result instanceof Tensor) return result;
  if (isThenable(result)) {
    throw new TypeError(`${what} must not be async: a recording ends when the function returns`);
  }
  if (!Array.isArray(result) || result.length === 0) {
    throw new TypeError(
      `${what} must return a tensor or a list of tensors, by ops such as g.mul; it returned ${describe(result)}`,
    );
  }
  return readEach(result, what, (output, i) => {
    if (output instanceof Tensor) return output;
    throw new TypeError(
      `${what} must return tensors, entry ${i} of its result is ${describe(output)}`,
    );
  });
};

/** @param {Instance} instance @param {readonly Tensor[]} outputs */
export const endRecording = (instance, outputs) => {
  const handles = outputs.map((output) => Resource.handleOf(instance, output));
  const { bridge, context } = instance;
  return bridge.staged(handles.length * 4, (address) => {
    const count = bridge.writeList(address, handles);
    bridge.check(bridge.x.glk_program_end(context, address, count, bridge.out));
    return bridge.outHandle();
  });
};

/**
 * Handles of the variables that a program reads, 0 for disposed ones; or of those to minimise over.
 * @param {Instance} instance
 * @param {number} program
 * @param {'glk_program_variables' | 'glk_program_trainable'} [which]
 */
export const readVariables = (instance, program, which = 'glk_program_variables') => {
  const { bridge, context } = instance;
  for (let capacity = COMMON_VARIABLES; ; ) {
    const address = bridge.stage(capacity * 4);
    try {
      const { out, x } = bridge;
      bridge.check(x[which](context, program, address, capacity, out));
      const count = bridge.outHandle();
      if (count <= capacity) return bridge.readList(address, count);
      capacity = count;
    } finally {
      bridge.unstage(address);
    }
  }
};

/**
 * A recorded computation: `run` replays it in C, with the current variables and buffers of its own.
 * @template {Tensor | Tensor[]} [T=Tensor] What the recorded function returned.
 */
export class Program extends Resource {
  #outputs;
  #isList;
  /** Kept alive: only a program may know these variables. @type {readonly Variable[]} */
  #variables;

  /**
   * @internal
   * @param {Instance} instance
   * @param {{ handle: number, count: number, isList: boolean }} recorded
   */
  constructor(instance, { handle, count, isList }) {
    super(instance, handle, false);
    this.#outputs = count;
    this.#isList = isList;
    const found = readVariables(instance, handle).map((h) => instance.variables.get(h)?.deref());
    this.#variables = found.filter((variable) => variable !== undefined);
  }

  /**
   * Compute the outputs.
   * @returns {T} A list if the recorded function returned one.
   * @example
   * const x = g.variable([1, 2]);
   * const program = g.compile(() => g.square(x));
   * x.assign([3, 4]);
   * program.run().data(); // [9, 16]
   */
  run() {
    this.#compute();
    return this.outputs();
  }

  /**
   * The outputs as last computed: by `run`, or by a step of training, from the variables before it.
   * Computed if they never were.
   * @returns {T} A list if the recorded function returned one.
   * @example
   * const x = g.variable([1, 2]);
   * g.compile(() => g.square(x)).outputs().data(); // [1, 4]
   */
  outputs() {
    const handle = Resource.ownHandle(this);
    const instance = Resource.instanceOf(this);
    /** @type {Tensor[]} */
    const tensors = [];
    try {
      for (let i = 0; i < this.#outputs; i++) {
        tensors.push(new Tensor(instance, readOutput(instance, handle, i)));
      }
    } catch (error) {
      for (const tensor of tensors) tensor.dispose();
      throw error;
    }
    return /** @type {T} */ (this.#isList ? tensors : tensors[0]);
  }

  /**
   * Compute, and read the only value of the first output.
   * @returns {number}
   * @example
   * const x = g.variable([1, 2]);
   * g.compile(() => g.sum(g.square(x))).value(); // 5
   */
  value() {
    const handle = this.#compute();
    const { bridge, context } = Resource.instanceOf(this);
    try {
      bridge.check(bridge.x.glk_program_read(context, handle, 0, bridge.out, 1));
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error;
      const tensors = [this.outputs()].flat();
      const count = tensors[0]?.size;
      for (const tensor of tensors) tensor.dispose();
      throw new ShapeError(
        `value() needs a scalar output, this one has ${count} values: use run()`,
      );
    }
    return Number(bridge.reals[bridge.out / bridge.realBytes]);
  }

  /**
   * Do something that computes the outputs, and read one of them, which can no longer fail then:
   * the memory for it is there before.
   * @internal
   * @param {number} index
   * @param {number} count Its number of elements.
   * @param {() => void} compute
   * @returns {Float32Array}
   */
  readAfter(index, count, compute) {
    const handle = Resource.ownHandle(this);
    const { bridge, context } = Resource.instanceOf(this);
    const address = bridge.reserve(count * bridge.realBytes);
    try {
      compute();
      bridge.check(bridge.x.glk_program_read(context, handle, index, address, count));
      const from = address / bridge.realBytes;
      return bridge.reals.slice(from, from + count);
    } finally {
      bridge.x.glk_bind_free(address);
    }
  }

  #compute() {
    const handle = Resource.ownHandle(this);
    const { bridge } = Resource.instanceOf(this);
    bridge.check(bridge.x.glk_program_run(bridge.context, handle));
    return handle;
  }

  /** The variables that it reads. */
  get variables() {
    Resource.ownHandle(this);
    return this.#variables.filter((variable) => !variable.disposed);
  }

  /** The trainable variables of the first output, a scalar: those that `minimize` can train. */
  get trainable() {
    const handle = Resource.ownHandle(this);
    const handles = new Set(
      readVariables(Resource.instanceOf(this), handle, 'glk_program_trainable'),
    );
    const instance = Resource.instanceOf(this);
    return this.variables.filter((variable) => handles.has(Resource.handleOf(instance, variable)));
  }

  /** Bytes of its buffers. */
  get memoryBytes() {
    return this.#describe('glk_program_info.memory_bytes');
  }

  /** How many operations it holds, recorded and generated. */
  get nodes() {
    return this.#describe('glk_program_info.nodes');
  }

  /** How many operations the last run computed; locks make it smaller. */
  get activeNodes() {
    return this.#describe('glk_program_info.active_nodes');
  }

  /** The number of runs, also in training; random ops draw by it. Set it to draw a number again. */
  get runs() {
    return this.#describe('glk_program_info.runs');
  }

  set runs(value) {
    Program.checkRuns(value);
    const handle = Resource.ownHandle(this);
    const { bridge } = Resource.instanceOf(this);
    bridge.check(bridge.x.glk_program_resume(bridge.context, handle, value));
  }

  /** @internal @param {unknown} runs */
  static checkRuns(runs) {
    if (readCount(runs, 'runs') <= MOST_RUNS) return;
    throw new OptionError(`runs must be an integer from 0 to ${MOST_RUNS}, got ${describe(runs)}`);
  }

  /** @param {string} field */
  #describe(field) {
    const bridge = Resource.ask(this, 'glk_program_describe');
    return bridge.readField(bridge.out, field);
  }

  /** @override */ get [Symbol.toStringTag]() {
    return 'Program';
  }

  /**
   * @override
   * @example
   * const x = g.variable([1, 2]);
   * String(g.compile(() => g.sum(g.square(x)))); // 'Program of 3 operations'
   */
  toString() {
    return this.disposed ? 'Program (disposed)' : `Program of ${this.nodes} operations`;
  }
}

/** @param {Instance} instance @param {number} program @param {number} index */
const readOutput = ({ bridge }, program, index) => {
  bridge.check(bridge.x.glk_program_output(bridge.context, program, index, bridge.out));
  return bridge.outHandle();
};

/**
 * @template {Tensor | Tensor[]} T
 * @param {Instance} instance
 * @param {() => T} fn
 * @returns {Program<T>}
 */
export const compile = (instance, fn) => {
  if (typeof fn !== 'function') {
    throw new TypeError(`compile takes a function that returns a tensor, got ${describe(fn)}`);
  }
  return new Program(instance, record(instance, 'GLK_TRACE', fn, 'the function given to compile'));
};
