/**
 * The engine's module worker: answers the page's calls (protocol.js), one at a time. It refuses
 * nothing itself: the library's errors go back, and the run stays as it was.
 */

import { init } from 'gradlock';
import { train, transfer } from 'gradlock/worker';
import { findScene } from '../scenes/index.js';
import { hasRival } from '../state/state.js';
import { codeOf } from './code.js';
import { Fits } from './fit.js';
import { Loop } from './loop.js';
import { ready } from './problem.js';
import { proofOf, snapshotOf } from './proof.js';
import { marksOf, Session } from './session.js';
import { RunCache } from './snapshots.js';

/** @typedef {import('./protocol.js').Command} Command */

const library = init();
/** The pace of the live run, which has the run. @type {Loop | null} */
let loop = null;
/** The number of the live run, and the last command to open one. @type {{ live: number, newest: object | null }} */
const runs = { live: 0, newest: null };
/** Lets the frame that was asked for be made: it waits until there is something new to show. @type {(() => void) | null} */
let waiting = null;
/** True if the last frame is out of date. */
let isStale = true;
/** The number of orders that were done, and of long replays that have ended. */
let orders = 0;
const questions = ['snapshot', 'memory', 'peek', 'recipe', 'code', 'saved', 'proof', 'orders'];
const cache = new RunCache();
const fits = new Fits();
/** A long replay: settles at its end. @type {{ end: Promise<void> } | null} */
let replay = null;

/** A replay that takes longer than this, in ms, continues between frames. */
const FIRST_SLICE = 300;
/** The time of its slices between messages, in ms. */
const SLICE = 40;

/** The refusal of a command for another run, which the page knows by its name. */
const lateError = () =>
  Object.assign(new Error('another run is open by now'), { name: 'LateError' });

function showNews() {
  if (!waiting || !loop || !(isStale || loop.isPlaying || replay)) return;
  waiting();
  waiting = null;
  isStale = false;
}

/**
 * Returns a frame once there is something new to show. The call that has changed the run returns
 * first, so the page hears of another run before its first frame.
 * @param {Command & { type: 'frame' }} command
 */
async function frame({ values, beside }) {
  await new Promise((/** @type {(value?: unknown) => void} */ resolve) => {
    waiting = resolve;
    showNews();
  });
  const made = { .../** @type {Loop} */ (loop).frame(values, beside), orders };
  const rows = [made.values, made.trace, made.locks, made.beside?.values];
  const buffers = rows.flatMap((row) => row?.buffer ?? []);
  const fit = replay ? null : fits.news(await library, live(), made.isPlaying);
  return transfer({ ...made, run: runs.live, fit }, buffers);
}

/** Describes the run as it is now. @param {boolean} isReplayed true if the trace starts again @param {import('./protocol.js').Left | null} [left] the run that this one has replaced, if it was worth keeping */
export function opened(isReplayed, left = null) {
  const { main, events, problem } = live();
  return {
    ...{ isReplayed, left, locks: main.locks(), optimizer: main.settings },
    marks: marksOf(events),
    target: problem.target,
    /** The constant data of the scene's figures. */
    figure: problem.scene.shown?.(problem.setup) ?? null,
    /** True while it is on its way to the step that was asked for. */
    isReplaying: replay !== null,
  };
}

const live = () => {
  if (!loop) throw new Error('No scene is open.');
  return loop.session;
};

/** Puts the live run into the run cache. @returns {import('./protocol.js').Left | null} */
const cacheLive = () => loop && { recipe: live().recipe(), key: cache.put(live().toCache()) };

/** Replays for some time, at least one slice: the first sets the run's own locks. @param {Generator} steps @param {number} time in ms @returns {boolean} true at its end */
function replayFor(steps, time) {
  const until = performance.now() + time;
  do if (steps.next().done) return true;
  while (performance.now() < until);
  return false;
}

/** Replays at once what takes no longer than a slice, and the rest between frames. @param {Generator} steps of the live run @param {number} to */
function replayAll(steps, to) {
  if (replayFor(steps, FIRST_SLICE)) return;
  /** @type {Loop} */ (loop).replay = { from: live().step, to, refusal: null };
  const mine = { end: Promise.resolve() };
  replay = mine;
  const replayRest = async () => {
    for (let isDone = false; !isDone; showNews()) {
      await new Promise((done) => setTimeout(done));
      if (replay !== mine) return;
      let refusal = null;
      try {
        isDone = replayFor(steps, SLICE);
      } catch (error) {
        const { name, message } = /** @type {Error} */ (error);
        refusal = { name, message };
        isDone = true;
      }
      if (isDone) endReplay(refusal);
      isStale = true;
    }
  };
  mine.end = replayRest();
}

