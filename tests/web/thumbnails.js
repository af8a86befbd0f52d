/**
 * The small pictures on the demo's cards, recorded from the engine's own runs: `node
 * tests/web/thumbnails.js` writes each scene's thumbnail.json. A scene without a look of its own
 * shows the cells of its first grid.
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { levelOf } from 'gradlock/grid';
import { ready } from '../../web/engine/problem.js';
import { reachOf, scenes } from '../../web/scenes/index.js';
import { cellsOfName } from '../../web/scenes/picture/lettering.js';
import { toText } from '../../web/state/codec.js';
import { WRITE } from '../../web/state/history.js';
import { openingState, setupOf, validate } from '../../web/state/state.js';
import { recorded } from './recorded-runs.js';
import { openSession } from './runs.js';

/** @typedef {import('../../web/scenes/scene.js').Scene} Scene */
/** @typedef {import('../../web/engine/session.js').Session} Run */

const FRAMES = 12;
const GAP = 255;

/** Values side by side in tiles, with gaps between them. @param {ArrayLike<number>} values @param {number} rows @param {number} cols of a tile @param {number} across tiles in a row */
function tiled(values, rows, cols, across) {
  const count = values.length / (rows * cols);
  const width = across * (cols + 1) - 1;
  const cells = new Array((Math.ceil(count / across) * (rows + 1) - 1) * width).fill(null);
  for (let i = 0; i < values.length; i++) {
    const [tile, cell] = [Math.floor(i / (rows * cols)), i % (rows * cols)];
    const row = Math.floor(tile / across) * (rows + 1) + Math.floor(cell / cols);
    cells[row * width + (tile % across) * (cols + 1) + (cell % cols)] = values[i];
  }
  return { cells, cols: width };
}

/** Every other sample of a square map. @param {Float32Array} map */
function halved(map) {
  const side = Math.sqrt(map.length);
  return [...map].filter((_, i) => (i % side) % 2 === 0 && Math.floor(i / side) % 2 === 0);
}

const plane = (/** @type {Run} */ { main }) => ({
  ...{ cells: halved(main.readings()?.map ?? new Float32Array()), cols: 20, reach: 1.5 },
});

/** The first grid, as most scenes have it. @param {Run} run */
function grid({ main, problem }) {
  const [{ rows, cols }] = problem.layout;
  return { cells: [...main.values().slice(0, rows * cols)], cols };
}

/** Points of the plane from −1..1, y up, as bytes. @param {number[]} points @param {number} [most] */
const bytesOf = (points, most = 1) =>
  Uint8Array.from(points, (value, i) => {
    const share = (Math.max(-1, Math.min(1, value / most)) + 1) / 2;
    return Math.round(255 * (i % 2 ? 1 - share : share));
  });

/** A curve as points, from the left to the right. @param {ArrayLike<number>} heights −1..1 */
const curve = (heights) =>
  Array.from(heights, (height, i) => [(2 * i) / (heights.length - 1) - 1, height]).flat();

/**
 * What is drawn of a scene's run, and after how many steps the last frame is. Of `cells` null is a
 * gap; `points` are pairs.
 * @type {Record<string, { steps: number, patch?: object, look?: (run: Run) => any, held?: (run: Run) => number[], rest?: object }>}
 */
const looks = {
  'two-by-two': { steps: 60 },
  picture: { steps: 110, patch: named('Ada') },
  membrane: { steps: 240, patch: { rows: 16, cols: 16 } },
  'leak-lab': {
    steps: 120,
    patch: { optimizer: { rule: 'adamW' } },
    look: ({ main, rival }) => tiled([...main.values(), ...(rival?.values() ?? [])], 10, 10, 2),
    held: ({ main }) =>
      [...tiled([...main.mask, ...main.mask], 10, 10, 2).cells.entries()].flatMap(([i, bit]) =>
        bit ? [i] : [],
      ),
  },
  words: {
    steps: 200,
    look: ({ main }) => ({ points: bytesOf([...(main.readings()?.map ?? [])]) }),
    held: () => Array.from({ length: 9 }, (_, i) => i),
    rest: { dots: [0, 14], lines: [], dashed: 0 },
  },
  network: { steps: 300, look: plane, held: () => [] },
  lottery: { steps: 1500, look: plane, held: () => [] },
  digits: {
    steps: 60,
    look: ({ main }) => tiled([...main.values()], 8, 8, 5),
    held: () => [],
  },
  kernels: {
    steps: 200,
    patch: { choices: { kernels: 'sobel' } },
    look: ({ main }) => tiled([...main.values().slice(0, 72)], 3, 3, 4),
    held: ({ main }) =>
      [...tiled([...main.mask.slice(0, 72)], 3, 3, 4).cells.entries()].flatMap(([i, bit]) =>
        bit ? [i] : [],
      ),
  },
  graph: {
    steps: 150,
    look: ({ main }) => ({ points: bytesOf([...main.values()], 1.1) }),
    held: () => [0, 3, 12, 15],
  },
  peaks: {
    steps: 150,
    look({ main, problem }) {
      const { shown = () => ({}) } = problem.scene;
      const { measured } = /** @type {any} */ (shown(problem.setup));
      const heights = (/** @type {ArrayLike<number>} */ list) =>
        Array.from(list, (value) => 1.5 * value - 0.85).filter((_, i) => i % 2);
      const all = main.readings()?.all ?? [];
      return { points: bytesOf([...curve(heights(all)), ...curve(heights(measured))]) };
    },
    held: () => [],
    rest: { dots: [80, 160], lines: [upFrom(0, 80)], dashed: 0 },
  },
  own: { steps: 80 },
};

