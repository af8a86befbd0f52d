/**
 * Measured samples as dots, and a model of them: the sum as a line, its parts above it.
 *   shown.measured  a number per sample
 *   shown.from, shown.to  the ends of the axis, which the samples divide evenly
 *   shown.at        where the dots are, if that is elsewhere
 *   shown.sigma     their standard deviations, drawn as bars, if they differ
 *   shown.names     names of the parts
 *   shown.noise     standard deviation of the measurement; 0 for none
 *   readings.all    the model, a number per sample; readings.each: its parts, one row each
 *   readings.squares  sum of the squared differences; in units of sigma, if that is given
 *   fit.band        where the true curve is, by the library's fit
 */

import { drawAxes, plotOf, stroke, trace } from '../shared/plot.js';

const MARGINS = [28, 8, 40, 36];
/** The band is drawn once chi square is at most this many times that of the fit. */
const CLOSE = 1.5;
/** The reduced chi square of a fit that misses the points: noise alone gives 1. */
const POOR = 2;

/** Returns ticks whose distance is 1, 2 or 5 times a power of ten. @param {number} from @param {number} to @param {number} count their largest number @returns {import('../shared/plot.js').Ticks} */
function ticks(from, to, count) {
  const span = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(span));
  const stride = power * ([1, 2, 5, 10].find((digit) => digit * power >= span * 0.999) ?? 10);
  const first = Math.ceil(from / stride - 1e-9);
  const last = Math.floor(to / stride + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const value = (first + i) * stride;
    return [value, String(Math.round(value * 1e6) / 1e6).replace('-', '−')];
  });
}

/** Returns the ends of the axis upwards. @param {any} shown */
function rangeOf({ measured, at }) {
  // A person's points have any size.
  const most = Math.max(at ? 0 : 1, ...measured) * 1.1 || 1;
  const least = Math.min(0, ...measured);
  return [least < -0.25 * most ? least * 1.1 : -0.13 * most, most];
}

/** Returns the band to draw: none before the line is close to the fit, or if the fit misses the points. @param {import('../shared/figure.js').Model} model */
function bandOf({ fit, shown, readings }) {
  const squares = (readings.squares?.[0] ?? Number.NaN) / (shown.noise || 1) ** 2;
  const isClose =
    fit?.band?.upper.length === readings.all?.length && squares <= CLOSE * (fit?.chiSquare ?? 0);
  return isClose && fit && (fit.isScaled || fit.reducedChiSquare < POOR) ? fit.band : null;
}

/** @type {import('../shared/figure.js').Drawn} */
export const curves = {
  id: 'curves',
  aspect: (width) => (width < 400 ? 1.4 : 1.08),
  draw(stage, model) {
    const { pen, ink, colour, name, words } = stage;
    const { shown, readings } = model;
    const { all, each } = readings;
    const { measured, from, to, at, sigma, names } = shown;
    const [low, most] = rangeOf(shown);
    const plot = plotOf(stage, MARGINS, [from, to], [low, most]);
    const { x, y, left, right, bottom } = plot;
    const count = all.length;
    const xOf = (/** @type {number} */ i) => x(from + ((to - from) * (i + 0.5)) / count);
    drawAxes(stage, plot, {
      xs: ticks(from, to, stage.width > 420 ? 10 : 5),
      ys: ticks(low, most, 5),
      ...{ up: words.up, across: words.across },
    });
    pen.save();
    pen.beginPath();
    pen.rect(left, 0, right - left, bottom);
    pen.clip();
    [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [ink('ink'), ink('line'), 1.5];
    measured.forEach((/** @type {number} */ value, /** @type {number} */ i) => {
      const across = at ? x(at[i]) : xOf(i);
      // What the loss counts most: where the line is far from its dot.
      if (!at && Math.abs(value - all[i]) > 0.08 * most)
        stroke(pen, [across, y(value)], [across, y(all[i])]);
      pen.fillRect(across - 1.7, y(value) - 1.7, 3.4, 3.4);
      if (!sigma) return;
      const top = y(value + sigma[i]);
      pen.fillRect(across - 0.4, top, 0.8, y(value - sigma[i]) - top);
    });
    const pointsOf = (/** @type {ArrayLike<number>} */ values) =>
      Array.from({ length: count }, (_, i) => [xOf(i), y(values[i])]);
    const parts = names.map((/** @type {string} */ _, /** @type {number} */ k) =>
      each.subarray(k * count, (k + 1) * count),
    );
    pen.strokeStyle = pen.fillStyle = colour(0.75, 1);
    pen.lineWidth = 1.5;
    pen.setLineDash([5, 3]);
    for (const part of parts) {
      // Only its bell: on the axis it would look like a line of its own.
      const bell = pointsOf(part).filter((_, i) => Math.abs(part[i]) > 0.01 * most);
      if (!bell.length) continue;
      stroke(pen, ...bell);
      pen.lineTo(bell[bell.length - 1][0], y(0));
      pen.lineTo(bell[0][0], y(0));
      pen.globalAlpha = 0.16;
      pen.fill();
      pen.globalAlpha = 1;
    }
    pen.setLineDash([]);
    const band = bandOf(model);
    if (band?.upper.every((value, i) => Number.isFinite(value - band.lower[i]))) {
      pen.globalAlpha = 0.4;
      pen.fillStyle = ink('edge');
      trace(pen, ...pointsOf(band.upper), ...pointsOf(band.lower).reverse());
      pen.fill();
      pen.globalAlpha = 1;
    }
    [pen.strokeStyle, pen.lineWidth] = [ink('ink'), band ? 1.25 : 2.5];
    stroke(pen, ...pointsOf(all));
    pen.restore();
    pen.font = '600 15px system-ui, sans-serif';
    [pen.fillStyle, pen.strokeStyle, pen.lineWidth] = [ink('ink'), ink('paper'), 5];
    pen.textAlign = 'center';
    names.forEach((/** @type {string} */ key, /** @type {number} */ k) => {
      const part = parts[k];
      const top = part.indexOf(Math.max(...part));
      // Above its bell, on paper: dots may be there.
      pen.strokeText(name(key), xOf(top), y(part[top]) - 12);
      pen.fillText(name(key), xOf(top), y(part[top]) - 12);
      // A locked height is a lid.
      if (model.locks.x[3 * k]) pen.fillRect(xOf(top) - 18, y(part[top]) - 4, 36, 5);
    });
  },
  describe(words, model) {
    const { shown, readings, locks } = model;
    const free = locks.x.filter((bit) => !bit).length;
    const squares = readings.squares?.[0] ?? Number.NaN;
    const freedom = shown.measured.length - free;
    const misfit = shown.noise
      ? words.chi((squares / shown.noise ** 2 / freedom).toFixed(2), freedom)
      : words.off(Math.sqrt(squares / shown.measured.length).toPrecision(2));
    const dots = shown.noise ? 'measured' : shown.at ? 'plain' : 'exact';
    return words[dots] + words.lines(bandOf(model) !== null) + misfit;
  },
};
