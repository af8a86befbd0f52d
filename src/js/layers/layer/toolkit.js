// What all layers of one `layers(g)` share: the instance that computes, names given out, and
// classes by name.
import {
  describe,
  formatShape,
  isRecord,
  ownProperties,
  readOptions,
  typeError,
} from '../../base/check.js';
import { FormatError, GradlockError, OptionError } from '../../base/errors.js';
import { takeShared } from '../../base/taken.js';
import { version } from '../../base/version.js';
import { costOf } from '../config/limits.js';
import { Names } from '../config/names.js';

/** @typedef {import('../../gradlock.js').Gradlock} Gradlock */
/** @typedef {import('../../tensors/random.js').Generator} Generator */
/** @typedef {import('./layer.js').Layer} Layer */
/** @typedef {new (nn: Toolkit, config?: any) => Layer} LayerClass */

const KIT = Symbol.for('gradlock.kit');

/**
 * @param {Gradlock} g
 * @param {unknown} seed A generator, a number, or `{ seed, step }`.
 * @returns {Generator}
 */
const readGenerator = (g, seed) => {
  if (typeof (/** @type {any} */ (seed)?.uniform) === 'function') return /** @type {any} */ (seed);
  if (!isRecord(seed)) return g.random(/** @type {any} */ (seed));
  const { seed: own, step = 0 } = /** @type {any} */ (readOptions(seed, ['seed', 'step'], 'seed'));
  // Checked as a generator's; each draw begins there.
  const { seed: value, step: place } = Object.assign(g.random(own), { step });
  return /** @type {any} */ ({ seed: value, step: place });
};

/** The base of everything that `layers(g)` makes. */
export class Toolkit {
  /** Of the attempt at hand. @type {(() => void)[] | null} */
  #undo = null;

  /**
   * @param {unknown} g
   * @param {object} options `seed`: where random numbers come from.
   */
  constructor(g, options) {
    const kit = /** @type {any} */ (g)?.[KIT];
    if (!kit) throw new TypeError('layers takes what await init() gave');
    takeShared(kit.shared);
    if (kit.version !== version) {
      throw new GradlockError(
        `gradlock/layers is of version ${version}, the instance of ${kit.version}: install one of both`,
      );
    }
    /** @type {Gradlock} */
    this.g = /** @type {Gradlock} */ (g);
    /** @type {typeof import('../../tensors/tensor.js').Tensor} */
    this.Tensor = kit.Tensor;
    /** @type {typeof import('../../locks/variable.js').Variable} */
    this.Variable = kit.Variable;
    const { seed = kit.generator } = readOptions(options, ['seed'], 'layers options');
    /** What weights, dropout and shuffling draw from. */
    this.seed = readGenerator(this.g, seed);
    this.names = new Names((step) => this.undo(step));
    /** @type {Map<string, LayerClass>} */
    this.classes = new Map();
  }

  /**
   * Do something whole or not at all: if it fails, what `undo` was told on the way is done, the
   * last first, and the generator goes back to where it was.
   * @template T
   * @param {() => T} body
   * @returns {T}
   */
  attempt(body) {
    return this.begin(body).result;
  }

  /**
   * As `attempt`, for what is to be taken back if something fails that comes later.
   * @template T
   * @param {() => T} body
   * @returns {{ result: T, takeBack: () => void }}
   */
  begin(body) {
    const outer = this.#undo;
    const { seed } = this;
    const { step: place } = seed;
    /** @type {(() => void)[]} */
    const steps = [
      () => {
        seed.step = place;
        this.seed = seed;
      },
    ];
    const takeBack = () => {
      for (const step of steps.splice(0).reverse()) step();
    };
    this.#undo = steps;
    try {
      const result = body();
      outer?.push(...steps);
      return { result, takeBack };
    } catch (error) {
      takeBack();
      throw error;
    } finally {
      this.#undo = outer;
    }
  }

  /** How weights are made at present. */
  #weights = { initializes: true, left: Number.POSITIVE_INFINITY };

  /**
   * Do something with other rules for new weights.
   * @template T
   * @param {{ initializes: boolean, maxBytes: number }} rules `initializes`: false where values
   *   follow, so that new weights are 0. `maxBytes`: most that all of them may have.
   * @param {() => T} body
   * @returns {T}
   */
  makeWeights({ initializes, maxBytes }, body) {
    const outer = this.#weights;
    this.#weights = { initializes, left: maxBytes };
    try {
      return body();
    } finally {
      this.#weights = outer;
    }
  }

  /**
   * Take the bytes of a new weight or state, or refuse it.
   * @param {readonly number[]} shape
   * @param {string} what
   * @param {string} [className] Of its initializer.
   * @returns {boolean} Whether initializers run.
   */
  takeWeight(shape, what, className) {
    const { left, initializes } = this.#weights;
    const bytes = costOf(shape);
    const cost = initializes ? costOf(shape, className) : bytes;
    if (cost > left) {
      const has =
        cost > bytes ? `takes as long to make as ${Math.ceil(cost)} bytes` : `has ${bytes} bytes`;
      throw new FormatError(
        `${what} ${formatShape(shape)} ${has}, more than all weights may still have: if you trust the model, give a larger { maxBytes }`,
      );
    }
    this.#weights.left = left - cost;
    return initializes;
  }

  /** What takes back what an attempt is about to do. @param {() => void} step */
  undo(step) {
    this.#undo?.push(step);
  }

  /**
   * A layer, or one made of what Keras's or TensorFlow.js's JSON says of it.
   * @param {any} value
   * @param {string} what
   * @returns {Layer}
   */
  readLayer(value, what) {
    if (typeof value?.apply === 'function' && typeof value?.serialize === 'function') return value;
    const { class_name: className, config } = isRecord(value) ? ownProperties(value) : {};
    if (typeof className !== 'string') {
      throw typeError(what, 'a layer', value);
    }
    const Class = this.classes.get(className);
    if (Class) return /** @type {any} */ (Class).fromConfig(this, config);
    throw new OptionError(`${what}: there is no layer of class ${describe(className)} here`);
  }
}
