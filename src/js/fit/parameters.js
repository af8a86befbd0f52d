// Named parameters: numbers that a fit looks for, with bounds, locks, and ties by expressions.
// Each that is no tie is an element of one variable, so that every law of locks holds for it.
import {
  describe,
  isRecord,
  optionError,
  readFlag,
  readNumber,
  readOptions,
  typeError,
} from '../base/check.js';
import { OptionError, ShapeError } from '../base/errors.js';
import { roundingOf } from './data.js';

/** @import { Gradlock } from '../gradlock.js' */
/** @import { Variable } from '../locks/variable.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/**
 * Scalars by the names of parameters, for ops.
 * @template {string} [N=string]
 * @typedef {Readonly<Record<N, Tensor>>} NamedTensors
 */
/**
 * A parameter: its start, or what says more.
 * @typedef {number | FreeParameter | TiedParameter} ParameterSpec
 */
/**
 * @typedef {object} FreeParameter
 * @property {number} value Where the fit starts; where it is locked, what is known.
 * @property {number} [min] The lowest value allowed. Default: none.
 * @property {number} [max] The highest value allowed. Default: none.
 * @property {boolean} [lock] True if it is known: no fit changes a bit. Default: false.
 */
/**
 * @typedef {object} TiedParameter
 * @property {(parameters: NamedTensors) => Tensor | number} tie Its value, by ops on other
 *   parameters.
 */

/** Holder of the locks of elements at their bounds. */
const BOUND = 'bound';

/** @typedef {{ min: number, max: number }} Range */

/**
 * @internal
 * @typedef {object} Reading What parameters are made of, read from the caller's object.
 * @property {string[]} names Of all, in the caller's order.
 * @property {string[]} own Those that are elements of the variable.
 * @property {number[]} values
 * @property {Range[]} ranges
 * @property {boolean[]} locked
 * @property {Map<string, (parameters: NamedTensors) => Tensor | number>} ties
 */

/** @param {unknown} value @param {string} what */
const readFinite = (value, what) => {
  const number = readNumber(value, what);
  if (!Number.isFinite(number)) throw optionError(what, 'a finite number', value);
  return number;
};

/** @param {unknown} value @param {string} what @param {number} initial */
const readBound = (value, what, initial) => {
  if (value === undefined) return initial;
  const number = readNumber(value, what);
  if (Number.isNaN(number)) throw optionError(what, 'a number', value);
  return number;
};

/** @param {unknown} given @param {(value: number) => number} round @returns {Reading} */
const read = (given, round) => {
  if (!isRecord(given)) {
    throw new TypeError(`parameters must be an object by names, got ${describe(given)}`);
  }
  /** @type {Reading} */
  const found = { names: [], own: [], values: [], ranges: [], locked: [], ties: new Map() };
  for (const [name, spec] of Object.entries(given)) {
    const what = `parameter '${name}'`;
    found.names.push(name);
    const isTie = isRecord(spec) && Object.hasOwn(spec, 'tie');
    if (typeof spec !== 'number' && !isRecord(spec)) {
      throw typeError(what, 'a number or an object with value or tie', spec);
    }
    const { value, min, max, lock, tie } = /** @type {any} */ (
      readOptions(
        typeof spec === 'number' ? { value: spec } : spec,
        isTie ? ['tie'] : ['value', 'min', 'max', 'lock'],
        `options of ${what}`,
      )
    );
    if (isTie) {
      if (typeof tie !== 'function') {
        throw new TypeError(`${what}: tie must be a function, got ${describe(tie)}`);
      }
      found.ties.set(name, tie);
      continue;
    }
    const start = readFinite(value, `${what}: value`);
    const range = {
      min: readBound(min, `${what}: min`, -Infinity),
      max: readBound(max, `${what}: max`, Infinity),
    };
    if (range.min > range.max) {
      throw new OptionError(`${what}: min ${range.min} is above max ${range.max}`);
    }
    checkRange(what, start, range, round);
    found.own.push(name);
    found.values.push(start);
    found.ranges.push(range);
    found.locked.push(lock === undefined ? false : readFlag(lock, `${what}: lock`));
  }
  if (found.own.length === 0) throw new OptionError('parameters need one that is no tie');
  return found;
};

/**
 * @param {string} what
 * @param {number} value
 * @param {Range} range
 * @param {(value: number) => number} round
 */
const checkRange = (what, value, { min, max }, round) => {
  const rounded = round(value);
  if (rounded >= round(min) && rounded <= round(max)) return;
  throw new OptionError(`${what}: ${value} is outside of its bounds, ${min} to ${max}`);
};

