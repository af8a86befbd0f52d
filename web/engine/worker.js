/**
 * The engine's module worker: takes commands (protocol.js), one at a time, and replies to each. It
 * refuses nothing itself; the library's errors go back as data, and the run stays as it was.
 */

import { init } from 'gradlock';
import { findScene } from '../scenes/index.js';
import { codeOf } from './code.js';
import { Loop } from './loop.js';
import { Parking } from './parking.js';
import { ready } from './networks.js';
import { hasRival } from './pair.js';
import { proofOf } from './proof.js';
import { marksOf, Session } from './session.js';
import { Studies } from './study.js';

/** @typedef {import('./protocol.js').Command} Command */
/** @typedef {import('./protocol.js').Refusal} Refusal */

const library = init();
/** @type {Session | null} */
let session = null;
/** @type {Loop | null} */
let loop = null;
/** The number of the live run, and the id of the last command to open one. */
const runs = { live: 0, newest: 0 };
/** A frame request that waits until there is something new to show. @type {(Command & { type: 'frame', id: number }) | null} */
let waiting = null;
/** True if the last frame is out of date. */
let isStale = true;
const questions = new Set(['snapshot', 'memory', 'peek', 'recipe', 'code', 'saved', 'proof']);
/** The reply to a command for another run. */
const LATE = Symbol('late');
const parking = new Parking();
const studies = new Studies();
/** A study's next slice is scheduled; time of the last report, and the last frame's, in ms. */
const pursuit = { isDue: false, told: 0, frame: 0 };
/** The steps still to be replayed, and a promise of their end. @type {{ steps: Generator, end: Promise<void>, ended: () => void } | null} */
let replay = null;

/** A replay that takes longer than this, in ms, goes on between frames. */
const SHORT = 300;
/** Its time between two looks at new messages, in ms. */
const STRETCH = 40;
/** A frame's time for the live run and a study, in ms; the study gets at least `LEAST`. */
const SLICE = 12;
const LEAST = 3;
/** The time between reports of a study that has no new results, in ms. */
const TELL_EVERY = 100;

/** @param {unknown} error @returns {Refusal} */
function describe(error) {
  const { name, message, index } = /** @type {Error & { index?: number[] }} */ (error);
  return { name: name || 'Error', message: message || String(error), ...(index && { index }) };
}

/** @param {object} message @param {Transferable[]} [transfer] */
const post = (message, transfer = []) => self.postMessage(message, { transfer });

function sendFrame() {
  if (!waiting || !loop || !(isStale || loop.isPlaying || replay)) return;
  const { id, values, beside, known } = waiting;
  waiting = null;
  isStale = false;
  const result = { ...loop.frame(values, beside), run: runs.live, study: studies.news(known) };
  pursuit.frame = result.engineTime;
  const transfer = [result.values.buffer, result.trace.buffer];
  if (result.locks) transfer.push(result.locks.buffer);
  if (result.beside) transfer.push(result.beside.values.buffer);
  post({ id, result }, transfer);
}

/**
 * Continues the study in the time that frames leave: one slice for each requested frame, and slice
 * after slice while no frame is to be sent. A hidden page requests none, so its study pauses.
 */
function pursue() {
  if (pursuit.isDue || !studies.isRunning) return;
  pursuit.isDue = true;
  setTimeout(() => {
    pursuit.isDue = false;
    if (replay) return;
    const isFree = waiting !== null && !loop?.isPlaying;
    const isNews = studies.advance(isFree ? SLICE : Math.max(LEAST, SLICE - pursuit.frame));
    const now = performance.now();
    if (isNews || now - pursuit.told > TELL_EVERY) {
      pursuit.told = now;
      isStale = true;
    }
    sendFrame();
    if (waiting) pursue();
  });
}

/** @param {boolean} isReplayed @param {import('./protocol.js').Left | null} [left] @returns {import('./protocol.js').Opened} */
function opened(isReplayed, left = null) {
  const { main, events, problem } = live();
  return {
    locks: main.locks(),
    optimizer: main.settings,
    marks: marksOf(events),
    target: problem.target,
    figure: problem.scene.shown?.(problem.setup) ?? null,
    isReplayed,
    isReplaying: replay !== null,
    left,
  };
}

const live = () => {
  if (!session) throw new Error('No scene is open.');
  return session;
};

/** Puts the live run aside. @returns {import('./protocol.js').Left | null} */
function leave() {
  if (!session) return null;
  return { recipe: session.recipe(), place: parking.leave(session.park()) };
}

/** Replays for some time, at least one slice: the first sets the run's own locks. @param {Generator} steps @param {number} time in ms @returns {boolean} true at its end */
function replayFor(steps, time) {
  const until = performance.now() + time;
  do if (steps.next().done) return true;
  while (performance.now() < until);
  return false;
}

/** Continues a long replay between frames. @param {Generator} steps of the live run @param {number} to */
function replayLong(steps, to) {
  if (replayFor(steps, SHORT)) return;
  const mine = { steps, ended: () => {}, end: Promise.resolve() };
  mine.end = new Promise((resolve) => {
    mine.ended = resolve;
  });
  replay = mine;
  const on = /** @type {Loop} */ (loop);
  on.replay = { from: live().step, to, refusal: null };
  const go = () => {
    if (replay !== mine) return;
    try {
      if (replayFor(steps, STRETCH)) endReplay();
      else setTimeout(go);
    } catch (error) {
      endReplay(describe(error));
    }
    isStale = true;
    sendFrame();
  };
  setTimeout(go);
}

