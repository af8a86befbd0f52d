/**
 * Exports the grids as an SVG: cells with their numbers and padlocks while there are few, else a
 * path for each colour. A file of 1024 × 1024 cells has about 20 MB.
 */

import { formatValue, levelOf, MAX_DOM_SIDE } from 'gradlock/grid';
import { shortest } from '../state/csv.js';
import { strings } from '../strings/index.js';
import { svg as make } from './dom.js';
import { arrange, GAP, LINE, sizeOfName, WIDTH } from './export.js';
import { barsFor, DARK, hasMoved, LIGHT, MOVED, outlineOf, padlock, toPaths } from './marks.js';

/** @typedef {import('./grid.js').GridModel} GridModel */
/** @typedef {import('../scenes/layout.js').Part} Part */

/** A grid of few cells, each with its number. @param {Part} part @param {GridModel} model @param {number} cell */
function cellsOf({ rows, cols, offset }, model, cell) {
  const { values, mask, next, reach, palette } = model;
  const size = cell * 0.18;
  const at = { href: '#lock', x: cell * 0.3, y: cell * 0.2, width: cell * 0.4, height: cell * 0.4 };
  return Array.from({ length: rows * cols }, (_, i) => {
    const [row, col] = [Math.floor(i / cols), i % cols];
    const [value, isLocked] = [values[offset + i], mask[offset + i] === 1];
    const level = levelOf(value, reach, palette);
    const where = strings.inspector.where(row + 1, col + 1);
    const step = next?.[offset + i];
    const words = strings.inspector;
    const free = step ? `${words.next} ${shortest(step)}` : words.free;
    const moved = hasMoved(model, offset + i);
    const held = moved ? strings.legend.drifted : words.locked;
    const state = isLocked ? held : free;
    const box = { width: cell, height: cell };
    const fill = palette.isDark[level] ? LIGHT : DARK;
    const y = cell * (isLocked ? 0.88 : 0.5) + (isLocked ? 0 : size * 0.35);
    return make(
      'g',
      { class: isLocked ? 'locked' : 'free', transform: `translate(${col * cell} ${row * cell})` },
      make('title', {}, `${where}: ${shortest(value)}, ${state}`),
      make('rect', { ...box, fill: palette.css[level] }),
      ...(isLocked ? [moved ? make('rect', { ...at, fill: MOVED }) : make('use', at)] : []),
      make('text', { x: cell / 2, y, fill, 'font-size': size }, formatValue(value, 2)),
    );
  });
}

/** A grid of many cells: a path for each colour. @param {Part} part @param {GridModel} model @param {number} cell */
function pathsOf({ rows, cols, offset }, { values, reach, palette }, cell) {
  /** @type {Map<string, string[]>} */
  const paths = new Map();
  for (let i = 0; i < rows * cols; i++) {
    const fill = palette.css[levelOf(values[offset + i], reach, palette)];
    const path = paths.get(fill) ?? [];
    path.push(`M${(i % cols) * cell} ${Math.floor(i / cols) * cell}h${cell}v${cell}h-${cell}z`);
    paths.set(fill, path);
  }
  // Without it, browsers show seams between neighbours.
  const crisp = { 'shape-rendering': 'crispEdges' };
  return [...paths].map(([fill, path]) => make('path', { fill, d: path.join(''), ...crisp }));
}

/** Returns the outline of locked cells, and the bars of steps that the optimizer still takes on masked ones. @param {Part} part @param {GridModel} model @param {number} cell */
function marksOf(part, model, cell) {
  const { locked, next } = strings.legend;
  const outline = toPaths(outlineOf(part, model.mask, cell));
  const marks = outline.length
    ? [make('g', { class: 'outline' }, make('title', {}, locked), ...outline)]
    : [];
  const bars = barsFor(part, model, cell);
  if (!bars) return marks;
  const steps = { class: 'next-steps', transform: `scale(${bars.scale})` };
  return [...marks, make('g', steps, make('title', {}, next), ...toPaths(bars.strokes))];
}

/** The name of a run, above its grids. @param {string} name @param {number} x @param {number} wide */
function nameOf(name, x, wide) {
  const letters = { 'font-size': sizeOfName(name, wide, LINE), 'font-weight': 600, fill: DARK };
  const edge = { stroke: LIGHT, 'stroke-width': LINE / 8, 'paint-order': 'stroke' };
  return make('text', { x, y: LINE * 0.66, 'text-anchor': 'start', ...letters, ...edge }, name);
}

/** Draws all grids, and two runs side by side. @param {Part[]} layout @param {readonly import('./export.js').Pane[]} panes @param {{ title: string, description: string }} words @returns {string} an SVG file */
export function toSvg(layout, panes, { title, description }) {
  const grids = layout.map((part) => {
    const longest = Math.max(part.rows, part.cols);
    const cell = Math.max(1, Math.floor(WIDTH / longest));
    const draw = longest > MAX_DOM_SIDE ? pathsOf : cellsOf;
    const size = { width: part.cols * cell, height: part.rows * cell };
    return { part, draw, cell, ...size };
  });
  const run = arrange(grids, GAP);
  const line = panes.length > 1 ? LINE : 0;
  const drawn = panes.flatMap(({ name, model }, n) => {
    const x = n * (run.width + GAP);
    const heading = name === null ? [] : [nameOf(name, x, run.width)];
    return heading.concat(
      grids.map(({ part, draw, cell }, i) => {
        const { left, top } = run.positions[i];
        const transform = `translate(${x + left} ${line + top})`;
        const cells = draw(part, model, cell);
        return make('g', { transform }, ...cells, ...marksOf(part, model, cell));
      }),
    );
  });
  const [width, height] = [panes.length * (run.width + GAP) - GAP, line + run.height];
  const lock = { id: 'lock', viewBox: '0 0 16 16', 'stroke-linejoin': 'round' };
  const root = make(
    'svg',
    {
      ...{ width, height, viewBox: `0 0 ${width} ${height}`, role: 'img' },
      ...{ 'aria-labelledby': 'title description', 'text-anchor': 'middle' },
      'font-family': 'system-ui, sans-serif',
    },
    make('title', { id: 'title' }, title),
    make('desc', { id: 'description' }, description),
    make('symbol', lock, ...toPaths(padlock())),
    ...drawn,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(root)}\n`;
}
