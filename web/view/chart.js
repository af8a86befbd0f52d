/**
 * The chart of the loss, or of the drift of held cells: a line for the run, one for its rival, a
 * mark at each change of locks, a choice of axis. uPlot draws it.
 */

import './locale.js';
import uPlot from 'uplot';
import { strings } from '../strings/index.js';
import { h, token, zoom } from './dom.js';
import { formatCount, formatInput, formatNumber, powerOfTen } from './format.js';
import { LossTrace } from './trace.js';

/** The width of a digit of an axis, at most. */
const DIGIT = 8;
/** The widths left and right of the curves. */
const [LEFT, RIGHT] = [48, 12];
/** The most marks; older ones are too close together to see. */
const MOST_MARKS = 200;

export class Chart {
  #host;
  #empty = h('p', { class: 'chart-empty note' });
  #trace = new LossTrace();
  /** @type {number[]} steps at which locks changed */
  #marks = [];
  #first = Number.NaN;
  #latest = Number.NaN;
  #isLog = true;
  /** True while losses are so alike that the axis starts at 0, although it is to be logarithmic. */
  #isNarrow = true;
  #isDrift = false;
  /** @type {uPlot | null} */
  #plot = null;

  /** @param {HTMLElement} host */
  constructor(host) {
    this.#host = host;
    host.append(this.#empty);
    host.setAttribute('role', 'img');
    new ResizeObserver(() => {
      if (this.#plot) this.#plot.setSize({ width: host.clientWidth, height: host.clientHeight });
      else this.restyle();
    }).observe(host);
  }

  /** Clears the chart: the run is replayed, or restarts. @param {number[]} marks steps at which locks changed */
  clear(marks = []) {
    this.#trace = new LossTrace();
    this.#marks = marks.filter((step) => step > 0).slice(-MOST_MARKS);
    this.#first = Number.NaN;
    this.#show();
  }

  /** @param {Float64Array} trace repeated: step, loss, the rival's loss, its drift */
  add(trace) {
    for (let i = 0; i + 3 < trace.length; i += 4) {
      const step = trace[i];
      if (step < this.#trace.last) continue;
      this.#latest = trace[i + 1];
      if (Number.isNaN(this.#first)) this.#first = this.#latest;
      this.#trace.add(step, this.#latest, trace[i + 2], trace[i + 3]);
    }
    this.#show();
  }

  /** Marks a change of locks at a step. @param {number} step */
  mark(step) {
    if (step <= 0 || this.#marks.at(-1) === step) return;
    this.#marks.push(step);
    if (this.#marks.length > MOST_MARKS) this.#marks.shift();
    this.#plot?.redraw(false);
  }

  /** @param {{ isLog?: boolean, isDrift?: boolean }} look isDrift: it shows drift, not loss */
  set({ isLog = this.#isLog, isDrift = this.#isDrift }) {
    if (isLog === this.#isLog && isDrift === this.#isDrift) return;
    this.#isLog = isLog;
    this.#isDrift = isDrift;
    this.restyle();
  }

  #show() {
    const { steps, losses, rivals, drifts, isNarrow } = this.#trace;
    if (isNarrow !== this.#isNarrow) {
      this.#isNarrow = isNarrow;
      this.restyle();
    }
    this.#empty.hidden = steps.length > 1;
    this.#host.classList.toggle('is-empty', steps.length < 2);
    if (this.#isDrift) this.#plot?.setData([steps, steps.map(() => 0), drifts]);
    else this.#plot?.setData([steps, losses, rivals]);
    const first = formatNumber(this.#first);
    const now = formatNumber(this.#latest);
    const last = formatCount(Math.max(0, this.#trace.last));
    const drift = formatNumber(drifts.findLast((one) => one !== null) ?? 0);
    const label = this.#isDrift
      ? strings.drift.chart(drift, last)
      : strings.loss.chart(first, now, last);
    this.#host.setAttribute('aria-label', steps.length > 1 ? label : strings.loss.empty);
  }

  /** Rebuilds the chart: colours or axis have changed. */
  restyle() {
    const width = this.#host.clientWidth;
    if (!width) return;
    this.#plot?.destroy();
    this.#plot = new uPlot(this.#options(width), [[], [], []], this.#host);
    this.#plot.root.setAttribute('aria-hidden', 'true');
    this.#show();
  }

  /** @param {number} width @returns {uPlot.Options} */
  #options(width) {
    const scale = zoom();
    const axis = {
      stroke: token('muted'),
      font: `${12 * scale}px system-ui, sans-serif`,
      ticks: { show: false },
      border: { show: true, stroke: token('line'), width: 1 },
      grid: { stroke: token('line'), width: 1 },
    };
    const isDrift = this.#isDrift;
    const isLog = this.#isLog && !isDrift && !this.#isNarrow;
    return {
      width,
      height: this.#host.clientHeight,
      padding: [14, RIGHT * scale, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: (_plot, min, max) => [min, Math.max(max, min + 20)] },
        y: isLog
          ? { distr: 3, range: (_plot, min, max) => (min > 0 ? [min / 2, 1.2 * max] : [1, 10]) }
          : { range: (_plot, _min, max) => [isDrift ? -0.04 * (max || 1) : 0, (max || 1) * 1.05] },
      },
      axes: [
        {
          ...axis,
          size: 28 * scale,
          gap: 6,
          space: 70 * scale,
          grid: { show: false },
          values: ({ scales, width }, splits) => {
            const { min = 0, max = 0 } = scales.x;
            const room = (width / scale - LEFT - RIGHT) / (max - min);
            return splits.map((step) => {
              const text = Number.isInteger(step) ? formatCount(step) : '';
              // The edge of the chart would cut it off.
              const isCut = (text.length * DIGIT) / 2 > RIGHT + (max - step) * room;
              return isCut ? '' : text;
            });
          },
        },
        {
          ...axis,
          size: LEFT * scale,
          gap: 8,
          space: 34 * scale,
          border: { show: false },
          // `splits` ignores the increments, but if none fits, above 10¹⁶, the axis vanishes.
          incrs: isLog ? (_plot, _axis, _min, max) => [Math.max(10, max)] : undefined,
          splits: isLog ? (_plot, _axis, min, max) => logSplits(min, max) : undefined,
          filter: (_plot, splits) => splits,
          values: (plot, splits) => splits.map((loss) => label(loss, isLog && decades(plot) >= 2)),
        },
      ],
      series: [
        {},
        line('ink', isDrift ? 2.5 : 1.75, [], false),
        line('accent', 1.75, [6, 4], isDrift),
      ],
      hooks: {
        drawAxes: [(plot) => this.#drawMarks(plot)],
        draw: [(plot) => this.#drawLast(plot)],
      },
    };
  }

  /** Draws the run's current point. @param {uPlot} plot */
  #drawLast({ ctx, valToPos }) {
    const loss = this.#isDrift ? 0 : this.#trace.losses.at(-1);
    if (loss === null || loss === undefined) return;
    ctx.fillStyle = token('ink');
    ctx.beginPath();
    const [x, y] = [valToPos(this.#trace.last, 'x', true), valToPos(loss, 'y', true)];
    ctx.arc(x, y, 3 * uPlot.pxRatio * zoom(), 0, 7);
    ctx.fill();
  }

  /** @param {uPlot} plot */
  #drawMarks(plot) {
    const { ctx, bbox } = plot;
    const ratio = uPlot.pxRatio;
    ctx.save();
    ctx.strokeStyle = token('accent');
    ctx.fillStyle = token('accent');
    ctx.lineWidth = ratio;
    ctx.setLineDash([2 * ratio, 3 * ratio]);
    for (const step of this.#marks) {
      const x = Math.round(plot.valToPos(step, 'x', true));
      if (x < bbox.left || x > bbox.left + bbox.width) continue;
      ctx.beginPath();
      ctx.moveTo(x, bbox.top);
      ctx.lineTo(x, bbox.top + bbox.height);
      ctx.stroke();
      ctx.fillRect(x - 3.5 * ratio, bbox.top - 6 * ratio, 7 * ratio, 6 * ratio);
    }
    ctx.restore();
  }
}

/** @param {string} ink @param {number} width @param {number[]} dash @param {boolean} spanGaps */
const line = (ink, width, dash, spanGaps) => ({
  ...{ stroke: token(ink), width: width * zoom(), dash, points: { show: false }, spanGaps },
});

/** @param {uPlot} plot */
const decades = ({ scales: { y } }) => Math.log10((y?.max ?? 1) / (y?.min || 1));

/**
 * Returns a logarithmic axis's lines: powers of ten, every other if there are many; on a short axis
 * 2 and 5 too. (uPlot's own fail above 10¹⁶, which a diverging loss soon exceeds.)
 * @param {number} min
 * @param {number} max
 */
function logSplits(min, max) {
  const [low, high] = [Math.floor(Math.log10(min)), Math.ceil(Math.log10(max))];
  const isShort = Math.log10(max / min) < 2;
  const stride = Math.max(1, Math.ceil((high - low) / 6));
  const splits = [];
  for (let exponent = low; exponent <= high; exponent++) {
    if (exponent % stride !== 0) continue;
    for (const digit of isShort ? [1, 2, 5] : [1]) splits.push(Number(`${digit}e${exponent}`));
  }
  return splits.filter((loss) => loss >= min * 0.999 && loss <= max * 1.001);
}

/** @param {number | null} loss @param {boolean} isPower */
function label(loss, isPower) {
  if (loss === null) return '';
  const isFar = loss >= 1e5 || (loss > 0 && loss < 1e-3);
  if (isFar && isPower) return powerOfTen(Math.round(Math.log10(loss)));
  if (isFar) return formatNumber(loss).replace('.00', '').replace(/^1·/, '');
  return formatInput(loss);
}
