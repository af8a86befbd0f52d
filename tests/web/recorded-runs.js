/**
 * Trains the runs that scenes ship for their figures, by the demo's engine: `node
 * tests/web/recorded-runs.js` writes runs.txt of Lottery ticket and Freeze the base, a run in each
 * line.
 */

import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cellsOf, layoutOf } from '../../web/scenes/layout.js';
import { noise } from '../../web/scenes/shared/noise.js';
import { packMask, toText } from '../../web/state/codec.js';
import { setupOf } from '../../web/state/state.js';
import { openSession, sceneOf, stateOf } from './runs.js';

/** The share of each matrix that is left, in per cent: each pruning takes a fifth of the rest. */
const KEPT = [100, 80, 64, 51, 41, 33, 26, 21, 17, 13, 11];
/** The number of random masks beside each ticket. */
const MASKS = 3;

/** @param {Uint8Array} mask */
const packed = (mask) => toText(packMask(mask));

/**
 * Trains one run, and reads it on its way.
 * @param {import('../../web/state/state.js').State} state  its start
 * @param {number} steps
 * @param {number} every  steps between readings
 * @param {readonly string[]} names  of readings
 */
function train(state, steps, every, names) {
  const session = openSession(state);
  const run = state.beside === 'mask' ? session.rival : session.main;
  if (!run) throw new Error('there is no masked run');
  /** @returns {[step: number, readings: Record<string, number[]>]} */
  const read = () => {
    const readings = run.readings() ?? {};
    return [run.step, Object.fromEntries(names.map((name) => [name, [...readings[name]]]))];
  };
  const points = every < steps ? [read()] : [];
  while (session.step < steps) {
    session.advance(every);
    points.push(read());
  }
  const result = { points, digest: run.digest(), values: run.values() };
  session.dispose();
  return result;
}

/** Pruned again and again by a fifth: tickets, and beside each the same number of random weights. */
async function* lottery() {
  const state = await stateOf('lottery');
  const layout = layoutOf(sceneOf('lottery'), setupOf(state));
  const cells = cellsOf(layout);
  /** Each matrix's smallest cells by absolute value, the earlier of equals, like pruning. @param {Float32Array} sizes @param {number} kept in per cent */
  const smallest = (sizes, kept) => {
    const zeros = new Uint8Array(cells);
    for (const { rows, cols, offset } of layout) {
      const count = rows * cols;
      const order = Array.from({ length: count }, (_, i) => offset + i);
      order.sort((a, b) => Math.abs(sizes[a]) - Math.abs(sizes[b]) || a - b);
      const gone = order.slice(0, Math.floor((1 - kept / 100) * count + 0.5));
      for (const i of gone) zeros[i] = 1;
    }
    return zeros;
  };
  const steps = 1500;
  /** @param {string} key @param {number} at @param {Uint8Array} zeros */
  const record = (key, at, zeros) => {
    const names = ['score', 'testScore', 'testLoss'];
    const { values, ...rest } = train({ ...state, locks: zeros, zeros }, steps, steps, names);
    return { values, line: { key, at, steps, pruned: packed(zeros), ...rest } };
  };
  /** @type {Float32Array | null} the last ticket's values at its end */
  let last = null;
  for (const [i, kept] of KEPT.entries()) {
    const ticket = record('ticket', kept, last ? smallest(last, kept) : new Uint8Array(cells));
    yield ticket.line;
    for (let mask = 0; last && mask < MASKS; mask++) {
      const draws = noise(cells, (state.seed + 1000 * i + 100 * mask) >>> 0, 1);
      yield record('random', kept, smallest(draws, kept)).line;
    }
    last = ticket.values;
  }
}

/** With the lock, with a mask, and without either; with new digits alone, and with a few old ones. */
async function* freeze() {
  for (const examples of ['new', 'both']) {
    const state = await stateOf('freeze', { choices: { examples } });
    const free = new Uint8Array(cellsOf(layoutOf(sceneOf('freeze'), setupOf(state))));
    for (const [key, patch] of /** @type {[string, object][]} */ ([
      ['lock', {}],
      ['mask', { beside: 'mask' }],
      ['free', { locks: free }],
    ])) {
      const { points, digest } = train({ ...state, ...patch }, 400, 10, ['old', 'fresh']);
      const rule = key === 'mask' ? { rule: 'mask' } : {};
      const locks = key === 'free' ? { locks: packed(free) } : {};
      yield { key, choices: { examples }, steps: 400, ...rule, ...locks, points, digest };
    }
  }
}

/** The runs of each scene that has some, in the order of its file. */
export const recorded = { lottery, freeze };

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [id, runs] of Object.entries(recorded)) {
    const lines = [];
    for await (const run of runs()) lines.push(JSON.stringify(run));
    const file = new URL(`../../web/scenes/${id}/runs.txt`, import.meta.url);
    writeFileSync(file, `${lines.join('\n')}\n`);
  }
}
