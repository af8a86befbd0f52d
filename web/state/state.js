/**
 * A person's choices and edits as one plain object, with one validator for controls, links and
 * files. It contains no results of the run (values, loss), and nothing that is only on the screen.
 */

import { findScene } from '../scenes/index.js';
import { cellsOf, layoutOf } from '../scenes/layout.js';
import { unpackMask } from './codec.js';
import { isAct, MAX_EVENTS } from './history.js';
import { isOwn } from './own.js';
import { isPoints } from './points.js';
import { settingChecks } from './rules.js';

/** @typedef {import('../scenes/scene.js').Scene} Scene */
/** @typedef {import('./history.js').Event} Event */
/** @typedef {import('./rules.js').OptimizerSettings} OptimizerSettings */
/** @typedef {typeof besides[number]} Beside */

/**
 * @typedef {object} State
 * @property {1} version
 * @property {string} scene      id of a scene
 * @property {Record<string, string>} choices  one of each of the scene's choices
 * @property {number} rows       2..MAX_SIDE
 * @property {number} cols       2..MAX_SIDE
 * @property {number} seed       0 ≤ seed < 2³²
 * @property {OptimizerSettings} optimizer
 * @property {number} speed      steps per second, one of `speeds`; 0 is as fast as possible
 * @property {Uint8Array | null} locks  of all cells, 1 = locked; null: as the scene opens
 * @property {Uint8Array | null} zeros  cells that start at 0, as an earlier run pruned them; null: none
 * @property {number} selected   the cell of the cursor, counted row by row
 * @property {number} brush      side of the square that drawing locks, one of `brushes`
 * @property {Beside} beside     the view beside the cells
 * @property {OptimizerSettings} rival  the rival's optimizer, if one is shown
 * @property {import('./own.js').Own | null} own  the person's data
 * @property {boolean} logLoss   whether the chart's loss axis is logarithmic
 * @property {'auto' | 'light' | 'dark'} theme
 * @property {Event[]} events    the person's acts since the start, by step
 * @property {number} step       the step to replay to
 */

/** An invalid value of a field; for events, the number left out. @typedef {{ field: string, given: unknown, left?: number }} Problem */

export const MAX_SIDE = 1024;
/** More steps would take minutes to replay, or megabytes to store. */
export const MAX_STEP = 1e7;
export const speeds = [4, 30, 60, 240, 600, 0];
export const brushes = [1, 3, 9, 25];
/** The maps of the run; then its rivals: with locks by a mask, and by another optimizer. */
export const besides = /** @type {const} */ ([
  'none',
  'gradient',
  'slot0',
  'slot1',
  'change',
  'target',
  'pressure',
  'clock',
  'mask',
  'rule',
]);

/** Returns true if another run is shown beside the cells. @param {{ beside: Beside }} view */
export const hasRival = ({ beside }) => beside === 'mask' || beside === 'rule';

/** Returns the first selected cell. @param {number} rows @param {number} cols */
const middle = (rows, cols) => Math.floor(rows / 2) * cols + Math.floor(cols / 2);

/** Returns the state a scene opens with. @param {Scene} scene @returns {State} */
export function openingState(scene) {
  const [rows, cols] = /** @type {[number, number]} */ (scene.sizes[0]);
  const first = Object.entries(scene.choices).map(([name, [first]]) => [name, first]);
  const [choices, seed] = [Object.fromEntries(first), scene.seed ?? 1];
  return {
    version: 1,
    scene: scene.id,
    choices,
    rows,
    cols,
    seed,
    optimizer: { ...scene.optimizer },
    speed: scene.speed,
    locks: scene.opensWith?.({ rows, cols, choices, seed, own: null }) ?? null,
    zeros: null,
    selected: scene.shapes ? 0 : middle(rows, cols),
    brush: 3,
    beside: scene.beside ?? 'none',
    rival: { rule: 'sgd', learningRate: 0.02, momentum: 0.9, weightDecay: 0.004 },
    own: null,
    logLoss: true,
    theme: 'auto',
    events: [],
    step: 0,
  };
}

/** Returns the setup for the engine and the layout. @param {State} state @returns {import('../scenes/scene.js').Setup} */
export const setupOf = ({ rows, cols, choices, seed, own }) => ({ rows, cols, choices, seed, own });

/** Returns true if two runs of a scene have the same setup. @param {State} a @param {State} b */
export const isSameSetup = (a, b) => JSON.stringify(setupOf(a)) === JSON.stringify(setupOf(b));

/** @param {unknown} value @param {number} low @param {number} high */
const isInteger = (value, low, high) =>
  Number.isInteger(value) && Number(value) >= low && Number(value) <= high;

/** @param {readonly unknown[]} list @returns {(value: unknown) => boolean} */
const isOneOf = (list) => (value) => list.includes(value);

/** True of the valid values of fields. @typedef {Record<string, (value: unknown) => boolean>} Checks */

/** The fields that depend on no other. @type {Checks} */
const PLAIN = {
  version: isOneOf([1]),
  seed: (value) => isInteger(value, 0, 2 ** 32 - 1),
  beside: isOneOf(besides),
  speed: isOneOf(speeds),
  brush: isOneOf(brushes),
  logLoss: isOneOf([true, false]),
  theme: isOneOf(['auto', 'light', 'dark']),
  step: (value) => isInteger(value, 0, MAX_STEP),
};

