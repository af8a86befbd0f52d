/**
 * The update rules a person can choose, and what each lets them set. Names and ranges only: the engine makes the
 * optimizers, strings/ has the words. The library checks again, and its word is the last.
 */

/** @typedef {'sgd' | 'momentum' | 'nesterov' | 'adam' | 'adamW'} Rule */
/** @typedef {'learningRate' | 'momentum' | 'weightDecay'} RuleOption */

/**
 * @typedef {object} OptimizerSettings
 * @property {Rule} rule
 * @property {number} learningRate  from 0 up
 * @property {number} momentum      0 ≤ momentum < 1, for rules that have it
 * @property {number} weightDecay   from 0 up, for rules that have it
 */

/** Beyond the learning rate, which all have. @type {Record<Rule, RuleOption[]>} */
export const ruleOptions = {
  sgd: [],
  momentum: ['momentum'],
  nesterov: ['momentum'],
  adam: [],
  adamW: ['weightDecay'],
};

export const rules = /** @type {Rule[]} */ (Object.keys(ruleOptions));

/** Low ≤ value < high. @type {Record<RuleOption, [low: number, high: number]>} */
export const optionRanges = {
  learningRate: [0, 1e6],
  momentum: [0, 1],
  weightDecay: [0, 1e3],
};

/** @param {any} settings of any origin @returns {settings is OptimizerSettings} */
export const isSettings = (settings) =>
  typeof settings === 'object' &&
  settings !== null &&
  Object.hasOwn(ruleOptions, settings.rule) &&
  Object.entries(optionRanges).every(([name, range]) => isInRange(settings[name], range));

/** @param {unknown} value @param {[number, number]} range low ≤ value < high */
export const isInRange = (value, [low, high]) =>
  typeof value === 'number' && value >= low && value < high;

/** Whether two train alike: the options that their rule has are the same. @param {OptimizerSettings} a @param {OptimizerSettings} b */
export const isAlike = (a, b) =>
  a.rule === b.rule &&
  a.learningRate === b.learningRate &&
  ruleOptions[a.rule].every((name) => a[name] === b[name]);
