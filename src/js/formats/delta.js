// Deltas: a model's changes by training, as a file, applied to its base and removed to the bit.
import { limitArguments, refuseRest } from '../base/arity.js';
import { describe, formatShape, readFlag, readOptions, sameShape } from '../base/check.js';
import { FormatError, GradlockError } from '../base/errors.js';
import { readBytesOrFile } from './bytes.js';
import { bitsOf, convertArray, dtypeOf } from './dtypes.js';
import { isOfKind, readWords, stamp } from './own.js';
import { readSafetensors, writeSafetensors } from './safetensors.js';
import { parseJSON } from './strict-json.js';
import { freeName, readModel, weightsByName, writeAll } from './weights.js';

/** @import { AnyModel } from '../either.js' */
/** @import { Variable } from '../locks/variable.js' */
/** @import { Reals } from './dtypes.js' */
/** @import { TensorSource } from './safetensors.js' */
/**
 * @typedef {object} Part What a delta has of a weight.
 * @property {Variable} weight
 * @property {Uint32Array} indices Flat indices, ascending.
 * @property {Reals} values
 */

const VERSION = 1;
const INDICES = ':places';

/**
 * A digest of a model but for the elements of a delta: of names, shapes, and bits. Against
 * mistakes, not against forgers. Two sums of 32 bits, by MurmurHash3's steps with two multipliers.
 */
class Digest {
  #a = 0x9747b28c;
  #b = 0x5bd1e995;

  /** @param {number} word */
  add(word) {
    const a = this.#a ^ Math.imul(word, 0xcc9e2d51);
    const b = this.#b ^ Math.imul(word, 0x1b873593);
    this.#a = (Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64) | 0;
    this.#b = (Math.imul((b << 15) | (b >>> 17), 5) + 0x38495ab5) | 0;
  }

  /** @param {string} text */
  addText(text) {
    for (let i = 0; i < text.length; i++) this.add(text.charCodeAt(i));
    this.add(text.length);
  }

  /** @param {Reals} values @param {Uint32Array} indices Which to leave out. */
  addValues(values, indices) {
    const { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: size } = values;
    const words = new Uint32Array(buffer, byteOffset, byteLength / 4);
    const width = size / 4;
    let next = 0;
    for (let i = 0; i < words.length; i += width) {
      if (Number(indices[next]) * width === i) next++;
      else for (let k = i; k < i + width; k++) this.add(Number(words[k]));
    }
  }

