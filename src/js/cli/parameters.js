// Parameters of a model as the command wants them: starts, bounds, locks and ties.
import { UsageError } from './command.js';

/** @import { Gradlock } from '../gradlock.js' */
/** @import { Tie } from './command.js' */
/** @typedef {NonNullable<ReturnType<typeof import('./command.js').readCommand>>} Command */
/** @typedef {Record<string, any>} Specs Parameters' descriptions by names. */

/** Itself, or all of that kind. @param {Specs} specs @param {string} name @param {string} option */
const meantBy = (specs, name, option) => {
  const names = Object.keys(specs);
  const every = names.filter((other) => other.replace(/\d+$/, '') === name);
  const meant = names.includes(name) ? [name] : every;
  if (meant.length > 0) return meant;
  throw new UsageError(`--${option}: unknown parameter "${name}"; known: ${names.join(', ')}`);
};

/** @param {Gradlock} g @param {Specs} specs @param {Tie} tie */
const addTie = (g, specs, { name, factor, to }) => {
  const [first = name, ...others] = meantBy(specs, name, 'tie');
  const target = to ?? first;
  const tied = to === undefined ? others : [first, ...others];
  if (meantBy(specs, target, 'tie')[0] !== target) {
    throw new UsageError(`--tie: ${name} can follow one parameter, not all of "${target}"`);
  }
  if (tied.length === 0 || tied.includes(target)) {
    throw new UsageError(`--tie: ${name} has no other parameter to follow; write --tie a=b`);
  }
  for (const one of tied) {
    specs[one] = {
      tie: (/** @type {any} */ all) => (factor === 1 ? all[target] : g.mul(all[target], factor)),
    };
  }
};

/**
 * Applies the command's options. A guess is moved into its bounds; a start that was given is left
 * as it is. Ties of a module get `g`, too.
 * @param {Gradlock} g
 * @param {Specs} starts
 * @param {Command} command
 */
export const editParameters = (g, starts, { edits, ties }) => {
  /** @type {Specs} */
  const specs = Object.fromEntries(
    Object.entries(starts).map(([name, spec]) => {
      if (typeof spec === 'number') return [name, { value: spec }];
      const { tie } = spec;
      const isTie = typeof tie === 'function';
      return [name, { ...spec, ...(isTie && { tie: (/** @type {any} */ all) => tie(all, g) }) }];
    }),
  );
  for (const tie of ties) addTie(g, specs, tie);
  const isGiven = new Set();
  for (const option of /** @type {const} */ (['start', 'min', 'max', 'lock'])) {
    for (const { name, value } of edits[option]) {
      const meant = meantBy(specs, name, option);
      const own = meant.filter((one) => !('tie' in specs[one]));
      if (own.length === 0) throw new UsageError(`--${option}: ${name} is tied to others`);
      for (const one of own) {
        const spec = specs[one];
        if (option === 'min' || option === 'max') spec[option] = value;
        else if (value !== undefined) {
          spec.value = value;
          isGiven.add(one);
        }
        if (option === 'lock') spec.lock = true;
      }
    }
  }
  for (const [name, spec] of Object.entries(specs)) {
    const { min = -Infinity, max = Infinity } = spec;
    if ('tie' in spec || isGiven.has(name) || !(min <= max)) continue;
    spec.value = Math.min(max, Math.max(min, spec.value));
  }
  return specs;
};
