// The shared state of one `layers(g)`: the instance that computes, used names, classes by name.
import { formatShape, isRecord, ownProperties, readOptions, typeError } from '../../base/check.js';
import { FormatError } from '../../base/errors.js';
import { openKit } from '../../base/open-kit.js';
import { costOf } from '../config/limits.js';
import { Names } from '../config/names.js';

/** @import { Gradlock } from '../../gradlock.js' */
/** @import { Generator } from '../../tensors/random.js' */
/** @import { Layer } from './layer.js' */
/** @typedef {new (nn: Toolkit, config?: any) => Layer} LayerClass */
/** @typedef {(nn: Toolkit, json: unknown, what: string) => Layer} FromJSON */
/** @typedef {Float32Array | Float64Array} Reals Values of an instance. */

/** @param {Gradlock} g @param {unknown} seed Or `{ seed, step }`. @returns {Generator} */
const readGenerator = (g, seed) => {
  if (typeof (/** @type {any} */ (seed)?.uniform) === 'function') return /** @type {any} */ (seed);
  if (!isRecord(seed)) return g.random(/** @type {any} */ (seed));
  const { seed: own, step = 0 } = /** @type {any} */ (readOptions(seed, ['seed', 'step'], 'seed'));
  // The generator checks it; each draw starts from it.
  const { seed: value, step: checked } = Object.assign(g.random(own), { step });
  return /** @type {any} */ ({ seed: value, step: checked });
};

/** The state shared by everything that `layers(g)` makes. */
export class Toolkit {
  /** The undo steps of the current attempt. @type {(() => void)[] | null} */
  #undo = null;

  /** Reads a layer or a model, which are made of layers. @type {FromJSON} */
  #fromJSON;
  /** @type {(generator: Generator, body: () => any) => any} */
  #drawFrom;

  /** @param {unknown} g @param {object} options `seed`: a seed. @param {FromJSON} fromJSON */
  constructor(g, options, fromJSON) {
    this.#fromJSON = fromJSON;
    const kit = openKit(g, 'layers', 'layers takes the result of await init()');
    /** @type {Gradlock} */
    this.g = /** @type {Gradlock} */ (g);
    /** @type {typeof import('../../tensors/tensor.js').Tensor} */
    this.Tensor = kit.Tensor;
    /** @type {typeof import('../../locks/variable.js').Variable} */
    this.Variable = kit.Variable;
    /** The array type of values: Float64Array for an instance of gradlock/double. */
    this.Reals = kit.realBytes === 8 ? Float64Array : Float32Array;
    this.#drawFrom = kit.drawFrom;
    const { seed = kit.generator } = readOptions(options, ['seed'], 'layers options');
    /** The random generator for weights, and for layers outside of `fit`. */
    this.seed = readGenerator(this.g, seed);
    this.names = new Names((step) => this.undo(step));
    /** @type {Map<string, LayerClass>} */
    this.classes = new Map();
  }

  /**
   * Run a function completely or not at all. If it fails, the steps given to `undo` run in reverse
   * order, and the generator returns to its previous state.
   * @template T
   * @param {() => T} body
   */
  attempt(body) {
    return this.begin(body).result;
  }

  /** Like `attempt`, but returns a function that undoes it. @template T @param {() => T} body */
  begin(body) {
    const outer = this.#undo;
    const { seed } = this;
    const { step: before } = seed;
    /** @type {(() => void)[]} */
    const steps = [
      () => {
        seed.step = before;
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

  /**
   * Run a function in which random ops and layers without a seed draw from a generator.
   * @template T
   * @param {Generator} generator
   * @param {() => T} body
   * @returns {T}
   */
  drawFrom(generator, body) {
    const outer = this.seed;
    this.seed = generator;
    try {
      return this.#drawFrom(generator, body);
    } finally {
      this.seed = outer;
    }
  }

  /** The current rules for new weights. */
  #weights = { initializes: true, left: Number.POSITIVE_INFINITY };

  /**
   * Run a function with other rules for new weights.
   * @template T
   * @param {{ initializes: boolean, maxBytes: number }} rules `initializes`: false if values are
   *   set later, so that new weights are 0. `maxBytes`: the limit for all of them together.
   * @param {() => T} body
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
   * Count the bytes of a new weight or state, or throw if they exceed the limit.
   * @param {readonly number[]} shape
   * @param {string} what
   * @param {string} [className] The class of its initializer.
   * @returns {boolean} True if initializers run.
   */
  takeWeight(shape, what, className) {
    const { left, initializes } = this.#weights;
    const width = this.Reals.BYTES_PER_ELEMENT;
    const bytes = width * costOf(shape);
    const cost = initializes ? width * costOf(shape, className) : bytes;
    if (cost > left) {
      const has =
        cost > bytes ? `takes as long to make as ${Math.ceil(cost)} bytes` : `has ${bytes} bytes`;
      throw new FormatError(
        `${what} ${formatShape(shape)} ${has}, which exceeds the limit for all weights: if you trust the model, give a larger { maxBytes }`,
      );
    }
    this.#weights.left = left - cost;
    return initializes;
  }

  /** Register a step that undoes the next action of an attempt. @param {() => void} step */
  undo(step) {
    this.#undo?.push(step);
  }

  /** Returns a layer, also from JSON. @param {any} value @param {string} what @returns {Layer} */
  readLayer(value, what) {
    if (typeof value?.apply === 'function' && typeof value?.serialize === 'function') return value;
    const { class_name: className } = isRecord(value) ? ownProperties(value) : {};
    if (typeof className !== 'string') throw typeError(what, 'a layer', value);
    return this.#fromJSON(this, value, what);
  }
}