  toString() {
    return [this.#a, this.#b].map((sum) => (sum >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** @param {ArrayLike<number | bigint>} now @param {ArrayLike<number | bigint>} then */
const differences = (now, then) => {
  let count = 0;
  for (let i = 0; i < now.length; i++) if (now[i] !== then[i]) count++;
  const indices = new Uint32Array(count);
  for (let i = 0, at = 0; at < count; i++) if (now[i] !== then[i]) indices[at++] = i;
  return indices;
};

/**
 * Copy values by their bits, which an assignment of floats need not keep.
 * @template {Reals} T
 * @param {T} to
 * @param {Reals} from Of the same type.
 * @param {(i: number) => [to: number, from: number]} indicesOf
 * @param {number} count
 */
const copyBits = (to, from, indicesOf, count) => {
  const [target, source] = [/** @type {any} */ (bitsOf(to)), bitsOf(from)];
  for (let i = 0; i < count; i++) {
    const [into, out] = indicesOf(i);
    target[into] = source[out];
  }
  return to;
};

/** The values at some indices. @param {Reals} values @param {Uint32Array} indices */
const pick = (values, indices) =>
  copyBits(values.slice(0, indices.length), values, (i) => [i, Number(indices[i])], indices.length);

/**
 * The weights of a base: of another model with the same weights, or of a file with all of them.
 * @param {unknown} base
 * @param {import('./dtypes.js').RealsType} Type
 * @returns {(name: string, weight: Variable) => Reals}
 */
const readBase = (base, Type) => {
  const isModel = Array.isArray(/** @type {any} */ (base)?.weights);
  const parts = /** @type {Map<string, any>} */ (
    isModel
      ? weightsByName(/** @type {AnyModel} */ (base))
      : readSafetensors(readBytesOrFile(base, 'saveDelta: the base')).tensors
  );
  return (name, weight) => {
    const found = parts.get(name);
    if (found && sameShape(found.shape, weight.shape)) {
      return (isModel ? convertArray(found.data(), Type) : found.convert(Type)).values;
    }
    throw new FormatError(
      `saveDelta: the base has no ${name} of shape ${formatShape(weight.shape)}`,
    );
  };
};

/**
 * The difference between a model and a base, as a file. It has the values and indices of the
 * elements that differ in a bit or, without a base, of those that are free now. A run of indices
 * takes about two bytes; single indices take at most a bit for each element of the weight.
 * @param {AnyModel} model
 * @param {AnyModel | Uint8Array | ArrayBuffer | string | { href: string }} [base] A model of the
 *   same weights, or what `saveModel` or `saveWeights` gave, as for `readSafetensors`. Default:
 *   locked elements are the base.
 * @param {{ metadata?: Record<string, string> }} [options] `metadata`: words of your own.
 * @param {[]} more
 * @returns {Uint8Array<ArrayBuffer>}
 * @example
 * net.trainOnly(/^head/);
 * await net.fit(xs, ys);
 * const delta = saveDelta(net);       // of what was free: the head
 */
export const saveDelta = (model, base, options = {}, ...more) => {
  refuseRest('saveDelta', 3, more);
  const net = readModel(model, 'saveDelta');
  const { metadata = {} } = readOptions(options, ['metadata'], 'saveDelta options');
  const baseOf = base === undefined ? null : readBase(base, net.nn.Reals);
  const digest = new Digest();
  /** @type {Map<string, TensorSource>} */
  const tensors = new Map();
  /** @type {[string, string, string][]} */
  const parts = [];
  for (const [name, weight] of weightsByName(net)) {
    const data = weight.data();
    const free = baseOf ? null : weight.locks.not();
    const before = baseOf?.(name, weight) ?? data;
    const indices = free?.toIndices() ?? differences(bitsOf(data), bitsOf(before));
    free?.dispose();
    digest.addText(`${name} ${weight.shape}`);
    digest.addValues(data, indices);
    if (indices.length === 0) continue;
    const set = net.g.locks(weight.shape, indices);
    const values = pick(data, indices);
    const wanted = freeName(tensors, name);
    tensors.set(wanted, { shape: [values.length], data: values });
    const packed = set.toBytes();
    set.dispose();
    const where = freeName(tensors, `${wanted}${INDICES}`);
    tensors.set(where, { shape: [packed.length], data: packed });
    parts.push([name, wanted, where]);
  }
  const own = {
    ...readWords(metadata, 'saveDelta'),
    'gradlock.parts': JSON.stringify(parts),
    'gradlock.base': digest.toString(),
  };
  return writeSafetensors(tensors, stamp(own, 'delta', VERSION));
};

/** A checked delta. @param {import('./weights.js').InnerModel} model @param {unknown} bytes */
const readDelta = (model, bytes) => {
  const parsed = readSafetensors(readBytesOrFile(bytes, 'applyDelta: the delta'));
  if (!isOfKind(parsed, 'delta', VERSION)) {
    throw new FormatError('applyDelta: this is not a delta: make one with saveDelta');
  }
  const { tensors, metadata } = parsed;
  const list = parseJSON(metadata['gradlock.parts'] ?? '', 'gradlock.parts');
  const weights = weightsByName(model);
  /** @type {Map<Variable, Part>} */
  const parts = new Map();
  for (const entry of Array.isArray(list) ? list : [list]) {
    const [name, from, where] = Array.isArray(entry) ? entry : [];
    const weight = weights.get(name);
    if (!weight)
      throw new FormatError(
        `the delta has a weight ${describe(name)}, which the model does not have`,
      );
    const [stored, packed] = [tensors.get(from), tensors.get(where)];
    if (!stored || !packed || parts.has(weight)) {
      throw new FormatError(`the delta of ${name} is damaged`);
    }
    if (stored.dtype !== dtypeOf(model)) {
      throw new FormatError(
        `the delta of ${name} is ${describe(stored.dtype)}, the model is ${dtypeOf(model)}: apply a delta in the precision it was made in`,
      );
    }
    const set = model.g.locksFrom(packed.bytes);
    try {
      if (!sameShape(set.shape, weight.shape) || set.count !== stored.shape[0]) {
        throw new FormatError(
          `${name} has shape ${formatShape(set.shape)} in the delta, ${formatShape(weight.shape)} in the model`,
        );
      }
      const { values } = stored.convert(model.nn.Reals);
      if (values.length !== set.count) throw new FormatError(`the delta of ${name} is damaged`);
      parts.set(weight, { weight, indices: set.toIndices(), values });
    } finally {
      set.dispose();
    }
  }
  return { parts, base: String(metadata['gradlock.base']) };
};

/**
 * All values of a weight, some of them others.
 * @param {Variable} weight
 * @param {Uint32Array} indices
 * @param {Reals} values
 */
const withValues = (weight, indices, values) =>
  copyBits(weight.data(), values, (i) => [Number(indices[i]), i], indices.length);

/** A delta that a model has on, until `remove` takes it off. */
export class AppliedDelta {
  #parts;
  #force;

  /** @param {readonly (Part & { before: Reals })[]} parts @param {boolean} force */
  constructor(parts, force) {
    this.#parts = parts;
    this.#force = force;
  }

  /** Number of elements that it changed. */
  get count() {
    return this.#parts.reduce((sum, { indices }) => sum + indices.length, 0);
  }

  /** True if the delta is applied. */
  get applied() {
    return this.#parts.length > 0;
  }

  /**
   * Restore the elements, to the bit. A second call does nothing. Throws GradlockError, and changes
   * nothing, if they have changed since the delta was applied: by training, or by another delta. `{
   * force: true }` restores them all the same. Throws LockedElementError for locked elements,
   * unless the delta was applied by force.
   * @param {{ force?: boolean }} [options]
   * @example
   * const layer = nn.dense({ units: 1, inputShape: [1], kernelInitializer: 'ones' });
   * const net = nn.sequential([layer]);
   * const { kernel } = layer;
   * const base = saveModel(net);
   * kernel.assign([[5]]);
   * const delta = saveDelta(net, base);
   * kernel.assign([[1]]);
   * const applied = applyDelta(net, delta);
   * kernel.item(); // 5
   * applied.remove();
   * kernel.item(); // 1
   */
  remove(options) {
    const { force = false } = readOptions(options, ['force'], 'remove options');
    const isForced = readFlag(force, 'force');
    for (const { weight, indices, values } of isForced ? [] : this.#parts) {
      const now = bitsOf(pick(weight.data(), indices));
      if (differences(now, bitsOf(values)).length === 0) continue;
      throw new GradlockError(
        `${weight.name} has changed since the delta was applied: remove later deltas first, or pass { force: true }`,
      );
    }
    const writes = this.#parts.map(({ weight, indices, before }) => ({
      weight,
      read: () => withValues(weight, indices, before),
    }));
    writeAll(writes, isForced || this.#force);
    this.#parts = [];
  }
}

/**
 * Apply a delta to its base, all or nothing. Throws FormatError if the file is not a delta, or is
 * for other weights. Throws GradlockError if weights outside of the delta differ from the model it
 * was made from. Throws LockedElementError if it would change locked elements, unless forced.
 * @param {AnyModel} model
 * @param {Uint8Array | ArrayBuffer | string | { href: string }} bytes The result of `saveDelta`, as
 *   for `readSafetensors`.
 * @param {{ force?: boolean }} [options] `force`: write locked elements, too, also in `remove`.
 * @param {[]} more
 * @returns {AppliedDelta} The applied delta. `remove` restores the base, to the bit.
 * @example
 * const german = applyDelta(net, germanBytes);
 * net.predict(xs);
 * german.remove();
 * applyDelta(net, frenchBytes);
 */
export const applyDelta = (model, bytes, options = {}, ...more) => {
  refuseRest('applyDelta', 3, more);
  limitArguments(AppliedDelta.prototype);
  const net = readModel(model, 'applyDelta');
  const { force: flag = false } = readOptions(options, ['force'], 'applyDelta options');
  const force = readFlag(flag, 'force');
  const { parts, base } = readDelta(net, bytes);
  const digest = new Digest();
  /** @type {(Part & { before: Reals })[]} */
  const changed = [];
  for (const [name, weight] of weightsByName(net)) {
    const part = parts.get(weight);
    const data = weight.data();
    digest.addText(`${name} ${weight.shape}`);
    digest.addValues(data, part?.indices ?? new Uint32Array());
    if (part) changed.push({ ...part, before: pick(data, part.indices) });
  }
  if (`${digest}` !== base) {
    throw new GradlockError(
      'applyDelta: the model is not the base of this delta: weights outside of the delta differ (is another delta applied?)',
    );
  }
  const writes = changed.map(({ weight, indices, values }) => ({
    weight,
    read: () => withValues(weight, indices, values),
  }));
  writeAll(writes, force);
  return new AppliedDelta(changed, force);
};
