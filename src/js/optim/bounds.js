// Bounds of a solver's variables, read from JavaScript's forms and kept by C.
import { describe, readOptions, sameShape } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { readVariableList } from '../graph/gradient.js';
import { holderNames } from '../locks/holder-names.js';
import { notify } from '../locks/listeners.js';
import { Resource } from '../tensors/resource.js';
import { readValuesOf } from '../tensors/tensor.js';

/** @import { Instance } from '../tensors/instance.js' */
/** @import { Values } from '../base/nested.js' */
/** @import { Tensor } from '../tensors/tensor.js' */
/** @import { Variable } from '../locks/variable.js' */
/**
 * Lower and upper bounds of a variable: a number for all elements, or values of the variable's
 * shape. Bounds left out are infinite, as single values may be. They round like elements.
 * @typedef {{ min?: Values | Tensor, max?: Values | Tensor }} Bounds
 */

/** The holder of elements that a bound stops. */
const BOUND_HOLDER = 'bound';

/** @param {unknown} variable @returns {Variable} */
const readVariable = (variable) => {
  const [checked] = readVariableList([variable], 'variable');
  return /** @type {Variable} */ (checked);
};

/**
 * @param {Instance} instance
 * @param {Variable} variable
 * @param {unknown} limit
 * @param {string} what
 */
const readLimit = (instance, variable, limit, what) => {
  const { size, shape } = variable;
  if (typeof limit === 'number') return new instance.bridge.Reals(size).fill(limit);
  const found = readValuesOf(instance, limit, variable, what);
  if (sameShape(found.shape, shape)) return found.data;
  throw new ShapeError(
    `${what} has shape [${found.shape}], variable '${variable.name}' has shape [${shape}]`,
  );
};

/**
 * @param {Instance} instance
 * @param {number} solver
 * @param {unknown} target
 * @param {unknown} bounds
 */
export const setBounds = (instance, solver, target, bounds) => {
  const variable = readVariable(target);
  if (bounds === undefined || typeof bounds === 'number') {
    throw new TypeError(`bounds must be { min, max } or null, got ${describe(bounds)}`);
  }
  const handle = Resource.handleOf(instance, variable);
  const { bridge } = instance;
  const { context, x } = bridge;
  if (bounds === null) {
    bridge.check(x.glk_solver_bounds(context, solver, handle, 0, 0, 0));
  } else {
    const given = readOptions(bounds, ['min', 'max'], 'bounds');
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = given;
    const lower = readLimit(instance, variable, min, 'min');
    const upper = readLimit(instance, variable, max, 'max');
    const count = variable.size;
    const { realBytes } = bridge;
    bridge.staged(2 * count * realBytes, (address) => {
      const second = address + count * realBytes;
      bridge.put(bridge.reals, lower, address / realBytes);
      bridge.put(bridge.reals, upper, second / realBytes);
      const own = Resource.handleOf(instance, variable); // reading bounds may have run the caller's code
      bridge.check(x.glk_solver_bounds(context, solver, own, address, second, count));
    });
  }
  notify(variable);
};

/**
 * @param {Instance} instance
 * @param {number} solver
 * @param {unknown} target
 * @returns {{ min: Float32Array, max: Float32Array } | null}
 */
export const readBounds = (instance, solver, target) => {
  const variable = readVariable(target);
  const handle = Resource.handleOf(instance, variable);
  const { bridge } = instance;
  const { context, out, x } = bridge;
  const count = variable.size;
  const { realBytes } = bridge;
  return bridge.staged((2 * count + 1) * realBytes, (address) => {
    const second = address + count * realBytes;
    bridge.check(x.glk_solver_bounded(context, solver, handle, address, second, count, out));
    if (bridge.outHandle() === 0) return null;
    const at = address / realBytes;
    const { reals } = bridge;
    return { min: reals.slice(at, at + count), max: reals.slice(at + count, at + 2 * count) };
  });
};

/**
 * The solver that holds elements of a variable. It lives as long as the variable: else the garbage
 * collector would dispose of it at any time, and free the elements.
 * @type {WeakMap<Tensor, object>}
 */
const solvers = new WeakMap();

/** The variables in which a solver holds elements. @type {WeakMap<object, Set<Variable>>} */
const holding = new WeakMap();

/** Call after a solver trained. @param {object} solver @param {readonly Variable[]} variables */
export const keepHolding = (solver, variables) => {
  for (const variable of variables) {
    if (variable.disposed || !holderNames(variable).includes(BOUND_HOLDER)) continue;
    solvers.set(Resource.ownerOf(variable), solver);
    holding.set(solver, (holding.get(solver) ?? new Set()).add(variable));
  }
};

/** Call after a solver was disposed. @param {object} solver */
export const notifyDisposed = (solver) => {
  for (const variable of holding.get(solver) ?? []) notify(variable);
};
