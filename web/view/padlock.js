/** The padlock of the page's icons, on a canvas: for pictures to take away and for the lens. */

/** On a field of 16 × 16. */
const BODY = 'M4 7.5h8a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V8.5a1 1 0 0 1 1-1z';
const SHACKLE = 'M5 7.5V5a3 3 0 0 1 6 0v2.5';

/** Light round dark, so that it shows on any colour. @param {CanvasRenderingContext2D} pen @param {number} x of its left side @param {number} y of its top @param {number} size */
export function drawPadlock(pen, x, y, size) {
  const [body, shackle] = [new Path2D(BODY), new Path2D(SHACKLE)];
  pen.save();
  pen.translate(x, y);
  pen.scale(size / 16, size / 16);
  pen.lineJoin = 'round';
  for (const [style, extra] of /** @type {const} */ ([
    ['rgb(255 255 255 / 0.85)', 2.4],
    ['#1b1d21', 0],
  ])) {
    pen.strokeStyle = style;
    pen.fillStyle = style;
    pen.lineWidth = 1.7 + extra;
    pen.stroke(shackle);
    pen.lineWidth = 0.4 + extra;
    pen.stroke(body);
    pen.fill(body);
  }
  pen.restore();
}
