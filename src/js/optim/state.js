// States of optimizers, as bytes and as plain objects. C defines their content and checks all of it
// before anything changes. This module finds variables, programs and generators.
import { decode, encode } from '../base/archive.js';
import { describe, isRecord, readEach, readFlag, readOptions } from '../base/check.js';
import { FormatError, OptionError } from '../base/errors.js';
import { readVariableList } from '../graph/gradient.js';
import { Program } from '../graph/program.js';
import { notify } from '../locks/listeners.js';
import { Generator } from '../tensors/random.js';
import { Resource } from '../tensors/resource.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { Variable } from '../locks/variable.js' */
/**
 * @typedef {object} StateOptions
 * @property {readonly Variable[]} [variables] Variables to save. Default: all that it trained.
 * @property {readonly (Program<any> | Generator)[]} [also] Compiled programs with random ops, which
 *   draw by how often they ran, and generators that are drawn from between steps. Of a second-order
 *   method the program that is minimised, first: without it, or if locks have changed since the
 *   last step, what was learnt of the curvature is left out.
 */
/**
 * @typedef {object} SetStateOptions
 * @property {readonly Variable[]} [variables] In the order of the state, with its names and shapes.
 *   Default: those that were trained, if they are the state's, or else the only ones with its
 *   names.
 * @property {readonly (Program<any> | Generator)[]} [also] What was named for the state, in order.
 * @property {boolean} [force] True if elements that are locked now may change. Default: false.
 */
/**
 * A state as an object that survives JSON and structured cloning bit for bit: `version`, `rule`,
 * `options`, and the state that C keeps. Lists are `{ f32: [...] }`, `{ f64: [...] }` or `{ u32:
 * [...] }`, flat and in row-major order; numbers that JSON lacks are text, such as `'-0'` or
 * `'NaN'`. Keys keep their order.
 * @typedef {{ version: number, rule: string, options: Record<string, number>,
 *   variables: { name: string, shape: { u32: number[] },
 *   values: { f32?: (number | string)[], f64?: (number | string)[] },
 *   [name: string]: unknown }[], [name: string]: unknown }} State
 */
/**
 * The variables that an optimizer keeps something of.
 * @param {Instance} instance
 * @param {number} own
 */
const trainedBy = (instance, own) => {
  const { bridge, context } = instance;
  const { x, out } = bridge;
  bridge.check(x.glk_state_variables(context, own, 0, 0, out));
  const count = bridge.outHandle();
  return bridge.staged(count * 4, (address) => {
    bridge.check(x.glk_state_variables(context, own, address, count, out));
    const handles = bridge.u32.slice(address >>> 2, (address >>> 2) + count);
    return [...handles].flatMap((handle) => instance.variables.get(handle)?.deref() ?? []);
  });
};

/** @param {Instance} instance @param {unknown} also @returns {(Program | Generator)[]} */
const readAlso = (instance, also) => {
  const list = also === undefined ? [] : also;
  if (!Array.isArray(list)) {
    throw new TypeError(`also must be an array of programs and generators, got ${describe(also)}`);
  }
  return readEach(list, 'also', (one, i) => {
    if (one instanceof Program) Resource.handleOf(instance, one);
    else if (!(one instanceof Generator)) {
      throw new TypeError(`also[${i}] must be a program or a generator, got ${describe(one)}`);
    }
    return one;
  });
};

/** @param {readonly (Program | Generator)[]} also */
const numbersOf = (also) =>
  also.flatMap((one) => (one instanceof Program ? [0, 0, one.runs] : [1, one.seed, one.step]));

/**
 * Give programs and generators their numbers; first only to see whether these are theirs.
 * @param {readonly (Program | Generator)[]} also
 * @param {readonly unknown[]} numbers
 * @param {boolean} isTrial
 */
