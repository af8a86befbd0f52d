/**
 * A network as nodes and edges. A variable is a layer's matrix: its rows are the nodes before, its
 * columns the nodes after. The last row, the biases, is not drawn. An edge is a cell: its colour is
 * the value, its width the size, and an outline means locked. Nodes show their output on the plane.
 *   shown.unitSide            side of the nodes' images, in samples
 *   shown.inputs, inputNames  images of the inputs, and their names
 */

import { circle, FONT, write } from './plot.js';

/** The margins. */
const [TOP, SIDE] = [22, 2];
/** The widest edge and the largest node, in CSS pixels. */
const [WIDEST, MOST_NODE] = [1.5, 26];
/** The largest distance of a pointer from an edge that it hits, and the samples of an edge for it. */
const [NEAR, SAMPLES] = [7, 16];
/** More locked edges of a layer than these, or cut ones, share a padlock, with the layer's number of locks. */
const MOST_PADLOCKS = 12;

/** @typedef {import('./figure.js').Model} Model */
/** @typedef {Pick<import('./figure.js').Stage, 'width' | 'height'>} Room */
/** @typedef {{ x: number, y: number }} Node */

/** Returns the positions of each layer's nodes, inputs first. @param {Room} room @param {Model} model */
function nodesOf({ width, height }, { layout }) {
  const counts = [...layout.map(({ rows }) => rows - 1), layout[layout.length - 1].cols];
  const most = Math.max(...counts);
  const pitch = (height - TOP - SIDE) / most;
  const size = Math.max(1, Math.min(MOST_NODE, Math.floor(pitch - 3)));
  const left = size / 2 + SIDE;
  const columns = counts.map((count, layer) => {
    const x = left + (layer / layout.length) * (width - size - 2 * SIDE);
    const top = TOP + ((most - count) / 2) * pitch;
    return Array.from({ length: count }, (_, i) => ({ x, y: top + (i + 0.5) * pitch }));
  });
  return { columns, size };
}

/** Returns the nodes that a cell connects. @param {Node[][]} columns @param {Model} model @param {number} layer @param {number} at @returns {[Node, Node]} */
function ends(columns, { layout }, layer, at) {
  const { cols } = layout[layer];
  return [columns[layer][Math.floor(at / cols)], columns[layer + 1][at % cols]];
}

/** Returns a point of an edge. @param {Node} a @param {Node} b @param {number} t 0..1 */
function along(a, b, t) {
  const [across, down] = [t ** 3 + 1.5 * t * (1 - t), t * t * (3 - 2 * t)];
  return { x: a.x + across * (b.x - a.x), y: a.y + down * (b.y - a.y) };
}

/** @param {CanvasRenderingContext2D} pen @param {Node[]} ends @param {string} style @param {number} size */
function trace(pen, [a, b], style, size) {
  [pen.strokeStyle, pen.lineWidth] = [style, size];
  const middle = (a.x + b.x) / 2;
  pen.beginPath();
  pen.moveTo(a.x, a.y);
  pen.bezierCurveTo(middle, a.y, middle, b.y, b.x, b.y);
  pen.stroke();
}

/** Draws one edge. @param {import('./figure.js').Stage} stage @param {Node[]} ends @param {number} value @param {{ reach: number, isLocked: boolean, isLit: boolean, outline: string }} how */
function drawEdge({ pen, colour, ink }, ends, value, { reach, isLocked, isLit, outline }) {
  const usual = 0.5 + WIDEST * Math.min(1, Math.abs(value) / reach);
  // Few locked lines stand out; many would be a weave.
  const size = isLocked && outline === 'ink' ? Math.max(2.5, usual) : usual;
  if (isLit) {
    trace(pen, ends, ink('accent'), size + 6);
    trace(pen, ends, ink('paper'), size + 2);
  }
  if (isLocked && value) trace(pen, ends, ink(outline), size + 1.5);
  // Thin lines look paler than cells.
  const isCut = isLocked && !value;
  trace(pen, ends, isCut ? ink('line') : colour(value, 0.6 * reach), isCut ? 0.5 : size);
}

/** Draws a padlock. @param {import('./figure.js').Stage} stage @param {Node} at @param {string} [count] */
function drawPadlock({ pen, ink }, { x, y }, count = '') {
  [pen.strokeStyle, pen.fillStyle, pen.lineWidth] = [ink('ink'), ink('raised'), 1.5];
  circle(pen, x, y, 10);
  pen.fill();
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y - 2, 2.75, -Math.PI, 0);
  pen.stroke();
  pen.fillStyle = ink('ink');
  pen.fillRect(x - 4, y - 2, 8, 7);
  [pen.font, pen.textAlign, pen.strokeStyle, pen.lineWidth] = [FONT, 'center', ink('paper'), 4];
  pen.strokeText(count, x, y + 24);
  pen.fillText(count, x, y + 24);
}

