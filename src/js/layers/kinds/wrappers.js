// Wrappers of layers. Source: Keras 3.15, keras/src/layers/rnn/{bidirectional,time_distributed}.py.
import { OptionError, ShapeError } from '../../base/errors.js';
import * as field from '../config/fields.js';
import { RowWise } from '../layer/row-wise.js';
import { OverTime } from './recurrent.js';
import { added, broadcast, product } from '../config/shapes.js';
import { formatOpen } from '../config/open-shapes.js';
import { toList } from '../layer/symbolic.js';

/** @import { Layer, RunOptions } from '../layer/layer.js' */
/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { Toolkit } from '../layer/toolkit.js' */

/** Build and name an inner layer. @param {Layer} outer @param {Layer} layer @param {any} shape */
const buildIn = (outer, layer, shape) => {
  if (!layer.built) layer.path = `${outer.path}/${layer.name}`;
  layer.ensureBuilt(shape);
};

/** @type {Record<string, (g: Toolkit['g'], a: Tensor, b: Tensor) => Tensor>} */
const MERGES = {
  concat: (g, a, b) => g.concat([a, b], -1),
  sum: (g, a, b) => g.add(a, b),
  ave: (g, a, b) => g.div(g.add(a, b), 2),
  mul: (g, a, b) => g.mul(a, b),
};

/** A recurrent layer and a copy of it that reads the steps in reverse. */
export class Bidirectional extends OverTime {
  /** @override */ static className = 'Bidirectional';
  /** @override */ static fields = {
    /** The recurrent layer, which is copied for both directions. */
    layer: field.layer(),
    /** The layer for the reverse direction. Default: a copy of `layer`. */
    backwardLayer: field.layerIfAny(),
    /** How both outputs are merged; null: returned as a list. Default: 'concat'. */
    mergeMode: field.orNull(field.word('concat', ['concat', 'sum', 'ave', 'mul']), 'concat'),
  };

  /** @internal @param {Toolkit} nn @param {any} config */
  constructor(nn, config) {
    super(nn, config);
    const { layer, backwardLayer } = this.config;
    /** @param {string} way @param {object} more */
    const copy = (way, more) => {
      const name = `${way}_${layer.name.replace(`${way}_`, '')}`;
      return layer.constructor.fromConfig(nn, { ...layer.getConfig(), ...more, name });
    };
    const forward = copy('forward', {});
    const backward = backwardLayer ?? copy('backward', { go_backwards: true });
    for (const key of ['stateful', 'returnSequences', 'returnState']) {
      if (forward.config[key] !== backward.config[key])
        throw new OptionError(`${this.label}: both layers must have the same ${key}`);
    }
    if (forward.config.goBackwards === backward.config.goBackwards)
      throw new OptionError(`${this.label}: exactly one of its layers must have goBackwards`);
    /** The layer that reads from the first step to the last. @type {Layer} */
    this.forwardLayer = this.track(forward);
    /** The layer that reads from the last step to the first. @type {Layer} */
    this.backwardLayer = this.track(backward);
    for (const { config: inner } of this.sublayers) inner.zeroOutputForMask = inner.returnSequences;
    Object.assign(this.config, { layer: forward, backwardLayer: backward });
  }

  /** @override @param {any} inputShape */
  build(inputShape) {
    for (const layer of this.sublayers) buildIn(this, layer, inputShape);
  }

  /** @override @param {any} inputShape @param {Record<string, any>} options */
  inferShape(inputShape, options) {
    const { mergeMode } = this.config;
    const [x, ...states] = Array.isArray(inputShape[0]) ? inputShape : [inputShape];
    const half = states.length / 2;
    const [[y, ...after], [z, ...before]] = /** @type {any} */ (
      [states.slice(0, half), states.slice(half)].map((given, i) => {
        const shape = this.sublayers[i]?.computeOutputShape(half ? [x, ...given] : x, options);
        return Array.isArray(shape?.[0]) ? shape : [shape];
      })
    );
    const both = [...y.slice(0, -1), added(y.at(-1), z.at(-1))];
    const merged = mergeMode === 'concat' ? [both] : mergeMode ? [broadcast([y, z])] : [y, z];
    const all = [...merged, ...after, ...before];
    return all.length > 1 ? all : all[0];
  }

