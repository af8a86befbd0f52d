// Lock policies: rules that change a holder's locks during training, evaluated in C. Read
// completely here, then passed on in one call.
import { describe, readCount, readEach, readOptions } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { readSource } from '../tensors/random.js';
import { readChoicePlan, writeChoice } from './selection-choice.js';

/** @import { Selection } from './locks.js' */
/** @import { Measure } from './selection-choice.js' */
/**
 * @typedef {number | { from: number, to: number, steps: number }} Ramp An amount, or one that
 *   changes linearly over a number of steps.
 */
/** @typedef {{ k: Ramp, fraction?: never } | { fraction: Ramp, k?: never }} RampedAmount */
/** @typedef {{ topK: RampedAmount & { by?: Measure, largest?: boolean } }} PolicyTopK */
/** @typedef {{ where: { above?: number, below?: number, by?: Measure } }} PolicyWhere */
/**
 * @typedef {{ random: RampedAmount & { seed: number | { seed: number, step?: number } } }}
 *   PolicyRandom
 */
/** @typedef {PolicyTopK | PolicyWhere | PolicyRandom} PolicyChoice */
/**
 * The elements to lock, or the only ones to train. They are selected again before every `every`-th
 * step (default: 1), from the values at that time or the gradient of that step. `step` (default: 0)
 * is the number of the first step.
 * @typedef {{ every?: number, step?: number } & ({ lock: PolicyChoice, trainOnly?: never } |
 *   { trainOnly: PolicyChoice, lock?: never })} ChoicePolicy
 */
/**
 * A timetable: from step `at[i]` on, the selection number i.
 * @typedef {{ at: ArrayLike<number>, step?: number } & ({ lock: readonly Selection[],
 *   trainOnly?: never } | { trainOnly: readonly Selection[], lock?: never })} Timetable
 */
/** @typedef {ChoicePolicy | Timetable} LockPolicy */

const MOST = 0xffffffff;

/** @param {unknown} value @param {string} what @param {number} least */
const readSteps = (value, what, least) => {
  const steps = readCount(value, what);
  if (steps < least || steps > MOST) {
    throw new OptionError(`${what} must be an integer from ${least} to ${MOST}, got ${steps}`);
  }
  return steps;
};

/** @param {Record<string, unknown>} given @returns {{ isInverted: boolean, what: unknown }} */
const readSense = ({ lock, trainOnly }) => {
  if ((lock === undefined) === (trainOnly === undefined)) {
    throw new TypeError(
      'a policy needs either lock or trainOnly: the elements to lock, or the ones to leave free',
    );
  }
  return { isInverted: lock === undefined, what: lock ?? trainOnly };
};

/** A policy by choice, ready for C. @param {unknown} policy */
export const readPolicy = (policy) => {
  const known = ['lock', 'trainOnly', 'every', 'step'];
  const given = readOptions(policy, known, 'policy options');
  const { every = 1, step = 0 } = given;
  const { isInverted, what } = readSense(given);
  const choice = readChoicePlan(what, true);
  const [seed, draw] = choice.seed === undefined ? [0, 0] : readSource(choice.seed);
  return {
    choice,
    seed,
    draw,
    isInverted,
    every: readSteps(every, 'every', 1),
    step: readSteps(step, 'step', 0),
  };
};

/** A timetable, with its selections still to be read. @param {unknown} policy */
export const readTimetable = (policy) => {
  const known = ['lock', 'trainOnly', 'at', 'step'];
  const given = readOptions(policy, known, 'timetable options');
  const { isInverted, what } = readSense(given);
  const { at, step = 0 } = given;
  if (!Array.isArray(what) || !Array.isArray(at)) {
    const got = `${describe(at)} and ${describe(what)}`;
    throw new TypeError(`a timetable needs arrays of steps and of selections, got ${got}`);
  }
  if (at.length !== what.length || at.length === 0) {
    throw new OptionError(
      `a timetable needs one selection for each step, and at least one step, got ${at.length} steps and ${what.length} selections`,
    );
  }
  const steps = readEach(at, 'at', (entry, i) => readSteps(entry, `at[${i}]`, 0));
  return { isInverted, selections: what, steps, step: readSteps(step, 'step', 0) };
};

/**
 * @param {import('../wasm/bridge.js').Bridge} bridge
 * @param {number} address
 * @param {ReturnType<typeof readPolicy>} policy
 */
export const writePolicy = (bridge, address, { choice, seed, draw, isInverted, every, step }) => {
  writeChoice(bridge, address + bridge.constant('glk_policy.choice'), choice, seed, draw);
  bridge.f64[(address + bridge.constant('glk_policy.to')) >>> 3] = choice.to;
  const words = { over: choice.over, every, step, is_inverted: isInverted ? 1 : 0 };
  for (const [field, value] of Object.entries(words)) {
    bridge.u32[(address + bridge.constant(`glk_policy.${field}`)) >>> 2] = value;
  }
};
