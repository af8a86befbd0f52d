/**
 * Everything a person has chosen, as one plain object, with one validator: for the controls now, for links and files
 * later. It refuses to hold what the run produces (values, step, loss) and what only concerns the screen.
 */

import { findScene, scenes } from '../scenes/index.js';
import { optionRanges, rules } from './rules.js';

/** @typedef {import('../scenes/scene.js').Scene} Scene */

/**
 * @typedef {object} State
 * @property {1} version
 * @property {string} scene      id of a scene
 * @property {string} choice     one of the scene's choices
 * @property {number} rows       2..MAX_SIDE
 * @property {number} cols       2..MAX_SIDE
 * @property {number} seed       0 ≤ seed < 2³²
 * @property {import('./rules.js').OptimizerSettings} optimizer
 * @property {number} speed      steps per second, one of `speeds`; 0 is as fast as it goes
 * @property {Uint8Array | null} locks  rows × cols, 1 = locked; null: as the scene opens
 * @property {number} selected   the cell that the cursor is on, counted row by row
 * @property {number} brush      side of the square that drawing locks, one of `brushes`
 * @property {boolean} logLoss   whether the chart's loss axis is logarithmic
 * @property {'auto' | 'light' | 'dark'} theme
 */

/** What was given for a field, and why it was not taken. @typedef {{ field: string, given: unknown }} Problem */

export const MAX_SIDE = 256;
export const speeds = [4, 30, 60, 240, 0];
export const brushes = [1, 3, 9, 25];

/** The cell that is looked at first. @param {number} rows @param {number} cols */
const middle = (rows, cols) => Math.floor(rows / 2) * cols + Math.floor(cols / 2);

/** The state a scene opens with. @param {Scene} scene @returns {State} */
export function openingState(scene) {
  const [rows, cols] = /** @type {[number, number]} */ (scene.sizes[0]);
  return {
    version: 1,
    scene: scene.id,
    choice: scene.choices[0],
    rows,
    cols,
    seed: 1,
    optimizer: { ...scene.optimizer },
    speed: scene.speed,
    locks: null,
    selected: middle(rows, cols),
    brush: 1,
    logLoss: true,
    theme: 'auto',
  };
}

/** @param {unknown} value @param {number} low @param {number} high */
const isInteger = (value, low, high) =>
  Number.isInteger(value) && Number(value) >= low && Number(value) <= high;

/** @param {unknown} value @param {[number, number]} range low ≤ value < high */
const isInRange = (value, [low, high]) => typeof value === 'number' && value >= low && value < high;

/**
 * Take what is valid of a candidate, and the fallback for the rest. What is missing is no problem.
 * @param {Record<string, unknown>} candidate of any origin
 * @param {State} fallback a valid state
 * @returns {{ state: State, problems: Problem[] }}
 */
export function validate(candidate, fallback) {
  /** @type {Problem[]} */
  const problems = [];
  /**
   * @template T
   * @param {string} field
   * @param {T} otherwise
   * @param {(value: unknown) => boolean} isValid
   * @param {Record<string, unknown>} from
   * @returns {T}
   */
  const take = (field, otherwise, isValid, from = candidate) => {
    const given = from[field];
    if (given === undefined) return otherwise;
    if (isValid(given)) return /** @type {T} */ (given);
    problems.push({ field, given });
    return otherwise;
  };

  const id = take('scene', fallback.scene, (value) => findScene(String(value)) !== undefined);
  const scene = /** @type {Scene} */ (findScene(id));
  // Another scene brings its own size, choice and optimizer, but the person's way of looking stays.
  const { logLoss, theme, seed } = fallback;
  const base = id === fallback.scene ? fallback : { ...openingState(scene), logLoss, theme, seed };

  const choice = take('choice', base.choice, (value) => scene.choices.includes(String(value)));
  const rows = take('rows', base.rows, (value) => isInteger(value, 2, MAX_SIDE));
  const cols = take('cols', base.cols, (value) => isInteger(value, 2, MAX_SIDE));
  const isSameGrid = rows === base.rows && cols === base.cols;
  const cells = rows * cols;
  return {
    state: {
      version: 1,
      scene: id,
      choice,
      rows,
      cols,
      seed: take('seed', base.seed, (value) => isInteger(value, 0, 2 ** 32 - 1)),
      optimizer: takeOptimizer(candidate.optimizer, base.optimizer, take, problems),
      speed: take('speed', base.speed, (value) => speeds.includes(Number(value))),
      locks: take(
        'locks',
        isSameGrid ? base.locks : null,
        (value) => value === null || (value instanceof Uint8Array && value.length === cells),
      ),
      selected: take('selected', isSameGrid ? base.selected : middle(rows, cols), (value) =>
        isInteger(value, 0, cells - 1),
      ),
      brush: take('brush', base.brush, (value) => brushes.includes(Number(value))),
      logLoss: take('logLoss', base.logLoss, (value) => typeof value === 'boolean'),
      theme: take('theme', base.theme, (value) =>
        ['auto', 'light', 'dark'].includes(String(value)),
      ),
    },
    problems,
  };
}

/**
 * @param {unknown} candidate
 * @param {State['optimizer']} base
 * @param {<T>(field: string, otherwise: T, isValid: (value: unknown) => boolean, from: Record<string, unknown>) => T} take
 * @param {Problem[]} problems
 * @returns {State['optimizer']}
 */
function takeOptimizer(candidate, base, take, problems) {
  if (candidate === undefined) return base;
  if (typeof candidate !== 'object' || candidate === null) {
    problems.push({ field: 'optimizer', given: candidate });
    return base;
  }
  const from = /** @type {Record<string, unknown>} */ (candidate);
  const { learningRate, momentum, weightDecay } = optionRanges;
  return {
    rule: take('rule', base.rule, (value) => rules.some((rule) => rule === value), from),
    learningRate: take('learningRate', base.learningRate, (v) => isInRange(v, learningRate), from),
    momentum: take('momentum', base.momentum, (v) => isInRange(v, momentum), from),
    weightDecay: take('weightDecay', base.weightDecay, (v) => isInRange(v, weightDecay), from),
  };
}

/** The state that the page opens with. */
export const firstState = () => openingState(/** @type {Scene} */ (scenes[0]));
