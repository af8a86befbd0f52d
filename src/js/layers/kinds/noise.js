// Layers that add randomness in training and do nothing in inference. Source:
// keras/src/layers/regularization/*.py of Keras 3.15.
import { SELU } from '../config/activations.js';
import * as field from '../config/fields.js';
import { SameShape } from '../layer/row-wise.js';

/** @import { Tensor } from '../../tensors/tensor.js' */
/** @import { RunOptions } from '../layer/layer.js' */

/** Base class: returns x in inference, and a random change of it in training. */
class Noise extends SameShape {
  /** @override @param {boolean} training */
  isPure(training) {
    return !training && super.isPure(training);
  }

  /** @override @param {Tensor} x @param {RunOptions} options */
  call(x, { training }) {
    return training ? this.disturb(x, this.randomness) : x;
  }

  /** @internal @param {Tensor} x @param {any} source */
  disturb(x, source) {
    void source;
    return x;
  }
}

/** 0 with probability `rate`, x / (1 − rate) elsewhere. */
class Dropping extends Noise {
  /** @override @param {Tensor} x @param {any} source */
  disturb(x, source) {
    const { g } = this;
    const { rate } = this.config;
    const shape = this.noiseShapeOf(x);
    if (rate === 0 || rate === 1) return g.mul(x, 1 - rate);
    return shape
      ? g.mul(x, g.dropout(g.broadcastTo(1, shape), rate, source))
      : g.dropout(x, rate, source);
  }

  /** Shape of draws, if smaller. @internal @param {Tensor} x @returns {number[] | undefined} */
  noiseShapeOf(x) {
    return this.config.noiseShape?.map(
      (/** @type {number | null} */ size, /** @type {number} */ i) => size ?? x.shape[i],
    );
  }
}

const rate = {
  /** The fraction of elements to drop, from 0 to 1. */
  rate: field.number(undefined, 0, 1),
  /** A seed of its own for random numbers. */
  seed: field.countOrNull(),
};

const ofImages = {
  ...rate,
  /** The position of the channels; there is only one layout. */
  dataFormat: field.dataFormat,
};

/** Drops single elements. */
export class Dropout extends Dropping {
  /** @override */ static className = 'Dropout';
  /** @override */ static fields = {
    ...rate,
    /** The shape of the random draws; a size is null if it is the input's. */
    noiseShape: field.openShape,
  };
}

/** Drops whole channels. */
class SpatialDropout extends Dropping {
  /** @override @param {Tensor} x */
  noiseShapeOf({ shape }) {
    return shape.map((size, axis) => (axis === 0 || axis === shape.length - 1 ? size : 1));
  }

  /** @override @returns {Record<string, unknown>} */
  getConfig() {
    const { trainable: _, ...config } = super.getConfig();
    return { ...config, dtype: 'float32' };
  }
}

/** Drops whole channels of [batch, steps, channels]. */
export class SpatialDropout1D extends SpatialDropout {
  /** @override */ static className = 'SpatialDropout1D';
  /** @override */ static axisCount = 3;
  /** @override */ static fields = rate;
}

/** Drops whole channels of [batch, height, width, channels]. */
export class SpatialDropout2D extends SpatialDropout {
  /** @override */ static className = 'SpatialDropout2D';
  /** @override */ static axisCount = 4;
  /** @override */ static fields = ofImages;
}

/** Drops whole channels of [batch, depth, height, width, channels]. */
export class SpatialDropout3D extends SpatialDropout {
  /** @override */ static className = 'SpatialDropout3D';
  /** @override */ static axisCount = 5;
  /** @override */ static fields = ofImages;
}

/** x · normal noise with mean 1 and variance rate / (1 − rate), like the factors of dropout. */
export class GaussianDropout extends Noise {
  /** @override */ static className = 'GaussianDropout';
  /** @override */ static fields = {
    /** The rate. The noise has the variance rate / (1 − rate), like dropout with this rate. */
    rate: rate.rate,
    /** A seed of its own for random numbers. */
    seed: rate.seed,
  };

  /** @override @param {Tensor} x @param {any} source */
  disturb(x, source) {
    const { g } = this;
    const { rate } = this.config;
    if (rate === 0) return x;
    return g.mul(x, g.randomNormal(x.shape, 1, Math.sqrt(rate / (1 - rate)), source));
  }
}

/**
 * The limit of selu with probability `rate`, x elsewhere, scaled so that mean and variance stay.
 * Source: Klambauer et al. 2017, arXiv:1706.02515.
 */
export class AlphaDropout extends Dropout {
  /** @override */ static className = 'AlphaDropout';

  /** @override @param {Tensor} x @param {any} source */
  disturb(x, source) {
    const { g } = this;
    const { rate } = this.config;
    if (rate === 0) return x;
    const least = -SELU.alpha * SELU.scale;
    const scale = 1 / Math.sqrt((1 - rate) * (1 + rate * least * least));
    // 0 or 1 / (1 − rate).
    const drawn = g.dropout(g.broadcastTo(1, this.noiseShapeOf(x) ?? x.shape), rate, source);
    const y = g.where(g.broadcastTo(drawn, x.shape), x, least);
    return g.add(g.mul(scale, y), -scale * least * rate);
  }
}

/** x plus normal noise with mean 0. */
export class GaussianNoise extends Noise {
  /** @override */ static className = 'GaussianNoise';
  /** @override */ static fields = {
    /** The standard deviation of the noise. */
    stddev: field.number(undefined, 0, 1),
    /** A seed of its own for random numbers. */
    seed: field.countOrNull(),
  };

  /** @override @param {Tensor} x @param {any} source */
  disturb(x, source) {
    return this.g.add(x, this.g.randomNormal(x.shape, 0, this.config.stddev, source));
  }
}
