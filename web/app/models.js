/** Makes the views' models: plain objects, one for each opening and each frame. */

import { hasRival, setupOf } from '../state/state.js';
import { namesOf, sceneWords, strings } from '../strings/index.js';
import { nameOfBeside } from '../view/controls.js';
import { hasLargeCells } from '../view/grid.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('../view/grid.js').GridModel} GridModel */
/** @typedef {import('gradlock/grid').Palette} Palette */

/** Returns the heading of the view beside the cells. @param {import('../state/state.js').State} state */
function headingOfBeside({ beside, optimizer, rival }) {
  if (beside === 'none') return null;
  if (beside === 'mask') return strings.beside.mask;
  if (beside === 'rule') return strings.settings.rules[rival.rule];
  return nameOfBeside(beside, optimizer.rule);
}

/** Returns what the board and the inspector need to open. @param {App} app */
export function openingOf(app) {
  const { state, layout, scene, opened } = app;
  const words = sceneWords(state.scene);
  const name = namesOf(state.scene);
  const all = (/** @type {Record<string, string[]> | undefined} */ names) =>
    Object.fromEntries(Object.entries(names ?? {}).map(([part, keys]) => [part, keys.map(name)]));
  return {
    ...{ scene: state.scene, name: words.name, layout, selected: state.selected },
    rowNames: all(scene.rowNames?.({ ...state })),
    colNames: all(scene.colNames?.({ ...state })),
    gridNames: words.grids ?? {},
    cellSizes: scene.cellSizes?.(setupOf(state)) ?? {},
    folded: scene.folded ?? [],
    pulls: scene.pulls,
    gridHint: words.whole ?? strings.locks.matrix,
    figures: scene.figures ?? [],
    shown: opened?.figure,
    words: { figures: words.figures ?? {}, name },
    beside: headingOfBeside(state),
    isRival: hasRival(state),
  };
}

/** @param {App} app @param {number} locked @returns {import('../view/controls.js').Status} */
export function statusOf({ frame, runs, cells, scene }, locked) {
  if (runs.peeked) return 'looking';
  if (runs.replay) return 'replaying';
  if (frame && !frame.isFinite) return 'diverged';
  if (locked === cells.mask.length) return 'allLocked';
  if (runs.isPlaying) return 'running';
  if (!frame || frame.step <= (scene.warm ?? 0)) return 'ready';
  return frame.isSettled ? 'settled' : 'paused';
}

/** Returns the unknown cells: free, and where they started. @param {App} app */
function unknownOf({ unknown, shown, scene, cells }) {
  if (!unknown || shown?.step !== (scene.warm ?? 0)) return null;
  const { values } = shown;
  return Uint8Array.from(unknown, (start, i) => Number(!cells.mask[i] && values[i] === start));
}

/** @param {App} app @param {Palette} palette @returns {GridModel} */
export function gridModelOf(app, palette) {
  const { next = null, held = null } = app.frame?.isMasked && !app.runs.peeked ? app.frame : {};
  return {
    values: /** @type {Float32Array} */ (app.shown?.values),
    next: hasLargeCells(app.state) ? next : null,
    ...{ mask: app.cells.mask, held, reach: app.reach, palette },
    target: app.opened?.target ?? null,
    // Small grids have large cells: a brush is one cell.
    brush: hasLargeCells(app.state) ? 1 : app.state.brush,
    sides: app.runs.peeked ? null : (app.frame?.sides ?? null),
    unknown: unknownOf(app),
  };
}

/** Returns the model of the grid beside the cells. @param {App} app @param {GridModel} model @param {Palette} sequential for values that start at 0 */
export function besideModelOf({ frame, state, runs }, model, sequential) {
  if (!frame?.beside) return null;
  const { values, reach } = frame.beside;
  const held = reach === 0 && !runs.peeked ? frame.values : null;
  const next =
    state.beside === 'mask' && !frame.isMasked && held && hasLargeCells(state) ? frame.next : null;
  const isSequential = state.beside === 'slot1' || state.beside === 'clock';
  /** @type {GridModel} */
  const grid = {
    ...{ ...model, target: null, sides: null, unknown: null },
    ...{ values, held, next, reach: reach || model.reach },
    ...(isSequential && { scale: 'sequential', palette: sequential }),
  };
  const isMasked = frame.isMasked || state.beside === 'mask';
  const { rivalReadings: readings, rival: drift, step } = frame;
  return { grid, readings, drift, step, isMasked, optimizer: state.optimizer };
}

/** Returns what pictures and films show: the run, and the one beside it. @param {App} app @param {Palette} palette @returns {import('../view/export.js').Pane[]} */
export function panesOf(app, palette) {
  const model = gridModelOf(app, palette);
  // The other run's earlier steps are not kept.
  const isPair = hasRival(app.state) && !app.runs.peeked;
  const rival = isPair ? besideModelOf(app, model, palette) : null;
  if (!rival) return [{ name: null, model }];
  return [
    { name: strings.beside.trueLock, model },
    { name: headingOfBeside(app.state), model: rival.grid },
  ];
}
