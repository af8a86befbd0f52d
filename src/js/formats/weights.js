// Weights of a model by name: finds those of a file that fit, and writes all or none.
import { describe, formatShape, readFlag, sameShape } from '../base/check.js';
import { ShapeError } from '../base/errors.js';
import { bitsOf, dtypeOf } from './dtypes.js';

/** @import { AnyModel } from '../either.js' */
/** @import { Reals, RealsType } from './dtypes.js' */
/** @import { Variable } from '../locks/variable.js' */
/** @typedef {import('../layers/model/model.js').Model} InnerModel */
/**
 * @typedef {object} Entry What a file has for a weight.
 * @property {string} name As the file calls it.
 * @property {string} dtype As the file calls it.
 * @property {readonly number[]} shape
 * @property {(Type: RealsType) => { values: Reals, rounded: number }} convert
 */
/**
 * @typedef {object} LoadReport Names are the model's, but for `unexpected`, which are the file's.
 * @property {string[]} loaded
 * @property {string[]} missing Weights of the model that the file does not contain.
 * @property {string[]} unexpected Weights of the file that the model does not have.
 * @property {{ name: string, expected: readonly number[], got: readonly number[] }[]} misshapen
 * @property {string[]} skipped What of the file is no weight: slots of optimizers, states of
 *   generators, and what a mapping leaves out.
 * @property {{ name: string, dtype: string, rounded: number }[]} converted What had another type in
 *   the file than in the model, and how many of its values had to be rounded.
 */

/** @param {unknown} value @param {string} caller @returns {InnerModel} */
export const readModel = (value, caller) => {
  const model = /** @type {any} */ (value);
  if (Array.isArray(model?.weights) && Array.isArray(model.layers) && model.g) return model;
  throw new TypeError(`${caller} takes a model of gradlock/layers, got ${describe(value)}`);
};

/** Weights by name; repeated ones get _1, _2… @param {{ weights: readonly Variable[] }} model */
export const weightsByName = (model) => {
  /** @type {Map<string, Variable>} */
  const found = new Map();
  for (const weight of model.weights) found.set(freeName(found, weight.name), weight);
  return found;
};

/** @param {Map<string, unknown>} used @param {string} name */
export const freeName = (used, name) => {
  let free = name;
  for (let n = 1; used.has(free); n++) free = `${name}_${n}`;
  return free;
};

/** @param {string[]} names */
const list = (names) => (names.length > 20 ? [...names.slice(0, 20), '…'] : names).join(', ');

/** Weights of a file do not match a model; `report` lists the differences. */
export class MismatchError extends ShapeError {
  /** @internal @param {AnyModel} model @param {LoadReport} report */
  constructor(model, report) {
    const { missing, unexpected, misshapen } = report;
    const parts = [
      missing.length > 0 && `the file does not contain ${list(missing)}`,
      unexpected.length > 0 && `the model has no ${list(unexpected)}`,
      misshapen.length > 0 &&
        `their shapes differ: ${list(
          misshapen.map(
            ({ name, expected, got }) =>
              `${name} ${formatShape(expected)} is ${formatShape(got)} in the file`,
          ),
        )}`,
    ].filter(Boolean);
    super(
      `${model.name}: the weights do not match, nothing was loaded: ${parts.join('; ')}. ` +
        '{ partial: true } loads what matches, { mapping } maps names',
      'GLK_ERROR_SHAPE',
    );
    /** The weights that would have been loaded, and those that would not. @type {LoadReport} */
    this.report = report;
  }
}

/** True if a locked element would change a bit. @param {Variable} weight @param {Reals} values */
const changesLocked = (weight, values) => {
  if (weight.locks.count === 0) return false;
  const mask = weight.locks.toMask();
  const [now, then] = [weight.data(), values].map(bitsOf);
  return mask.some((locked, i) => locked === 1 && now?.[i] !== then?.[i]);
};

/**
 * Write weights, all or none: what can fail is tried before the first is written. The largest comes
 * first, so that memory lasts for all others if it does for that one.
 * @param {readonly { weight: Variable, read: () => Reals }[]} writes
 * @param {boolean} force
 */
export const writeAll = (writes, force) => {
  if (!force) {
    for (const { weight, read } of writes) {
      if (weight.locks.count === 0) continue;
      const values = read();
      if (changesLocked(weight, values)) weight.assign(values); // which says so, and writes nothing
    }
  }
  for (const { weight, read } of [...writes].sort((a, b) => b.weight.size - a.weight.size)) {
    weight.assign(read(), { force });
  }
};

/**
 * @param {AnyModel} model
 * @param {Map<string, Entry>} entries By names of the model's weights; others are unexpected.
 * @param {Record<string, unknown>} options
 * @param {string[]} [skipped]
 */
export const loadEntries = (model, entries, { partial = false, force = false }, skipped = []) => {
  const [takesPart, isForced] = [readFlag(partial, 'partial'), readFlag(force, 'force')];
  /** @type {LoadReport} */
  const report = { loaded: [], missing: [], unexpected: [], misshapen: [], skipped, converted: [] };
  const net = /** @type {InnerModel} */ (/** @type {unknown} */ (model));
  const weights = weightsByName(model);
  /** @type {{ weight: Variable, read: () => Reals }[]} */
  const writes = [];
  /** How often each was rounded, counted once. @type {Map<string, number>} */
  const rounded = new Map();
  for (const [name, weight] of weights) {
    const entry = entries.get(name);
    if (!entry) report.missing.push(name);
    else if (!sameShape(entry.shape, weight.shape)) {
      report.misshapen.push({ name, expected: weight.shape, got: entry.shape });
    } else {
      report.loaded.push(name);
      const read = () => {
        const found = entry.convert(net.nn.Reals);
        rounded.set(name, found.rounded);
        return found.values;
      };
      writes.push({ weight, read });
    }
  }
  report.unexpected = [...entries].filter(([key]) => !weights.has(key)).map(([, { name }]) => name);
  const { missing, unexpected, misshapen } = report;
  if (!takesPart && missing.length + unexpected.length + misshapen.length > 0) {
    throw new MismatchError(model, report);
  }
  writeAll(writes, isForced);
  for (const name of report.loaded) {
    const { dtype = '' } = entries.get(name) ?? {};
    if (dtype.replace('float', 'F') === dtypeOf(net)) continue;
    report.converted.push({ name, dtype, rounded: Number(rounded.get(name)) });
  }
  return report;
};