const resume = (also, numbers, isTrial) => {
  if (numbers.length !== also.length * 3) {
    throw new FormatError(
      `the state has ${numbers.length / 3} programs and generators, but also has ${also.length}`,
    );
  }
  also.forEach((one, i) => {
    const [kind, seed, step] = numbers.slice(3 * i, 3 * i + 3).map(Number);
    if (kind !== (one instanceof Program ? 0 : 1)) {
      const what = kind === 0 ? 'a program' : 'a generator';
      throw new FormatError(`the state has ${what} where also[${i}] is something else`);
    }
    if (one instanceof Program) Program.checkRuns(step);
    else Generator.checkState(seed, step);
    if (isTrial) return;
    if (one instanceof Program) one.runs = Number(step);
    else one.moveTo(Number(seed), Number(step));
  });
};

/** @param {Instance} instance @param {number} own @param {readonly (Program | Generator)[]} also */
const leading = (instance, own, also) => {
  const program = also.find((one) => one instanceof Program);
  return [own, program instanceof Program ? Resource.handleOf(instance, program) : 0];
};

/** The state as bytes. @param {Instance} instance @param {number} own @param {unknown} options */
const saveState = (instance, own, options) => {
  const { variables, also: given } = readOptions(options, ['variables', 'also'], 'state options');
  const list =
    variables === undefined ? trainedBy(instance, own) : readVariableList(variables, 'variables');
  const also = readAlso(instance, given);
  const { bridge, context } = instance;
  const { out, x } = bridge;
  /** @param {number} bytes */
  const call = (bytes) =>
    withArguments(instance, list, numbersOf(also), bytes, (handles, numbers, at) => {
      const lead = leading(instance, own, also);
      const counted = [handles, list.length, numbers, also.length * 3];
      const room = bytes === 0 ? 0 : at;
      bridge.check(x.glk_state_save(context, ...lead, ...counted, room, bytes, out));
      return bytes === 0 ? bridge.outHandle() : bridge.u8.slice(at, at + bytes);
    });
  return /** @type {Uint8Array} */ (call(Number(call(0))));
};

/**
 * Load a state, and return a part of it. All or nothing.
 * @param {Instance} instance
 * @param {number} own
 * @param {unknown} state Bytes or an object.
 * @param {unknown} options
 */
const loadState = (instance, own, state, options) => {
  const known = ['variables', 'also', 'force'];
  const { variables, also: given, force = false } = readOptions(options, known, 'state options');
  const forced = readFlag(force, 'force');
  const also = readAlso(instance, given);
  const bytes = toBytes(state);
  const { bridge, context } = instance;
  const { out, x } = bridge;
  withArguments(instance, [], [], bytes.length, (_handles, _numbers, at) => {
    bridge.put(bridge.u8, bytes, at);
    bridge.check(x.glk_state_check(context, at, bytes.length));
  });
  const read = decode(bytes, (name) => name === 'also');
  const list =
    variables === undefined
      ? findNamed(instance, trainedBy(instance, own), read)
      : readVariableList(variables, 'variables');
  const { f64 = [] } = /** @type {{ f64?: unknown[] }} */ (read.also ?? {});
  resume(also, f64, true);
  withArguments(instance, list, numbersOf(also), bytes.length, (handles, numbers, at) => {
    bridge.put(bridge.u8, bytes, at);
    const lead = leading(instance, own, also);
    const counted = [handles, list.length, numbers, also.length * 3, at, bytes.length];
    const status = x.glk_state_load(context, ...lead, ...counted, forced ? 1 : 0, out);
    if (status === bridge.constant('GLK_ERROR_LOCKED')) {
      list[bridge.outHandle()]?.failLocked('setState');
    }
    bridge.check(status);
  });
  resume(also, f64, false);
  list.forEach(notify);
  return read;
};

/** @param {unknown} state */
const toBytes = (state) => {
  if (state instanceof Uint8Array) return state;
  if (isRecord(state) && Object.hasOwn(state, 'version')) {
    return encode(/** @type {import('../base/archive.js').Plain} */ (state));
  }
  throw new TypeError(
    `setState takes the result of state() or toBytes(), an object or a Uint8Array, got ${describe(state)}`,
  );
};

/**
 * The variables that a state is of: those that were trained, or else the only ones with its names.
 * @param {Instance} instance
 * @param {Variable[]} trained
 * @param {{ variables?: unknown }} state
 */
