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

const [LEFT, RIGHT, TOP, BOTTOM] = [34, 6, 18, 38];
/** The band is drawn once chi square is at most this many times that of the fit. */
const CLOSE = 1.5;
const FONT = '12px system-ui, sans-serif';

/** Returns the distance of ticks: 1, 2 or 5 times a power of ten. @param {number} span @param {number} count their largest number */
function strideOf(span, count) {
  const power = 10 ** Math.floor(Math.log10(span / count));
  return power * ([1, 2, 5, 10].find((digit) => digit * power * count >= span * 0.999) ?? 10);
}

/** @param {number} from @param {number} to @param {number} count */
function ticks(from, to, count) {
  const stride = strideOf(to - from, count);
  const first = Math.ceil(from / stride - 1e-9);
  const last = Math.floor(to / stride + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * stride);
}

/** @param {number} value */
const numberText = (value) => String(Math.round(value * 1e6) / 1e6).replace('-', '−');

/** Returns the scales of the axes. @param {import('../shared/figure.js').Stage} stage @param {any} shown */
function scalesOf({ width, height }, { measured, from, to, at }) {
  // A person's points have any size.
  const most = Math.max(at ? 0 : 1, ...measured) * 1.1 || 1;
  const least = Math.min(0, ...measured);
  const low = least < -0.25 * most ? least * 1.1 : -0.13 * most;
  const [right, bottom] = [width - RIGHT, height - BOTTOM];
  return {
    ...{ low, most, right, bottom },
    x: (/** @type {number} */ at) => LEFT + ((at - from) / (to - from)) * (right - LEFT),
    y: (/** @type {number} */ value) => bottom - ((value - low) / (most - low)) * (bottom - TOP),
  };
}

/** @param {import('../shared/figure.js').Stage} stage @param {any} shown @param {ReturnType<typeof scalesOf>} scales */
function drawAxes(
  { pen, ink, words, width, height },
  { from, to },
  { x, y, low, most, right, bottom },
) {
  pen.font = FONT;
  pen.lineWidth = 1;
  pen.strokeStyle = ink('line');
  pen.fillStyle = ink('muted');
  pen.textAlign = 'right';
  for (const value of ticks(low, most, 5)) {
    pen.beginPath();
    pen.moveTo(LEFT, Math.round(y(value)) + 0.5);
    pen.lineTo(right, Math.round(y(value)) + 0.5);
    pen.stroke();
    pen.fillText(numberText(value), LEFT - 6, y(value) + 4);
  }
  pen.textAlign = 'center';
  pen.strokeStyle = ink('edge');
  pen.beginPath();
  pen.moveTo(LEFT, bottom + 0.5);
  pen.lineTo(right, bottom + 0.5);
  for (const value of ticks(from, to, width > 420 ? 10 : 5)) {
    pen.moveTo(Math.round(x(value)) + 0.5, bottom);
    pen.lineTo(Math.round(x(value)) + 0.5, bottom + 5);
    pen.fillText(numberText(value), Math.min(right - 8, x(value)), bottom + 18);
  }
  pen.stroke();
  pen.fillText(words.across, (LEFT + right) / 2, height - 4);
  pen.textAlign = 'left';
  pen.fillText(words.up, 2, 11);
}

/** Returns the band to draw: none before the line is close to the fit. @param {import('../shared/figure.js').Model} model */
function bandOf({ fit, shown, readings }) {
  const squares = (readings.squares?.[0] ?? Number.NaN) / (shown.noise || 1) ** 2;
  const isClose =
    fit?.band?.upper.length === readings.all?.length && squares <= CLOSE * (fit?.chiSquare ?? 0);
  return isClose ? (fit?.band ?? null) : null;
}

/** @type {import('../shared/figure.js').Drawn} */
export const curves = {
  id: 'curves',
  aspect: 1.75,
  draw(stage, model) {
    const { pen, ink, colour, name } = stage;
    const { shown, readings } = model;
    const { all, each } = readings;
    const { measured, from, to, at, sigma, names } = shown;
    const scales = scalesOf(stage, shown);
    const { x, y, right, bottom } = scales;
    const count = all.length;
    const xOf = (/** @type {number} */ i) => x(from + ((to - from) * (i + 0.5)) / count);
    drawAxes(stage, shown, scales);
    pen.save();
    pen.beginPath();
    pen.rect(LEFT, 0, right - LEFT, bottom);
    pen.clip();
    pen.fillStyle = ink('edge');
    measured.forEach((/** @type {number} */ value, /** @type {number} */ i) => {
      const across = at ? x(at[i]) : xOf(i);
      pen.fillRect(across - 1.3, y(value) - 1.3, 2.6, 2.6);
      if (sigma)
        pen.fillRect(
          across - 0.4,
          y(value + sigma[i]),
          0.8,
          y(value - sigma[i]) - y(value + sigma[i]),
        );
    });
    const line = (/** @type {ArrayLike<number>} */ values) => {
      pen.beginPath();
      for (let i = 0; i < count; i++) pen.lineTo(xOf(i), y(values[i]));
    };
    names.forEach((/** @type {string} */ _, /** @type {number} */ k) => {
      line(each.subarray(k * count, (k + 1) * count));
      pen.lineTo(xOf(count - 1), y(0));
      pen.lineTo(xOf(0), y(0));
      pen.globalAlpha = 0.16;
      pen.fillStyle = colour(0.75, 1);
      pen.fill();
      pen.globalAlpha = 1;
      line(each.subarray(k * count, (k + 1) * count));
      pen.strokeStyle = colour(0.75, 1);
      pen.lineWidth = 1.5;
      pen.setLineDash([5, 3]);
      pen.stroke();
      pen.setLineDash([]);
    });
    const band = bandOf(model);
    if (band?.upper.every((value, i) => Number.isFinite(value - band.lower[i]))) {
      pen.beginPath();
      for (let i = 0; i < count; i++) pen.lineTo(xOf(i), y(band.upper[i]));
      for (let i = count - 1; i >= 0; i--) pen.lineTo(xOf(i), y(band.lower[i]));
      pen.globalAlpha = 0.8;
      pen.fillStyle = colour(-0.8, 1);
      pen.fill();
      pen.globalAlpha = 1;
    }
    line(all);
    pen.strokeStyle = ink('ink');
    pen.lineWidth = band ? 1.25 : 2;
    pen.stroke();
    pen.restore();
    pen.textAlign = 'center';
    names.forEach((/** @type {string} */ key, /** @type {number} */ k) => {
      const part = each.subarray(k * count, (k + 1) * count);
      const top = part.indexOf(Math.max(...part));
      if (top < 0) return;
      // At the bottom of its bell, where no line is.
      pen.font = `600 ${FONT}`;
      pen.fillStyle = ink('ink');
      pen.fillText(name(key), xOf(top), y(0) + 14);
    });
  },
  describe(words, model) {
    const { shown, readings, locks } = model;
    const free = Object.values(locks).reduce(
      (sum, mask) => sum + mask.reduce((left, bit) => left + 1 - bit, 0),
      0,
    );
    const squares = readings.squares?.[0] ?? Number.NaN;
    const freedom = shown.measured.length - free;
    const hasBand = bandOf(model) !== null;
    if (!shown.noise) {
      const off = Math.sqrt(squares / shown.measured.length).toPrecision(2);
      return shown.at ? words.plain(off, hasBand) : words.exact(off, hasBand);
    }
    return words.label((squares / shown.noise ** 2 / freedom).toFixed(2), freedom, hasBand);
  },
};
