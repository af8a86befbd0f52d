/**
 * A network as nodes and edges. A variable is a layer's matrix: its rows are the nodes before, the
 * last one the bias, its columns the nodes after. An edge is a cell: its colour is the value, its
 * width the size, and short lines across it mean locked; one that is cut, locked at 0, is faint. Nodes show their output on the plane.
 *   shown.unitSide            side of the nodes' images, in samples
 *   shown.inputs, inputNames  images of the inputs, and their names
 *   shown.hidesCut            true if edges locked at 0 are hidden, unless they are pointed at
 */

import { percent } from './figure.js';
import { circle, FONT, write } from './plot.js';

/** The margins; the lower one where two lines of text stand. */
const [TOP, SIDE, FOOT] = [22, 2, 40];
/** The widest edge and the largest node, in CSS pixels. */
const WIDEST = 4;
const MOST_NODE = 26;
/** The least distance of lines of text. */
const LINE = 13;
/** The largest distance of a pointer from an edge that it hits. */
const NEAR = 7;
/** More locked edges than these, but for those at 0, have no padlocks. */
const MOST_PADLOCKS = 12;
/** The samples of an edge in hit tests. */
const SAMPLES = 16;

/** @typedef {import('./figure.js').Model} Model */
/** @typedef {Pick<import('./figure.js').Stage, 'width' | 'height' | 'words'>} Room */
/** @typedef {{ x: number, y: number, isBias: boolean }} Node */

/** Returns the positions of each layer's nodes, inputs first. @param {Room} room @param {Model} model */
function nodesOf({ width, height, words }, { layout }) {
  const counts = [...layout.map(({ rows }) => rows), layout[layout.length - 1].cols];
  const most = Math.max(...counts);
  const pitch = (height - TOP - (words.kept ? FOOT : SIDE)) / most;
  const size = Math.max(1, Math.min(MOST_NODE, Math.floor(pitch - 3)));
  const left = size / 2 + SIDE;
  const columns = counts.map((count, layer) => {
    const x = left + (layer / layout.length) * (width - size - 2 * SIDE);
    const top = TOP + ((most - count) / 2) * pitch;
    return Array.from({ length: count }, (_, i) => ({
      x,
      y: top + (i + 0.5) * pitch,
      isBias: layer < layout.length && i === count - 1,
    }));
  });
  return { columns, size };
}

/** Returns the nodes that a cell connects. @param {Node[][]} columns @param {Model} model @param {number} layer @param {number} at */
function ends(columns, { layout }, layer, at) {
  const { cols } = layout[layer];
  return [columns[layer][Math.floor(at / cols)], columns[layer + 1][at % cols]];
}

/** Returns a point of an edge. @param {Node} a @param {Node} b @param {number} t 0..1 */
function along(a, b, t) {
  const u = 1 - t;
  return {
    x:
      a.x * (u ** 3 + 1.5 * u * u * t + 1.5 * u * t * t) +
      b.x * (t ** 3 + 1.5 * u * u * t + 1.5 * u * t * t),
    y: a.y * (u ** 3 + 3 * u * u * t) + b.y * (t ** 3 + 3 * u * t * t),
  };
}

/** @param {CanvasRenderingContext2D} pen @param {Node[]} ends @param {string} style @param {number} size */
function trace(pen, [a, b], style, size) {
  pen.strokeStyle = style;
  pen.lineWidth = size;
  const middle = (a.x + b.x) / 2;
  pen.beginPath();
  pen.moveTo(a.x, a.y);
  pen.bezierCurveTo(middle, a.y, middle, b.y, b.x, b.y);
  pen.stroke();
}

/** Draws one edge. @param {import('./figure.js').Stage} stage @param {Node[]} ends @param {number} value @param {{ reach: number, isLocked: boolean, isLit: boolean }} how */
function drawEdge({ pen, colour, ink }, ends, value, { reach, isLocked, isLit }) {
  const size = 0.5 + WIDEST * Math.min(1, Math.abs(value) / reach);
  if (isLit) {
    trace(pen, ends, ink('accent'), size + 6);
    trace(pen, ends, ink('paper'), size + 2);
  }
  if (isLocked && value) {
    pen.setLineDash([1.25, 5]);
    trace(pen, ends, ink('edge'), Math.max(4, size + 3));
    pen.setLineDash([]);
  }
  // Thin lines look paler than cells.
  trace(pen, ends, colour(value, 0.6 * reach), size);
}