/** Draws every node's output on the plane as a small image. @param {import('./figure.js').Stage} stage @param {Model} model @param {Node[][]} columns @param {number} size */
function drawNodes({ pen, ink, image }, { shown, readings }, columns, size) {
  pen.imageSmoothingEnabled = true;
  columns.forEach((column, layer) => {
    const units = readings[`units${layer}`];
    column.forEach(({ x, y }, i) => {
      [pen.strokeStyle, pen.fillStyle, pen.lineWidth] = [ink('edge'), ink('raised'), 1];
      const map = layer ? units?.filter((_, at) => at % column.length === i) : shown.inputs[i];
      const corner = [x - size / 2, y - size / 2];
      pen.fillRect(corner[0], corner[1], size, size);
      if (map) pen.drawImage(image(map, shown.unitSide, 1.2), corner[0], corner[1], size, size);
      pen.strokeRect(corner[0], corner[1], size, size);
    });
  });
}

/** @type {import('./figure.js').Drawn} */
export const net = {
  id: 'net',
  aspect: (width) => (width < 560 ? 1.2 : 2.1),
  draw(stage, model) {
    const { pen, ink, words, width, name } = stage;
    const { layout, values, locks, reach, lit, shown } = model;
    const { columns, size } = nodesOf(stage, model);
    const edges = layout.flatMap((part, layer) =>
      Array.from(values[part.name], (value, at) => ({
        ...{ layer, at, value },
        isBias: at >= (part.rows - 1) * part.cols,
        isLocked: locks[part.name][at] === 1,
        isLit: part.offset + at === lit,
      })),
    );
    const seen = edges.filter(({ isBias }) => !isBias);
    const locked = layout.map((_, layer) =>
      seen.filter((edge) => edge.layer === layer && edge.isLocked),
    );
    // Large edges are drawn over small ones, and the highlighted one over all.
    seen.sort((a, b) => Number(a.isLit) - Number(b.isLit) || Math.abs(a.value) - Math.abs(b.value));
    for (const { layer, at, value, isLocked, isLit } of seen) {
      pen.globalAlpha = isLit ? 1 : lit < 0 ? 0.7 : 0.25;
      const outline = locked[layer].length > MOST_PADLOCKS ? 'edge' : 'ink';
      drawEdge(stage, ends(columns, model, layer, at), value, { reach, isLocked, isLit, outline });
    }
    pen.globalAlpha = 1;
    drawNodes(stage, model, columns, size);
    locked.forEach((own, layer) => {
      if (own.length > MOST_PADLOCKS || own.some(({ value }) => value === 0)) {
        const x = (columns[layer][0].x + columns[layer + 1][0].x) / 2;
        const count = edges.filter((edge) => edge.layer === layer && edge.isLocked).length;
        drawPadlock(stage, { x, y: (TOP + stage.height) / 2 }, String(count));
      } else {
        // Where edges to one node are still apart.
        for (const { at } of own)
          drawPadlock(stage, along(...ends(columns, model, layer, at), 0.3));
      }
    });
    [pen.font, pen.fillStyle] = [FONT, ink('muted')];
    columns.forEach((column, layer) => {
      const align = layer === 0 ? 'left' : layer === layout.length ? 'right' : 'center';
      const x = { left: 0, right: width, center: column[0].x }[align];
      write(pen, words.layers(layer, layout.length), x, 12, align);
    });
    [pen.strokeStyle, pen.fillStyle, pen.lineWidth] = [ink('paper'), ink('ink'), 3];
    pen.textAlign = 'center';
    for (const [i, key] of shown.inputNames.entries()) {
      const { x, y } = columns[0][i];
      pen.strokeText(name(key), x, y + 4);
      pen.fillText(name(key), x, y + 4);
    }
  },
  cellAt(x, y, stage, model) {
    const { columns } = nodesOf(stage, model);
    let [best, least] = [-1, NEAR];
    for (const [layer, { offset, rows, cols }] of model.layout.entries()) {
      for (let at = 0; at < (rows - 1) * cols; at++) {
        const [a, b] = ends(columns, model, layer, at);
        if (x < a.x || x > b.x) continue;
        for (let i = 0; i <= SAMPLES; i++) {
          const point = along(a, b, i / SAMPLES);
          const distance = Math.hypot(point.x - x, point.y - y);
          if (distance < least) [best, least] = [offset + at, distance];
        }
      }
    }
    return best;
  },
  describe(words, { locks }) {
    const bits = Object.values(locks).flatMap((mask) => [...mask]);
    return words.label(bits.length, bits.filter(Boolean).length);
  },
};
