/**
 * Values to colours: ColorBrewer's orange and blue from d3-scale-chromatic, which people of every colour vision can
 * tell apart. Light pages meet in white; dark pages meet in the dark, so that zero is calm on both.
 */

import { interpolatePuOr, interpolateRdBu } from 'd3-scale-chromatic';

/** Colours on the scale; one more is for what is not a number. */
export const LEVELS = 255;
const MIDDLE = (LEVELS - 1) / 2;

/** @typedef {[red: number, green: number, blue: number]} Rgb */

/**
 * @typedef {object} Palette
 * @property {Uint32Array} pixels  per level, as ImageData holds them on little-endian machines
 * @property {string[]} css        per level
 * @property {boolean[]} isDark    per level: whether light ink reads better on it
 */

/** @param {string} css "rgb(r, g, b)", as d3 writes it @returns {Rgb} */
const parse = (css) => /** @type {Rgb} */ (css.match(/\d+/g)?.slice(0, 3).map(Number));

/** @param {Rgb} from @param {Rgb} to @param {number} share */
const mix = (from, to, share) =>
  /** @type {Rgb} */ (from.map((c, i) => c + /** @type {number} */ (to[i] - c) * share));

/** ColorBrewer's ends are near black; stopping short keeps hatch and numbers readable. @param {number} t −1..1 */
const brewer = (t) =>
  parse(t < 0 ? interpolatePuOr(0.5 - t * 0.36) : interpolateRdBu(0.5 + t * 0.4));

/** @param {number} t −1..1 @param {boolean} isDark @returns {Rgb} */
function colourAt(t, isDark) {
  if (!isDark) return brewer(t);
  const bright = brewer(Math.sign(t) * 0.62);
  return mix([38, 41, 46], bright, Math.abs(t) ** 0.85);
}

/** Relative luminance, WCAG 2. @param {Rgb} rgb */
function luminance(rgb) {
  const [r, g, b] = /** @type {Rgb} */ (
    rgb.map((c) => (c <= 10 ? c / 3295 : ((c / 255 + 0.055) / 1.055) ** 2.4))
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** @param {boolean} isDark whether the page is @returns {Palette} */
export function makePalette(isDark) {
  /** @type {Rgb[]} */
  const colours = Array.from({ length: LEVELS }, (_, i) => colourAt((i - MIDDLE) / MIDDLE, isDark));
  colours.push(isDark ? [120, 124, 132] : [150, 152, 158]);
  const rounded = colours.map((rgb) => /** @type {Rgb} */ (rgb.map(Math.round)));
  return {
    pixels: Uint32Array.from(rounded, ([r, g, b]) => (0xff000000 | (b << 16) | (g << 8) | r) >>> 0),
    css: rounded.map(([r, g, b]) => `rgb(${r} ${g} ${b})`),
    // Where contrast with black and with white are equal.
    isDark: rounded.map((rgb) => luminance(rgb) < 0.179),
  };
}

/** @param {number} value @param {number} reach of the scale @returns {number} 0..LEVELS */
export function levelOf(value, reach) {
  const level = Math.round((value / reach) * MIDDLE + MIDDLE);
  if (level >= 0 && level < LEVELS) return level;
  return Number.isNaN(level) ? LEVELS : level < 0 ? 0 : LEVELS - 1;
}

/**
 * Colour many values at once.
 * @param {Float32Array} values
 * @param {number} reach
 * @param {Palette} palette
 * @param {Uint32Array} out one pixel per value
 */
export function colour(values, reach, { pixels }, out) {
  const scale = MIDDLE / reach;
  const count = values.length;
  for (let i = 0; i < count; i++) {
    const level = values[i] * scale + (MIDDLE + 0.5);
    // What is not a number fails every comparison, so it ends at the last level.
    out[i] =
      pixels[level >= 0 ? (level < LEVELS ? level | 0 : LEVELS - 1) : level < 0 ? 0 : LEVELS];
  }
}