/** @param {import('./protocol.js').Replay['refusal']} [refusal] of an event that could not be replayed */
function endReplay(refusal = null) {
  if (!replay || !loop) return;
  live().stop();
  loop.replay = refusal && { from: 0, to: 0, refusal };
  orders++;
  isStale = true;
  replay = null;
}

/** @param {Command & { type: 'open' }} command @param {import('../scenes/scene.js').Gradlock} g */
async function open(command, g) {
  const { run = 0, state, key, checkpoint } = command;
  const scene = findScene(state.scene);
  if (!scene) throw new RangeError(`No scene "${state.scene}".`);
  runs.newest = command;
  await Promise.all([ready(scene), fits.ready(scene)]);
  // A person has chosen another scene while this one was loading.
  if (runs.newest !== command) throw lateError();
  endReplay();
  const left = cacheLive();
  const cached = key === undefined ? undefined : cache.get(key);
  const before = loop;
  const next = new Session(g, scene, state);
  try {
    loop = new Loop(next);
    loop.select(state.selected);
    if (cached) next.fromCache(cached);
    else replayAll(next.open(state.step, checkpoint), Math.max(state.step, next.warm));
  } catch (error) {
    loop = before;
    next.dispose();
    throw error;
  }
  runs.live = run;
  before?.session.dispose();
  return opened(true, left);
}

/**
 * @param {() => void} act on the live run, which is paused, and put into the run cache first if that is worth it
 * @param {boolean} [isWorthIt] default: if it has moved from its start
 */
function restart(act, isWorthIt = !live().isUntouched) {
  loop?.pause();
  const left = isWorthIt ? cacheLive() : null;
  act();
  return opened(true, left);
}

/** The action of each command. @type {{ [T in Command['type']]?: (command: any, g: import('../scenes/scene.js').Gradlock) => unknown }} */
const actions = {
  open,
  view({ view }) {
    const hadRival = live().rival !== null;
    const { step } = live();
    const left = hasRival(view) ? cacheLive() : null;
    const isReplayed = live().setView(view);
    if (isReplayed) replayAll(live().open(step), step);
    return opened(isReplayed || hadRival, left);
  },
  do({ act }) {
    const { main, warm } = live();
    const isAnother = act.do === 'optimizer' && act.settings.rule !== main.settings.rule;
    // If locks hold only after some steps, the whole run needs one rule.
    if (warm > 0 && isAnother) return restart(() => live().reset(act.settings));
    // Undo leads back to the run before a switch, with the values that it had.
    const left = act.do === 'switch' ? cacheLive() : null;
    live().do(act);
    if (act.do === 'optimizer' || act.do === 'switch') return opened(false, left);
    const values = act.do === 'hold' && main.values();
    return values ? act.cells.map((/** @type {number} */ cell) => values[cell]) : true;
  },
  pruneAnew: ({ fraction }) =>
    restart(() => {
      live().do({ do: 'prune', fraction });
      live().reset();
    }, true),
  select: ({ index }) => loop?.select(index),
  tell: ({ name, values }) => live().tell(name, values),
  play: ({ speed }) => loop?.play(speed),
  pause: () => loop?.pause(),
  step({ steps }) {
    loop?.step(steps);
    return live().step;
  },
  reset: () => restart(() => live().reset()),
  rewind: ({ step }) => restart(() => live().rewind(step)),
  peek({ step, isNext = false }) {
    const { snapshots } = live();
    const kept = isNext ? snapshots.after(step) : snapshots.at(step);
    if (!kept || kept.step === live().step) return null;
    const { values, main, loss } = kept;
    return { step: kept.step, values, mask: main.mask, loss };
  },
  cancel() {
    endReplay();
    return opened(true);
  },
  recipe: () => ({ recipe: live().recipe() }),
  saved: () => ({ recipe: live().recipe(), checkpoint: live().checkpoint() }),
  code: () => codeOf(live()),
  proof: () => ({ recipe: live().recipe(), proof: proofOf(live()) }),
  snapshot: () => snapshotOf(live(), loop?.isPlaying ?? false),
  orders({ seen }) {
    // A frame may have come for a run that the page has left.
    isStale ||= seen < orders;
    return orders;
  },
  memory(_, g) {
    const { wasmBytes, bytes } = g.memory();
    return { wasm: wasmBytes, library: bytes };
  },
};

/** Commands as calls. `open` and `cancel` end a replay, all others wait for its end. @type {[type: string, call: (command: Command) => unknown][]} */
const calls = Object.entries(actions).map(([type, act]) => [
  type,
  async (command) => {
    const g = await library;
    while (replay && type !== 'open' && type !== 'cancel') await replay.end;
    if (type !== 'open' && (command.run ?? runs.live) !== runs.live) throw lateError();
    const result = await act(command, g);
    if (!questions.includes(type)) {
      isStale = true;
      orders++;
    }
    showNews();
    return result;
  },
]);

train(() => ({ calls: { frame, ...Object.fromEntries(calls) } }));
