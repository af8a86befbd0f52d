/**
 * The engine's door: takes commands (protocol.js), one at a time, and replies to each. Runs as a module worker.
 * It refuses nothing itself; what the library refuses goes back as data, and the run stays as it was.
 */

import { init } from 'gradlock';
import { findScene } from '../scenes/index.js';
import { Loop } from './loop.js';
import { Run } from './run.js';

/** @typedef {import('./protocol.js').Command} Command */
/** @typedef {import('./protocol.js').Refusal} Refusal */

const library = init();
/** @type {Run | null} */
let run = null;
/** @type {Loop | null} */
let loop = null;
/** A frame that waits until there is something new to show. @type {{ id: number, values?: Float32Array } | null} */
let waiting = null;
/** Whether the last frame no longer shows what is. */
let isStale = true;
/** Commands that change what is trained, or how. */
const changes = new Set(['optimizer', 'locks', 'assign']);

/** @param {unknown} error @returns {Refusal} */
function describe(error) {
  const { name, message, index } = /** @type {Error & { index?: number[] }} */ (error);
  return { name: name || 'Error', message: message || String(error), ...(index && { index }) };
}

/** @param {object} message @param {Transferable[]} [transfer] */
const post = (message, transfer = []) => self.postMessage(message, { transfer });

/** Send the frame that was asked for. */
function sendFrame() {
  if (!waiting || !loop || !(isStale || loop.isPlaying)) return;
  const { id, values } = waiting;
  waiting = null;
  isStale = false;
  const result = loop.frame(values);
  const transfer = [result.values.buffer, result.trace.buffer];
  if (result.locks) transfer.push(result.locks.buffer);
  post({ id, result }, transfer);
}

/** @param {Command & { type: 'open' }} command @param {import('../scenes/scene.js').Gradlock} g */
function open({ scene: name, setup, optimizer, locks }, g) {
  const scene = findScene(name);
  if (!scene) throw new RangeError(`No scene "${name}".`);
  const next = new Run(g, scene, setup, optimizer, locks);
  run?.dispose();
  run = next;
  loop = new Loop(next);
  return { locks: next.locks(), target: next.target };
}

/** @returns {import('./protocol.js').Snapshot} */
function snapshot() {
  const { scene, setup, step, settings, cells } = /** @type {Run} */ (run);
  const values = new Float32Array(cells);
  run?.read(values);
  return {
    scene: scene.id,
    rows: setup.rows,
    cols: setup.cols,
    step,
    loss: /** @type {Run} */ (run).loss(),
    optimizer: settings,
    isPlaying: loop?.isPlaying ?? false,
    values: [...values],
    bits: [...new Uint32Array(values.buffer)],
    locks: [.../** @type {Run} */ (run).locks()],
    digest: /** @type {Run} */ (run).digest(),
  };
}

/** What each command does to a live run. @type {{ [T in Command['type']]?: (command: any) => unknown }} */
const actions = {
  optimizer: ({ settings }) => run?.setOptimizer(settings),
  locks: ({ mask }) => run?.setLocks(mask),
  assign: ({ index, value }) => run?.assign(index, value),
  select: ({ index }) => loop?.select(index),
  play: ({ speed }) => loop?.play(speed),
  pause: () => loop?.pause(),
  step: ({ steps }) => loop?.step(steps),
  reset: () => loop?.reset(),
  snapshot,
};

/** @param {Command & { id: number }} command */
async function obey(command) {
  const g = await library;
  const { id } = command;
  if (command.type === 'frame') {
    waiting = command;
    sendFrame();
    return;
  }
  const result = command.type === 'open' ? open(command, g) : actions[command.type]?.(command);
  if (changes.has(command.type)) loop?.touch();
  isStale ||= command.type !== 'snapshot';
  post({ id, result });
  sendFrame();
}

self.onmessage = (/** @type {MessageEvent<Command & { id: number }>} */ { data }) => {
  obey(data).catch((error) => post({ id: data.id, refusal: describe(error) }));
};
