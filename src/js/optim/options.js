// Options of update rules, converted from JavaScript's names and types to C's and back. C knows
// which options a rule has and their ranges; here only types are checked.
import { describe, isRecord, ownProperties } from '../base/check.js';
import { OptionError } from '../base/errors.js';
import { suggest } from '../base/suggest.js';

/** @import { RuleInfo } from './rules.js' */
/**
 * Options of every rule. Each is live: read or set it on the optimizer at any time. It applies from
 * the next step on. A slot starts at its initial value when it is first needed, and keeps its
 * values while it is not needed.
 * @typedef {object} CommonOptions
 * @property {number | import('./schedules.js').Schedule | import('./schedules.js').OwnSchedule}
 *   [learningRate] 0 or above, a schedule of `g.schedules`, or a function that gives the rate of
 *   an iteration, counted from 0. Default: 0.001; 0.01 for sgd.
 * @property {number} [weightDecay] Decoupled: x −= x · weightDecay · learningRate before the step.
 *   0 is none. Default: 0; 0.004 for adamW.
 * @property {number} [clipNorm] Highest norm of one variable's gradient over its free elements. 0
 *   is none. Of three kinds of clipping one can be on: a second throws OptionError. Default: 0.
 * @property {number} [globalClipNorm] Highest norm over all free elements. 0 is none. Default: 0.
 * @property {number} [clipValue] Highest magnitude of a gradient's element. 0 is none. Default: 0.
 * @property {'hold' | 'reset'} [onUnlock] `'hold'`: an unlocked element resumes its slots and
 *   clock. `'reset'`: it starts anew, unless no step was taken meanwhile. Default: 'hold'.
 * @property {boolean} [useEma] True to keep a moving average of every variable that is trained. A
 *   constraint comes after the average, as in Keras. Default: false.
 * @property {number} [emaMomentum] Kept share of an average, from 0 to below 1. Default: 0.99.
 * @property {number} [emaOverwriteFrequency] After how many steps free elements are overwritten by
 *   their average. 0 is never. Default: 0.
 * @property {number} [gradientAccumulationSteps] How many gradients make one step, which is taken
 *   on their mean. A step trains the variables of the call that completes it; what is pending for
 *   others is dropped. Averages and constraints follow every call, as in Keras. Default: 1.
 */

/** How JavaScript says C's flag resetOnUnlock. */
export const RESET_FLAG = 'resetOnUnlock';

/** An option as C takes it. @param {RuleInfo} rule @param {string} key @param {unknown} value */
const encodeOption = (rule, key, value) => {
  const info = rule.options.get(key === 'onUnlock' ? RESET_FLAG : key);
  if (!info || key === RESET_FLAG) {
    const known = [...rule.options.keys()].map((name) => (name === RESET_FLAG ? 'onUnlock' : name));
    throw new OptionError(`${rule.name} has no option '${key}': ${suggest(key, known)}`);
  }
  const { address } = info;
  if (key === 'onUnlock') {
    if (value === 'hold' || value === 'reset') return { address, value: value === 'reset' ? 1 : 0 };
    if (typeof value !== 'string') {
      throw new TypeError(`onUnlock must be 'hold' or 'reset', got ${describe(value)}`);
    }
    throw new OptionError(`onUnlock must be 'hold' or 'reset', got ${describe(value)}`);
  }
  const type = info.isFlag ? 'boolean' : 'number';
  if (typeof value !== type) {
    throw new TypeError(`${key} must be a ${type}, got ${describe(value)}`);
  }
  return { address, value: Number(value) };
};

/**
 * Give an optimizer a live property for each option of its rule that its class has none for.
 * @param {{ option: (name: string) => number, setOptions: (options: Record<string, unknown>)
 *   => void }} optimizer
 * @param {RuleInfo} rule
 */
export const addLiveOptions = (optimizer, rule) => {
  for (const { name, isFlag } of rule.options.values()) {
    if (name === RESET_FLAG || name in optimizer) continue;
    const option = {
      get: () => (isFlag ? optimizer.option(name) !== 0 : optimizer.option(name)),
      set: (/** @type {unknown} */ value) => optimizer.setOptions({ [name]: value }),
      configurable: true,
    };
    Object.defineProperty(optimizer, name, ownProperties(option));
  }
};

/**
 * Hand options to C, which sets all of them or none.
 * @param {import('../wasm/bridge.js').Bridge} bridge
 * @param {readonly { address: number, value: number }[]} given
 * @param {(names: number, values: number, count: number) => number} call
 */
export const sendOptions = (bridge, given, call) => {
  const count = given.length;
  bridge.staged(count * 12, (values) => {
    const names = values + count * 8;
    bridge.f64.set(
      given.map(({ value }) => value),
      values >>> 3,
    );
    bridge.writeList(
      names,
      given.map(({ address }) => address),
    );
    bridge.check(call(names, values, count));
  });
};

/** The options of a rule, each read once. @param {unknown} options */
export const readRuleOptions = (options = {}) => {
  if (isRecord(options)) return ownProperties(options);
  const such = typeof options === 'number' ? ` such as { learningRate: ${options} }` : '';
  throw new TypeError(`options must be an object${such}, got ${describe(options)}`);
};

/** Options as C takes them. @param {RuleInfo} rule @param {Record<string, unknown>} options */
export const encodeOptions = (rule, options) => {
  return Object.entries(options)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => encodeOption(rule, key, value));
};
