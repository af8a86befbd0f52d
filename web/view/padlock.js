/** Draws the padlock of the page's icons on a canvas, for exported pictures. */

/** Its paths in a 16 × 16 box, once read from the page. @type {{ body: Path2D, shackle: Path2D } | null} */
let paths = null;

function findPaths() {
  const [body, shackle] = document.querySelectorAll('#icon-lock path');
  const pathOf = (/** @type {Element} */ one) => new Path2D(one.getAttribute('d') ?? '');
  return { body: pathOf(body), shackle: pathOf(shackle) };
}

/** Dark with a light outline, so that it shows on any colour. @param {CanvasRenderingContext2D} pen @param {number} x of its left side @param {number} y of its top @param {number} size */
export function drawPadlock(pen, x, y, size) {
  paths ??= findPaths();
  const { body, shackle } = paths;
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
