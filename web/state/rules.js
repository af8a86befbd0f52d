/**
 * The update rules and their options: names and ranges only. The engine makes the optimizers,
 * strings/ has the words. The library checks the options again, and decides.
 */

/** @typedef {'sgd' | 'momentum' | 'nesterov' | 'adam' | 'adamW'} Rule */
/** @typedef {'learningRate' | 'momentum' | 'weightDecay'} RuleOption */

/** A rule, and all options, also those that it does not have. @typedef {{ rule: Rule } & Record<RuleOption, number>} OptimizerSettings */

/** The options besides the learning rate, which all have. @type {Record<Rule, RuleOption[]>} */
export const ruleOptions = {
  sgd: [],
  momentum: ['momentum'],
  nesterov: ['momentum'],
  adam: [],
  adamW: ['weightDecay'],
};

export const rules = /** @type {Rule[]} */ (Object.keys(ruleOptions));

/** @param {unknown} name @returns {name is Rule} */
export const isRule = (name) => rules.some((rule) => rule === name);

/** Low ≤ value < high. @type {Record<RuleOption, [low: number, high: number]>} */
export const optionRanges = { learningRate: [0, 1e6], momentum: [0, 1], weightDecay: [0, 1e3] };

/** True of what is valid in each field of settings. @type {Record<string, (value: unknown) => boolean>} */
export const settingChecks = {
  rule: isRule,
  ...Object.fromEntries(
    Object.entries(optionRanges).map(([name, [low, high]]) => [
      name,
      (value) => typeof value === 'number' && value >= low && value < high,
    ]),
  ),
};

/** @param {any} settings of any origin @returns {settings is OptimizerSettings} */
export const isSettings = (settings) =>
  typeof settings === 'object' &&
  settings !== null &&
  Object.entries(settingChecks).every(([name, isValid]) => isValid(settings[name]));

/**
 * Returns the learning rate for numbers of another size, or by another rule. Adam's steps are as
 * large as its rate, so it grows with the numbers; the steps of other rules grow by themselves.
 * @param {OptimizerSettings} settings
 * @param {Rule} rule  from now on
 * @param {number} from  the size of the numbers before
 * @param {number} to    from now on
 */
export function rateFor(settings, rule, from, to) {
  const size = (/** @type {Rule} */ one, /** @type {number} */ unit) =>
    one === 'adam' || one === 'adamW' ? unit : 1;
  const rate = (settings.learningRate * size(rule, to)) / size(settings.rule, from);
  return Math.min(Number(rate.toPrecision(6)), optionRanges.learningRate[1] / 10);
}

/** Returns true if two train alike: all options of their rule are equal. @param {OptimizerSettings} a @param {OptimizerSettings} b */
export const isAlike = (a, b) =>
  a.rule === b.rule &&
  a.learningRate === b.learningRate &&
  ruleOptions[a.rule].every((name) => a[name] === b[name]);
