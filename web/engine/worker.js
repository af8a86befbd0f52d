/**
 * The engine's door: takes commands (protocol.js), one at a time, and replies to each. Runs as a module worker.
 * It refuses nothing itself; what the library refuses goes back as data, and the run stays as it was.
 */

import { init } from 'gradlock';
import { findScene } from '../scenes/index.js';
import { codeOf } from './code.js';
import { Loop } from './loop.js';
import { locksEvent, marksOf, Session } from './session.js';

/** @typedef {import('./protocol.js').Command} Command */
/** @typedef {import('./protocol.js').Refusal} Refusal */

const library = init();
/** @type {Session | null} */
let session = null;
/** @type {Loop | null} */
let loop = null;
/** A frame that waits until there is something new to show. @type {{ id: number, values?: Float32Array, beside?: Float32Array } | null} */
let waiting = null;
/** Whether the last frame no longer shows what is. */
let isStale = true;
/** Commands that only ask. */
const questions = new Set(['snapshot', 'peek', 'recipe', 'code']);

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
  const { id, values, beside } = waiting;
  waiting = null;
  isStale = false;
  const result = loop.frame(values, beside);
  const transfer = [result.values.buffer, result.trace.buffer];
  if (result.locks) transfer.push(result.locks.buffer);
  if (result.beside) transfer.push(result.beside.values.buffer);
  post({ id, result }, transfer);
}

/** @param {boolean} isReplayed @returns {import('./protocol.js').Opened} */
function opened(isReplayed) {
  const { main, events, problem } = live();
  return {
    locks: main.locks(),
    optimizer: main.settings,
    marks: marksOf(events),
    target: problem.target,
    figure: problem.scene.shown?.(problem.setup) ?? null,
    isReplayed,
  };
}

const live = () => {
  if (!session) throw new Error('No scene is open.');
  return session;
};

/** @param {Command & { type: 'open' }} command @param {import('../scenes/scene.js').Gradlock} g */
async function open({ scene: name, setup, step, ...recipe }, g) {
  const scene = findScene(name);
  if (!scene) throw new RangeError(`No scene "${name}".`);
  await scene.load?.();
  const next = new Session(g, scene, setup, recipe);
  try {
    next.replay(Math.max(step, next.warm));
  } catch (error) {
    next.dispose();
    throw error;
  }
  session?.dispose();
  session = next;
  loop = new Loop(next);
  return opened(true);
}

/** @returns {import('./protocol.js').Snapshot} */
function snapshot() {
  const { main, rival, problem, step } = live();
  const values = main.values();
  return {
    scene: problem.scene.id,
    rows: problem.setup.rows,
    cols: problem.setup.cols,
    step,
    loss: main.loss(),
    optimizer: main.settings,
    isPlaying: loop?.isPlaying ?? false,
    values: [...values],
    bits: [...new Uint32Array(values.buffer)],
    locks: [...main.locks()],
    digest: main.digest(),
    rivalDigest: rival?.digest() ?? null,
  };
}

/** What each command does to a live run. @type {{ [T in Command['type']]?: (command: any) => unknown }} */
const actions = {
  optimizer({ settings }) {
    const { main, warm, step } = live();
    // Locks that take hold after some steps ask for a run of one rule.
    const isNewStart = warm > 0 && settings.rule !== main.settings.rule;
    if (isNewStart) live().reset(settings);
    else live().do({ do: 'optimizer', settings, step });
    return opened(isNewStart);
  },
  look: ({ look }) => opened(live().look(look)),
  locks: ({ mask }) => live().do(locksEvent(mask, live().step)),
  assign: ({ index, value }) => live().do({ do: 'assign', index, value, step: live().step }),
  prune: ({ fraction }) => live().do({ do: 'prune', fraction, step: live().step }),
  select: ({ index }) => loop?.select(index),
  play: ({ speed }) => loop?.play(speed),
  pause: () => loop?.pause(),
  step: ({ steps }) => loop?.step(steps),
  reset() {
    loop?.pause();
    live().reset();
    return opened(true);
  },
  rewind({ step }) {
    loop?.pause();
    live().rewind(step);
    return opened(true);
  },
  peek: ({ step }) => live().snapshots.at(step),
  recipe: () => live().recipe(),
  code: () => codeOf(live()),
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
  const result =
    command.type === 'open' ? await open(command, g) : actions[command.type]?.(command);
  isStale ||= !questions.has(command.type);
  post({ id, result });
  sendFrame();
}

self.onmessage = (/** @type {MessageEvent<Command & { id: number }>} */ { data }) => {
  obey(data).catch((error) => post({ id: data.id, refusal: describe(error) }));
};
