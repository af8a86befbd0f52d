// Values to colours: ColorBrewer's orange and blue, which people of every colour vision can
// distinguish, and its greens for values without a sign. Light pages meet in white; dark pages meet
// in the dark, so that zero is calm on both. Curves through them are those of d3-scale-chromatic,
// which the tests hold them to. Source: Brewer, colorbrewer2.org.
import { refuseRest } from '../base/arity.js';

/** Colours on a scale; one more is for NaN. */
export const LEVELS = 255;

/** @typedef {'diverging' | 'sequential'} Scale */
/** @typedef {[red: number, green: number, blue: number]} Rgb */
/**
 * @typedef {object} Palette
 * @property {Uint32Array} pixels By level, as ImageData holds them on little-endian machines.
 * @property {string[]} css By level.
 * @property {boolean[]} isDark By level: whether light ink reads better on it.
 * @property {number} zero The level of 0.
 */

/** Halves of PuOr and RdBu, each from a step beyond its middle; and Greens. */
const ORANGES = 'd8daebf7f7f7fee0b6fdb863e08214b358067f3b08';
const BLUES = 'fddbc7f7f7f7d1e5f092c5de4393c32166ac053061';
const GREENS = 'f7fcf5e5f5e0c7e9c0a1d99b74c47641ab5d238b45006d2c00441b';

/** Weight of a B-spline's knot that is less than a step away, in sixths. @param {number} far */
const near = (far) => 4 - 6 * far ** 2 + 3 * far ** 3;

/**
 * A uniform cubic B-spline near colours, which it need not meet.
 * @param {string} colours Six hexadecimal digits each.
 * @param {number} at From 0, the first of them, to the last.
 */
const spline = (colours, at) => {
  const i = Math.floor(at);
  const t = at - i;
  return /** @type {Rgb} */ (
    [0, 2, 4].map((shift) => {
      const part = (/** @type {number} */ n) =>
        Number(`0x${colours.slice(6 * n + shift, 6 * n + shift + 2) || 0}`);
      const b = part(i);
      const d = part(i + 1);
      const a = i > 0 ? part(i - 1) : 2 * b - d;
      // At the very end there is no such colour, and its share is 0.
      const e = part(i + 2);
      const sum = (1 - t) ** 3 * a + near(t) * b + near(1 - t) * d + t ** 3 * e;
      return Math.round(sum / 6);
    })
  );
};

/** @param {Rgb} from @param {Rgb} to @param {number} share */
const mix = (from, to, share) =>
  /** @type {Rgb} */ (from.map((c, i) => c + /** @type {number} */ (to[i] - c) * share));

/** ColorBrewer's ends are near black; stopping short keeps outlines and numbers readable. */
const MOST = { orange: 3.6, blue: 4, green: 6.8 };

/** @param {number} t From -1 to 1; of the sequential scale, from 0. @param {Scale} scale */
const brewer = (t, scale) => {
  if (scale === 'sequential') return spline(GREENS, t * MOST.green);
  return t < 0 ? spline(ORANGES, 1 - t * MOST.orange) : spline(BLUES, 1 + t * MOST.blue);
};

/** Where dark pages meet, and how far from it their colours end. */
const NIGHT = /** @type {Rgb} */ ([38, 41, 46]);
const BRIGHT = { diverging: 0.62, sequential: 0.55 };

/** @param {number} t @param {boolean} isDark @param {Scale} scale */
const colourAt = (t, isDark, scale) => {
  if (!isDark) return brewer(t, scale);
  return mix(NIGHT, brewer(Math.sign(t) * BRIGHT[scale], scale), Math.abs(t) ** 0.85);
};

/** Relative luminance, WCAG 2, but with a power instead of sRGB's curve. @param {Rgb} rgb */
const luminance = (rgb) => {
  const [r, g, b] = /** @type {Rgb} */ (rgb.map((c) => (c / 255) ** 2.2));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};

/**
 * The colours of a grid, for legends and pictures that must match it.
 * @param {boolean} isDark True if the page is dark.
 * @param {Scale} [scale] Default: 'diverging'.
 * @param {[]} more
 * @returns {Palette}
 */
export const makePalette = (isDark, scale = 'diverging', ...more) => {
  refuseRest('makePalette', 2, more);
  const zero = scale === 'sequential' ? 0 : (LEVELS - 1) / 2;
  const most = LEVELS - 1 - zero;
  const colours = Array.from({ length: LEVELS }, (_, i) =>
    colourAt((i - zero) / most, isDark, scale),
  );
  colours.push(isDark ? [120, 124, 132] : [150, 152, 158]);
  const rounded = colours.map((rgb) => /** @type {Rgb} */ (rgb.map(Math.round)));
  return {
    pixels: Uint32Array.from(rounded, ([r, g, b]) => (255 << 24) | (b << 16) | (g << 8) | r),
    css: rounded.map((rgb) => `rgb(${rgb.join(' ')})`),
    // Where contrast with black and with white are equal.
    isDark: rounded.map((rgb) => luminance(rgb) < 0.179),
    zero,
  };
};

/**
 * The reach of a scale that follows its values: round, at most a third too long, and steady.
 * @param {number} largest Largest magnitude of the values.
 * @param {number} now The reach so far.
 */
export const reachFor = (largest, now) => {
  if (largest <= now && largest >= now / 5) return now;
  if (largest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8].find((n) => n * power >= largest) ?? 10) * power;
};

/**
 * The level of a value: an index in the lists of a palette. What is beyond the scale is at its end.
 * @param {number} value
 * @param {number} reach The largest value of the scale.
 * @param {Pick<Palette, 'zero'>} [palette] Default: the diverging one.
 * @param {[]} more
 * @returns {number} From 0 to LEVELS, which stands for what is not a number.
 */
export const levelOf = (value, reach, { zero } = { zero: (LEVELS - 1) / 2 }, ...more) => {
  refuseRest('levelOf', 3, more);
  const level = Math.round((value / reach) * (LEVELS - 1 - zero) + zero);
  if (level >= 0 && level < LEVELS) return level;
  return Number.isNaN(level) ? LEVELS : level < 0 ? 0 : LEVELS - 1;
};

/**
 * Colour many values at once.
 * @param {ArrayLike<number>} values
 * @param {number} reach The largest value of the scale.
 * @param {Palette} palette
 * @param {Uint32Array} out A pixel for each.
 * @param {[]} more
 */
export const colour = (values, reach, { pixels, zero }, out, ...more) => {
  refuseRest('colour', 4, more);
  const scale = (LEVELS - 1 - zero) / reach;
  const shift = zero + 0.5;
  const count = values.length;
  for (let i = 0; i < count; i++) {
    const level = values[i] * scale + shift;
    // NaN fails every comparison, so it gets the last level.
    out[i] =
      pixels[level >= 0 ? (level < LEVELS ? level | 0 : LEVELS - 1) : level < 0 ? 0 : LEVELS];
  }
};