/** A name in the picture, as the page opens with one (app/name.js). @param {string} name */
export function named(name) {
  const cells = /** @type {number[]} */ (cellsOfName(name, 32, 32));
  return {
    locks: Uint8Array.from({ length: 1024 }, (_, i) => (cells.includes(i) ? 1 : 0)),
    optimizer: { rule: 'adamW', learningRate: 0.02, weightDecay: 0.2 },
    events: [
      { do: 'hold', cells, step: 0 },
      { do: WRITE, values: cells.map(() => -1), step: 0 },
      { do: 'release', step: 0 },
    ],
  };
}

/** @param {Scene} scene */
function recordRun(scene) {
  const { steps, patch = {}, look = grid, held, rest } = looks[scene.id] ?? { steps: 60 };
  const { state } = validate({ ...patch }, openingState(scene));
  const setup = setupOf(state);
  const run = openSession(state);
  const begun = run.main.step;
  let shape = {};
  const frames = Array.from({ length: FRAMES }, (_, frame) => {
    // Slower at first, where most happens.
    const to = begun + Math.round(steps * (frame / (FRAMES - 1)) ** 1.5);
    run.advance(to - run.main.step);
    const shown = look(run);
    if (shown.points) return toText(shown.points);
    const reach = shown.reach ?? reachOf(scene, setup);
    shape = { cols: shown.cols };
    return toText(
      Uint8Array.from(shown.cells, (value) => (value === null ? GAP : levelOf(value, reach))),
    );
  });
  const { mask, isMasked } = run.main;
  const own = isMasked ? [] : [...mask.entries()].flatMap(([i, bit]) => (bit ? [i] : []));
  const { shown = () => ({}) } = scene;
  const { edges } = /** @type {any} */ (shown(setup));
  run.dispose();
  return { ...shape, ...rest, ...(edges && linked(edges)), held: held ? held(run) : own, frames };
}

/** Numbers in a row. @param {number} from @param {number} count */
function upFrom(from, count) {
  return Array.from({ length: count }, (_, i) => from + i);
}

/** @param {[number, number][]} edges */
const linked = (edges) => ({ dots: [0, 16], lines: edges, dashed: 0 });

/** Of Freeze the base, accuracy on the old digits: with the lock, and without (dashed). */
async function recordFreeze() {
  /** @type {Record<string, number[]>} */
  const old = {};
  for await (const { key, choices, points } of recorded.freeze()) {
    if (choices.examples !== 'new') continue;
    old[key] = points.map(([, readings]) => 1.7 * readings.old[0] - 0.85);
  }
  const count = old.free.length;
  const frames = Array.from({ length: FRAMES }, (_, frame) => {
    const last = Math.round((frame / (FRAMES - 1)) * (count - 1));
    // The rest of a curve waits at its end.
    const upTo = (/** @type {number[]} */ heights) => {
      const points = curve(heights);
      return points.map((_, i) => points[Math.min(i, 2 * last + (i % 2))]);
    };
    return toText(bytesOf([...upTo(old.free), ...upTo(old.lock)]));
  });
  const lines = [upFrom(0, count), upFrom(count, count)];
  return { dots: [0, 0], lines, dashed: 1, held: [], frames };
}

/** Returns all of them, by scene. @returns {Promise<Record<string, any>>} */
export async function recordThumbnails() {
  /** @type {Record<string, any>} */
  const thumbnails = {};
  for (const scene of scenes) {
    await ready(scene);
    thumbnails[scene.id] = await (scene.id === 'freeze' ? recordFreeze() : recordRun(scene));
  }
  return thumbnails;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [id, thumbnail] of Object.entries(await recordThumbnails())) {
    const file = new URL(`../../web/scenes/${id}/thumbnail.json`, import.meta.url);
    writeFileSync(file, `${JSON.stringify(thumbnail)}\n`);
  }
}