/** @param {Refusal | null} [refusal] of an event that could not be replayed */
function endReplay(refusal = null) {
  if (!replay || !loop) return;
  live().stop();
  loop.replay = refusal && { from: 0, to: 0, refusal };
  replay.ended();
  replay = null;
}

/** @param {Command & { type: 'open', id: number }} command @param {import('../scenes/scene.js').Gradlock} g */
async function open({ id, run = 0, scene: name, setup, step, place, checkpoint, ...recipe }, g) {
  const scene = findScene(name);
  if (!scene) throw new RangeError(`No scene "${name}".`);
  runs.newest = id;
  await ready(scene);
  // A person has chosen another scene while this one was loading.
  if (runs.newest !== id) return LATE;
  endReplay();
  const left = leave();
  const parked = place === undefined ? undefined : parking.take(place);
  const { base, events, look } = parked ?? { base: recipe, ...recipe };
  const before = { session, loop };
  const next = new Session(g, scene, parked?.setup ?? setup, { ...base, events, look });
  try {
    session = next;
    loop = new Loop(next);
    if (parked) next.unpark(parked);
    else replayLong(next.opening(step, checkpoint), Math.max(step, next.warm));
  } catch (error) {
    ({ session, loop } = before);
    next.dispose();
    throw error;
  }
  runs.live = run;
  before.session?.dispose();
  studies.open(g, next);
  return opened(true, left);
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
    isMasked: main.isMasked,
  };
}

/**
 * @param {() => void} act on the live run, which is paused, and put aside first if that is worth it
 * @param {boolean} [isWorthIt] default: if it has moved from its start
 */
function anew(act, isWorthIt = !live().isUntouched) {
  loop?.pause();
  const left = isWorthIt ? leave() : null;
  act();
  return opened(true, left);
}

/** The action of each command on a live run. @type {{ [T in Command['type']]?: (command: any, g: import('../scenes/scene.js').Gradlock) => unknown }} */
const actions = {
  look({ look }) {
    const hadRival = live().rival !== null;
    const { step } = live();
    const left = hasRival(look) ? leave() : null;
    const isReplayed = live().look(look);
    if (isReplayed) replayLong(live().again(), step);
    return opened(isReplayed || hadRival, left);
  },
  do({ act }) {
    const { main, warm } = live();
    const isAnother = act.do === 'optimizer' && act.settings.rule !== main.settings.rule;
    // If locks hold only after some steps, the whole run needs one rule.
    if (warm > 0 && isAnother) return anew(() => live().reset(act.settings));
    // Undo leads back to the run before a switch, with the values that it had.
    const left = act.do === 'switch' ? leave() : null;
    live().do(act);
    if (act.do === 'optimizer' || act.do === 'switch') return opened(false, left);
    const values = act.do === 'hold' && main.values();
    return values ? act.cells.map((/** @type {number} */ cell) => values[cell]) : true;
  },
  pruneAnew({ fraction }) {
    const act = () => {
      live().do({ do: 'prune', fraction });
      live().reset();
    };
    return anew(act, true);
  },
  select: ({ index }) => loop?.select(index),
  tell: ({ name, values }) => live().tell(name, values),
  study: ({ isOn }, g) => (isOn ? studies.start(g, live()) : studies.stop()),
  play: ({ speed }) => loop?.play(speed),
  pause: () => loop?.pause(),
  step({ steps }) {
    loop?.step(steps);
    return live().step;
  },
  reset: () => anew(() => live().reset()),
  rewind: ({ step }) => anew(() => live().rewind(step)),
  peek({ step, isNext = false }) {
    const { snapshots } = live();
    const kept = isNext ? snapshots.after(step) : snapshots.at(step);
    if (!kept || kept.step === live().step) return null;
    const { values, mask, loss } = kept;
    return { step: kept.step, values, mask, loss };
  },
  cancel() {
    endReplay();
    return opened(true);
  },
  recipe: () => live().recipe(),
  saved: () => ({ recipe: live().recipe(), checkpoint: live().checkpoint() }),
  code: () => codeOf(live()),
  proof: () => ({ recipe: live().recipe(), proof: proofOf(live()) }),
  snapshot,
  memory(_, g) {
    const { wasmBytes, bytes } = g.memory();
    return { wasm: wasmBytes, library: bytes };
  },
};

/** Returns true for commands that do not wait for a replay. */
const isPrompt = (/** @type {Command} */ { type }) => type === 'open' || type === 'cancel';

/** @param {Command & { id: number }} command @param {import('../scenes/scene.js').Gradlock} g */
function answer(command, g) {
  if (command.type === 'open') return open(command, g);
  if ((command.run ?? runs.live) !== runs.live) return LATE;
  return actions[command.type]?.(command, g);
}

/** @param {Command & { id: number }} command */
async function obey(command) {
  const g = await library;
  const { id } = command;
  if (command.type === 'frame') {
    waiting = command;
    sendFrame();
    pursue();
    return;
  }
  while (replay && !isPrompt(command)) await replay.end;
  const result = await answer(command, g);
  isStale ||= !questions.has(command.type);
  post(result === LATE ? { id, isLate: true } : { id, result });
  sendFrame();
  if (waiting) pursue();
}

self.onmessage = (/** @type {MessageEvent<Command & { id: number }>} */ { data }) => {
  obey(data).catch((error) => post({ id: data.id, refusal: describe(error) }));
};
