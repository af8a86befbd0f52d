/** Draws the padlock of the page's icons on a canvas, for exported pictures. */

/** Returns its body and its shackle in a 16 × 16 box, as the page has them. */
export const padlockPaths = () =>
  Array.from(document.querySelectorAll('#icon-lock path'), (one) => one.getAttribute('d') ?? '');

/** Its paths, once read from the page. @type {Path2D[] | null} */
let paths = null;

/** Dark with a light outline, so that it shows on any colour. @param {CanvasRenderingContext2D} pen @param {number} x of its left side @param {number} y of its top @param {number} size */
export function drawPadlock(pen, x, y, size) {
  paths ??= padlockPaths().map((path) => new Path2D(path));
  const [body, shackle] = paths;
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