  /** @override @param {any} inputs @param {RunOptions} options */
  call(inputs, { run }) {
    const { g } = this;
    const { mergeMode, layer } = this.config;
    const [x, ...states] = toList(inputs);
    const half = states.length / 2;
    const [forward, backward] = [states.slice(0, half), states.slice(half)].map((given, i) =>
      toList(this.sublayers[i]?.run(half ? [x, ...given] : x, run)),
    );
    const [y, ...after] = /** @type {Tensor[]} */ (forward);
    const [last, ...before] = /** @type {Tensor[]} */ (backward);
    const z = layer.config.returnSequences ? g.reverse(last, 1) : last;
    const merged = mergeMode ? [MERGES[mergeMode]?.(g, y, z)] : [y, z];
    const all = [...merged, ...after, ...before];
    return all.length > 1 ? all : all[0];
  }

  /** @override @param {any} _ @param {any} mask */
  computeMask(_, mask) {
    const { layer, mergeMode } = this.config;
    const [first] = toList(mask);
    if (!layer.config.returnSequences) return null;
    return mergeMode ? first : [first, first];
  }
}

/**
 * Applies a layer to each time step. A layer that mixes the rows of a batch is applied step by
 * step, as in Keras; otherwise all steps are rows of one batch.
 */
export class TimeDistributed extends RowWise {
  /** @override */ static className = 'TimeDistributed';
  /** @override */ static fields = {
    /** The layer to apply to each step. */
    layer: field.layer(),
  };

  /** @override */ supportsMasking = true;

  /** @internal @param {Toolkit} nn @param {any} config */
  constructor(nn, config) {
    super(nn, config);
    /** The layer that is applied to each step. @type {Layer} */
    this.layer = this.track(this.config.layer);
  }

  /** @override @param {any} inputShape */
  build([batch, , ...sizes]) {
    buildIn(this, this.layer, [batch, ...sizes]);
  }

  /** @override @param {any} shape */
  inferShape(shape) {
    if (shape.length < 3) {
      throw new ShapeError(`expected [batch, steps, ...], got ${formatOpen(shape)}`);
    }
    const [batch, steps, ...sizes] = shape;
    const [, ...rest] = this.layer.computeOutputShape([product([batch, steps]), ...sizes]);
    return [batch, steps, ...rest];
  }

  /** @override @param {Tensor} x @param {RunOptions} options */
  call(x, { mask, run }) {
    const { g } = this;
    if (x.rank < 3) throw new ShapeError(`expected [batch, steps, ...], got [${x.shape}]`);
    const [batch = 0, steps = 0] = x.shape;
    if (this.layer.mixesRows(run.training) && steps > 0) return this.#stepByStep(x, mask, run);
    /** @param {Tensor} y */
    const fold = (y) => g.reshape(y, [batch * steps, ...y.shape.slice(2)]);
    const folded = fold(x);
    if (mask?.rank > 2) run.masks.set(folded, fold(mask));
    const y = this.layer.run(folded, run);
    return g.reshape(y, [batch, steps, ...y.shape.slice(1)]);
  }
  /**
   * @param {Tensor} x
   * @param {Tensor | null} mask
   * @param {import('../layer/forward-pass.js').Run} run
   */
  #stepByStep(x, mask, run) {
    const { g } = this;
    const masks = mask?.rank === x.rank - 1 ? g.unstack(mask, 1) : [];
    const outputs = g.unstack(x, 1).map((step, i) => {
      if (masks[i]) run.masks.set(step, masks[i]);
      return this.layer.run(step, run);
    });
    return g.stack(outputs, 1);
  }
}
