/** Plots on a canvas, of Freeze, Lottery and Peaks: scales, axes, curves and the shown run's point. */

/** @typedef {import('./figure.js').Stage} Stage */
/** @typedef {[value: number, text: string][]} Ticks */
/** @typedef {{ name: string, ink: string, dashes: number[], points: number[][] }} Curve */
/** The edges of a plot in CSS pixels, and its scales. @typedef {ReturnType<typeof plotOf>} Plot */

export const FONT = '12px system-ui, sans-serif';
/** The height of a plot that is built of elements, as in figures.css, and of a line of labels. */
const [TALL, LINE] = [190, 15];

/** Returns the pen of a built plot. @param {Parameters<import('./figure.js').Built['build']>[1]} tools @param {HTMLCanvasElement} canvas */
export const stageFor = ({ stageOf, zoom }, canvas) =>
  stageOf(canvas, Math.max(1, canvas.clientWidth) / zoom() / TALL, zoom());

/** @param {{ width: number, height: number }} room @param {number[]} margins top, right, bottom, left @param {number[]} across the values at its ends @param {number[]} upwards likewise */
export function plotOf({ width, height }, [top, end, under, left], [from, to], [low, high]) {
  const [right, bottom] = [width - end, height - under];
  return {
    ...{ left, right, top, bottom },
    x: (/** @type {number} */ value) => left + ((value - from) / (to - from)) * (right - left),
    y: (/** @type {number} */ value) => bottom - ((value - low) / (high - low)) * (bottom - top),
  };
}

/** Begins a line through points. @param {CanvasRenderingContext2D} pen @param {number[][]} points */
export function trace(pen, ...points) {
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x, y);
}

/** Draws a line through points. @param {CanvasRenderingContext2D} pen @param {number[][]} points */
export function stroke(pen, ...points) {
  trace(pen, ...points);
  pen.stroke();
}

/** Begins a circle. @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} radius */
export function circle(pen, x, y, radius) {
  pen.beginPath();
  pen.arc(x, y, radius, 0, 7);
}

/** @param {CanvasRenderingContext2D} pen @param {string} text @param {number} x @param {number} y @param {CanvasTextAlign} align */
export function write(pen, text, x, y, align) {
  pen.textAlign = align;
  pen.fillText(text, x, y);
}

/** Draws a rule for each value upwards, the other axis below, and what they are. @param {Stage} stage @param {Plot} plot @param {{ xs: Ticks, ys: Ticks, up: string, across: string }} texts */
export function drawAxes({ pen, ink, width, height }, plot, { xs, ys, up, across }) {
  const { left, right, top, bottom, x, y } = plot;
  [pen.lineWidth, pen.font, pen.fillStyle] = [1, `600 ${FONT}`, ink('ink')];
  write(pen, up, 0, Math.min(top - 11, 21), 'left');
  [pen.font, pen.fillStyle, pen.strokeStyle] = [FONT, ink('muted'), ink('line')];
  for (const [value, text] of ys) {
    const at = Math.round(y(value)) + 0.5;
    stroke(pen, [left, at], [right, at]);
    write(pen, text, left - 6, at + 3.5, 'right');
  }
  pen.strokeStyle = ink('edge');
  stroke(pen, [left, bottom + 0.5], [right, bottom + 0.5]);
  for (const [value, text] of xs) {
    const at = Math.round(x(value)) + 0.5;
    stroke(pen, [at, bottom], [at, bottom + 5]);
    write(pen, text, Math.min(at, width - 8), bottom + 18, 'center');
  }
  write(pen, across, (left + right) / 2, height - 4, 'center');
}

/** Draws curves and their names at their ends, one below the other where these are close. @param {Stage} stage @param {Plot} plot @param {Curve[]} curves the first is the strongest */
export function drawCurves({ pen, ink }, { x, y, bottom }, curves) {
  const ends = curves.map(({ points }) =>
    Math.min(y(points[points.length - 1][1]) + 4, bottom - 5),
  );
  const order = [...ends.keys()].sort((a, b) => ends[a] - ends[b]);
  let under = 0;
  for (const i of order) {
    const { name, ink: colour, dashes, points } = curves[i];
    pen.strokeStyle = pen.fillStyle = ink(colour);
    pen.lineWidth = i ? 2 : 3;
    pen.setLineDash(dashes);
    stroke(pen, ...points.map(([across, up]) => [x(across), y(up)]));
    pen.setLineDash([]);
    pen.font = i ? FONT : `600 ${FONT}`;
    under = Math.max(ends[i], under + LINE);
    write(pen, name, x(points[points.length - 1][0]) + 20, under, 'left');
  }
}

/** Draws the shown run's point, with its name below it. @param {Stage} stage @param {number} x @param {number} y @param {string} [name] */
export function drawPoint({ pen, ink }, x, y, name = '') {
  for (const radius of [10, 9, 6]) {
    circle(pen, x, y, radius);
    pen.fillStyle = ink(radius === 9 ? 'paper' : 'ink');
    pen.fill();
  }
  [pen.strokeStyle, pen.font, pen.lineWidth] = [ink('paper'), `600 ${FONT}`, 4];
  pen.textAlign = 'left';
  pen.strokeText(name, x - 6, y + 24);
  pen.fillText(name, x - 6, y + 24);
}