/**
 * Takes a candidate's valid fields, and the fallback's for the rest. A missing field is no problem.
 * @param {Record<string, unknown>} candidate of any origin
 * @param {State} fallback a valid state
 * @returns {{ state: State, problems: Problem[] }}
 */
export function validate(candidate, fallback) {
  /** @type {Problem[]} */
  const problems = [];
  /** @template T @param {string} field @param {T} otherwise @param {(value: any) => boolean} isValid @param {Record<string, unknown>} [from] @returns {T} */
  const take = (field, otherwise, isValid, from = candidate) => {
    const given = from[field];
    if (given === undefined) return otherwise;
    // −0 becomes 0: files hold fields as JSON, which has no −0.
    if (isValid(given)) return /** @type {typeof otherwise} */ (given === 0 ? 0 : given);
    problems.push({ field, given });
    return otherwise;
  };
  /** @template {Record<string, any>} T @param {T} otherwise @param {Checks} checks @param {Record<string, any>} [from] @returns {T} */
  const takeEach = (otherwise, checks, from) => {
    const taken = Object.entries(checks).map(([name, isValid]) => [
      name,
      take(name, otherwise[name], isValid, from),
    ]);
    return { ...otherwise, ...Object.fromEntries(taken) };
  };
  /** @template {'choices' | 'optimizer' | 'rival'} Name @param {Name} field @param {Checks} [checks] @returns {State[Name]} */
  const takeRecord = (field, checks = settingChecks) => {
    const from = take(field, base[field], (value) => value instanceof Object);
    return from === base[field] ? from : takeEach(base[field], checks, from);
  };

  const id = take('scene', fallback.scene, (value) => findScene(String(value)) !== undefined);
  const scene = /** @type {Scene} */ (findScene(id));
  // Another scene has its own size, choices and optimizer, but display settings stay.
  const { logLoss, theme } = fallback;
  const isSameScene = id === fallback.scene;
  const base = { ...(isSameScene ? fallback : openingState(scene)), logLoss, theme, step: 0 };

  const { takesOwn, takesBounds = false } = scene;
  const isTaken = takesOwn && { cells: isOwn, points: isPoints }[takesOwn];
  const own = take('own', base.own, (v) => v === null || isTaken?.(v) === true);
  // A person's cells have their own size.
  const side = (/** @type {'rows' | 'cols'} */ name, /** @type {0 | 1} */ at) =>
    (takesOwn === 'cells' && own?.[name]) ||
    take(name, base[name], (value) => {
      return isInteger(value, 2, MAX_SIDE) || scene.sizes.some((size) => size[at] === value);
    });
  const [rows, cols] = [side('rows', 0), side('cols', 1)];
  const choices = Object.entries(scene.choices).map(([name, list]) => [name, isOneOf(list)]);
  const state = {
    ...takeEach(base, PLAIN),
    ...{ own, rows, cols },
    choices: takeRecord('choices', Object.fromEntries(choices)),
    optimizer: takeRecord('optimizer'),
    rival: takeRecord('rival'),
  };
  const cells = cellsOf(layoutOf(scene, setupOf(state)));
  const isSameGrid =
    rows === base.rows && cols === base.cols && cells === cellsOf(layoutOf(scene, setupOf(base)));
  const takeMask = (/** @type {'locks' | 'zeros'} */ name) =>
    take(
      name,
      isSameGrid ? base[name] : null,
      (value) => value === null || (value instanceof Uint8Array && value.length === cells),
      { [name]: unpacked(candidate[name], cells) },
    );
  const selected = isSameGrid ? base.selected : scene.shapes ? 0 : middle(rows, cols);
  return {
    state: {
      ...state,
      locks: takeMask('locks'),
      zeros: takeMask('zeros'),
      selected: take('selected', selected, (value) => isInteger(value, 0, cells - 1)),
      events: takeEvents(candidate.events, cells, takesBounds, problems),
    },
    problems,
  };
}

/** Unpacks a mask, which links store packed. @param {any} mask @param {number} cells */
function unpacked(mask, cells) {
  const { packed } = mask ?? {};
  return packed instanceof Uint8Array ? (unpackMask(packed, cells) ?? mask) : mask;
}

/**
 * Keeps the edits that can be replayed, in order.
 * @param {unknown} given
 * @param {number} cells
 * @param {boolean} takesBounds
 * @param {Problem[]} problems gets one, whose `left` counts the dropped edits
 * @returns {Event[]}
 */
function takeEvents(given, cells, takesBounds, problems) {
  if (given === undefined) return [];
  const list = Array.isArray(given) ? given : [given];
  let before = 0;
  /** The number of dragged cells. */
  let held = 0;
  const events = list.slice(0, MAX_EVENTS).filter((event) => {
    if (!isInteger(event?.step, before, MAX_STEP) || !isAct(event, cells, held)) return false;
    if (event.do === 'bound' && !takesBounds) return false;
    before = event.step;
    if (event.do === 'hold') held = event.cells.length;
    if (event.do === 'release') held = 0;
    return true;
  });
  const left = list.length - events.length;
  if (left > 0) problems.push({ field: 'events', given, left });
  return events;
}

/** The state of a link without a scene. The page without a link opens another (app/name.js). */
export const firstState = () => openingState(/** @type {Scene} */ (findScene('two-by-two')));