const findNamed = (instance, trained, { variables }) => {
  const names = Array.isArray(variables) ? variables.map((one) => String(one?.name)) : [];
  if (names.length === trained.length && names.every((name, i) => name === trained[i]?.name)) {
    return trained;
  }
  const alive = [...instance.variables.values()].flatMap((variable) => variable.deref() ?? []);
  return names.map((name, i) => {
    const found = alive.filter((variable) => variable.name === name);
    if (found.length === 1 && found[0] && name !== '') return found[0];
    throw new OptionError(
      `the state has ${names.length} variables; number ${i} is ` +
        `${describe(name)}, and ${found.length} variables have that name: list all in options.variables`,
    );
  });
};

/**
 * Stage handles, numbers, and room for bytes.
 * @template T
 * @param {Instance} instance
 * @param {readonly Variable[]} variables
 * @param {readonly number[]} numbers
 * @param {number} bytes
 * @param {(handles: number, numbers: number, bytes: number) => T} use
 */
const withArguments = (instance, variables, numbers, bytes, use) => {
  const { bridge } = instance;
  const handles = variables.map((variable) => Resource.handleOf(instance, variable));
  return bridge.staged(numbers.length * 8 + handles.length * 4 + bytes, (address) => {
    const at = address + numbers.length * 8;
    bridge.f64.set(numbers, address >>> 3);
    bridge.writeList(at, handles);
    return use(at, address, at + handles.length * 4);
  });
};

/** Something whose whole state can be saved and restored: an optimizer or a second-order method. */
export class Stateful extends Resource {
  /**
   * Everything that the next step depends on, as a plain object that survives JSON and structured
   * cloning. It has options, schedule, counts, and variables with their values, locks, holders,
   * policies, slots and clocks. Save large models with `toBytes`.
   * @param {StateOptions} [options]
   * @returns {State}
   * @example
   * const w = g.variable([1, 1], { name: 'w' }).lock([0]);
   * const optimizer = g.optimizers.adam();
   * optimizer.minimize(() => g.sum(w), { steps: 3, variables: [w] });
   * const again = g.optimizers.adam();
   * again.setState(JSON.parse(JSON.stringify(optimizer.state())));
   * again.clock(w); // [0, 3]
   */
  state(options) {
    return /** @type {State} */ (decode(this.toBytes(options)));
  }

  /**
   * The same as bytes, with version and checksum.
   * @param {StateOptions} [options]
   * @returns {Uint8Array}
   * @example
   * const w = g.variable([1, 1], { name: 'w' });
   * const [one, other] = [g.optimizers.adam(), g.optimizers.adam()];
   * one.minimize(() => g.sum(w), { steps: 3, variables: [w] });
   * other.setState(one.toBytes());
   * other.iterations; // 3
   */
  toBytes(options) {
    return saveState(Resource.instanceOf(this), Resource.ownHandle(this), options);
  }

  /**
   * Load the result of `state` or `toBytes`, of this instance or another, with the variables.
   * Training then continues bit for bit. All or nothing. Throws FormatError for a state that is
   * damaged, or of another version, rule or variables; ShapeError for another shape or number of
   * variables; LockedElementError where a locked element would change, unless forced; OptionError
   * for a learning rate that is a function, unless the optimizer has one.
   *
   * Slots, clocks and `iterations` of a `state()` may be edited first, for example to continue with
   * the moments of another framework.
   * @param {State | Uint8Array} state
   * @param {SetStateOptions} [options]
   * @returns {this}
   * @example
   * const w = g.variable([1, 1], { name: 'w' });
   * const [one, other] = [g.optimizers.adam(), g.optimizers.adam()];
   * one.minimize(() => g.sum(w), { steps: 3, variables: [w] });
   * other.setState(one.state());
   * other.slot(w, 'm'); // [0.271, 0.271]
   */
  setState(state, options) {
    const own = Resource.ownHandle(this);
    this.restored(loadState(Resource.instanceOf(this), own, state, options));
    return this;
  }

  /** Called when a state was set. @internal @param {import('../base/archive.js').Plain} _state */
  restored(_state) {}
}