/** Draws a padlock on an edge. @param {import('./figure.js').Stage} stage @param {Node[]} ends */
function drawPadlock({ pen, ink }, [a, b]) {
  // Where edges to one node are still apart.
  const { x, y } = along(a, b, 0.3);
  pen.lineWidth = 1.5;
  pen.strokeStyle = ink('ink');
  pen.fillStyle = ink('raised');
  circle(pen, x, y, 10);
  pen.fill();
  pen.stroke();
  pen.beginPath();
  pen.arc(x, y - 2, 2.75, -Math.PI, 0);
  pen.stroke();
  pen.fillStyle = ink('ink');
  pen.fillRect(x - 4, y - 2, 8, 7);
}

/** Draws every node's output on the plane as a small image. @param {import('./figure.js').Stage} stage @param {Model} model @param {Node[][]} columns @param {number} size */
function drawNodes({ pen, ink, image }, { shown, readings }, columns, size) {
  pen.imageSmoothingEnabled = true;
  columns.forEach((column, layer) => {
    const units = readings[`units${layer}`];
    const count = column.filter(({ isBias }) => !isBias).length;
    column.forEach(({ x, y, isBias }, i) => {
      pen.fillStyle = ink('raised');
      pen.strokeStyle = ink('edge');
      pen.lineWidth = 1;
      if (isBias) {
        circle(pen, x, y, Math.min(9, size / 2));
        pen.fill();
        pen.stroke();
        // Numbers are at least 12 px, or not there.
        if (size < 20) return;
        pen.fillStyle = ink('muted');
        pen.font = FONT;
        write(pen, '1', x, y + size * 0.2, 'center');
        return;
      }
      const map = layer === 0 ? shown.inputs[i] : units?.filter((_, at) => at % count === i);
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
    const { pen, ink, words, width, height, name } = stage;
    const { layout, values, locks, reach, lit, shown } = model;
    const { columns, size } = nodesOf(stage, model);
    pen.lineCap = 'butt';
    const edges = layout.flatMap((part, layer) =>
      Array.from(values[part.name], (value, at) => ({
        ...{ layer, at, value },
        isLocked: locks[part.name][at] === 1,
        isLit: part.offset + at === lit,
      })),
    );
    const isSeen = (/** @type {typeof edges[0]} */ { value, isLocked, isLit }) =>
      isLit || !shown.hidesCut || !isLocked || value !== 0;
    // Large edges are drawn over small ones, and the highlighted one over all.
    edges.sort(
      (a, b) => Number(a.isLit) - Number(b.isLit) || Math.abs(a.value) - Math.abs(b.value),
    );
    for (const { layer, at, value, isLocked, isLit } of edges.filter(isSeen)) {
      pen.globalAlpha = isLit ? 1 : lit < 0 ? 0.85 : 0.25;
      drawEdge(stage, ends(columns, model, layer, at), value, { reach, isLocked, isLit });
    }
    pen.globalAlpha = 1;
    drawNodes(stage, model, columns, size);
    const held = edges.filter(({ isLocked }) => isLocked);
    const kept = held.filter(({ value }) => value !== 0);
    if (!shown.hidesCut && kept.length <= MOST_PADLOCKS)
      for (const { layer, at } of kept) drawPadlock(stage, ends(columns, model, layer, at));
    if (words.kept && held.length && !model.isMasked) {
      pen.font = `600 ${width < 300 ? 12 : 15}px system-ui, sans-serif`;
      pen.fillStyle = ink('ink');
      const share = percent(model.readings.score);
      const told = words.kept(kept.length, held.length - kept.length, edges.length, share);
      pen.textAlign = 'center';
      for (const [i, line] of told.split('\n').entries())
        pen.fillText(line, width / 2, height - 23 + 19 * i, width);
    }
    pen.font = FONT;
    pen.fillStyle = ink('muted');
    columns.forEach((column, layer) => {
      const align = layer === 0 ? 'left' : layer === layout.length ? 'right' : 'center';
      const x = { left: 0, right: width, center: column[0].x }[align];
      write(pen, words.layers(layer, layout.length), x, 12, align);
    });
    pen.textAlign = 'center';
    pen.lineWidth = 3;
    pen.strokeStyle = ink('paper');
    pen.fillStyle = ink('ink');
    // Where nodes are closer than lines of text, their names are further apart.
    const [first, second = first] = columns[0];
    const spread = Math.max(0, LINE - (second.y - first.y));
    for (const [i, key] of shown.inputNames.entries()) {
      const { x, y } = columns[0][i];
      const at = y + 4 + (i - (shown.inputNames.length - 1) / 2) * spread;
      pen.strokeText(name(key), x, at);
      pen.fillText(name(key), x, at);
    }
  },
  cellAt(x, y, stage, model) {
    const { columns } = nodesOf(stage, model);
    let [best, least] = [-1, NEAR];
    for (const [layer, { offset, rows, cols }] of model.layout.entries()) {
      for (let at = 0; at < rows * cols; at++) {
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
