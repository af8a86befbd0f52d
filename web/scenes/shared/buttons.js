/**
 * Buttons over a canvas, as large as a finger, such as the nodes of a graph. They may overlap, so a
 * pointer means the nearest. One of them is a tab stop.
 */

/** Half of a button's side, in CSS pixels. */
export const HALF = 22;

/** The ways of arrow keys. @type {Record<string, [right: number, up: number]>} */
export const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

/** Returns the index of the nearest point to a pointer; −1 if none is near. @param {readonly { x: number, y: number }[]} points in CSS pixels from the layer's corner @param {HTMLElement} layer @param {MouseEvent} event */
export function nearest(points, layer, { clientX, clientY }) {
  const { left, top } = layer.getBoundingClientRect();
  let [best, least] = [-1, HALF];
  for (const [i, { x, y }] of points.entries()) {
    const distance = Math.hypot(left + x - clientX, top + y - clientY);
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}

/** Makes a button the only tab stop. @param {readonly HTMLElement[]} buttons @param {number} at */
export function stopAt(buttons, at) {
  buttons.forEach((button, i) => {
    button.tabIndex = i === at ? 0 : -1;
  });
}

/** Puts the middle of a button at a point, in eighths of a pixel, which screens have, so that it keeps its full side. @param {HTMLElement} button @param {{ x: number, y: number }} point */
export function moveTo(button, { x, y }) {
  const [left, top] = [x, y].map((at) => Math.round((at - HALF) * 8) / 8);
  button.style.transform = `translate(${left}px, ${top}px)`;
}