/**
 * Named parameters of a fit, one object for any number of fits: `parameters({ … })` makes it.
 * @template {string} [N=string]
 */
export class Parameters {
  #g;
  #round;
  #reading;
  #variable;

  /** @internal @param {Gradlock} g @param {unknown} given */
  constructor(g, given) {
    this.#g = g;
    // What an instance gave back may be set again, also where it is a bound.
    this.#round = roundingOf(g);
    this.#reading = read(given, this.#round);
    const { values, own, locked } = this.#reading;
    this.#variable = g.variable(values, { name: 'parameters' });
    try {
      void this.values; // that ties can be computed
      const indices = own.flatMap((_, i) => (locked[i] ? [i] : []));
      if (indices.length > 0) this.#variable.lock(indices);
    } catch (error) {
      this.#variable.dispose();
      throw error;
    }
  }

  /** Names of all parameters, in their order. @returns {N[]} */
  get names() {
    return /** @type {N[]} */ ([...this.#reading.names]);
  }

  /** Names of the elements of the variable, in its order: all but ties. @returns {N[]} */
  get elements() {
    return /** @type {N[]} */ ([...this.#reading.own]);
  }

  /** Names of those locked by any holder but `bound`: what a fit takes as known. @returns {N[]} */
  get locked() {
    return this.#lockedIn(this.#variable);
  }

  /** @param {Variable} variable @returns {N[]} */
  #lockedIn({ locks }) {
    const known = this.#g.tidy(() => {
      const others = locks.holders.filter((name) => name !== BOUND);
      const sets = [locks.own(), ...others.map((name) => locks.holder(name).toLocks())];
      return sets.flatMap((set) => [...set.toIndices()]);
    });
    return this.elements.filter((_, i) => known.includes(i));
  }

  /**
   * Names of those that a solver holds at a bound.
   * @internal
   * @param {Variable} variable Of the parameters' shape; this object's own may be disposed.
   */
  boundIn(variable) {
    const { locks } = variable;
    if (!locks.holders.includes(BOUND)) return [];
    const locked = this.#lockedIn(variable);
    return this.#g.tidy(() => {
      const held = locks.holder(BOUND).toLocks();
      return this.elements.filter((name, i) => held.has(i) && !locked.includes(name));
    });
  }

  /** The variable whose elements they are, of shape [elements], for locks and optimizers. */
  get variable() {
    return this.#variable;
  }

  /** The values now, of ties too. @returns {Record<N, number>} */
  get values() {
    return this.at(this.#variable);
  }

  /**
   * Set values; those of locked ones must not change. All or none: throws OptionError for a value
   * outside of its bounds, LockedElementError for one that is locked.
   * @param {Partial<Record<N, number>>} values
   * @returns {this}
   * @example
   * const p = fits.parameters({ height: 3, width: 0.5 });
   * p.set({ height: 4 }).values.height; // 4
   */
  set(values) {
    if (!isRecord(values)) throw typeError('values', 'an object by names', values);
    const next = this.#variable.data();
    for (const [name, value] of Object.entries(values)) {
      const i = this.index(name);
      next[i] = this.#checked(i, value);
    }
    this.#variable.assign(next);
    return this;
  }

  /**
   * Lock parameters at their values.
   * @param {...N} names
   * @returns {this}
   * @example
   * const p = fits.parameters({ height: 3, width: 0.5 });
   * p.lock('width').locked; // ['width']
   */
  lock(...names) {
    this.#variable.lock(names.map((name) => this.index(name)));
    return this;
  }

  /**
   * Free parameters. Those that another holder of locks holds stay locked.
   * @param {...N} names
   * @returns {this}
   * @example
   * const p = fits.parameters({ height: 3, width: 0.5 });
   * p.lock('width').unlock('width').locked; // []
   */
  unlock(...names) {
    this.#variable.unlock(names.map((name) => this.index(name)));
    return this;
  }

  /**
   * Set one parameter, locked or not, and lock it.
   * @param {N} name
   * @param {number} value
   * @returns {this}
   * @example
   * const p = fits.parameters({ height: 3, width: 0.5 });
   * p.fix('width', 0.25).values.width; // 0.25
   */
  fix(name, value) {
    const i = this.index(name);
    this.#variable.fix(i, this.#checked(i, value));
    return this;
  }

  /** Bounds of the elements, in their order. @internal @returns {readonly Range[]} */
  get ranges() {
    return this.#reading.ranges;
  }

  /** Names of ties. @internal @returns {string[]} */
  get ties() {
    return [...this.#reading.ties.keys()];
  }

  /** Which element of the variable a parameter is. @internal @param {string} name */
  index(name) {
    if (typeof name !== 'string') throw typeError('a name', 'a string', name);
    const { own, names, ties } = this.#reading;
    const i = own.indexOf(name);
    if (i >= 0) return i;
    if (ties.has(name))
      throw new OptionError(`parameter '${name}' is a tie: set what it refers to`);
    throw unknown(name, names);
  }

  /** @param {number} i @param {unknown} value */
  #checked(i, value) {
    const { own, ranges } = this.#reading;
    const what = `parameter '${own[i]}'`;
    const number = readFinite(value, what);
    checkRange(what, number, /** @type {Range} */ (ranges[i]), this.#round);
    return number;
  }

  /** Values of a variable. @internal @param {Variable} variable @returns {Record<N, number>} */
  at(variable) {
    const tensors = this.#g.tidy(() => {
      const named = this.tensors(variable);
      return this.#reading.names.map((name) => [name, named[name]?.item()]);
    });
    return Object.fromEntries(tensors);
  }

  /**
   * Each parameter as a scalar of a variable, ties computed when they are read.
   * @internal
   * @param {Variable} variable
   * @returns {NamedTensors<string>}
   */
  tensors(variable) {
    const g = this.#g;
    const { names, own, ties } = this.#reading;
    /** @type {Record<string, Tensor>} */
    const found = Object.create(null);
    /** @type {string[]} */
    const open = [];
    /** @param {string} name @returns {Tensor} */
    const resolve = (name) => {
      const known = found[name];
      if (known) return known;
      const tie = ties.get(name);
      if (!tie) {
        const at = g.slice(variable, [own.indexOf(name)], [1]);
        found[name] = g.reshape(at, []);
        return found[name];
      }
      if (open.includes(name)) {
        const circle = [...open.slice(open.indexOf(name)), name].join(' → ');
        throw new OptionError(`parameter '${name}': its tie refers to itself, ${circle}`);
      }
      open.push(name);
      const value = tie(named);
      open.pop();
      found[name] = readScalar(g, value, name);
      return found[name];
    };
    const target = Object.fromEntries(names.map((name) => [name, undefined]));
    /** @type {any} */
    const named = new Proxy(target, {
      get: (_, name) => {
        if (typeof name !== 'string') return undefined;
        if (!Object.hasOwn(target, name)) throw unknown(name, names);
        return resolve(name);
      },
    });
    return named;
  }

  /**
   * Dispose the variable.
   * @example
   * const p = fits.parameters({ height: 3, width: 0.5 });
   * p.dispose();
   * p.variable.disposed; // true
   */
  dispose() {
    this.#variable.dispose();
  }

  /**
   * Names, values, and what is locked.
   * @returns {string}
   * @example
   * const p = fits.parameters({ height: 3, width: 0.5 });
   * String(p.lock('width')).split('\n')[2]; // '  width = 0.5 (locked)'
   */
  toString() {
    if (this.#variable.disposed) return 'Parameters (disposed)';
    const { locked, values } = this;
    const rows = this.names.map((name) => {
      const mark = this.ties.includes(name) ? ' (tied)' : locked.includes(name) ? ' (locked)' : '';
      return `  ${name} = ${values[name]}${mark}`;
    });
    return ['Parameters', ...rows].join('\n');
  }
}

/** @param {string} name @param {readonly string[]} names */
const unknown = (name, names) =>
  new OptionError(`unknown parameter '${name}'; known: ${names.join(', ')}`);

/** @param {Gradlock} g @param {unknown} value @param {string} name @returns {Tensor} */
const readScalar = (g, value, name) => {
  if (Number.isFinite(value)) return g.tensor(/** @type {number} */ (value));
  const tensor = /** @type {any} */ (value);
  if (!Array.isArray(tensor?.shape) || typeof tensor.data !== 'function') {
    throw new TypeError(
      `parameter '${name}': its tie must give a tensor or a finite number, got ${describe(value)}: compute with ops such as g.mul`,
    );
  }
  if (tensor.size !== 1) {
    throw new ShapeError(
      `parameter '${name}': its tie must give one value, got shape [${tensor.shape.join(', ')}]`,
    );
  }
  return g.reshape(tensor, []);
};

/** Reads the option parameters. @param {Gradlock} g @param {unknown} given @returns {Parameters} */
export const readParameters = (g, given) => {
  if (!(given instanceof Parameters)) return new Parameters(g, given);
  void given.variable.data(); // throws DisposedError if they were disposed
  return given;
};
