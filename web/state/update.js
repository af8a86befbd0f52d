/**
 * The one place where the state changes: a person's choices and the engine's answers make the next
 * state, and the commands that lead there. Pure, like all of state/.
 */

import { findScene } from '../scenes/index.js';
import { unitIn } from './own.js';
import { isRule, rateFor } from './rules.js';
import { setupOf, validate } from './state.js';

/** @typedef {import('./state.js').State} State */
/** @typedef {Record<string, unknown>} Patch */

/**
 * `change`: a person's choices but the optimizer; `keepsLocks`: a person has chosen the locks.
 * `optimizer`: a change of the live run's; `coming`: the settings that are on their way to the engine.
 * `locks`: a person's edit. `opened`: the engine's answer; `asked`: the run that was asked for, if
 * it is another.
 * @typedef {{ type: 'change', patch: Patch, keepsLocks: boolean }
 *   | { type: 'optimizer', patch: Patch, coming: State['optimizer'] }
 *   | { type: 'locks', locks: Uint8Array }
 *   | { type: 'opened', opened: import('../engine/protocol.js').Opened, asked?: State }} Message
 */

/** @typedef {Extract<import('../engine/protocol.js').Order, { type: 'open' | 'select' | 'play' | 'view' | 'do' }>} Command */

/** The fields whose change starts another run. */
const RUN_FIELDS = /** @type {const} */ (['scene', 'rows', 'cols', 'choices', 'seed', 'own']);

/** @param {State} state @param {Message} message @returns {{ state: State, commands: Command[], problem?: import('./state.js').Problem }} */
export function update(state, message) {
  switch (message.type) {
    case 'change':
      return change(state, message);
    case 'optimizer':
      return changeOptimizer(state, message);
    case 'locks':
      return { state: { ...state, locks: message.locks }, commands: [] };
    case 'opened': {
      const { opened, asked } = message;
      const from = asked ? { ...asked, locks: opened.locks } : state;
      const next = { ...from, optimizer: opened.optimizer, events: [], step: 0 };
      return { state: next, commands: [] };
    }
  }
}

/** @param {State} before @param {Message & { type: 'change' }} message @returns {ReturnType<typeof update>} */
function change(before, { patch, keepsLocks }) {
  const { state, problems } = validate(patch, before);
  const [problem] = problems;
  const isSame = (/** @type {keyof State} */ field) =>
    field === 'choices'
      ? Object.entries(state.choices).every(([name, value]) => before.choices[name] === value)
      : state[field] === before[field];
  if (!RUN_FIELDS.every(isSame)) {
    // Locks of the scene may change with its choices. The state is another once the run is open.
    const keeps = keepsLocks || 'locks' in patch || state.scene !== before.scene;
    const first = findScene(state.scene)?.opensWith?.(setupOf(state)) ?? null;
    const next = { ...state, locks: keeps ? state.locks : first, zeros: null };
    return { state: before, commands: [{ type: 'open', state: next }], problem };
  }
  const { selected, speed, beside, rival } = state;
  /** @type {Command[]} */
  const commands = [];
  if (!isSame('selected')) commands.push({ type: 'select', index: selected });
  if (!isSame('speed')) commands.push({ type: 'play', speed });
  if (!isSame('beside') || !isSame('rival'))
    commands.push({ type: 'view', view: { beside, rival } });
  return { state, commands, problem };
}

/** The state has them once the engine does. @param {State} state @param {Message & { type: 'optimizer' }} message @returns {ReturnType<typeof update>} */
function changeOptimizer(state, { patch, coming }) {
  const { rule } = patch;
  const unit = unitIn(state);
  const rate = isRule(rule) ? { learningRate: rateFor(coming, rule, unit, unit) } : {};
  const wanted = validate({ optimizer: { ...coming, ...rate, ...patch } }, state);
  const [problem] = wanted.problems;
  if (problem) return { state, commands: [], problem };
  const act = /** @type {const} */ ({ do: 'optimizer', settings: wanted.state.optimizer });
  return { state, commands: [{ type: 'do', act }] };
}
